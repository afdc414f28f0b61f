/* columns.h - the quantities of a trajectory by name: positions, velocities, accelerations, multipliers, outputs. */
#ifndef CMD_COLUMNS_H
#define CMD_COLUMNS_H

#include "command/sensitivity/derivatives.h"
#include "program/run/quantity.h"
#include "program/run/run.h"

/** The quantity in a column. */
typedef struct cmd_place_of {
    cmd_quantity quantity;
    int i;                    /**< index in its array, CMD_OF_DERIVATIVE: in the values of cmd_derivatives */
    cmd_quantity of;          /**< same as quantity; for a derivative the differentiated quantity */
    const char *by;           /**< parameter of a derivative; else NULL */
    char unit[CMD_UNIT_SIZE]; /**< "" if unknown */
} cmd_place_of;

/** Columns in addition to t. A zeroed struct has none. */
typedef struct cmd_columns {
    int n;
    cmd_place_of *of;                   /**< [n] */
    char **names;                       /**< [n] names as written */
    const char **units;                 /**< [n] units; NULL if unknown */
    const cmd_derivatives *derivatives; /**< derivatives of the job, or NULL */
    const resida_model *model;          /**< model of the job, whose outputs may be texts */
} cmd_columns;

/** Make the columns of a list with commas, in its order, each column once. A word is "p.x", "v.x", "a.x", "lam.rod",
 *  "out.energy" ("y.x", "yp.x" for a general DAE), or a heading of a file without a list. * and ? match any letters. If
 *  the job has derivatives, "d(p.x)/d(L)" is also a word; if the list contains no derivative, those of all its columns
 *  are appended.
 *  @param[in]  list    NULL: p, v, a, lam, or y of a general DAE, with short names
 *  @param[in]  option  name of the option with the list
 *  @param[out] c       to be freed in any case; borrows the derivatives of the job
 *  @return 0; CMD_EXIT_USAGE or CMD_EXIT_FAILED after one complaint */
int cmd_columns_make(cmd_columns *c, const cmd_job *job, const char *list, const char *option);

/** Make the columns of a state at an event: p, v, or y, y', and outputs. Arguments as above. */
int cmd_columns_states(cmd_columns *c, const cmd_job *job);

/** Store the values of the columns in x [n]. Values of arrays that the state or outputs lack are NaN. */
void cmd_columns_values(const cmd_columns *c, const resida_state *state, const double *outputs, double *x);

/** Return the text of column i, an output with text values, at the state evaluated last; NULL for a number. */
const char *cmd_columns_word(const cmd_columns *c, int i);

void cmd_columns_free(cmd_columns *c);

#endif
