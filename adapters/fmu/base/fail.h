/* fail.h - writes the reason of a failure. */
#ifndef FMU_FAIL_H
#define FMU_FAIL_H

#include <resida/status.h>

/** Write one line to `why`, with blanks for control characters. @return -1 */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
int fmu_fail(resida_message *why, const char *format, ...);

/** Write that there is no memory. @return -1 */
int fmu_no_memory(resida_message *why);

#endif
