/* fixed_matrix.h - the iteration matrix of a step of fixed size, from dF/dy and dF/dyp of the Jacobian engine:
 *
 *     block (i, j) = e_ij dF/dy + d_ij/h dF/dyp,      e and d by the field of the column
 *
 * both taken at one point. A single stage with the same d for all fields has J = dF/dy + alpha dF/dyp as it comes. */
#ifndef RSD_FIXED_MATRIX_H
#define RSD_FIXED_MATRIX_H

#include <resida/jacobian.h>

#include "src/linear/linear_solver.h"
#include "method.h"
#include "src/newton/scaling.h"

typedef struct rsd_fixed_matrix {
    resida_allocator alloc;
    int n, most;                                /* unknowns of F; stages for which there is room */
    const unsigned char *field;                 /* [n] */
    const unsigned char *held;                  /* [n] 1: the row of a constraint */
    const char *kind;                           /* of linear solver */
    rsd_scaling *scaling;                       /* of the systems; NULL: none */
    rsd_linear_solver *linear[RSD_MOST_STAGES]; /* by the number of stages; made when needed */
    long pattern[RSD_MOST_STAGES];              /* of J that it knows */
    int s;                                      /* stages of the matrix at hand */
    int nnz_J, *start, *row;                    /* of the matrix, by columns */
    double *values, *with_alpha;                /* of the matrix; of J before it was taken apart */
    int *block_start, *block_row, *block_from;  /* entries of a block by columns, and which of J they are; -1: none */
    int room, room_J;                           /* entries that these, and with_alpha, have room for */
    long factorisations;
    int singular_column; /* of the last failed factorisation, from 1; 0: none */
} rsd_fixed_matrix;

/** 1: J with this alpha is the matrix; 0: its parts are needed. */
int rsd_stages_are_plain(const rsd_stages *st);

/** alpha of the engine: that of the last stage, of velocities. */
double rsd_stages_alpha(const rsd_stages *st, double h);

/** Keep the values of J with alpha, whose part alpha dF/dyp is looked for: RESIDA_OK, RESIDA_ERR_MEMORY. */
resida_status rsd_fixed_matrix_keep(rsd_fixed_matrix *m, const resida_jacobian_matrix *J);

/** The matrix from J, which is dF/dy alone where that was kept, factored. 0; > 0: singular; < 0: a resida_status. */
int rsd_fixed_matrix_factor(rsd_fixed_matrix *m, const rsd_stages *st, double h, const resida_jacobian_matrix *J,
                            resida_message *why);

/** The matrix as it was factored last. */
resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed_matrix *m);

/** X = A^{-1} X, [s n]. */
void rsd_fixed_matrix_solve(rsd_fixed_matrix *m, double *X);

#endif
