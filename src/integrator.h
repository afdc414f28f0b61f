/* integrator.h - the BDF integrator as the solver sees it: no SUNDIALS type. Implemented by solver_ida.c. */
#ifndef RSD_INTEGRATOR_H
#define RSD_INTEGRATOR_H

#include <resida/solver.h>

#include "guard.h"

typedef struct rsd_integrator rsd_integrator;

/** RESIDA_ERR_VERSION when the SUNDIALS at run time is not the one compiled against. */
resida_status rsd_check_sundials_version(resida_message *why);

/** All memory is taken here. `o` (with o->atol_each [n] set), `guard` and `engine` are borrowed until freed. */
resida_status rsd_integrator_create(rsd_integrator **it, const resida_solver_options *o, rsd_guard *guard,
                                    resida_jacobian *engine, resida_message *why);
void rsd_integrator_free(rsd_integrator *it);

/** Begin at t0 from y0, yp0 [n] (copied), at order 1. */
resida_status rsd_integrator_restart(rsd_integrator *it, double t0, const double *y0, const double *yp0);

/** Integrate to t_out > t, not over t_stop, and interpolate; one_step: one internal step at the most.
 *  y, yp are the state at *t afterwards, the last accepted one after a failure. The guard's message says why. */
resida_status rsd_integrator_advance(rsd_integrator *it, double t_out, double t_stop, int one_step, double *t);

double *rsd_integrator_y(rsd_integrator *it);
double *rsd_integrator_yp(rsd_integrator *it);

/** Scratch for whoever starts the integration: a matrix [n x n], vectors [n], pivots [n]. */
typedef struct rsd_scratch {
    double *A, *x, *r, *r0;
    int *pivots;
} rsd_scratch;
rsd_scratch rsd_integrator_scratch(rsd_integrator *it);

/** y and yp at t within the last step. RESIDA_ERR_ARGUMENT if t is outside. */
resida_status rsd_integrator_interpolate(rsd_integrator *it, double t, double *y, double *yp);

/** Signs of the roots of the last event, [n_root]. */
void rsd_integrator_roots(rsd_integrator *it, int *direction);

/** End of the last internal step, which may lie beyond the time reached. */
double rsd_integrator_internal_time(rsd_integrator *it);

/** Fill in what the integrator knows. */
void rsd_integrator_stats(const rsd_integrator *it, resida_stats *stats);

#endif
