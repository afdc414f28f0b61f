/* test_beam_models.c - runs of the models made of beams: where they come to rest, how they stretch, what a run of a
 * finer mesh costs. */
#include "flexible_run.h"
#include "test/fixtures/settle_under.h"

/* --- spin-up --- */

/* om^2 rho A L^3/(3 EA); the mass that has moved out adds some 1e-5 of it. What bends decays by exp(-0.35 * 7 * 5) from
 * 15 s on. */
CLAIM(a_beam_that_spins_is_longer_by_its_centrifugal_force)
{
    const bench_setting settings[] = {{"damping", 0.1}, {NULL, 0}};
    const double om = 6, length = 10, t = 25, published = 5.14e-4;
    const double stretch = om * om * 1.2 * length * length * length / (3 * 2.8e7), angle = om * t - 45;
    flexible_run r;
    flexible_open(&r, "beam-spin-up", settings, 1e-3, NULL);
    flexible_go(&r, t);
    const mb_vec tip = flexible_node(&r, r.s->n_node - 1);
    bench_near(stretch, published, 1e-6);
    bench_near(cos(angle) * tip.x + sin(angle) * tip.y - length, stretch, 1e-3 * stretch);
    bench_near(cos(angle) * tip.y - sin(angle) * tip.x, 0, 1e-4);
    bench_near(tip.z, 0, 1e-9);
}

/* --- rest --- */

/* A damped run ends where the static equilibrium is, of the same system under the same load. */
static void comes_to_rest(const char *model, const bench_setting *settings, double t, double tolerance)
{
    double u[2], ud[2], udd[2];
    flexible_run r;
    flexible_open(&r, model, settings, 0.1, NULL);
    flexible_go(&r, t);
    const int n = r.model.mechanism.n_p, last = r.s->n_node - 1;
    double *p = bench_doubles(n);
    memcpy(p, r.model.p0, (size_t)n * sizeof *p);
    assert_int_equal(r.model.mechanism.excitation(t, u, ud, udd, r.model.mechanism.user), 0);
    settle_under(&r.model.mechanism, u, 40, p, NULL);
    const mb_vec tip = flexible_node(&r, last), rest = {p[BM_P * last], p[BM_P * last + 1], p[BM_P * last + 2]};
    assert_true(mb_norm(mb_sub(tip, rest)) < tolerance);
}

CLAIM(the_bend_comes_to_rest_at_its_equilibrium)
{
    const bench_setting settings[] = {{"damping", 0.2}, {"order", 2}, {NULL, 0}};
    comes_to_rest("beam-bend", settings, 25, 1e-2); /* of 70, with 1e-6 in each step */
}

CLAIM(the_cantilever_comes_to_rest_as_an_arc)
{
    const bench_setting settings[] = {{"damping", 0.05}, {"turns", 0.5}, {"elements", 8}, {NULL, 0}};
    const double pi = 3.14159265358979323846;
    comes_to_rest("beam-cantilever", settings, 10, 1e-4);
    flexible_run r;
    flexible_open(&r, "beam-cantilever", settings, 0.1, NULL);
    flexible_go(&r, 10);
    const mb_vec tip = flexible_node(&r, r.s->n_node - 1);
    bench_near(tip.x, 0, 1e-3);
    bench_near(tip.z, 2 / pi, 1e-3);
}

/* --- cost --- */

typedef struct cost {
    int groups;
    double dg_dp; /* calls for each evaluation of the derivatives */
    long entries; /* of dPhi/dp, dPhi/dv, M and dg/dp */
} cost;

static cost cost_of(double elements)
{
    const bench_setting settings[] = {{"elements", elements}, {NULL, 0}};
    cost c;
    flexible_run r;
    flexible_open(&r, "beam-cantilever", settings, 1, "sparse");
    flexible_go(&r, 1e-3);
    c.groups = r.stats.groups;
    const resida_mechanism *m = &r.model.mechanism;
    c.entries = m->Phi_p_pattern.row[m->n_v] + m->Phi_v_pattern.row[m->n_v] + m->M_pattern.row[m->n_v] +
                m->G_pattern.row[m->n_g];
    flexible_open(&r, "beam-cantilever", settings, 1, "user");
    flexible_go(&r, 1e-2);
    c.dg_dp = (double)r.stats.callback_calls.constraint_matrix / (double)r.stats.callback_calls.derivatives;
    return c;
}

/* More elements: no more groups of columns, of F or of the constraint forces; entries in proportion. */
CLAIM(calls_do_not_grow_with_the_number_of_elements)
{
    const double slack = 1.3; /* what starts and renewals take besides, per evaluation */
    const cost few = cost_of(4), more = cost_of(8), many = cost_of(16);
    assert_true(few.groups > 0);
    assert_int_equal(few.groups, many.groups);
    assert_true(many.dg_dp < slack * few.dg_dp);
    assert_int_equal(many.entries - more.entries, 2 * (more.entries - few.entries));
}
