/* resida/status.h - return values, messages, allocator, version. */
#ifndef RESIDA_STATUS_H
#define RESIDA_STATUS_H

#include <stddef.h>

#define RESIDA_VERSION_MAJOR 0       /**< major version number */
#define RESIDA_VERSION_MINOR 2       /**< minor version number */
#define RESIDA_VERSION_PATCH 0       /**< patch version number */
#define RESIDA_VERSION       "0.2.0" /**< version as text */

/** Attribute of functions that the shared library exports. */
#if defined(__GNUC__)
#define RESIDA_API __attribute__((visibility("default")))
#else
#define RESIDA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. Numbers are never reused or changed. */
typedef enum resida_status {
    RESIDA_OK = 0,
    /* success, with a condition to report */
    RESIDA_STOP_TIME = 1,   /**< the stop time was reached before the output time */
    RESIDA_EVENT = 2,       /**< a root function crossed zero; the state is that at the event */
    RESIDA_INTERRUPTED = 3, /**< `monitor` returned nonzero, or `accepted` > 0; the next call continues */
    /* failure */
    RESIDA_ERR_ARGUMENT = -1,         /**< NULL, a wrong size, NaN, or overlapping arrays */
    RESIDA_ERR_OPTION = -2,           /**< an option is out of range or has no effect */
    RESIDA_ERR_MEMORY = -3,           /**< an allocation failed, or a size overflows */
    RESIDA_ERR_MODEL = -4,            /**< the model is inconsistent: sizes, missing callbacks, wrong dg/dp */
    RESIDA_ERR_USER = -5,             /**< a callback returned < 0, or threw an exception */
    RESIDA_ERR_USER_REPEATED = -6,    /**< a callback returned > 0 at every step size */
    RESIDA_ERR_NONFINITE = -7,        /**< a callback returned NaN or Inf at every step size */
    RESIDA_ERR_INCONSISTENT = -8,     /**< no consistent initial values near the given ones */
    RESIDA_ERR_REDUNDANT = -9,        /**< redundant constraints */
    RESIDA_ERR_SINGULAR = -10,        /**< J is singular at every step size */
    RESIDA_ERR_NEWTON = -11,          /**< the Newton iteration diverged at every step size */
    RESIDA_ERR_ERROR_TEST = -12,      /**< repeated error test failures */
    RESIDA_ERR_STEP_TOO_SMALL = -13,  /**< the step size fell below the rounding unit of t */
    RESIDA_ERR_TOLERANCE = -14,       /**< the tolerances are below the rounding unit */
    RESIDA_ERR_LIMIT_STEPS = -15,     /**< max_steps was reached */
    RESIDA_ERR_LIMIT_RESIDUALS = -16, /**< max_residuals was reached */
    RESIDA_ERR_LIMIT_TIME = -17,      /**< time_limit_s was reached */
    RESIDA_ERR_STATE = -18,           /**< not started, or called from a callback */
    RESIDA_ERR_PLUGIN = -19,          /**< not a plugin, or a plugin of another ABI */
    RESIDA_ERR_VERSION = -20,         /**< SUNDIALS at run time differs from that of the build */
    RESIDA_ERR_CHATTERING = -21,      /**< a discontinuity, or repeated events, prevent progress in t */
    RESIDA_ERR_SIGN = -22,            /**< a component violates its sign at every step size */
    RESIDA_ERR_INTERNAL = -99         /**< a defect of resida or of SUNDIALS */
} resida_status;

/** Size of a message in bytes, with its terminating 0. */
#define RESIDA_MESSAGE_SIZE 320

/** Message in memory of the caller. */
typedef struct resida_message {
    char text[RESIDA_MESSAGE_SIZE]; /**< one line, terminated by 0 */
} resida_message;

/** Memory functions of a handle, which copies them and takes all memory from them. */
typedef struct resida_allocator {
    void *(*allocate)(size_t bytes, void *context); /**< allocate memory as malloc() */
    void (*free)(void *block, void *context);       /**< release memory as free(), also of NULL */
    void *context;                                  /**< argument of both functions */
} resida_allocator;

/** 1: a C++ exception that leaves a callback is caught; the call returns RESIDA_ERR_USER (of an allocator:
 *  RESIDA_ERR_MEMORY) with what() in the message. 0: std::terminate() is called. */
RESIDA_API int resida_catches_exceptions(void);

/** Call work(context) and catch C++ exceptions, for C programs that call functions of a plugin.
 *  @return RESIDA_OK; RESIDA_ERR_USER: an exception, with its text in `why` */
RESIDA_API resida_status resida_catch(void (*work)(void *context), void *context, resida_message *why);

/** Name of a status, such as "RESIDA_ERR_OPTION"; "unknown" for other numbers. */
RESIDA_API const char *resida_status_name(resida_status status);

/** RESIDA_VERSION of the linked library. */
RESIDA_API const char *resida_version(void);

#ifdef __cplusplus
}
#endif
#endif
