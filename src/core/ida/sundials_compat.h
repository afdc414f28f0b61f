/* sundials_compat.h - all differences between SUNDIALS 6.4 and 7.x that affect resida. */
#ifndef RSD_SUNDIALS_COMPAT_H
#define RSD_SUNDIALS_COMPAT_H

#include <ida/ida.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>
#include <sundials/sundials_version.h>

#if SUNDIALS_VERSION_MAJOR >= 7
#define RSD_NO_COMM  SUN_COMM_NULL    /* communicator of a context without MPI */
#define RSD_NLS_STOP SUN_ERR_EXT_FAIL /* return value < 0 with which the nonlinear solver ends the integration */
static inline int rsd_clear_stop_time(void *ida)
{
    return IDAClearStopTime(ida);
}
#else
#include <float.h>
#define RSD_NO_COMM  NULL
#define RSD_NLS_STOP SUN_NLS_EXT_FAIL
typedef int SUNErrCode;
static inline int rsd_clear_stop_time(void *ida)
{
    return IDASetStopTime(ida, DBL_MAX);
}
#endif

/** A function that receives the text of every message that IDA would print. */
typedef void rsd_text_sink(const char *text, void *user);

typedef struct rsd_message_receiver {
    rsd_text_sink *sink; /* function that gets the text of each message */
    void *user;          /* second argument of sink */
} rsd_message_receiver;

#if SUNDIALS_VERSION_MAJOR >= 7
static inline void rsd_receive_message(int line, const char *func, const char *file, const char *msg, SUNErrCode code,
                                       void *user, SUNContext ctx)
{
    (void)line, (void)func, (void)file, (void)code, (void)ctx;
    ((rsd_message_receiver *)user)->sink(msg, ((rsd_message_receiver *)user)->user);
}
static inline int rsd_silence_ida(SUNContext ctx, void *ida, rsd_message_receiver *receiver)
{
    (void)ida;
    int failed = SUNContext_ClearErrHandlers(ctx) != 0;
    return failed || SUNContext_PushErrHandler(ctx, rsd_receive_message, receiver) != 0;
}
#else
static inline void rsd_receive_message(int code, const char *module, const char *function, char *msg, void *user)
{
    (void)code, (void)module, (void)function;
    ((rsd_message_receiver *)user)->sink(msg, ((rsd_message_receiver *)user)->user);
}
static inline int rsd_silence_ida(SUNContext ctx, void *ida, rsd_message_receiver *receiver)
{
    (void)ctx;
    return ida && IDASetErrHandlerFn(ida, rsd_receive_message, receiver) != IDA_SUCCESS;
}
#endif

#endif
