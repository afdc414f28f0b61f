/* tolerance.h - the error weights 1/(rtol |y| + atol), and which components they test. */
#ifndef RSD_TOLERANCE_H
#define RSD_TOLERANCE_H

#include <resida/solver.h>

#include <math.h>

/** The tolerance of component i at y_i. */
static inline double rsd_tolerance(const resida_solver_options *o, int i, double y)
{
    return (o->rtol_each ? o->rtol_each[i] : o->rtol) * fabs(y) + o->atol_each[i];
}

/** Weights w [n] at y [n]. @return -1; the first component whose tolerance is zero */
int rsd_error_weights(const resida_solver_options *o, int n, const double *y, double *w);

/** 1: tolerances of velocities are so small that differences of dg/dp have to be of fourth order. */
int rsd_needs_fourth_order(const resida_solver_options *o, const resida_problem *problem);

/** The same component, without weights. */
int rsd_without_tolerance(const resida_solver_options *o, int n, const double *y);

/** RESIDA_ERR_TOLERANCE, with component i named. */
resida_status rsd_no_tolerance(const resida_problem *problem, int i, double t, resida_message *why);

/** Weights w [n] of the corrector iteration from error weights: by the kinds of the components times powers of h, of 1
 *  at the most; h_weights 0: the same. */
void rsd_newton_weights(int h_weights, double h, int n, const resida_kind *kinds, const double *weights, double *w);

/** tested [n]: 1 for what is in the error test, else 0. */
void rsd_error_test(const resida_solver_options *o, const resida_problem *problem, double *tested);

/** Forces of contacts that hold are in the error test, as they are root functions, and else nothing bounds the steps of
 *  what is at rest under forces that change; but by what they move in a step h, as they are not more exact. tested [n]
 *  in and out, w [n] weights of y; h = 0, and open contacts: next to nothing, as 0 is for what is not tested. */
void rsd_test_forces(const resida_problem *problem, double h, const double *w, double *tested);

#endif
