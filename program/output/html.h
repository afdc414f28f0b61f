/* html.h - text, tables and pictures as parts of a page that needs nothing but itself. */
#ifndef CMD_HTML_H
#define CMD_HTML_H

#include <stdio.h>

#include "text_table.h"

/** The look of a page that is to be read and printed. */
extern const char cmd_page_style[];

/** Words as text of a page: escaped, in valid UTF-8, whatever they contain. */
void cmd_html_text(FILE *f, const char *words);

/** The beginning of a page of that look up to the heading of its header: a title "heading, about". Nothing outside the
 *  page is loaded, which it says to the browser. */
void cmd_html_head(FILE *f, const char *style, const char *heading, const char *about);

/** A heading of level 2 or 3 with an anchor. */
void cmd_html_heading(FILE *f, int level, const char *id, const char *words);

/** A paragraph. */
void cmd_html_paragraph(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A table in a box of its own. Rows that share the cells of the first n_grouped columns stand below a line with these;
 *  the column behind them is the heading of each row. A column of dashes is left out. A cell that is a verdict or a
 *  status gets its colour.
 *  @param[in] caption  words above it; of a table without rows, a paragraph that says so */
void cmd_html_table(FILE *f, const cmd_table *table, int n_grouped, const char *caption);

/** A picture of gnuplot, read from its beginning.
 *  @param[in] id       unlike those of all other pictures: its parts get names from it
 *  @param[in] words    what it shows, for those who do not see it
 *  @param[in] caption  words below it */
void cmd_html_picture(FILE *f, FILE *svg, const char *id, const char *words, const char *caption);

#endif
