/* integration.h - an integration that a program has begun: its equations as a resida_dae, solver, and what has to be
 * kept from call to call.
 *
 * Time: solvers go forward, so tau = s T with s = 1 or -1, the direction in which TOUT was first, and
 *     G(tau, y, w) = F(s tau, y, s w),   dG/dy + alpha dG/dw = dF/dy + s alpha dF/dyp,   CJ = s alpha. */
#ifndef DAS_INTEGRATION_H
#define DAS_INTEGRATION_H

#include <resida/resida.h>

#include "arguments.h"
#include "notice.h"
#include "passage.h"

/** An integration. */
typedef struct das_integration {
    const das_call *call; /**< the one under way */
    das_routine routine;
    int n, n_root;
    int direction;          /**< s */
    double cj;              /**< what DASPK's RES is given for CJ: always the same */
    int is_nonnegative;     /**< Y < 0 is refused, but for a part of the tolerances */
    const int *signs;       /**< [n] those of the start, in IWORK; NULL: none */
    const double *fixed_yp; /**< [n] YPRIME where Y alone is looked for; NULL: it is not */
    resida_problem *problem;
    resida_solver *solver;
    das_thrown *thrown; /**< what a function of the program threw, or NULL */
    int ires;           /**< the last one that was not 0 */
    int is_lost;        /**< it failed: the next call begins anew */
    double handle;      /**< in RWORK: which one it is */
    double h_max;
    double t_told;       /**< T of the last return */
    double t_step;       /**< tau where the last step began */
    int has_begun;       /**< a step in this call */
    long steps_in_call;  /**< taken in this call */
    long max_steps;      /**< of them */
    das_counts counts;   /**< all of its life */
    das_counts earlier;  /**< of solvers that are gone */
    das_counts before;   /**< of the calls before this one */
    int order;           /**< of the last step */
    double h;            /**< its size in tau */
    double *rtol, *atol; /**< [n] as the solver has them */
    double *yp;          /**< [n] work: YPRIME of a callback */
    double *pd;          /**< [rows n] work: PD; NULL: there is no jacobian of the program */
    resida_kind *kinds;  /**< [n], or NULL */
    int rows, ml, mu;    /**< of PD; bandwidths, -1: dense */
    int *row, *col;      /**< the band as a pattern, or NULL */
} das_integration;

/** An integration as the first call says; NULL: no memory. */
das_integration *das_create(const das_call *c);

/** NULL is fine. */
void das_free(das_integration *x);

/** Its equations. d: initialised */
void das_describe(das_integration *x, resida_dae *d);

/** Options of a solver, as the call says. */
void das_options(das_integration *x, const das_call *c, resida_solver_options *o);

/** Does the call differ from what the solver has: T, tolerances, HMAX? */
int das_is_changed(const das_integration *x, const das_call *c);

/** A new solver that starts at T, Y, YPRIME of the call. */
resida_status das_start(das_integration *x, const das_call *c, resida_message *why);

/** Y and YPRIME that fit each other, INFO(11). @return 0; IDID, why in words */
int das_find_start(das_integration *x, const das_call *c, resida_message *why);

/** Integrate to TOUT, or by a step. @return IDID; T, Y, YPRIME, JROOT are those reached, why in words */
int das_advance(das_integration *x, const das_call *c, resida_message *why);

/** @name Counts in IWORK, written, and read where a copy of it begins anew @{ */
void das_write_counts(const das_integration *x, const das_call *c);
void das_read_counts(das_integration *x, const das_call *c);
/** @} */

/** What IDID a failure is. */
int das_failure(const das_integration *x, resida_status status);

#endif
