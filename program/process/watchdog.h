/* watchdog.h - ends the process where the model does not let it end by itself: a callback that never returns, crashes,
 * or calls exit(). What is finished by then is kept. */
#ifndef CMD_WATCHDOG_H
#define CMD_WATCHDOG_H

#include "whereabouts.h"

typedef enum cmd_cause {
    CMD_CAUSE_SIGNAL, /**< it was told to stop, and did not */
    CMD_CAUSE_TIME,   /**< the same, by the clock */
    CMD_CAUSE_CRASH,
    CMD_CAUSE_EXIT
} cmd_cause;

/** Why the process is ended. */
typedef struct cmd_end {
    cmd_cause cause;
    int signal;      /**< that told it to stop, or of the crash */
    cmd_place place; /**< where the model's code is */
    char text[160];  /**< "residual() crashes: signal 11 (Segmentation fault)" */
} cmd_end;

/** What to do with what is finished, while the model's code stands still or never returns: called once, in a thread of
 *  its own or in exit(). @return exit code of the process */
typedef int cmd_ending_fn(void *self, const cmd_end *end);

/** Seconds that the model's code has to return after a signal or the time limit. */
enum { CMD_GRACE_S = 5 };

/** Begin to watch. @return 0; -1 where there is no thread to be had, and nothing is watched */
int cmd_watchdog_start(void);

/** From here on the model's code runs; should it have to be ended, call this first, once. And until here: what belongs
 *  to `self` is the caller's again. Does not return when the process is being ended. */
void cmd_watchdog_enter(cmd_ending_fn *ending, void *self);
void cmd_watchdog_leave(void);

/** The run should be over at this time (bench_wall_s()); INFINITY: no limit. */
void cmd_watchdog_deadline(double wall_s);

/** No code of a model runs any more, what is left is to write results, however long that takes. Until the next
 *  enter. */
void cmd_watchdog_rest(void);

/** The process ends by itself: exit() is all right now. */
void cmd_watchdog_done(void);

/** Look whether it was told to stop, or crashed. Safe in a signal handler. */
void cmd_watchdog_wake(void);

/** End the process for a crash or exit(); the first form, for signal handlers, does not return, the second one returns
 *  when the process does end by itself. */
void cmd_watchdog_crashed(int signal, cmd_place place);
void cmd_watchdog_exits(cmd_place place);

/** A plugin is open: its crash is not ours. */
void cmd_watchdog_blames_plugin(void);

#endif
