/* run_line.h - a run by words, as `resida solve` has them, for studies whose runs stand in a data file. */
#ifndef BENCH_RUN_LINE_H
#define BENCH_RUN_LINE_H

#include "program/output/row.h"

/** Run "MODEL OPTIONS" once.
 *  @param[in] jacobian  strategy in the place of that of the words; NULL: theirs
 *  @param[in] peer      integrates in the place of resida; NULL: resida itself
 *  @param[out] row      without its model
 *  @return 0, also when the run failed; CMD_EXIT_* after one complaint; 128 + signal */
int bench_run_line(const char *words, const char *jacobian, const char *peer, cmd_row *row);

#endif
