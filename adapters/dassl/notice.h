/* notice.h - prints messages of one line on stderr, as the original routines do. Statistics of the process are written
 * to the file named by the environment variable RESIDA_DASSL_LOG. */
#ifndef DAS_NOTICE_H
#define DAS_NOTICE_H

#include "arguments.h"

/** Counters of an integration. */
typedef struct das_counts {
    long steps, residuals, jacobians, root_calls, error_fails, newton_fails, iterations;
} das_counts;

/** Print "DDASSL: text", with the name of the routine, on stderr. */
void das_print_message(das_routine routine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Add the counters of a completed call, after - before, to the statistics. began: it was the first call of an
 *  integration; restarts: it restarted one. They are written to the file at the end of the process. */
void das_add_statistics(das_routine routine, int began, int restarts, const das_counts *before,
                        const das_counts *after);

#endif
