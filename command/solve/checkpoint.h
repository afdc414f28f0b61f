/* checkpoint.h - a run that another process can continue: `solve --checkpoint FILE`, `resume FILE`.
 *
 * At each checkpoint moment the run replaces its handles by new handles that load its state (resida/checkpoint.h).
 * These moments depend only on the number of steps. An interrupted run continues from the same bytes; therefore both
 * runs have the same bits. The file is written at such moments, but not more often than the given interval in seconds.
 * The clock determines which state is in the file, but does not affect the results. */
#ifndef CMD_CHECKPOINT_H
#define CMD_CHECKPOINT_H

#include <jansson.h>

#include "program/files/out_file.h"
#include "program/cli/model_arg.h"
#include "program/run/moments.h"
#include "program/run/run.h"

/** The contents of a checkpoint file. */
typedef struct cmd_saved {
    char *bytes;
    size_t size;
    cmd_way way;
    const char *trajectory; /**< [trajectory_size] rows of the trajectory, within bytes */
    size_t trajectory_size;
    int argc;             /**< number of words of the command line, `solve` first; all texts are within bytes */
    char **argv;          /**< [argc] */
    char *happened;       /**< list of events as JSON, "" if there are none */
    char *folder;         /**< working directory of that command */
    char fingerprint[32]; /**< fingerprint of the model's files */
} cmd_saved;

/** The checkpoints of a run. */
typedef struct cmd_checkpoint {
    cmd_moments moments; /**< callbacks of the job */
    const char *file;
    double every_s; /**< min. interval between two writes [s] */
    int argc;       /**< as in cmd_saved */
    char **argv;
    cmd_out *trajectory; /**< file of the trajectory; without a stream there is none */
    long *rows;          /**< number of rows in the trajectory */
    json_t *happened;    /**< events so far, NULL if they are not recorded */
    long *n_happened;    /**< number of all events */
    char fingerprint[32];
    double written;        /**< wall clock [s] of the last write, or of the start of the run */
    int is_failing;        /**< the last write failed, which has been reported */
    int is_there;          /**< the file contains a state of this run */
    const cmd_saved *from; /**< checkpoint from which to continue; NULL: from the start */
} cmd_checkpoint;

/** The callbacks of the job, with the cmd_checkpoint as `self`. */
extern const cmd_moments cmd_moments_of_checkpoint;

/** Compute a fingerprint of the model and its files, if any. @return 0; CMD_EXIT_IO after one complaint */
int cmd_checkpoint_fingerprint(const cmd_model *model, char fingerprint[32]);

/** Read a checkpoint file, to be freed in any case. @return 0; CMD_EXIT_USAGE, _IO or _FAILED after one complaint */
int cmd_saved_read(cmd_saved *s, const char *file);
void cmd_saved_free(cmd_saved *s);

#endif
