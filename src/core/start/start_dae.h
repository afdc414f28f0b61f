/* start_dae.h - a consistent start of a general DAE of index 1, and its matrix B. Let M = dF/dyp, K = dF/dy, and let N
 * be a basis of the kernel of M. Then
 *
 *     B = [ M_r   K N ],     M_r: linearly independent columns of M that span its range
 *
 * F = 0 determines the components of yp of the columns M_r, and the change of y along N. A change along N does not
 * change M y. B is regular if and only if the index is 1 (Griepentrog, Maerz, Differential-Algebraic Equations and
 * Their Numerical Treatment, 1986, where M + K Q must be regular, with a projector Q onto the kernel). If F is
 * semi-explicit, N consists of the algebraic components. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "jacobian/pattern/colouring.h"
#include "jacobian/pattern/entries.h"
#include "base/linear/damped_newton.h"
#include "base/linear/linear_solver.h"
#include "base/linear/rank.h"
#include "src/core/watch/guard.h"
#include "src/core/watch/tolerance.h"

/** Minimum number of unknowns of a DAE whose pattern of J is learnt if the model does not give it. */
enum { RSD_START_LEARN_FROM = 128 };

/** Point (t, y, yp) with F and the guard that evaluates F. */
typedef struct rsd_start_point {
    rsd_guard *guard;
    const resida_solver_options *o; /* tolerances */
    double t;                       /* time [s] */
    const double *y, *yp, *F;       /* [n] unknowns; their derivatives; F(t, y, yp) */
} rsd_start_point;

/** Minimum size of a component of y or yp, in absolute tolerances. */
#define RSD_START_SIZE 1e12

/** Return the size of component i of y or yp: |z| of its value z, or the minimum size (at most 1) if that is larger. */
static inline double rsd_start_get_size(const resida_solver_options *o, int i, double z)
{
    const double min = fmin(1, RSD_START_SIZE * rsd_tolerance(o, i, 0));
    return fmax(fabs(z), min > 0 ? min : 1);
}

/** Matrix B = (M_r, K N) of a start, with M = dF/dyp and K = dF/dy. */
typedef struct rsd_start_matrix {
    resida_problem *problem;   /* the problem, borrowed */
    rsd_owner owner;           /* owner of all memory except the linear solvers */
    resida_allocator alloc;    /* allocator whose blocks `owner` frees */
    int n, is_given;           /* number of unknowns; 1: the model gives J, 0: differences of F */
    int has_pattern;           /* 1: the pattern is given, or has been learnt */
    int learns;                /* 1: each rsd_start_matrix_find() learns the pattern */
    rsd_sparsity pattern;      /* pattern of J, or a full one */
    rsd_colouring colours;     /* groups of columns of the pattern */
    double *M, *K, *J;         /* [nnz] values of dF/dyp and dF/dy by columns; of the model's J by rows */
    unsigned char *has_K;      /* [n] 1: the column of K is known at the current point */
    double *delta, *y, *yp;    /* [n] increments of y or yp; displaced point */
    double *r;                 /* [n] F at the displaced point */
    double *row, *column;      /* [n] row scales of M; work space */
    double *min_increment;     /* [n] minimum increments of yp */
    double *F_noise;           /* [n] rounding error of F, caused by rounding of y and yp */
    double *noise;             /* [n] maximum rounding error of the entries in each row of M */
    const rsd_start_point *at; /* point of the current rsd_start_matrix_find() */

    /* start_kernel.c */
    int n_columns;            /* number of columns of B */
    int *source;              /* [n] for each column of B: index of the column of M, or KERNEL for a column of K N */
    rsd_entries N, B;         /* entries of N: component of y, column of K N in B; entries of B: row, column */
    double *B_row, *B_column; /* [n] row and column scales of B */
    double rcond;             /* reciprocal condition number of the scaled B */
    int worst;                /* component of y or yp that is largest in the direction in which F changes least */
    struct {
        rsd_sparsity pattern;
        double *values, *by_rows;               /* [nnz] values of the factored matrix by columns; by rows */
        rsd_linear_solver *direct, *transposed; /* factors of the matrix; of its transpose */
    } lu;                                       /* factors of a large block of M while it is tested, then of scaled B */
    rsd_rank rank;                              /* rank of a block of dF/dyp */
    int rank_columns, rank_rows;                /* number of columns and rows for which `rank` is allocated */
    double *s, *sum;                            /* [n] solution s of B s = F, or singular vector; a column of K N */
    int *list, *first_column; /* [n] columns of M, block by block; first column of the block of each column */
    int *mark, *place;        /* [n] index of each row in the current block; [n + 1] work space */
} rsd_start_matrix;

/** Create the matrix. A pattern that is not given is learnt for n >= RSD_START_LEARN_FROM. Memory: O(nnz) of the
 *  pattern, or n^2 without a pattern. rsd_start_matrix_find() allocates the factors.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, resida_message *why);
void rsd_start_matrix_free(rsd_start_matrix *x);

/** Reset the increments of yp, because a start must not depend on earlier starts. */
void rsd_start_matrix_reset_increments(rsd_start_matrix *x);

/** Compute B at the point *at, and factor it.
 *  @return 0 on success, > 0 if F could not be evaluated, < 0 on a fatal error or if there is no memory.
 *  Cost: no residual call if the model gives derivatives. Otherwise two calls measure rounding errors. With a pattern,
 *  each group of columns takes two calls. Without a pattern, each component that is not declared algebraic and each
 *  component in the kernel take one call. Learning a pattern takes some calls for each bisection of the columns. A
 *  column with large rounding errors, or its group, takes one more call, usually only in the first evaluation. */
int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at);

/** Estimate the rounding error of F into x->F_noise, by displacing y and yp by their rounding errors to both sides.
 *  @return 0 on success, < 0 on a fatal error.
 *  Cost: two residual calls. */
int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at);

/** Return the rank tolerance of M, relative to the norm of a column of M. */
double rsd_start_get_rank_tolerance(const rsd_start_matrix *x);

/** @name start_kernel.c @{ */
/** Assemble and factor B from the current M, K and row scales. Set x->rcond to 1/cond of scaled B, or to 0 if B is
 *  singular.
 *  @return RESIDA_OK on success; RESIDA_ERR_MEMORY; > 0 if F could not be evaluated, < 0 on a fatal error of F. F is
 *       evaluated for K N if there is no pattern, and for large blocks that are nearly singular.
 *  Cost: O(nnz), the factors, and the cube of the size of each block of M that is not clearly regular. */
resida_status rsd_start_kernel_find(rsd_start_matrix *x);

/** Check that F changes as B predicts along the direction in which F changes least according to B. Set *is_regular as
 *  rsd_start_confirm_regular(). The function must be called only once after rsd_start_kernel_find(). */
int rsd_start_kernel_confirm(rsd_start_matrix *x, int *is_regular);

/** Solve the linear system B s = F. The components of s that belong to columns of M are stored in dyp [n], and the
 *  components that belong to columns of K N give dy [n] along N. The caller subtracts dyp and dy from yp and y. */
void rsd_start_kernel_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp);

void rsd_start_free_factors(rsd_start_matrix *x);
/** @} */

/** @name start_differences.c @{ */
/** Move *pattern to x, and group its columns. Return RESIDA_OK on success, RESIDA_ERR_MEMORY if there is no memory. */
resida_status rsd_start_move_pattern(rsd_start_matrix *x, rsd_sparsity *pattern);

/** Add the positions of the entries of J at the point *at to the pattern of x. Return as rsd_start_matrix_find(). */
int rsd_start_learn_pattern(rsd_start_matrix *x, const rsd_start_point *at);

/** Compute M and, if there is a pattern, K at the point *at. Return as rsd_start_matrix_find(). */
int rsd_start_find_M_and_K(rsd_start_matrix *x, const rsd_start_point *at);

/** Compute column c of K at the point x->at, unless it has been computed. Return as rsd_start_matrix_find().
 *  Cost: one residual call, or two. */
int rsd_start_find_K_column(rsd_start_matrix *x, int c);

/** Check whether a nearly singular matrix computed by differences is regular, as for an elliptic equation on a fine
 *  grid. The matrix predicts that F changes by x->column [n] along the direction (x->y, x->yp), in which F changes
 *  least. *agrees is set to 1 if F changes as predicted with a larger increment. The direction is overwritten. unit [n]
 *  are the scales of the rows of F.
 *  @return 0 on success, < 0 on a fatal error.
 *  Cost: one residual call. */
int rsd_start_confirm_regular(rsd_start_matrix *x, const double *unit, int *agrees);
/** @} */

/** Return 1 if B is singular within the accuracy of its entries. */
int rsd_start_matrix_is_singular(const rsd_start_matrix *x);

/** Work space of the starts of a general DAE. It must be zero before the first start, and later starts reuse it. */
typedef struct rsd_dae_start {
    double *F, *F_trial;        /* [n] F at (y, yp); F at (y - lambda dy, yp - lambda dyp) */
    double *dy, *dyp, *y0;      /* [n] corrections of y and yp, to be subtracted; initial y */
    double *dy_next, *dyp_next; /* [n] corrections of y and yp computed from F_trial, with the same factors of B */
    rsd_start_matrix B;         /* matrix of the Newton iteration */
    int has_B;                  /* 1: B has been computed in the current start */
    int is_doubtful;            /* 1: B was nearly singular at an iterate of the current start */
} rsd_dae_start;

/** Solve F(t, y, yp) = 0 for yp, and for y along the kernel of M = dF/dyp. M y does not change. Therefore algebraic
 *  components are corrected, but differential components are not. Components of yp on which F does not depend keep
 *  their values. The tolerances in *o bound the last correction of y. y, yp [n] contain the guess on input, and the
 *  consistent values on output. The first call allocates memory.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; a status of the guard */
resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *guard, const resida_solver_options *o, double t, double *y,
                            double *yp);
void rsd_dae_start_free(rsd_dae_start *w);

#endif
