/* derivatives.h - sensitivities of a run at its last output: what the columns of a trajectory and the end of a row are
 * made of. */
#ifndef CMD_DERIVATIVES_H
#define CMD_DERIVATIVES_H

#include <stdio.h>

#include <jansson.h>
#include <resida/model.h>
#include <resida/sensitivity.h>

/** By n parameters. Zeroed: none. */
typedef struct cmd_derivatives {
    int n, is_dae;
    char **names; /**< [n] as on the command line */
    int n_p, n_v, n_lam, n_out;
    const char *const *out_names;     /**< [n_out] of the model */
    resida_sensitivity_counts counts; /**< what they took */
    double *values; /**< [n x (n_p + 2 n_v + n_lam + n_out)] p (of a general DAE y), v, a, lam, outputs of the model;
                         what is not known is NaN */
} cmd_derivatives;

/** Room for those of a list with commas, "m,L,x@0". @return 0; -1 without memory, to be freed all the same */
int cmd_derivatives_make(cmd_derivatives *d, const resida_model *m, const char *list);
void cmd_derivatives_free(cmd_derivatives *d);

/** Those of the solver at the time reached, without outputs. d NULL or zeroed: nothing. */
void cmd_derivatives_keep(cmd_derivatives *d, const resida_solver *solver);

/** [n_out] derivatives of the outputs by parameter `by`, to be filled. */
double *cmd_derivatives_outputs(cmd_derivatives *d, int by);

/** Where derivative `by` of component i stands in the values; part 0: p, 1: v, 2: a, 3: lam, 4: y, 5: y', 6: outputs.
 *  < 0: there is none */
int cmd_derivatives_place(const cmd_derivatives *d, int by, int part, int i);

/** {"m": {"p": [...], "v": [...], "lam": [...]}}, of a general DAE {"m": {"y": [...]}}, and "outputs" by name of a
 *  model that has some; null: none. NULL without memory */
json_t *cmd_derivatives_json(const cmd_derivatives *d);

/** {"residual_calls": ..., "iterations": ..., "setups": ..., "in_doubt": ..., "error": ...}; null: none. NULL without
 *  memory */
json_t *cmd_derivatives_counts(const cmd_derivatives *d);

/** The same as a line of text; nothing without any. */
void cmd_derivatives_text(const cmd_derivatives *d, FILE *stream);

/** Were steps too long for them? @return 1: a line about it is written; 0: no, and nothing is written */
int cmd_derivatives_warn(const cmd_derivatives *d, char *line, size_t size);

#endif
