/* fail.h - names for the reason of a failure. */
#ifndef FMU_FAIL_H
#define FMU_FAIL_H

#include "adapters/base/fail.h"

#define fmu_fail adapter_fail

/** Write that there is no memory. @return -1 */
#define fmu_no_memory(why) adapter_fail((why), "no memory")

#endif
