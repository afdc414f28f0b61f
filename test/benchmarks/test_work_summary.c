/* test_work_summary.c - resida beside the fastest peer, from curves that can be computed in the head. On work = c
 * error^-q the straight line in logarithms is exact, so every ratio is that of the factors c. */
#include "test/fixtures/claims.h"
#include "benchmarks/work_precision/work_summary.h"

enum { ROWS = 2, METHODS_MAX = 4 };

/** A method whose runs have the errors from .. to and the works c error^-1/2. */
typedef struct line {
    const rsd_peer *peer;
    double from, to, cpu_s; /**< cpu_s at an error of 1 */
    long calls, steps;      /**< of every run */
} line;

typedef struct world {
    cmd_method methods[METHODS_MAX];
    cmd_row rows[METHODS_MAX][ROWS];
    cmd_point hulls[METHODS_MAX][CMD_N_WORKS][ROWS];
    resida_model_class cls;
    cmd_study study;
} world;

static cmd_row row_of(const line *l, double error)
{
    cmd_row row = {.outcome = CMD_OK};
    row.error.p = error;
    row.cpu_s.median = l->cpu_s / sqrt(error);
    row.stats.residual_calls.total = l->calls;
    row.stats.steps = l->steps;
    return row;
}

static cmd_study *study_of(world *w, const line *lines, int n)
{
    *w = (world){.cls.name = "made-up"};
    for (int k = 0; k < n; k++) {
        w->rows[k][0] = row_of(&lines[k], lines[k].from);
        w->rows[k][1] = row_of(&lines[k], lines[k].to);
        w->methods[k] = (cmd_method){.jacobian = "auto", .peer = lines[k].peer, .rows = w->rows[k], .n_rows = ROWS};
        w->methods[k].call_s = 1e-6;
        for (int i = 0; i < CMD_N_WORKS; i++) w->methods[k].curves[i].hull = w->hulls[k][i];
    }
    w->study = (cmd_study){.methods = w->methods, .n_methods = n};
    w->study.reference.model.cls = &w->cls;
    strcpy(w->study.reference.source, "the head");
    cmd_study_curves(&w->study);
    return &w->study;
}

static cmd_summary summary_of(world *w, const line *lines, int n)
{
    cmd_summary s = {0};
    const cmd_model model = {.cls = &w->cls};
    assert_int_equal(cmd_summary_take(&s, study_of(w, lines, n), &model, 0), 0);
    assert_int_equal(s.n, 1);
    claims_own(s.lines, free);
    return s;
}

static void expect_ratio(double ratio, double expected)
{
    if (!(fabs(ratio / expected - 1) < 1e-12)) fail_msg("%g, not %g", ratio, expected);
}

static const rsd_peer *ida(void)
{
    return rsd_peer_find("ida");
}

CLAIM(the_ratio_is_that_of_the_curves_at_each_error)
{
    static world w;
    const line lines[] = {{NULL, 1e-2, 1e-8, 3, 100, 50}, {ida(), 1e-1, 1e-9, 2, 400, 40}};
    cmd_summary s = summary_of(&w, lines, 2);
    for (int i = 0; i < CMD_N_LEVELS; i++) {
        const cmd_versus *v = &s.lines[0].at[i];
        assert_string_equal(v->peer, "ida");
        expect_ratio(cmd_versus_ratio(v, CMD_CPU), 1.5);
        expect_ratio(cmd_versus_ratio(v, CMD_CALLS), 0.25);
        expect_ratio(cmd_versus_ratio(v, CMD_STEPS), 1.25);
        expect_ratio(v->own[CMD_CPU], 3 / sqrt(cmd_levels[i]));
    }
    assert_string_equal(s.lines[0].reference, "the head");
}

CLAIM(the_fastest_rival_is_named_and_one_with_formulas_is_none)
{
    static world w;
    const rsd_peer *formulas = rsd_peer_find("ida+analytic"), *other = NULL;
    for (int i = 0; i < rsd_peer_count(); i++)
        if (rsd_peer_at(i) != ida() && cmd_is_rival(rsd_peer_at(i))) other = rsd_peer_at(i);
    assert_false(cmd_is_rival(formulas));
    assert_false(cmd_is_rival(NULL));
    const line own = {NULL, 1e-2, 1e-8, 3, 1, 1}, given = {formulas, 1e-2, 1e-8, 1, 1, 1};
    const line slow = {ida(), 1e-2, 1e-8, 4, 1, 1}, fast = {other, 1e-2, 1e-5, 2, 1, 1};
    for (int turn = 0; turn < 2; turn++) {
        const line both[] = {own, turn ? fast : slow, turn ? slow : fast, given}, one[] = {own, given, slow};
        cmd_summary s = other ? summary_of(&w, both, 4) : summary_of(&w, one, 3);
        assert_string_equal(s.lines[0].at[0].peer, other ? rsd_peer_name(other) : "ida");
        assert_string_equal(s.lines[0].at[4].peer, "ida"); /* the other one does not get to 1e-7 */
        expect_ratio(cmd_versus_ratio(&s.lines[0].at[0], CMD_CPU), other ? 1.5 : 0.75);
        expect_ratio(cmd_versus_ratio(&s.lines[0].at[4], CMD_CPU), 0.75);
    }
}

static void expect_left_out(const cmd_versus *v, const char *words)
{
    assert_null(v->peer);
    assert_true(isnan(cmd_versus_ratio(v, CMD_CPU)));
    if (!strstr(v->not_compared, words)) fail_msg("no \"%s\" in %s", words, v->not_compared);
}

/* resida is known from 2e-4 to 2e-7, ida from 2e-3 to 2e-6. */
CLAIM(what_one_side_does_not_reach_has_a_reason_and_no_ratio)
{
    static world w;
    const line lines[] = {{NULL, 2e-4, 2e-7, 1, 1, 1}, {ida(), 2e-3, 2e-6, 2, 1, 1}};
    cmd_summary s = summary_of(&w, lines, 2);
    const cmd_versus *at = s.lines[0].at;
    expect_left_out(&at[0], "resida auto: the error at the loosest tolerance that counts is only 2.0e-04");
    expect_ratio(cmd_versus_ratio(&at[1], CMD_CPU), 0.5);
    expect_ratio(cmd_versus_ratio(&at[2], CMD_CPU), 0.5);
    expect_left_out(&at[3], "ida: the minimum error is 2.0e-06");
    expect_left_out(&at[4], "resida auto: the minimum error is 2.0e-07");
    expect_ratio(cmd_summary_mean(&s.lines[0], CMD_CPU), 0.5);
    cmd_table table;
    cmd_summary_fill_left_out(&s, &table);
    assert_int_equal(cmd_table_rows(&table), 3);
    cmd_table_free(&table);
}

CLAIM(without_peers_nothing_is_compared)
{
    static world w;
    const line lines[] = {{NULL, 1e-2, 1e-8, 1, 1, 1}};
    cmd_summary s = summary_of(&w, lines, 1);
    expect_left_out(&s.lines[0].at[0], "no peer was measured");
    assert_true(isnan(cmd_summary_mean_all(&s, CMD_CPU)));
}

/* 0.5 over three errors and 8 over all five: (0.5 8)^(1/2) = 2, whatever the number of errors. */
CLAIM(each_model_counts_once_in_the_mean)
{
    static world w;
    const line few[] = {{NULL, 1e-3, 1e-5, 1, 1, 1}, {ida(), 1e-2, 1e-8, 2, 1, 1}};
    const line all[] = {{NULL, 1e-2, 1e-8, 8, 1, 1}, {ida(), 1e-2, 1e-8, 1, 1, 1}};
    const cmd_model model = {.cls = &w.cls};
    cmd_summary s = summary_of(&w, few, 2);
    claims_disown(s.lines); /* which grow */
    assert_int_equal(cmd_summary_leave_out(&s, "not run", "takes too long"), 0);
    assert_int_equal(cmd_summary_take(&s, study_of(&w, all, 2), &model, 0), 0);
    expect_ratio(cmd_summary_mean(&s.lines[0], CMD_CPU), 0.5);
    expect_left_out(&s.lines[1].at[2], "takes too long");
    assert_true(isnan(cmd_summary_mean(&s.lines[1], CMD_CPU)));
    expect_ratio(cmd_summary_mean_all(&s, CMD_CPU), 2);
    cmd_summary_free(&s);
}

/** A study that was ended keeps its code, and its model is left out. */
CLAIM(a_study_that_is_not_over_has_no_ratio)
{
    static world w;
    const line lines[] = {{NULL, 1e-2, 1e-8, 3, 1, 1}, {ida(), 1e-2, 1e-8, 2, 1, 1}};
    const cmd_model model = {.cls = &w.cls};
    cmd_summary s = {0};
    assert_int_equal(cmd_summary_take(&s, study_of(&w, lines, 2), &model, 130), 130);
    expect_left_out(&s.lines[0].at[2], "its runs are incomplete");
    cmd_summary_free(&s);
}

/* 1e-4 .. 1e-7 with a ratio of 1.5, then of 1 s beside 560 s; without any, nothing is said of a worst one. */
CLAIM(words_say_how_many_are_slower_and_by_how_much)
{
    static world w;
    char text[CMD_REASON_SIZE];
    const line lines[] = {{NULL, 1e-4, 1e-8, 3, 1, 1}, {ida(), 1e-4, 1e-8, 2, 1, 1}},
               fast[] = {{NULL, 1e-4, 1e-8, 1, 1, 1}, {ida(), 1e-4, 1e-8, 560, 1, 1}},
               one[] = {{NULL, 1e-2, 1e-8, 1, 1, 1}};
    cmd_summary s = summary_of(&w, lines, 2);
    assert_string_equal(
        cmd_summary_words(&s, text),
        "4 of 5 errors of 1 model compared: resida is at least as fast as the fastest peer at 0 of them, and "
        "slower at 4; maximum ratio of the processor times 1.50, geometric mean over the models 1.50.");
    s = summary_of(&w, fast, 2);
    assert_non_null(strstr(cmd_summary_words(&s, text), "maximum ratio of the processor times 0.0018,"));
    s = summary_of(&w, one, 1);
    assert_string_equal(cmd_summary_words(&s, text), "0 of 5 errors of 1 model compared.");
}

/* At 1e-4: 3 s of 1000 steps and 2000 calls of 1 us beside 2 s of 500 steps and 4000 calls: 3 ms a step, 0.002 of it
 * calls; the difference of 1 s is -2 ms of calls and 1.002 s else. It vanishes when a call costs (2.998 - 1.996) s /
 * 2000. */
CLAIM(why_is_what_was_measured)
{
    static world w;
    char text[CMD_REASON_SIZE];
    const line lines[] = {{NULL, 1e-4, 1e-8, 0.03, 2000, 1000}, {ida(), 1e-4, 1e-8, 0.02, 4000, 500}};
    static const char *const words[] = {"calls: ratio 0.50;",
                                        "steps: ratio 2.00;",
                                        "step of resida: 3e+03 us, of which 0 % are 2 calls of 1 us",
                                        "step of the peer: 4e+03 us, of which 0 % are 8 calls of 1 us",
                                        "difference +1e+03 ms: calls -2, other work +1e+03",
                                        "equal times at 501 us per call"};
    cmd_summary s = summary_of(&w, lines, 2);
    cmd_versus_why(&s.lines[0].at[1], text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(text, words[i])) fail_msg("no \"%s\" in %s", words[i], text);
    cmd_table table;
    cmd_summary_fill_slower(&s, &table);
    assert_int_equal(cmd_table_rows(&table), 4); /* 1e-3 is not reached */
    assert_string_equal(cmd_table_at(&table, 0, 0), "made-up");
    assert_string_equal(cmd_table_at(&table, 0, 2), "1.50");
    cmd_table_free(&table);
}
