/* html.c - parts of an HTML page. Text is not trusted: "<", ">", "&" and quotes are escaped, invalid UTF-8 becomes
 * U+FFFD, and control characters become blanks.
 *
 * All pictures of gnuplot use the same names for their parts (gpDot, gpPt0 ...). Therefore every name gets a prefix.
 * The first lines of a picture (<?xml, <title> and <desc>) are omitted. */
#include "html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char cmd_page_style[] =
#include "page_style.css.inc"
    ;

/** Return the number of bytes of the character at c; 0 if it is not well-formed UTF-8 (RFC 3629). */
static int get_character_length(const unsigned char *c)
{
    int n = c[0] < 0x80                   ? 1
            : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
            : (c[0] & 0xF0) == 0xE0       ? 3
            : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    int overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    int beyond = (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF4 && c[1] > 0x8F);
    return overlong || beyond ? 0 : n;
}

/** Write the character at c, or U+FFFD if it is invalid. @return number of bytes read from c */
static int put_character(FILE *f, const char *c)
{
    int n = get_character_length((const unsigned char *)c);
    if (n == 0) fputs("\xEF\xBF\xBD", f);
    fwrite(c, 1, (size_t)n, f);
    return n > 0 ? n : 1;
}

void cmd_html_text(FILE *f, const char *words)
{
    for (const char *c = words; *c;) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f)
            fputc(byte == '\n' ? '\n' : ' ', f);
        else if (strchr("<>&\"'", byte))
            fprintf(f, "&#%d;", byte);
        else {
            c += put_character(f, c);
            continue;
        }
        c++;
    }
}

void cmd_html_head(FILE *f, const char *style, const char *heading, const char *about)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n",
          f);
    fputs("<title>", f);
    cmd_html_text(f, heading);
    fputs(", ", f);
    cmd_html_text(f, about);
    fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", style);
    cmd_html_text(f, heading);
    fputs("</h1>\n", f);
}

void cmd_html_paragraph(FILE *f, const char *format, ...)
{
    char words[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    fputs("<p>", f);
    cmd_html_text(f, words);
    fputs("</p>\n", f);
}

void cmd_html_heading(FILE *f, int level, const char *id, const char *words)
{
    fprintf(f, "<h%d id=\"%s\"><a href=\"#%s\">", level, id, id);
    cmd_html_text(f, words);
    fprintf(f, "</a></h%d>\n", level);
}

static const char *get_title(const cmd_column *column)
{
    return column->title ? column->title : column->heading;
}

static const char *get_alignment(const cmd_column *column)
{
    return column->left ? "" : " class=\"n\"";
}

/** Return 1 unless all cells of a column are "-". Such a column is omitted. */
static int is_shown(const cmd_table *table, int c)
{
    for (int row = 0; row < cmd_table_rows(table); row++)
        if (strcmp(cmd_table_at(table, row, c), "-") != 0) return 1;
    return 0;
}

/** Count the columns from c on in its group: returns all, and stores the number of shown ones. */
static int count_group_columns(const cmd_table *table, int c, int *shown)
{
    const char *group = table->columns[c].group;
    int n = 0;
    *shown = 0;
    do {
        *shown += is_shown(table, c + n);
        n++;
    } while (group && c + n < table->n_columns && table->columns[c + n].group &&
             strcmp(table->columns[c + n].group, group) == 0);
    return n;
}

/** Write the names of groups above the headings; other headings span both lines. @return 1; 0 if there is no group */
static int write_group_names(FILE *f, const cmd_table *table, int first)
{
    int grouped = 0, shown;
    for (int c = first; c < table->n_columns; c++) grouped |= table->columns[c].group && is_shown(table, c);
    if (grouped) fputs("<tr>", f);
    for (int c = first, n; grouped && c < table->n_columns; c += n) {
        const cmd_column *column = &table->columns[c];
        n = count_group_columns(table, c, &shown);
        if (shown == 0) continue;
        if (column->group)
            fprintf(f, "<th scope=\"colgroup\" colspan=\"%d\" class=\"group\">", shown);
        else
            fprintf(f, "<th scope=\"col\" rowspan=\"2\"%s>", get_alignment(column));
        cmd_html_text(f, column->group ? column->group : get_title(column));
        fputs("</th>", f);
    }
    if (grouped) fputs("</tr>\n", f);
    return grouped;
}

/** Write the headings. @return number of shown columns */
static int write_headings(FILE *f, const cmd_table *table, int first)
{
    int n = 0;
    fputs("<thead>\n", f);
    int grouped = write_group_names(f, table, first);
    fputs("<tr>", f);
    for (int c = first; c < table->n_columns; c++) {
        if (!is_shown(table, c)) continue;
        n++;
        if (grouped && !table->columns[c].group) continue;
        fprintf(f, "<th scope=\"col\"%s>", get_alignment(&table->columns[c]));
        cmd_html_text(f, get_title(&table->columns[c]));
        fputs("</th>", f);
    }
    fputs("</tr>\n</thead>\n", f);
    return n;
}

/** Return 1 if the first n cells of rows a and b are equal. */
static int have_equal_cells(const cmd_table *table, int a, int b, int n)
{
    for (int c = 0; c < n; c++)
        if (strcmp(cmd_table_at(table, a, c), cmd_table_at(table, b, c)) != 0) return 0;
    return 1;
}

enum { LONG = 28, SHORT = 24 };

/** Return 1 if the text is the name of a status, such as RESIDA_ERR_NEWTON. */
static int is_status(const char *words)
{
    return strncmp(words, "RESIDA_", 7) == 0 && strspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(words);
}

/** Write a cell. A line may break after each "_" of a status, which is wider than a column on a phone. */
static void put_cell(FILE *f, const char *words)
{
    const char *bar = is_status(words) ? strchr(words, '_') : NULL;
    for (; bar; words = bar + 1, bar = strchr(words, '_')) {
        fprintf(f, "%.*s_<wbr>", (int)(bar - words), words);
    }
    cmd_html_text(f, words);
}

/** Return the class of a cell: failures, numbers, or long text that may be wrapped. */
static const char *get_cell_class(const char *words, int left)
{
    if (is_status(words) || strcmp(words, "inaccurate") == 0 || strcmp(words, "interrupted") == 0)
        return " class=\"bad\"";
    return !left ? " class=\"n\"" : strlen(words) > LONG ? " class=\"long\"" : "";
}

/** Write a line with the n cells that the rows below share. */
static void write_group_line(FILE *f, const cmd_table *table, int row, int n, int n_shown)
{
    fprintf(f, "<tr><th scope=\"rowgroup\" colspan=\"%d\" class=\"of\"><span>", n_shown);
    for (int c = 0; c < n; c++) {
        if (c > 0) fputs(", ", f);
        cmd_html_text(f, cmd_table_at(table, row, c));
    }
    fputs("</span></th></tr>\n", f);
}

static void write_cells(FILE *f, const cmd_table *table, int row, int first)
{
    for (int c = first; c < table->n_columns; c++) {
        const char *words = cmd_table_at(table, row, c);
        if (!is_shown(table, c)) continue;
        const char *class = get_cell_class(words, table->columns[c].left);
        if (c == first)
            fprintf(f, "<th scope=\"row\"%s>", class);
        else
            fprintf(f, "<td%s>", class);
        put_cell(f, words);
        fputs(c == first ? "</th>" : "</td>", f);
    }
}

static void write_rows(FILE *f, const cmd_table *table, int n_grouped, int n_shown)
{
    int n_shared = n_grouped > 0 ? n_grouped : 1;
    for (int row = 0; row < cmd_table_rows(table); row++) {
        int begins = row == 0 || !have_equal_cells(table, row - 1, row, n_shared);
        if (begins) fputs(row > 0 ? "</tbody>\n<tbody>\n" : "<tbody>\n", f);
        if (begins && n_grouped > 0) write_group_line(f, table, row, n_grouped, n_shown);
        fputs("<tr>", f);
        write_cells(f, table, row, n_grouped);
        fputs("</tr>\n", f);
    }
    fputs("</tbody>\n", f);
}

void cmd_html_table(FILE *f, const cmd_table *table, int n_grouped, const char *caption)
{
    int is_wide = table->n_columns - n_grouped > 12, is_short = n_grouped == 0 && cmd_table_rows(table) <= SHORT;
    if (cmd_table_rows(table) == 0) {
        fputs("<p>", f);
        cmd_html_text(f, caption);
        fputs(": none.</p>\n", f);
        return;
    }
    fprintf(f, "<div class=\"box%s%s\" role=\"region\" tabindex=\"0\" aria-label=\"", is_wide ? " wide" : "",
            is_short ? " whole" : "");
    cmd_html_text(f, caption);
    fputs("\">\n<table>\n<caption><span>", f);
    cmd_html_text(f, caption);
    fputs("</span></caption>\n", f);
    write_rows(f, table, n_grouped, write_headings(f, table, n_grouped));
    fputs("</table>\n</div>\n", f);
}

/** Return the length of the text before a name at c, "id='", "href='#" or "url(#"; 0 if there is none. */
static int get_name_prefix_length(const char *c)
{
    static const char *const openings[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++)
        if (strncmp(c, openings[i], strlen(openings[i])) == 0) return (int)strlen(openings[i]);
    return 0;
}

/** Write a line of a picture with prefixed names. */
static void write_picture_line(FILE *f, const char *line, const char *id)
{
    for (int n; *line; line += n) {
        n = get_name_prefix_length(line);
        if (n > 0)
            fprintf(f, "%.*s%s-", n, line, id);
        else
            n = put_character(f, line);
    }
}

static int is_line_omitted(const char *line)
{
    static const char *const beginnings[] = {"<?xml", "<title>", "<desc>", " width=", "\n"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0) return 1;
    return 0;
}

void cmd_html_picture(FILE *f, FILE *svg, const char *id, const char *words, const char *caption)
{
    char *line = NULL;
    size_t room = 0;
    fprintf(f, "<figure id=\"%s\">\n", id);
    while (getline(&line, &room, svg) > 0) {
        if (is_line_omitted(line)) continue;
        write_picture_line(f, line, id);
        if (strncmp(line, "<svg", 4) != 0) continue;
        fputs(" role=\"img\" aria-label=\"", f);
        cmd_html_text(f, words);
        fputs("\"\n", f);
    }
    free(line);
    fputs("<figcaption>", f);
    cmd_html_text(f, caption);
    fputs("</figcaption>\n</figure>\n", f);
}
