/* derivatives.h - the sensitivities of a run at its last output, for the columns of a trajectory and the end of a
 * row. */
#ifndef CMD_DERIVATIVES_H
#define CMD_DERIVATIVES_H

#include <stdio.h>

#include <jansson.h>
#include <resida/model.h>
#include <resida/sensitivity.h>

/** Derivatives with respect to n parameters. A zeroed struct has none. */
typedef struct cmd_derivatives {
    int n, is_dae;
    char **names; /**< [n] names as on the command line */
    int n_p, n_v, n_lam, n_out;
    const char *const *out_names;     /**< [n_out] of the model */
    resida_sensitivity_counts counts; /**< work counters of the sensitivities */
    double *values; /**< [n x (n_p + 2 n_v + n_lam + n_out)] p (or y of a general DAE), v, a, lam, outputs of the
                     *   model; NaN if unknown */
} cmd_derivatives;

/** Allocate derivatives for a list of names, "m,L,x@0". To be freed in any case. @return 0; -1 if memory is
 *  exhausted */
int cmd_derivatives_allocate(cmd_derivatives *d, const resida_model *m, const char *list);
void cmd_derivatives_free(cmd_derivatives *d);

/** Copy the sensitivities of the solver at the current time, without outputs. No effect if d is NULL or zeroed. */
void cmd_derivatives_store(cmd_derivatives *d, const resida_solver *solver);

/** Return the derivatives [n_out] of the outputs with respect to parameter `by`. The caller fills them. */
double *cmd_derivatives_outputs(cmd_derivatives *d, int by);

/** Return the index in the values of the derivative of component i with respect to parameter `by`; < 0 if there is no
 *  such value. part 0: p, 1: v, 2: a, 3: lam, 4: y, 5: y', 6: outputs. */
int cmd_derivatives_get_index(const cmd_derivatives *d, int by, int part, int i);

/** Return {"m": {"p": [...], "v": [...], "lam": [...]}}, or {"m": {"y": [...]}} for a general DAE. If the model has
 *  outputs then "outputs" holds them by name. Returns null without derivatives, NULL without memory. */
json_t *cmd_derivatives_json(const cmd_derivatives *d);

/** Return {"residual_calls": ..., "iterations": ..., "setups": ..., "in_doubt": ..., "error": ...}. Returns null
 *  without derivatives, NULL without memory. */
json_t *cmd_derivatives_counts(const cmd_derivatives *d);

/** Write the counters as one line of text. Without derivatives nothing is written. */
void cmd_derivatives_text(const cmd_derivatives *d, FILE *stream);

#endif
