/* checkpointed.h - checks the requirements of `solve --checkpoint` and `resume`. */
#ifndef CMD_CHECKPOINTED_H
#define CMD_CHECKPOINTED_H

#include "checkpoint.h"
#include "program/run/run.h"
#include "files.h"

/** Check that the options can be combined. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_checkpointed_check(const cmd_settings *s);

/** Set up the checkpoints of the job, whose rows and events go to `files`. Without --checkpoint nothing is done. All
 *  structs must outlive the run.
 *  @return 0; CMD_EXIT_* after one complaint: the model cannot be saved, its files have changed, or the file cannot be
 *  written */
int cmd_checkpointed_open(cmd_checkpoint *c, cmd_job *job, cmd_files *files);

/** Write one line on how to continue a run that a signal or the time limit ended; nothing without a checkpoint. */
void cmd_checkpointed_explain(const cmd_job *job, const cmd_row *row);

#endif
