/* start_dae.h - a consistent start of a general DAE of index 1, and its matrix. With M = dF/dyp, K = dF/dy and a basis
 * N of the kernel of M,
 *
 *     B = [ M_r   K N ],     M_r: linearly independent columns of M that span its range
 *
 * F = 0 determines the change of y along N, which keeps M y, and yp of the columns M_r. B is regular if and only if the
 * index is 1 (Griepentrog, Maerz, Differential-Algebraic Equations and Their Numerical Treatment, 1986: M + K Q is, Q a
 * projector onto the kernel). Where F is semi-explicit, N is the algebraic components themselves. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "jacobian/pattern/colouring.h"
#include "jacobian/pattern/entries.h"
#include "base/linear/damped_newton.h"
#include "base/linear/linear_solver.h"
#include "base/linear/rank.h"
#include "src/core/watch/guard.h"
#include "src/core/watch/tolerance.h"

/** Unknowns from which the pattern is learnt by groups, as in the engine (bisection.h). */
enum { RSD_START_LEARN_FROM = 128 };

/** F at a point. */
typedef struct rsd_start_point {
    rsd_guard *guard;
    double t;
    const double *y, *yp, *F; /* [n] */
} rsd_start_point;

typedef struct rsd_start_matrix {
    resida_problem *problem;
    rsd_owner owner; /* of all but the solvers */
    resida_allocator alloc;
    int n, is_given;      /* unknowns; 1: J is the model's, 0: differences */
    int has_pattern;      /* 1: the pattern is given, or has been learnt */
    int learns;           /* 1: each find() learns it */
    rsd_sparsity pattern; /* of J, or full; its columns in groups */
    rsd_colouring colours;
    double *M, *K, *J;         /* [nnz] by columns; J of the model by rows */
    double *delta, *y, *yp;    /* [n] increments; perturbed point */
    double *r;                 /* [n] F at the perturbed point */
    double *row, *column;      /* [n] row scales of M; work */
    double *least;             /* [n] least increments of yp */
    double *F_noise;           /* [n] rounding error of F by that of y and yp */
    double *noise;             /* [n] rounding error of an entry of M, by rows */
    const rsd_start_point *at; /* during find() */

    /* start_kernel.c */
    int n_columns;            /* of B */
    int *source;              /* [n] column of M of each column of B; KERNEL: a column of K N */
    rsd_entries N, B;         /* entries of N (row: component, column: that of B) and of B */
    double *B_row, *B_column; /* [n] scales of B */
    double rcond;             /* of B, scaled */
    int worst;                /* largest component of the right singular vector of the least singular value of B */
    struct {
        rsd_sparsity pattern;
        double *values, *by_rows; /* [nnz] */
        rsd_linear_solver *direct, *transposed;
    } lu;                        /* factors of a large block of M, then of scaled B */
    rsd_rank rank;               /* of a block */
    int rank_columns, rank_rows; /* allocated size of rank */
    double *s, *sum;             /* [n] work */
    int *list, *leader;          /* [n] columns of M, block by block; first column of the block of each column */
    int *mark, *place;           /* [n], [n + 1] work */
} rsd_start_matrix;

/** learn_from: unknowns from which the pattern is learnt. Memory: O(nnz) of the pattern, or n^2 without one; factors
 *  are allocated by rsd_start_matrix_find(). @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int learn_from,
                                      resida_message *why);
void rsd_start_matrix_free(rsd_start_matrix *x);

/** Reset the increments, so that a start does not depend on earlier ones. */
void rsd_start_matrix_begin(rsd_start_matrix *x);

/** Find and factor B. @return the verdict of the callbacks, or RESIDA_ERR_MEMORY.
 *  Cost: no residual call with derivatives of the model; else two for rounding, and with a pattern two for each group
 *  of columns; without one for each component that is not declared algebraic, and one for each dimension of the
 *  kernel; a pattern is learnt by some calls for each bisection of the columns, then used as if given.
 *  A column with large rounding errors takes one more call for it or its group, mostly at the first time only. */
int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at);

/** Estimate the rounding error of F by perturbing y and yp by theirs, to both sides.
 *  @return < 0: the verdict of the callbacks; else 0. Cost: two residual calls. */
int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at);

/** The rank tolerance of M, relative to the norm of a column. */
double rsd_start_rank_tolerance(const rsd_start_matrix *x);

/** @name start_kernel.c @{ */
/** Assemble and factor B, by the M, K and row scales at hand; x->rcond: 1/cond of scaled B; 0: singular.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the verdict of F, which is called for K N without a pattern, and for large
 *  blocks that are nearly singular.
 *  Cost: O(nnz), the factors, and the cube of the size of each block of M that is not clearly regular. */
resida_status rsd_start_kernel_find(rsd_start_matrix *x);

/** After rsd_start_kernel_find(), once: add the direction dy, dyp in which B changes F least, and that change. */
void rsd_start_kernel_worst(rsd_start_matrix *x, double *dy, double *dyp, double *change);

/** Solve B s = F; add s to dyp and N s to dy. Both are zero before. */
void rsd_start_kernel_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp);

void rsd_start_free_factors(rsd_start_matrix *x);
/** @} */

/** @name start_differences.c @{ */
/** Take the pattern over, and colour it. RESIDA_ERR_MEMORY. */
resida_status rsd_start_take_pattern(rsd_start_matrix *x, rsd_sparsity *pattern);

/** Unite the pattern with that of J at this point. @return as rsd_start_matrix_find() */
int rsd_start_learn(rsd_start_matrix *x, const rsd_start_point *at);

/** M, and K if there is a pattern. @return as rsd_start_matrix_find() */
int rsd_start_find_parts(rsd_start_matrix *x, const rsd_start_point *at);

/** out [n] = K N_k by a difference along N_k [n]. Cost: one call, or two. */
int rsd_start_difference_along(rsd_start_matrix *x, const rsd_start_point *at, const double *N, double *out);

/** Check whether a nearly singular matrix by differences is regular, as that of an elliptic equation on a fine grid: F
 *  must change by x->column, as the matrix predicts, for a larger increment in the direction (x->y, x->yp) in which it
 *  changes least. The direction is overwritten. unit [n]: scales of the rows. @return < 0: the verdict of the
 *  callbacks; else 0. Cost: one call. */
int rsd_start_confirm(rsd_start_matrix *x, const rsd_start_point *at, const double *unit, int *agrees);
/** @} */

/** 1: B is singular to its accuracy. */
int rsd_start_matrix_is_singular(const rsd_start_matrix *x);

/** dy and dyp [n] with which y - dy, yp - dyp solve the linearised F = 0. */
void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp);

/** Work space of starts; initially zeroed, kept for the next start. */
typedef struct rsd_dae_start {
    double *F, *F_trial;        /* [n] F at the current and at the trial point, which is B.y, B.yp */
    double *dy, *dyp, *y0;      /* [n] corrections that are subtracted from y and yp; initial y */
    double *dy_next, *dyp_next; /* [n] the next corrections, with the same matrix */
    rsd_start_matrix B;
    int has_B;       /* 1: B is that of this start */
    int is_doubtful; /* 1: B was nearly singular at some point */
} rsd_dae_start;

/** Solve F(t, y, yp) = 0 for yp, and for y along the kernel of M = dF/dyp, so that M y is kept: algebraic components
 *  are changed, differential ones are not. Components of yp on which F does not depend are kept. The first call
 *  allocates. o: the last correction of y is below its tolerances. y, yp [n] in and out.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; a status of the guard */
resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *guard, const resida_solver_options *o, double t, double *y,
                            double *yp);
void rsd_dae_start_free(rsd_dae_start *w);

#endif
