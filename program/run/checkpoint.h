/* checkpoint.h - a run that can go on in another process: `solve --checkpoint FILE`, `resume FILE`.
 *
 * At each moment, which is counted in steps and in nothing else, the run leaves its handles and goes on with new ones
 * that have loaded its state (resida/checkpoint.h). A run that was interrupted goes on from the same bytes; so both
 * have the same bits. The file is written at such moments, but not more often than asked for in seconds: clocks
 * decide what is in the file, never what is computed. */
#ifndef CMD_CHECKPOINT_H
#define CMD_CHECKPOINT_H

#include <jansson.h>

#include "program/base/out_file.h"
#include "program/cli/model_arg.h"
#include "run.h"
#include "program/base/stopwatch.h"

/** How far a run has come, besides what the library keeps. */
typedef struct cmd_way {
    long k;                /**< outputs so far, besides that of the start */
    long rows;             /**< in the file of the trajectory */
    long happened;         /**< events */
    double g, gv, worst_k; /**< drift */
    double cpu_s, wall_s;
} cmd_way;

/** What was read: a whole file. */
typedef struct cmd_saved {
    char *bytes;
    size_t size;
    cmd_way way;
    const char *trajectory; /**< [trajectory_size] in bytes */
    size_t trajectory_size;
    int argc;             /**< words of the command line, `solve` first, in bytes as all texts are */
    char **argv;          /**< [argc] */
    char *happened;       /**< list of them as JSON; "": none */
    char *folder;         /**< where they were said */
    char fingerprint[32]; /**< of the model's files */
} cmd_saved;

/** Of a run. Zeroed: none are written. */
typedef struct cmd_checkpoint {
    const char *file; /**< NULL: none */
    double every_s;   /**< between two writings, at least */
    long steps;       /**< from moment to moment */
    int argc;         /**< as in cmd_saved */
    char **argv;
    cmd_out *trajectory; /**< its file; without a stream: none */
    long *rows;          /**< in it */
    json_t *happened;    /**< events so far, those that are kept; NULL: none are */
    long *n_happened;    /**< all of them */
    char fingerprint[32];
    double written;        /**< wall clock [s] when it was written last, or the run began */
    int is_failing;        /**< the last writing failed, which was said */
    int is_there;          /**< the file has a state of this run */
    const cmd_saved *from; /**< to go on from; NULL: from the start */
} cmd_checkpoint;

/** How far it has come, while the watch stands still; and to go on from there. */
cmd_way cmd_way_of(long k, const cmd_row *row, const bench_stopwatch *watch);
void cmd_way_give(const cmd_way *way, cmd_row *row, bench_stopwatch *watch);

/** A state. */
typedef struct cmd_state_bytes {
    void *bytes; /**< [size] free() it; NULL: none */
    size_t size;
    int is_due; /**< to be written */
} cmd_state_bytes;

/** Leave the handles and go on with new ones, with this monitor. Where they cannot be started the old ones stay, in an
 *  interrupted run as well. @return 0; -1 without memory */
int cmd_checkpoint_pass(const cmd_checkpoint *c, const cmd_way *way, const cmd_job *job, cmd_handles *handles,
                        resida_monitor_fn *monitor, void *user, cmd_state_bytes *state);

/** Contents of the files that the model is made of: "" where it is built in and takes none.
 *  @return 0; CMD_EXIT_IO after one complaint */
int cmd_checkpoint_fingerprint(const cmd_model *model, char fingerprint[32]);

/** Write the file, whole or not at all. @return 0; else a complaint was made, and what was there is there still */
int cmd_checkpoint_write(cmd_checkpoint *c, const void *bytes, size_t size);

/** Read it. @return 0; CMD_EXIT_USAGE, _IO, _FAILED after one complaint. To be freed in any case */
int cmd_saved_read(cmd_saved *s, const char *file);
void cmd_saved_free(cmd_saved *s);

/** Put back the rows so far. @return 0; CMD_EXIT_IO after one complaint */
int cmd_saved_restore(const cmd_saved *s, cmd_checkpoint *c);

#endif
