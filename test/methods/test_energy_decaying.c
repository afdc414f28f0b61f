/* test_energy_decaying.c - what the energy-decaying scheme promises of one step: forces do the work of their potential,
 * whatever its degree up to 8, without that the model gives one; constraints of fourth degree do none; damping takes
 * energy, however stiff it is. */
#include <math.h>
#include <string.h>

#include <resida/resida.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* V = k/d |p|^d of two masses of 1 kg and 3 kg, damping c on both, held on x^4 + y^4 = 1 if there is a constraint. */
typedef struct bowl {
    double k, degree, c;
    int n_g;
    double speed; /* at the start; 0: 1.5 */
} bowl;

static const double mass[2] = {1, 3};

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const bowl *b = user;
    for (int i = 0; i < 2; i++)
        r[i] = mass[i] * a[i] + b->k * copysign(pow(fabs(p[i]), b->degree - 1), p[i]) + b->c * v[i];
    return 0;
}

static int masses(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    M[0] = mass[0], M[1] = M[2] = 0, M[3] = mass[1];
    return 0;
}

static int fourth_degree(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = (pow(p[0], 4) + pow(p[1], 4) - 1) / 4;
    return 0;
}

static int gradient(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    for (int i = 0; i < 2; i++) G[i] = pow(p[i], 3);
    return 0;
}

static double energy(const bowl *b, const resida_state *at)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += mass[i] * at->v[i] * at->v[i] / 2 + b->k / b->degree * pow(fabs(at->p[i]), b->degree);
    return sum;
}

/** What a run has gained in one step at most, and lost in all. */
typedef struct balance {
    double gain, loss, first;
} balance;

static balance run(bowl *b, double rho, double h, int steps)
{
    const double p0[2] = {1, 0}, v0[2] = {0, b->speed > 0 ? b->speed : 1.5};
    resida_mechanism m = test_mechanism();
    resida_problem_options form = test_problem_options();
    resida_solver_options o = test_solver_options();
    resida_state at;
    m.n_p = m.n_v = 2, m.user = b;
    m.residual = residual, m.mass_matrix = masses;
    m.n_g = b->n_g;
    if (b->n_g > 0) m.constraint = fourth_degree, m.constraint_matrix = gradient;
    form.form = b->n_g > 0 ? "index3" : "ode";
    o.method = "energy-decaying", o.step = h, o.rho_infinity = rho;
    o.newton_to_rounding = 1;
    resida_solver *solver = test_solver(&m, &form, &o);
    assert_int_equal(resida_solver_start(solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_state(solver, &at), RESIDA_OK);
    balance out = {-INFINITY, 0, energy(b, &at)};
    double before = out.first;
    for (int k = 0; k < steps; k++) {
        if (resida_solver_step(solver, 1e9) < 0) fail_msg("%s", resida_solver_message(solver));
        assert_int_equal(resida_solver_state(solver, &at), RESIDA_OK);
        const double now = energy(b, &at);
        out.gain = fmax(out.gain, now - before);
        before = now;
    }
    out.loss = out.first - before;
    return out;
}

CLAIM(forces_do_the_work_of_their_potential_up_to_degree_8)
{
    for (double degree = 2; degree <= 8; degree += 2)
        for (int damped = 0; damped < 2; damped++) {
            bowl b = {.k = 5, .degree = degree};
            const balance e = run(&b, damped ? 0.5 : 1, 0.05, 2000);
            print_message("    degree %g, rho %g: gain %.1e, loss %.1e of %.3g\n", degree, damped ? 0.5 : 1.0, e.gain,
                          e.loss, e.first);
            assert_true(e.gain < 1e-12);
            assert_true(damped ? e.loss > 1e-4 : fabs(e.loss) < 1e-10);
        }
}

/* There the formula's error is no rounding. */
CLAIM(the_average_is_not_exact_for_a_potential_of_degree_20)
{
    bowl b = {.k = 5, .degree = 20};
    const double gain = run(&b, 1, 0.1, 2000).gain;
    assert_true(gain > 1e-9 && gain < 1e-6);
}

CLAIM(constraints_of_fourth_degree_do_no_work)
{
    bowl b = {.k = 5, .degree = 4, .n_g = 1};
    const balance kept = run(&b, 1, 0.02, 2000), damped = run(&b, 0.5, 0.02, 2000);
    assert_true(kept.gain < 1e-12 && fabs(kept.loss) < 1e-10);
    assert_true(damped.gain < 1e-12 && damped.loss > 1e-6);
}

/* Up to c h/m = 1e5: an explicit share of v would make it grow. */
/* Whatever the last bits are: corrections that stay where they are, at rounding, end an iteration. */
CLAIM(damping_takes_energy_however_stiff_it_is)
{
    static const double speeds[] = {1.499, 1.5, 1.5001, 1.6};
    for (int k = 0; k < 4; k++)
        for (int n_g = 0; n_g < 2; n_g++)
            for (double c = 1e-2; c < 1e7; c *= 10) {
                bowl b = {.k = 5, .degree = 4, .c = c, .n_g = n_g, .speed = speeds[k]};
                const balance e = run(&b, 0.5, 0.02, 200);
                if (!(e.gain < 1e-12)) fail_msg("c = %g, n_g = %d: gain %g", c, n_g, e.gain);
                assert_true(e.loss > 0.01 * e.first);
            }
}
