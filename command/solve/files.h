/* files.h - all files of a run: trajectory, picture, events, animation. What the command line says of them is checked,
 * then they are opened, then the integration starts. After a failure or a signal what there is so far is kept under a
 * name of its own, unless there is none: under its own name a file is whole. */
#ifndef CMD_FILES_H
#define CMD_FILES_H

#include "command/animate/animation.h"
#include "program/picture/picture.h"
#include "program/run/run.h"
#include "command/trajectory/csv.h"
#include "command/trajectory/events_file.h"
#include "command/trajectory/record.h"

enum { CMD_MAX_SINKS = 5 };

/** Zeroed: none. Points into itself while it is open: not to be copied. */
typedef struct cmd_files {
    cmd_out rows, page, happened;       /**< without a stream: nowhere */
    cmd_picture picture;                /**< without a script: none */
    char *picture_path;                 /**< NULL: none */
    cmd_columns columns, drawn, states; /**< of the rows, the picture, the events */
    cmd_csv csv;                        /**< rows as CSV */
    cmd_record record;                  /**< rows of a MAT-file, of HDF5 */
    cmd_record drawing;                 /**< those of the picture */
    cmd_events events;                  /**< also without a file: for JSON */
    cmd_animation animation;
    cmd_sink sinks[CMD_MAX_SINKS];
    int n_sinks;
    int to_stdout; /**< one of them goes there */
} cmd_files;

/** What is asked for: do names of columns and files make sense?
 *  @param[out] f  to be closed in any case
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_FAILED after one complaint */
int cmd_files_plan(cmd_files *f, const cmd_job *job);

/** Open them, and let the job write to them. @return 0; CMD_EXIT_* after one complaint */
int cmd_files_open(cmd_files *f, cmd_job *job);

/** After the run of that row: let them appear, under their own names if it got through.
 *  @return 0; CMD_EXIT_*, 128 + signal after one complaint */
int cmd_files_keep(cmd_files *f, const cmd_row *row, const cmd_settings *s);

/** Write the patterns of the job's model that are not given, as C to paste (`solve --emit-patterns FILE.c`): an entry
 *  is there if it is not zero, or moves a residual, at one of some points around the start.
 *  @return 0; an exit code after one complaint */
int cmd_emit_patterns(const cmd_job *job, const char *path);

/** Throw away what has not appeared. */
void cmd_files_close(cmd_files *f);

#endif
