/* hand_out.c - distributes cases. One process owns the file and knows which cases have rows. A free process receives
 * the next case without a row, so that a long case does not delay others. A row depends only on its case, and not on
 * the distribution.
 *
 * Messages of ranks: rank 0 receives a result, head and values, or an empty message that requests a case. Rank 0 sends
 * the number of a case, or -1 for the end. */
#include "hand_out.h"

#include "pool.h"

#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/run/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PATIENCE_S = 0.25; /* max. wait between two attempts to commit rows */
enum { ALL = -1 };                     /* no more cases */

/** The state of the distribution. */
typedef struct round {
    cmd_sweep_work *sweep;
    cmd_store *store;
    long next;           /**< each case before this one has a row or is running */
    cmd_sweep_case last; /**< the last result received */
    cmd_progress progress;
} round_of_cases;

static void begin_round(round_of_cases *r, cmd_sweep_work *sweep, cmd_store *store)
{
    *r = (round_of_cases){.sweep = sweep, .store = store};
    cmd_progress_begin(&r->progress, "sweep", 0, (double)sweep->plan.n_cases, sweep->settings->quiet);
    r->progress.what = "case ";
    r->progress.unit = "";
}

static void end_round(round_of_cases *r)
{
    cmd_progress_erase(&r->progress);
    cmd_case_free(&r->last);
}

/** Return the next case without a row, or ALL. */
static long next_case(round_of_cases *r)
{
    while (r->next < r->sweep->plan.n_cases && cmd_store_has(r->store, r->next)) r->next++;
    return r->next < r->sweep->plan.n_cases ? r->next++ : ALL;
}

static int store_row(round_of_cases *r)
{
    int code = cmd_store_put(r->store, r->sweep, &r->last);
    cmd_progress_show(&r->progress, (double)r->store->n_done);
    return code;
}

/** Give a case to every free process. */
static int assign_cases(round_of_cases *r, cmd_pool *pool)
{
    int code = 0;
    while (code == 0 && cmd_pool_is_free(pool)) {
        const long number = next_case(r);
        if (number == ALL) break;
        code = cmd_pool_assign(pool, number);
    }
    return code;
}

int cmd_run_cases_locally(cmd_sweep_work *sweep, cmd_store *store, int jobs)
{
    round_of_cases r;
    cmd_pool pool;
    const long left = sweep->plan.n_cases - store->n_done;
    if (left == 0) return 0;
    begin_round(&r, sweep, store);
    int code = cmd_pool_open(&pool, sweep, jobs < left ? jobs : (int)left, store->lock);
    while (code == 0) {
        code = assign_cases(&r, &pool);
        if (code != 0 || !cmd_pool_is_busy(&pool)) break;
        const int came = cmd_pool_wait(&pool, PATIENCE_S, &r.last);
        if (came < 0) code = -came;
        if (came > 0) code = store_row(&r);
        if (code == 0) code = cmd_store_commit(store, 0);
        if (code == 0 && cmd_signal_caught()) code = 128 + cmd_signal_caught();
    }
    cmd_pool_close(&pool);
    end_round(&r);
    return code;
}

/** Receive a message into *c. @return 1 for a result; 0 for a request; -1 without memory */
static int receive_message(const cmd_ranks *ranks, cmd_sweep_case *c, size_t n, int from)
{
    char *bytes = malloc(n + 1);
    if (!bytes) return -1;
    ranks->module->receive(bytes, n, from);
    if (n >= sizeof c->head) {
        memcpy(&c->head, bytes, sizeof c->head);
        if (cmd_case_reserve(c, c->head.n_outputs, c->head.n_state) != 0) n = 0;
        if (n > sizeof c->head) memcpy(c->values, bytes + sizeof c->head, n - sizeof c->head);
    }
    free(bytes);
    return n >= sizeof c->head;
}

static void send_case_number(const cmd_ranks *ranks, long number, int to)
{
    const int64_t word = number;
    ranks->module->send(&word, sizeof word, to);
}

int cmd_run_cases_by_ranks(cmd_sweep_work *sweep, cmd_store *store, const cmd_ranks *ranks)
{
    round_of_cases r;
    int code = 0, from = 0;
    size_t n = 0;
    begin_round(&r, sweep, store);
    for (int busy = ranks->n - 1; busy > 0 && code == 0;) {
        if (cmd_ranks_wait(ranks, PATIENCE_S, &n, &from)) {
            const int came = receive_message(ranks, &r.last, n, from);
            const long number = next_case(&r);
            send_case_number(ranks, number, from); /* first, so that the rank does not wait for the file */
            busy -= number == ALL;
            if (came < 0) code = cmd_no_memory();
            if (came > 0) code = store_row(&r);
        }
        if (code == 0) code = cmd_store_commit(store, 0);
        if (code == 0 && cmd_signal_caught()) code = 128 + cmd_signal_caught();
    }
    end_round(&r);
    return code;
}

/** Send a result to rank 0. @return 0; -1 without memory */
static int send_result(const cmd_ranks *ranks, const cmd_sweep_case *c)
{
    const size_t n = ((size_t)c->head.n_outputs + (size_t)c->head.n_state) * sizeof *c->values;
    char *bytes = malloc(sizeof c->head + n);
    if (!bytes) return -1;
    memcpy(bytes, &c->head, sizeof c->head);
    if (n > 0) memcpy(bytes + sizeof c->head, c->values, n);
    ranks->module->send(bytes, sizeof c->head + n, 0);
    free(bytes);
    return 0;
}

/** Return the next case from rank 0; ALL at the end or after a signal. */
static long request_case(const cmd_ranks *ranks)
{
    size_t n = 0;
    int from = 0;
    int64_t number = ALL;
    while (!cmd_signal_caught())
        if (cmd_ranks_wait(ranks, PATIENCE_S, &n, &from)) {
            ranks->module->receive(&number, sizeof number, from);
            break;
        }
    return (long)number;
}

int cmd_run_assigned_cases(cmd_sweep_work *sweep, const cmd_ranks *ranks)
{
    cmd_pool pool;
    cmd_sweep_case c = {.room = 0};
    int code = cmd_pool_open(&pool, sweep, 1, -1);
    if (code == 0) ranks->module->send("", 0, 0);
    for (long number; code == 0 && (number = request_case(ranks)) != ALL;) {
        int came = 0;
        code = cmd_pool_assign(&pool, number);
        while (code == 0 && came == 0 && !cmd_signal_caught()) came = cmd_pool_wait(&pool, PATIENCE_S, &c);
        if (came < 0) code = -came;
        if (came > 0 && send_result(ranks, &c) != 0) code = cmd_no_memory();
    }
    cmd_pool_close(&pool);
    cmd_case_free(&c);
    return code == 0 && cmd_signal_caught() ? 128 + cmd_signal_caught() : code;
}
