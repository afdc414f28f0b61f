/* fail.h - why a file is refused. */
#ifndef FMU_FAIL_H
#define FMU_FAIL_H

#include <resida/status.h>

/** Write one line to `why`, where control characters become blanks. @return -1 */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
int fmu_fail(resida_message *why, const char *format, ...);

#endif
