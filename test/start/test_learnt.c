/* test_learnt.c - large mechanisms that give nothing but a residual and g: starts and runs are those with dg/dp and M,
 * entries of dg/dp and M that appear later are found, calls do not grow with the number of bodies, nor memory for each
 * of them. */
#include "test/fixtures/claims.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

/* --- a mechanism, with its matrices or without --- */

typedef struct world {
    int n;       /* bodies, or masses */
    double l, m; /* of a bar: length and mass */
    int is_ring; /* the last bar ends at the first one */
    double gate; /* position from which a coordinate acts on others */
    double *p0, *v0;
    long residuals, constraints;
    int *G_row, *G_col, *M_row, *M_col;
} world;

/* Bars x, y, phi, pinned to each other and to the ground; torsion springs and dampers between neighbours. */
static double torque(const world *w, const double *p, const double *v, int i)
{
    const double k = 0.5 * w->n, d = 0.02 * w->n, *q = p + 3 * i, *u = v + 3 * i;
    return k * (q[5] - q[2]) + d * (u[5] - u[2]);
}

static int bars(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    world *w = user;
    w->residuals++;
    for (int i = 0; i < w->n; i++) {
        r[3 * i] = w->m * a[3 * i];
        r[3 * i + 1] = w->m * (a[3 * i + 1] + 9.81);
        r[3 * i + 2] = w->m * w->l * w->l / 12 * a[3 * i + 2];
        if (i > 0) r[3 * i + 2] += torque(w, p, v, i - 1);
        if (i < w->n - 1) r[3 * i + 2] -= torque(w, p, v, i);
    }
    return 0;
}

/* The joint before bar i; that of the ground for bar 0, and of the last bar with the first one for bar n. */
static int pins(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    world *w = user;
    w->constraints++;
    for (int i = 0; i <= w->n - !w->is_ring; i++) {
        const double *b = i > 0 ? p + 3 * (i - 1) : NULL, *f = i < w->n ? p + 3 * i : p;
        g[2 * i] = f[0] - w->l / 2 * cos(f[2]) - (b ? b[0] + w->l / 2 * cos(b[2]) : 0);
        g[2 * i + 1] = f[1] - w->l / 2 * sin(f[2]) - (b ? b[1] + w->l / 2 * sin(b[2]) : 0);
    }
    return 0;
}

static int slopes_of_pins(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const world *w = user;
    int k = 0;
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < 2; c++) {
            const double *b = p + 3 * (i - 1), *f = p + 3 * i;
            if (i > 0) G[k++] = -1, G[k++] = w->l / 2 * (c ? -cos(b[2]) : sin(b[2]));
            G[k++] = 1, G[k++] = w->l / 2 * (c ? -cos(f[2]) : sin(f[2]));
        }
    return 0;
}

static int masses_of_bars(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const world *w = user;
    for (int i = 0; i < w->n; i++) M[3 * i] = M[3 * i + 1] = w->m, M[3 * i + 2] = w->m * w->l * w->l / 12;
    return 0;
}

static void list_entries(world *w)
{
    int k = 0;
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < 2; c++) {
            if (i > 0) w->G_col[k++] = 3 * i - 3 + c, w->G_col[k++] = 3 * i - 1;
            w->G_col[k++] = 3 * i + c, w->G_col[k++] = 3 * i + 2;
            w->G_row[2 * i + c + 1] = k;
        }
    for (int i = 0; i < 3 * w->n; i++) w->M_row[i + 1] = w->M_col[i] = i, w->M_row[i + 1]++;
}

/* A chain that hangs from the ground at 0, along `turn` from bar to bar; of a ring it closes. */
static resida_mechanism chain(world *w, int n, double turn, int is_given)
{
    resida_mechanism m;
    double x = 0, y = 0;
    *w = (world){.n = n, .l = 10.0 / n, .m = 10.0 / n, .is_ring = turn > 0};
    w->p0 = claims_zeros((size_t)n * 3, sizeof(double)), w->v0 = claims_zeros((size_t)n * 3, sizeof(double));
    w->G_row = claims_zeros((size_t)n * 2 + 1, sizeof(int)), w->G_col = claims_zeros((size_t)n * 8, sizeof(int));
    w->M_row = claims_zeros((size_t)n * 3 + 1, sizeof(int)), w->M_col = claims_zeros((size_t)n * 3, sizeof(int));
    for (int i = 0; i < n; i++) {
        const double phi = i * turn;
        w->p0[3 * i] = x + w->l / 2 * cos(phi), w->p0[3 * i + 1] = y + w->l / 2 * sin(phi), w->p0[3 * i + 2] = phi;
        x += w->l * cos(phi), y += w->l * sin(phi);
    }
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 3 * n, m.n_g = 2 * n + 2 * w->is_ring, m.residual = bars, m.constraint = pins, m.user = w;
    if (!is_given) return m;
    list_entries(w);
    m.constraint_matrix = slopes_of_pins, m.G_pattern = (resida_pattern){w->G_row, w->G_col};
    m.mass_matrix = masses_of_bars, m.M_pattern = (resida_pattern){w->M_row, w->M_col};
    return m;
}

/* p and v at t_end. */
static void run(const resida_mechanism *m, const world *w, double t_end, double *p, double *v)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-7;
    resida_solver *s = test_solver(m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, w->p0, w->v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    resida_state at = test_state(s);
    memcpy(p, at.p, (size_t)m->n_p * sizeof *p), memcpy(v, at.v, (size_t)m->n_v * sizeof *v);
}

static double distance(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* --- starts --- */

/* a and lam of a start. */
static long start(const resida_mechanism *m, const resida_problem_options *o, const world *w, double *a, double *lam)
{
    resida_problem *problem;
    resida_start_report report;
    resida_message why = {""};
    double *p = claims_zeros((size_t)m->n_p * 2, sizeof *p), *v = p + m->n_p;
    assert_int_equal(resida_problem_create(&problem, m, o, &why), RESIDA_OK);
    assert_int_equal(resida_problem_start(problem, 0, w->p0, w->v0, NULL, p, v, a, lam, &report, &why), RESIDA_OK);
    assert_true(report.n_redundant == 0);
    resida_problem_free(problem);
    return report.residual_calls;
}

/* Accelerations are those with matrices to the error of differences of g along the motion. */
CLAIM(a_start_from_a_residual_and_g_is_that_with_matrices)
{
    world with, without;
    const int n = 200;
    const resida_mechanism given = chain(&with, n, 1e-3, 1), bare = chain(&without, n, 1e-3, 0);
    with.is_ring = without.is_ring = 0;
    resida_mechanism m[] = {given, bare};
    m[0].n_g = m[1].n_g = 2 * n;
    double *a = claims_zeros((size_t)n * 10, sizeof *a), *b = a + 5 * n;
    for (int i = 0; i < n; i++) with.v0[3 * i + 2] = without.v0[3 * i + 2] = 0; /* at rest */
    start(&m[0], NULL, &with, a, a + 3 * n);
    start(&m[1], NULL, &without, b, b + 3 * n);
    assert_true(distance(a, b, 3 * n) < 1e-6 * 9.81 * n);
    assert_true(distance(a + 3 * n, b + 3 * n, 2 * n) < 1e-6 * 9.81 * 10);
}

/* Twice the bodies: the halving more of a bisection takes some ten calls, and memory is twice as much. A full matrix
 * would be four times as large. */
CLAIM(starts_take_the_calls_of_a_smaller_one_and_memory_for_each_body)
{
    const resida_allocator counted = measured_memory();
    resida_problem_options o = test_problem_options();
    o.allocator = &counted;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        size_t memory[2];
        long calls[2], constraints[2];
        for (int i = 0; i < 2; i++) {
            world w;
            const int n = 400 << i;
            const resida_mechanism m = chain(&w, n, is_ring ? 2 * acos(-1) / n : 0, 0);
            double *a = claims_zeros((size_t)n * 6, sizeof *a);
            max_memory_in_use = memory_in_use = 0;
            calls[i] = start(&m, &o, &w, a, a + 3 * n);
            memory[i] = max_memory_in_use, constraints[i] = w.constraints;
        }
        assert_int_equal(memory_in_use, 0);
        assert_in_range(memory[1], 0, memory[0] * 22 / 10);
        assert_in_range(calls[1], 0, calls[0] + 30);
        assert_in_range(constraints[1], 0, constraints[0] + 100);
        assert_in_range(calls[1], 0, 200);
    }
}

/* J of the first steps has 200,000 unknowns. If its pivots leave the order of columns, its factors do not end. */
CLAIM(a_chain_of_20000_bars_takes_its_first_steps)
{
    world w;
    const int n = 20000;
    const resida_mechanism m = chain(&w, n, -1.0 / n, 1);
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-5;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, w.p0, w.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 1e-9), RESIDA_OK);
    assert_true(test_state(s).t == 1e-9);
}

/* --- entries that are not there at the start --- */

/* At angles of 0 the x of a joint does not change with them. */
CLAIM(a_straight_chain_falls_as_with_matrices)
{
    world with, without;
    const int n = 50;
    const resida_mechanism given = chain(&with, n, 0, 1), bare = chain(&without, n, 0, 0);
    double *p = claims_zeros((size_t)n * 12, sizeof *p), *v = p + 3 * n, *q = v + 3 * n, *u = q + 3 * n;
    run(&given, &with, 0.3, p, v);
    run(&bare, &without, 0.3, q, u);
    assert_true(p[3 * n - 2] < -0.1); /* it has fallen */
    assert_true(distance(p, q, 3 * n) < 1e-5);
    assert_true(distance(v, u, 3 * n) < 1e-3);
}

/* n unit masses that are pushed; the second one of each pair is held at twice the first. From `gate` on the last mass
 * moves the second one, and couples the inertia of the first two. */
static double beyond(const world *w, const double *p)
{
    return fmax(0, p[w->n - 1] - w->gate);
}

static int pushed(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    world *w = user;
    const double c = w->is_ring ? fmin(0.5, beyond(w, p)) : 0;
    for (int i = 0; i < w->n; i++) r[i] = a[i] - 1;
    r[0] += c * a[1], r[1] += c * a[0];
    if (w->is_ring) r[1] -= 2;
    return 0;
}

static int pairs(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const world *w = user;
    const double far = beyond(w, p);
    for (int i = 0; i < w->n / 2; i++) g[i] = p[2 * i + 1] - 2 * p[2 * i];
    g[0] -= 2 * far * far;
    return 0;
}

static int slopes_of_pairs(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const world *w = user;
    memset(G, 0, (size_t)w->n * (size_t)w->n / 2 * sizeof *G);
    for (int i = 0; i < w->n / 2; i++) G[i * w->n + 2 * i] = -2, G[i * w->n + 2 * i + 1] = 1;
    G[w->n - 1] = -4 * beyond(w, p);
    return 0;
}

static resida_mechanism row_of_masses(world *w, int n)
{
    resida_mechanism m = test_mechanism();
    *w = (world){.n = n, .gate = 1};
    w->p0 = claims_zeros((size_t)n, sizeof(double)), w->v0 = claims_zeros((size_t)n, sizeof(double));
    m.n_p = m.n_v = n, m.residual = pushed, m.user = w;
    return m;
}

CLAIM(a_coordinate_that_enters_a_constraint_later_is_found)
{
    enum { N = 160 };
    world w;
    resida_mechanism m = row_of_masses(&w, N), given;
    double p[N], v[N], q[N], u[N];
    m.n_g = N / 2, m.constraint = pairs;
    given = m;
    given.constraint_matrix = slopes_of_pairs;
    run(&given, &w, 2, p, v);
    run(&m, &w, 2, q, u);
    assert_true(p[N - 1] > 1.2 && p[1] - 2 * p[0] > 0.05); /* it has come in */
    assert_true(fabs(p[N - 1] - p[N - 3]) > 1e-2);         /* and that acts back on it */
    assert_true(distance(p, q, N) < 1e-5);
    assert_true(distance(v, u, N) < 1e-4);
}

/* (1 c; c 1) a = (1, 3) of the first two, c = 0 and 1/2. */
CLAIM(an_inertia_that_couples_bodies_later_is_found)
{
    enum { N = 160 };
    world w;
    const resida_mechanism m = row_of_masses(&w, N);
    const double right[2][2] = {{1, 3}, {-2.0 / 3, 10.0 / 3}};
    double p[N], v[N], a[N];
    w.is_ring = 1;
    resida_problem *problem = test_problem(&m, NULL);
    for (int late = 0; late < 2; late++) {
        w.p0[N - 1] = 2 * late;
        assert_int_equal(resida_problem_start(problem, 0, w.p0, w.v0, NULL, p, v, a, NULL, NULL, NULL), RESIDA_OK);
        for (int i = 0; i < N; i++) assert_true(fabs(a[i] - (i < 2 ? right[late][i] : 1)) < 1e-9);
    }
}
