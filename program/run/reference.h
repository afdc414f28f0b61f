/* reference.h - the reference for the end state of a run: that of the model, or one on which two methods agree. */
#ifndef CMD_REFERENCE_H
#define CMD_REFERENCE_H

#include "run.h"

/** A model with a reference. A zeroed struct has none. It contains pointers to itself and must not be copied. */
typedef struct cmd_reference {
    cmd_model model; /**< the model with this reference; other members belong to the original model */
    cmd_run_end end; /**< end state, unless the model's own reference is used */
    double doubt[3]; /**< uncertainty of p, v, lam: largest difference of the two methods */
    char source[160 + RESIDA_MESSAGE_SIZE]; /**< source; after a failure the reason, and model.cls is NULL */
} cmd_reference;

/** Return 1 if the model has a reference at t with an uncertainty in p of at most rtol. */
int cmd_reference_is_of_model(const cmd_model *model, double t, double rtol);

/** Required agreement of two methods: |difference of p| <= x (1 + |p|). */
typedef struct cmd_agreement {
    double tight; /**< desired agreement: the tightest tolerance to be compared */
    double loose; /**< otherwise the best pair must agree to this; smaller errors are then unknown */
} cmd_agreement;

/** cmd_run(), or a function that reuses stored runs. */
typedef int cmd_reference_run_fn(const cmd_job *job, cmd_row *row);

/** Find the reference at the end of the interval. If the model has none that is accurate enough, it is computed at a
 *  tolerance of tight / 100, but at least 1e-12.
 *  @param[out] r  to be freed in any case; the model must outlive it
 *  @return 0; CMD_EXIT_FAILED (no two methods agree), CMD_EXIT_USAGE or 128 + signal after one complaint */
int cmd_reference_open(cmd_reference *r, const cmd_model *model, const cmd_settings *s, const cmd_agreement *wanted,
                       cmd_reference_run_fn *run);
void cmd_reference_free(cmd_reference *r);

/** Apply the reference to a model of the same kind and parameters that was opened later. @return the model with the
 *  reference, valid while r is */
const cmd_model *cmd_reference_apply(cmd_reference *r, const cmd_model *model);

/** Return the model's atol, scaled in proportion to rtol. */
double cmd_scaled_atol(const cmd_model *model, double rtol);

#endif
