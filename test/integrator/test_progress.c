/* test_progress.c - a run goes on, or it says that it does not: a constraint that jumps without a root function ends
 * the forms that hold it, in few steps, by its name; starts whose first steps are below the rounding of t go on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <resida/resida.h>

#include "test/fixtures/file_util.h"
#include "test/fixtures/mechanisms/jumping.h"

enum { MOST_STEPS = 5000 }; /* of a run to a jump and 1,000 steps there; 1,300 for the longest */

static const char *const strategies[] = {"auto", "dense"};

/* Which ends at t_end, or before. What it says goes to text. */
static resida_status run(jumping *j, const char *form, const char *strategy, double t0, double way, long *steps,
                         char *text, size_t size)
{
    resida_mechanism m = jumping_mechanism(j);
    resida_problem *problem;
    resida_solver *s;
    resida_problem_options po;
    resida_solver_options so;
    resida_stats stats = {.size = sizeof stats};
    resida_problem_options_init(&po);
    resida_solver_options_init(&so);
    po.form = form;
    so.jacobian = strategy, so.rtol = so.atol = 1e-6, so.max_steps = MOST_STEPS;
    double atol[12]; /* [n]: velocities in m/unit */
    assert_int_equal(resida_problem_create(&problem, &m, &po, NULL), RESIDA_OK);
    resida_layout l;
    resida_problem_layout(problem, &l);
    assert_true(l.n <= 12);
    for (int i = 0; i < l.n; i++) atol[i] = i >= l.v && i < l.v + l.n_v ? 1e-6 / j->unit : 1e-6;
    so.atol_each = atol;
    assert_int_equal(resida_solver_create(&s, problem, &so, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start(s, t0, jumping_p0, jumping_v0, NULL, NULL), RESIDA_OK);
    const resida_status status = resida_solver_advance(s, t0 + way);
    snprintf(text, size, "%s", resida_solver_message(s));
    assert_int_equal(resida_solver_stats(s, &stats), RESIDA_OK);
    *steps = stats.steps;
    resida_solver_free(s);
    resida_problem_free(problem);
    return status;
}

static void a_jump_of_g_ends_the_forms_that_hold_it(void **state)
{
    (void)state;
    static const char *const forms[] = {"ggl", "index3", "projected1", "projected2", "state-space"};
    static const double amplitudes[] = {0.1, 1e-2, 1e-3}, begins[] = {0, 1e3, 1e6}, units[] = {1, 1e-6, 1e9};
    enum { PROJECTED = 2, SLOW = 2 }; /* the first form of them; the unit in which velocities are 1e-9 m/s */
    char text[RESIDA_MESSAGE_SIZE];
    for (int k = 0; k < 2 * 5 * 3 * 3 * 3; k++) {
        if (k % 3 == SLOW && k / 27 % 5 >= PROJECTED) continue; /* they take 20,000 steps to the jump */
        const double unit = units[k % 3], t0 = begins[k / 3 % 3] * unit;
        jumping j = {.amplitude = amplitudes[k / 9 % 3], .at = t0 + 0.5 * unit, .unit = unit};
        const char *form = forms[k / 27 % 5], *strategy = strategies[k / 135];
        long steps = 0;
        const resida_status status = run(&j, form, strategy, t0, 10 * unit, &steps, text, sizeof text);
        if (status >= 0 || status == RESIDA_ERR_LIMIT_STEPS || !strstr(text, "jump"))
            fail_msg("%s, %s, jump of %g at %g s, unit %g s: status %d, %ld steps, %s", form, strategy, j.amplitude,
                     j.at, unit, (int)status, steps, text);
    }
}

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double rate = *(const double *)user;
    (void)t, (void)e;
    r[0] = yp[0] + rate * y[0];
    return 0;
}

/* At t = 1e9 s times are 1.2e-7 s apart: e^(-t/tau) with tau = 1e-8 s is over before t moves, and goes on. */
static void a_transient_below_the_rounding_of_t_is_passed(void **state)
{
    (void)state;
    static const double taus[] = {1e-8, 1e-12, 1e-15}, y0 = 1, tolerances[] = {1e-6, 1e-10};
    for (int k = 0; k < 3 * 2 * 2; k++) {
        double rate = 1 / taus[k % 3];
        resida_dae d;
        resida_problem *problem;
        resida_solver *s;
        resida_solver_options o;
        resida_state at;
        resida_dae_init(&d);
        resida_solver_options_init(&o);
        d.n = 1, d.residual = decay, d.user = &rate;
        o.jacobian = strategies[k / 6], o.rtol = o.atol = tolerances[k / 3 % 2];
        assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_create(&s, problem, &o, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_start_dae(s, 1e9, &y0, NULL), RESIDA_OK);
        if (resida_solver_advance(s, 1e9 + 1) != RESIDA_OK)
            fail_msg("tau = %g: %s", 1 / rate, resida_solver_message(s));
        assert_int_equal(resida_solver_state(s, &at), RESIDA_OK);
        assert_true(fabs(at.y[0]) < 10 * o.atol);
        resida_solver_free(s);
        resida_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump_of_g_ends_the_forms_that_hold_it),
        cmocka_unit_test(a_transient_below_the_rounding_of_t_is_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
