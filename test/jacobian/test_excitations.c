/* The extended update, equation (26) of Arnold, Fuchs, Fuehrer: excitations of J are followed without residual calls,
 * for explicit and for residual formalisms; what their part costs, and what is left of it when a call is refused. */
#include "engine_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* Largest error of the formalism part's entries of J after a move in t alone. */
static double error_after(const bench_subject *s, resida_formalism formalism, const char *strategy, double dt)
{
    rig r;
    rig_open(&r, s, "ode", formalism, strategy);
    rig_setup(&r, RESIDA_SETUP_FIRST, NULL);
    r.at.t += dt;
    rig_refresh(&r);
    long calls;
    assert_int_equal(rig_setup(&r, RESIDA_SETUP_ALPHA, &calls), 0);
    assert_int_equal(calls, 0);
    assert_int_equal(rig_counts(&r).updates_excitation, strstr(strategy, "extended") != NULL);
    double *J = bench_doubles((long)r.n * r.n), *exact = bench_doubles((long)r.n * r.n), worst = 0;
    rig_full(&r, J);
    rig_differences(&r, RSD_ROWS_ALL, 1, r.at.alpha, exact);
    for (int c = 0; c < r.n; c++)
        for (int i = r.l.v; i < r.l.v + r.l.n_v; i++) worst = fmax(worst, fabs(J[c * r.n + i] - exact[c * r.n + i]));
    return worst;
}

static void compare_extended(const char *name, double dt, double factor)
{
    for (int k = 0; k < 2; k++) {
        resida_formalism formalism = k ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
        double plain = error_after(rig_subject(name), formalism, "dense+partitioned", dt);
        double extended = error_after(rig_subject(name), formalism, "dense+extended", dt);
        double coloured = error_after(rig_subject(name), formalism, "sparse+extended", dt);
        print_message("%-12s %-8s error of J after %.2f s: partitioned %.1e, extended %.1e, coloured %.1e\n", name,
                      k ? "explicit" : "residual", dt, plain, extended, coloured);
        assert_true(plain > 0 && plain > factor * extended && plain > factor * coloured);
    }
}

/* The chain is linear in its only excitation, the acceleration of the support, so (26) is exact. */
CLAIM(excitations_that_enter_linearly_are_followed)
{
    compare_extended("chain", 0.4, 1e4);
}

/* M and the forces of the random mechanism depend on u: what is left is of second order in its change, here 0.02. */
CLAIM(excitations_that_enter_nonlinearly_are_followed_to_second_order)
{
    compare_extended("random, free", 0.05, 10);
}

/* One call for each input to see whether it matters, and for each that does a base and an evaluation; once. */
CLAIM(excitations_cost_their_evaluations_once)
{
    rig plain, extended;
    long without, with, columns = 10; /* p and v of five rods */
    rig_open(&plain, rig_subject("chain"), "ode", RESIDA_FORMALISM_EXPLICIT, "dense+partitioned");
    rig_open(&extended, rig_subject("chain"), "ode", RESIDA_FORMALISM_EXPLICIT, "dense+extended");
    rig_setup(&plain, RESIDA_SETUP_FIRST, &without);
    rig_setup(&extended, RESIDA_SETUP_FIRST, &with);
    assert_int_equal(without, columns);
    assert_int_equal(with, without + 6 + 2 * (1 + columns)); /* u, ud, udd in x and y; udd matters */
    rig_setup(&extended, RESIDA_SETUP_OTHER, &with);
    assert_int_equal(with, without);
}

/* F = yp + (1 + u) y^2 with u = t, which refuses two calls: both sides of an increment. */
typedef struct swing {
    double delta;
    int calls, refused;
} swing;

static int swing_F(double t, const double *y, const double *yp, double *r, void *user)
{
    swing *s = user;
    s->calls++;
    r[0] = yp[0] + (1 + t + s->delta) * y[0] * y[0];
    return s->calls == s->refused || s->calls == s->refused + 1;
}

static int swing_inputs(double t, double *u, void *user)
{
    u[0] = t;
    return 0;
}

static void swing_move(int i, double delta, void *user)
{
    assert_int_equal(i, 0);
    ((swing *)user)->delta = delta;
}

static resida_jacobian *open_swing(swing *s, const char *strategy)
{
    resida_system system;
    resida_jacobian_options o;
    resida_system_init(&system);
    resida_jacobian_options_init(&o);
    system.n = system.n_inputs = 1;
    system.user = s;
    system.F = swing_F;
    system.inputs = swing_inputs;
    system.move_input = swing_move;
    o.strategy = strategy;
    return test_jacobian(&system, &o);
}

/* Whichever calls of the first setup are refused, the next one makes up for it, and (26) follows u. */
CLAIM(a_refused_call_leaves_no_half_of_the_excitation_part)
{
    static const char *const names[] = {"dense+extended", "sparse+extended"};
    int refusals = 0;
    for (int refused = 1; refused < 24; refused++)
        for (int k = 0; k < 2; k++) {
            swing s = {0, 0, refused};
            resida_jacobian *j = open_swing(&s, names[k]);
            double y = 2, yp = 1, F = 1 + 2 * 4;
            resida_jacobian_point at = {.t = 1, .alpha = 5, .h = 0.1, .y = &y, .yp = &yp, .F = &F};
            int current, verdict = resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current);
            assert_true(s.delta == 0);
            refusals += verdict > 0;
            s.refused = 0;
            if (verdict > 0) verdict = resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current);
            assert_int_equal(verdict, 0);
            at.t = 2;
            F = 1 + 3 * 4;
            assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_ALPHA, &at, &current), 0);
            resida_jacobian_matrix m;
            assert_int_equal(resida_jacobian_get_matrix(j, &m), RESIDA_OK);
            bench_near(m.values[0], 5 + 2 * 3 * y, 1e-5);
        }
    assert_true(refusals >= 6);
}
