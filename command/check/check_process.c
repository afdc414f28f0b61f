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

static const struct timespec patience = {.tv_nsec = 1000000}; /* between two looks at the other process */

/** What both processes see. */
typedef struct shared {
    char stage[CMD_CHECK_STAGE];    /**< check that is under way */
    char callback[CMD_CHECK_STAGE]; /**< that is tried, "": none */
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
    (void)cmd_watchdog_start(); /* names the callback that crashes, ends the process, or does not return */
    seen->result = it->checks(r);
    seen->failed = r->failed;
    seen->code = r->code;
    seen->done = 1;
    cmd_watchdog_done();
    return CMD_EXIT_OK; /* what the command has opened is closed by the command */
}

/** 1: the same check has been under way for much longer than the time limit. */
static int is_late(const shared *seen, double limit, char stage[CMD_CHECK_STAGE], double *since)
{
    double now = bench_wall_s();
    if (strncmp(stage, seen->stage, CMD_CHECK_STAGE) != 0) {
        memcpy(stage, seen->stage, CMD_CHECK_STAGE);
        *since = now;
    }
    return now > *since + limit + 2 * CMD_GRACE_S; /* it has a watchdog of its own, which knows more */
}

/** Wait, hand on a signal that only this process got, and end what does not end. @return as bench_subprocess_end() */
static int wait_for(bench_subprocess *child, const shared *seen, double limit)
{
    char stage[CMD_CHECK_STAGE] = "";
    double since = bench_wall_s();
    int told = 0;
    while (!bench_subprocess_has_ended(child)) {
        if (cmd_signal_caught() && !told) told = 1, kill(child->pid, cmd_signal_caught());
        if (is_late(seen, limit, stage, &since)) kill(child->pid, SIGKILL);
        (void)nanosleep(&patience, NULL);
    }
    return bench_subprocess_end(child);
}

static void report_end(cmd_report_work *r, const shared *seen, int how)
{
    const char *in = seen->callback[0] ? " in " : "", *callback = seen->callback;
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
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
    int how = wait_for(&child, seen, cmd_given_or(r->settings->time_limit, INFINITY)), result = 0;
    if (seen->done) {
        r->failed += seen->failed;
        r->code = seen->code;
        result = seen->result;
    } else if (cmd_signal_caught()) {
        result = 128 + cmd_signal_caught();
    } else {
        report_end(r, seen, how);
    }
    munmap(seen, sizeof *seen);
    return result;
}
