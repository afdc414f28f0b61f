/* page.h - creates doc/results.md from its template. The text is copied, except for placeholders "{{STUDY}}" and
 * "{{STUDY: WHAT}}", with WHAT as in result.h. A placeholder that fills its line is replaced by a table, others by a
 * cell. */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "result.h"

/** Return the result of a study (borrowed), or NULL if it is unknown, which is written as "?". */
typedef const json_t *bench_result_fn(void *self, const bench_study *study);

/** Find the studies that the template quotes.
 *  @param[out] is_quoted  [bench_n_studies]
 *  @return 0; CMD_EXIT_USAGE after one error message with the line number */
int bench_page_studies(const char *template, int *is_quoted);

/** Write the page. @return 0; CMD_EXIT_USAGE after one error message with the line number */
int bench_page_write(const char *template, bench_result_fn *result, void *self, FILE *stream);

/** Compare a page [its text] with the expected page. Words must be equal. Numbers may differ by 3 %, by 20 % if the
 *  page does not name the compiler of this program, and by a factor of 2 if they have an exponent (errors). "?" matches
 *  any words up to the next expected word; a line of "?" matches any lines.
 *  @return the number of different lines; an error message is printed for the first ones */
int bench_page_compare(const char *expected, const char *page, const char *name);

#endif
