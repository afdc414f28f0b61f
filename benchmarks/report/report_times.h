/* report_times.h - how long a report takes, said before the first run. */
#ifndef BENCH_REPORT_TIMES_H
#define BENCH_REPORT_TIMES_H

#include <jansson.h>

#include "report.h"

/** Seconds that parts took in earlier reports, by name, in FOLDER/times.json. */
typedef struct report_times {
    char *path; /**< NULL: nothing is recorded */
    json_t *seconds;
} report_times;

/** Read what there is. @return 0; CMD_EXIT_FAILED without memory */
int report_times_open(report_times *times, const char *folder);
void report_times_close(report_times *times);

/** What a section will take [s]: what it took, or an estimate, for which each model that is named runs once.
 *  @param[out] is_recorded  1: it took that
 *  @return NaN: nothing is known, a model does not get through */
double report_times_of(const report_times *times, const cmd_report_work *r, const cmd_section *section,
                       int *is_recorded);

/** It took that. */
void report_times_note(report_times *times, const cmd_report_work *r, const cmd_section *section, double seconds);

#endif
