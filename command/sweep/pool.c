/* pool.c - worker processes. A worker is forked when its first case is assigned, and exists until the end. It reads
 * numbers of cases from a socket and writes their results to it; all other data date from the fork. A worker receives a
 * case when the previous one is complete, so that no worker is idle while cases wait.
 *
 * A worker can end during a case for three reasons: by the case itself (a row: "crashed"), by the time limit in a
 * callback that does not return (a row: "time limit"), or from outside (SIGKILL, SIGTERM: the case is started again, at
 * most three times in all). */
#include "pool.h"

#include "program/process/stopwatch.h"
#include "program/process/subprocess.h"
#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/process/watchdog.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ATTEMPTS = 3, MS_PER_S = 1000 };
static const double MIN_GRACE_S = 0.5;

/** Run cases in a worker until the socket is closed. */
static int run_worker(int socket, void *context)
{
    const cmd_pool *pool = context;
    cmd_sweep_case c = {.room = 0};
    int64_t number;
    cmd_signals_prepare_child();
    for (int i = 0; i < pool->n; i++)
        if (pool->workers[i].process.pid > 0) close(pool->workers[i].process.socket);
    if (pool->spared >= 0) close(pool->spared);
    while (bench_read_all(socket, &number, sizeof number) == 0) {
        cmd_case_run(pool->sweep, (long)number, &c);
        size_t n = 0;
        char *bytes = cmd_case_pack(&c, &n); /* one message, so that the other process wakes once */
        const int is_sent = bytes && bench_write_all(socket, bytes, n) == 0;
        free(bytes);
        if (!is_sent) break;
    }
    return CMD_EXIT_OK;
}

static int start_worker(cmd_pool *pool, cmd_worker *w)
{
    *w = (cmd_worker){.number = -1, .due = INFINITY};
    if (bench_subprocess_start(&w->process, run_worker, pool) == 0) return 0;
    return cmd_complain(CMD_EXIT_FAILED, "cannot start a process for cases: %s", strerror(errno));
}

int cmd_pool_open(cmd_pool *pool, cmd_sweep_work *sweep, int n, int spared)
{
    *pool = (cmd_pool){.sweep = sweep, .workers = calloc((size_t)n, sizeof *pool->workers), .spared = spared};
    if (!pool->workers) return cmd_no_memory();
    pool->n = n;
    for (int i = 0; i < n; i++) pool->workers[i].number = -1;
    return 0;
}

int cmd_pool_is_free(const cmd_pool *pool)
{
    for (int i = 0; i < pool->n; i++)
        if (pool->workers[i].number < 0) return 1;
    return 0;
}

int cmd_pool_is_busy(const cmd_pool *pool)
{
    for (int i = 0; i < pool->n; i++)
        if (pool->workers[i].number >= 0) return 1;
    return 0;
}

/** Return the time limit of a case in seconds, including the grace period of its callbacks, or INFINITY. If the plan
 *  sets limits, the settings of the case are parsed. */
static double get_max_case_time(const cmd_sweep_work *sweep, long number)
{
    cmd_settings s;
    char words[RESIDA_MESSAGE_SIZE] = "";
    double limit = sweep->settings->time_limit;
    for (int i = 0; i < sweep->plan.n_fixed + sweep->plan.n_axes && isnan(limit); i++) {
        const int is_fixed = i < sweep->plan.n_fixed;
        const cmd_axis *axis = is_fixed ? &sweep->plan.fixed[i] : &sweep->plan.axes[i - sweep->plan.n_fixed];
        if (strcmp(axis->name, "--time-limit") != 0) continue;
        cmd_complain_to_text(words, sizeof words);
        if (cmd_plan_settings(&sweep->plan, number, sweep->settings->argc, sweep->settings->argv, &s) == 0)
            limit = s.time_limit;
        cmd_settings_free(&s);
        cmd_complain_to_text(NULL, 0);
    }
    return isnan(limit) ? INFINITY : limit + fmin(fmax(limit, MIN_GRACE_S), CMD_GRACE_S);
}

/** Send a case to a worker, and start the worker if necessary. */
static int send_case(cmd_pool *pool, cmd_worker *w, long number, int attempts)
{
    const int64_t word = number;
    for (int i = 0; i < ATTEMPTS; i++) {
        int code = w->process.pid == 0 ? start_worker(pool, w) : 0;
        if (code != 0) return code;
        if (bench_write_all(w->process.socket, &word, sizeof word) == 0) break;
        bench_subprocess_end(&w->process); /* the worker was ended from outside while it had no case */
    }
    if (w->process.pid == 0) return cmd_complain(CMD_EXIT_FAILED, "the worker processes end before they get a case");
    w->number = number;
    w->attempts = attempts;
    w->began = bench_wall_s();
    w->due = w->began + get_max_case_time(pool->sweep, number);
    return 0;
}

int cmd_pool_assign(cmd_pool *pool, long number)
{
    int i = 0;
    while (pool->workers[i].number >= 0) i++;
    return send_case(pool, &pool->workers[i], number, 1);
}

/** Wait for the end of a worker, and reset its struct. @return its wait status */
static int wait_and_reset(cmd_worker *w)
{
    const int how = bench_subprocess_end(&w->process);
    *w = (cmd_worker){.number = -1, .due = INFINITY, .began = w->began, .attempts = w->attempts};
    return how;
}

/** Return 1 for a signal that comes from outside, because no case raises it. */
static int is_external_signal(int how)
{
    if (!WIFSIGNALED(how)) return 0;
    const int number = WTERMSIG(how);
    return number == SIGKILL || number == SIGTERM;
}

static void set_lost_result(cmd_sweep_case *c, const cmd_pool *pool, const cmd_worker *w, pid_t pid, long number)
{
    cmd_case_clear(c, number);
    c->head.seconds = bench_wall_s() - w->began;
    c->head.rank = pool->sweep->rank;
    c->head.pid = pid;
}

/** Handle a worker that ended during a case. @return as cmd_pool_wait() */
static int handle_ended_worker(cmd_pool *pool, cmd_worker *w, cmd_sweep_case *c)
{
    const long number = w->number;
    const pid_t pid = w->process.pid;
    const int how = wait_and_reset(w), is_outside = is_external_signal(how);
    if (number < 0) return 0;
    if (is_outside && w->attempts < ATTEMPTS && !cmd_signal_caught())
        return -send_case(pool, w, number, w->attempts + 1);
    set_lost_result(c, pool, w, pid, number);
    c->head.status = CMD_CASE_CRASHED;
    if (is_outside)
        snprintf(c->head.message, sizeof c->head.message,
                 "the process of the case was killed %d times (signal %d): out of memory?", ATTEMPTS, WTERMSIG(how));
    else if (WIFSIGNALED(how))
        snprintf(c->head.message, sizeof c->head.message, "crashes: signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    else
        snprintf(c->head.message, sizeof c->head.message, "the model ended the process with code %d", WEXITSTATUS(how));
    return 1;
}

/** Kill a worker that exceeded its time limit and did not stop. */
static int kill_overdue_worker(cmd_pool *pool, cmd_worker *w, cmd_sweep_case *c)
{
    const long number = w->number;
    const pid_t pid = w->process.pid;
    kill(pid, SIGKILL);
    wait_and_reset(w);
    set_lost_result(c, pool, w, pid, number);
    c->head.status = CMD_CASE_TIME;
    snprintf(c->head.code, sizeof c->head.code, "%s", resida_status_name(RESIDA_ERR_LIMIT_TIME));
    snprintf(c->head.message, sizeof c->head.message, "the time limit is exceeded, and a callback does not return");
    return 1;
}

/** Receive a result, or the end of a worker. */
static int receive_result(cmd_pool *pool, cmd_worker *w, cmd_sweep_case *c)
{
    if (bench_read_all(w->process.socket, &c->head, sizeof c->head) != 0) return handle_ended_worker(pool, w, c);
    const cmd_case_head head = c->head;
    if (cmd_case_reserve(c, head.n_outputs, head.n_state) != 0) return -cmd_no_memory();
    const size_t n = (size_t)head.n_outputs + (size_t)head.n_state;
    if (bench_read_all(w->process.socket, c->values, n * sizeof *c->values) != 0)
        return handle_ended_worker(pool, w, c);
    w->number = -1;
    w->due = INFINITY;
    return 1;
}

int cmd_pool_wait(cmd_pool *pool, double seconds, cmd_sweep_case *c)
{
    const double now = bench_wall_s();
    double until = now + seconds;
    struct pollfd *ends = calloc((size_t)pool->n, sizeof *ends);
    if (!ends) return -cmd_no_memory();
    for (int i = 0; i < pool->n; i++) {
        const cmd_worker *w = &pool->workers[i];
        ends[i] = (struct pollfd){.fd = w->number >= 0 ? w->process.socket : -1, .events = POLLIN};
        if (w->number >= 0) until = fmin(until, w->due);
    }
    int ready = poll(ends, (nfds_t)pool->n, (int)ceil(fmax(until - now, 0) * MS_PER_S)), code = 0;
    for (int i = 0; i < pool->n && ready > 0 && code == 0; i++)
        if (ends[i].revents) {
            code = receive_result(pool, &pool->workers[i], c);
            break;
        }
    free(ends);
    for (int i = 0; i < pool->n && ready == 0 && code == 0; i++)
        if (pool->workers[i].number >= 0 && bench_wall_s() > pool->workers[i].due)
            code = kill_overdue_worker(pool, &pool->workers[i], c);
    return code;
}

void cmd_pool_close(cmd_pool *pool)
{
    for (int i = 0; i < pool->n; i++)
        if (pool->workers[i].process.pid > 0) bench_subprocess_kill(&pool->workers[i].process);
    free(pool->workers);
    *pool = (cmd_pool){.spared = -1};
}
