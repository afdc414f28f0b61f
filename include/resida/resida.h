/* resida/resida.h - the core: integrate differential-algebraic equations that are given as residuals.
 *
 *     model  ->  formulation  ->  problem F(t,y,yp,u) = 0  ->  Jacobian engine  ->  IDA  ->  results
 *
 * doc/api.md lists the functions in the order of use. Include further headers by name, or all by resida/all.h.
 *
 * Conventions of all functions:
 *  - Sizes are in brackets: r [n] is an array of n doubles. Matrices are by rows unless stated otherwise.
 *  - Inputs are borrowed for the call unless "copied" or "borrowed until"; outputs are arrays of the caller.
 *  - Structs of options begin with their size and have an _init function. A value out of its range is refused with its
 *    name, never changed.
 *  - After a failure handles can be freed, the state is the last accepted one, and arrays of the caller are unchanged.
 *    Nothing is printed.
 *  - A callback may throw a C++ exception, which is a failure if resida_catches_exceptions() is 1; else it ends the
 *    program. It must not be left by longjmp().
 *  - Any rounding direction is allowed. Floating-point exceptions must not trap (feenableexcept()).
 *  - NULL for a required pointer is RESIDA_ERR_ARGUMENT. */
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
