/* fixed_newton.h - the stages of a step of fixed size, solved by the iteration of newton.h. */
#ifndef RSD_FIXED_NEWTON_H
#define RSD_FIXED_NEWTON_H

#include "fixed_matrix.h"
#include "fixed_past.h"
#include "src/newton/newton.h"

/** A step from t: its stages X [s n], and the constant part k [s n] of their derivatives. */
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
    rsd_fixed_step step; /* the present step */
    unsigned char *held; /* [n] 1: the row of a held constraint */
    rsd_fixed_matrix matrix;
    double *Y, *Yp;      /* [s n] arguments of F at the stages */
    double *F, *ewt;     /* [n] F at the point of J; error weights */
    double *row, *point; /* [n] one F of an average, or rows of constraints; argument of that F */
    /* Largest last corrections of all steps: 2-norm, then maximum norm by field. */
    double largest[1 + RSD_N_FIELDS];
} rsd_fixed_newton;

/** Create for up to this number of stages. RESIDA_OK; RESIDA_ERR_MEMORY: the owner of alloc frees the arrays. */
resida_status rsd_fixed_newton_create(rsd_fixed_newton *nw, rsd_past *past, rsd_guard *guard, resida_jacobian *engine,
                                      int stages, const resida_allocator *alloc);

/** Forget the matrix. */
void rsd_fixed_newton_reset(rsd_fixed_newton *nw);

/** Solve a step: X in and out; nw->Yp is Y' then. is_step: call the options' observer, and record the corrections.
 *  @return 0; > 0 not solved; < 0 stop, guard->stop has the status */
int rsd_fixed_newton_solve(rsd_fixed_newton *nw, const rsd_fixed_step *step, int is_step);

#endif
