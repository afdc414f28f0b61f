/* arguments.h - what every call asks of the arrays and the options that it gets. */
#ifndef RSD_ARGUMENTS_H
#define RSD_ARGUMENTS_H

#include "src/base/message.h"

/** What becomes of an array: it is read, and so must be finite, or written. RSD_IF_GIVEN: NULL is fine. */
enum { RSD_READ, RSD_WRITTEN, RSD_IF_GIVEN, RSD_READ_IF_GIVEN = RSD_IF_GIVEN, RSD_WRITTEN_IF_GIVEN };

typedef struct rsd_argument {
    const char *name;
    const double *x;
    long n;
    int use;
} rsd_argument;

/** RESIDA_ERR_ARGUMENT, with the call and the first array named that is not there, shares memory with one behind it
 *  that is written, or is read and not finite. */
resida_status rsd_check_arrays(const char *call, const rsd_argument *arrays, int n, resida_message *why);

/** RESIDA_ERR_ARGUMENT: a struct that its _init function has not seen. */
resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why);

#endif
