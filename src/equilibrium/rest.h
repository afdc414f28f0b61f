/* rest.h - the equations of an equilibrium, r(x) = 0, as some rows of F(t, y, yp) in some unknowns of y, with all the
 * others held. A mechanism is in the form "index3" or "ode", y = (p, v, lam, eta_k):
 *
 *     x = (p, z, lam)     r = (Phi + G'lam with z' - f, g, Gh v + gh)     held: v = 0, yp = 0, eta_k = 0
 *
 * Positions move by dp = T dq, and are put back onto the invariants k(p) = 0 behind each correction.
 *
 * In steady motion a coordinate that is not in r gives its place in x to its rate. Of a general DAE x is y, r is F. */
#ifndef RSD_REST_H
#define RSD_REST_H

#include <resida/equilibrium.h>

#include "src/base/numbers.h"
#include "src/linear/dense.h"
#include "src/linear/linear_solver.h"
#include "src/solver/solver_impl.h"

typedef struct rsd_rest {
    rsd_owner owner; /* of all arrays */
    resida_allocator alloc;
    resida_problem *q; /* own, in the form above */
    resida_solver *s;  /* own: guard and Jacobian engine */
    const resida_equilibrium_options *o;
    resida_equilibrium_report *report;
    resida_message *why;
    const double *p0, *v0;     /* the caller's guess; of a general DAE y0, NULL */
    double t, t_from, t_to;    /* t = t_to - (1 - s) (t_to - t_from) */
    int n;                     /* unknowns of F */
    double *y, *yp, *F;        /* [n] the point */
    double *y1, *yp1, *F1;     /* [n] a trial */
    double *accelerations;     /* [n_v] of the last start */
    double *nearer;            /* [n] times the usual increments */
    int n_x, n_r;              /* unknowns, equations */
    int *column, *row;         /* [n_x], [n_r] of J */
    int *place, *equation;     /* [n] unknown of a column, equation of a row; -1: none */
    double *size, *weight;     /* [n_x] max(|x|, 1), of lam what its column takes; [n_r] of the equations */
    double least_weight;       /* of an equation; 0: a general DAE */
    double *inertia;           /* [n_r] what a derivative of 1 changes, of equations in which nothing else does */
    double *dead, *r, *dx;     /* [n_r], [n_r] r - (1 - s) r(x0), [n_x] a correction */
    double *dx1;               /* [n_x] another one */
    double *tangent, *by_load; /* [n_x] of the path of solutions x(s), by its length; dx/ds */
    int interrupted;           /* by whoever watches */
    double load;               /* s */
    double plain;              /* > 0: the residual may rise; steps are limited to this part of max_step */
    int n_d;                   /* unknowns of a correction: n_x, with dq, dp = T dq, in the place of dp */
    rsd_linear_solver *linear; /* sparse; NULL: none yet */
    int is_sparse;             /* the last correction is by it */
    double *A;                 /* [n_r x n_d] else, full, scaled; NULL: none yet. With the next ones: */
    double *A1, *d, *w;        /* another one, [max(n_r, n_d)], [n_w] work */
    int *perm, n_w;            /* [n_d] */
    double rank_tolerance;     /* of the last correction */
    int has_inertia;           /* 1: that is known */
    int has_J, exact;          /* 1: the engine has had a setup; derivatives are the model's */
    int n_free;                /* null vectors */
    double *free;              /* [n_x x n_free] at the end, sizes one, column by column; or NULL */
} rsd_rest;

/** Everything but the unknowns. After a failure, too, to be freed. */
resida_status rsd_rest_create(rsd_rest *x, const resida_problem *problem, double t);
void rsd_rest_free(rsd_rest *x);

/** Which unknowns there are, all positions among them; and with the J at hand: rates in the place of those of which
 *  nothing depends. RESIDA_ERR_MEMORY */
resida_status rsd_rest_number(rsd_rest *x);
void rsd_rest_find_steady(rsd_rest *x);

/** F at the point, or at the trial. The verdict of the guard. */
int rsd_rest_evaluate(rsd_rest *x, int trial);

/** J = dF/dy + alpha dF/dyp at the point, F known. The verdict. */
int rsd_rest_renew(rsd_rest *x, double alpha, resida_jacobian_matrix *J);

/** dF/dy at the point, F known; sizes of unknowns and weights of equations by it. The verdict. */
int rsd_rest_linearize(rsd_rest *x, resida_jacobian_matrix *J);

/** Largest |r_i| of F as a part of its weight, with what is left of the dead load taken off; r is filled. */
double rsd_rest_residual(rsd_rest *x, const double *F);

/** 1: of the r at hand, what is above the tolerance is rounding of the others, in equations of the least weight. */
int rsd_rest_is_rounding(const rsd_rest *x, double tolerance);

/** dx = - (dr/dx)^-1 r, the shortest, in sizes. *norm: how long that is. RESIDA_ERR_MEMORY, RESIDA_ERR_SINGULAR (too
 *  large to be treated) */
resida_status rsd_rest_correct(rsd_rest *x, const resida_jacobian_matrix *J, double *norm);

/** How long a correction of the r at hand would be, with the matrix of the last one. */
double rsd_rest_natural(rsd_rest *x);

/** z = dx/ds [n_x] of r(x, t(s)) = (1 - s) r(x0), F known, with the matrix of the last correction; r and F1 are
 *  overwritten. The verdict; > 0 also where nothing carries the load. */
int rsd_rest_by_load(rsd_rest *x, double *z);

/** dx: to where the whole way from y0 [n] is the shortest that takes r away, with the matrix of the last correction,
 *  full and without T. r is overwritten. */
void rsd_rest_come_back(rsd_rest *x, const double *y0);

/** The scaled matrix, full, A [n_r x n_d]. And from its unknowns d [n_d] to those of x, in sizes of one, out [n_x]. */
void rsd_rest_fill(const rsd_rest *x, const resida_jacobian_matrix *J, double *A);
void rsd_rest_expand(const rsd_rest *x, const double *d, double *out);

/** From the guess to y, at t. As resida_problem_start() */
resida_status rsd_rest_begin(rsd_rest *x);

/** A consistent start from (p0, v0) [n_p], [n_v], to y and accelerations. As resida_problem_start() */
resida_status rsd_rest_start(rsd_rest *x, const double *p0, const double *v0, resida_start_report *report);

/** A step the way the forces go, the largest change of a position this part of max(|p|, 1). RESIDA_OK;
 *  RESIDA_ERR_NEWTON: there is none; what the guard stopped for. */
resida_status rsd_rest_relax(rsd_rest *x, double part);

/** From here to the equilibrium. RESIDA_OK; RESIDA_ERR_NEWTON; RESIDA_INTERRUPTED; what the guard stopped for. */
resida_status rsd_rest_search(rsd_rest *x);

/** Null vectors of the matrix at the end, and their names. RESIDA_ERR_MEMORY */
resida_status rsd_rest_find_free(rsd_rest *x, const resida_jacobian_matrix *J);

/** Modes of the linearised system, with all of the above at hand. RESIDA_ERR_MEMORY; what the guard stopped for */
resida_status rsd_rest_judge(rsd_rest *x);

/** Names: of the worst equations; of what is free. */
void rsd_rest_name_worst(rsd_rest *x);
void rsd_rest_name_free(rsd_rest *x);
void rsd_rest_unknown_name(const rsd_rest *x, int j, char *text, size_t size);

/** What the guard stopped for, or, when it did not, why F was not possible. < 0. */
resida_status rsd_rest_stopped(rsd_rest *x);

/** Derivatives by differences are worth so much of the largest entry of a row; those of the model more. */
double rsd_rest_rounding(const rsd_rest *x);

/** 1: entry j of a null vector belongs to its names. */
int rsd_rest_takes_part(const rsd_rest *x, const double *vector, int j);

#endif
