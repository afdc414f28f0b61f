/* test_problem.c - F of every form is equations (7), (9), (10) of Arnold, Fuchs, Fuehrer: Efficient corrector iteration
 * for DAE time integration in multibody dynamics, written out once more with full matrices (complex_mechanism.c), for
 * random states of random mechanisms; and what can be asked of a problem.
 *
 * Both ways sum at most some 30 products of numbers of order 10, the explicit ones after a solution with a mass matrix
 * of condition below 100: ROUNDING is 30 * 100 eps relative to the largest component. */
#include "src/core/problem/problem_impl.h"

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "test/fixtures/solver_fixture.h"

#define ROUNDING (3000 * DBL_EPSILON)

enum { SEEDS = 10, STATES = 10, N_SHAPES = 7 };

static const cm shapes[N_SHAPES] = {
    {.n_p = 7, .n_v = 6, .n_g = 2, .n_h = 1, .n_u = 2, .with_T = 1, .sparse = 1},
    {.n_p = 7, .n_v = 6, .n_g = 3, .n_h = 0, .n_u = 1, .with_T = 1},
    {.n_p = 5, .n_v = 5, .n_g = 2, .n_h = 2, .n_u = 0, .with_T = 0, .sparse = 1},
    {.n_p = 4, .n_v = 4, .n_g = 0, .n_h = 2, .n_u = 1, .with_T = 0},
    {.n_p = 8, .n_v = 8, .n_g = 4, .n_h = 0, .n_u = 8, .with_T = 1, .sparse = 1},
    {.n_p = 6, .n_v = 4, .n_g = 0, .n_h = 0, .n_u = 2, .with_T = 1, .sparse = 1},
    {.n_p = 1, .n_v = 1, .n_g = 0, .n_h = 0, .n_u = 0},
};

static resida_problem *open_problem(cm *c, int given, const char *form, resida_formalism formalism)
{
    resida_mechanism m = cm_mechanism(c, given);
    resida_problem_options o = test_problem_options();
    o.form = form, o.formalism = formalism;
    return test_problem(&m, &o);
}

static int has_constraints(const cm *c)
{
    return c->n_g + c->n_h > 0;
}

static int unknowns(const cm *c, const char *form)
{
    int n = c->n_p + c->n_v;
    if (strcmp(form, "ode") != 0) n += c->n_g + c->n_h;
    if (strcmp(form, "ggl") == 0) n += c->n_g;
    return n;
}

/* Call claim() for every shape in every form and formalism that it has. */
static void for_all(void (*claim)(cm *c, const char *form, int is_explicit, uint64_t *seed))
{
    static const char *const forms[] = {"ggl", "index2", "ode"};
    uint64_t seed = 7;
    for (int shape = 0; shape < N_SHAPES; shape++)
        for (int s = 0; s < SEEDS; s++) {
            cm c = shapes[shape];
            cm_make(&c, (uint64_t)s);
            for (int f = 0; f < 3; f++) {
                if (has_constraints(&c) == (strcmp(forms[f], "ode") == 0)) continue;
                claim(&c, forms[f], 0, &seed);
                claim(&c, forms[f], 1, &seed);
            }
        }
}

static void fill_random(int n, double size, double *x, uint64_t *seed)
{
    for (int i = 0; i < n; i++) x[i] = size * bench_random(seed);
}

/* max |r - reference|/max(1, |reference|) */
static double off(int n, const double *r, const cm_number *reference)
{
    double most = 0, size = 1;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(r[i] - creal(reference[i])));
        size = fmax(size, fabs(creal(reference[i])));
    }
    return most / size;
}

static double worst_F;

static void F_matches(cm *c, const char *form, int is_explicit, uint64_t *seed)
{
    resida_problem *q =
        open_problem(c, CM_ALL, form, is_explicit ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
    int n = unknowns(c, form);
    assert_int_equal(q->layout.n, n);
    for (int s = 0; s < STATES; s++) {
        double t = 3 * bench_random(seed), y[CM_MAX_Y], yp[CM_MAX_Y], r[CM_MAX_Y + 1];
        cm_number Y[CM_MAX_Y], YP[CM_MAX_Y], reference[CM_MAX_Y];
        fill_random(n, 2, y, seed);
        fill_random(n, 2, yp, seed);
        for (int i = 0; i < n; i++) Y[i] = y[i], YP[i] = yp[i];
        r[n] = 77; /* behind the end */
        c->calls = 0;
        assert_int_equal(resida_problem_residual(t, y, yp, r, q), 0);
        assert_int_equal(c->calls, 1);
        assert_true(r[n] == 77);
        cm_F(c, form, is_explicit, t, Y, YP, reference);
        worst_F = fmax(worst_F, off(n, r, reference));
        assert_true(off(n, r, reference) < ROUNDING);
    }
}

CLAIM(F_of_every_form_equals_equations_9_and_10_at_one_formalism_call)
{
    worst_F = 0;
    for_all(F_matches);
    print_message("F off by %.1e of its largest component\n", worst_F);
}

static void layout_matches(cm *c, const char *form, int is_explicit, uint64_t *seed)
{
    resida_problem *q = open_problem(c, 0, form, is_explicit ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
    resida_layout l;
    int ode = strcmp(form, "ode") == 0, ggl = strcmp(form, "ggl") == 0, n_l = c->n_g + c->n_h;
    assert_int_equal(resida_problem_layout(q, &l), RESIDA_OK);
    assert_int_equal(l.n, unknowns(c, form));
    assert_int_equal(l.p, 0);
    assert_int_equal(l.v, c->n_p);
    assert_int_equal(l.lam, ode ? -1 : c->n_p + c->n_v);
    assert_int_equal(l.eta, ggl && c->n_g > 0 ? c->n_p + c->n_v + n_l : -1);
    assert_true(l.n_p == c->n_p && l.n_v == c->n_v && l.n_g == c->n_g && l.n_h == c->n_h && l.n_u == c->n_u);
    const resida_kind *kinds = resida_problem_kinds(q);
    for (int i = 0; i < l.n; i++)
        assert_int_equal(kinds[i], i < c->n_p + c->n_v ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC_2);
    assert_string_equal(resida_problem_form(q), form);
    assert_string_equal(resida_problem_formalism(q), is_explicit ? "explicit" : "residual");
    assert_int_equal(c->calls, 0);
}

CLAIM(layout_kinds_and_form_are_those_of_the_equations)
{
    for_all(layout_matches);
}

/* Offsets of lam, eta, tau, a behind (p, v); kinds of v, lam, nu, and of what follows. */
CLAIM(layouts_of_other_forms_are_those_of_their_equations)
{
    static const struct {
        const char *name;
        int eta, tau, a, rates;
        resida_kind v, lam, nu, rest;
    } forms[] = {
        {"index1", 0, 0, 0, 0, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"baumgarte", 0, 0, 0, 0, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"index3", 0, 0, 0, 0, RESIDA_DIFFERENTIAL_2, RESIDA_ALGEBRAIC_3, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"augmented", 0, 0, 0, 0, RESIDA_DIFFERENTIAL_2, RESIDA_ALGEBRAIC_3, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"projected1", 1, 0, 0, 0, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"projected2", 1, 1, 1, 0, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"state-space", 1, 1, 1, 0, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2},
        {"hiller-anantharaman", 1, 0, 0, 1, RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL,
         RESIDA_DIFFERENTIAL},
    };
    cm c;
    cm_make_rich(&c, 1);
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        resida_problem *q = open_problem(&c, 0, forms[f].name, RESIDA_FORMALISM_AUTO);
        resida_layout l;
        assert_int_equal(resida_problem_layout(q, &l), RESIDA_OK);
        int n_l = c.n_g + c.n_h, at = c.n_p + c.n_v;
        const resida_kind *kinds = resida_problem_kinds(q);
        assert_true(l.p == 0 && l.v == c.n_p && l.lam == at && l.rates == forms[f].rates);
        assert_int_equal(l.eta, forms[f].eta ? at + n_l : -1);
        assert_int_equal(l.tau, forms[f].tau ? at + n_l + c.n_g : -1);
        assert_int_equal(l.a, forms[f].a ? at + n_l + c.n_g + n_l : -1);
        assert_int_equal(l.n, at + n_l + forms[f].eta * c.n_g + forms[f].tau * n_l + forms[f].a * c.n_v);
        for (int i = 0; i < l.n; i++)
            assert_int_equal(kinds[i], i < l.v          ? RESIDA_DIFFERENTIAL
                                       : i < at         ? forms[f].v
                                       : i < at + c.n_g ? forms[f].lam
                                       : i < at + n_l   ? forms[f].nu
                                                        : forms[f].rest);
        char text[16];
        if (l.tau >= 0) {
            assert_int_equal(resida_problem_component_name(q, l.tau + 1, text, sizeof text), RESIDA_OK);
            assert_string_equal(text, "tau[1]");
            assert_int_equal(resida_problem_component_name(q, l.a + 2, text, sizeof text), RESIDA_OK);
            assert_string_equal(text, "a[2]");
        }
    }
}

/* Also with the coordinates of a start that lies elsewhere. */
CLAIM(a_clone_that_follows_gives_the_same_bits)
{
    static const char *const forms[] = {"ggl",        "index2",     "index1",      "baumgarte",          "index3",
                                        "projected1", "projected2", "state-space", "hiller-anantharaman"};
    cm c;
    cm_make_rich(&c, 1);
    uint64_t seed = 11;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        resida_problem *q = open_problem(&c, 0, forms[f], RESIDA_FORMALISM_AUTO), *clone;
        double p[CM_MAX], v[CM_MAX], a[CM_MAX], lam[2 * CM_MAX], y[CM_MAX_Y], yp[CM_MAX_Y];
        double r[CM_MAX_Y], of_clone[CM_MAX_Y];
        assert_int_equal(resida_problem_start(q, 0, c.p0, c.v0, NULL, p, v, a, lam, NULL, NULL), RESIDA_OK);
        rsd_problem_set_y(q, p, v, a, lam, y, yp);
        int n = q->layout.n;
        for (int i = 0; i < n; i++) y[i] += bench_random(&seed), yp[i] += bench_random(&seed);
        assert_int_equal(resida_problem_residual(0.3, y, yp, r, q), 0);
        assert_int_equal(rsd_problem_clone(&clone, q, NULL), RESIDA_OK);
        rsd_problem_copy_state(clone, q);
        assert_int_equal(resida_problem_residual(0.3, y, yp, of_clone, clone), 0);
        assert_memory_equal(r, of_clone, (size_t)n * sizeof *r);
        resida_problem_free(clone);
    }
}

CLAIM(auto_takes_ggl_with_constraints_and_the_residual_formalism)
{
    for (int shape = 0; shape < N_SHAPES; shape++) {
        cm c = shapes[shape];
        cm_make(&c, 1);
        resida_problem *q = open_problem(&c, 0, "auto", RESIDA_FORMALISM_AUTO);
        assert_string_equal(resida_problem_form(q), has_constraints(&c) ? "ggl" : "ode");
        assert_string_equal(resida_problem_formalism(q), "residual");
    }
}

static void check_name(const resida_problem *q, int i, const char *expected)
{
    char text[32];
    assert_int_equal(resida_problem_component_name(q, i, text, sizeof text), RESIDA_OK);
    assert_string_equal(text, expected);
}

CLAIM(components_have_names_from_the_model_or_letters)
{
    static const char *const p_names[] = {"x", "y", NULL, "beta"}, *const v_names[] = {"x'", "y'", "z'", "beta'"};
    cm c = {.n_p = 4, .n_v = 4, .n_g = 1, .n_h = 1};
    cm_make(&c, 1);
    resida_mechanism m = cm_mechanism(&c, 0);
    resida_problem *plain = open_problem(&c, 0, "ggl", RESIDA_FORMALISM_AUTO), *named;
    m.p_names = p_names, m.v_names = v_names;
    named = test_problem(&m, NULL);
    static const char *const letters[] = {"p[0]", "p[1]", "p[2]",   "p[3]",   "v[0]",  "v[1]",
                                          "v[2]", "v[3]", "lam[0]", "lam[1]", "eta[0]"};
    static const char *const names[] = {"x", "y", "?", "beta", "x'", "y'", "z'", "beta'", "lam[0]", "lam[1]", "eta[0]"};
    for (int i = 0; i < 11; i++) check_name(plain, i, letters[i]), check_name(named, i, names[i]);
    char text[4];
    assert_int_equal(resida_problem_component_name(named, 3, text, sizeof text), RESIDA_OK);
    assert_string_equal(text, "bet"); /* cut and closed */
    assert_int_equal(resida_problem_component_name(named, -1, text, sizeof text), RESIDA_ERR_ARGUMENT);
    assert_int_equal(resida_problem_component_name(named, 11, text, sizeof text), RESIDA_ERR_ARGUMENT);
    assert_int_equal(resida_problem_component_name(named, 0, text, 0), RESIDA_ERR_ARGUMENT);
}

/* p' = v, and a state behind the velocities. */
CLAIM(a_velocity_without_a_name_of_its_own_is_called_after_its_position)
{
    static const char *const p_names[] = {"x", "y"}, *const v_names[] = {"x", NULL, "force"};
    static const char *const expected[][5] = {{"x", "y", "x'", "y'", "z[0]"}, {"x", "y", "x'", "y'", "force"}};
    cm c = {.n_p = 2, .n_v = 2};
    cm_make(&c, 1);
    for (int named = 0; named < 2; named++) {
        resida_mechanism m = cm_mechanism(&c, 0);
        m.n_v = 3, m.n_z = 1;
        m.p_names = p_names, m.v_names = named ? v_names : NULL;
        resida_problem *q = test_problem(&m, NULL);
        for (int i = 0; i < 5; i++) check_name(q, i, expected[named][i]);
    }
}

CLAIM(constraints_are_those_of_the_model)
{
    uint64_t seed = 9;
    for (int s = 0; s < SEEDS; s++) {
        cm c = shapes[0];
        cm_make(&c, (uint64_t)s);
        resida_problem *q = open_problem(&c, CM_ALL, "ggl", RESIDA_FORMALISM_AUTO);
        double p[CM_MAX], v[CM_MAX], g[CM_MAX], gv[CM_MAX], alone[CM_MAX], t = bench_random(&seed);
        cm_number reference[CM_MAX];
        fill_random(c.n_p, 1, p, &seed);
        fill_random(c.n_v, 1, v, &seed);
        cm_point x = cm_at(&c, t, p, v, NULL);
        assert_int_equal(resida_problem_constraints(q, t, p, v, g, gv), RESIDA_OK);
        cm_constraint(&c, &x, reference);
        assert_true(off(c.n_g, g, reference) < ROUNDING);
        cm_velocity_level(&c, &x, reference);
        assert_true(off(c.n_g + c.n_h, gv, reference) < ROUNDING);
        assert_int_equal(resida_problem_constraints(q, t, p, NULL, alone, NULL), RESIDA_OK);
        assert_memory_equal(g, alone, (size_t)c.n_g * sizeof *g);
        assert_int_equal(resida_problem_constraints(q, t, p, NULL, NULL, gv), RESIDA_ERR_ARGUMENT);
        assert_int_equal(resida_problem_constraints(q, NAN, p, v, g, gv), RESIDA_ERR_ARGUMENT);
        assert_int_equal(c.calls, 0);
    }
}

static void verdict_passes(cm *c, const char *form, int is_explicit, uint64_t *seed)
{
    static const int verdicts[] = {1, 3, 12345, -1, -7, -99};
    resida_problem *q =
        open_problem(c, CM_ALL, form, is_explicit ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
    double y[CM_MAX_Y], yp[CM_MAX_Y], r[CM_MAX_Y];
    fill_random(CM_MAX_Y, 1, y, seed);
    fill_random(CM_MAX_Y, 1, yp, seed);
    for (int i = 0; i < 6; i++) {
        c->verdict = verdicts[i];
        assert_int_equal(resida_problem_residual(0.5, y, yp, r, q), verdicts[i]);
        const rsd_fault *fault = &q->calls->fault;
        assert_string_equal(fault->callback, is_explicit ? "acceleration" : "residual");
        assert_true(fault->verdict == verdicts[i] && fault->t == 0.5);
    }
    c->verdict = 0;
    assert_int_equal(resida_problem_residual(0.5, y, yp, r, q), 0);
}

CLAIM(verdicts_of_the_formalism_pass_through_untouched)
{
    for_all(verdict_passes);
}
