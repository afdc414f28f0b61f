/* integration.h - an integration of a program: its equations as a resida_dae, its solver, and the data that is kept
 * between calls.
 *
 * Time: solvers integrate forward, so that tau = s T with s = 1 or -1, the direction from T to the first TOUT, and
 *     G(tau, y, w) = F(s tau, y, s w),   dG/dy + alpha dG/dw = dF/dy + s alpha dF/dyp,   CJ = s alpha. */
#ifndef DAS_INTEGRATION_H
#define DAS_INTEGRATION_H

#include <resida/resida.h>

#include "arguments.h"
#include "notice.h"
#include "passage.h"

/** An integration. */
typedef struct das_integration {
    const das_call *call; /**< the current call */
    das_routine routine;
    int n, n_root;
    int direction;          /**< s */
    double cj;              /**< CJ for RES of DASPK: constant */
    int is_nonnegative;     /**< Y < 0 is refused, except for a part of the tolerances */
    const int *signs;       /**< [n] signs required at the start, in IWORK; NULL: none */
    const double *fixed_yp; /**< [n] given YPRIME if only Y is computed; else NULL */
    resida_problem *problem;
    resida_solver *solver;
    das_thrown *thrown; /**< exception of a function of the program, or NULL */
    int ires;           /**< the last value other than 0 */
    int is_lost;        /**< it failed: the next call restarts */
    double handle;      /**< in RWORK: identifies the integration */
    double h_max;
    double t_told;       /**< T at the last return */
    double t_step;       /**< tau at the start of the last step */
    int has_begun;       /**< a step was begun in this call */
    long steps_in_call;  /**< taken in this call */
    long max_steps;      /**< max. steps_in_call */
    das_counts counts;   /**< totals of the integration */
    das_counts earlier;  /**< totals of solvers that were freed */
    das_counts before;   /**< totals before this call */
    int order;           /**< order of the last step */
    double h;            /**< size of the last step in tau */
    double *rtol, *atol; /**< [n] tolerances of the solver */
    double *yp;          /**< [n] work: YPRIME of a callback */
    double *roots;       /**< [2 n_root] values of G or RT at the last root; work */
    int is_at_root;      /**< the last call returned at a root */
    double *pd;          /**< [rows n] work: PD; NULL: the program has no JAC */
    resida_kind *kinds;  /**< [n], or NULL */
    int rows, ml, mu;    /**< rows of PD; bandwidths, -1: dense */
    int *row, *col;      /**< pattern of the band, or NULL */
} das_integration;

/** Create an integration from its first call. @return NULL if there is no memory */
das_integration *das_create(const das_call *c);

/** Free an integration. NULL is allowed. */
void das_free(das_integration *x);

/** Set the equations of an integration. d: initialised */
void das_set_equations(das_integration *x, resida_dae *d);

/** Set the options of a solver from a call. */
void das_set_options(das_integration *x, const das_call *c, resida_solver_options *o);

/** Return 1 if T, the tolerances or HMAX of the call differ from those of the solver, or if G or RT has changed after a
 *  root, which the prologues allow. */
int das_is_changed(das_integration *x, const das_call *c);

/** Create a new solver, and start it at T, Y, YPRIME of the call. */
resida_status das_start(das_integration *x, const das_call *c, resida_message *why);

/** Compute consistent Y and YPRIME, INFO(11). @return 0, or IDID with the reason in `why` */
int das_find_start(das_integration *x, const das_call *c, resida_message *why);

/** Integrate to TOUT, or by one step. T, Y, YPRIME and JROOT are set to the values reached. @return IDID, with the
 *  reason of a failure in `why` */
int das_advance(das_integration *x, const das_call *c, resida_message *why);

/** @name Write the counters to IWORK; read them if a copy of an integration restarts @{ */
void das_write_counts(const das_integration *x, const das_call *c);
void das_read_counts(das_integration *x, const das_call *c);
/** @} */

/** Return the IDID of a failure. */
int das_get_failure_idid(const das_integration *x, resida_status status);

/** @name Callbacks of the resida_dae, which call the functions of the program; `user` is the das_integration @{ */
resida_dae_residual_fn das_residual;
resida_dae_jacobian_fn das_jacobian;
resida_dae_root_fn das_roots;
/** @} */

/** Evaluate G or RT. @return 0, or as a callback */
int das_evaluate_roots(das_integration *x, double t, const double *y, const double *yp, double *out);

/** Count steps. Interrupt the solver after MXSTEP steps of a call. */
resida_monitor_fn das_monitor;

#endif
