/* test_two_solvers.c - two solvers of one problem by turns. The choices of a start (dropped rows, the reference point
 * of "state-space") belong to the problem. A solver whose choices were replaced is refused, and is right again after a
 * start of its own. Without such choices both are right. The oracle is the energy of a pendulum. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

#define TOL    1e-8
#define ENERGY 1e-5 /* [J] drift of some hundred steps at TOL, and of forms that hold accelerations */

static const double aside[] = {1, 0}, opposite[] = {-1, 0}, rest[] = {0, 0}, guess[] = {0.1, -1};

/* The rod twice. */
static int doubled(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    g[1] = 2 * g[0];
    return 0;
}

typedef struct pair {
    resida_problem *problem;
    resida_solver *first, *second;
    resida_start_options start;
} pair;

static resida_solver_options options(void)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = TOL;
    return o;
}

static void open_pair(pair *x, const char *form, int n_g)
{
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    const resida_solver_options o = options();
    m.n_p = m.n_v = 2, m.n_g = n_g, m.residual = small_particle, m.constraint = n_g > 1 ? doubled : small_rod;
    po.form = form;
    *x = (pair){.start = test_start_options()};
    if (n_g > 1) x->start.redundant = RESIDA_REDUNDANT_DROP;
    test_solver_make(&x->problem, &x->first, &m, &po, &o);
    x->second = test_solver_of(x->problem, &o);
}

static void start(const pair *x, resida_solver *s, const double *p0)
{
    assert_int_equal(resida_solver_start(s, 0, p0, rest, &x->start, NULL), RESIDA_OK);
}

/* To t, with the energy of the start, which is 0. */
static void go_to(resida_solver *s, double t)
{
    if (resida_solver_advance(s, t) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
    const resida_state at = test_state(s);
    const double energy = (at.v[0] * at.v[0] + at.v[1] * at.v[1]) / 2 + 9.81 * at.p[1];
    if (!(fabs(energy) < ENERGY)) fail_msg("energy %g at t = %g", energy, t);
}

static void is_refused(resida_solver *s, double t)
{
    const double t_before = test_state(s).t;
    assert_int_equal(resida_solver_advance(s, t), RESIDA_ERR_STATE);
    assert_non_null(strstr(resida_solver_message(s), "start this solver again"));
    assert_true(test_state(s).t == t_before);
}

static void take_turns(const char *form, int n_g)
{
    pair x;
    open_pair(&x, form, n_g);
    start(&x, x.first, aside);
    go_to(x.first, 0.3);
    start(&x, x.second, opposite);
    go_to(x.second, 1);
    is_refused(x.first, 1);
    go_to(x.second, 2);
    start(&x, x.first, aside);
    go_to(x.first, 1);
    is_refused(x.second, 3);
}

CLAIM(a_solver_whose_reference_point_was_replaced_is_refused)
{
    take_turns("state-space", 1);
}

CLAIM(a_solver_whose_dropped_rows_were_chosen_again_is_refused)
{
    take_turns("ggl", 2);
}

CLAIM(a_start_of_the_problem_alone_replaces_them_too)
{
    pair x;
    double p[2], v[2], a[2], lam[2];
    open_pair(&x, "ggl", 2);
    start(&x, x.first, aside);
    go_to(x.first, 0.3);
    assert_int_equal(resida_problem_start(x.problem, 0, opposite, rest, &x.start, p, v, a, lam, NULL, NULL), RESIDA_OK);
    is_refused(x.first, 1);
}

/* An equilibrium and a linear model are those of problems of their own. */
CLAIM(an_equilibrium_and_a_linear_model_during_a_run_do_not_change_it)
{
    static const char *const forms[] = {"state-space", "ggl"};
    for (int i = 0; i < 2; i++) {
        pair x;
        double p[2], v[2], lam[2];
        resida_equilibrium_options o;
        resida_equilibrium_options_init(&o);
        o.redundant = i ? RESIDA_REDUNDANT_DROP : RESIDA_REDUNDANT_REFUSE;
        open_pair(&x, forms[i], 1 + i);
        start(&x, x.first, aside);
        go_to(x.first, 0.3);
        assert_int_equal(resida_problem_equilibrium(x.problem, 0, guess, rest, &o, p, v, lam, NULL, NULL), RESIDA_OK);
        const resida_state at = test_state(x.first);
        resida_linearization *linear = NULL;
        (void)resida_linearize(&linear, x.problem, at.t, at.y, at.yp, NULL);
        resida_linearization_free(linear);
        go_to(x.first, 2);
    }
}

CLAIM(two_solvers_without_history_may_alternate)
{
    static const char *const forms[] = {"ggl", "index1", "projected2"};
    for (int i = 0; i < 3; i++) {
        pair x;
        open_pair(&x, forms[i], 1);
        start(&x, x.first, aside);
        start(&x, x.second, opposite);
        for (int k = 1; k <= 10; k++) go_to(x.first, 0.1 * k), go_to(x.second, 0.1 * k);
    }
}
