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
    int n, most;                                /* unknowns of F; most stages */
    const unsigned char *field;                 /* [n] rsd_field, borrowed */
    const unsigned char *held;                  /* [n] 1: the row of a constraint; borrowed */
    const char *kind;                           /* of linear solver */
    rsd_scaling *scaling;                       /* NULL: none */
    rsd_linear_solver *linear[RSD_MOST_STAGES]; /* by the number of stages; NULL: not created yet */
    long pattern[RSD_MOST_STAGES];              /* of J, for which each solver was analysed */
    int s;                                      /* stages of the present matrix */
    int nnz_J, *start, *row;                    /* pattern of the matrix, by columns */
    double *values, *with_alpha;                /* of the matrix; of J = dF/dy + alpha dF/dyp */
    int *block_start, *block_row, *block_from;  /* pattern of a block by columns; its entries in J, -1: none */
    int room, room_J;                           /* allocated entries of the matrix; of with_alpha */
    long factorisations;
    int singular_column; /* of the last failed factorisation, from 1; 0: none */
} rsd_fixed_matrix;

/** 1: J with alpha is the matrix; 0: the matrix needs dF/dy and dF/dyp apart. */
int rsd_stages_are_plain(const rsd_stages *st);

/** alpha of the engine: that of velocities in the last stage. */
double rsd_stages_alpha(const rsd_stages *st, double h);

/** Keep the values of J = dF/dy + alpha dF/dyp, to subtract dF/dy. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_fixed_matrix_keep(rsd_fixed_matrix *m, const resida_jacobian_matrix *J);

/** Assemble the matrix from J (dF/dy alone, if J with alpha was kept) and factor it. 0; > 0: singular; < 0: a
 *  resida_status. */
int rsd_fixed_matrix_factor(rsd_fixed_matrix *m, const rsd_stages *st, double h, const resida_jacobian_matrix *J,
                            resida_message *why);

/** The last matrix that was factored, in memory of m. */
resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed_matrix *m);

/** Solve X [s n] = A^{-1} X. */
void rsd_fixed_matrix_solve(rsd_fixed_matrix *m, double *X);

#endif
