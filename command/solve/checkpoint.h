/* checkpoint.h - a run that can go on in another process: `solve --checkpoint FILE`, `resume FILE`.
 *
 * At each moment, which is counted in steps and in nothing else, the run leaves its handles and goes on with new ones
 * that have loaded its state (resida/checkpoint.h). A run that was interrupted goes on from the same bytes; so both
 * have the same bits. The file is written at such moments, but not more often than asked for in seconds: clocks
 * decide what is in the file, never what is computed. */
#ifndef CMD_CHECKPOINT_H
#define CMD_CHECKPOINT_H

#include <jansson.h>

#include "program/files/out_file.h"
#include "program/cli/model_arg.h"
#include "program/run/moments.h"
#include "program/run/run.h"

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

/** Of a run. */
typedef struct cmd_checkpoint {
    cmd_moments moments; /**< of its job */
    const char *file;
    double every_s; /**< between two writings, at least */
    int argc;       /**< as in cmd_saved */
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

/** What its job calls, which `self` is. */
extern const cmd_moments cmd_moments_of_checkpoint;

/** Contents of the files that the model is made of: "" where it is built in and takes none.
 *  @return 0; CMD_EXIT_IO after one complaint */
int cmd_checkpoint_fingerprint(const cmd_model *model, char fingerprint[32]);

/** Read it. @return 0; CMD_EXIT_USAGE, _IO, _FAILED after one complaint. To be freed in any case */
int cmd_saved_read(cmd_saved *s, const char *file);
void cmd_saved_free(cmd_saved *s);

#endif
