/* whereabouts.h - finds the callback, and its model, that is being executed. */
#ifndef CMD_WHEREABOUTS_H
#define CMD_WHEREABOUTS_H

#include <resida/model.h>

/** A callback and its model. NULL: unknown callback; then model is the one opened last. */
typedef struct cmd_place {
    const char *callback, *model;
    int is_ours; /**< 1 if no callback is being executed, but the library or the command */
} cmd_place;

/** Set the outermost frame of the thread whose stack is searched. */
void cmd_whereabouts_begin(const void *frame);

/** Register a model, which need not be created yet, with its word on the command line. All arguments must remain valid
 *  until the model is removed. */
void cmd_whereabouts_add(const resida_model_class *cls, const resida_model *model, const char *word);
void cmd_whereabouts_remove(const resida_model *model);

/** Return the innermost callback that this thread executes. May be called in a signal handler. */
cmd_place cmd_whereabouts_find(void);

#endif
