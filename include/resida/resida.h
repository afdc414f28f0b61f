/* resida/resida.h - the core: integrate differential-algebraic equations that are given as residuals.
 *
 *     model  ->  formulation  ->  problem F(t,y,yp,u) = 0  ->  Jacobian engine  ->  IDA  ->  results
 *
 * doc/api.md lists the functions in the order of use.
 *
 * Conventions of all headers:
 *  - Arrays: r [n] is an array of n doubles. Matrices are stored by rows unless stated otherwise.
 *  - Owners: inputs are borrowed for the call unless "copied" or "borrowed until". Outputs are arrays of the caller.
 *  - Structs: X_init() sets the member `size` and the defaults of struct X. Call it first. A default is 0 or NULL
 *    unless stated otherwise. A value out of its range is refused with its name, never changed.
 *  - A member `user`, or X_user of a callback X, is passed to the callback.
 *  - A resida_status is 0: success; > 0: success, with a condition to report; < 0: failure.
 *  - A warning, a line of `warnings` of resida_stats, does not change the status.
 *  - A callback returns, unless stated otherwise, 0: success; > 0: not possible at this point, reduce the step and
 *    repeat it; < 0: stop. So do resida_problem_residual(), resida_jacobian_setup() and resida_jacobian_prepare().
 *  - @return omits RESIDA_ERR_ARGUMENT (such as NULL for a required pointer), RESIDA_ERR_STATE (before a start, or
 *    within a callback) and, of functions that allocate, RESIDA_ERR_MEMORY. Without @return a function returns
 *    RESIDA_OK or one of these.
 *  - Parameters: `o` NULL: defaults. `why` and `report` may be NULL. A new handle is NULL after a failure.
 *  - A _free function accepts NULL, and must not be called within a callback.
 *  - A function that returns a text returns "" for a handle that is NULL. The library owns the text.
 *  - After a failure the state is the last accepted one, and arrays of the caller are unchanged. Nothing is printed.
 *  - A callback may throw a C++ exception (see resida_catches_exceptions()). It must not be left by longjmp().
 *  - Any rounding direction is allowed. Floating-point exceptions must not trap (feenableexcept()). */
#ifndef RESIDA_RESIDA_H
#define RESIDA_RESIDA_H

#include <resida/status.h>

#include <resida/option.h>

#include <resida/mechanism.h>

#include <resida/dae.h>

#include <resida/problem.h>

#include <resida/start.h>

#include <resida/stats.h>

#include <resida/solver.h>

/* This version includes the further headers too, unless RESIDA_CORE_ONLY is defined. The next version does not. */
#ifndef RESIDA_CORE_ONLY
#include <resida/all.h>
#endif

#endif
