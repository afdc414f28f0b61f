/* run_line.h - a run specified by the words of `resida solve`, for studies whose runs are listed in a data file. */
#ifndef BENCH_RUN_LINE_H
#define BENCH_RUN_LINE_H

#include "program/output/row.h"

/** Run "MODEL OPTIONS" once.
 *  @param[in] jacobian  strategy that replaces the one of the words; NULL: no replacement
 *  @param[in] peer      integrator; NULL: resida itself
 *  @param[out] row      without its model
 *  @return 0, also if the run failed; CMD_EXIT_* after one error message; 128 + signal number */
int bench_run_line(const char *words, const char *jacobian, const char *peer, cmd_row *row);

#endif
