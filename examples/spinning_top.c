/* spinning_top.c - a rotating body in Euler parameters (resida/quaternion.h): a heavy symmetric top on a ball joint, in
 * regular precession, for which the exact solution is known.
 *
 *     p = (r, q)    centre of mass, Euler parameters: 7 positions
 *     v = (r', w)   w in the axes of the body: 6 velocities, q' = T(q) w
 *     g = r - A(q) (0, 0, l)        the tip of the top is fixed
 *     k = (q'q - 1)/2               an invariant: no velocity changes it, and it needs no force
 *
 * The axis is inclined by `lean` and rotates about the vertical at `turning`, while the top spins about its axis:
 *
 *     q(t) = turn about z by turning t, then about y by lean, then about z by spinning t
 *     C w_3 turning = m g l + A turning^2 cos lean,   w_3 = spinning + turning cos lean
 *
 * with A and C the moments of inertia about the tip, across the axis and about it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <resida/quaternion.h>
#include <resida/resida.h>

enum { N_P = 7, N_V = 6, N_G = 3 };

static const double mass = 0.5, length = 0.1, gravity = 9.81; /* kg, m from tip to centre, m/s^2 */
static const double J[3] = {1e-3, 1e-3, 6e-4};                /* kg m^2, about the centre */
static const double lean = 0.4, turning = 1.5;                /* rad, rad/s */

/* M a - Psi, without constraint forces. */
static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    const double *w = v + 3, *wd = a + 3;
    for (int i = 0; i < 3; i++) r[i] = mass * (a[i] + (i == 2 ? gravity : 0));
    r[3] = J[0] * wd[0] + (J[2] - J[1]) * w[1] * w[2];
    r[4] = J[1] * wd[1] + (J[0] - J[2]) * w[2] * w[0];
    r[5] = J[2] * wd[2] + (J[1] - J[0]) * w[0] * w[1];
    return 0;
}

/* p' = T v, full, by rows: r' is unchanged, q' is computed by resida_quaternion_rates(). */
static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    (void)t, (void)e, (void)user;
    double of_q[4 * 3];
    resida_quaternion_rates(p + 3, of_q);
    memset(T, 0, N_P * N_V * sizeof *T);
    for (int i = 0; i < 3; i++) T[N_V * i + i] = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) T[N_V * (3 + i) + 3 + j] = of_q[3 * i + j];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    double A[9];
    resida_quaternion_matrix(p + 3, A);
    for (int i = 0; i < N_G; i++) g[i] = p[i] - length * A[3 * i + 2];
    return 0;
}

/* dg/dp [3 x 7]. With A_i row i of A: g_i' = r_i' - A_i (w x (0, 0, l)). Its derivative with respect to w is (A_i2,
 * -A_i1, 0) l, from which dg/dq follows. */
static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *dg_dp, void *user)
{
    (void)t, (void)e, (void)user;
    double A[9];
    resida_quaternion_matrix(p + 3, A);
    memset(dg_dp, 0, N_G * N_P * sizeof *dg_dp);
    for (int i = 0; i < N_G; i++) {
        const double by_w[3] = {length * A[3 * i + 1], -length * A[3 * i], 0};
        dg_dp[N_P * i + i] = 1;
        resida_quaternion_gradient(p + 3, by_w, dg_dp + N_P * i + 3);
    }
    return 0;
}

static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    (void)t, (void)e, (void)user;
    k[0] = resida_quaternion_norm(p + 3);
    return 0;
}

static int invariant_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    (void)t, (void)e, (void)user;
    memcpy(K, p + 3, 4 * sizeof *K); /* in the order of K_pattern */
    return 0;
}

/* ---- The exact solution. ---- */

static double spin(void)
{
    const double across = J[0] + mass * length * length, about = J[2];
    const double w_3 = (mass * gravity * length + across * turning * turning * cos(lean)) / (about * turning);
    return w_3 - turning * cos(lean);
}

/* Compute w = A' (0, 0, turning) + (0, 0, spin), r = A (0, 0, l), r' = turning z x r. */
static void exact(double t, double *p, double *v)
{
    static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
    const double around[3] = {0, 0, turning}, to_centre[3] = {0, 0, length};
    double precession[4], tilt[4], rotation[4], axis[4];
    resida_quaternion_turn(z_axis, turning * t, precession);
    resida_quaternion_turn(y_axis, lean, tilt);
    resida_quaternion_turn(z_axis, spin() * t, rotation);
    resida_quaternion_product(precession, tilt, axis);
    resida_quaternion_product(axis, rotation, p + 3);
    resida_quaternion_rotate(p + 3, to_centre, p);
    resida_quaternion_rotate_back(p + 3, around, v + 3);
    v[0] = -turning * p[1], v[1] = turning * p[0], v[2] = 0;
    v[5] += spin();
}

/* ---- Use. ---- */

static double largest(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Integrate 20 s. Return 0 if the final state is correct. */
static int integrate(resida_problem *problem, resida_solver *solver)
{
    static const double zero[N_G] = {0};
    double p[N_P], v[N_V], g[N_G], k = 0, error = 0;
    resida_state now;
    exact(0, p, v);
    if (resida_solver_start(solver, 0, p, v, NULL, NULL) < 0) return 1;
    printf("%6s%14s%14s%14s%14s\n", "t", "error of p", "|q| - 1", "|g|", "force in tip");
    for (int i = 1; i <= 10; i++) {
        if (resida_solver_advance(solver, 2.0 * i) < 0 || resida_solver_state(solver, &now) < 0) return 1;
        if (resida_problem_constraints(problem, now.t, now.p, now.v, g, NULL) < 0) return 1;
        if (resida_problem_invariants(problem, now.t, now.p, &k) < 0) return 1;
        exact(now.t, p, v);
        error = largest(now.p, p, N_P);
        printf("%6.1f%14.1e%14.1e%14.1e%14.6f\n", now.t, error, sqrt(1 + 2 * k) - 1, largest(g, zero, N_G),
               sqrt(now.lam[0] * now.lam[0] + now.lam[1] * now.lam[1] + now.lam[2] * now.lam[2]));
    }
    return !(error < 1e-4 && fabs(k) < 1e-12);
}

int main(void)
{
    static const int row[2] = {0, 4}, col[4] = {3, 4, 5, 6};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options options;
    resida_message why = {"the computed position of the top is wrong"};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.name = "top";
    m.n_p = N_P, m.n_v = N_V, m.n_g = N_G;
    m.residual = residual;
    m.kinematic_matrix = kinematic_matrix;
    m.constraint = constraint;
    m.constraint_matrix = constraint_matrix;
    m.n_k = 1;
    m.invariant = invariant;
    m.invariant_matrix = invariant_matrix;
    m.K_pattern = (resida_pattern){row, col};
    resida_solver_options_init(&options);
    options.rtol = options.atol = 1e-8;

    int failed = resida_problem_create(&problem, &m, NULL, &why) < 0 ||
                 resida_solver_create(&solver, problem, &options, &why) < 0 || integrate(problem, solver);
    if (failed) fprintf(stderr, "spinning_top: %s %s\n", why.text, solver ? resida_solver_message(solver) : "");
    resida_solver_free(solver);
    resida_problem_free(problem);
    return failed;
}
