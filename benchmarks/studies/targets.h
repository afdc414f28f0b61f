/* targets.h - what the project asks of itself: a table with a verdict for each target. */
#ifndef TARGETS_H
#define TARGETS_H

#include "benchmarks/papers/reproduce.h"
#include "benchmarks/work_precision/work_summary.h"

/** An empty table of targets. To be freed. */
void targets_begin(cmd_table *table);

/** What is asked of each case of a table of the paper.
 *  @param[in] lines  [n] rows, those of a case side by side */
void targets_add_paper(cmd_table *table, const cmd_paper_table *paper, const cmd_line *lines, int n);

/** What is asked at equal error, beside the fastest peer. */
void targets_add_equal_errors(cmd_table *table, const cmd_summary *s);

/** How many are met and missed; the others were not measured, or other models may change the verdict. */
void targets_count(const cmd_table *table, int *met, int *missed);

#endif
