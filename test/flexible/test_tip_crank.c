/* test_tip_crank.c - the strip that a crank bends until it buckles sideways (benchmarks/models/flexible/tip_crank.c):
 * when it does, at rest and in motion, and the balance of its energy. */
#include "flexible_run.h"
#include "test/fixtures/settle_under.h"

enum { MIDSPAN = 12 }; /* node of the strip of eight cubic elements */

static const double millimetre = 1e-3;

/* --- at rest --- */

/* How far the midspan is to the side of the equilibrium where the crank is at t. */
static double sideways_at_rest(const flexible_run *r, double t)
{
    enum { LOADS = 5 };
    double u, ud, udd;
    const resida_mechanism *m = &r->model.mechanism;
    double *p = bench_doubles(m->n_p);
    memcpy(p, r->model.p0, (size_t)m->n_p * sizeof *p);
    assert_int_equal(m->excitation(t, &u, &ud, &udd, m->user), 0);
    settle_under(m, &u, LOADS, p, NULL);
    const double y = p[BM_P * MIDSPAN + 1];
    return fabs(y);
}

/* The paper sees it "at about 0.05 s". */
CLAIM(the_equilibrium_leaves_the_plane_at_the_angle_of_0_05_s)
{
    flexible_run r;
    flexible_open(&r, "tip-crank", NULL, 1, NULL);
    assert_true(sideways_at_rest(&r, 0.03) < 0.1 * millimetre);
    assert_true(sideways_at_rest(&r, 0.045) < millimetre);
    assert_true(sideways_at_rest(&r, 0.06) > millimetre);
    assert_true(sideways_at_rest(&r, 0.1) > 10 * millimetre);
}

/* --- in motion --- */

/* The time at which the midspan is 1 mm to the side. */
static double time_of_buckling(const bench_setting *settings, int midspan, double tolerance)
{
    const double every = 5e-4;
    flexible_run r;
    flexible_open(&r, "tip-crank", settings, tolerance, NULL);
    double t = 0;
    do {
        t += every;
        flexible_go(&r, t);
        assert_true(t < 0.1);
    } while (fabs(flexible_node(&r, midspan).y) < millimetre);
    return t;
}

/* Inertia holds the strip back for two hundredths of a second; neither damping nor mesh nor tolerances matter. */
CLAIM(the_strip_buckles_later_than_its_equilibrium)
{
    const bench_setting fine[] = {{"elements", 16}, {NULL, 0}}, damped[] = {{"damping", 1e-3}, {NULL, 0}};
    const double t = time_of_buckling(NULL, MIDSPAN, 1), near = 6e-4; /* one output */
    assert_true(t > 0.06 && t < 0.08);
    bench_near(time_of_buckling(NULL, MIDSPAN, 0.1), t, near);
    bench_near(time_of_buckling(fine, 2 * MIDSPAN, 1), t, near);
    bench_near(time_of_buckling(damped, MIDSPAN, 1), t, near);
}

/* --- energy --- */

typedef struct power {
    double crank, damping; /* into the system, out of it */
} power;

/* The crank's constraint does lam gI; damping takes v'(Psi(p, 0) - Psi(p, v)). */
static power power_of(const flexible_run *r)
{
    const resida_mechanism *m = &r->model.mechanism;
    double u, ud, udd;
    double *rate = bench_doubles(m->n_g), *moving = bench_doubles(m->n_v), *still = bench_doubles(m->n_v);
    const resida_excitation e = {&u, &ud, &udd};
    power out = {0, 0};
    assert_int_equal(m->excitation(r->now.t, &u, &ud, &udd, m->user), 0);
    assert_int_equal(m->velocity_bias(r->now.t, r->now.p, &e, rate, m->user), 0);
    for (int i = 0; i < m->n_g; i++) out.crank += r->now.lam[i] * rate[i];
    bm_forces(r->s, r->now.p, r->now.v, &e, moving);
    bm_forces(r->s, r->now.p, NULL, &e, still);
    for (int i = 0; i < m->n_v; i++) out.damping += r->now.v[i] * (still[i] - moving[i]);
    return out;
}

/* Through buckling: T + V is what the crank has put in, less what damping has taken. */
CLAIM(energy_is_the_work_of_the_crank)
{
    const double end = 0.12, every = 1e-4;
    double work = 0, most = 0, off = 0;
    flexible_run r;
    flexible_open(&r, "tip-crank", NULL, 0.1, NULL);
    flexible_go(&r, every);
    power before = power_of(&r);
    const double begin = bm_strain_energy(r.s, r.now.p) + bm_kinetic_energy(r.s, r.now.v);
    for (int k = 2; k * every < end + every / 2; k++) {
        flexible_go(&r, k * every);
        const power now = power_of(&r);
        work += every * (now.crank - now.damping + before.crank - before.damping) / 2;
        const double energy = bm_strain_energy(r.s, r.now.p) + bm_kinetic_energy(r.s, r.now.v) - begin;
        most = fmax(most, fabs(energy)), off = fmax(off, fabs(energy - work));
        before = now;
    }
    assert_true(fabs(flexible_node(&r, MIDSPAN).y) > 10 * millimetre);
    print_message("    energy up to %.3g J, off by %.2g\n", most, off);
    assert_true(off < 1e-4 * most);
}
