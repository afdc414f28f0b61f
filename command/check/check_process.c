/* check_process.c - runs the checks of a model in a process of their own. A defective model may write to arbitrary
 * memory, use an invalid pointer, or call exit(). Then the process ends, and the parent process reports this with the
 * name of the current check. */
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

/* Limits in seconds without progress: for a callback that is called alone, and for a check or one step of a run. A
 * model that exceeds these limits would take hours to check. --time-limit sets another limit. */
enum { CALL_LIMIT_S = 10, CHECK_LIMIT_S = 600 };

static const struct timespec patience = {.tv_nsec = 1000000}; /* interval between two queries of the child process */

/** Memory shared with the child. */
typedef struct shared {
    char stage[CMD_CHECK_STAGE];    /**< name of the current check */
    char callback[CMD_CHECK_STAGE]; /**< name of the callback that is being called, "" if there is none */
    long progress;                  /**< progress counter of the report */
    int done;                       /**< 1 after the child process has completed the checks */
    int failed, code, result;       /**< valid if done: counters of the report, and the return value of the checks */
} shared;

/** The checks that the child process runs. */
typedef struct task {
    cmd_report_work *report;
    cmd_checks_fn *checks;
    shared *seen;
} task;

static int run_checks_in_child(int socket, void *context)
{
    (void)socket;
    const task *it = context;
    cmd_report_work *r = it->report;
    shared *seen = it->seen;
    r->stage = seen->stage;
    r->callback = seen->callback;
    r->progress = &seen->progress;
    (void)cmd_watchdog_start(); /* reports the callback that crashes, ends the process, or does not return */
    seen->result = it->checks(r);
    seen->failed = r->failed;
    seen->code = r->code;
    seen->done = 1;
    cmd_watchdog_allow_exit();
    return CMD_EXIT_OK; /* the command closes the files that it opened */
}

/** The state of the child at its last progress. */
typedef struct watched {
    char stage[CMD_CHECK_STAGE];
    long progress;
    double since, limit; /**< [s] time of the last progress, and limit; limit is NaN if the user set none */
    int is_late;         /**< the child made no progress within the limit, and received a signal to stop */
} watched;

/** Return 1 if the child made no progress within the limit. A limit of the user applies to a whole check. */
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
    return now > w->since + limit + 2 * CMD_GRACE_S; /* the child's own watchdog acts first, because it can name the
                                                      * callback */
}

/** Wait for the child, and forward signals to it. After the limit the child gets SIGTERM, so that its watchdog names
 *  the callback; then it is killed. @return as bench_subprocess_end() */
static int wait_for_child(bench_subprocess *child, const shared *seen, watched *w)
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
        cmd_report_result(r, seen->stage, 0, "the process of this check did not end in time%s%s", in, callback);
    else if (WIFSIGNALED(how))
        cmd_report_result(r, seen->stage, 0, "the process of this check was killed%s%s by signal %d (%s)", in, callback,
                          WTERMSIG(how), strsignal(WTERMSIG(how)));
    else
        cmd_report_result(r, seen->stage, 0, "the model ended the process of this check%s%s, exit code %d", in,
                          callback, WEXITSTATUS(how));
}

int cmd_check_in_process(cmd_report_work *r, cmd_checks_fn *checks)
{
    shared *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_subprocess child;
    task it = {r, checks, seen};
    if (seen == MAP_FAILED || bench_subprocess_start(&child, run_checks_in_child, &it) != 0) {
        cmd_report_result(r, "process", 0, "cannot start a process for the checks: %s", strerror(errno));
        if (seen != MAP_FAILED) munmap(seen, sizeof *seen);
        return 0;
    }
    cmd_watchdog_suspend(); /* the code of the model runs in the child process */
    watched w = {.limit = r->settings->time_limit};
    int how = wait_for_child(&child, seen, &w), result = 0;
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
