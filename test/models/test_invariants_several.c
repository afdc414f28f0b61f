/* test_invariants_several.c - several invariants that share coordinates, and their callback where it fails. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

/* Two circles in four coordinates, the second invariant is of both: p' = (-p1 v0, p0 v0, -p3 v1, p2 v1). */
typedef struct circles {
    int twice;   /**< the second invariant is the first once more */
    long calls;  /**< of the invariants */
    long at;     /**< the call from which on they fail; 0: never */
    int verdict; /**< what they return then; 0: NaN */
} circles;

static int circles_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                            double *r, void *user)
{
    for (int i = 0; i < 2; i++) r[i] = a[i] + p[2 * i] * p[2];
    return 0;
}

static int circles_kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const double all[8] = {-p[1], 0, p[0], 0, 0, -p[3], 0, p[2]};
    memcpy(T, all, sizeof all);
    return 0;
}

static int circles_invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    circles *c = user;
    k[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    k[1] = c->twice ? k[0] : k[0] + (p[2] * p[2] + p[3] * p[3] - 1) / 2;
    if (++c->calls < c->at || c->at == 0) return 0;
    if (c->verdict == 0) k[1] = NAN;
    return c->verdict;
}

static void open_circles(circles *c, resida_problem **problem, resida_solver **s)
{
    resida_mechanism m = test_mechanism();
    m.name = "circles";
    m.n_p = 4, m.n_v = 2, m.n_k = 2;
    m.user = c;
    m.residual = circles_residual;
    m.kinematic_matrix = circles_kinematics;
    m.invariant = circles_invariant;
    test_solver_make(problem, s, &m, NULL, NULL);
}

CLAIM(invariants_may_share_coordinates)
{
    circles c = {0};
    resida_problem *problem;
    resida_solver *s;
    resida_state at;
    resida_layout l;
    char name[20];
    const double p0[4] = {0.6, 0.9, 1.1, -0.3}, v0[2] = {1, -2};
    open_circles(&c, &problem, &s);
    assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
    assert_int_equal(l.n_k, 2);
    assert_int_equal(l.eta_k, 6);
    assert_int_equal(l.n, 8);
    assert_int_equal(resida_problem_kinds(problem)[7], RESIDA_ALGEBRAIC_2);
    assert_int_equal(resida_problem_component_name(problem, 7, name, sizeof name), RESIDA_OK);
    assert_string_equal(name, "eta_k[1]");
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    for (int i = 0; i <= 50; i++) {
        double k[2];
        assert_int_equal(resida_solver_advance(s, 0.1 * i), RESIDA_OK);
        at = test_state(s);
        assert_int_equal(resida_problem_invariants(problem, at.t, at.p, k), RESIDA_OK);
        assert_true(fabs(k[0]) <= 1e-14 && fabs(k[1]) <= 1e-14);
    }
}

CLAIM(an_invariant_given_twice_is_named)
{
    circles c = {.twice = 1};
    resida_problem *problem;
    resida_solver *s;
    const double p0[4] = {1, 0, 1, 0}, v0[2] = {1, -2};
    open_circles(&c, &problem, &s);
    resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(s, 1);
    print_message("%s\n", resida_solver_message(s));
    assert_int_equal(status, RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(resida_solver_message(s), " of invariant k["));
}

/* From each of its calls on. */
CLAIM(a_callback_that_fails_is_named)
{
    static const int verdicts[] = {-1, 1, 0};
    const double p0[4] = {1, 0, 1, 0}, v0[2] = {1, -2};
    for (int q = 0; q < 3; q++)
        for (long at = 1; at < 150; at += at < 40 ? 1 : 7) {
            circles c = {.at = at, .verdict = verdicts[q]};
            resida_problem *problem;
            resida_solver *s;
            open_circles(&c, &problem, &s);
            resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
            for (int i = 1; i <= 10 && status >= 0; i++) status = resida_solver_advance(s, i);
            assert_true(status == RESIDA_ERR_USER || (q == 1 && status == RESIDA_ERR_USER_REPEATED) ||
                        (q == 2 && status == RESIDA_ERR_NONFINITE));
            if (!strstr(resida_solver_message(s), "invariant")) fail_msg("%ld: %s", at, resida_solver_message(s));
            if (q == 0) assert_int_equal(c.calls, at); /* no further one */
        }
}
