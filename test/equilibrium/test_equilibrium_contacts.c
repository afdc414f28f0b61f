/* test_equilibrium_contacts.c - equilibria and modes of mechanisms with contacts that hold. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* A mass of 1 kg above a floor, a second one of 1 kg on a spring of k N/m to it and on another one to `wall`, in zero
 * gravity; `weight` pulls the first one down. gap = y_1 - floor. */
typedef struct scene {
    double k, wall, weight, floor, mu;
    resida_mechanism mechanism;
    resida_model_contacts contacts;
    resida_problem *problem;
    double p[2], v[2], lam[2];
    resida_equilibrium_report report;
    resida_message why;
} scene;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                    void *user)
{
    const scene *s = user;
    r[0] = a[0] - s->k * (p[1] - p[0]) + s->weight;
    r[1] = a[1] - s->k * (p[0] - p[1]) - s->k * (s->wall - p[1]);
    return 0;
}

static int gap(double t, const double *p, const resida_excitation *u, double *g, void *user)
{
    g[0] = p[0] - ((const scene *)user)->floor;
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    return gap(t, p, u, out, user);
}

static int sliding(double t, const double *p, const resida_excitation *u, double *Gh, void *user)
{
    Gh[0] = 0, Gh[1] = 1;
    return 0;
}

static void open_scene(scene *s)
{
    static const double e[1] = {0};
    static const char *const names[] = {"floor"};
    resida_problem_options o = test_problem_options();
    resida_mechanism *m = &s->mechanism;
    resida_mechanism_init(m);
    m->user = s;
    m->n_p = m->n_v = 2, m->n_g = m->n_root = 1;
    m->residual = residual, m->constraint = gap, m->root = root;
    s->contacts =
        (resida_model_contacts){.size = sizeof s->contacts, .n = 1, .restitution = e, .names = names, .holds = 1};
    if (s->mu > 0) m->n_h = 1, m->nonholonomic_matrix = sliding, s->contacts.friction = &s->mu;
    o.contacts = &s->contacts;
    s->problem = test_problem(m, &o);
}

static resida_status find(scene *s, double first, double second)
{
    const double guess[] = {first, second}, rest[] = {0, 0};
    return resida_problem_equilibrium(s->problem, 0, guess, rest, NULL, s->p, s->v, s->lam, &s->report, &s->why);
}

static void expect(double x, double expected)
{
    if (!(fabs(x - expected) <= 1e-8)) fail_msg("%.12g, not %.12g", x, expected);
}

/* y_1 = wall - 2 w/k, y_2 = wall - w/k; modes of (2 -1; -1 1)-like stiffness: omega^2 = k (3 -+ sqrt 5)/2. */
CLAIM(above_its_contact_a_mechanism_is_in_equilibrium_as_without)
{
    scene s = {.k = 4, .wall = 3, .weight = 2, .floor = 1};
    open_scene(&s);
    assert_int_equal(find(&s, 1.5, 2), RESIDA_OK);
    expect(s.p[0], 2);
    expect(s.p[1], 2.5);
    expect(s.lam[0], 0);
    assert_int_equal(s.report.n_modes, 4);
    expect(s.report.growth, 0);
}

/* From the floor, and from above it: without the contact y_1 = 3 - 2 10/4 = -2. y_2 = (floor + wall)/2, and N = w - k
 * (y_2 - floor). One mode remains, omega^2 = 2 k. */
CLAIM(a_mechanism_rests_on_its_contact_from_any_start)
{
    static const double starts[] = {1, 2};
    for (int i = 0; i < 2; i++) {
        scene s = {.k = 4, .wall = 3, .weight = 10, .floor = 1};
        open_scene(&s);
        assert_int_equal(find(&s, starts[i], starts[i]), RESIDA_OK);
        expect(s.p[0], 1);
        expect(s.p[1], 2);
        expect(s.lam[0], -(10 - 4));
        assert_int_equal(s.report.n_modes, 2);
        expect(s.report.frequency, sqrt(8));
    }
}

/* The second mass pushes the first one down at the start, and would pull it in the middle, with 4 (2 - 1). */
CLAIM(a_contact_that_would_pull_opens)
{
    scene s = {.k = 4, .wall = 3, .floor = 1};
    open_scene(&s);
    assert_int_equal(find(&s, 1, 0), RESIDA_OK);
    expect(s.p[0], 3);
    expect(s.p[1], 3);
    expect(s.lam[0], 0);
    assert_int_equal(s.report.n_modes, 4);
}

/* x along an elastic ground at y = 0, and y. Below it the ground has 100 N/m, 3 Ns/m, and 2 Ns/m along x. */
static int elastic(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                   void *user)
{
    const int touches = p[1] < 0;
    r[0] = a[0] + touches * 2 * v[0];
    r[1] = a[1] + 10 + touches * (100 * p[1] + 3 * v[1]);
    return 0;
}

/* Modes exp(s t) with s^2 + 3 s + 100 = 0 and s = -2, wherever the search begins, with a rate of x or without. */
CLAIM(an_equilibrium_on_an_elastic_ground_is_judged_alike_from_above_and_from_inside)
{
    static const double starts[] = {-0.5, -0.1, 0, 0.3};
    for (int i = 0; i < 8; i++) {
        const double guess[] = {0, starts[i / 2]}, rest[] = {0, 0};
        resida_equilibrium_options o;
        resida_equilibrium_options_init(&o);
        scene s = {.k = 0};
        resida_mechanism_init(&s.mechanism);
        s.mechanism.n_p = s.mechanism.n_v = 2, s.mechanism.residual = elastic;
        s.problem = test_problem(&s.mechanism, NULL);
        o.steady = i % 2;
        const resida_status status =
            resida_problem_equilibrium(s.problem, 0, guess, rest, &o, s.p, s.v, NULL, &s.report, &s.why);
        if (status != RESIDA_OK) fail_msg("from %g: %s", guess[1], s.why.text);
        expect(s.p[1], -0.1);
        expect(s.v[0], 0);
        assert_int_equal(s.report.n_steady, o.steady);
        assert_int_equal(s.report.n_modes, 3);
        expect(s.report.growth, -1.5);
    }
}

/* Without springs the first mass falls. */
CLAIM(a_contact_without_which_there_is_no_rest_closes)
{
    scene s = {.k = 0, .wall = 3, .weight = 10, .floor = 1};
    open_scene(&s);
    const resida_status status = find(&s, 2, 2);
    if (status != RESIDA_OK) fail_msg("%s", s.why.text);
    expect(s.p[0], 1);
    expect(s.lam[0], -10);
}

/* With negative springs it pulls with 10 - 4 if it is closed, and y_1 = 3 - 2 10/4 if it is open. */
CLAIM(a_contact_that_pulls_if_closed_and_penetrates_if_open_is_named)
{
    scene s = {.k = -4, .wall = 3, .weight = -10, .floor = 1};
    open_scene(&s);
    assert_int_equal(find(&s, 2, 2), RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(s.why.text, "contact floor pulls if it is closed, and penetrates if it is open"));
}

CLAIM(equilibria_with_dry_friction_are_refused)
{
    const double zero[2] = {0, 0};
    resida_linearization *l = NULL;
    scene s = {.k = 4, .wall = 3, .floor = 1, .mu = 0.5};
    open_scene(&s);
    assert_int_equal(find(&s, 2, 2), RESIDA_ERR_MODEL);
    assert_non_null(strstr(s.why.text, "dry friction"));
    assert_int_equal(resida_linearize_mechanism(&l, s.problem, 0, zero, zero, zero, zero, &s.why), RESIDA_ERR_MODEL);
    assert_non_null(strstr(s.why.text, "dry friction"));
}
