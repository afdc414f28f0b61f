/* test_forms_states.c - first-order states of random mechanisms with T, nonholonomic rows, excitations, friction: in
 * every form and both formalisms the trajectory is that of a mechanism in which each state is the velocity of a
 * coordinate of its own; and what is known of J, names, kinds, the start. */
#include "forms_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* A mechanism with states, and its oracle, started alike. */
typedef struct pair {
    with_states w[2];
    resida_mechanism m[2]; /* states, positions */
    double p0[WS_MAX], v0[WS_MAX];
} pair;

static void make_pair(pair *x, cm *c, int given)
{
    const resida_mechanism m = cm_mechanism(c, given);
    for (int i = 0; i < 2; i++) x->m[i] = ws_mechanism(&x->w[i], &m, i);
    ws_start(x->w, c->p0, c->v0, x->p0, x->v0);
}

static void compare(cm *c, int given)
{
    pair x;
    make_pair(&x, c, given);
    for (int k = 1; k <= 2; k++)
        for (int f = 0; f < forms_count(); f++) {
            ending end[2];
            const resida_problem_options o = forms_options(forms_name(f), (resida_formalism)k);
            for (int i = 0; i < 2; i++) forms_integrate(&x.m[i], &o, x.p0, x.v0, "auto", 1, &end[i]);
            forms_compare(&x.m[0], forms_name(f), &end[0], &end[1]);
        }
}

CLAIM(states_go_as_velocities_of_coordinates_that_nothing_depends_on)
{
    cm c;
    cm_make_rich(&c, 0);
    compare(&c, CM_ALL);
    c = (cm){.n_p = 5, .n_v = 5, .n_g = 2, .n_h = 1, .n_u = 1, .sparse = 1};
    cm_make(&c, 2);
    compare(&c, CM_ALL);
}

CLAIM(also_where_forces_and_states_depend_on_lam)
{
    cm c;
    cm_make_rich(&c, 3);
    c.friction = 0.05;
    compare(&c, CM_ALL);
}

CLAIM(also_where_the_model_leaves_everything_out)
{
    cm c;
    cm_make_rich(&c, 1);
    compare(&c, CM_NOTHING);
    c = (cm){.n_p = 4, .n_v = 4, .n_g = 2};
    cm_make(&c, 4);
    compare(&c, CM_NOTHING);
}

static resida_problem *open_problem(const resida_mechanism *m, const char *form)
{
    const resida_problem_options o = forms_options(form, RESIDA_FORMALISM_AUTO);
    return test_problem(m, &o);
}

CLAIM(states_are_differential_or_as_rough_as_v_and_have_names_of_their_own)
{
    pair x;
    cm c;
    cm_make_rich(&c, 0);
    for (int f = 0; f < 2 * forms_count(); f++) {
        c.friction = f % 2 ? 0.1 : 0;
        make_pair(&x, &c, CM_ALL);
        resida_problem *problem = open_problem(&x.m[0], forms_name(f / 2));
        resida_layout l;
        const int is_index3 = strcmp(forms_name(f / 2), "index3") == 0 || strcmp(forms_name(f / 2), "augmented") == 0;
        char name[20];
        assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
        assert_int_equal(l.n_z, WS_STATES);
        for (int k = 0; k < WS_STATES; k++) {
            const int i = l.v + l.n_v - l.n_z + k;
            assert_int_equal(resida_problem_kinds(problem)[i],
                             is_index3 && c.friction > 0 ? RESIDA_DIFFERENTIAL_2 : RESIDA_DIFFERENTIAL);
            assert_int_equal(resida_problem_component_name(problem, i, name, sizeof name), RESIDA_OK);
            assert_string_equal(name, claims_text("z[%d]", k));
        }
    }
}

/* At a start that moves p and v. */
CLAIM(a_start_keeps_z_bit_for_bit_and_finds_its_rate)
{
    for (int given = 0; given < 2; given++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            pair x;
            cm c;
            cm_make_rich(&c, seed);
            make_pair(&x, &c, given ? CM_ALL : CM_NOTHING);
            resida_problem *problem = open_problem(&x.m[0], "ggl");
            double p[WS_MAX], v[WS_MAX], a[WS_MAX], lam[CM_MAX];
            const double *z = v + x.w[0].inner.n_v, *zd = a + x.w[0].inner.n_v;
            resida_start_report report;
            resida_status status = resida_problem_start(problem, 0, x.p0, x.v0, NULL, p, v, a, lam, &report, NULL);
            assert_int_equal(status, RESIDA_OK);
            assert_true(report.v_change > 1e-3);
            assert_memory_equal(z, x.v0 + x.w[0].inner.n_v, WS_STATES * sizeof *z);
            assert_true(fabs(zd[0] - (-2 * z[0] + sin(p[0]))) <= 1e-12);
            assert_true(fabs(zd[1] - (0.5 + z[0] - 3 * z[1] + v[0])) <= 1e-12);
            assert_true(fabs(zd[2] - (0.5 - z[2] + z[1] * z[0])) <= 1e-12);
            if (!given) assert_int_equal(report.residual_calls % (1 + x.w[0].inner.n_v), 0); /* none for z' */
        }
}

/* Warnings of a look at the start of m. */
static int warnings(const resida_mechanism *m, resida_formalism formalism, const double *p0, const double *v0)
{
    const resida_problem_options o = forms_options("ggl", formalism);
    resida_solver *s = test_solver(m, &o, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_examine(s), RESIDA_OK);
    resida_stats stats = test_stats(s);
    for (int i = 0; i < stats.n_warnings; i++) print_message("  %s\n", stats.warnings[i]);
    return stats.n_warnings;
}

static int heavy_state(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const with_states *w = user;
    const int nnz = w->M_row[w->inner.n_v];
    for (int k = 0; k < WS_STATES; k++) M[nnz + k] = 1.01;
    return w->inner.mass_matrix(t, p, e, M, w->inner.user);
}

/* The T of these mechanisms is none that forces belong to, which is said without states, too. A mass of a state is seen
 * by the residual formalism alone: no force acts on it. */
CLAIM(examine_says_of_states_what_is_wrong_with_them_and_no_more)
{
    for (int k = 1; k <= 2; k++)
        for (int with_T = 0; with_T < 2; with_T++) {
            pair x;
            cm c = {.n_p = 5, .n_v = 5, .n_g = 2, .n_h = 1, .n_u = 1, .sparse = 1, .with_T = with_T};
            cm_make(&c, 2);
            make_pair(&x, &c, CM_ALL);
            const int inside = warnings(&x.w[0].inner, (resida_formalism)k, c.p0, c.v0);
            assert_int_equal(warnings(&x.m[0], (resida_formalism)k, x.p0, x.v0), inside);
            x.m[0].mass_matrix = heavy_state;
            assert_int_equal(warnings(&x.m[0], (resida_formalism)k, x.p0, x.v0), inside + (k == 1));
        }
}
