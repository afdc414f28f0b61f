/* callback.h - the one place where what a caller handed over is called: callbacks of models, of the Jacobian engine and
 * of the solver, and allocators. Nothing else in the library calls them.
 *
 * Neither this library nor those below it can be unwound. So an exception of C++ ends here: it is a fatal verdict,
 * RESIDA_ERR_USER, and what it said is kept in `thrown` (NULL: not). A library that is built without C++ has the same
 * functions, through which nothing can be thrown: the exception then ends the program, as that of a noexcept function
 * does. */
#ifndef RSD_CALLBACK_H
#define RSD_CALLBACK_H

#include <resida/adapter.h>
#include <resida/dae.h>
#include <resida/jacobian.h>
#include <resida/mechanism.h>
#include <resida/model.h>
#include <resida/products.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an exception said. */
typedef struct rsd_thrown {
    int is_new; /* 1: since it was set to 0 */
    char text[100];
} rsd_thrown;

/** 1: exceptions are caught; 0: they end the program. */
extern const int rsd_callbacks_are_caught;

struct resida_newton_end;
struct resida_step;

/* int rsd_call_residual(double t, const double *p, ..., void *user, rsd_thrown *thrown, resida_residual_fn *callback)
 * and its like: the verdict of the callback. */
#define RSD_RESULT(name, parameters, call) int name parameters;
#define RSD_DONE(name, parameters, call)   int name parameters;
#include "callback_calls.h"

/** Those of an allocator; NULL where it threw. */
void *rsd_call_allocate(size_t bytes, const resida_allocator *a);
void rsd_call_free(void *block, const resida_allocator *a);

#ifdef __cplusplus
}
#endif
#endif
