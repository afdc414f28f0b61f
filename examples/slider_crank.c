/* slider_crank.c - a rigid slider crank with a spring-damper between crank and rod, in the stabilised index-2
 * formulation: crank angle q, slider x, rod angle p; x = cos p + a cos q, 0 = -sin p - a sin q. The same mechanism is
 * shipped with SUNDIALS as idaSlCrank_dns.c, whose initial multipliers are inconsistent; here they are computed.
 *
 *     cc slider_crank.c $(pkg-config --cflags --libs resida) -lm && ./a.out */
#include <math.h>
#include <stdio.h>

#include <resida/resida.h>

typedef struct slider_crank {
    double a, J1, m2, J2; /* crank length [m], inertias [kg m^2], slider mass [kg] */
    double k, c, l0, F;   /* stiffness [N/m], damping [N s/m], free length [m], force on the slider [N] */
} slider_crank;

/* Phi = M a - Q(p, v): inertial forces minus applied forces, without constraint forces. */
static int residual(double t, const double *p, const double *v, const double *acc, const resida_excitation *e,
                    double *r, void *user)
{
    (void)t, (void)e;
    const slider_crank *s = user;
    double s1 = sin(p[0]), c1 = cos(p[0]), s2 = sin(p[2]), c2 = cos(p[2]), x = p[1], a = s->a;
    double s21 = s2 * c1 - c2 * s1, c21 = c2 * c1 + s2 * s1, reach = c2 + a * c1;
    double l = sqrt(x * x - x * reach + (1 + a * a) / 4 + a * c21 / 2);
    double ld = (2 * x * v[1] - v[1] * reach + x * (s2 * v[2] + a * s1 * v[0]) - a * s21 * (v[2] - v[0]) / 2) / (2 * l);
    double f = (s->k * (l - s->l0) + s->c * ld) / l;
    r[0] = s->J1 * acc[0] + f * a * (s21 / 2 + x * s1) / 2;
    r[1] = s->m2 * acc[1] - f * (c2 / 2 - x + a * c1 / 2) - s->F;
    r[2] = s->J2 * acc[2] + f * (x * s2 - a * s21 / 2) / 2 + s->F * s2;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e;
    const slider_crank *s = user;
    g[0] = p[1] - cos(p[2]) - s->a * cos(p[0]);
    g[1] = -sin(p[2]) - s->a * sin(p[0]);
    return 0;
}

/* dg/dp [2 x 3], by rows. Optional: without it resida computes differences of g. */
static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t, (void)e;
    const slider_crank *s = user;
    const double rows[6] = {s->a * sin(p[0]), 1, sin(p[2]), -s->a * cos(p[0]), 0, -cos(p[2])};
    for (int i = 0; i < 6; i++) G[i] = rows[i];
    return 0;
}

static int integrate(resida_solver *solver)
{
    const double pi = 3.14159265358979323846, p0[3] = {pi / 2, sqrt(0.75), -pi / 6}, v0[3] = {0, 0, 0};
    resida_start_report start;
    resida_state now;
    resida_stats stats = {.size = sizeof stats};
    if (resida_solver_start(solver, 0, p0, v0, NULL, &start) < 0) return 1;
    printf("start: |g| = %.1e, rank of G %d\n%6s%12s%12s%12s%12s%12s\n", start.g_after, start.rank, "t", "crank",
           "slider", "rod", "lam 1", "lam 2");
    for (int k = 0; k <= 10; k++) {
        if (resida_solver_advance(solver, k) < 0 || resida_solver_state(solver, &now) < 0) return 1;
        printf("%6.2f%12.7f%12.7f%12.7f%12.7f%12.7f\n", now.t, now.p[0], now.p[1], now.p[2], now.lam[0], now.lam[1]);
    }
    if (resida_solver_stats(solver, &stats) < 0) return 1;
    printf("%ld steps, %ld residual calls, %ld Jacobians\n", stats.steps, stats.residual_calls.total,
           stats.jacobian_evaluations.dense + stats.jacobian_evaluations.coloured);
    return 0;
}

int main(void)
{
    slider_crank crank = {.a = 0.5, .J1 = 1, .m2 = 1, .J2 = 2, .k = 1, .c = 1, .l0 = 1, .F = 1};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options options;
    resida_message why = {""};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.name = "slider crank";
    m.n_p = m.n_v = 3;
    m.n_g = 2;
    m.user = &crank;
    m.residual = residual;
    m.constraint = constraint;
    m.constraint_matrix = constraint_matrix;
    resida_solver_options_init(&options);
    options.rtol = options.atol = 1e-7;

    int failed = resida_problem_create(&problem, &m, NULL, &why) < 0 ||
                 resida_solver_create(&solver, problem, &options, &why) < 0 || integrate(solver);
    if (failed) fprintf(stderr, "slider_crank: %s\n", solver ? resida_solver_message(solver) : why.text);
    resida_solver_free(solver);
    resida_problem_free(problem);
    return failed;
}
