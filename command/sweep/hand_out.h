/* hand_out.h - cases to whoever is free, rows into the file. */
#ifndef BENCH_HAND_OUT_H
#define BENCH_HAND_OUT_H

#include "ranks.h"
#include "store.h"

/** Run all cases that have no row, by processes of this machine.
 *  @return 0; 128 + signal; BENCH_EXIT_* after one complaint */
int bench_hand_out_here(bench_sweep *sweep, bench_store *store, int jobs);

/** The same by the other ranks; on rank 0. */
int bench_hand_out_ranks(bench_sweep *sweep, bench_store *store, const bench_ranks *ranks);

/** The life of another rank: its process runs what rank 0 hands out. @return 0; BENCH_EXIT_FAILED after one complaint;
 *  128 + signal */
int bench_hand_in(bench_sweep *sweep, const bench_ranks *ranks);

#endif
