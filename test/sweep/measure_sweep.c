/* measure_sweep.c - what a sweep costs beside its cases. Not a test: figures of doc/sweeps.md.
 *
 *     measure_sweep PLAN.json
 *
 * runs the cases in this process without a file, then by a process of a pool into a file, some times in turn, and says
 * by how much that takes longer by the clock, and how much more of the processors; the latter counts on a machine that
 * has other things to do. Then it plays ranks that answer at once, with empty results of that plan, and says how
 * many cases rank 0 hands out and writes in a second. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "program/process/stopwatch.h"
#include "program/base/number.h"
#include "command/cli/own_options.h"
#include "command/sweep/hand_out.h"

enum { TURNS = 7, RANKS = 8 };
static const char path[] = "measure_sweep.db";

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Of the processors, by this process and those of pools that have ended. */
static double processor_s(void)
{
    const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage r;
        getrusage(who[i], &r);
        sum +=
            (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    }
    return sum;
}

static double here(cmd_sweep_work *w)
{
    cmd_sweep_case c = {.room = 0};
    const double from = bench_wall_s();
    for (long k = 0; k < w->plan.n_cases; k++) cmd_case_run(w, k, &c);
    cmd_case_free(&c);
    return bench_wall_s() - from;
}

static double by_pool(cmd_sweep_work *w)
{
    cmd_store store;
    unlink(path);
    if (cmd_store_open(&store, path, w) != 0) exit(1);
    const double from = bench_wall_s();
    if (cmd_run_cases_locally(w, &store, 1) != 0 || cmd_store_close(&store) != 0) exit(1);
    return bench_wall_s() - from;
}

/* Ranks that answer at once: what they were told last, and how many have been told of the end. */
static int64_t told[RANKS];
static int asked[RANKS], at;
static cmd_sweep_work *played;
static double zeros[1 << 12];

static void send_number(const void *bytes, size_t n, int to)
{
    memcpy(&told[to], bytes, n);
    asked[to] = 1;
}

static int has_words(size_t *n, int *from)
{
    for (int i = 1; i < RANKS; i++) {
        const int rank = 1 + (at + i) % (RANKS - 1);
        if (asked[rank] && told[rank] < 0) continue;
        at = rank - 1;
        *from = rank;
        *n = asked[rank] ? sizeof(cmd_case_head) + ((size_t)played->n_outputs + 4) * sizeof *zeros : 0;
        return 1;
    }
    return 0;
}

static void receive_row(void *bytes, size_t n, int from)
{
    cmd_sweep_case c = {.values = zeros};
    if (n == 0) return;
    cmd_case_clear(&c, (long)told[from]);
    c.head.n_outputs = played->n_outputs;
    c.head.n_state = 4;
    memcpy(bytes, &c.head, sizeof c.head);
    memcpy((char *)bytes + sizeof c.head, zeros, n - sizeof c.head);
}

static const cmd_ranks_module play = {
    .size = sizeof play, .send = send_number, .probe = has_words, .receive = receive_row};

static double by_ranks(cmd_sweep_work *w)
{
    cmd_store store;
    const cmd_ranks ranks = {.module = &play, .n = RANKS};
    played = w;
    memset(asked, 0, sizeof asked);
    unlink(path);
    if (cmd_store_open(&store, path, w) != 0) exit(1);
    const double from = bench_wall_s();
    if (cmd_run_cases_by_ranks(w, &store, &ranks) != 0 || cmd_store_close(&store) != 0) exit(1);
    return bench_wall_s() - from;
}

int main(int argc, char **argv)
{
    double alone[TURNS], ratios[TURNS], shares[TURNS];
    cmd_settings s;
    if (argc < 2) return 2;
    char name[] = "sweep", *words[] = {name, argv[1], NULL};
    cmd_options_prepare(cmd_own_options, cmd_n_own_options);
    cmd_number_use_point();
    if (cmd_settings_parse(&s, "sweep", CMD_SWEEP, 2, words) != 0) return 2;
    cmd_sweep_work w = {.settings = &s};
    if (cmd_plan_load(&w.plan, argv[1], NULL) != 0 || cmd_sweep_open(&w) != 0) return 2;
    by_pool(&w); /* finds the columns, warms up */
    for (int i = 0; i < TURNS; i++) {
        const double before = processor_s();
        alone[i] = here(&w);
        const double between = processor_s();
        ratios[i] = by_pool(&w) / alone[i];
        shares[i] = (processor_s() - between) / (between - before);
    }
    qsort(alone, TURNS, sizeof *alone, by_size);
    qsort(ratios, TURNS, sizeof *ratios, by_size);
    qsort(shares, TURNS, sizeof *shares, by_size);
    const double n = (double)w.plan.n_cases;
    printf("%g cases of %.3g ms by a process and a file: %+.2f %% by the clock (%+.2f to %+.2f), %+.2f %% of the "
           "processor (%+.2f to %+.2f)\n",
           n, 1e3 * alone[TURNS / 2] / n, 100 * (ratios[TURNS / 2] - 1), 100 * (ratios[0] - 1),
           100 * (ratios[TURNS - 1] - 1), 100 * (shares[TURNS / 2] - 1), 100 * (shares[0] - 1),
           100 * (shares[TURNS - 1] - 1));
    const double from = processor_s(), wall = by_ranks(&w);
    printf("rank 0: %.3g cases in a second by the clock, %.3g of its processor\n", n / wall,
           n / (processor_s() - from));
    cmd_sweep_close(&w);
    cmd_settings_free(&s);
    unlink(path);
    return 0;
}
