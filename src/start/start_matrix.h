/* start_matrix.h - what a consistent start of a general DAE is solved with. With M = dF/dyp, K = dF/dy and a basis N of
 * the kernel of M,
 *
 *     B = [ M_r   K N ],     M_r: as many columns of M as its rank says, which span its range
 *
 * y may move along N alone, where M y stays what it is, and F = 0 says how far, and what yp of the columns M_r is. B is
 * regular if and only if the index is 1 (Griepentrog, Maerz, Differential-Algebraic Equations and Their Numerical
 * Treatment, 1986: M + K Q is, Q a projector onto the kernel). Where F is semi-explicit, N is the algebraic components
 * themselves. */
#ifndef RSD_START_MATRIX_H
#define RSD_START_MATRIX_H

#include "jacobian/pattern/colouring.h"
#include "src/watch/guard.h"
#include "start_kernel.h"

/** Unknowns from which on the pattern is learnt by groups: as the engine does it (bisection.h). */
enum { RSD_START_LEARN_FROM = 128 };

typedef struct rsd_start_matrix {
    resida_problem *problem;
    int n, is_given;      /* unknowns; 1: J is the model's, 0: differences */
    int has_pattern;      /* where J may have entries is known, or has been learnt */
    int learns;           /* it is learnt by each find() */
    rsd_sparsity pattern; /* where J may have entries, else all places; and its columns in groups */
    rsd_colouring colours;
    double *M, *K, *J;       /* [nnz] by columns; of the model, by rows */
    rsd_start_kernel kernel; /* what follows of M and K */
    double *delta, *y, *yp;  /* [n] a point that is moved */
    double *r;               /* [n] F there */
    double *row, *column;    /* [n] scales of M, of B */
    double *least;           /* [n] increments of yp, at the least */
    double *F_noise;         /* [n] what rounding of y and yp makes of F */
    double *noise;           /* [n] what rounding may make of an entry of M, by rows */
    double rcond;            /* of B, scaled */
} rsd_start_matrix;

/** F at a point. */
typedef struct rsd_start_point {
    rsd_guard *guard;
    double t;
    const double *y, *yp, *F; /* [n] */
} rsd_start_point;

/** learn_from: unknowns from which on the pattern is learnt. Memory: O(nnz) of the pattern, or n^2 without one; factors
 *  are taken by each rsd_start_matrix_find(). @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int learn_from,
                                      resida_message *why);
void rsd_start_matrix_free(rsd_start_matrix *x);

/** Forget which increments were right: a start is the same whatever was started before. */
void rsd_start_matrix_begin(rsd_start_matrix *x);

/** Find and factor B. The verdict of the callbacks, or RESIDA_ERR_MEMORY.
 *  Cost: no residual call with derivatives of the model; else two for rounding, and with a pattern two for each group
 *  of columns; without one for each component that is not declared algebraic, and one for each dimension of the
 *  kernel; a pattern is learnt by some calls for each halving of the columns, then taken as given.
 *  Where rounding is not little of a column, a call more for the column or its group, mostly at the first time
 *  alone. */
int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at);

/** What rounding makes of F, found by moving y and yp as much, to both sides. < 0: the callbacks' verdict; else 0.
 *  Cost: two residual calls. */
int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at);

/** @name start_differences.c @{ */
/** This pattern, which becomes x's, and groups on it. RESIDA_ERR_MEMORY. */
resida_status rsd_start_take_pattern(rsd_start_matrix *x, rsd_sparsity *pattern);

/** The pattern becomes where J has entries at this point, and had at those before; the verdict as below. */
int rsd_start_learn(rsd_start_matrix *x, const rsd_start_point *at);

/** M, and K where its entries are known; the verdict as below. */
int rsd_start_find_parts(rsd_start_matrix *x, const rsd_start_point *at);

/** K N_k by a difference along it, into out [n]. Cost: a call, or two. */
int rsd_start_difference_along(rsd_start_matrix *x, const rsd_start_point *at, const double *N, double *out);

/** Is a matrix by differences, which is nearly singular, regular all the same, as that of an elliptic equation on a
 *  fine grid? In the direction in which it changes F least, (x->y, x->yp), which is lost, F itself changes as much, by
 *  x->column, when it is moved further. unit [n]: what rows are compared in. < 0: the callbacks' verdict; else 0.
 *  Cost: a call. */
int rsd_start_confirm(rsd_start_matrix *x, const rsd_start_point *at, const double *unit, int *agrees);
/** @} */

/** 1: B is singular, as far as its accuracy tells. */
int rsd_start_matrix_is_singular(const rsd_start_matrix *x);

/** What to take from y and yp, dy and dyp [n], for F = 0. */
void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp);

#endif
