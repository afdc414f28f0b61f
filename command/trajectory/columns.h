/* columns.h - the quantities of a trajectory by name: positions, velocities, accelerations, multipliers, outputs. */
#ifndef CMD_COLUMNS_H
#define CMD_COLUMNS_H

#include "command/sensitivity/derivatives.h"
#include "program/run/run.h"

typedef enum cmd_quantity {
    CMD_OF_P,
    CMD_OF_V,
    CMD_OF_A,
    CMD_OF_LAM,
    CMD_OF_Y,
    CMD_OF_YP,
    CMD_OF_OUT,
    CMD_OF_DERIVATIVE /**< in the array of cmd_derivatives */
} cmd_quantity;

/** One column. */
typedef struct cmd_place_of {
    cmd_quantity quantity;
    int i;            /**< in its array */
    cmd_quantity of;  /**< the same, but of a derivative what is derived */
    const char *unit; /**< of the model, also of what is derived; NULL: not said */
    const char *by;   /**< of a derivative: the parameter; else NULL */
} cmd_place_of;

/** Columns beside t. Zeroed: none. */
typedef struct cmd_columns {
    int n;
    cmd_place_of *of;                   /**< [n] */
    char **names;                       /**< [n] as they are written */
    const char **units;                 /**< [n] of the model, NULL: not said */
    const cmd_derivatives *derivatives; /**< of the job; NULL: none */
    const resida_model *model;          /**< of the job, whose outputs may be texts */
} cmd_columns;

/** Those of a list with commas, in its order, each once; a word is "p.x", "v.x", "a.x", "lam.rod", "out.energy" (of a
 *  general DAE "y.x", "yp.x"), or what a file without a list has as a heading; * and ? stand for any letters. Of a job
 *  with derivatives "d(p.x)/d(L)" is one of them; where the list picks none, those of all that it picks stand behind.
 *  @param[in]  list    NULL: p, v, a, lam, of a general DAE y, called by their names alone
 *  @param[in]  option  that has the list
 *  @param[out] c       to be freed in any case; of the job it needs its derivatives
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_FAILED after one complaint */
int cmd_columns_make(cmd_columns *c, const cmd_job *job, const char *list, const char *option);

/** Those of a state at an event: p, v, or y, y', and outputs of the model. Likewise. */
int cmd_columns_states(cmd_columns *c, const cmd_job *job);

/** Their values x [n] in a state; outputs as a cmd_sink gets them. NaN of an array that the state has not. */
void cmd_columns_values(const cmd_columns *c, const resida_state *state, const double *outputs, double *x);

/** The text of column i where it is that of an output at the values that were asked for last; NULL: a number. */
const char *cmd_columns_word(const cmd_columns *c, int i);

/** 1: the word stands for the name: * and ? stand for any letters, brackets are letters. */
int cmd_word_fits(const char *word, const char *name);

void cmd_columns_free(cmd_columns *c);

#endif
