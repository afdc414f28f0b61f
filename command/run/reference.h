/* reference.h - what the end of a run is compared with: the model's own reference, or one that two methods agree on. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "run.h"

/** A model with a reference. Zeroed: none. Points into itself: not to be copied. */
typedef struct bench_reference {
    bench_model model; /**< the model with this reference; all else belongs to the one it was made from */
    bench_run_end end; /**< where the model's own has nothing to say */
    struct {
        double p, v, lam; /**< largest difference of the two methods; 0 for a reference of the model's own */
    } doubt;
    char source[160 + RESIDA_MESSAGE_SIZE]; /**< who made it; without one, why there is none, and model.cls is NULL */
} bench_reference;

/** Find the reference at the end of the interval; computed, where the model has none, at rtol / 100 but 1e-12 at least.
 *  @param[in] rtol  tightest tolerance that is to be compared: the two methods have to agree to it, |difference of p|
 *                   <= rtol (1 + |p|)
 *  @param[out] r    to be freed in any case; while it lives, so must the model
 *  @return 0; BENCH_EXIT_FAILED (no two methods agree), BENCH_EXIT_USAGE, 128 + signal, after one complaint */
int bench_reference_open(bench_reference *r, const bench_model *model, const bench_settings *s, double rtol);
void bench_reference_free(bench_reference *r);

/** The same reference for a model of the same kind with the same parameters that was opened later. @return it, with the
 *  reference; lives as long as r */
const bench_model *bench_reference_use(bench_reference *r, const bench_model *model);

/** Forget the errors of a row that are less than ten times the doubt: they may be those of the reference. */
void bench_reference_judge(const bench_reference *r, bench_row *row);

/** The model's atol, scaled as rtol is. */
double bench_scaled_atol(const bench_model *model, double rtol);

#endif
