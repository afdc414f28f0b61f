/* test_difference_jumps.c - F jumps within an increment: dry friction at v = 0, a damper that engages at a stop. A
 * difference across the jump is jump/delta, here 1e8 times the entry and more; what reaches J is the slope beyond.
 *
 *     0 = x' - v
 *     0 = m v' + c v + k x + mu sign(v) + (x < 0 ? K x + d v : 0) - f
 *
 * dF/dyp = diag(1, m) is known. F is linear but for the jumps, so quotients beyond them are right up to rounding, a few
 * eps of terms of about one over delta. */
#include "test/fixtures/bench_fixture.h"
#include "jacobian_fixture.h"
#include "test/fixtures/run_model.h"
#include "test/fixtures/solver_fixture.h"

#define DELTA_0 (1.2207031250000000e-04 * 1.4901161193847656e-08) /* the increment of a component that is zero */

typedef struct block {
    double m, c, k, mu, K, d, f;
    long calls;
} block;

static double force(const block *b, double x, double v)
{
    double sign = v > 0 ? 1 : v < 0 ? -1 : 0;
    return b->c * v + b->k * x + b->mu * sign + (x < 0 ? b->K * x + b->d * v : 0) - b->f;
}

static int block_F(double t, const double *y, const double *yp, double *r, void *user)
{
    block *b = user;
    b->calls++;
    r[0] = yp[0] - y[1];
    r[1] = b->m * yp[1] + force(b, y[0], y[1]);
    return 0;
}

static int block_known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    dyp[0] = 1;
    dyp[1] = ((const block *)user)->m;
    return 0;
}

static const int diagonal[] = {0, 1};
static const unsigned char formalism_columns[] = {RESIDA_COLUMN_FORMALISM, RESIDA_COLUMN_FORMALISM};

static resida_system block_system(block *b, int is_known)
{
    resida_system s;
    resida_system_init(&s);
    s.n = 2;
    s.F = block_F;
    s.user = b;
    if (!is_known) return s;
    s.n_yp = 2;
    s.yp_row = s.yp_column = diagonal;
    s.known = block_known;
    s.columns = formalism_columns;
    return s;
}

static resida_jacobian *open_block(block *b, const char *strategy, resida_differences differences, int is_known)
{
    resida_jacobian_options o;
    resida_system s = block_system(b, is_known);
    resida_jacobian_options_init(&o);
    o.strategy = strategy;
    o.differences = differences;
    return test_jacobian(&s, &o);
}

/* One setup at (x, v), x' = v, v' = a; J by columns and the calls it took. */
static long set_up(resida_jacobian *j, block *b, double x, double v, double a, double alpha, double *J)
{
    double y[2] = {x, v}, yp[2] = {v, a}, F[2];
    int current;
    block_F(0, y, yp, F, b);
    b->calls = 0;
    resida_jacobian_point at = {.t = 0, .alpha = alpha, .h = 0.1, .y = y, .yp = yp, .F = F};
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_OTHER, &at, &current), 0);
    get_full(j, 2, J);
    return b->calls;
}

static long kinks(const resida_jacobian *j)
{
    resida_jacobian_counts counts;
    assert_int_equal(resida_jacobian_get_counts(j, &counts), RESIDA_OK);
    return counts.kinks;
}

static const char *const strategies[] = {"auto", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "fresh"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* A place at which one increment crosses a jump; the slopes of both sides of it. */
typedef struct place {
    const char *text;
    block b;
    double x, v, a;
    double dx, dv; /* dF_1/dx, dF_1/dv beyond the jump */
} place;

static const place places[] = {
    {"at rest, sign(0) = 0", {.m = 2, .c = 0.5, .k = 3, .mu = 1, .f = 4}, 1, 0, 1, 3, 0.5},
    {"before v = 0, rising", {.m = 2, .c = 0.5, .k = 3, .mu = 1, .f = 4}, 1, -0.3 * DELTA_0, 1, 3, 0.5},
    {"after v = 0, falling", {.m = 2, .c = 0.5, .k = 3, .mu = 1, .f = 4}, 1, 0.3 * DELTA_0, -1, 3, 0.5},
    {"before a stop with a damper",
     {.m = 2, .c = 0.5, .k = 3, .K = 50, .d = 20, .f = 4},
     0.3 * DELTA_0,
     -1,
     1,
     53,
     0.5},
    {"out of a stop with a damper",
     {.m = 2, .c = 0.5, .k = 3, .K = 50, .d = 20, .f = 4},
     -0.3 * DELTA_0,
     1,
     1,
     3,
     20.5},
};
enum { PLACES = sizeof places / sizeof *places };

/* What the quotient is without a guard, over the honest entry. */
static double how_wrong(const place *p)
{
    double up = copysign(DELTA_0, p->b.mu > 0 ? p->a : p->v), v = p->b.mu > 0 ? p->v + up : p->v;
    double x = p->b.mu > 0 ? p->x : p->x + up;
    double quotient = (force(&p->b, x, v) - force(&p->b, p->x, p->v)) / up;
    return fabs(quotient) / (p->b.mu > 0 ? p->dv : p->dx);
}

static void check_place(const place *p, const char *strategy, resida_differences differences, double alpha)
{
    block b = p->b, smooth = p->b;
    double J[4];
    smooth.mu = smooth.d = smooth.K = 0;
    resida_jacobian *j = open_block(&b, strategy, differences, 1);
    resida_jacobian *other = open_block(&smooth, strategy, differences, 1);
    long calls = set_up(j, &b, p->x, p->v, p->a, alpha, J);
    double moved = differences == RESIDA_DIFFERENCES_FORWARD ? DELTA_0 : DELTA_0 * 400,
           rounding = 40 * DBL_EPSILON / moved;
    if (fabs(J[1] - p->dx) > 1e-6 * p->dx + rounding ||
        fabs(J[3] - p->dv - alpha * b.m) > 1e-6 * (p->dv + alpha * b.m) + rounding)
        fail_msg("%s, %s: dF/dx = %g (not %g), dF/dv = %g (not %g)", p->text, strategy, J[1], p->dx, J[3],
                 p->dv + alpha * b.m);
    assert_int_equal(kinks(j), 1);
    if (strncmp(strategy, "dense", 5) == 0)
        assert_int_equal(calls - set_up(other, &smooth, p->x, p->v, p->a, alpha, J),
                         differences == RESIDA_DIFFERENCES_FORWARD ? 1 : 2);
    assert_int_equal(kinks(other), 0);
}

CLAIM(a_jump_within_an_increment_does_not_reach_J)
{
    for (int i = 0; i < PLACES; i++) {
        print_message("%-28s without a guard %.1e times too much\n", places[i].text, how_wrong(&places[i]));
        assert_true(how_wrong(&places[i]) > 1e4);
        for (int s = 0; s < STRATEGIES; s++)
            for (int central = 0; central < 2; central++)
                for (double alpha = 10; alpha < 2e3; alpha *= 100)
                    check_place(&places[i], strategies[s], (resida_differences)central, alpha);
    }
}

/* Dry friction between two bodies that move together: two entries of each row go across the same jump. */
static int pair_F(double t, const double *y, const double *yp, double *r, void *user)
{
    const block *b = user;
    double slip = y[0] - y[1], friction = b->mu * (slip > 0 ? 1 : slip < 0 ? -1 : 0);
    r[0] = b->m * yp[0] + b->c * y[0] + friction - b->f;
    r[1] = b->m * yp[1] + b->c * y[1] - friction - b->f;
    return 0;
}

static int pair_known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    dyp[0] = dyp[1] = ((const block *)user)->m;
    return 0;
}

CLAIM(friction_between_two_bodies_does_not_reach_J)
{
    block b = {.m = 2, .c = 0.5, .mu = 10, .f = 3};
    const double y[2] = {3, 3}, yp[2] = {0.75, 0.75};
    double F[2], J[4];
    int current;
    resida_system s = block_system(&b, 1);
    s.F = pair_F, s.known = pair_known;
    resida_jacobian *j = open_system(&s, "dense", NULL);
    assert_int_equal(pair_F(0, y, yp, F, &b), 0);
    resida_jacobian_point at = {.t = 0, .alpha = 1000, .h = 1e-3, .y = y, .yp = yp, .F = F};
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
    get_full(j, 2, J);
    for (int i = 0; i < 4; i++) bench_near(J[i], i % 3 == 0 ? 2000.5 : 0, 1e-5);
    assert_int_equal(kinks(j), 4);
}

/* The jump is not looked at where the step goes away from it. */
CLAIM(a_jump_in_the_past_costs_nothing)
{
    block b = places[0].b, smooth = b;
    double J[4];
    smooth.mu = 0;
    resida_jacobian *j = open_block(&b, "dense", RESIDA_DIFFERENCES_FORWARD, 1);
    resida_jacobian *other = open_block(&smooth, "dense", RESIDA_DIFFERENCES_FORWARD, 1);
    long calls = set_up(j, &b, 1, 0.3 * DELTA_0, 1, 10, J);
    assert_int_equal(calls, set_up(other, &smooth, 1, 0.3 * DELTA_0, 1, 10, J));
    assert_int_equal(kinks(j), 0);
}

/* A stiff spring at rest looks like a jump, once; its entry is right all the same. */
CLAIM(a_stiff_spring_at_rest_costs_one_call_once)
{
    block b = {.m = 1, .c = 1, .k = 1e12};
    double J[4];
    resida_jacobian *j = open_block(&b, "dense", RESIDA_DIFFERENCES_FORWARD, 1);
    assert_int_equal(set_up(j, &b, 0, 0, 0, 10, J), 3);
    assert_true(fabs(J[1] - b.k) < 1e-6 * b.k);
    assert_int_equal(set_up(j, &b, 0, 0, 0, 10, J), 2);
    assert_true(fabs(J[1] - b.k) < 1e-6 * b.k);
    resida_jacobian_reset(j);
    assert_int_equal(set_up(j, &b, 0, 0, 0, 10, J), 3);
    assert_int_equal(kinks(j), 0);
}

/* A kink: the entry is that of one side or between them, and no row of the built-in kind looks like a jump. */
CLAIM(a_kink_costs_nothing)
{
    block b = {.m = 2, .c = 0.5, .k = 3, .K = 1e4, .f = 4};
    double J[4];
    for (int side = -1; side < 2; side++) {
        resida_jacobian *j = open_block(&b, "dense", RESIDA_DIFFERENCES_FORWARD, 1);
        assert_int_equal(set_up(j, &b, side * 0.3 * DELTA_0, -1, 1, 100, J), 2);
        assert_true(J[1] > b.k * (1 - 1e-6) && J[1] < (b.k + b.K) * (1 + 1e-6));
        assert_int_equal(kinks(j), 0);
    }
}

CLAIM(no_built_in_model_has_a_jump)
{
    static const char *const models[] = {
        "pendulum", "andrews",         "car-axis", "slider-crank", "slider-crank-flexible",
        "chain",    "chain-cartesian", "akzo",     "robertson"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int s = 0; s < STRATEGIES; s++) {
            double t_end = strncmp(models[m], "chain", 5) == 0 ? 5 : strcmp(models[m], "pendulum") == 0 ? 3 : 0;
            run_result r = run_model((run_order){.model = models[m], .jacobian = strategies[s], .t_end = t_end});
            assert_int_equal(r.status, RESIDA_OK);
            assert_true(r.stats.jacobian_evaluations.dense + r.stats.jacobian_evaluations.coloured > 0);
            assert_int_equal(r.stats.kinks, 0);
        }
}

/* A slide that swings along x and is pushed along y from t = 1 on, where it has rested with dry friction and sign(0) =
 * 0:
 *
 *     x'' = -400 x,    y'' = f - y' - mu sign(y'),    f = F s^2 (3 - 2 s), s = (t - 1)/w within 0..1 */
#define PUSH     5.0
#define RAMP     1e-3
#define FRICTION 1e-3

static int slide_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    double s = fmin(fmax((t - 1) / RAMP, 0), 1);
    r[0] = a[0] + 400 * p[0];
    r[1] = a[1] + v[1] - PUSH * s * s * (3 - 2 * s) + *(const double *)user * (v[1] > 0 ? 1 : v[1] < 0 ? -1 : 0);
    return 0;
}

static int slide_mass(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = out[3] = 1, out[1] = out[2] = 0;
    return 0;
}

/* y at t = 2. */
static resida_stats run_slide(const char *strategy, double friction, double *y)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 2, m.residual = slide_residual, m.mass_matrix = slide_mass, m.user = &friction;
    o.jacobian = strategy, o.max_steps = 20000;
    resida_solver *solver = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, (const double[]){1, 0}, (const double[]){0, 0}, NULL, NULL),
                     RESIDA_OK);
    resida_status status = resida_solver_advance(solver, 2);
    resida_stats stats = test_stats(solver);
    if (status != RESIDA_OK) fail_msg("%s: %s", strategy, resida_solver_message(solver));
    *y = test_state(solver).p[1];
    return stats;
}

/* The friction takes at most mu t^2/2 from the way, and hardly a step more. */
CLAIM(a_slide_at_rest_with_friction_starts_to_move_as_it_must)
{
    for (int s = 0; s < STRATEGIES; s++) {
        double y, free;
        resida_stats with = run_slide(strategies[s], FRICTION, &y), without = run_slide(strategies[s], 0, &free);
        print_message("%-18s y = %.6f in %ld steps, %ld Newton failures, %ld kinks; without friction %.6f in %ld\n",
                      strategies[s], y, with.steps, with.newton_fails, with.kinks, free, without.steps);
        assert_true(with.kinks > 0 && without.kinks == 0);
        assert_true(y < free && y > free - FRICTION);
        assert_true(4 * with.steps < 5 * without.steps);
    }
}
