/* page.h - doc/results.md from its template, whose text it is but for places "{{STUDY}}" and "{{STUDY: WHAT}}", with
 * WHAT as in result.h: one that fills its line is a table, another one a cell. */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "result.h"

/** @return the result of a study, borrowed; NULL: it is not known, which is written as "?" */
typedef const json_t *bench_result_fn(void *self, const bench_study *study);

/** Which studies the template quotes.
 *  @param[out] is_quoted  [bench_n_studies]
 *  @return 0; CMD_EXIT_USAGE after one complaint, with the line */
int bench_page_studies(const char *template, int *is_quoted);

/** Write the page. @return 0; CMD_EXIT_USAGE after one complaint, with the line */
int bench_page_write(const char *template, bench_result_fn *result, void *self, FILE *stream);

/** Compare a page [its text] with what it should be. Words are the same; a number differs by at most 3 %, of a
 *  page that does not name the compiler of this program by 20 %; one with an
 *  exponent, which is an error, by a factor of 2; "?" stands for any words up to those that follow, a line of it for
 *  any lines. @return how many lines differ, the first ones each a complaint with its number */
int bench_page_compare(const char *expected, const char *page, const char *name);

#endif
