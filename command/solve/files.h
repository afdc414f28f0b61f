/* files.h - all files of a run: trajectory, picture, events, animation. What the command line says of them is checked,
 * then they are opened, then the integration starts. After a failure or a signal what there is so far is kept under a
 * name of its own, unless there is none: under its own name a file is whole. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include "command/animate/animation.h"
#include "command/picture/picture.h"
#include "command/run/run.h"
#include "command/trajectory/csv.h"
#include "command/trajectory/events_file.h"
#include "command/trajectory/record.h"

enum { BENCH_MOST_SINKS = 5 };

/** Zeroed: none. Points into itself while it is open: not to be copied. */
typedef struct bench_files {
    bench_out rows, page, happened;       /**< without a stream: nowhere */
    bench_picture picture;                /**< without a script: none */
    char *picture_path;                   /**< NULL: none */
    bench_columns columns, drawn, states; /**< of the rows, the picture, the events */
    bench_csv csv;                        /**< rows as CSV */
    bench_record record;                  /**< rows of a MAT-file, of HDF5 */
    bench_record drawing;                 /**< those of the picture */
    bench_events events;                  /**< also without a file: for JSON */
    bench_animation animation;
    bench_sink sinks[BENCH_MOST_SINKS];
    int n_sinks;
    int to_stdout; /**< one of them goes there */
} bench_files;

/** What is asked for: do names of columns and files make sense?
 *  @param[out] f  to be closed in any case
 *  @return 0; BENCH_EXIT_USAGE, BENCH_EXIT_FAILED after one complaint */
int bench_files_plan(bench_files *f, const bench_job *job);

/** Open them, and let the job write to them. @return 0; BENCH_EXIT_* after one complaint */
int bench_files_open(bench_files *f, bench_job *job);

/** After the run of that row: let them appear, under their own names if it got through.
 *  @param[in] path  --out
 *  @return 0; BENCH_EXIT_*, 128 + signal after one complaint */
int bench_files_keep(bench_files *f, const bench_row *row, const char *path);

/** Write the patterns of the job's model that are not given, as C to paste (`solve --emit-patterns FILE.c`): an entry
 *  is there if it is not zero, or moves a residual, at one of some points around the start.
 *  @return 0; an exit code after one complaint */
int bench_emit_patterns(const bench_job *job, const char *path);

/** Throw away what has not appeared. */
void bench_files_close(bench_files *f);

#endif
