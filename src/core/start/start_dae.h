/* start_dae.h - a consistent start of a general DAE of index 1, and its matrix B. Let M = dF/dyp, K = dF/dy, and let N
 * be a basis of the kernel of M. Then
 *
 *     B = [ M_r   K N ],     M_r: linearly independent columns of M that span its range
 *
 * F = 0 determines yp in the columns of M_r, and the change of y along N, which does not change M y. B is regular if
 * and only if the index is 1 (Griepentrog, Maerz, Differential-Algebraic Equations and Their Numerical Treatment, 1986:
 * M + K Q is regular, with Q a projector onto the kernel). If F is semi-explicit, N consists of the algebraic
 * components. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "jacobian/pattern/colouring.h"
#include "jacobian/pattern/entries.h"
#include "base/linear/damped_newton.h"
#include "base/linear/linear_solver.h"
#include "base/linear/rank.h"
#include "src/core/watch/guard.h"
#include "src/core/watch/tolerance.h"

/** Number of unknowns from which the pattern is learnt by groups, as in the engine (bisection.h). */
enum { RSD_START_LEARN_FROM = 128 };

/** F at a point, and the guard that evaluates it. */
typedef struct rsd_start_point {
    rsd_guard *guard;
    double t;
    const double *y, *yp, *F; /* [n] the point and the value of F */
} rsd_start_point;

typedef struct rsd_start_matrix {
    resida_problem *problem;
    rsd_owner owner; /* owns all memory except the solvers */
    resida_allocator alloc;
    int n, is_given;      /* number of unknowns; 1: J is given by the model, 0: differences */
    int has_pattern;      /* 1: the pattern is given, or has been learnt */
    int learns;           /* 1: each find() learns the pattern */
    rsd_sparsity pattern; /* pattern of J, or a full one; groups of its columns */
    rsd_colouring colours;
    double *M, *K, *J;         /* [nnz] by columns; J of the model by rows */
    unsigned char *has_K;      /* [n] 1: the column of K is found */
    double *delta, *y, *yp;    /* [n] increments; displaced point */
    double *r;                 /* [n] F at the displaced point */
    double *row, *column;      /* [n] row scales of M; work */
    double *least;             /* [n] min. increments of yp */
    double *F_noise;           /* [n] error of F due to rounding of y and yp */
    double *noise;             /* [n] max. rounding error of an entry of M in each row */
    const rsd_start_point *at; /* point, set during find() */

    /* start_kernel.c */
    int n_columns;            /* number of columns of B */
    int *source;              /* [n] column of M of each column of B; KERNEL: a column of K N */
    rsd_entries N, B;         /* entries of N (row: component of y, column: column of B) and of B */
    double *B_row, *B_column; /* [n] row and column scales of B */
    double rcond;             /* 1/condition of scaled B */
    int worst;                /* largest component of the right singular vector of the smallest singular value of B */
    struct {
        rsd_sparsity pattern;
        double *values, *by_rows; /* [nnz] values of the matrix by columns, by rows */
        rsd_linear_solver *direct, *transposed;
    } lu;                        /* factors of a large block of M, then of scaled B */
    rsd_rank rank;               /* rank of a block */
    int rank_columns, rank_rows; /* allocated size of rank */
    double *s, *sum;             /* [n] direction or right hand side; sum of columns */
    int *list, *leader;          /* [n] columns of M, block by block; first column of the block of each column */
    int *mark, *place;           /* [n] index of each row in a block; [n + 1] work of searches */
} rsd_start_matrix;

/** Create the matrix. learn_from: number of unknowns from which the pattern is learnt. Memory: O(nnz) of the pattern,
 *  or n^2 without a pattern. rsd_start_matrix_find() allocates the factors. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int learn_from,
                                      resida_message *why);
void rsd_start_matrix_free(rsd_start_matrix *x);

/** Reset the increments, because a start must not depend on earlier starts. */
void rsd_start_matrix_begin(rsd_start_matrix *x);

/** Find and factor B.
 *  @return the verdict of the callbacks, or RESIDA_ERR_MEMORY.
 *  Cost: no residual call if the model gives derivatives. Otherwise two calls for rounding and, with a pattern, two for
 *  each group of columns. Without a pattern: one call for each component that is not declared algebraic, and one for
 *  each component in the kernel. To learn a pattern takes some calls for each bisection of the columns. A column with
 *  large rounding errors takes one more call for it or its group, usually only at the first time. */
int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at);

/** Estimate the rounding error of F by displacing y and yp by their rounding errors, to both sides.
 *  @return 0, or the verdict of the callbacks if it is fatal (< 0).
 *  Cost: two residual calls. */
int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at);

/** Return the rank tolerance of M, relative to the norm of a column. */
double rsd_start_rank_tolerance(const rsd_start_matrix *x);

/** @name start_kernel.c @{ */
/** Assemble and factor B, with the current M, K and row scales. x->rcond is 1/cond of scaled B, or 0 if B is singular.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the verdict of F, which is called for K N if there is no pattern, and for
 *  large blocks that are nearly singular.
 *  Cost: O(nnz), the factors, and the cube of the size of each block of M that is not clearly regular. */
resida_status rsd_start_kernel_find(rsd_start_matrix *x);

/** Add to dy, dyp the direction in which F changes least according to B, and add this change to `change`. Call it once
 *  after rsd_start_kernel_find(). */
void rsd_start_kernel_add_worst(rsd_start_matrix *x, double *dy, double *dyp, double *change);

/** Solve the linearised F = 0, B s = F, for the corrections dyp = s and dy = N s [n], which are subtracted from yp and
 *  y. */
void rsd_start_kernel_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp);

void rsd_start_free_factors(rsd_start_matrix *x);
/** @} */

/** @name start_differences.c @{ */
/** Take ownership of the pattern, and colour it. Return RESIDA_ERR_MEMORY if there is no memory. */
resida_status rsd_start_take_pattern(rsd_start_matrix *x, rsd_sparsity *pattern);

/** Add the entries of J at this point to the pattern. @return as rsd_start_matrix_find() */
int rsd_start_learn(rsd_start_matrix *x, const rsd_start_point *at);

/** Find M and, if there is a pattern, K. @return as rsd_start_matrix_find() */
int rsd_start_find_M_and_K(rsd_start_matrix *x, const rsd_start_point *at);

/** Find column c of K at the point of the current find() if there is no pattern. Cost: one call, or two. */
int rsd_start_find_K_column(rsd_start_matrix *x, int c);

/** Check that a nearly singular differenced matrix is regular, as for an elliptic equation on a fine grid. The check
 *  uses the direction (x->y, x->yp) in which F changes least. A larger increment in this direction must change F by
 *  x->column, as predicted. *agrees is set to 1 if it does. The direction is overwritten. unit [n] contains the scales
 *  of the rows.
 *  @return 0 on success, or the verdict of the callbacks if it is fatal (< 0). Cost: one call. */
int rsd_start_confirm_regular(rsd_start_matrix *x, const rsd_start_point *at, const double *unit, int *agrees);
/** @} */

/** Return 1 if B is singular to its own accuracy. */
int rsd_start_matrix_is_singular(const rsd_start_matrix *x);

/** Work space of starts. It must be zero before the first start, and is kept for the next one. */
typedef struct rsd_dae_start {
    double *F, *F_trial;        /* [n] F at the current and at the trial point; the trial point is B.y, B.yp */
    double *dy, *dyp, *y0;      /* [n] corrections that are subtracted from y and yp; initial y */
    double *dy_next, *dyp_next; /* [n] next corrections, with the same matrix */
    rsd_start_matrix B;
    int has_B;       /* 1: B was found in this start */
    int is_doubtful; /* 1: B was nearly singular at some point */
} rsd_dae_start;

/** Solve F(t, y, yp) = 0 for yp, and for y along the kernel of M = dF/dyp. M y does not change: algebraic components
 *  are corrected, and differential components are not. Components of yp on which F does not depend keep their values.
 *  The tolerances in o bound the last correction of y. y, yp [n] are in and out. The first call allocates memory.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; a status of the guard */
resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *guard, const resida_solver_options *o, double t, double *y,
                            double *yp);
void rsd_dae_start_free(rsd_dae_start *w);

#endif
