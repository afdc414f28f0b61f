/* bdf.c - an integrator on the Jacobian engine: the BDF of order 2 with steps of a fixed size, for F(t, y, y') = 0.
 *
 *     y'_n = (3/2 y_n - 2 y_(n-1) + 1/2 y_(n-2))/h,    F(t_n, y_n, y'_n) = 0 by Newton's method
 *
 * The engine decides which parts of J to re-evaluate and when; this file has the formula and the loop.
 *
 *     cc bdf.c $(pkg-config --cflags --libs resida) -lm && ./a.out */
#include <math.h>
#include <stdio.h>

#include <resida/jacobian.h>
#include <resida/resida.h>

enum { N = 5 };

/* A pendulum of length 1 and period 2, y = (x, z, x', z', lam), with the constraint at velocity level. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + 13.750371636040738;
    r[4] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

/* Make one step to t from y[0] and the previous y[1]. Return 0 on success, 1 on failure. */
static int take_step(resida_jacobian *j, double t, double h, double y[2][N])
{
    double x[N], xp[N], F[N], delta[N], weights[N];
    const resida_jacobian_point at = {.t = t, .alpha = 1.5 / h, .h = h, .y = x, .yp = xp, .F = F, .weights = weights};
    for (int i = 0; i < N; i++) weights[i] = 1 / (1e-6 * fabs(y[0][i]) + 1e-6);
    weights[4] *= h; /* errors of multipliers are proportional to 1/h */
    for (resida_iteration state = RESIDA_ITERATION_RETRY; state == RESIDA_ITERATION_RETRY;) {
        for (int i = 0; i < N; i++) x[i] = 2 * y[0][i] - y[1][i], xp[i] = (y[0][i] - y[1][i]) / h;
        if (pendulum(t, x, xp, F, NULL) || resida_jacobian_prepare(j, &at, 0.33)) return 1;
        do {
            double sum = 0;
            if (resida_jacobian_solve(j, F, delta) < 0) return 1;
            for (int i = 0; i < N; i++) {
                x[i] += delta[i], xp[i] += at.alpha * delta[i];
                sum += weights[i] * delta[i] * weights[i] * delta[i];
            }
            state = resida_jacobian_report(j, sqrt(sum / N));
            if (pendulum(t, x, xp, F, NULL)) return 1;
        } while (state == RESIDA_ITERATION_CONTINUES);
        if (state == RESIDA_ITERATION_FAILED) return 1;
    }
    for (int i = 0; i < N; i++) y[1][i] = y[0][i], y[0][i] = x[i];
    return 0;
}

int main(void)
{
    const double h = 1e-3;
    double y[2][N] = {{1}, {1}}; /* at rest, horizontal */
    int failed = 0, steps = 0;
    resida_jacobian *j = NULL;
    resida_jacobian_counts counts = {0};
    resida_system s;
    resida_system_init(&s);
    s.n = N;
    s.F = pendulum;
    if (resida_jacobian_create(&j, &s, NULL, NULL) < 0) return 1;
    for (; steps < 2000 && !failed; steps++) failed = take_step(j, (steps + 1) * h, h, y);
    resida_jacobian_get_counts(j, &counts);
    resida_jacobian_free(j);
    printf("%d steps, %ld calls of F for J; after a period x = %.5f, z = %.5f\n", steps, counts.residual_calls, y[0][0],
           y[0][1]);
    return failed || fabs(y[0][0] - 1) > 1e-3 || fabs(y[0][1]) > 1e-2;
}
