/* resida/resida.h - everything: integrate differential-algebraic equations that are given as residuals.
 *
 *     model  ->  formulation  ->  problem F(t,y,yp,u) = 0  ->  Jacobian engine  ->  IDA  ->  results
 *
 * True of every function, and not repeated there:
 *  - Sizes and shapes stand in brackets: r [n] is an array of n doubles. Matrices are row by row unless said otherwise.
 *  - Inputs are borrowed for the call unless "copied" or "borrowed until" is said; outputs are the caller's arrays.
 *  - Structs of options start with their size and have an _init function; a value out of its range is refused and
 *    named, never changed.
 *  - After a failure handles can be freed, the state is the last accepted one, arrays of the caller are untouched,
 *    and nothing was printed.
 *  - A callback may throw an exception of C++: that is a failure like any other where resida_catches_exceptions() is 1,
 *    and the end of the program where it is 0. It may not leave by longjmp().
 *  - Floating-point arithmetic is that of the caller: any direction of rounding will do. Its exceptions must not trap
 *    (feenableexcept()): overflows and invalid operations are looked at by their results.
 *  - NULL where a pointer is needed is RESIDA_ERR_ARGUMENT. */
#ifndef RESIDA_RESIDA_H
#define RESIDA_RESIDA_H

#include <resida/status.h>

#include <resida/option.h>

#include <resida/mechanism.h>

#include <resida/contact.h>

#include <resida/quaternion.h>

#include <resida/dae.h>

#include <resida/products.h>

#include <resida/model.h>

#include <resida/adapter.h>

#include <resida/problem.h>

#include <resida/start.h>

#include <resida/impact.h>

#include <resida/equilibrium.h>

#include <resida/jacobian.h>

#include <resida/stats.h>

#include <resida/solver.h>

#include <resida/sensitivity.h>

#include <resida/run.h>

#include <resida/linearize.h>

#include <resida/checkpoint.h>

#endif
