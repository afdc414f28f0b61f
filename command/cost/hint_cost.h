/* hint_cost.h - the hint at a cost of calls that a run was misled by. */
#ifndef BENCH_HINT_COST_H
#define BENCH_HINT_COST_H

#include "model_cost.h"

/** Words of the hint for a run with a profile, whose strategy weighs costs: into text. @return 1; 0: there is none */
int bench_hint_cost(const bench_job *job, const bench_row *row, char *text, size_t size);

#endif
