/* equal_error.h - a model at equal error beside the fastest peer, for studies. */
#ifndef BENCH_EQUAL_ERROR_H
#define BENCH_EQUAL_ERROR_H

#include "benchmarks/report/report.h"

/** Measure a model, by the settings of r, and take its line into r->work. Constraints that depend on others are
 *  dropped.
 *  @return 0; CMD_EXIT_* after one complaint; 128 + signal */
int bench_equal_error(cmd_report_work *r, const char *name);

#endif
