/* test_model_energy.c - the built-in mechanisms against independent statements about them: conservation of energy with
 * potentials typed from the drawings, and the two forms of the chain against each other, damping included.
 *
 * Central differences over a step h of a function that varies over times of 1/rate err by (h rate)^2/6 and, through
 * rounding, by eps/(h rate): with h rate = 1e-5 both are about 2e-11 of the terms; DIFFERENCES leaves a factor 50. */
#include "test/fixtures/bench_fixture.h"

#define REACH       1e-5
#define DIFFERENCES 1e-9

enum { STATES = 5 };

/* Potentials, typed from the drawings of the mechanisms. */
static double pendulum_potential(int n, const double *p)
{
    return 13.750371636040746 * p[1];
}

/* Rods of 0.8 m, 1 kg; the gap of the elbow is pulled by 300 N/m. */
static double bushing_potential(int n, const double *p)
{
    const double dx = p[3] - p[0] - 0.4 * (sin(p[5]) + sin(p[2])), dy = p[4] - p[1] + 0.4 * (cos(p[5]) + cos(p[2]));
    return 9.81 * (p[1] + p[4]) + 150 * (dx * dx + dy * dy);
}

static double andrews_potential(int n, const double *p)
{
    const double x = 0.02 * cos(p[2]) + 0.018 * sin(p[2]) - 0.03635 - 0.014;
    const double y = 0.02 * sin(p[2]) - 0.018 * cos(p[2]) + 0.03273 - 0.072;
    const double stretch = hypot(x, y) - 0.07785;
    return 4530.0 / 2 * stretch * stretch - 0.033 * p[0];
}

/* On a flat road: the right spring stands at (1, 0). k = 5e-4. */
static double car_axis_potential(int n, const double *p)
{
    const double left = hypot(p[0], p[1]) - 0.5, right = hypot(p[2] - 1, p[3]) - 0.5;
    return (left * left + right * right) / 2 + 5e-4 * (p[1] + p[3]);
}

/* The spring joins the middles of crank and rod, which ends in the slider at (x, 0). */
static double slider_crank_potential(int n, const double *y)
{
    const double dx = y[1] - cos(y[2]) / 2 - 0.25 * cos(y[0]), dy = -sin(y[2]) / 2 - 0.25 * sin(y[0]);
    const double stretch = hypot(dx, dy) - 1;
    return stretch * stretch / 2 - (y[1] + cos(y[2]));
}

static double flexible_potential(int n, const double *p)
{
    const double pi = 3.1415927, fk = 0.2e12 * 0.008 * 0.008 / 0.3, h = 0.008 / 0.3, *q = p + 3;
    const double bending = fk * pow(pi, 4) * h * h * (q[0] * q[0] / 24 + q[1] * q[1] * 2 / 3);
    const double stretching = fk * (16 * q[2] * q[2] - 16 * q[2] * q[3] + 7 * q[3] * q[3]) / 3;
    const double fb = 0.008 * 0.008 * 0.3, across = 2 * fb / pi * q[0], length = 2 * fb / 3 * q[2] + fb / 6 * q[3];
    const double weights = 0.15 / 2 * (0.36 + 2 * 0.151104) * sin(p[0]) + 0.15 * 0.151104 * sin(p[1]);
    return (bending + stretching) / 2 + 9.81 * (weights + 7870 * (length * sin(p[1]) + across * cos(p[1])));
}

static double chain_potential(int n, const double *p)
{
    double y = 0, sum = 0;
    for (int i = 0; i < n; i++) sum += y -= 0.4 * cos(p[i]); /* l = 0.4 */
    return 9.81 * sum;
}

static double cartesian_potential(int n, const double *p)
{
    double sum = 0;
    for (int i = 1; i < n; i += 2) sum += p[i];
    return 9.81 * 0.3 * sum; /* m = 0.3 */
}

/* The heights of the centres, every sixth coordinate; m = 0.7. */
static double bricard_potential(int n, const double *p)
{
    double sum = 0;
    for (int i = 1; i < n; i += 6) sum += p[i];
    return 9.81 * 0.7 * sum;
}

typedef struct conservative {
    bench_subject s;
    double (*potential)(int n, const double *p);
} conservative;

static const conservative conservatives[] = {
    {{"pendulum", {{NULL, 0}}, 0.5, 2, 3, 99}, pendulum_potential},
    {{"bushing-pendulum", {{"k", 300}, {"c", 0}, {"l", 0.8}, {NULL, 0}}, 0.5, 2, 3, 99}, bushing_potential},
    {{"andrews", {{NULL, 0}}, 0.5, 200, 400, 99}, andrews_potential},
    {{"car-axis", {{"r", 0}, {NULL, 0}}, 0.1, 1, 10, 99}, car_axis_potential},
    {{"slider-crank", {{"c", 0}, {NULL, 0}}, 0.3, 1, 3, 99}, slider_crank_potential},
    {{"slider-crank-flexible", {{"grav", 9.81}, {NULL, 0}}, 0.3, 100, 150, 3}, flexible_potential},
    {{"chain", {{"ax", 0}, {"ay", 0}, {"l", 0.4}, {NULL, 0}}, 1, 1, 3, 99}, chain_potential},
    {{"chain-cartesian", {{"ax", 0}, {"ay", 0}, {"m", 0.3}, {NULL, 0}}, 1, 1, 3, 99}, cartesian_potential},
    {{"bricard", {{"mass", 0.7}, {NULL, 0}}, 0.5, 1, 3, 99}, bricard_potential},
};

static double energy(bench_trial *k, double (*potential)(int n, const double *p), const double *p, const double *v)
{
    double sum = potential(k->n, p);
    bench_mass(&k->b, p, k->M);
    for (int i = 0; i < k->n; i++)
        for (int j = 0; j < k->n; j++) sum += v[i] * k->M[i * k->n + j] * v[j] / 2;
    return sum;
}

/* v'Phi(p,v,a) is the power of the forces that make the motion (p,v,a), hence dE/dt, whatever a is: it tests the
 * terms quadratic in v against the derivatives of M, and all forces against their potential. */
CLAIM(forces_and_inertia_conserve_energy)
{
    for (int c = 0; c < (int)(sizeof conservatives / sizeof *conservatives); c++) {
        bench_trial k;
        bench_trial_open(&k, &conservatives[c].s);
        for (int i = 0; i < STATES; i++) {
            bench_trial_move(&k);
            const double h = REACH / k.s->rate;
            double power = 0, E[2], size = 0;
            bench_residual(&k.b, k.p, k.v, k.a, k.x);
            for (int j = 0; j < k.n; j++) power += k.v[j] * k.x[j], size += fabs(k.v[j] * k.x[j]);
            bench_along_v(&k.b, k.p, k.v, k.f);
            for (int side = 0; side < 2; side++) {
                bench_along(k.n, k.p, side ? h : -h, k.f, k.x);
                bench_along(k.n, k.v, side ? h : -h, k.a, k.y);
                E[side] = energy(&k, conservatives[c].potential, k.x, k.y);
            }
            bench_near(power, (E[1] - E[0]) / (2 * h), DIFFERENCES * (size + k.s->rate * fabs(E[0])));
        }
    }
}

/* The output "energy" of a model at (p, v); lam does not matter. */
static double stated(bench_trial *k)
{
    const resida_model *m = &k->b.model;
    double out[8], lam[64] = {0}, found = NAN;
    assert_true(m->n_outputs <= 8 && k->n_g <= 64);
    const resida_model_point at = {.t = k->b.t, .p = k->p, .v = k->v, .a = k->a, .lam = lam};
    assert_int_equal(resida_model_output(m, &at, out), 0);
    for (int i = 0; i < m->n_outputs; i++)
        if (strcmp(m->output_names[i], "energy") == 0) found = out[i];
    return found;
}

/* To rounding, of sums of n^2 terms that may cancel: OF_TERMS is a thousand times what is seen. */
#define OF_TERMS 1e-11

CLAIM(energies_that_models_state_are_those_of_their_drawings)
{
    for (int c = 0; c < (int)(sizeof conservatives / sizeof *conservatives); c++) {
        bench_trial k;
        bench_trial_open(&k, &conservatives[c].s);
        for (int i = 0; i < STATES; i++) {
            bench_trial_move(&k);
            const double V = conservatives[c].potential(k.n, k.p), E = energy(&k, conservatives[c].potential, k.p, k.v);
            bench_near(stated(&k), E, OF_TERMS * (fabs(V) + fabs(E - V) + 1e-6));
        }
    }
}

/* Power lost in dampers: relative rates of the rods of a chain, */
static double chain_loss(int n, const double *p, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double joint = v[i] - (i > 0 ? v[i - 1] : 0);
        sum += 0.7 * joint * joint;
    }
    return sum;
}

/* the rate of the spring between the middles of crank and rod, */
static double slider_crank_loss(int n, const double *y, const double *v)
{
    const double dx = y[1] - cos(y[2]) / 2 - 0.25 * cos(y[0]), dy = -sin(y[2]) / 2 - 0.25 * sin(y[0]);
    const double xd = v[1] + sin(y[2]) / 2 * v[2] + 0.25 * sin(y[0]) * v[0];
    const double yd = -cos(y[2]) / 2 * v[2] - 0.25 * cos(y[0]) * v[0], rate = (dx * xd + dy * yd) / hypot(dx, dy);
    return rate * rate;
}

/* and the damping matrix of the flexible rod in the IVP Test Set. */
static double flexible_loss(int n, const double *p, const double *v)
{
    const double *q = v + 3;
    return 5 * q[0] * q[0] + 25 * q[1] * q[1] +
           (2.308375455264791e2 * q[2] * q[2] - 2 * 2.62688487992052e2 * q[2] * q[3] +
            4.217421837156818e2 * q[3] * q[3]) /
               2;
}

typedef struct damped {
    bench_subject with, without;
    double (*loss)(int n, const double *p, const double *v);
} damped;

static const damped dampers[] = {
    {{"chain", {{"d", 0.7}, {NULL, 0}}, 1, 1, 3, 99}, {"chain", {{NULL, 0}}, 1, 1, 3, 99}, chain_loss},
    {{"slider-crank", {{NULL, 0}}, 0.3, 1, 3, 99},
     {"slider-crank", {{"c", 0}, {NULL, 0}}, 0.3, 1, 3, 99},
     slider_crank_loss},
    {{"slider-crank-flexible", {{"damping", 1}, {NULL, 0}}, 0, 100, 150, 0},
     {"slider-crank-flexible", {{NULL, 0}}, 0, 100, 150, 0},
     flexible_loss},
};

/* The power of the damping forces, v'(Phi with damping - Phi without), to rounding. */
CLAIM(dampers_take_the_power_they_should)
{
    for (int c = 0; c < (int)(sizeof dampers / sizeof *dampers); c++) {
        bench_trial with, without;
        bench_trial_open(&with, &dampers[c].with);
        bench_trial_open(&without, &dampers[c].without);
        for (int i = 0; i < STATES; i++) {
            double power = 0, size = 0;
            bench_trial_move(&with);
            bench_at(&without.b, with.b.t);
            bench_residual(&with.b, with.p, with.v, with.a, with.x);
            bench_residual(&without.b, with.p, with.v, with.a, without.x);
            for (int j = 0; j < with.n; j++) {
                power += with.v[j] * (with.x[j] - without.x[j]);
                size += fabs(with.v[j]) * bench_largest(with.n, with.x);
            }
            bench_near(power, dampers[c].loss(with.n, with.p, with.v), 4 * with.n * DBL_EPSILON * size);
        }
    }
}

/* Positions, velocities, accelerations of the masses from the angles, rates, and their derivatives; l = 0.4. */
static void masses(const bench *b, const double *const angle[3], double *const out[3])
{
    double sum[6] = {b->u[0], b->u[1], b->ud[0], b->ud[1], b->udd[0], b->udd[1]};
    for (int i = 0; i < b->m->n_p / 2; i++) {
        const double s = 0.4 * sin(angle[0][i]), c = 0.4 * cos(angle[0][i]), w = angle[1][i], dw = angle[2][i];
        const double add[6] = {s, -c, w * c, w * s, dw * c - w * w * s, dw * s + w * w * c};
        for (int j = 0; j < 6; j++) out[j / 2][2 * i + j % 2] = sum[j] += add[j];
    }
}

/* With the true accelerations, M r'' - Psi = -G' lam: forces of rods, which do no work when an angle moves. */
CLAIM(both_forms_of_the_chain_have_the_same_accelerations)
{
    const bench_subject angles = {"chain", {{"d", 0.7}, {"omega", 2}, {"l", 0.4}, {NULL, 0}}, 1, 1, 3, 99};
    bench_trial k;
    bench_trial_open(&k, &angles);
    bench *cartesian = bench_make("chain-cartesian", angles.settings);
    const int n = k.n;
    double *r[3] = {bench_doubles(2 * n), bench_doubles(2 * n), bench_doubles(2 * n)}, *force = bench_doubles(2 * n);
    for (int i = 0; i < STATES; i++) {
        bench_trial_move(&k);
        bench_at(cartesian, k.b.t);
        memset(k.f, 0, (size_t)n * sizeof *k.f);
        bench_acceleration(&k.b, k.p, k.v, k.f, k.a);
        masses(cartesian, (const double *[3]){k.p, k.v, k.a}, r);
        bench_residual(cartesian, r[0], r[1], r[2], force);
        const double size = bench_largest(2 * n, force);
        double sum[2] = {0, 0};
        for (int j = n - 1; j >= 0; j--) {
            sum[0] += force[2 * j], sum[1] += force[2 * j + 1];
            bench_near(cos(k.p[j]) * sum[0] + sin(k.p[j]) * sum[1], 0, 4 * n * n * DBL_EPSILON * size);
        }
    }
}
