/* arguments.h - checks of the arrays passed to a public function. */
#ifndef RSD_ARGUMENTS_H
#define RSD_ARGUMENTS_H

#include "base/message.h"

/** Use of an array: an input, which must be finite (RSD_READ), or an output (RSD_WRITTEN). .._IF_GIVEN may be NULL. */
enum { RSD_READ, RSD_WRITTEN, RSD_IF_GIVEN, RSD_READ_IF_GIVEN = RSD_IF_GIVEN, RSD_WRITTEN_IF_GIVEN };

/** Array argument of a public function. */
typedef struct rsd_argument {
    const char *name;         /* name in messages */
    const double *x;          /* the array */
    long n;                   /* number of elements */
    int use;                  /* use of the array, one of the constants above */
    const char *const *names; /* [n] names of the elements; NULL: numbers */
} rsd_argument;

/** Return RESIDA_ERR_ARGUMENT if a required array is NULL, if an array overlaps a later output, or if an input is not
 *  finite. The message contains the names of the call and of the array. */
resida_status rsd_check_arrays(const char *call, const rsd_argument *arrays, int n, resida_message *why);

#endif
