/* hand_out.h - distributes cases to free processes and stores the rows. */
#ifndef CMD_HAND_OUT_H
#define CMD_HAND_OUT_H

#include "ranks.h"
#include "store.h"

/** Run all cases without a row by processes on this machine. @return 0; 128 + signal; CMD_EXIT_* after one complaint */
int cmd_run_cases_locally(cmd_sweep_work *sweep, cmd_store *store, int jobs);

/** Run all cases without a row by the other ranks. Called on rank 0. */
int cmd_run_cases_by_ranks(cmd_sweep_work *sweep, cmd_store *store, const cmd_ranks *ranks);

/** Run the cases from rank 0 in a process of this rank. @return 0; CMD_EXIT_FAILED after one complaint; 128 + signal */
int cmd_run_assigned_cases(cmd_sweep_work *sweep, const cmd_ranks *ranks);

#endif
