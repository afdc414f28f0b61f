/* test_verdicts.c - callbacks seen from the problem: whichever refuses, its verdict reaches the caller of F as it is (a
 * recoverable one stays recoverable), and its name is kept; a general DAE is handed through without a change. */
#include "src/core/problem/problem_impl.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

/* Every other callback of a mechanism in turn refuses. */
typedef struct refusal {
    const char *which;
    int verdict;
} refusal;

static int says(const refusal *r, const char *which)
{
    return strcmp(r->which, which) == 0 ? r->verdict : 0;
}

#define POSITION_CALLBACK(name, n)                                                                                     \
    static int r_##name(double t, const double *p, const resida_excitation *e, double *out, void *user)                \
    {                                                                                                                  \
        (void)t, (void)p, (void)e;                                                                                     \
        for (int i = 0; i < (n); i++) out[i] = 1 + i;                                                                  \
        return says(user, #name);                                                                                      \
    }

POSITION_CALLBACK(constraint, 1)
POSITION_CALLBACK(constraint_matrix, 2)
POSITION_CALLBACK(velocity_bias, 1)
POSITION_CALLBACK(kinematic_matrix, 4)
POSITION_CALLBACK(nonholonomic_matrix, 2)
POSITION_CALLBACK(nonholonomic_bias, 1)

static int r_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = t, ud[0] = 1, udd[0] = 0;
    return says(user, "excitation");
}

static resida_mechanism refusing(refusal *r)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = m.n_h = m.n_u = 1, m.user = r;
    m.residual = small_inert, m.constraint = r_constraint, m.constraint_matrix = r_constraint_matrix;
    m.velocity_bias = r_velocity_bias, m.kinematic_matrix = r_kinematic_matrix, m.excitation = r_excitation;
    m.nonholonomic_matrix = r_nonholonomic_matrix, m.nonholonomic_bias = r_nonholonomic_bias;
    return m;
}

CLAIM(verdicts_of_every_other_callback_pass_through_with_its_name)
{
    static const char *const callbacks[] = {"constraint",       "constraint_matrix",   "velocity_bias",    "excitation",
                                            "kinematic_matrix", "nonholonomic_matrix", "nonholonomic_bias"};
    const double y[7] = {1, 2, 3, 4, 5, 6, 7}, yp[7] = {0};
    double r[7], t = 0, g[1], gv[2];
    for (int i = 0; i < 14; i++) {
        refusal refuse = {"", i % 2 ? 2 : -4};
        resida_mechanism m = refusing(&refuse);
        resida_problem *q = test_problem(&m, NULL);
        assert_int_equal(q->layout.n, 7);
        assert_int_equal(resida_problem_residual(t++, y, yp, r, q), 0);
        refuse.which = callbacks[i / 2];
        assert_int_equal(resida_problem_residual(t++, y, yp, r, q), refuse.verdict);
        assert_string_equal(q->calls->fault.callback, callbacks[i / 2]);
        assert_int_equal(q->calls->fault.verdict, refuse.verdict);
        assert_int_equal(resida_problem_constraints(q, t++, y, y + 2, g, gv), RESIDA_ERR_USER);
    }
}

/* A general DAE that leaves its arguments to be seen. */
typedef struct seen {
    double t, y[3], yp[3], u[1];
    int verdict;
} seen;

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    seen *s = user;
    s->t = t, s->u[0] = e->u[0];
    memcpy(s->y, y, sizeof s->y);
    memcpy(s->yp, yp, sizeof s->yp);
    for (int i = 0; i < 3; i++) r[i] = yp[i] - y[(i + 1) % 3] + e->u[0];
    return s->verdict;
}

static int dae_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 10 * t, ud[0] = 10, udd[0] = 0;
    return 0;
}

static resida_problem *open_dae(seen *s, const resida_kind *kinds, const char *const *names)
{
    resida_dae d = test_dae();
    d.n = 3, d.n_u = 1, d.user = s, d.kinds = kinds, d.names = names;
    d.residual = dae_residual, d.excitation = dae_excitation;
    return test_problem_dae(&d, NULL);
}

CLAIM(a_general_dae_passes_through_untouched)
{
    static const char *const names[] = {"a", "b", "c"};
    const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC, RESIDA_ALGEBRAIC_3};
    const double y[] = {1, 2, 4}, yp[] = {8, 16, 32};
    double r[3];
    seen s = {.verdict = 0};
    resida_layout l;
    resida_problem *q = open_dae(&s, kinds, names), *plain = open_dae(&s, NULL, NULL);
    assert_int_equal(resida_problem_layout(q, &l), RESIDA_OK);
    assert_true(l.n == 3 && l.n_u == 1 && l.p == -1 && l.v == -1 && l.lam == -1 && l.eta == -1);
    assert_string_equal(resida_problem_form(q), "dae");
    assert_string_equal(resida_problem_formalism(q), "dae");
    assert_memory_equal(resida_problem_kinds(q), kinds, sizeof kinds);
    for (int i = 0; i < 3; i++) assert_int_equal(resida_problem_kinds(plain)[i], RESIDA_DIFFERENTIAL);
    char text[8];
    assert_int_equal(resida_problem_component_name(q, 2, text, sizeof text), RESIDA_OK);
    assert_string_equal(text, "c");
    assert_int_equal(resida_problem_component_name(plain, 2, text, sizeof text), RESIDA_OK);
    assert_string_equal(text, "y[2]");
    assert_int_equal(resida_problem_residual(0.25, y, yp, r, q), 0);
    assert_true(s.t == 0.25 && s.u[0] == 2.5 && r[0] == 8.5 && r[1] == 14.5 && r[2] == 33.5);
    assert_memory_equal(s.y, y, sizeof y);
    assert_memory_equal(s.yp, yp, sizeof yp);
    for (s.verdict = -3; s.verdict < 4; s.verdict++)
        assert_int_equal(resida_problem_residual(0.25, y, yp, r, q), s.verdict);
    assert_int_equal(resida_problem_constraints(q, 0, y, yp, r, r), RESIDA_ERR_ARGUMENT);
}
