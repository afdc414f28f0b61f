/* The strategies of the Jacobian engine on mechanisms, as the solver sets it up: J against differences of fourth
 * order, and what an update keeps and what it renews. */
#include "engine_fixture.h"

#define ACCURACY      1e-6    /* of the row, of J */
#define MIN_INCREMENT 1.22e-4 /* size of a component that increments are relative to at least, eq. (17) */

static const char *const strategies[] = {
    "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh"};
enum { N_STRATEGIES = 7 };

/* dF/dy + alpha dF/dyp, each by increments of its own size. */
static void find_exact(rig *r, double *J)
{
    double *Jyp = bench_doubles((long)r->n * r->n);
    rig_differences(r, RSD_ROWS_ALL, 1, 0, J);
    rig_differences(r, RSD_ROWS_ALL, 0, 1, Jyp);
    for (int e = 0; e < r->n * r->n; e++) J[e] += r->at.alpha * Jyp[e];
}

/* Rounding of the rows of F: of the terms it is made of, as far as J and the state tell them. dg/dp that is not given
 * comes from central differences, whose rounding is larger by their step. */
static void find_rounding(rig *r, double *rounding)
{
    double *Jy = bench_doubles((long)r->n * r->n), *Jyp = bench_doubles((long)r->n * r->n);
    rig_differences(r, RSD_ROWS_ALL, 1, 0, Jy);
    rig_differences(r, RSD_ROWS_ALL, 0, 1, Jyp);
    for (int i = 0; i < r->n; i++) {
        double sum = fabs(r->F[i]);
        for (int c = 0; c < r->n; c++) sum += fabs(Jy[c * r->n + i] * r->y[c]) + fabs(Jyp[c * r->n + i] * r->yp[c]);
        rounding[i] = DBL_EPSILON * sum / (r->problem->mechanism->m.constraint_matrix || r->l.n_g == 0 ? 1 : 6e-6);
    }
}

/* J [n x n] has an error of ACCURACY of its row and of twice the rounding of F over the increment, or less. */
static void check_J(rig *r, const double *J, const char *what, double *worst)
{
    double *exact = bench_doubles((long)r->n * r->n), *rounding = bench_doubles(r->n), most = 0;
    find_exact(r, exact);
    find_rounding(r, rounding);
    for (int i = 0; i < r->n; i++) {
        double size = 0;
        for (int c = 0; c < r->n; c++) size = fmax(size, fabs(exact[c * r->n + i]));
        for (int c = 0; c < r->n; c++) {
            double increment = sqrt(DBL_EPSILON) * fmax(fabs(r->y[c]), MIN_INCREMENT);
            double error = fabs(J[c * r->n + i] - exact[c * r->n + i]);
            most = fmax(most, error / (ACCURACY * size + 2 * rounding[i] / increment));
        }
    }
    if (!(most <= 1))
        print_error("%s, %s, %s, %s: %s off by %.1e of its row, %.1f times what it may\n", r->s->name, r->form,
                    r->formalism, r->strategy, what, off_by_row(r->n, J, exact), most);
    assert_true(most <= 1);
    *worst = fmax(*worst, rig_has_mass(r) ? off_by_row(r->n, J, exact) : 0);
}

static void check(rig *r, const char *what, double *worst)
{
    double *J = bench_doubles((long)r->n * r->n);
    rig_full(r, J);
    check_J(r, J, what, worst);
}

static void evaluate_twice(rig *r, void *worst)
{
    assert_int_equal(rig_setup(r, RESIDA_SETUP_FIRST, NULL), 1);
    check(r, "J", worst);
    rig_move(r);
    assert_int_equal(rig_setup(r, RESIDA_SETUP_OTHER, NULL), 1);
    check(r, "J at another state", worst);
    assert_int_equal(rig_counts(r).pattern_updates, 0);
}

CLAIM(J_is_right_to_1e_6_of_its_row_and_rounding_over_the_increment)
{
    for (int s = 0; s < N_STRATEGIES; s++) {
        double worst = 0;
        (s == 0 ? rig_each_form : rig_each)(strategies[s], evaluate_twice, &worst);
        print_message("%-18s J off by %.1e of its row\n", strategies[s], worst);
    }
}

/* dF/dyp is differenced too, in calls of its own. */
static int separate_yp(const rig *r)
{
    return !rig_has_mass(r) && !r->problem->mechanism->is_explicit && strcmp(r->strategy, "dense") != 0 &&
           strcmp(r->strategy, "sparse") != 0;
}

static void change_alpha(rig *r, void *worst)
{
    static const double factors[] = {3, 0.2, 100, 1e-3};
    rig_setup(r, RESIDA_SETUP_FIRST, NULL);
    double alpha = r->at.alpha;
    for (int k = 0; k < 4; k++) {
        long calls;
        r->at.alpha = factors[k] * alpha;
        rig_refresh(r);
        assert_int_equal(rig_setup(r, RESIDA_SETUP_ALPHA, &calls), 0);
        assert_int_equal(calls, 0);
        assert_int_equal(rig_counts(r).updates_alpha, k + 1);
        check(r, "J of a new alpha", worst);
    }
}

CLAIM(a_new_alpha_costs_no_residual_call_and_J_is_right)
{
    double worst = 0;
    for (int s = 2; s < 6; s++) rig_each(strategies[s], change_alpha, &worst);
    print_message("J of a new alpha off by %.1e of its row\n", worst);
}

/* Renewed at each attempt: all but the formalism part. Its error at a moved state is that of this part alone. */
static void attempt_elsewhere(rig *r, void *user)
{
    double *worst = user;
    long calls;
    rig_setup(r, RESIDA_SETUP_FIRST, NULL);
    if (separate_yp(r)) { /* M is not known elsewhere, but costs nothing either */
        rig_move(r);
        assert_int_equal(rig_setup(r, RESIDA_SETUP_ATTEMPT, &calls), 0);
        assert_int_equal(calls, 0);
        return;
    }
    double *A = bench_doubles((long)r->n * r->n), *moved = bench_doubles((long)r->n * r->n);
    double *J = bench_doubles((long)r->n * r->n);
    rig_differences(r, RSD_ROWS_FORMALISM, 1, 0, A);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < r->n; i++) r->y[i] *= 1.1, r->yp[i] *= 1.1;
        r->at.t += 0.1 / r->s->rate;
        rig_refresh(r);
        assert_int_equal(rig_setup(r, RESIDA_SETUP_ATTEMPT, &calls), 0);
        assert_int_equal(calls, 0);
        assert_int_equal(rig_counts(r).updates_blocks, k + 1);
        rig_full(r, J);
        rig_differences(r, RSD_ROWS_FORMALISM, 1, 0, moved);
        for (int i = 0; i < r->n * r->n; i++) J[i] += moved[i] - A[i];
        check_J(r, J, "J of an attempt but for the formalism part", worst);
        if (strcmp(r->s->name, "chain-cartesian") == 0 && !r->problem->mechanism->is_explicit) {
            rig_full(r, J);
            check_J(r, J, "J of an attempt, formalism part constant,", worst);
        }
    }
}

CLAIM(an_attempt_costs_no_residual_call_and_follows_the_curvature)
{
    double worst = 0;
    rig_each("fresh", attempt_elsewhere, &worst);
    print_message("J of an attempt off by %.1e of its row, without the change of the formalism part\n", worst);
}
