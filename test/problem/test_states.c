/* test_states.c - first-order states without constraints, against closed forms. Maxwell: a mass m on a spring k and a
 * dashpot c in series, s the force in both,
 *
 *     m v' = -s,   s' = k (v - s/c);   s = k v0/w e^(-g t) sin w t,   g = k/(2c),   w^2 = k/m - g^2,
 *     v = (s' + k s/c)/k,   x = s/k + m (v0 - v)/c. */
#include "states_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { MASSES = 40 };

/** So many masses, each for itself. */
typedef struct maxwell {
    int n;
    double m, k, c, v0;
    int row[2 * MASSES + 1], col[2 * MASSES];
    resida_status status;
} maxwell;

static int maxwell_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                            double *r, void *user)
{
    const maxwell *x = user;
    for (int i = 0; i < x->n; i++) {
        const double s = v[x->n + i];
        r[i] = x->m * a[i] + s;
        r[x->n + i] = a[x->n + i] - x->k * (v[i] - s / x->c);
    }
    return 0;
}

static int maxwell_acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                                double *a, void *user)
{
    const maxwell *x = user;
    for (int i = 0; i < x->n; i++) {
        const double s = v[x->n + i];
        a[i] = (f[i] - s) / x->m;
        a[x->n + i] = x->k * (v[i] - s / x->c);
    }
    return 0;
}

static int maxwell_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const maxwell *x = user;
    for (int i = 0; i < 2 * x->n; i++) M[i] = i < x->n ? x->m : 1;
    return 0;
}

static resida_mechanism maxwell_mechanism(maxwell *x, int n, int with_mass)
{
    *x = (maxwell){.n = n, .m = 2, .k = 50, .c = 10, .v0 = 0.7};
    resida_mechanism m = test_mechanism();
    m.name = "maxwell";
    m.n_p = n, m.n_v = 2 * n, m.n_z = n;
    m.user = x;
    m.residual = maxwell_residual;
    m.acceleration = maxwell_acceleration;
    if (!with_mass) return m;
    for (int i = 0; i < 2 * n; i++) x->row[i + 1] = i + 1, x->col[i] = i;
    m.mass_matrix = maxwell_mass;
    m.M_pattern = (resida_pattern){x->row, x->col};
    return m;
}

/* x, v, s */
static void maxwell_exact(const maxwell *q, double t, double *out)
{
    const double g = q->k / (2 * q->c), w = sqrt(q->k / q->m - g * g), size = q->k * q->v0 / w * exp(-g * t);
    const double s = size * sin(w * t), rate = size * (w * cos(w * t) - g * sin(w * t));
    out[1] = (rate + q->k * s / q->c) / q->k;
    out[0] = s / q->k + q->m * (q->v0 - out[1]) / q->c;
    out[2] = s;
}

/* Largest errors of x, v, s [3] at t = 0.1 .. 1. */
static void maxwell_errors(const resida_mechanism *m, resida_formalism formalism, const resida_solver_options *o,
                           double *error)
{
    const maxwell *x = m->user;
    run r;
    resida_problem_options po = test_problem_options();
    po.formalism = formalism;
    double p0[MASSES] = {0}, v0[2 * MASSES] = {0}, exact[3];
    for (int i = 0; i < x->n; i++) v0[i] = x->v0;
    run_open(&r, m, &po, o, p0, v0);
    memset(error, 0, 3 * sizeof *error);
    for (int k = 1; k <= 10; k++) {
        const resida_state at = run_to(&r, 0.1 * k);
        maxwell_exact(x, at.t, exact);
        error[0] = fmax(error[0], fabs(at.p[0] - exact[0]));
        error[1] = fmax(error[1], fabs(at.v[0] - exact[1]));
        error[2] = fmax(error[2], fabs(at.v[x->n] - exact[2]));
        assert_true(fabs(at.a[x->n] - x->k * (at.v[0] - at.v[x->n] / x->c)) <= 1e-2 * x->k);
    }
}

CLAIM(a_maxwell_element_has_its_closed_form_with_every_strategy)
{
    static const char *const strategies[] = {"auto", "dense", "sparse", "dense+partitioned", "fresh"};
    maxwell x;
    for (int s = 0; s < 5; s++)
        for (int k = 1; k <= 2; k++)
            for (int with_mass = 0; with_mass < 2; with_mass++) {
                const resida_mechanism m = maxwell_mechanism(&x, 1, with_mass);
                resida_solver_options o = options("bdf", 0);
                double error[3];
                o.rtol = o.atol = 1e-9;
                o.jacobian = strategies[s];
                maxwell_errors(&m, (resida_formalism)k, &o, error);
                print_message("  %-18s %d %d  x %.1e v %.1e s %.1e\n", strategies[s], k, with_mass, error[0], error[1],
                              error[2]);
                assert_true(error[0] <= 1e-7 && error[1] <= 1e-7 && error[2] <= 5e-6); /* s is k = 50 times x */
            }
}

/** A method, and its order in x, v and s. */
typedef struct order_case {
    const char *method;
    double rho; /* 0: default */
    int n;      /* steps in a second */
    double order;
} order_case;

static void check_order(const order_case *c, char field, double before, double after)
{
    const double order = log2(before / after);
    print_message("  %-18s %c %.3f (%.2e, %.2e)\n", c->method, field, order, before, after);
    if (!(fabs(order - c->order) <= 0.15)) fail_msg("%s: order of %c is %g", c->method, field, order);
}

CLAIM(every_method_has_its_order_in_states)
{
    static const order_case cases[] = {
        {"bdf1", 0, 1600, 1},
        {"bdf2", 0, 400, 2},
        {"bdf3", 0, 200, 3},
        {"midpoint", 0, 100, 2},
        {"newmark", 0, 100, 2},
        {"hht", 0, 200, 2},
        {"generalized-alpha", 0, 200, 2},
        {"generalized-alpha", 0.2, 200, 2},
        {"radau-iia-2", 0, 50, 3},
        {"radau-iia-3", 0, 20, 5},
        {"energy-decaying", 0, 100, 3},
        {"energy-decaying", 0.01, 100, 3},
    };
    maxwell x;
    const resida_mechanism m = maxwell_mechanism(&x, 1, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order_case *c = &cases[i];
        double before[3], after[3];
        resida_solver_options o = options(c->method, 1.0 / c->n);
        if (c->rho > 0) o.rho_infinity = c->rho;
        maxwell_errors(&m, RESIDA_FORMALISM_RESIDUAL, &o, before);
        o.step /= 2;
        maxwell_errors(&m, RESIDA_FORMALISM_RESIDUAL, &o, after);
        for (int q = 0; q < 3; q++) check_order(c, "xvs"[q], before[q], after[q]);
    }
}

/* s' = -H s in a step of 1: s_1/s_0 is 1 + Z, Z = H/(1 - H/2 + H^2/(2 (6 - a H))), a = (1 - rho)/(1 + rho). */
CLAIM(energy_decaying_damps_stiff_states_as_rho_says)
{
    static const double rhos[] = {0.01, 0.5, 1};
    for (int i = 0; i < 3; i++)
        for (double H = -0.1; H > -2e5; H *= 10) {
            maxwell x;
            run r;
            const resida_mechanism m = maxwell_mechanism(&x, 1, 1);
            resida_solver_options o = options("energy-decaying", 1);
            const double p0 = 0, v0[] = {0, 1}, a = (1 - rhos[i]) / (1 + rhos[i]);
            const double exact = 1 + H / (1 - H / 2 + H * H / (2 * (6 - a * H)));
            x.m = 1e16; /* it does not move */
            x.k = 1, x.c = -1 / H;
            o.rho_infinity = rhos[i];
            run_open(&r, &m, NULL, &o, &p0, v0);
            const resida_state at = run_to(&r, 1);
            print_message("  rho %g, H %g: %g\n", rhos[i], H, at.v[1]);
            assert_true(fabs(at.v[1] - exact) <= 1e-9);
            if (H < -1e4) assert_true(fabs(fabs(at.v[1]) - rhos[i]) <= 1e-2);
        }
}

CLAIM(columns_of_states_share_groups_and_entries_are_learnt)
{
    for (int k = 1; k <= 2; k++)
        for (int with_mass = 0; with_mass < 2; with_mass++) {
            maxwell x;
            const resida_mechanism m = maxwell_mechanism(&x, MASSES, with_mass);
            resida_solver_options o = options("bdf", 0);
            resida_problem_options po = test_problem_options();
            run r;
            double p0[MASSES] = {0}, v0[2 * MASSES];
            po.formalism = (resida_formalism)k;
            o.jacobian = "sparse";
            for (int i = 0; i < 2 * MASSES; i++) v0[i] = 1 + 0.01 * i;
            run_open(&r, &m, &po, &o, p0, v0);
            run_to(&r, 1);
            resida_stats stats = test_stats(r.solver);
            print_message("  %d groups, %ld entries of J\n", stats.groups, (long)stats.nnz);
            assert_true(stats.groups <= 3);
            assert_int_equal(stats.nnz, 6 * MASSES); /* p' - v; m v' + s; s' - k v + k s/c */
        }
}

/* Where the mass hardly moves, s = e^(-k t/c) is all that steps can follow: tolerances a thousand times smaller take
 * steps that are ten times smaller, of order 2, and errors about a hundred times smaller. */
CLAIM(steps_that_adapt_follow_states)
{
    static const char *const methods[] = {"hht", "generalized-alpha"};
    for (int i = 0; i < 2; i++) {
        double error[2];
        long steps[2];
        for (int q = 0; q < 2; q++) {
            maxwell x;
            run r;
            const resida_mechanism m = maxwell_mechanism(&x, 1, 1);
            resida_solver_options o = options(methods[i], 1e-3);
            const double p0 = 0, v0[] = {0, 1};
            x.m = 1e12;
            o.adaptive = 1;
            o.rtol = o.atol = q == 0 ? 1e-5 : 1e-8;
            run_open(&r, &m, NULL, &o, &p0, v0);
            error[q] = fabs(run_to(&r, 1).v[1] - exp(-x.k / x.c));
            steps[q] = test_stats(r.solver).steps;
        }
        print_message("  %-18s %ld and %ld steps, errors %.1e, %.1e\n", methods[i], steps[0], steps[1], error[0],
                      error[1]);
        assert_true(error[0] <= 1e-3 && error[1] <= 2e-2 * error[0]);
        assert_true(steps[1] > 5 * steps[0] && steps[1] < 20 * steps[0]);
    }
}
