/* kinetics.c - a DASRT program converted to a resida_dae: Robertson's kinetics, F(t, y, y') = 0, with computed initial
 * values, tolerances by component, outputs, and a root function. Comments name the entries of INFO.
 *
 *     cc kinetics.c $(pkg-config --cflags --libs resida) && ./a.out */
#include <stdio.h>

#include <resida/resida.h>

/* RES: two rates, and the mass balance, which contains no derivative. */
static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double *k = user; /* RPAR */
    (void)t, (void)e;
    r[0] = yp[0] + k[0] * y[0] - k[1] * y[1] * y[2];
    r[1] = yp[1] - k[0] * y[0] + k[1] * y[1] * y[2] + k[2] * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0; /* > 0: IRES = -1, F cannot be evaluated; < 0: IRES = -2, stop */
}

/* G: the root function */
static int root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)yp, (void)e, (void)user;
    out[0] = y[2] - 0.01;
    return 0;
}

/* Advance to t_out, with a line for each root. */
static resida_status go_to(resida_solver *s, double t_out)
{
    resida_state now;
    resida_status status;
    do {
        status = resida_solver_advance(s, t_out); /* INFO(1) = 1 is not needed */
        if (status < 0 || resida_solver_state(s, &now) < 0) return status;
        printf("t = %10.4g: %.6f %.4e %.6f%s\n", now.t, now.y[0], now.y[1], now.y[2],
               status == RESIDA_EVENT ? ", a root" : "");
    } while (status == RESIDA_EVENT); /* IDID = 4 */
    return status;
}

int main(void)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const double atol[] = {1e-8, 1e-12, 1e-8}, y0[] = {1, 0, 0};
    double rates[] = {0.04, 1e4, 3e7};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_dae d;
    resida_solver_options o;

    resida_dae_init(&d);
    d.n = 3;
    d.residual = residual;
    d.n_root = 1;
    d.root = root;
    d.user = rates;
    d.kinds = kinds; /* IWORK(40 + i) of DASPK; DASSL has none */
    resida_solver_options_init(&o);
    o.rtol = 1e-6;
    o.atol_each = atol; /* INFO(2) = 1 */

    int failed = resida_problem_create_dae(&problem, &d, NULL, &why) < 0 ||
                 resida_solver_create(&solver, problem, &o, &why) < 0 ||
                 resida_solver_start_dae(solver, 0, y0, NULL) < 0; /* NULL: y' is computed, INFO(11) = 1 */
    for (double t_out = 0.4; !failed && t_out < 1e6; t_out *= 10) failed = go_to(solver, t_out) < 0;
    if (failed) fprintf(stderr, "kinetics: %s\n", solver ? resida_solver_message(solver) : why.text);
    resida_solver_free(solver);
    resida_problem_free(problem);
    return failed;
}
