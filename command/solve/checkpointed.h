/* checkpointed.h - what `solve --checkpoint` and `resume` ask of a run, refused by name where it has it not. */
#ifndef BENCH_CHECKPOINTED_H
#define BENCH_CHECKPOINTED_H

#include "command/run/checkpoint.h"
#include "command/run/run.h"
#include "files.h"

/** Do the options go together? @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_checkpointed_check(const bench_settings *s);

/** The checkpoint of the job, whose rows and events go to `files`; nothing where none is asked for. All must outlive
 *  the run.
 *  @return 0; BENCH_EXIT_* after one complaint: the model cannot be saved, its files are other ones, the file cannot be
 *          written */
int bench_checkpointed_open(bench_checkpoint *c, bench_job *job, bench_files *files);

/** One line on how to go on with a run that a signal or the time limit has ended; nothing without a checkpoint. */
void bench_checkpointed_tell(const bench_job *job, const bench_row *row);

#endif
