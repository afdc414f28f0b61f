/* watchdog.h - ends the process if the model prevents its normal end: a callback does not return, crashes, or calls
 * exit(). Results computed so far are kept. */
#ifndef CMD_WATCHDOG_H
#define CMD_WATCHDOG_H

#include "whereabouts.h"

typedef enum cmd_cause {
    CMD_CAUSE_SIGNAL, /**< a signal requested the end, and a callback did not return */
    CMD_CAUSE_TIME,   /**< the time limit was exceeded, and a callback did not return */
    CMD_CAUSE_CRASH,
    CMD_CAUSE_EXIT
} cmd_cause;

/** The reason for ending the process. */
typedef struct cmd_end {
    cmd_cause cause;
    int signal;      /**< the signal of the request or of the crash */
    cmd_place place; /**< the callback that is being executed */
    char text[160];  /**< "residual() crashes: signal 11 (Segmentation fault)" */
} cmd_end;

/** A function that writes the results computed so far, while the model's code does not return. It is called once by the
 *  watchdog or within exit(). @return exit code of the process */
typedef int cmd_ending_fn(void *self, const cmd_end *end);

/** Grace period in seconds for the model's code after a signal or the time limit. */
enum { CMD_GRACE_S = 5 };

/** Start the watchdog. @return 0; -1 if no thread can be created: then nothing is watched */
int cmd_watchdog_start(void);

/** Enter or leave the code of a model. If the process must end in between, `ending` is called once. Then neither
 *  function returns. */
void cmd_watchdog_enter(cmd_ending_fn *ending, void *self);
void cmd_watchdog_leave(void);

/** Set the time (bench_wall_s()) at which the run should end; INFINITY for no limit. */
void cmd_watchdog_deadline(double wall_s);

/** Suspend the watchdog until the next cmd_watchdog_enter(). No code of a model runs, and writing results may take any
 *  time. */
void cmd_watchdog_suspend(void);

/** Allow exit(), because the process ends normally. */
void cmd_watchdog_allow_exit(void);

/** Let the watchdog check for a signal or a crash. Safe in a signal handler. */
void cmd_watchdog_wake(void);

/** End the process after a crash or a call of exit(). The first function is for signal handlers and does not return.
 *  The second returns if the process ends normally. */
void cmd_watchdog_crashed(int signal, cmd_place place);
void cmd_watchdog_exits(cmd_place place);

/** Attribute crashes to a plugin, because one is open. */
void cmd_watchdog_set_plugin(void);

#endif
