/* source_scan.h - reads C sources just well enough to check how they are written. Not a parser: no macros expanded. */
#ifndef RESIDA_TEST_SOURCE_SCAN_H
#define RESIDA_TEST_SOURCE_SCAN_H

/** What scan_blank() turns into spaces. Ends of lines always stay, so that line numbers do. */
enum {
    SCAN_COMMENTS = 1,
    SCAN_STRINGS = 2, /**< what stands between quotes, single and double */
    SCAN_DIRECTIVES = 4
};

/** A copy of a source with some parts blanked, to be freed. */
char *scan_blank(const char *text, int parts);

/** Step through the includes of a source whose comments are blanked.
 *  @param[in,out] at    where to go on; the text itself at first
 *  @param[out]    name  [128] as written, without quotes
 *  @return the opening quote, '<' or '"'; 0 when there are no more */
char scan_include(const char **at, char *name);

/** The line of the first whole word `word` from `text` on, counted from 1; 0 when it is not there.
 *  @param called  1: only when a '(' follows */
int scan_word(const char *text, const char *word, int called);

/** Lines of a text. */
int scan_lines(const char *text);

/** The longest function of a source. @param[out] line where it begins @return its lines; 0 without functions */
int scan_longest_function(const char *text, int *line);

#endif
