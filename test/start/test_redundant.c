/* test_redundant.c - redundant constraints through the public API: refused with their names, or dropped on request, and
 * then the motion is that without them. The mechanism, linkage.h, has rows that are known combinations of a few
 * functions b; C' lam are the multipliers of b, however they are shared among the rows.
 *
 * The motion is gentle and damped, so that its global error is a few tolerances, and two integrations of it with
 * different steps can be compared at 10 of them. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/linkage.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define RTOL  1e-6
#define T_END 3.0

enum { N = LINKAGE_N, N_BASE = LINKAGE_BASE, OUTPUTS = 25 };

static const linkage plain = {.n_g = 3, .C = {{1}, {0, 1}, {0, 0, 1}}, .names = {"left rod", "coupler", "right rod"}};

/* Every kind of redundancy, and several together. */
/* clang-format off */
static const linkage linkages[] = {
    {.n_g = 4, .C = {{1}, {0, 1}, {0, 0, 1}, {1}},
     .names = {"left", "coupler", "right", "copy"}, .redundant = {3}, .n_redundant = 1},
    {.n_g = 4, .C = {{1}, {0, 1}, {0, 2, -0.5}, {0, 0, 1}},
     .names = {"left", "coupler", "sum", "right"}, .redundant = {2}, .n_redundant = 1},
    {.n_g = 4, .C = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 1e6}},
     .names = {"left", "coupler", "right", "stiff"}, .redundant = {3}, .n_redundant = 1},
    {.n_g = 4, .C = {{0}, {1}, {0, 1}, {0, 0, 1}},
     .names = {"nothing", "left", "coupler", "right"}, .redundant = {0}, .n_redundant = 1},
    {.n_g = 4, .C = {{1}, {0, 1}, {0, 0, 1}, {1, 1e-10}},
     .names = {"left", "coupler", "right", "almost left"}, .redundant = {3}, .n_redundant = 1},
    {.n_g = 3, .n_h = 1, .C = {{1}, {0, 1}, {0, 0, 1}},
     .names = {"left", "coupler", "right", "left rate"}, .redundant = {3}, .n_redundant = 1},
    {.n_g = 6, .n_h = 1, .C = {{1}, {0, 1}, {0, 0, 1}, {0, 0, -3}, {0}, {1}},
     .names = {"left", "coupler", "right", "back", "nothing", "copy", "rate"},
     .redundant = {3, 4, 5, 6}, .n_redundant = 4},
};
/* clang-format on */
enum { N_LINKAGES = sizeof linkages / sizeof *linkages };

/* A solver on a linkage, and its last start. */
typedef struct runner {
    linkage k;
    resida_problem *problem;
    resida_solver *s;
    resida_start_report report;
} runner;

static void open_runner(runner *r, const linkage *k, const char *form, resida_formalism formalism)
{
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    r->k = *k;
    resida_mechanism m = linkage_mechanism(&r->k);
    po.form = form, po.formalism = formalism;
    r->problem = test_problem(&m, &po);
    so.rtol = so.atol = RTOL, so.t_stop = T_END;
    r->s = test_solver_of(r->problem, &so);
}

static resida_status start(runner *r, const double *p0, resida_redundant redundant)
{
    static const double v0[N] = {0};
    resida_start_options o = test_start_options();
    o.redundant = redundant;
    return resida_solver_start(r->s, 0, p0, v0, &o, &r->report);
}

/* The start fails with RESIDA_ERR_REDUNDANT as a failing call must. */
static void check_start_fails(runner *r, const double *p0, resida_redundant redundant)
{
    contract c;
    contract_begin(&c, r->s);
    resida_status status = start(r, p0, redundant);
    check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    assert_int_equal(status, RESIDA_ERR_REDUNDANT);
}

static void check_report(const runner *r)
{
    assert_int_equal(r->report.rank, 3);
    assert_int_equal(r->report.n_redundant, r->k.n_redundant);
    for (int i = 0; i < r->k.n_redundant; i++) assert_int_equal(r->report.redundant[i], r->k.redundant[i]);
}

static void for_all_linkages(void (*claim)(const linkage *k, resida_formalism formalism, const char *form))
{
    static const char *const forms[] = {"ggl", "index2"};
    for (int i = 0; i < N_LINKAGES; i++)
        for (int how = 0; how < 4; how++)
            claim(&linkages[i], how / 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL, forms[how % 2]);
}

/* 1: all redundant rows have a gradient of zero: they ask for nothing. */
static int asks_for_nothing(const linkage *k)
{
    int n = 0;
    for (int i = 0; i < k->n_redundant; i++)
        for (int j = 0; j < N_BASE; j++) n += k->redundant[i] >= k->n_g || k->C[k->redundant[i]][j] != 0;
    return n == 0;
}

static void refused_with_names(const linkage *k, resida_formalism formalism, const char *form)
{
    runner r;
    if (asks_for_nothing(k)) return;
    open_runner(&r, k, form, formalism);
    check_start_fails(&r, linkage_start, RESIDA_REDUNDANT_REFUSE);
    check_report(&r);
    const char *at = strchr(resida_solver_message(r.s), ':');
    for (int i = 0; i < k->n_redundant; i++) { /* in their order */
        char says[40] = " ";
        strcat(strcat(says, k->names[k->redundant[i]]), " =");
        at = at ? strstr(at, says) : NULL;
        if (!at) fail_msg("'%s' does not name '%s'", resida_solver_message(r.s), k->names[k->redundant[i]]);
    }
}

CLAIM(redundant_rows_are_refused_by_name_in_message_and_report)
{
    for_all_linkages(refused_with_names);
}

static void starts_without_rows_that_are_zero(const linkage *k, resida_formalism formalism, const char *form)
{
    runner r;
    if (!asks_for_nothing(k)) return;
    open_runner(&r, k, form, formalism);
    assert_int_equal(start(&r, linkage_start, RESIDA_REDUNDANT_REFUSE), RESIDA_OK);
    check_report(&r);
    assert_string_equal(test_stats(r.s).dropped_rows, k->names[k->redundant[0]]);
}

CLAIM(rows_without_a_gradient_are_left_out_unasked_and_named)
{
    for_all_linkages(starts_without_rows_that_are_zero);
}

CLAIM(the_message_says_how_a_row_follows)
{
    runner r;
    open_runner(&r, &linkages[1], "ggl", RESIDA_FORMALISM_AUTO);
    check_start_fails(&r, linkage_start, RESIDA_REDUNDANT_REFUSE);
    const char *says = resida_solver_message(r.s);
    print_message("%s\n", says);
    assert_string_equal(says, "linkage: 1 of 4 constraints redundant at t = 0: sum = -0.5 right + 2 coupler");
}

/* p, v and C' lam at OUTPUTS times up to t = 5. */
typedef struct trajectory {
    double state[OUTPUTS][2 * N], lam[OUTPUTS][N_BASE], lam_dropped, eta_dropped;
    long steps;
} trajectory;

static void take_state(const runner *r, int i, trajectory *out)
{
    resida_state at = test_state(r->s);
    memcpy(out->state[i], at.p, N * sizeof(double));
    memcpy(out->state[i] + N, at.v, N * sizeof(double));
    for (int j = 0; j < N_BASE; j++) out->lam[i][j] = 0;
    for (int row = 0; row < r->k.n_g; row++)
        for (int j = 0; j < N_BASE; j++) out->lam[i][j] += r->k.C[row][j] * at.lam[row];
    for (int k = 0; k < r->report.n_redundant; k++) {
        int row = r->report.redundant[k];
        out->lam_dropped = fmax(out->lam_dropped, fabs(at.lam[row]));
        if (at.eta && row < r->k.n_g) out->eta_dropped = fmax(out->eta_dropped, fabs(at.eta[row]));
    }
}

static trajectory integrate(const linkage *k, resida_formalism formalism, const char *form, const double *p0)
{
    runner r;
    trajectory out = {.lam_dropped = 0};
    open_runner(&r, k, form, formalism);
    if (start(&r, p0, RESIDA_REDUNDANT_DROP) != RESIDA_OK) fail_msg("%s", resida_solver_message(r.s));
    const char *message = resida_solver_message(r.s);
    assert_true(message[0] == 0 || strncmp(message, "warning: start: ", 16) == 0); /* p0 may be off the constraints */
    check_report(&r);
    for (int i = 0; i < OUTPUTS; i++) {
        if (resida_solver_advance(r.s, T_END * (i + 1) / OUTPUTS) != RESIDA_OK)
            fail_msg("%s", resida_solver_message(r.s));
        take_state(&r, i, &out);
    }
    out.steps = test_stats(r.s).steps;
    return out;
}

static double apart(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]) / (RTOL * fabs(y[i]) + RTOL));
    return most;
}

static double worst_state, worst_lam, worst_dropped;

static void same_motion(const linkage *k, resida_formalism formalism, const char *form)
{
    double p0[N];
    for (int i = 0; i < N; i++) p0[i] = linkage_start[i] + 1e-3 * (i - 1); /* to be projected */
    trajectory with = integrate(k, formalism, form, p0), without = integrate(&plain, formalism, form, p0);
    for (int i = 0; i < OUTPUTS; i++) {
        worst_state = fmax(worst_state, apart(2 * N, with.state[i], without.state[i]));
        worst_lam = fmax(worst_lam, apart(N_BASE, with.lam[i], without.lam[i]));
    }
    worst_dropped = fmax(worst_dropped, fmax(with.lam_dropped, with.eta_dropped));
}

CLAIM(dropped_rows_leave_the_motion_to_10_rtol_and_have_no_multiplier)
{
    worst_state = worst_lam = worst_dropped = 0;
    for_all_linkages(same_motion);
    print_message("p, v apart by %.2g tolerances, multipliers by %.2g; lam, eta of dropped rows: %g\n", worst_state,
                  worst_lam, worst_dropped);
    assert_true(worst_state <= 10);
    assert_true(worst_lam <= 100); /* not in the error test */
    assert_true(worst_dropped == 0);
}

/* All redundant rows of a kind, moved by more than rounding. */
static void check_contradiction(const linkage *k, int row, double offset, double rate)
{
    for (int f = 1; f <= 2; f++) {
        runner r;
        linkage moved = *k;
        char says[60] = "constraint ";
        moved.offset[row] = offset, moved.rate[row] = rate;
        open_runner(&r, &moved, "ggl", (resida_formalism)f);
        check_start_fails(&r, linkage_start, RESIDA_REDUNDANT_DROP);
        strcat(strcat(says, k->names[row]), " contradicts the others");
        if (!strstr(resida_solver_message(r.s), says)) fail_msg("%s", resida_solver_message(r.s));
    }
}

CLAIM(contradicting_rows_are_refused_by_name_even_if_they_may_be_dropped)
{
    static const double offsets[] = {1, -0.1, 1e-3, -1e-5};
    for (int i = 0; i < N_LINKAGES; i++)
        for (int o = 0; o < 4; o++) {
            const linkage *k = &linkages[i];
            if (k->redundant[0] >= k->n_g) continue; /* a nonholonomic row has no value */
            double size = 1 + fabs(k->C[k->redundant[0]][2]);
            check_contradiction(k, k->redundant[0], offsets[o] * size, 0);
            check_contradiction(k, k->redundant[0], 0, offsets[o] * size); /* equal at t = 0, but not later */
        }
}

CLAIM(a_row_that_is_1e_5_off_is_independent)
{
    linkage near = {.n_g = 4, .C = {{1}, {0, 1}, {0, 0, 1}, {1, 0, 0, 1e-5}}, .names = {"a", "b", "c", "d"}};
    linkage nearer = near;
    nearer.C[3][3] = 1e-10, nearer.redundant[0] = 3, nearer.n_redundant = 1;
    runner r;
    open_runner(&r, &near, "ggl", RESIDA_FORMALISM_AUTO);
    assert_int_equal(start(&r, linkage_start, RESIDA_REDUNDANT_REFUSE), RESIDA_OK);
    assert_int_equal(r.report.rank, 4);
    assert_int_equal(r.report.n_redundant, 0);
    open_runner(&r, &nearer, "ggl", RESIDA_FORMALISM_AUTO);
    check_start_fails(&r, linkage_start, RESIDA_REDUNDANT_REFUSE);
    check_report(&r);
}

/* What was dropped is decided by each start anew, and only by one that succeeds; where the rods lie in one line, two
 * of four rows are redundant. */
CLAIM(a_refused_start_after_a_good_one_keeps_the_integration)
{
    static const double in_line[N] = {1, 0, 2, 0};
    runner r, quiet;
    resida_state a, b;
    open_runner(&r, &linkages[0], "ggl", RESIDA_FORMALISM_AUTO);
    open_runner(&quiet, &linkages[0], "ggl", RESIDA_FORMALISM_AUTO);
    assert_int_equal(start(&r, linkage_start, RESIDA_REDUNDANT_DROP), RESIDA_OK);
    assert_int_equal(start(&quiet, linkage_start, RESIDA_REDUNDANT_DROP), RESIDA_OK);
    for (int i = 1; i <= 10; i++) {
        assert_int_equal(resida_solver_advance(r.s, 0.1 * i), RESIDA_OK);
        assert_int_equal(resida_solver_advance(quiet.s, 0.1 * i), RESIDA_OK);
        check_start_fails(&r, in_line, RESIDA_REDUNDANT_REFUSE);
        assert_int_equal(r.report.n_redundant, 2);
    }
    a = test_state(r.s);
    b = test_state(quiet.s);
    assert_memory_equal(a.y, b.y, (2 * N + 8) * sizeof(double));
}

CLAIM(problem_start_names_them_too_and_leaves_its_outputs)
{
    runner r;
    open_runner(&r, &linkages[6], "ggl", RESIDA_FORMALISM_AUTO);
    const double v0[N] = {0};
    double out[3 * N + 7];
    for (int i = 0; i < 3 * N + 7; i++) out[i] = i;
    resida_message why = {""};
    assert_int_equal(resida_problem_start(r.problem, 0, linkage_start, v0, NULL, out, out + N, out + 2 * N, out + 3 * N,
                                          &r.report, &why),
                     RESIDA_ERR_REDUNDANT);
    check_report(&r);
    for (int i = 0; i < 3 * N + 7; i++) assert_true(out[i] == i);
    print_message("%s\n", why.text);
    assert_non_null(strstr(why.text, "linkage: 4 of 7 constraints redundant"));
}

/* A point on two circles about (0, 0) and (1, 0). */
static int two_circles(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] * p[0] + p[1] * p[1] - 1, g[1] = (p[0] - 1) * (p[0] - 1) + p[1] * p[1] - 1;
    return 0;
}

/* On the line through both centres their gradients are parallel: (6, 0), (4, 0) at (3, 0), where g = (8, 3). */
CLAIM(a_guess_that_is_off_where_G_is_singular_is_not_called_redundant)
{
    const double p0[2] = {3, 0}, near[2] = {0.5, 0.9}, v0[2] = {0, 0};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = k.n_g = 2, k.residual = small_inert, k.constraint = two_circles;
    resida_solver *s = test_solver(&k, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_ERR_REDUNDANT);
    if (!strstr(resida_solver_message(s),
                "the guess violates the constraints by |g| = 8 at t = 0, and G is singular there: give a better") ||
        strstr(resida_solver_message(s), "redundant at"))
        fail_msg("%s", resida_solver_message(s));
    assert_int_equal(resida_solver_start(s, 0, near, v0, NULL, NULL), RESIDA_OK);
}
