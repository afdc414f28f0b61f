/* test_nominal.c - increments near zero (jacobian/differences/nominal.c): J of all mechanisms at states with zeros,
 * circuits whose matrix is nearly singular, so that 1e-4 of an entry is more than what is left of it, and columns that
 * rounding hides. */
#include "engine_fixture.h"
#include "test/fixtures/run_model.h"
#include "test/fixtures/solver_fixture.h"

#define ACCURACY 5e-6 /* of the row, of J: a few hundred eps^(1/2), for sums and curvature */

static const char *const strategies[] = {"auto", "dense", "sparse", "sparse+partitioned"};
enum { N_STRATEGIES = 4 };

/* --- J --- */

/* v, multipliers and rates, which begin at zero at most starts: every other one is zero, the rest nearly. */
static void go_to_rest(rig *r)
{
    for (int i = 0; i < r->n; i++) {
        if (i >= r->l.v) r->y[i] *= i % 2 ? 0 : 1e-9;
        r->yp[i] *= i % 2 ? 0 : 1e-9;
    }
    rig_refresh(r);
}

/* dF/dy + alpha dF/dyp. */
static void find_exact(rig *r, double *J)
{
    double *Jyp = bench_doubles((long)r->n * r->n);
    rig_differences(r, RSD_ROWS_ALL, 1, 0, J);
    rig_differences(r, RSD_ROWS_ALL, 0, 1, Jyp);
    for (int e = 0; e < r->n * r->n; e++) J[e] += r->at.alpha * Jyp[e];
}

/* Without dg/dp forces are differences already, with errors of 1e-11 that others are taken of. */
static void compare_at_rest(rig *r, void *user)
{
    if (strstr(r->s->name, ", bare")) return;
    double *J = bench_doubles((long)r->n * r->n), *exact = bench_doubles((long)r->n * r->n);
    go_to_rest(r);
    find_exact(r, exact);
    for (int k = 0; k < 3; k++) {
        rig_setup(r, k ? RESIDA_SETUP_OTHER : RESIDA_SETUP_FIRST, NULL);
        rig_full(r, J);
        double off = off_by_row(r->n, J, exact);
        if (!(off <= ACCURACY))
            fail_msg("%s %s %s %s: J is off by %g of a row", r->s->name, r->form, r->formalism, r->strategy, off);
    }
}

CLAIM(J_is_right_where_components_are_zero)
{
    static const char *const names[] = {"fresh", "dense", "sparse", "sparse+partitioned"};
    for (int i = 0; i < 4; i++) rig_each_form(names[i], compare_at_rest, NULL);
}

/* --- DAEs --- */

typedef resida_dae_residual_fn equations;

/* A current of 1 A loads a capacitor that only R ties to the ground, where a little more current flows, s:
 *
 *     0 = C (x' - y') - 1 - s,   0 = y/R + 1 - C (x' - y'):     y = R s,  x - y = (t + integral of s)/C
 *
 * Rows have terms of size 1, and alpha C is large in all four entries of J; what is left of them is 1/R. */
typedef struct circuit {
    double C, R;
} circuit;

#define S_SIZE 1e-5
#define S_RATE 10.0

static int charge(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const circuit *c = user;
    const double current = c->C * (yp[0] - yp[1]);
    r[0] = current - 1 - S_SIZE * sin(S_RATE * t);
    r[1] = y[1] / c->R + 1 - current;
    return 0;
}

/* A state of a DAE, and its strategy. */
typedef struct run {
    equations *F;
    void *user;
    int n;
    const resida_kind *kinds;
    const char *strategy;
    double tolerance, t_end;
} run;

/* y [n], yp [n]: start, end. */
static resida_status integrate(const run *x, double *y, const double *yp, resida_message *why)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    resida_state end;
    d.n = x->n, d.residual = x->F, d.user = x->user, d.kinds = x->kinds;
    o.rtol = o.atol = x->tolerance, o.jacobian = x->strategy, o.max_steps = 100000;
    resida_solver *solver = test_solver_dae(&d, NULL, &o);
    resida_status status = resida_solver_start_dae(solver, 0, y, yp);
    if (status >= 0) status = resida_solver_advance(solver, x->t_end);
    snprintf(why->text, sizeof why->text, "%s", resida_solver_message(solver));
    if (status >= 0) assert_int_equal(resida_solver_state(solver, &end), RESIDA_OK);
    if (status >= 0) memcpy(y, end.y, (size_t)x->n * sizeof *y);
    return status;
}

static void charge_one(circuit c, const char *strategy, double tolerance)
{
    const run x = {charge, &c, 2, NULL, strategy, tolerance, 0.1};
    const double y_rate = c.R * S_SIZE * S_RATE, yp[2] = {y_rate + 1 / c.C, y_rate};
    const double exact = c.R * S_SIZE * sin(S_RATE * x.t_end);
    double y[2] = {0, 0};
    resida_message why = {""};
    if (integrate(&x, y, yp, &why) < 0)
        fail_msg("C = %g, R = %g, %s at %g: %s", c.C, c.R, strategy, tolerance, why.text);
    bench_near(y[1], exact, 100 * tolerance * (1 + fabs(exact)));
}

CLAIM(a_floating_capacitor_is_charged)
{
    static const double C[] = {1e-9, 1e-6, 1e-3, 1}, R[] = {1e3, 1e5}, tolerances[] = {1e-5, 1e-7, 1e-9};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            for (int t = 0; t < 3; t++)
                for (int s = 0; s < N_STRATEGIES; s++) charge_one((circuit){C[i], R[k]}, strategies[s], tolerances[t]);
}

/* A row in which z moves the last digits only, a = b, and no other has it:
 *
 *     a' = -a,  b' = -b,  y' = -y/2,   0 = a - b + w (z - y) */
static int hide(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double w = *(const double *)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + y[1];
    r[2] = yp[2] + y[2] / 2;
    r[3] = y[0] - y[1] + w * (y[3] - y[2]);
    return 0;
}

/* An increment of 1.5e-8 changes the row by less than its rounding where w <= 1e-8. */
CLAIM(a_column_that_rounding_hides_is_found)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL,
                                        RESIDA_ALGEBRAIC};
    for (int k = 6; k <= 10; k++)
        for (int s = 0; s < N_STRATEGIES; s++) {
            double w = pow(10, -k), y[4] = {1, 1, 1e-3, 1e-3};
            const double yp[4] = {-1, -1, -y[2] / 2, 0};
            const run x = {hide, &w, 4, kinds, strategies[s], 1e-5, 1};
            resida_message why = {""};
            if (integrate(&x, y, yp, &why) < 0) fail_msg("w = %g, %s: %s", w, strategies[s], why.text);
            bench_near(y[2], 1e-3 * exp(-0.5), 1e-4);
            bench_near(y[3], y[2], 1e-3);
        }
}

/* --- multipliers --- */

/* Stiff forces, multipliers that are zero, and rows with terms of 1e6: where they cancel, columns of lam are changes in
 * the last digits. */
CLAIM(columns_of_multipliers_are_not_lost)
{
    static const resida_formalism formalisms[] = {RESIDA_FORMALISM_EXPLICIT, RESIDA_FORMALISM_RESIDUAL};
    static const char *const forms[] = {"ggl", "index2", "baumgarte", "index1", "projected1"};
    for (int f = 0; f < 5; f++)
        for (int i = 0; i < 2; i++)
            for (int k = 3; k <= 10; k++)
                for (int s = 0; s < 2; s++) {
                    const double tolerance = pow(10, -k);
                    const int is_damped = resida_option_fits(resida_option_find("gamma"), forms[f], "bdf");
                    run_result r = run_model((run_order){.model = "flyball",
                                                         .form = forms[f],
                                                         .jacobian = strategies[s],
                                                         .formalism = formalisms[i],
                                                         .rtol = tolerance,
                                                         .atol = tolerance,
                                                         .t_end = 0.02,
                                                         .gamma = is_damped ? 10 : 0,
                                                         .outputs = 1});
                    if (r.status < 0)
                        fail_msg("%s %s %s at %g: %s", forms[f], i ? "residual" : "explicit", strategies[s], tolerance,
                                 r.message);
                }
}

/* Robertson's kinetics with concentrations of size S, of which y1 begins at zero: the same but for S. */
static int kinetics(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double S = *(const double *)user, a = y[0] / S, b = y[1] / S, c = y[2] / S;
    r[0] = yp[0] - S * (-0.04 * a + 1e4 * b * c);
    r[1] = yp[1] - S * (0.04 * a - 1e4 * b * c - 3e7 * b * b);
    r[2] = y[0] + y[1] + y[2] - S;
    return 0;
}

static void react(const char *strategy, double S, double *y)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double atol[] = {1e-8 * S, 1e-12 * S, 1e-8 * S};
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = 3, d.kinds = kinds, d.residual = kinetics, d.user = &S;
    o.jacobian = strategy, o.rtol = 1e-7, o.atol_each = atol;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, (double[]){S, 0, 0}, (double[]){-0.04 * S, 0.04 * S, 0}), RESIDA_OK);
    if (resida_solver_advance(s, 40) != RESIDA_OK) fail_msg("%s, S = %g: %s", strategy, S, resida_solver_message(s));
    resida_state at = test_state(s);
    for (int i = 0; i < 3; i++) y[i] = at.y[i] / S;
}

CLAIM(small_components_are_not_moved_out_of_what_F_means)
{
    static const double sizes[] = {1e-6, 1e-12, 1e-50, 1e-150, 1e-290};
    static const char *const names[] = {"auto", "fresh", "dense", "sparse+extended"};
    for (int k = 0; k < 4; k++) {
        double one[3], y[3];
        react(names[k], 1, one);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            react(names[k], sizes[i], y);
            for (int c = 0; c < 3; c++)
                if (!(fabs(y[c] - one[c]) <= 1e-4 * one[c]))
                    fail_msg("%s, S = %g: y%d/S = %.9g, not %.9g", names[k], sizes[i], c, y[c], one[c]);
        }
    }
}
