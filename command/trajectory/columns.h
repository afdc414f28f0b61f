/* columns.h - the quantities of a trajectory by name: positions, velocities, accelerations, multipliers, outputs. */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include "command/run/run.h"

typedef enum bench_quantity {
    BENCH_OF_P,
    BENCH_OF_V,
    BENCH_OF_A,
    BENCH_OF_LAM,
    BENCH_OF_Y,
    BENCH_OF_YP,
    BENCH_OF_OUT,
    BENCH_OF_DERIVATIVE /**< in the array of bench_derivatives */
} bench_quantity;

/** One column. */
typedef struct bench_place_of {
    bench_quantity quantity;
    int i; /**< in its array */
} bench_place_of;

/** Columns beside t. Zeroed: none. */
typedef struct bench_columns {
    int n;
    bench_place_of *of;                   /**< [n] */
    char **names;                         /**< [n] as they are written */
    const char **units;                   /**< [n] of the model, NULL: not said */
    const bench_derivatives *derivatives; /**< of the job; NULL: none */
} bench_columns;

/** Those of a list with commas, in its order, each once; a word is "p.x", "v.x", "a.x", "lam.rod", "out.energy" (of a
 *  general DAE "y.x", "yp.x"), or what a file without a list has as a heading; * and ? stand for any letters.
 *  @param[in]  list    NULL: p, v, a, lam, of a general DAE y, called by their names alone
 *  @param[in]  option  that has the list
 *  Behind them stand their derivatives, "d(x)/d(L)", where the job has such.
 *  @param[out] c       to be freed in any case; of the job it needs its derivatives
 *  @return 0; BENCH_EXIT_USAGE, BENCH_EXIT_FAILED after one complaint */
int bench_columns_make(bench_columns *c, const bench_job *job, const char *list, const char *option);

/** Those of a state alone, without what follows from it: p, v, or y, y'. Likewise. */
int bench_columns_states(bench_columns *c, const bench_job *job);

/** Their values x [n] in a state; outputs as a bench_sink gets them. */
void bench_columns_values(const bench_columns *c, const resida_state *state, const double *outputs, double *x);

void bench_columns_free(bench_columns *c);

#endif
