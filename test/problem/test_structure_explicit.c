/* Where the accelerations of the explicit formalism depend on p, v, lam, by the patterns of the residual one: against
 * differences, and where nothing is to be had by it. */
#include "src/core/solver/solver_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/jacobian/jacobian_fixture.h"
#include "three_bodies.h"
#include "test/fixtures/solver_fixture.h"

enum { N = THREE_BODIES_N, N_G = THREE_BODIES_N_G, STATES = 20, MOST = 2 * N + 2 * N_G };

/* A solver on a mechanism, explicit formalism, never started. */
typedef struct stage {
    resida_problem *problem;
    resida_solver *solver;
    const resida_layout *l;
    int n;
    unsigned char *places; /* [n x n] column by column, of the formalism part; NULL: not known */
} stage;

static stage open_stage(const resida_mechanism *m, const char *form)
{
    stage s = {0};
    resida_problem_options o = test_problem_options();
    resida_solver_options so = test_solver_options();
    o.form = form;
    o.formalism = RESIDA_FORMALISM_EXPLICIT;
    so.jacobian = "fresh";
    test_solver_make(&s.problem, &s.solver, m, &o, &so);
    s.l = &s.problem->layout;
    s.n = s.l->n;
    const rsd_places *formalism = &s.solver->structure.formalism;
    if (formalism->n < 0) return s;
    s.places = claims_zeros((size_t)s.n * (size_t)s.n, 1);
    for (int k = 0; k < formalism->n; k++) {
        assert_true(formalism->row[k] >= s.l->v && formalism->row[k] < s.l->v + s.l->n_v);
        unsigned char *place = s.places + formalism->column[k] * s.n + formalism->row[k];
        assert_int_equal(*place, 0); /* no repetitions */
        *place = 1;
    }
    return s;
}

/* Central differences of the formalism part; what is more than their rounding is marked. */
static void mark_nonzero(const stage *s, uint64_t *seed, unsigned char *is)
{
    const double h = 1e-3;
    double y[MOST], yp[MOST], hi[MOST], lo[MOST];
    for (int i = 0; i < s->n; i++) y[i] = bench_random(seed), yp[i] = bench_random(seed);
    for (int c = 0; c < s->n; c++) {
        double kept = y[c];
        y[c] = kept + h;
        assert_int_equal(rsd_problem_eval_part(s->problem, RSD_ROWS_FORMALISM, 0, y, yp, hi), 0);
        y[c] = kept - h;
        assert_int_equal(rsd_problem_eval_part(s->problem, RSD_ROWS_FORMALISM, 0, y, yp, lo), 0);
        y[c] = kept;
        for (int i = 0; i < s->n; i++) is[c * s->n + i] |= fabs(hi[i] - lo[i]) > 1e-12 * (1 + fabs(hi[i]));
    }
}

static int body_of_column(const stage *s, int c)
{
    return c < s->l->v ? c % THREE_BODIES : c < s->l->v + N ? (c - s->l->v) % THREE_BODIES : -1;
}

/* Constraints are between the first two bodies; the second and the third one are tied by forces. */
static int may_depend(const stage *s, int row, int c)
{
    int body = body_of_column(s, row), on = body_of_column(s, c);
    if (on < 0) return c < s->l->lam + s->l->n_g && body < 2;
    return body + on != 2 || body == on;
}

static const char *const forms[] = {"ggl", "index2"};

CLAIM(every_derivative_that_is_not_zero_is_in_the_pattern)
{
    for (int k = 0; k < 4; k++) {
        const resida_mechanism m = three_bodies(k / 2);
        stage s = open_stage(&m, forms[k % 2]);
        unsigned char is[MOST * MOST] = {0};
        uint64_t seed = 17;
        int found = 0, empty = 0;
        assert_non_null(s.places);
        const long entries = s.solver->structure.formalism.n;
        for (int i = 0; i < STATES; i++) mark_nonzero(&s, &seed, is);
        for (int c = 0; c < s.n; c++)
            for (int i = s.l->v; i < s.l->v + N; i++) {
                found += is[c * s.n + i];
                assert_true(s.places[c * s.n + i] || !is[c * s.n + i]);
                if (may_depend(&s, i, c)) continue;
                assert_false(s.places[c * s.n + i]);
                empty++;
            }
        print_message(
            "  %-6s %s: %ld entries, %d of them found; %d places between bodies that know nothing of each other\n",
            forms[k % 2], k / 2 ? "friction" : "        ", entries, found, empty);
        assert_true(empty >= 16 && found > entries * 3 / 4);
    }
}

/* dF/dy + alpha dF/dyp by central differences, column by column. */
static void differences(const stage *s, double alpha, double *y, double *yp, double *J)
{
    const double h = 1e-5;
    double hi[MOST], lo[MOST];
    for (int c = 0; c < s->n; c++) {
        double kept = y[c], kept_p = yp[c];
        y[c] = kept + h, yp[c] = kept_p + alpha * h;
        assert_int_equal(resida_problem_residual(0, y, yp, hi, s->problem), 0);
        y[c] = kept - h, yp[c] = kept_p - alpha * h;
        assert_int_equal(resida_problem_residual(0, y, yp, lo, s->problem), 0);
        y[c] = kept, yp[c] = kept_p;
        for (int i = 0; i < s->n; i++) J[c * s->n + i] = (hi[i] - lo[i]) / (2 * h);
    }
}

/* Nothing is found column by column; the pattern is checked, as a given one is, and grows by nothing. */
CLAIM(an_evaluation_on_it_takes_groups_and_is_right)
{
    for (int friction = 0; friction < 2; friction++) {
        const resida_mechanism m = three_bodies(friction);
        stage s = open_stage(&m, "ggl");
        double y[MOST], yp[MOST], F[MOST], J[MOST * MOST], exact[MOST * MOST];
        uint64_t seed = 23;
        int current;
        resida_jacobian_counts counts;
        resida_jacobian_point at = {.alpha = 30, .h = 0.03, .y = y, .yp = yp, .F = F};
        for (int i = 0; i < s.n; i++) y[i] = bench_away(&seed), yp[i] = bench_away(&seed);
        assert_int_equal(rsd_guard_eval_part(&s.solver->guard, RSD_FOR_START, RSD_ROWS_ALL, 0, y, yp, F), 0);
        assert_int_equal(resida_jacobian_setup(s.solver->engine, RESIDA_SETUP_FIRST, &at, &current), 0);
        assert_int_equal(resida_jacobian_get_counts(s.solver->engine, &counts), RESIDA_OK);
        assert_int_equal(counts.evaluations_dense, 0);
        assert_int_equal(counts.evaluations_coloured, 1);
        assert_int_equal(counts.pattern_updates, 0);
        assert_int_equal(counts.residual_calls, counts.groups + 1);
        assert_true(counts.groups < 2 * N + N_G);
        get_full(s.solver->engine, s.n, J);
        differences(&s, at.alpha, y, yp, exact);
        double error = off_by_row(s.n, J, exact);
        print_message("  %d groups of %d columns, J off by %.1e of its row\n", counts.groups, 2 * N + N_G, error);
        assert_true(error < 1e-6);
    }
}

static int any_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    return 1;
}

static void check_not_known(const resida_mechanism *m, const char *what)
{
    stage s = open_stage(m, "auto");
    if (s.places) fail_msg("%s: %d places are known", what, s.solver->structure.formalism.n);
}

CLAIM(no_pattern_is_derived_if_it_does_not_follow)
{
    static const int chain_row[] = {0, 2, 4, 6, 8, 10, 12}, chain_col[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 5},
                     one_row[] = {0, 1, 2, 3, 4, 5, 6}, one_col[] = {0, 1, 2, 3, 4, 5};
    const resida_mechanism all = three_bodies(0);
    resida_mechanism m = all;
    m.M_pattern = (resida_pattern){chain_row, chain_col};
    check_not_known(&m, "M couples each coordinate with the next one");
    m = all;
    m.M_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "M is full");
    m = all;
    m.mass_matrix = NULL;
    m.M_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "no M");
    m = all;
    m.kinematic_matrix = any_matrix;
    m.T_pattern = (resida_pattern){one_row, one_col};
    check_not_known(&m, "a kinematic matrix");
    m = all;
    m.n_h = 1;
    m.nonholonomic_matrix = any_matrix;
    check_not_known(&m, "a nonholonomic row");
    m = all;
    m.Phi_p_pattern = m.Phi_v_pattern = (resida_pattern){NULL, NULL};
    check_not_known(&m, "no patterns of Phi");
    m = all;
    m.M_pattern = (resida_pattern){one_row, one_col}; /* what is diagonal is the best of all */
    stage s = open_stage(&m, "auto");
    assert_int_equal(s.solver->structure.n_sets, N);
}

/* Places of all lists, each counted once. */
static long count_places(const stage *s)
{
    const rsd_structure *k = &s->solver->structure;
    const rsd_places *lists[] = {&k->y, &k->yp, &k->formalism, &k->constraint};
    unsigned char *is = claims_zeros((size_t)s->n * (size_t)s->n, 1);
    long places = 0;
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < lists[i]->n; e++) is[lists[i]->column[e] * s->n + lists[i]->row[e]] = 1;
    for (long e = 0; e < (long)s->n * s->n; e++) places += is[e];
    return places;
}

/* M of the train couples the coordinates of a carriage. */
CLAIM(the_train_is_never_evaluated_column_by_column)
{
    bench *b = bench_make("train", NULL);
    stage s = open_stage(b->m, "ggl");
    assert_non_null(s.places);
    const long entries = s.solver->structure.formalism.n;
    assert_int_equal(resida_solver_start(s.solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s.solver, b->model.t_end), RESIDA_OK);
    resida_stats stats = test_stats(s.solver);
    print_message("  train: %ld entries in %d groups, %ld evaluations by groups, J has %ld entries of %d x %d\n",
                  entries, stats.groups, stats.jacobian_evaluations.coloured, stats.nnz, s.n, s.n);
    assert_int_equal(stats.jacobian_evaluations.dense, 0);
    assert_true(stats.jacobian_evaluations.coloured > 1);
    assert_int_equal(stats.pattern_updates, 0);
    assert_int_equal(stats.nnz, count_places(&s));
}
