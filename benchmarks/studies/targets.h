/* targets.h - targets of the project: a table with a verdict for each target. */
#ifndef TARGETS_H
#define TARGETS_H

#include "benchmarks/papers/reproduce.h"
#include "benchmarks/work_precision/work_summary.h"

/** Begin an empty table of targets. The caller frees it. */
void targets_begin(cmd_table *table);

/** Add the targets for each case of a table of the paper.
 *  @param[in] lines  [n] rows; those of a case are contiguous */
void targets_add_paper(cmd_table *table, const cmd_paper_table *paper, const cmd_line *lines, int n);

/** Add the targets at equal error, relative to the fastest peer. */
void targets_add_equal_errors(cmd_table *table, const cmd_summary *s);

/** Count met and missed targets. Other targets were not measured, or further models may change the verdict. */
void targets_count(const cmd_table *table, int *met, int *missed);

#endif
