/* arguments.h - checks of the arrays and option structs that a public function is passed. */
#ifndef RSD_ARGUMENTS_H
#define RSD_ARGUMENTS_H

#include "base/message.h"

/** Use of an array: RSD_READ: it must be finite; RSD_WRITTEN; RSD_.._IF_GIVEN: NULL is allowed. */
enum { RSD_READ, RSD_WRITTEN, RSD_IF_GIVEN, RSD_READ_IF_GIVEN = RSD_IF_GIVEN, RSD_WRITTEN_IF_GIVEN };

typedef struct rsd_argument {
    const char *name;
    const double *x;
    long n;
    int use;
    const char *const *names; /* [n] of its components; NULL: none */
} rsd_argument;

/** RESIDA_ERR_ARGUMENT: an array is NULL, overlaps a later one that is written, or is read and not finite. The message
 *  names the call and the array. */
resida_status rsd_check_arrays(const char *call, const rsd_argument *arrays, int n, resida_message *why);

/** RESIDA_ERR_ARGUMENT: the struct was not initialised by its _init function. */
resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why);

#endif
