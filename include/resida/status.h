/* resida/status.h - return values, messages, allocator, version.
 *
 * Every fallible function returns a resida_status:  0 done,  > 0 done with news,  < 0 failed. */
#ifndef RESIDA_STATUS_H
#define RESIDA_STATUS_H

#include <stddef.h>

#define RESIDA_VERSION_MAJOR 0       /**< of the headers */
#define RESIDA_VERSION_MINOR 2       /**< of the headers */
#define RESIDA_VERSION_PATCH 0       /**< of the headers */
#define RESIDA_VERSION       "0.2.0" /**< of the headers, in words */

/** What is seen of the shared library. */
#if defined(__GNUC__)
#define RESIDA_API __attribute__((visibility("default")))
#else
#define RESIDA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call did. The numbers are a contract: never reused, never renumbered. */
typedef enum resida_status {
    RESIDA_OK = 0,
    /* done, with news */
    RESIDA_STOP_TIME = 1,   /**< the stop time was reached before the requested time */
    RESIDA_EVENT = 2,       /**< a root function crossed zero; the state is the one at the event */
    RESIDA_INTERRUPTED = 3, /**< the monitor asked to stop; the solver can go on with the next call */
    /* failed */
    RESIDA_ERR_ARGUMENT = -1,         /**< NULL, wrong size, NaN, overlapping arrays */
    RESIDA_ERR_OPTION = -2,           /**< an option out of its range */
    RESIDA_ERR_MEMORY = -3,           /**< an allocation failed, or a size overflows */
    RESIDA_ERR_MODEL = -4,            /**< the model contradicts itself (sizes, missing callbacks) */
    RESIDA_ERR_USER = -5,             /**< a callback returned < 0, or threw an exception */
    RESIDA_ERR_USER_REPEATED = -6,    /**< a callback returned > 0 for every step size that was tried */
    RESIDA_ERR_NONFINITE = -7,        /**< a callback gave NaN or Inf again and again */
    RESIDA_ERR_INCONSISTENT = -8,     /**< no consistent start near the given one */
    RESIDA_ERR_REDUNDANT = -9,        /**< constraints depend on each other */
    RESIDA_ERR_SINGULAR = -10,        /**< the iteration matrix is singular for every step size */
    RESIDA_ERR_NEWTON = -11,          /**< the Newton iteration converged for no step size */
    RESIDA_ERR_ERROR_TEST = -12,      /**< the error test failed again and again */
    RESIDA_ERR_STEP_TOO_SMALL = -13,  /**< the step size fell to the rounding of t: steps do not move it */
    RESIDA_ERR_TOLERANCE = -14,       /**< more accuracy asked than double precision holds */
    RESIDA_ERR_LIMIT_STEPS = -15,     /**< the budget of steps is spent */
    RESIDA_ERR_LIMIT_RESIDUALS = -16, /**< the budget of residual calls is spent */
    RESIDA_ERR_LIMIT_TIME = -17,      /**< the budget of wall-clock time is spent */
    RESIDA_ERR_STATE = -18,           /**< the call does not fit now (not started, re-entered from a callback) */
    RESIDA_ERR_PLUGIN = -19,          /**< not a plugin, or one of another ABI */
    RESIDA_ERR_VERSION = -20,         /**< the SUNDIALS at run time is not the one compiled against */
    RESIDA_ERR_CHATTERING = -21,      /**< a derivative that jumps, or events without end, keep time from going on */
    RESIDA_ERR_SIGN = -22,            /**< a component has not the sign that it must have, whatever the step size */
    RESIDA_ERR_INTERNAL = -99         /**< a defect of resida or of a library below it */
} resida_status;

/** Size of every message, with its final 0. */
#define RESIDA_MESSAGE_SIZE 320

/** A message in words, in memory of the caller. Functions that create a handle take one (or NULL), because after
 *  their failure there is no handle that could keep the reason. */
typedef struct resida_message {
    char text[RESIDA_MESSAGE_SIZE]; /**< closed by 0, without a line feed */
} resida_message;

/** Where memory comes from. Each handle keeps a copy; all its memory comes from there. `free` takes NULL. */
typedef struct resida_allocator {
    void *(*allocate)(size_t bytes, void *context); /**< as malloc() */
    void (*free)(void *block, void *context);       /**< as free(), of blocks of allocate() */
    void *context;                                  /**< handed to both */
} resida_allocator;

/** 1: an exception of C++ that leaves a callback is caught there, and is a fatal verdict: RESIDA_ERR_USER (an
 *  allocator's: no memory), with what() in the message. 0, in a library that was built without C++: it ends the program
 *  by std::terminate(), as an exception in a noexcept function does; nothing is unwound. */
RESIDA_API int resida_catches_exceptions(void);

/** Call work(context) as callbacks are called: for programs in C that call functions of a plugin themselves.
 *  @param[out] why  what was thrown, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_catch(void (*work)(void *context), void *context, resida_message *why);

/** The name of a status: "RESIDA_ERR_OPTION"; "unknown" for a number that is none. Never NULL. */
RESIDA_API const char *resida_status_name(resida_status status);

/** RESIDA_VERSION of the library that is linked. */
RESIDA_API const char *resida_version(void);

#ifdef __cplusplus
}
#endif
#endif
