/* hand_out.h - cases to whoever is free, rows into the file. */
#ifndef CMD_HAND_OUT_H
#define CMD_HAND_OUT_H

#include "ranks.h"
#include "store.h"

/** Run all cases that have no row, by processes of this machine.
 *  @return 0; 128 + signal; CMD_EXIT_* after one complaint */
int cmd_hand_out_here(cmd_sweep_work *sweep, cmd_store *store, int jobs);

/** The same by the other ranks; on rank 0. */
int cmd_hand_out_ranks(cmd_sweep_work *sweep, cmd_store *store, const cmd_ranks *ranks);

/** The life of another rank: its process runs what rank 0 hands out. @return 0; CMD_EXIT_FAILED after one complaint;
 *  128 + signal */
int cmd_hand_in(cmd_sweep_work *sweep, const cmd_ranks *ranks);

#endif
