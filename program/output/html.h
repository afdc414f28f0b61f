/* html.h - text, tables and pictures as parts of a self-contained page. */
#ifndef CMD_HTML_H
#define CMD_HTML_H

#include <stdio.h>

#include "text_table.h"

/** The style of a page for screen and print. */
extern const char cmd_page_style[];

/** Write text, escaped and as valid UTF-8. */
void cmd_html_text(FILE *f, const char *words);

/** Write the beginning of a page with this style up to the heading of its header. The title is "heading, about". The
 *  page forbids the browser to load anything else. */
void cmd_html_head(FILE *f, const char *style, const char *heading, const char *about);

/** Write a heading of level 2 or 3 with an anchor. */
void cmd_html_heading(FILE *f, int level, const char *id, const char *words);

/** Write a paragraph. */
void cmd_html_paragraph(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Write a table in a box. Rows that share the cells of the first n_grouped columns are below a line with these cells;
 *  the next column is the heading of each row. A column with only dashes is omitted. Cells with a failure status have a
 *  colour.
 *  @param[in] caption  text above the table; if it has no rows, a paragraph with the caption states this */
void cmd_html_table(FILE *f, const cmd_table *table, int n_grouped, const char *caption);

/** Write a picture of gnuplot, which is read from its beginning.
 *  @param[in] id       unique in the page; prefix of the names of its parts
 *  @param[in] words    description for readers who cannot see it
 *  @param[in] caption  text below the picture */
void cmd_html_picture(FILE *f, FILE *svg, const char *id, const char *words, const char *caption);

#endif
