/* test_counters.c - what the built-in models cost by strategy "auto", counted, beside test/cost/counters.txt. A figure
 * that has grown by more than 3 % is a failure; so is one that has shrunk by that much until the table says so, or the
 * gain would be given away later unseen.
 *
 *     test_counters --renew       measure, and write test/cost/counters.txt anew; takes a minute
 *
 * One run scatters: tolerances changed in their 12th digit change the steps of a long run by some percent. So a figure
 * is the mean of runs at several tolerances, 0.8 to 1.25 times those of the model, and there are two kinds of cases.
 * Short runs end before rounding is amplified. Whole runs are as many as it takes; where a figure scatters still, which
 * --renew finds out by that 12th digit, or is a small count, it is loose: judged in the mean of all whole runs alone.
 * Times are no figures here. */
#include <errno.h>

#include "baseline.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/run_model.h"

#define TABLE RESIDA_TEST_FOLDER "/counters.txt"
#define RENEW "to renew the table, if this is meant: build/test/cost/test_counters --renew"

/** A case. end 0: the model's own; a model without formalisms has runs in the first one only. */
typedef struct counted_case {
    const char *model;
    double end;
    int runs[2]; /* residual, explicit */
    int which;   /* its parameter "case"; 0: as it is */
} counted_case;

static const counted_case cases[] = {
    {"pendulum", 3, .runs = {11, 11}},
    {"chain", 20, .runs = {11, 11}},
    {"chain-cartesian", 20, .runs = {11, 16}},
    {"andrews", 0.009, .runs = {22, 22}},
    {"car-axis", 0.3, .runs = {22, 30}},
    {"slider-crank", 1, .runs = {11, 11}},
    {"train", 1, .runs = {44, 44}},
    {"rear-axle", 0.25, .runs = {11, 11}},
    {"car", 0.5, .runs = {22, 22}},
    {"double-wishbone", 0.3, .runs = {11, 11}},
    {"train", 0.3, .runs = {11, 11}, .which = 3},
    {"car", 0.2, .runs = {11, 11}, .which = 2},
    {"beam-cantilever", 0.3, .runs = {22, 0}},
    {"tip-crank", 0.05, .runs = {6, 0}},
    {"robertson", 1e6, .runs = {11, 0}},
    /* whole runs */
    {"pendulum", 0, .runs = {6, 8}},
    {"chain", 0, .runs = {12, 12}},
    {"chain-cartesian", 0, .runs = {5, 5}},
    {"andrews", 0, .runs = {40, 40}},
    {"car-axis", 0, .runs = {12, 16}},
    {"slider-crank", 0, .runs = {8, 8}},
    {"slider-crank-flexible", 0, .runs = {6, 8}},
    {"train", 0, .runs = {6, 6}},
    {"rear-axle", 0, .runs = {14, 14}},
    {"car", 0, .runs = {20, 20}},
    {"double-wishbone", 0, .runs = {4, 4}},
    {"train", 0, .runs = {3, 3}, .which = 3},
    {"car", 0, .runs = {4, 4}, .which = 2},
    {"akzo", 0, .runs = {11, 0}},
    {"robertson", 0, .runs = {16, 0}},
};
enum { N_CASES = sizeof cases / sizeof cases[0], REPEATS = 8 };

/** A figure is loose when it scatters by more than this: the bound must be five times that. */
static const double max_scatter = 0.006;

static const char *const columns[] = {"model", "formalism",   "end_s", "runs",
                                      "calls", "evaluations", "steps", "factorisations"};
enum { N_WORDS = 4, N_FIGURES = 4 };

static const char heading[] = "# What a run costs by strategy \"auto\": residual calls in total, evaluations of J, "
                              "steps, factorisations; each the mean\n"
                              "# of so many runs, at 0.8 to 1.25 times the tolerances of the model. In parentheses: "
                              "scatters by rounding, judged in the\n"
                              "# mean of all whole runs alone. Written by: build/test/cost/test_counters --renew\n";

static baseline empty_table(void)
{
    return (baseline){.heading = heading, .columns = columns, .n_words = N_WORDS, .n_figures = N_FIGURES};
}

/* One run: counters [N_FIGURES]. */
static void count_run(const run_order *order, double *figure)
{
    run_result r = run_model(*order);
    const resida_stats *s = &r.stats;
    if (r.status < 0) fail_msg("%s: %s", order->model, r.message);
    figure[0] = (double)s->residual_calls.total;
    figure[1] = (double)(s->jacobian_evaluations.dense + s->jacobian_evaluations.coloured);
    figure[2] = (double)s->steps;
    figure[3] = (double)s->factorisations;
    run_free(&r);
}

/* The mean of counts. One that depends on the tolerance, and is so small that one more would show, is loose. */
static void take_mean(int runs, const double *counts, int k, baseline_row *row)
{
    double sum = 0, least = INFINITY, most = 0;
    for (const double *c = counts + k; c < counts + (ptrdiff_t)runs * N_FIGURES; c += N_FIGURES) {
        sum += *c;
        least = fmin(least, *c);
        most = fmax(most, *c);
    }
    row->figure[k] = sum / runs;
    row->loose[k] = most > least && 100 / sum > BASELINE_PERCENT / 2;
}

/* The mean over the tolerances of a case; `nudge` goes to their last digits. */
static void measure_case(const counted_case *c, int formalism, double nudge, baseline_row *row)
{
    static const char *const names[] = {"residual", "explicit"};
    const int runs = c->runs[formalism];
    bench b;
    bench_open(&b, c->model, NULL);
    const resida_model *m = &b.model;
    run_order order = {.model = c->model,
                       .settings = {{c->which > 0 ? "case" : NULL, c->which}},
                       .t_end = c->end > 0 ? c->end : m->t_end,
                       .outputs = 1};
    if (!m->is_dae) order.formalism = formalism == 0 ? RESIDA_FORMALISM_RESIDUAL : RESIDA_FORMALISM_EXPLICIT;
    memset(row, 0, sizeof *row);
    char which[32] = "";
    if (c->which > 0) snprintf(which, sizeof which, ",case=%d", c->which);
    snprintf(row->key, sizeof row->key, "%s%s %s %g %d", c->model, which, m->is_dae ? "-" : names[formalism],
             order.t_end, runs);
    double *counts = bench_doubles((long)runs * N_FIGURES);
    for (int i = 0; i < runs; i++) {
        const double factor = 0.8 * pow(1.25 / 0.8, i / (runs - 1.0)) * (1 + nudge);
        order.rtol = factor * m->rtol;
        order.atol = factor * m->atol;
        count_run(&order, counts + (ptrdiff_t)i * N_FIGURES);
    }
    for (int k = 0; k < N_FIGURES; k++) take_mean(runs, counts, k, row);
    bench_close(&b);
}

/* All cases. @return the first row of a whole run */
static int measure(double nudge, baseline *b)
{
    int whole = -1;
    *b = empty_table();
    for (int i = 0; i < N_CASES; i++)
        for (int f = 0; f < 2; f++) {
            if (cases[i].runs[f] == 0) continue;
            if (whole < 0 && !(cases[i].end > 0)) whole = b->n_rows;
            assert_true(b->n_rows < BASELINE_MAX_ROWS);
            measure_case(&cases[i], f, nudge, &b->row[b->n_rows++]);
        }
    return whole;
}

/* --- renewal --- */

/* The mean of all repeats, and whether it scatters. */
static void settle(const baseline *repeat, baseline *b)
{
    *b = repeat[0];
    for (int i = 0; i < b->n_rows; i++)
        for (int k = 0; k < N_FIGURES; k++) {
            double mean = 0, square = 0;
            for (int r = 0; r < REPEATS; r++) mean += repeat[r].row[i].figure[k] / REPEATS;
            for (int r = 0; r < REPEATS; r++) square += pow(repeat[r].row[i].figure[k] - mean, 2);
            b->row[i].figure[k] = mean;
            b->row[i].loose[k] |= sqrt(square / (REPEATS - 1)) > max_scatter * mean;
        }
}

static int renew(void)
{
    static baseline repeat[REPEATS], b;
    for (int r = 0; r < REPEATS; r++) {
        printf("%d of %d\n", r + 1, REPEATS);
        fflush(stdout);
        measure(1e-12 * r, &repeat[r]);
    }
    settle(repeat, &b);
    if (baseline_write(&b, TABLE) < 0) {
        fprintf(stderr, "%s: %s\n", TABLE, strerror(errno));
        return 1;
    }
    printf("written: %s\n", TABLE);
    return 0;
}

/* --- the claims --- */

static baseline then, now;
static int first_whole;
static char text[BASELINE_TEXT];

static int read_and_measure(void **state)
{
    then = empty_table();
    if (baseline_read(&then, TABLE, text) < 0) {
        print_error("%s\n%s\n", text, RENEW);
        return -1;
    }
    first_whole = measure(0, &now);
    return 0;
}

static void nothing_costs_3_percent_more(void **state)
{
    baseline_expect_none(&then, &now, 1, TABLE, RENEW);
}

static void no_gain_of_3_percent_is_left_out_of_the_table(void **state)
{
    baseline_expect_none(&then, &now, -1, TABLE, RENEW);
}

static void table_has_no_other_cases(void **state)
{
    for (int i = 0; i < then.n_rows; i++)
        if (!baseline_find(&now, then.row[i].key)) fail_msg("%s: no such case: %s\n%s", TABLE, then.row[i].key, RENEW);
}

static void whole_runs_together_cost_what_they_did(void **state)
{
    for (int k = 0; k < N_FIGURES; k++) {
        const double percent = baseline_mean_percent(&then, &now, first_whole, k);
        print_message("whole runs, mean of all: %s %+.2f %%\n", columns[N_WORDS + k], percent);
        if (!(fabs(percent) <= BASELINE_PERCENT))
            fail_msg("whole runs, mean of all: %s %+.1f %% beside %s\n%s", columns[N_WORDS + k], percent, TABLE, RENEW);
    }
}

/* Most figures must be judged by themselves, or the table says little. */
static void few_figures_are_loose(void **state)
{
    int loose = 0;
    for (int i = 0; i < then.n_rows; i++)
        for (int k = 0; k < N_FIGURES; k++) loose += then.row[i].loose[k];
    assert_in_range(loose, 0, then.n_rows * N_FIGURES * 3 / 10);
    for (int i = 0; i < then.n_rows; i++)
        if (then.row[i].loose[0] && first_whole > i)
            fail_msg("a short run scatters, end it earlier: %s", then.row[i].key);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--renew") == 0) return renew();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_costs_3_percent_more), cmocka_unit_test(no_gain_of_3_percent_is_left_out_of_the_table),
        cmocka_unit_test(table_has_no_other_cases),     cmocka_unit_test(whole_runs_together_cost_what_they_did),
        cmocka_unit_test(few_figures_are_loose),
    };
    return cmocka_run_group_tests(tests, read_and_measure, NULL);
}
