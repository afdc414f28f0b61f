/* files.h - all files of a run: trajectory, picture, events, animation. Their options are checked, then the files are
 * opened, then the integration starts. A file has its own name only if it is complete. After a failure or a signal an
 * incomplete file is kept under another name, unless it is empty. */
#ifndef CMD_FILES_H
#define CMD_FILES_H

#include "command/animate/animation.h"
#include "program/picture/picture.h"
#include "program/run/run.h"
#include "command/trajectory/csv.h"
#include "command/trajectory/events_file.h"
#include "command/trajectory/record.h"

enum { CMD_MAX_SINKS = 5 };

/** The files of a run. A zeroed struct has none. It contains pointers to itself while open: do not copy. */
typedef struct cmd_files {
    cmd_out rows, page, happened;       /**< not written if without a stream */
    cmd_picture picture;                /**< none if without a script */
    char *picture_path;                 /**< NULL if there is none */
    cmd_columns columns, drawn, states; /**< columns of the rows, the picture, the events */
    cmd_csv csv;                        /**< rows as CSV */
    cmd_record record;                  /**< rows for a MAT-file or HDF5 */
    cmd_record drawing;                 /**< rows for the picture */
    cmd_events events;                  /**< also recorded without a file, for JSON */
    cmd_animation animation;
    cmd_sink sinks[CMD_MAX_SINKS];
    int n_sinks;
    int to_stdout; /**< one of the files is standard output */
} cmd_files;

/** Check the names of columns and files.
 *  @param[out] f  to be closed in any case
 *  @return 0; CMD_EXIT_USAGE or CMD_EXIT_FAILED after one complaint */
int cmd_files_plan(cmd_files *f, const cmd_job *job);

/** Open the files, and set the sinks of the job. @return 0; CMD_EXIT_* after one complaint */
int cmd_files_open(cmd_files *f, cmd_job *job);

/** Publish the files after a run, under their own names if the run succeeded. @return 0; CMD_EXIT_* or 128 + signal
 *  after one complaint */
int cmd_files_publish(cmd_files *f, const cmd_row *row, const cmd_settings *s);

/** Write the patterns that the model of the job does not give, as C source (`solve --emit-patterns FILE.c`). An entry
 *  exists if it is not zero, or changes a residual, at one of several points near the start. @return 0; an exit code
 *  after one complaint */
int cmd_emit_patterns(const cmd_job *job, const char *path);

/** Close the files, and discard those that were not published. */
void cmd_files_close(cmd_files *f);

#endif
