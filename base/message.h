/* message.h - error messages as text. Nothing is printed: the text is stored in a resida_message. */
#ifndef RSD_MESSAGE_H
#define RSD_MESSAGE_H

#include <resida/status.h>

#include <stdarg.h>

/** Return from the function with the first negative status. Use this macro only if the function has no local resource
 *  to free. */
#define RSD_TRY(call)                                                                                                  \
    do {                                                                                                               \
        resida_status rsd_try_status = (call);                                                                         \
        if (rsd_try_status < 0) return rsd_try_status;                                                                 \
    } while (0)

/** Write a message and return the status: `return rsd_fail(why, RESIDA_ERR_OPTION, "rtol = %g, must be > 0", rtol);`
 *  `why` may be NULL. */
resida_status rsd_fail(resida_message *why, resida_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Maximum sizes of names in messages. */
enum {
    RSD_ROW_NAME = 48,       /**< size of the name of a constraint */
    RSD_COMPONENT_NAME = 80, /**< size of the name of a component of y */
    RSD_FAULT_TEXT = 160     /**< size of a text with a failed callback and its component */
};

/** Write formatted text to text [size], or append it to the text that is there. A message and its parts are written by
 *  these functions: a text that is too long is cut after a word and ends with " ...". @{ */
void rsd_write(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void rsd_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void rsd_append_list(char *text, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));
/** @} */

/** Return RESIDA_ERR_ARGUMENT if size differs from must: the caller has not called the _init function of the struct. */
resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why);

/** Append formatted text to a message, which may be NULL. */
void rsd_message_append(resida_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
