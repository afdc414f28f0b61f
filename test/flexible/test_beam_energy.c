/* test_beam_energy.c - the energy-decaying scheme on stiff beams: they run, at the motion that BDF finds, and what the
 * scheme says of energy holds to rounding, for V of fourth degree and quadratic constraints. */
#include "flexible_run.h"
#include "test/fixtures/solver_fixture.h"

static resida_solver_options in_steps_of(double h, double rho)
{
    resida_solver_options o = test_solver_options();
    o.method = "energy-decaying", o.step = h, o.rho_infinity = rho;
    o.rtol = o.atol = 1e-8;
    return o;
}

/* --- in motion --- */

/** A model, driven: a node of it is at the same place by BDF, but for `near` [m], at the end. */
typedef struct drive {
    const char *model;
    bench_setting settings[6];
    int node;
    double end, h, near, least; /* it has moved by at least so much */
} drive;

static mb_vec place(const drive *d, const char *form, const resida_solver_options *o, double *moved)
{
    flexible_run r;
    flexible_make(&r, d->model, d->settings);
    flexible_start(&r, form, o, NULL);
    flexible_go(&r, d->end);
    const mb_vec at = flexible_node(&r, d->node);
    const double *p0 = r.model.p0 + BM_P * d->node;
    *moved = mb_norm(mb_sub(at, (mb_vec){p0[0], p0[1], p0[2]}));
    return at;
}

CLAIM(driven_beams_have_the_motion_computed_by_BDF)
{
    const drive drives[] = {
        {"beam-cantilever", {{"thickness", 0.1}, {NULL, 0}}, 8, 0.05, 2e-4, 1e-7, 1e-4},
        {"beam-spin-up", {{"thickness", 0.1}, {NULL, 0}}, 6, 1, 2e-3, 2e-5, 5e-3},
        {"tip-crank", {{"thickness", 0.1}, {"elements", 2}, {"links", 1}, {NULL, 0}}, 3, 0.03, 2e-4, 1e-7, 5e-5},
    };
    for (int i = 0; i < 3; i++) {
        const drive *d = &drives[i];
        const resida_solver_options fixed = in_steps_of(d->h, 0.5);
        resida_solver_options bdf = test_solver_options();
        double moved, ignored;
        bdf.rtol = bdf.atol = 1e-9;
        const mb_vec at = place(d, "index3", &fixed, &moved), expected = place(d, "ggl", &bdf, &ignored);
        const double off = mb_norm(mb_sub(at, expected));
        print_message("    %s: moved by %.3g m, off by %.1e m\n", d->model, moved, off);
        assert_true(moved > d->least && off < d->near);
    }
}

/* The strip on its crank, while it leaves its plane: GGL by BDF, and index 3 by two methods. */
CLAIM(three_runs_of_the_tip_crank_agree)
{
    const double of_radau = 1e-6, of_energy = 5e-6; /* m */
    drive d = {"tip-crank", {{"thickness", 0.1}, {"elements", 2}, {"links", 1}, {NULL, 0}}, 3, 0.1, 0, 0, 0};
    const resida_solver_options fixed = in_steps_of(2e-4, 0.5);
    resida_solver_options bdf, radau;
    double moved, ignored;
    resida_solver_options_init(&bdf);
    bdf.rtol = bdf.atol = 1e-7;
    radau = bdf, radau.method = "radau-iia-2", radau.step = 1e-3;
    const mb_vec of_ggl = place(&d, "ggl", &bdf, &moved);
    const double by_radau = mb_norm(mb_sub(place(&d, "index3", &radau, &ignored), of_ggl));
    const double by_energy = mb_norm(mb_sub(place(&d, "index3", &fixed, &ignored), of_ggl));
    print_message("    moved by %.3g m; Radau IIA is off by %.1e m, energy decaying by %.1e m\n", moved, by_radau,
                  by_energy);
    assert_true(moved > 3e-3 && by_radau < of_radau && by_energy < of_energy);
}

/* --- energy --- */

typedef struct balance {
    double first, gain, loss;
} balance;

/* A cantilever without damping that begins with velocities across and along itself. */
static balance swing(double rho, double h, int steps)
{
    const bench_setting settings[] = {{"thickness", 0.1}, {"damping", 0}, {"turns", 0}, {NULL, 0}};
    flexible_run r;
    resida_solver_options o = in_steps_of(h, rho);
    o.newton_to_rounding = 1;
    flexible_make(&r, "beam-cantilever", settings);
    double *v0 = bench_doubles(r.model.mechanism.n_v);
    for (int i = 0; i < r.s->n_node; i++) {
        const double x = r.model.p0[BM_P * i];
        for (int k = 0; k < 3; k++) v0[BM_P * i + k] = (k + 1) * x * x;
    }
    flexible_start(&r, "index3", &o, v0);
    balance out = {NAN, -INFINITY, 0};
    double before = NAN;
    for (int k = 0; k <= steps; k++) {
        flexible_go(&r, k * h);
        const double now = bm_kinetic_energy(r.s, r.now.v) + bm_strain_energy(r.s, r.now.p);
        if (k == 0) out.first = now;
        if (k > 0) out.gain = fmax(out.gain, now - before);
        before = now;
    }
    out.loss = out.first - before;
    return out;
}

CLAIM(the_energy_of_a_free_beam_does_not_increase)
{
    const double rounding = 1e-9; /* of the energy: strains are 1e-4, stresses rounded to 1e-12 of them */
    const balance kept = swing(1, 1e-5, 200), damped = swing(0.5, 1e-5, 200);
    print_message("    of %.3g J: rho 1 gains %.1e, loses %.1e; rho 0.5 gains %.1e, loses %.1e\n", kept.first,
                  kept.gain, kept.loss, damped.gain, damped.loss);
    assert_true(kept.first > 0);
    assert_true(kept.gain < rounding * kept.first && fabs(kept.loss) < rounding * kept.first);
    assert_true(damped.gain < rounding * damped.first && damped.loss > rounding * damped.first);
}
