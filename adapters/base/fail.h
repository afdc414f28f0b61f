/* fail.h - writes the reason of a failure. */
#ifndef ADAPTER_FAIL_H
#define ADAPTER_FAIL_H

#include <resida/status.h>

/** Write one line to `why`, which may be NULL, with blanks for control characters. @return -1 */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
int adapter_fail(resida_message *why, const char *format, ...);

#endif
