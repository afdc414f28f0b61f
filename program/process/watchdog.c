/* watchdog.c - a thread that sleeps until the process is to end. The code of a model cannot be stopped, but another
 * thread can write the results computed so far and end the process.
 *
 * `owner` is the thread that may use the results: the command, or the watchdog while the model's code runs. It changes
 * by compare and exchange; the thread that is too late waits for the end. The grace period is counted in slices of
 * sleep, not by the clock: a stopped process (Ctrl-Z) keeps the rest of its grace period. A slice is the timeout of
 * poll(), which does not depend on the system time. A byte in a pipe wakes the thread.
 *
 * The thread may meet a corrupted heap or a lock that is never released. Therefore an alarm is set, whose handler uses
 * neither. */
#include "watchdog.h"

#include "program/base/complain.h"
#include "last_words.h"
#include "signals.h"
#include "stopwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OF_COMMAND, OF_MODEL, OF_WATCHDOG };
enum {
    SLICES_PER_S = 10,
    GRACE = CMD_GRACE_S * SLICES_PER_S,
    HANDOVER = SLICES_PER_S,
    ANSWER = 3 * SLICES_PER_S, /* a busy machine may be slow */
    SLICE_MS = 1000 / SLICES_PER_S
};

/** Time in seconds to write the results. Then the alarm ends the process. */
enum { ENDING_S = 20 };

static int wake[2], answer[2]; /* pipes with one byte for each event */
static sem_t begun;
static pthread_t runner, watcher; /* thread of the command and the model; thread of the watchdog */
static pid_t process;             /* forked children are not watched */
static atomic_int owner, resting, done, blames_plugin;
static _Atomic double deadline;
static cmd_ending_fn *volatile ending;
static void *volatile ending_self;

/* Written by a handler before it writes the byte. */
static volatile sig_atomic_t crash;
static cmd_place place;

/** Wake a thread through its pipe. A full pipe wakes it, too. Safe in a signal handler. */
static void wake_thread(const int pipe_[2])
{
    const int kept = errno;
    const ssize_t written = write(pipe_[1], "", 1);
    (void)written;
    errno = kept;
}

void cmd_watchdog_wake(void)
{
    if (process == getpid()) wake_thread(wake);
}

/** Wait forever while another thread ends the process. */
static void wait_for_end(void)
{
    for (;;) pause();
}

static int change_owner(int from, int to)
{
    return atomic_compare_exchange_strong(&owner, &from, to);
}

void cmd_watchdog_enter(cmd_ending_fn *fn, void *self)
{
    if (process != getpid()) return;
    ending = fn;
    ending_self = self;
    atomic_store(&resting, 0);
    if (!change_owner(OF_COMMAND, OF_MODEL)) wait_for_end();
}

void cmd_watchdog_leave(void)
{
    if (process != getpid()) return;
    if (!change_owner(OF_MODEL, OF_COMMAND)) wait_for_end();
}

void cmd_watchdog_deadline(double wall_s)
{
    atomic_store(&deadline, wall_s);
    cmd_watchdog_wake();
}

void cmd_watchdog_suspend(void)
{
    atomic_store(&resting, 1);
}

void cmd_watchdog_allow_exit(void)
{
    atomic_store(&done, 1);
}

void cmd_watchdog_set_plugin(void)
{
    atomic_store(&blames_plugin, 1);
}

/** Describe the cause of the end in end->text. */
static void describe_cause(cmd_end *end)
{
    const char *callback = end->place.callback;
    char who[64];
    snprintf(who, sizeof who, "%s%s", callback ? callback : "the model", callback ? "()" : "");
    if (end->cause == CMD_CAUSE_CRASH)
        snprintf(end->text, sizeof end->text, "%s crashes: signal %d (%s)", who, end->signal, strsignal(end->signal));
    else if (end->cause == CMD_CAUSE_EXIT)
        snprintf(end->text, sizeof end->text, "%s ends the process", who);
    else if (end->place.is_ours) /* not for a crash in the library, which the model may have caused */
        snprintf(end->text, sizeof end->text,
                 "no callback of the model was found on the stack: the library itself is busy, "
                 "or a callback ended in a tail call");
    else
        snprintf(end->text, sizeof end->text, "%s has not returned for %d s", who, CMD_GRACE_S);
}

/** End without a function of the command: write one line, and flush earlier output. */
static int end_with_one_line(const cmd_end *end)
{
    int code = end->cause == CMD_CAUSE_SIGNAL ? 128 + end->signal : CMD_EXIT_FAILED;
    if (ftrylockfile(stdout) == 0) {
        if (fflush(stdout) != 0) code = CMD_EXIT_IO;
        funlockfile(stdout);
    }
    const char *why = end->cause == CMD_CAUSE_SIGNAL ? "interrupted: "
                      : end->cause == CMD_CAUSE_TIME ? "the time limit is exceeded: "
                                                     : "";
    const char *model = end->place.model;
    return cmd_complain(code, "%s%s%s%s", model ? model : "", model ? ": " : "", why, end->text);
}

/** End the process. No other function does. A crash without a plugin ends it by its signal, with a core file if
 *  enabled. */
static void end_process(cmd_end *end)
{
    cmd_crash_set_alarm(ENDING_S, end->cause == CMD_CAUSE_SIGNAL ? 128 + end->signal : CMD_EXIT_FAILED);
    describe_cause(end);
    int is_ours = change_owner(OF_MODEL, OF_WATCHDOG);
    if (!is_ours) atomic_store(&owner, OF_WATCHDOG);
    int code = is_ours && ending ? ending(ending_self, end) : end_with_one_line(end);
    cmd_signals_remove_now(); /* the thread of the run may be about to rename the file */
    if (end->cause == CMD_CAUSE_CRASH && !atomic_load(&blames_plugin)) cmd_crash_raise_default(end->signal);
    _exit(code);
}

void cmd_watchdog_crashed(int signal, cmd_place where)
{
    if (pthread_equal(pthread_self(), watcher)) cmd_crash_exit_now();
    if (atomic_load(&owner) == OF_WATCHDOG || crash) wait_for_end();
    place = where;
    crash = signal;
    wake_thread(wake);
    wait_for_end();
}

void cmd_watchdog_exits(cmd_place where)
{
    if (atomic_load(&done) || process != getpid()) return;
    cmd_end end = {.cause = CMD_CAUSE_EXIT, .place = where};
    end_process(&end);
}

/** Signal handler: report the callback of this thread to the watchdog. */
static void report_callback(int number)
{
    (void)number;
    int kept = errno;
    place = cmd_whereabouts_find();
    wake_thread(answer);
    errno = kept;
}

/** Wait for a slice, or forever if timeout_ms is -1. @return 1 after the timeout, 0 after an event */
static int wait_for_event(const int pipe_[2], int timeout_ms)
{
    char byte;
    struct pollfd what = {.fd = pipe_[0], .events = POLLIN};
    const int n = poll(&what, 1, timeout_ms);
    if (n > 0 && read(pipe_[0], &byte, 1) < 0) return 0;
    return n == 0;
}

/** Find the callback that the runner executes. It is unknown if the runner does not answer. */
static cmd_place request_callback(void)
{
    struct sigaction ask = {.sa_handler = report_callback, .sa_flags = SA_RESTART};
    sigaction(SIGURG, &ask, NULL);
    if (pthread_kill(runner, SIGURG) != 0) return (cmd_place){.callback = NULL};
    for (int slices = 0; slices < ANSWER; slices++)
        if (!wait_for_event(answer, SLICE_MS)) return place;
    return (cmd_place){.callback = NULL};
}

/** Return 1 if the process must end now, with the cause in *end; else 0. */
static int must_end_process(cmd_end *end)
{
    end->signal = cmd_signal_caught();
    end->cause = end->signal ? CMD_CAUSE_SIGNAL : CMD_CAUSE_TIME;
    return !atomic_load(&resting) && (end->signal || bench_wall_s() > atomic_load(&deadline));
}

static void end_after_crash(void)
{
    cmd_end end = {.cause = CMD_CAUSE_CRASH, .signal = crash, .place = place};
    end_process(&end);
}

/** Sleep until an event. With a deadline or a signal, sleep for one slice only. */
static int sleep_until_event(void)
{
    const int is_watched = isfinite(atomic_load(&deadline)) || cmd_signal_caught();
    return wait_for_event(wake, is_watched ? SLICE_MS : -1);
}

static void *run_watchdog(void *nothing)
{
    int slices = 0; /* number of slices since the end was due */
    sem_post(&begun);
    for (;;) {
        cmd_end end = {.signal = 0};
        int over = sleep_until_event();
        if (crash) end_after_crash();
        slices = must_end_process(&end) ? slices + over : 0;
        if (slices < GRACE) continue;
        if (atomic_load(&owner) != OF_MODEL && slices < GRACE + HANDOVER) continue; /* a row may be in progress */
        end.place = request_callback();
        if (must_end_process(&end)) end_process(&end);
    }
    return nothing;
}

/** Open a pipe with nonblocking ends. */
static int open_pipe(int pipe_[2])
{
    if (pipe(pipe_) != 0) return -1;
    for (int i = 0; i < 2; i++)
        if (fcntl(pipe_[i], F_SETFL, O_NONBLOCK) != 0 || fcntl(pipe_[i], F_SETFD, FD_CLOEXEC) != 0) return -1;
    return 0;
}

int cmd_watchdog_start(void)
{
    sigset_t all, before;
    process = getpid();
    runner = pthread_self();
    atomic_store(&deadline, INFINITY);
    cmd_whereabouts_begin(__builtin_frame_address(0));
    if (open_pipe(wake) != 0 || open_pipe(answer) != 0 || sem_init(&begun, 0, 0) != 0) return -1;
    sigfillset(&all); /* the runner gets all signals except crashes of this thread */
    for (const int *number = cmd_crash_signals; *number; number++) sigdelset(&all, *number);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&watcher, NULL, run_watchdog, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) return -1;
    pthread_detach(watcher);
    while (sem_wait(&begun) != 0 && errno == EINTR)
        continue; /* after this a fork cannot copy a lock held by a starting thread */
    cmd_crash_install();
    return 0;
}
