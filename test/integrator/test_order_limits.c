/* test_order_limits.c - orders 4 and 5 are left where estimates say that they gain nothing, and only there; a limit
 * that is slower ends. */
#include "test/fixtures/run_model.h"
#include "test/fixtures/solver_fixture.h"

/* Oscillators on a support, q'' + 2 d w q' + w^2 (q - u) = 0, with d = 0.1 and w = 100 .. 400 rad/s. The support moves
 * slowly, u = 0.05 m sum_k sin(k (0.9 + k/10) rad/s t)/k, k = 1, 2, 3, with t counted from `begins` on, where it sets
 * in smoothly, and up to `ends`. */
enum { MODES = 8, END = 20 };

typedef struct support {
    double begins, ends;
} support;

static const support always = {0, INFINITY}, late = {10, INFINITY}, early = {0, 10};

static double position(const support *s, double t)
{
    const double since = fmax(fmin(t, s->ends) - s->begins, 0);
    double sum = 0;
    for (int k = 1; k <= 3; k++) sum += sin(k * (0.9 + 0.1 * k) * since) / k;
    return 0.05 * sum * fmin(since * since * since, 1);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    for (int i = 0; i < MODES; i++) {
        const double w = 100 * pow(4, i / (MODES - 1.0));
        a[i] = f[i] - 2 * 0.1 * w * v[i] - w * w * (p[i] - position(user, t));
    }
    return 0;
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
    support s;
} run;

static void open_run(run *r, const support *s, double rtol, int detection, resida_monitor_fn *monitor, void *user)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    r->s = *s;
    m.n_p = m.n_v = MODES;
    m.acceleration = acceleration;
    m.user = &r->s;
    o.rtol = rtol;
    o.atol = 1e-2 * rtol;
    o.stability_detection = detection;
    o.t_stop = END;
    o.monitor = monitor;
    o.monitor_user = user;
    test_solver_make(&r->problem, &r->solver, &m, NULL, &o);
}

static void start(run *r)
{
    const double zero[MODES] = {0};
    assert_int_equal(resida_solver_start(r->solver, 0, zero, zero, NULL, NULL), RESIDA_OK);
}

/* Over interruptions. */
static void go_to(run *r, double t)
{
    resida_status status;
    while ((status = resida_solver_advance(r->solver, t)) == RESIDA_INTERRUPTED) continue;
    assert_int_equal(status, RESIDA_OK);
}

/* The state at the end. */
static resida_stats end(run *r, double *p)
{
    const resida_stats stats = test_stats(r->solver);
    memcpy(p, test_state(r->solver).p, MODES * sizeof *p);
    return stats;
}

static resida_stats swing(const support *s, double rtol, int detection, double *p)
{
    run r;
    open_run(&r, s, rtol, detection, NULL, NULL);
    start(&r);
    go_to(&r, END);
    return end(&r, p);
}

static double distance(const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < MODES; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

enum { NEARBY = 9 };

static double nearby(double rtol, int k)
{
    return rtol * pow(1.04, k - NEARBY / 2);
}

typedef struct total {
    double steps_on, steps_off, calls_on, calls_off, limits, error_on, error_off;
} total;

static void add(total *x, const resida_stats *on, const resida_stats *off)
{
    x->steps_on += (double)on->steps;
    x->steps_off += (double)off->steps;
    x->calls_on += (double)(on->residual_calls.newton + on->residual_calls.jacobian);
    x->calls_off += (double)(off->residual_calls.newton + off->residual_calls.jacobian);
    x->limits += (double)on->order_limits.set;
}

/* At tolerances near 1e-4. */
static total of_oscillators(const support *s)
{
    total sum = {.limits = 0};
    double exact[MODES], p[MODES], q[MODES];
    swing(s, 1e-10, 0, exact);
    for (int k = 0; k < NEARBY; k++) {
        const resida_stats on = swing(s, nearby(1e-4, k), 1, p), off = swing(s, nearby(1e-4, k), 0, q);
        assert_int_equal(off.order_limits.set, 0);
        add(&sum, &on, &off);
        sum.error_on = fmax(sum.error_on, distance(p, exact));
        sum.error_off = fmax(sum.error_off, distance(q, exact));
    }
    print_message("  steps %.3f, calls %.3f, %.0f limits, errors %.1e, %.1e\n", sum.steps_on / sum.steps_off,
                  sum.calls_on / sum.calls_off, sum.limits, sum.error_on, sum.error_off);
    return sum;
}

#define TOLERANCE 1e-4 /* the largest of states is about 0.1 */

CLAIM(oscillators_on_a_slow_support_take_fewer_steps)
{
    const total x = of_oscillators(&always);
    assert_true(x.limits >= NEARBY);
    assert_true(x.steps_on < 0.9 * x.steps_off);
    assert_true(x.calls_on < 0.95 * x.calls_off);
    assert_true(x.error_on < TOLERANCE);
}

/* What is detected while nothing moves, or goes on behind it, must not cost. */
CLAIM(a_motion_that_begins_late_or_ends_early_takes_no_more_calls)
{
    const support *of[] = {&late, &early};
    for (int k = 0; k < 2; k++) {
        const total x = of_oscillators(of[k]);
        assert_true(x.calls_on < 1.03 * x.calls_off);
        assert_true(x.error_on < TOLERANCE);
    }
}

static resida_stats of_model(const char *name, double t_end, double rtol, int detection)
{
    const run_result r = run_model((run_order){
        .model = name, .t_end = t_end, .rtol = rtol, .atol = 1e-2 * rtol, .all_orders = !detection, .outputs = 1});
    assert_int_equal(r.status, RESIDA_OK);
    return r.stats;
}

CLAIM(the_rear_axle_takes_three_quarters_of_the_calls)
{
    total sum = {.limits = 0};
    for (int k = 0; k < NEARBY; k++) {
        const double rtol = nearby(1e-4, k);
        const resida_stats on = of_model("rear-axle", 5, rtol, 1), off = of_model("rear-axle", 5, rtol, 0);
        add(&sum, &on, &off);
    }
    print_message("  steps %.3f, calls %.3f\n", sum.steps_on / sum.steps_off, sum.calls_on / sum.calls_off);
    assert_true(sum.calls_on < 0.75 * sum.calls_off);
}

/* Order 5 takes half the steps of order 3. */
CLAIM(smooth_motions_keep_order_5)
{
    const struct {
        const char *name;
        double t_end;
    } models[] = {{"car-axis", 3}, {"andrews", 0.03}, {"slider-crank", 10}};
    for (int i = 0; i < 3; i++)
        for (int tolerance = 3; tolerance <= 7; tolerance++) {
            const double rtol = pow(10, -tolerance);
            const resida_stats on = of_model(models[i].name, models[i].t_end, rtol, 1);
            assert_int_equal(on.order_limits.set, 0);
            assert_int_equal(on.steps, of_model(models[i].name, models[i].t_end, rtol, 0).steps);
        }
}

/* --- The same bits --- */

static const double rtol_limited = 1e-4;

/* Interrupt before each step, once. */
static int interrupt_once(double t, void *user)
{
    double *latest = user;
    const int is_new = t > *latest;
    *latest = fmax(*latest, t);
    return is_new;
}

CLAIM(interruptions_and_outputs_change_nothing)
{
    double latest = -1, p[MODES], q[MODES];
    run r;
    const resida_stats plain = swing(&always, rtol_limited, 1, p);
    open_run(&r, &always, rtol_limited, 1, interrupt_once, &latest);
    start(&r);
    for (int k = 1; k <= 1024; k++) go_to(&r, (double)END * k / 1024);
    const resida_stats often = end(&r, q);
    assert_true(plain.order_limits.set > 0);
    assert_int_equal(plain.order_limits.set, often.order_limits.set);
    assert_int_equal(plain.order_limits.steps, often.order_limits.steps);
    assert_int_equal(plain.steps, often.steps);
    assert_memory_equal(p, q, sizeof p);
}

/* A solver that goes on from these bytes. */
static resida_stats resume(const void *bytes, size_t size, double *p)
{
    run r;
    open_run(&r, &always, rtol_limited, 1, NULL, NULL);
    assert_int_equal(resida_solver_load(r.solver, NULL, bytes, size), RESIDA_OK);
    go_to(&r, END);
    return end(&r, p);
}

CLAIM(checkpoints_under_a_limit_give_the_same_bits)
{
    double p[MODES], q[MODES], exact[MODES];
    size_t size = 0;
    run r;
    open_run(&r, &always, rtol_limited, 1, NULL, NULL);
    start(&r);
    double t = 0; /* half of a limit's least length behind the time when it was set */
    while (test_stats(r.solver).order_limits.steps < 20) go_to(&r, t += 0.01);
    const resida_stats before = test_stats(r.solver);
    assert_true(before.order_limits.set > before.order_limits.freed);
    assert_int_equal(resida_solver_save(r.solver, NULL, 0, NULL, 0, &size), RESIDA_OK);
    void *bytes = claims_zeros(size, 1);
    assert_non_null(bytes);
    assert_int_equal(resida_solver_save(r.solver, NULL, 0, bytes, size, &size), RESIDA_OK);
    const resida_stats a = resume(bytes, size, p), b = resume(bytes, size, q);
    assert_int_equal(a.steps, b.steps);
    assert_int_equal(a.order_limits.set, b.order_limits.set);
    assert_memory_equal(p, q, sizeof p);
    assert_true(a.order_limits.set > before.order_limits.set);
    swing(&always, 1e-10, 0, exact);
    assert_true(distance(p, exact) < TOLERANCE);
}
