/* watchdog.h - ends the process where the model does not let it end by itself: a callback that never returns, crashes,
 * or calls exit(). What is finished by then is kept. */
#ifndef BENCH_WATCHDOG_H
#define BENCH_WATCHDOG_H

#include "whereabouts.h"

typedef enum bench_cause {
    BENCH_CAUSE_SIGNAL, /**< it was told to stop, and did not */
    BENCH_CAUSE_TIME,   /**< the same, by the clock */
    BENCH_CAUSE_CRASH,
    BENCH_CAUSE_EXIT
} bench_cause;

/** Why the process is ended. */
typedef struct bench_end {
    bench_cause cause;
    int signal;        /**< that told it to stop, or of the crash */
    bench_place place; /**< where the model's code is */
    char text[160];    /**< "residual() crashes: signal 11 (Segmentation fault)" */
} bench_end;

/** What to do with what is finished, while the model's code stands still or never returns: called once, in a thread of
 *  its own or in exit(). @return exit code of the process */
typedef int bench_ending_fn(void *self, const bench_end *end);

/** Seconds that the model's code has to return after a signal or the time limit. */
enum { BENCH_GRACE_S = 5 };

/** Begin to watch. @return 0; -1 where there is no thread to be had, and nothing is watched */
int bench_watchdog_start(void);

/** From here on the model's code runs; should it have to be ended, call this first, once. And until here: what belongs
 *  to `self` is the caller's again. Does not return when the process is being ended. */
void bench_watchdog_enter(bench_ending_fn *ending, void *self);
void bench_watchdog_leave(void);

/** The run should be over at this time (bench_wall_s()); INFINITY: no limit. */
void bench_watchdog_deadline(double wall_s);

/** No code of a model runs any more, what is left is to write results, however long that takes. Until the next
 *  enter. */
void bench_watchdog_rest(void);

/** The process ends by itself: exit() is all right now. */
void bench_watchdog_done(void);

/** Look whether it was told to stop, or crashed. Safe in a signal handler. */
void bench_watchdog_wake(void);

/** End the process for a crash or exit(); the first form, for signal handlers, does not return, the second one returns
 *  when the process does end by itself. */
void bench_watchdog_crashed(int signal, bench_place place);
void bench_watchdog_exits(bench_place place);

/** A plugin is open: its crash is not ours. */
void bench_watchdog_blames_plugin(void);

#endif
