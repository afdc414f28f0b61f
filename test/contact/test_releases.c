/* test_releases.c - forces that end at once, without a root function: a latch that opens, a clutch, a drain that is
 * closed. A J that has kept their stiffness hides what is left of F: a body that is let go would hang in the air, and
 * the status be ok. Random moments and stiffnesses against closed forms, every strategy that keeps dF/dy' apart. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { RELEASES = 24, PLACES = 2, MECHANISMS = 2 }; /* the first scenes */

#define GRAV       9.81
#define END        10.0
#define TOLERANCE  1e-4
#define FIRST_STEP 1e-3
#define MOST       60.0 /* tolerances; without a look 1e3 to 1e5 */
#define MAX_ACROSS 1000.0

/** What lets go when. */
typedef struct release {
    double stiffness, moment;
} release;

/* A body that is held up while its load changes, beside one at rest. */
static int latch(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    const release *s = user;
    const double k = t < s->moment ? s->stiffness : 0;
    r[0] = a[0] + k * p[0] + 2 * sqrt(k) * v[0] + GRAV + sin(t);
    r[1] = a[1] + p[1] / 4;
    return 0;
}

/* Two discs of 1 and 10 that a viscous clutch couples; sin t turns the small one. */
static int clutch(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const release *s = user;
    const double slip = (t < s->moment ? s->stiffness : 0) * (v[0] - v[1]);
    r[0] = a[0] - sin(t) + slip;
    r[1] = 10 * a[1] - slip;
    return 0;
}

/* y0 is held at 1 until then, y1 = its integral. */
static int drain(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const release *s = user;
    r[0] = yp[0] + (t < s->moment ? s->stiffness : 0) * (y[0] - 1) - sin(3 * t);
    r[1] = yp[1] - y[0];
    return 0;
}

/* --- What they come to at END: by closed forms, in tolerances --- */

static double off(double x, double right)
{
    return fabs(x - right) / (TOLERANCE * fmax(fabs(right), 1));
}

static double latch_error(const release *s, const resida_state *x)
{
    const double b = s->moment, T = END - b, held = -(GRAV + sin(b)) / s->stiffness, v = -cos(b) / s->stiffness;
    return fmax(off(x->p[0], held + (v - cos(b) - GRAV * T / 2) * T + sin(END) - sin(b)),
                off(x->v[0], v - GRAV * T + cos(END) - cos(b)));
}

static double clutch_error(const release *s, const resida_state *x)
{
    const double b = s->moment, k = 1.1 * s->stiffness, slip = (k * sin(b) - cos(b) + exp(-k * b)) / (k * k + 1);
    return off(x->v[0], (1 - cos(b) + 10 * slip) / 11 + cos(b) - cos(END));
}

static double drain_error(const release *s, const resida_state *x)
{
    const double b = s->moment, k = s->stiffness,
                 held = (k * sin(3 * b) - 3 * cos(3 * b) + 3 * exp(-k * b)) / (k * k + 9);
    return off(x->y[0], 1 + held + (cos(3 * b) - cos(3 * END)) / 3);
}

typedef struct scene {
    const char *name;
    resida_residual_fn *residual;
    resida_dae_residual_fn *dae;
    double (*error)(const release *s, const resida_state *x);
} scene;

static const scene scenes[] = {
    {"latch", latch, NULL, latch_error},
    {"clutch", clutch, NULL, clutch_error},
    {"drain", NULL, drain, drain_error},
};

static resida_problem *open_scene(const scene *c, release *s)
{
    resida_mechanism m = test_mechanism();
    resida_dae d = test_dae();
    m.n_p = m.n_v = d.n = PLACES;
    m.user = d.user = s;
    m.residual = c->residual;
    d.residual = c->dae;
    return c->dae ? test_problem_dae(&d, NULL) : test_problem(&m, NULL);
}

static double error_of(const scene *c, release *s, const char *strategy, const char *method)
{
    resida_problem *problem = open_scene(c, s);
    resida_solver_options o = test_solver_options();
    const double zero[PLACES] = {0};
    const double held[PLACES] = {c->dae ? 1 : c->residual == latch ? -GRAV / s->stiffness : 0, 0};
    o.rtol = TOLERANCE, o.atol = TOLERANCE / 100, o.jacobian = strategy;
    if (method) o.method = method, o.adaptive = 1, o.step = FIRST_STEP;
    resida_solver *solver = test_solver_of(problem, &o);
    const int started = c->dae ? resida_solver_start_dae(solver, 0, held, zero)
                               : resida_solver_start(solver, 0, held, zero, NULL, NULL);
    if (started < 0 || resida_solver_advance(solver, END) < 0) fail_msg("%s", resida_solver_message(solver));
    resida_state x = test_state(solver);
    const double error = c->error(s, &x);
    return error;
}

/* The worst one of some random releases. method NULL: BDF. */
static void release_all(const scene *c, const char *strategy, const char *method, double most)
{
    uint64_t seed = 7;
    double worst = 0;
    for (int k = 0; k < RELEASES; k++) {
        release s = {.stiffness = pow(10, 4.5 + 2 * bench_random(&seed)), .moment = 5 + 4 * bench_random(&seed)};
        worst = fmax(worst, error_of(c, &s, strategy, method));
    }
    print_message("  %-8s %-20s %-18s errs by %.3g tolerances\n", c->name, strategy, method ? method : "", worst);
    assert_true(worst < most);
}

CLAIM(a_released_body_moves)
{
    static const char *const strategies[] = {"auto", "fresh", "sparse+partitioned", "dense+extended"};
    for (size_t c = 0; c < sizeof scenes / sizeof *scenes; c++)
        for (size_t j = 0; j < sizeof strategies / sizeof *strategies; j++)
            release_all(&scenes[c], strategies[j], NULL, MOST);
}

/* These step across the jump: their errors are larger. */
CLAIM(a_released_body_moves_with_adaptive_methods)
{
    static const char *const methods[] = {"newmark", "hht", "generalized-alpha"};
    for (int c = 0; c < MECHANISMS; c++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++)
            release_all(&scenes[c], "auto", methods[j], MAX_ACROSS);
}
