/* check_process.c - the checks of a model in a process of their own. A model that is wrong may write where it must not,
 * divide a pointer, or call exit(): the process ends, and the one that waits for it says so and with which check. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check.h"

#include "program/process/stopwatch.h"
#include "program/process/subprocess.h"
#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/process/watchdog.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

/* Seconds without progress: a callback that is tried alone, and a check, or a step of a run, as a whole. Of both a
 * model for which it is too short takes hours to be checked. --time-limit sets another one. */
enum { CALL_LIMIT_S = 10, CHECK_LIMIT_S = 600 };

static const struct timespec patience = {.tv_nsec = 1000000}; /* between two looks at the other process */

/** What both processes see. */
typedef struct shared {
    char stage[CMD_CHECK_STAGE];    /**< check that is under way */
    char callback[CMD_CHECK_STAGE]; /**< that is tried, "": none */
    long progress;                  /**< counts as the report does */
    int done;                       /**< the other process has come to its end */
    int failed, code, result;       /**< then: as in the report, and what the checks returned */
} shared;

/** Which checks the other process runs. */
typedef struct task {
    cmd_report_work *report;
    cmd_checks_fn *checks;
    shared *seen;
} task;

static int run_there(int socket, void *context)
{
    (void)socket;
    const task *it = context;
    cmd_report_work *r = it->report;
    shared *seen = it->seen;
    r->stage = seen->stage;
    r->callback = seen->callback;
    r->progress = &seen->progress;
    (void)cmd_watchdog_start(); /* names the callback that crashes, ends the process, or does not return */
    seen->result = it->checks(r);
    seen->failed = r->failed;
    seen->code = r->code;
    seen->done = 1;
    cmd_watchdog_done();
    return CMD_EXIT_OK; /* what the command has opened is closed by the command */
}

/** What was seen of the other process when it last made progress. */
typedef struct watched {
    char stage[CMD_CHECK_STAGE];
    long progress;
    double since, limit; /**< [s]; NaN: no limit was given */
    int is_late;         /**< it has made none for longer than the limit, and was told to stop */
} watched;

/** 1: no progress for longer than the limit. A limit that is given is that of a check as a whole. */
static int has_stalled(watched *w, const shared *seen)
{
    const int is_given = !isnan(w->limit), has_progress = !is_given && w->progress != seen->progress;
    const double limit = is_given ? w->limit : seen->callback[0] ? CALL_LIMIT_S : CHECK_LIMIT_S;
    const double now = bench_wall_s();
    if (has_progress || strncmp(w->stage, seen->stage, CMD_CHECK_STAGE) != 0) {
        memcpy(w->stage, seen->stage, CMD_CHECK_STAGE);
        w->progress = seen->progress;
        w->since = now;
    }
    return now > w->since + limit + 2 * CMD_GRACE_S; /* it has a watchdog of its own, which knows more */
}

/** Wait for the child, and forward a signal that only this process received. A child past its limit first gets a
 *  signal, so that its watchdog names the callback; then it is killed. @return as bench_subprocess_end() */
static int wait_for(bench_subprocess *child, const shared *seen, watched *w)
{
    int told = 0;
    w->since = bench_wall_s();
    while (!bench_subprocess_has_ended(child)) {
        if (cmd_signal_caught() && !told) told = 1, kill(child->pid, cmd_signal_caught());
        if (has_stalled(w, seen)) {
            kill(child->pid, w->is_late ? SIGKILL : SIGTERM);
            w->is_late = 1;
            w->since = bench_wall_s();
        }
        (void)nanosleep(&patience, NULL);
    }
    return bench_subprocess_end(child);
}

static void report_end(cmd_report_work *r, const shared *seen, int is_late, int how)
{
    const char *in = seen->callback[0] ? " in " : "", *callback = seen->callback;
    if (is_late || (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL))
        cmd_report_verdict(r, seen->stage, 0, "the process that ran this check did not end in time%s%s", in, callback);
    else if (WIFSIGNALED(how))
        cmd_report_verdict(r, seen->stage, 0, "the process that ran this check was ended%s%s by signal %d (%s)", in,
                           callback, WTERMSIG(how), strsignal(WTERMSIG(how)));
    else
        cmd_report_verdict(r, seen->stage, 0, "the model ended the process that ran this check%s%s, exit code %d", in,
                           callback, WEXITSTATUS(how));
}

int cmd_check_apart(cmd_report_work *r, cmd_checks_fn *checks)
{
    shared *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_subprocess child;
    task it = {r, checks, seen};
    if (seen == MAP_FAILED || bench_subprocess_start(&child, run_there, &it) != 0) {
        cmd_report_verdict(r, "process", 0, "cannot begin a process for the checks: %s", strerror(errno));
        if (seen != MAP_FAILED) munmap(seen, sizeof *seen);
        return 0;
    }
    cmd_watchdog_rest(); /* the model's code runs elsewhere */
    watched w = {.limit = r->settings->time_limit};
    int how = wait_for(&child, seen, &w), result = 0;
    if (seen->done && !w.is_late) {
        r->failed += seen->failed;
        r->code = seen->code;
        result = seen->result;
    } else if (cmd_signal_caught()) {
        result = 128 + cmd_signal_caught();
    } else {
        report_end(r, seen, w.is_late, how);
    }
    munmap(seen, sizeof *seen);
    return result;
}
