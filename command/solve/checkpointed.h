/* checkpointed.h - what `solve --checkpoint` and `resume` ask of a run, refused by name where it has it not. */
#ifndef CMD_CHECKPOINTED_H
#define CMD_CHECKPOINTED_H

#include "checkpoint.h"
#include "program/run/run.h"
#include "files.h"

/** Do the options go together? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_checkpointed_check(const cmd_settings *s);

/** The checkpoint of the job, whose rows and events go to `files`; nothing where none is asked for. All must outlive
 *  the run.
 *  @return 0; CMD_EXIT_* after one complaint: the model cannot be saved, its files are other ones, the file cannot be
 *          written */
int cmd_checkpointed_open(cmd_checkpoint *c, cmd_job *job, cmd_files *files);

/** One line on how to go on with a run that a signal or the time limit has ended; nothing without a checkpoint. */
void cmd_checkpointed_tell(const cmd_job *job, const cmd_row *row);

#endif
