/* reference.h - what the end of a run is compared with: the model's own reference, or one that two methods agree on. */
#ifndef CMD_REFERENCE_H
#define CMD_REFERENCE_H

#include "run.h"

/** A model with a reference. Zeroed: none. Points into itself: not to be copied. */
typedef struct cmd_reference {
    cmd_model model; /**< the model with this reference; all else belongs to the one it was made from */
    cmd_run_end end; /**< where the model's own is not taken */
    double doubt[3]; /**< of p, v, lam: largest difference of the two methods */
    char source[160 + RESIDA_MESSAGE_SIZE]; /**< who made it; without one, why there is none, and model.cls is NULL */
} cmd_reference;

/** 1: the model has a reference of its own at t, whose doubt in p is not above rtol. */
int cmd_reference_is_own(const cmd_model *model, double t, double rtol);

/** How well two methods have to agree: |difference of p| <= x (1 + |p|). */
typedef struct cmd_agreement {
    double tight; /**< as well as this they should: the tightest tolerance that is to be compared */
    double loose; /**< else the two that agree best are taken, if as well as this; smaller errors are not known then */
} cmd_agreement;

/** cmd_run(), or what takes runs that were kept. */
typedef int cmd_reference_run_fn(const cmd_job *job, cmd_row *row);

/** Find the reference at the end of the interval; computed, where the model has none that is good enough, at
 *  tight / 100 but 1e-12 at least.
 *  @param[out] r  to be freed in any case; while it lives, so must the model
 *  @return 0; CMD_EXIT_FAILED (no two methods agree), CMD_EXIT_USAGE, 128 + signal, after one complaint */
int cmd_reference_open(cmd_reference *r, const cmd_model *model, const cmd_settings *s, const cmd_agreement *wanted,
                       cmd_reference_run_fn *run);
void cmd_reference_free(cmd_reference *r);

/** The same reference for a model of the same kind with the same parameters that was opened later. @return it, with the
 *  reference; lives as long as r */
const cmd_model *cmd_reference_use(cmd_reference *r, const cmd_model *model);

/** The model's atol, scaled as rtol is. */
double cmd_scaled_atol(const cmd_model *model, double rtol);

#endif
