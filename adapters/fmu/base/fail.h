/* fail.h - writes the reason of a failure. */
#ifndef FMU_FAIL_H
#define FMU_FAIL_H

#include "base/message.h"

static inline int fmu_return_failure(resida_status status)
{
    (void)status;
    return -1;
}

/** Write one line to `why`, which may be NULL, with blanks for control characters. @return -1 */
#define fmu_fail(why, ...) fmu_return_failure(rsd_fail((why), RESIDA_ERR_MODEL, __VA_ARGS__))

/** Write that there is no memory. @return -1 */
#define fmu_no_memory(why) fmu_fail((why), "no memory")

#endif
