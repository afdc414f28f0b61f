/* whereabouts.h - which callback of which model is under way. */
#ifndef CMD_WHEREABOUTS_H
#define CMD_WHEREABOUTS_H

#include <resida/model.h>

/** A callback. NULL: not known; the model is then the one that was opened last. */
typedef struct cmd_place {
    const char *callback, *model;
    int is_ours; /**< 1: no callback is under way: it is the library, or the command, that works */
} cmd_place;

/** Set the outermost frame of the thread whose stack is searched. */
void cmd_whereabouts_begin(const void *frame);

/** Models whose callbacks are looked for, made or not yet, with the words they were asked for by. All must live until
 *  they are removed. */
void cmd_whereabouts_add(const resida_model_class *cls, const resida_model *model, const char *word);
void cmd_whereabouts_remove(const resida_model *model);

/** The innermost callback that is under way in this thread; to be asked in a signal handler, too. */
cmd_place cmd_whereabouts(void);

#endif
