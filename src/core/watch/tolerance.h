/* tolerance.h - the error weights 1/(rtol |y| + atol), and the components of the error test. */
#ifndef RSD_TOLERANCE_H
#define RSD_TOLERANCE_H

#include <resida/solver.h>

#include <math.h>

/** Return the tolerance of component i at the value y. */
static inline double rsd_tolerance(const resida_solver_options *o, int i, double y)
{
    return (o->rtol_each ? o->rtol_each[i] : o->rtol) * fabs(y) + o->atol_each[i];
}

/** Return rtol, or the minimum of the positive rtol_each [n]. */
double rsd_get_min_rtol(const resida_solver_options *o, int n);

/** Compute the error weights w [n] at y [n]. @return the first component whose tolerance is zero; -1 if none is */
int rsd_error_weights(const resida_solver_options *o, int n, const double *y, double *w);

/** Return 1 if the tolerances of velocities require differences of fourth order for dg/dp. */
int rsd_needs_fourth_order(const resida_solver_options *o, const resida_problem *problem);

/** Return RESIDA_ERR_TOLERANCE if the tolerance of a component is zero at y [n], else RESIDA_OK. */
resida_status rsd_check_tolerances(const resida_solver_options *o, const resida_problem *problem, double t,
                                   const double *y, resida_message *why);

/** Compute the weights w [n] of the corrector iteration: the error weights times a power of min(h, 1) that depends on
 *  the kind of the component. If h_weights is 0, w are the error weights. weights NULL: error weights of 1. */
void rsd_compute_newton_weights(int h_weights, double h, int n, const resida_kind *kinds, const double *weights,
                                double *w);

/** Set tested [n] to 1 for components in the error test, else to 0. Return the number of tested components. */
int rsd_select_tested(const resida_solver_options *o, const resida_problem *problem, double *tested);

/** Set the weights of contact forces in the error test, tested [n]. A weight is the motion that the force causes in a
 *  step h. Forces are tested because they are root functions, and because nothing else limits the steps of a body at
 *  rest under variable forces. w [n] are error weights. Open contacts, and with h = 0 all contacts, get DBL_MIN. */
void rsd_weigh_contact_forces(const resida_problem *problem, double h, const double *w, double *tested);

#endif
