/* test_pendulum_exact.c - the pendulum's closed form by elliptic functions: against values from another method, against
 * a period that is known, and against the equations of motion where it swings, turns, floats and rests. And runs of all
 * forms against it, whatever the direction of rounding. */
#include <fenv.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* Values by extrapolation in 80-bit arithmetic, for the pendulum A01 of the IFToMM library: t, x, y, vx, vy, tension.
 * Their 17 digits and pi in double, which shifts the start by 1.2e-16, leave a few 1e-15 of the sizes. */
CLAIM(pendulum_matches_the_computed_motion_of_A01)
{
    static const double rows[5][6] = {
        {1, 0.98629175113187534, -0.165010853125541047, 0.296905515916315656, 1.77464364111265599, 4.85626940748468},
        {2, -0.793566195343321622, -0.608483930443791677, -2.10243787443612673, 2.74193539301050914, 17.9076820729608},
        {5, -0.942305435043757497, -0.334754338414000127, 0.857904256885947458, -2.41492865437048776, 9.85182017952403},
        {9.99, -0.31643646991303312, -0.948613704575776243, 4.09245199149401887, -1.36515112024030806,
         27.9177013256651},
        {10, -0.275087462576117724, -0.961419205099124817, 4.17559810095172717, -1.19474905456047886,
         28.2945672060672}};
    const bench_setting settings[] = {{"g", 9.81}, {"phi0", 3.14159265358979323846}, {NULL, 0}};
    bench *b = bench_make("pendulum", settings);
    for (int i = 0; i < 5; i++) {
        double p[2], v[2], lam;
        assert_int_equal(b->model.reference(&b->model, rows[i][0], p, v, &lam), 0);
        bench_all_near(2, p, rows[i] + 1, 1e-14);
        bench_all_near(2, v, rows[i] + 3, 1e-13);
        bench_near(2 * lam, rows[i][5], 2e-13); /* tension 2 lam L, 15 digits printed */
    }
}

/* The default g has the period 2 exactly. g rounded to double shifts the phase at t by at most t eps/4: positions at
 * rest do not see it, velocities see g t eps/4 of it. */
CLAIM(pendulum_has_period_two)
{
    bench *b = bench_make("pendulum", NULL);
    for (int t = 0; t <= 30; t++) {
        double p[2], v[2];
        const double x[2] = {t % 2 ? -1 : 1, 0}, rest[2] = {0, 0};
        assert_int_equal(b->model.reference(&b->model, t, p, v, NULL), 0);
        bench_all_near(2, p, x, 2 * DBL_EPSILON);
        bench_all_near(2, v, rest, 14 * 30 * DBL_EPSILON / 4);
    }
}

/* p' = v and M v' = Psi - G'lam by central differences (error (h w)^2/6, h w = 1e-4), energy and rod length exactly. */
static void pendulum_moves_by_its_equations(const bench_setting *settings)
{
    double p[2], v[2], lam, ahead[2][2], behind[2][2], energy[2] = {0, 0}, m = 0, L = 0, g = 0;
    bench *b = bench_make("pendulum", settings);
    for (const bench_setting *s = settings; s->name; s++) {
        if (strcmp(s->name, "m") == 0) m = s->value;
        if (strcmp(s->name, "L") == 0) L = s->value;
        if (strcmp(s->name, "g") == 0) g = s->value;
    }
    assert_int_equal(b->model.reference(&b->model, 0, p, v, &lam), 0);
    bench_all_near(2, p, b->model.p0, 4 * DBL_EPSILON * L);
    const double speed = hypot(b->model.v0[0], b->model.v0[1]), fastest = sqrt(speed * speed + 4 * g * L),
                 h = 1e-4 * L / fastest;
    bench_all_near(2, v, b->model.v0, 1e-14 * fastest);
    energy[0] = speed * speed / 2 + g * b->model.p0[1];
    for (double t = 0.37; t < 20; t *= 1.7) {
        assert_int_equal(b->model.reference(&b->model, t, p, v, &lam), 0);
        assert_int_equal(b->model.reference(&b->model, t + h, ahead[0], ahead[1], NULL), 0);
        assert_int_equal(b->model.reference(&b->model, t - h, behind[0], behind[1], NULL), 0);
        energy[1] = (v[0] * v[0] + v[1] * v[1]) / 2 + g * p[1];
        bench_near(energy[1], energy[0], 1e-14 * fastest * fastest);
        bench_near(hypot(p[0], p[1]), L, 4 * DBL_EPSILON * L);
        for (int i = 0; i < 2; i++) {
            bench_near(v[i], (ahead[0][i] - behind[0][i]) / (2 * h), 1e-7 * fastest);
            bench_near(-2 * p[i] * lam - (i ? m * g : 0), m * (ahead[1][i] - behind[1][i]) / (2 * h),
                       1e-7 * m * fastest * fastest / L);
        }
    }
}

CLAIM(pendulum_swings_turns_and_rests_exactly)
{
    const double starts[][3] = {/* g, phi0, w0 */
                                {9.81, -1.5, 0.3}, {9.81, 0.7, -3}, {9.81, 40, 1},  {9.81, -2, 30}, {9.81, 3, -8},
                                {0, 1, 2},         {0, 1, -2},      {9.81, 1.5, 0}, {0, 1, 0}};
    for (int i = 0; i < (int)(sizeof starts / sizeof *starts); i++) {
        const bench_setting settings[] = {{"m", 2.5},           {"L", 0.7}, {"g", starts[i][0]}, {"phi0", starts[i][1]},
                                          {"w0", starts[i][2]}, {NULL, 0}};
        pendulum_moves_by_its_equations(settings);
    }
}

CLAIM(pendulum_has_no_reference_on_the_separatrix)
{
    const bench_setting settings[] = {{"phi0", 1.57079632679489662}, {NULL, 0}}; /* upright, at rest */
    bench *b = bench_make("pendulum", settings);
    assert_int_equal(b->model.reference(&b->model, 1, NULL, NULL, NULL), 1);
}

static double error_at_two(const bench *b, const char *form, int direction)
{
    resida_problem *q = NULL;
    resida_solver *s = NULL;
    resida_problem_options p = test_problem_options();
    resida_solver_options o = test_solver_options();
    p.form = form;
    o.rtol = o.atol = 1e-8;
    assert_int_equal(fesetround(direction), 0);
    resida_status status = resida_problem_create(&q, &b->model.mechanism, &p, NULL);
    if (status >= 0) status = resida_solver_create(&s, q, &o, NULL);
    if (status >= 0) status = resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(s, 2);
    const int after = fegetround();
    test_own_problem(q);
    test_own_solver(s);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(after, direction);
    if (status != RESIDA_OK) fail_msg("%s, rounding %d: %s", form, direction, resida_status_name(status));
    resida_state at = test_state(s);
    const double off = hypot(at.p[0] - b->model.p0[0], at.p[1] - b->model.p0[1]);
    return off;
}

CLAIM(results_hold_in_every_rounding_mode)
{
    static const int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const char *form;
    bench *b = bench_make("pendulum", NULL);
    for (int i = 0; (form = resida_form_at(i)) != NULL; i++)
        for (int k = 0; k < 4 && strcmp(form, "ode") != 0; k++) {
            const double off = error_at_two(b, form, directions[k]);
            if (!(off < 1e-4)) fail_msg("%s, rounding %d: %g off", form, directions[k], off);
        }
}
