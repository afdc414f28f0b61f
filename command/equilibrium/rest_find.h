/* rest_find.h - looks for an equilibrium of a model, as the settings say: guesses, time, the way there, budgets. */
#ifndef BENCH_REST_FIND_H
#define BENCH_REST_FIND_H

#include "rest_result.h"

/** @param[out] r  to be freed in any case; r->status: what the search came to
 *  @return 0: there was a search; else an exit code after one complaint about the settings */
int bench_rest_find(bench_rest *r, const bench_model *model, const bench_settings *s);
void bench_rest_free(bench_rest *r);

/** One line about a search that found none, or was interrupted. @return exit code */
int bench_rest_complain(const bench_rest *r);

#endif
