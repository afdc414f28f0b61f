/* fixed_newton.h - Newton's method for the stages of a step of fixed size. */
#ifndef RSD_FIXED_NEWTON_H
#define RSD_FIXED_NEWTON_H

#include "src/watch/blame.h"
#include "fixed_matrix.h"
#include "src/watch/guard.h"

typedef struct rsd_fixed_newton {
    rsd_guard *guard;
    resida_jacobian *engine;
    const resida_solver_options *o;
    rsd_past *past;
    int n;
    unsigned char *held; /* [n] */
    rsd_fixed_matrix matrix;
    double *Y, *Yp, *R;       /* [s n] stages and their residuals */
    double *delta, *before;   /* [s n] a correction, and the one before */
    double *F, *ewt, *w;      /* [n] F at the last stage; error weights; weights of the norm */
    int has_matrix, matrix_s; /* factors, and of how many stages */
    double alpha_matrix;
    int is_fresh; /* dF/dy was evaluated in this attempt */
    double
        largest[1 + RSD_N_FIELDS]; /* of the last decreasing corrections of all steps: 2-norm, maximum norm by field */
    rsd_blame blame;               /* what failed iterations were lost by */
    long attempts, iterations, fails, solves;
    long setups[5]; /* by resida_setup_reason */
} rsd_fixed_newton;

/** guard, engine, o, past are set before; room for so many stages. RESIDA_ERR_MEMORY. */
resida_status rsd_fixed_newton_create(rsd_fixed_newton *nw, int stages, const resida_allocator *alloc);
void rsd_fixed_newton_free(rsd_fixed_newton *nw, const resida_allocator *alloc);

/** Forget the matrix. */
void rsd_fixed_newton_reset(rsd_fixed_newton *nw);

/** Solve a step from t: X [s n] in and out, k [s n]; nw->Yp are the Y' then. is_step: the options' observer is told,
 *  and corrections count for the largest. 0; > 0 not solved; < 0 stop, guard->stop says why. */
int rsd_fixed_newton_solve(rsd_fixed_newton *nw, const rsd_method *m, const rsd_stages *st, double t, double h,
                           const double *k, double *X, int is_step);

#endif
