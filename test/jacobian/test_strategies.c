/* The strategies of the Jacobian engine on mechanisms, as the solver sets it up: J against differences of fourth order,
 * counters as exact numbers, and what an update keeps and what it renews. */
#include "engine_fixture.h"
#include "src/core/problem/structure.h"

#define ACCURACY      1e-6    /* of the row, of J */
#define MIN_INCREMENT 1.22e-4 /* size of a component that increments are relative to at least, eq. (17) */

static const char *const strategies[] = {
    "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh"};
enum { N_STRATEGIES = 7 };

/* Finds the pattern by its first evaluations. */
static int learns(const rig *r)
{
    return strcmp(r->strategy, "fresh") == 0;
}

/* By groups: a strategy that learns when that is over, and only where groups are cheaper. */
static int is_coloured(const rig *r)
{
    return strstr(r->strategy, "sparse") || (learns(r) && rig_counts(r).evaluations_coloured > 0);
}

/* Columns that are differenced for dF/dy: p and v, and lam where M^-1 G' is not known or forces depend on it. */
static long formalism_columns(const rig *r)
{
    const resida_layout *l = &r->l;
    const rsd_mechanism *k = r->problem->mechanism;
    int lam = l->lam >= 0 && (k->is_explicit || k->uses_lam) ? l->n_g + l->n_h : 0;
    return l->n_p + l->n_v + lam;
}

/* The model gives the patterns, that is dPhi/dp, dPhi/dv, from which those of the explicit formalism follow where M has
 * blocks: they are checked once. */
static int is_given(const rig *r)
{
    rsd_structure s;
    assert_int_equal(rsd_structure_create(&s, r->problem, NULL), RESIDA_OK);
    int is_known = s.formalism.n >= 0;
    rsd_structure_free(&s);
    return is_known;
}

/* Residual calls of an evaluation that is not the first one. */
static long cost(const rig *r)
{
    resida_jacobian_counts c = rig_counts(r);
    return is_coloured(r) ? c.groups + !is_given(r) : formalism_columns(r);
}

/* dF/dy is evaluated, long after the last time: an iteration that is slow soon after an evaluation needs more. */
static void evaluate(rig *r, long *calls)
{
    for (int k = 0; learns(r) && k < 4; k++) rig_setup(r, RESIDA_SETUP_ATTEMPT, NULL);
    rig_setup(r, RESIDA_SETUP_OTHER, calls);
}

/* The first evaluation, and for a strategy that learns as many as it takes. */
static void begin(rig *r)
{
    rig_setup(r, RESIDA_SETUP_FIRST, NULL);
    for (int k = 0; learns(r) && k < 3; k++) {
        rig_move(r);
        evaluate(r, NULL);
    }
}

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

static void count_evaluation(rig *r, void *user)
{
    begin(r);
    if (separate_yp(r)) return; /* another test */
    long calls;
    for (int k = 0; k < 3; k++) {
        rig_move(r);
        resida_jacobian_counts before = rig_counts(r);
        evaluate(r, &calls);
        resida_jacobian_counts c = rig_counts(r);
        int by_part = learns(r) && !is_coloured(r); /* without columns that have not changed, which is checked */
        long checks = c.pattern_calls - before.pattern_calls;
        assert_true(by_part ? calls <= cost(r) + 1 : calls == cost(r));
        assert_true(by_part ? checks <= 1 : checks == (is_coloured(r) && !is_given(r)));
        assert_int_equal(c.evaluations_coloured - before.evaluations_coloured, is_coloured(r));
        assert_int_equal(c.evaluations_dense - before.evaluations_dense, !is_coloured(r));
        assert_int_equal(c.pattern_updates, before.pattern_updates);
        assert_true(learns(r) || c.updates_alpha == 0);
    }
}

CLAIM(an_evaluation_costs_its_groups_and_a_check_or_its_formalism_columns)
{
    for (int s = 0; s < N_STRATEGIES; s++) rig_each(strategies[s], count_evaluation, NULL);
}

/* The mass matrix is not given: a column of dF/dyp more for each velocity, none for states, where a new alpha is to be
 * an update, none where it is not. */
static void count_open_mass(rig *r, void *user)
{
    if (!separate_yp(r)) return;
    long calls;
    const int n_w = r->l.n_v - r->l.n_z;
    rig_setup(r, RESIDA_SETUP_FIRST, &calls);
    if (learns(r)) {
        assert_int_equal(calls, formalism_columns(r) + n_w);
        return;
    }
    rig_move(r); /* another M: dF/dyp has not settled */
    rig_setup(r, RESIDA_SETUP_OTHER, &calls);
    resida_jacobian_counts c = rig_counts(r);
    if (is_coloured(r))
        assert_true(calls > c.groups + 1 && calls <= c.groups + 1 + n_w);
    else
        assert_int_equal(calls, formalism_columns(r) + n_w);
}

CLAIM(a_mass_matrix_that_is_not_given_costs_its_columns)
{
    for (int s = 0; s < N_STRATEGIES; s++) rig_each(strategies[s], count_open_mass, NULL);
}

static void first_counts(rig *r, void *user)
{
    double *ratio = user;
    long calls;
    rig_setup(r, RESIDA_SETUP_FIRST, &calls);
    if (learns(r)) begin(r);
    resida_jacobian_counts c = rig_counts(r);
    long columns = formalism_columns(r) * (!rig_has_mass(r) && !r->problem->mechanism->is_explicit ? 2 : 1);
    /* three states of at most all columns, of y and perhaps of yp, with their bases; the groups, the check */
    assert_true(c.groups >= c.groups_bound && c.groups <= 2 * c.groups_bound);
    if (!learns(r))
        assert_true(c.pattern_calls <= 3 * (columns + 2) + 1 && calls <= c.pattern_calls + c.groups + r->l.n_v);
    if (c.groups_bound > 0) *ratio = fmax(*ratio, c.groups / (double)c.groups_bound);
    if (strcmp(r->strategy, "sparse+partitioned") == 0)
        print_message(
            "  %-22s %-6s %-8s n %2d, formalism columns %2ld, groups %2d, bound %2d, nnz %3ld, first %3ld calls\n",
            r->s->name, r->form, r->formalism, r->n, formalism_columns(r), c.groups, c.groups_bound, c.nnz, calls);
}

CLAIM(groups_are_at_most_twice_their_bound)
{
    double ratio = 0;
    rig_each("sparse", first_counts, &ratio);
    rig_each("sparse+partitioned", first_counts, &ratio);
    rig_each("fresh", first_counts, &ratio);
    print_message("groups at most %.2f times the bound\n", ratio);
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
