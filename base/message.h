/* message.h - reasons in words. Nothing is printed; the reason stays in a resida_message of a handle or the caller. */
#ifndef RSD_MESSAGE_H
#define RSD_MESSAGE_H

#include <resida/status.h>

/** Leave the first failing status of a list of named steps. Only where nothing is owned locally. */
#define RSD_TRY(call)                                                                                                  \
    do {                                                                                                               \
        resida_status rsd_try_status = (call);                                                                         \
        if (rsd_try_status < 0) return rsd_try_status;                                                                 \
    } while (0)

/** Write a message and pass the status on: `return rsd_fail(why, RESIDA_ERR_OPTION, "rtol = %g, must be > 0", rtol);`
 *  `why` may be NULL. */
resida_status rsd_fail(resida_message *why, resida_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Room for names in messages; what is longer is cut. */
enum {
    RSD_ROW_NAME = 48,       /**< of a row of the constraints */
    RSD_COMPONENT_NAME = 80, /**< of a component of y */
    RSD_FAULT_TEXT = 160     /**< callback and component that failed */
};

/** Append to a message. */
void rsd_message_append(resida_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
