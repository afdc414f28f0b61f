/* impact_scene.c - see impact_scene.h. */
#include "impact_scene.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define GRAVITY   9.81
#define REGULAR   1e-4 /* m/s, over which friction changes its sign */
#define PI        3.14159265358979323846
#define TIGHT     1e-12
#define NEARLY_SO 1e-11 /* must agree with it */
#define AGREEMENT 1e-7

const char *const impact_names[IMPACT_N_KINDS] = {"wall",   "hunt", "viscous", "carts",
                                                  "linked", "stop", "belt",    "dumbbell"};

static double above(double depth)
{
    return depth > 0 ? depth : 0;
}

/* Generalised forces without the link's. */
static void forces(const impact_scene *s, const double *p, const double *v, double *f)
{
    const double d = p[0] - s->at, slip = s->belt - v[0];
    memset(f, 0, (size_t)s->n * sizeof *f);
    switch (s->kind) {
    case IMPACT_WALL:
        f[0] = -s->k * above(d);
        break;
    case IMPACT_HUNT:
        f[0] = -s->k * above(d) * (1 + s->c * v[0]);
        break;
    case IMPACT_VISCOUS:
        f[0] = d > 0 ? -above(s->k * d + s->c * v[0]) : 0;
        break;
    case IMPACT_CARTS:
        f[1] = s->k * above(p[0] - p[1]);
        f[0] = -f[1];
        break;
    case IMPACT_LINKED:
        f[1] = -s->k * above(p[1] - s->at);
        break;
    case IMPACT_STOP:
        f[0] = -s->soft * p[0] + s->k * above(-d);
        break;
    case IMPACT_BELT:
        f[0] = -s->soft * p[0] + tanh(slip / REGULAR) * (1 + 0.5 * exp(-5 * fabs(slip)));
        break;
    case IMPACT_DUMBBELL:
        for (int b = 0; b < 2; b++) f[2 * b + 1] = s->k * above(-p[2 * b + 1]) - s->m[2 * b] * GRAVITY;
        break;
    case IMPACT_N_KINDS:
        break;
    }
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const impact_scene *s = user;
    forces(s, p, v, r);
    for (int i = 0; i < s->n; i++) r[i] = s->m[i] * a[i] - r[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const impact_scene *s = user;
    forces(s, p, v, a);
    for (int i = 0; i < s->n; i++) a[i] = (a[i] + f[i]) / s->m[i];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const impact_scene *s = user;
    if (s->kind == IMPACT_LINKED)
        g[0] = p[1] - p[0] - s->length;
    else
        g[0] = 0.5 * (pow(p[2] - p[0], 2) + pow(p[3] - p[1], 2) - s->length * s->length);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const impact_scene *s = user;
    if (s->kind == IMPACT_LINKED)
        G[0] = -1, G[1] = 1;
    else
        for (int i = 0; i < 2; i++) G[i] = p[i] - p[i + 2], G[i + 2] = -G[i];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const impact_scene *s = user;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->n; k++) M[i * s->n + k] = i == k ? s->m[i] : 0;
    return 0;
}

/* Where contacts close and open. */
static int root(double t, const double *p, const double *v, const resida_excitation *e, double *r, void *user)
{
    const impact_scene *s = user;
    r[0] = s->kind == IMPACT_CARTS ? p[0] - p[1] : s->kind == IMPACT_LINKED ? p[1] - s->at : p[0] - s->at;
    return 0;
}

resida_problem *impact_open(impact_scene *s, resida_formalism formalism)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = s->n;
    m.n_g = s->n_g;
    m.n_root = s->n_root;
    m.user = s;
    if (formalism == RESIDA_FORMALISM_EXPLICIT)
        m.acceleration = acceleration;
    else
        m.residual = residual, m.mass_matrix = s->hides_mass ? NULL : mass_matrix;
    if (s->n_g > 0) m.constraint = constraint, m.constraint_matrix = constraint_matrix;
    if (s->n_root > 0) m.root = root;
    return test_problem(&m, NULL);
}

static double error_of(const impact_scene *s, const resida_state *z)
{
    double error = 0;
    for (int i = 0; i < s->n; i++) {
        if (isfinite(s->exact[i])) error = fmax(error, fabs(z->p[i] - s->exact[i]));
        if (isfinite(s->exact[s->n + i])) error = fmax(error, fabs(z->v[i] - s->exact[s->n + i]) / s->scale);
    }
    return error;
}

impact_run impact_solve(impact_scene *s, const char *strategy, resida_formalism formalism, double tolerance)
{
    impact_run r = {.stats = {.size = sizeof r.stats}};
    resida_problem *problem = impact_open(s, formalism);
    resida_solver_options o = test_solver_options();
    o.jacobian = strategy;
    o.rtol = o.atol = tolerance;
    o.max_steps = 1000000;
    resida_solver *solver = test_solver_of(problem, &o);
    assert_int_equal(resida_solver_start(solver, 0, s->p0, s->v0, NULL, NULL), RESIDA_OK);
    do r.status = resida_solver_advance(solver, s->t_end);
    while (r.status == RESIDA_EVENT);
    snprintf(r.message, sizeof r.message, "%s", resida_solver_message(solver));
    resida_state z = test_state(solver);
    r.error = error_of(s, &z);
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    return r;
}

static double between(uint64_t *seed, double least, double most)
{
    return least + 0.5 * (1 + bench_random(seed)) * (most - least);
}

/* v/a - log(1 + a v)/a^2 is the same before and after: v dv/(1 + a v) = -(k/m) d dd. */
static double rebound_hunt(double a, double before)
{
    double wanted = before / a - log1p(a * before) / (a * a), least = -(1 - 1e-15) / a, most = 0;
    for (int i = 0; i < 200; i++) {
        double v = 0.5 * (least + most);
        if (v / a - log1p(a * v) / (a * a) > wanted)
            least = v;
        else
            most = v;
    }
    return 0.5 * (least + most);
}

/* Until the force ends, w d + 2 zeta d' = 0 of d = exp(-zeta w t) sin(w sqrt(1 - zeta^2) t). */
static double rebound_viscous(double zeta, double before)
{
    double damped = sqrt(1 - zeta * zeta), angle = atan2(2 * zeta * damped, 2 * zeta * zeta - 1);
    return before * exp(-zeta * angle / damped) * (cos(angle) - zeta * sin(angle) / damped);
}

static void make_carts(impact_scene *s, uint64_t *seed, double *flight)
{
    const double a = s->m[0] = between(seed, 0.3, 2.3), b = s->m[1] = between(seed, 0.3, 2.3), v = s->v0[0];
    const double w = s->v0[1] = -v * between(seed, 0, 0.5);
    s->p0[1] = s->at;
    *flight *= v / (v - w);
    s->exact[2] = ((a - b) * v + 2 * b * w) / (a + b);
    s->exact[3] = ((b - a) * w + 2 * a * v) / (a + b);
}

static void make_link(impact_scene *s, uint64_t *seed)
{
    s->m[0] = between(seed, 0.3, 2.3);
    s->p0[1] = s->length = 0.5;
    s->at += s->length;
    s->v0[1] = s->v0[0];
    s->exact[2] = s->exact[3] = -s->v0[0];
}

static void make_rebound(impact_scene *s, uint64_t *seed)
{
    const double v = pow(10, between(seed, -1.3, 0.7)), late = pow(10, between(seed, 0.02, 1.3));
    const double zeta = between(seed, 0.05, 0.65);
    double flight = pow(10, between(seed, -1, 1.5));
    s->v0[0] = s->scale = v;
    s->at = flight * v;
    s->exact[s->n] = -v;
    if (s->kind == IMPACT_HUNT) {
        s->c = between(seed, 0.05, 0.95) / v;
        s->exact[1] = rebound_hunt(s->c, v);
    } else if (s->kind == IMPACT_VISCOUS) {
        s->c = 2 * zeta * sqrt(s->k);
        s->exact[1] = rebound_viscous(zeta, v);
    } else if (s->kind == IMPACT_CARTS) {
        make_carts(s, seed, &flight);
    } else if (s->kind == IMPACT_LINKED) {
        make_link(s, seed);
    }
    s->t_end = flight * late + 6 * PI / sqrt(s->k);
}

/* Where runs by J of every setup at tolerances far below agree. */
static void find_exact(impact_scene *s)
{
    memset(s->exact, 0, sizeof s->exact);
    s->scale = 1;
    for (int k = 0; k < 2; k++) {
        resida_problem *problem = impact_open(s, RESIDA_FORMALISM_RESIDUAL);
        resida_solver_options o = test_solver_options();
        o.jacobian = "dense";
        o.rtol = o.atol = k == 0 ? NEARLY_SO : TIGHT;
        resida_solver *solver = test_solver_of(problem, &o);
        assert_int_equal(resida_solver_start(solver, 0, s->p0, s->v0, NULL, NULL), RESIDA_OK);
        if (resida_solver_advance(solver, s->t_end) < 0) fail_msg("%s", resida_solver_message(solver));
        resida_state z = test_state(solver);
        if (k > 0) assert_true(error_of(s, &z) < AGREEMENT);
        memcpy(s->exact, z.p, (size_t)s->n * sizeof *z.p);
        memcpy(s->exact + s->n, z.v, (size_t)s->n * sizeof *z.v);
    }
}

static void make_dumbbell(impact_scene *s, uint64_t *seed)
{
    const double angle = between(seed, 0.3, 0.8);
    s->n = 4;
    s->k = 1e6;
    s->length = 1;
    s->p0[1] = between(seed, 0.5, 0.8);
    s->p0[2] = cos(angle);
    s->p0[3] = s->p0[1] + sin(angle);
    s->v0[0] = s->v0[2] = 0.5;
    s->t_end = 0.8;
}

void impact_make(impact_scene *s, impact_kind kind, uint64_t number)
{
    uint64_t seed = 0x9E3779B97F4A7C15u * (number + 1);
    *s = (impact_scene){.kind = kind, .n = 1, .m = {1, 1, 1, 1}, .soft = 1};
    for (int i = 0; i < 2 * IMPACT_MAX; i++) s->exact[i] = NAN;
    s->k = pow(10, between(&seed, 2, 13));
    if (kind == IMPACT_CARTS || kind == IMPACT_LINKED) s->n = 2;
    s->n_g = kind == IMPACT_LINKED || kind == IMPACT_DUMBBELL;
    if (kind < IMPACT_N_REBOUNDS) {
        make_rebound(s, &seed);
        return;
    }
    if (kind == IMPACT_STOP) {
        s->k = pow(10, between(&seed, 5, 9));
        s->at = between(&seed, -0.7, -0.3);
        s->p0[0] = 1;
        s->t_end = 8;
    } else if (kind == IMPACT_BELT) {
        s->v0[0] = s->belt = between(&seed, 0.3, 0.7);
        s->t_end = 20;
    } else {
        make_dumbbell(s, &seed);
    }
    find_exact(s);
}
