/* fixed_newton.h - the stages of a step of fixed size, solved by the iteration of newton.h. */
#ifndef RSD_FIXED_NEWTON_H
#define RSD_FIXED_NEWTON_H

#include "fixed_matrix.h"
#include "fixed_past.h"
#include "src/newton/newton.h"

/** A step from t: its stages X [s n], and the part k [s n] of their derivatives that does not depend on them. */
typedef struct rsd_fixed_step {
    const rsd_method *method;
    const rsd_stages *stages;
    double t, h;
    const double *k;
    double *X;
} rsd_fixed_step;

typedef struct rsd_fixed_newton {
    rsd_guard *guard;
    resida_jacobian *engine;
    const resida_solver_options *o;
    rsd_past *past;
    int n;
    rsd_newton newton;
    rsd_fixed_step at;   /* hand */
    unsigned char *held; /* [n] */
    rsd_fixed_matrix matrix;
    double *Y, *Yp;      /* [s n] where F is evaluated at the stages */
    double *F, *ewt;     /* [n] F where J is taken; error weights */
    double *row, *point; /* [n] one F of an average, or rows of constraints; where that F is taken */
    double
        largest[1 + RSD_N_FIELDS]; /* of the last decreasing corrections of all steps: 2-norm, maximum norm by field */
} rsd_fixed_newton;

/** Room for so many stages. RESIDA_ERR_MEMORY: what there is belongs to the owner of alloc. */
resida_status rsd_fixed_newton_create(rsd_fixed_newton *nw, rsd_past *past, rsd_guard *guard, resida_jacobian *engine,
                                      int stages, const resida_allocator *alloc);

/** Forget the matrix. */
void rsd_fixed_newton_reset(rsd_fixed_newton *nw);

/** Solve a step: X in and out; nw->Yp are the Y' then. is_step: the options' observer is told, and corrections count
 *  for the largest. 0; > 0 not solved; < 0 stop, guard->stop says why. */
int rsd_fixed_newton_solve(rsd_fixed_newton *nw, const rsd_fixed_step *step, int is_step);

#endif
