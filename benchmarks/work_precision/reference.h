/* reference.h - what the end of a run is compared with: the model's own reference, or one that two methods agree on. */
#ifndef CMD_REFERENCE_H
#define CMD_REFERENCE_H

#include "program/run/run.h"

/** A model with a reference. Zeroed: none. Points into itself: not to be copied. */
typedef struct cmd_reference {
    cmd_model model; /**< the model with this reference; all else belongs to the one it was made from */
    cmd_run_end end; /**< where the model's own is not taken */
    double doubt[3]; /**< of p, v, lam: largest difference of the two methods */
    char source[160 + RESIDA_MESSAGE_SIZE]; /**< who made it; without one, why there is none, and model.cls is NULL */
} cmd_reference;

/** 1: the model has a reference of its own at t, whose doubt in p is not above rtol. */
int cmd_reference_is_own(const cmd_model *model, double t, double rtol);

/** Find the reference at the end of the interval; computed, where the model has none that is good enough, at rtol / 100
 *  but 1e-12 at least.
 *  @param[in] rtol  tightest tolerance that is to be compared: the two methods have to agree to it, |difference of p|
 *                   <= rtol (1 + |p|)
 *  @param[out] r    to be freed in any case; while it lives, so must the model
 *  @return 0; CMD_EXIT_FAILED (no two methods agree), CMD_EXIT_USAGE, 128 + signal, after one complaint */
int cmd_reference_open(cmd_reference *r, const cmd_model *model, const cmd_settings *s, double rtol);
void cmd_reference_free(cmd_reference *r);

/** The same reference for a model of the same kind with the same parameters that was opened later. @return it, with the
 *  reference; lives as long as r */
const cmd_model *cmd_reference_use(cmd_reference *r, const cmd_model *model);

/** The model's atol, scaled as rtol is. */
double cmd_scaled_atol(const cmd_model *model, double rtol);

#endif
