/* equal_error.h - compares a model with the fastest peer at equal error, for studies. */
#ifndef BENCH_EQUAL_ERROR_H
#define BENCH_EQUAL_ERROR_H

#include "benchmarks/report/report.h"

/** Measure a model with the settings of r and add its line to r->work. Redundant constraints are dropped.
 *  @return 0; CMD_EXIT_* after one error message; 128 + signal number */
int bench_equal_error(cmd_report_work *r, const char *name);

#endif
