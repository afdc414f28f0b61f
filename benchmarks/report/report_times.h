/* report_times.h - estimates the time of a report before the first run. */
#ifndef BENCH_REPORT_TIMES_H
#define BENCH_REPORT_TIMES_H

#include <jansson.h>

#include "report.h"

/** Times of sections in earlier reports [s], by name, stored in FOLDER/times.json. */
typedef struct report_times {
    char *path; /**< NULL: times are not recorded */
    json_t *seconds;
} report_times;

/** Read the recorded times. @return 0; CMD_EXIT_FAILED if memory is exhausted */
int report_times_open(report_times *times, const char *folder);
void report_times_close(report_times *times);

/** Estimate the time of a section [s]: the recorded time, or an estimate from one run of each named model.
 *  @param[out] is_recorded  1: the time was recorded
 *  @return NaN if unknown, also if a run of a model fails */
double report_times_of(const report_times *times, const cmd_report_work *r, const cmd_section *section,
                       int *is_recorded);

/** Record the time of a section. */
void report_times_note(report_times *times, const cmd_report_work *r, const cmd_section *section, double seconds);

#endif
