/* test_moving_length.c - a rod whose length changes by a ramp that begins late, of a model that leaves out the
 * acceleration bias, or all derivatives of g. The forms whose rows need the bias arrive: before the ramp g has no third
 * derivative along the motion, and says nothing of how short differences must be behind it.
 *
 *     0 = (p'p - l(t)^2)/2,   l(t) = 1 + J s(w (t - t_b)),   s(x) = 10 x^3 - 15 x^4 + 6 x^5 from 0 to 1
 *     l phi'' = -2 l' phi' - sin phi */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define ADDED_UP  300  /* tolerances, in T_END */
#define TOLERANCE 1e-6 /* relative and absolute */
#define T_END     10
#define PHI_0     0.5
enum { STEPS = 100000 }; /* of the exact solution: the ramp of 1/30 s has 333 of them, local errors below 1e-13 */

typedef struct ramp {
    double size, begins, w; /* J, t_b, w */
} ramp;

/* l, l'. */
static void length_at(const ramp *s, double t, double *l)
{
    const double x = fmin(fmax(s->w * (t - s->begins), 0), 1), y = 1 - x;
    l[0] = 1 + s->size * x * x * x * (10 - 15 * x + 6 * x * x);
    l[1] = s->size * s->w * 30 * x * x * y * y;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    double l[2];
    length_at(user, t, l);
    g[0] = (p[0] * p[0] + p[1] * p[1] - l[0] * l[0]) / 2;
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    double l[2];
    length_at(user, t, l);
    gI[0] = -l[0] * l[1];
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = a[0], r[1] = a[1] + 1;
    return 0;
}

/* phi' and phi''. */
static void turn(double t, const double *x, double *xd, const void *user)
{
    double l[2];
    length_at(user, t, l);
    xd[0] = x[1], xd[1] = -(2 * l[1] * x[1] + sin(x[0])) / l[0];
}

/* p at T_END, by Runge-Kutta steps of order 4. */
static void exact(const ramp *s, double *p)
{
    double x[2] = {PHI_0, 0}, l[2];
    oracle_integrate(turn, s, 2, 0, T_END, STEPS, x);
    length_at(s, T_END, l);
    p[0] = l[0] * sin(x[0]), p[1] = -l[0] * cos(x[0]);
}

/* How far from the exact place the run ends. */
static double error_of(ramp s, const char *form, int gives_first)
{
    static const double p0[] = {0.47942553860420301, -0.87758256189037276}, v0[] = {0, 0}; /* of PHI_0 */
    resida_mechanism m = test_mechanism();
    resida_problem_options q = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_state at;
    double p[2];
    m.n_p = m.n_v = 2, m.n_g = 1, m.user = &s, m.residual = residual, m.constraint = constraint;
    if (gives_first) m.constraint_matrix = small_rod_matrix, m.velocity_bias = velocity_bias;
    q.form = form, o.rtol = o.atol = TOLERANCE;
    resida_solver *solver = test_solver(&m, &q, &o);
    resida_status status = resida_solver_start(solver, 0, p0, v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, T_END);
    if (status < 0) fail_msg("%s: %s", form, resida_solver_message(solver));
    assert_true(resida_solver_state(solver, &at) >= 0);
    exact(&s, p);
    const double error = hypot(at.p[0] - p[0], at.p[1] - p[1]);
    return error;
}

/* Random ramps. index1 knows g by its second derivative alone: what one step over the beginning misses stays. */
CLAIM(a_ramp_that_begins_late_is_followed_without_the_acceleration_bias)
{
    enum { RAMPS = 300, MAX_WRONG = 6 };
    static const char *const forms[] = {"index1", "baumgarte", "state-space"};
    uint64_t seed = 7;
    int wrong = 0;
    for (int n = 0; n < RAMPS; n++) {
        const double size = pow(10, -1.5 + bench_random(&seed)), begins = 3.2 + 3 * bench_random(&seed);
        const ramp s = {size, begins, pow(10, 0.8 + 0.8 * bench_random(&seed))};
        const int gives_first = n / 3 % 2;
        const double error = error_of(s, forms[n % 3], gives_first);
        if (error <= ADDED_UP * TOLERANCE) continue;
        print_message("J %g from %g s, w %g, %s, dg/dp %s: %.1e\n", s.size, s.begins, s.w, forms[n % 3],
                      gives_first ? "given" : "by differences", error);
        wrong++;
    }
    assert_true(wrong <= MAX_WRONG);
}
