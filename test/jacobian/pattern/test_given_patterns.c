/* Patterns that come with the model: what an evaluation costs with them, that J is the same, that what they lack is
 * found at the check; the pattern of the curvature that follows from that of dg/dp; and patterns that are refused. */
#include "test/jacobian/engine_fixture.h"
#include "test/contact/contact_mechanism.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { N = 12 };
#define ALPHA 40.0

static const char *const coloured[] = {"sparse", "sparse+partitioned", "sparse+extended", "fresh"};
enum { N_COLOURED = 4 };

/* The solver's engine on the mechanism with a contact, or on a general DAE; a state, F there. */
typedef struct stage {
    contact c;
    resida_problem *problem;
    resida_solver *solver;
    resida_jacobian *engine;
    int n;
    uint64_t seed;
    double y[4 * CONTACT_MAX], yp[4 * CONTACT_MAX], F[4 * CONTACT_MAX];
} stage;

static void open_stage_on(stage *s, const char *strategy)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = strategy;
    s->solver = test_solver_of(s->problem, &o);
    s->engine = s->solver->engine;
    s->n = s->problem->layout.n;
    s->seed = 4;
}

static void open_stage(stage *s, const char *strategy, int with_constraint, contact_pattern given)
{
    contact_make(&s->c, N, 3, with_constraint);
    resida_mechanism m = contact_mechanism(&s->c, given);
    s->problem = test_problem(&m, NULL);
    open_stage_on(s, strategy);
}

/* A random state where nothing is near zero, in contact or not. */
static void move(stage *s, int in_contact)
{
    for (int i = 0; i < s->n; i++) {
        s->y[i] = bench_away(&s->seed);
        s->yp[i] = bench_away(&s->seed);
    }
    s->y[0] = s->y[s->c.target] + (in_contact ? 0.1 : -2);
    assert_int_equal(rsd_guard_eval_part(&s->solver->guard, RSD_FOR_START, RSD_ROWS_ALL, 0, s->y, s->yp, s->F), 0);
}

static resida_jacobian_counts counts_of(const resida_jacobian *j)
{
    resida_jacobian_counts c;
    assert_int_equal(resida_jacobian_get_counts(j, &c), RESIDA_OK);
    return c;
}

/* An evaluation: residual calls that it made. */
static long evaluate(stage *s, resida_setup_reason reason)
{
    int current;
    long before = counts_of(s->engine).residual_calls;
    resida_jacobian_point at = {.alpha = ALPHA, .h = 1 / ALPHA, .y = s->y, .yp = s->yp, .F = s->F};
    assert_int_equal(resida_jacobian_setup(s->engine, reason, &at, &current), 0);
    return counts_of(s->engine).residual_calls - before;
}

/* J of the engine against differences of fourth order of F: largest error of its row. */
static double off(stage *s)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    const double h = 1e-3;
    double *exact = bench_doubles((long)s->n * s->n), *J = bench_doubles((long)s->n * s->n), *f = bench_doubles(s->n);
    resida_jacobian_matrix m;
    for (int c = 0; c < s->n; c++) {
        double y = s->y[c], yp = s->yp[c];
        for (int k = 0; k < 4; k++) {
            s->y[c] = y + shifts[k] * h;
            s->yp[c] = yp + ALPHA * shifts[k] * h;
            assert_int_equal(resida_problem_residual(0, s->y, s->yp, f, s->problem), 0);
            for (int i = 0; i < s->n; i++) exact[c * s->n + i] += factors[k] * f[i] / (12 * h);
        }
        s->y[c] = y;
        s->yp[c] = yp;
    }
    assert_int_equal(resida_jacobian_get_matrix(s->engine, &m), RESIDA_OK);
    for (int c = 0; c < s->n; c++)
        for (int e = m.start[c]; e < m.start[c + 1]; e++) J[c * s->n + m.row[e]] = m.values[e];
    double worst = off_by_row(s->n, J, exact);
    return worst;
}

CLAIM(a_given_pattern_costs_its_groups_from_the_first_evaluation_on)
{
    for (int i = 0; i < N_COLOURED; i++)
        for (int constrained = 0; constrained < 2; constrained++) {
            stage s, other;
            open_stage(&s, coloured[i], constrained, CONTACT_PATTERN_WITH);
            open_stage(&other, coloured[i], constrained, CONTACT_NO_PATTERN);
            move(&s, 0);
            move(&other, 0);
            long calls = evaluate(&s, RESIDA_SETUP_FIRST), groups = counts_of(s.engine).groups;
            assert_int_equal(calls, groups + 1); /* and the check */
            assert_int_equal(counts_of(s.engine).pattern_calls, 1);
            assert_true(groups < N && evaluate(&other, RESIDA_SETUP_FIRST) > groups + 1);
            for (int k = 0; k < 3; k++) {
                move(&s, 0);
                assert_int_equal(evaluate(&s, RESIDA_SETUP_FIRST), groups);
                assert_true(off(&s) < 1e-6);
            }
            assert_int_equal(counts_of(s.engine).pattern_calls, 1);
            assert_int_equal(counts_of(s.engine).pattern_updates, 0);
            print_message("  %-18s %ld groups of %d columns\n", coloured[i], groups, 2 * N);
        }
}

/* Without a given pattern the same differences are taken, by columns; the rest of a group does not move a row. */
CLAIM(J_is_that_of_differences_without_it)
{
    for (int i = 0; i < N_COLOURED; i++)
        for (int in_contact = 0; in_contact < 2; in_contact++) {
            stage s, other;
            resida_jacobian_matrix J, D;
            open_stage(&s, coloured[i], 1, CONTACT_PATTERN_WITH);
            open_stage(&other, "dense+partitioned", 1, CONTACT_NO_PATTERN);
            move(&s, in_contact);
            move(&other, in_contact);
            evaluate(&s, RESIDA_SETUP_FIRST);
            evaluate(&other, RESIDA_SETUP_FIRST);
            assert_int_equal(resida_jacobian_get_matrix(s.engine, &J), RESIDA_OK);
            assert_int_equal(resida_jacobian_get_matrix(other.engine, &D), RESIDA_OK);
            double full[16 * CONTACT_MAX * CONTACT_MAX] = {0};
            for (int c = 0; c < s.n; c++)
                for (int e = J.start[c]; e < J.start[c + 1]; e++) full[c * s.n + J.row[e]] = J.values[e];
            long entries = 0;
            for (int c = 0; c < s.n; c++)
                for (int e = D.start[c]; e < D.start[c + 1]; e++) {
                    assert_true(D.values[e] == full[c * s.n + D.row[e]]);
                    entries += D.values[e] != 0;
                }
            assert_true(entries > 5L * N);
        }
}

CLAIM(what_a_given_pattern_lacks_is_added_at_the_check)
{
    for (int i = 0; i < N_COLOURED; i++)
        for (int constrained = 0; constrained < 2; constrained++) {
            stage s;
            open_stage(&s, coloured[i], constrained, CONTACT_PATTERN_WITHOUT);
            move(&s, 1);
            evaluate(&s, RESIDA_SETUP_FIRST);
            double worst = off(&s);
            assert_int_equal(counts_of(s.engine).pattern_updates, 1);
            assert_true(contact_is_kept(&s.c, s.engine));
            move(&s, 1);
            evaluate(&s, RESIDA_SETUP_FIRST);
            worst = fmax(worst, off(&s));
            assert_int_equal(counts_of(s.engine).pattern_updates, 1);
            print_message("  %-18s J off by %.1e of its row\n", coloured[i], worst);
            assert_true(worst < 1e-6);
        }
}

/* A ring: F_i = y'_i + y_i^2 - y_i+1 y_0; entries (i, i), (i, i + 1), (i, 0). */
static int ring(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = yp[i] + y[i] * y[i] - y[(i + 1) % N] * y[0];
    return 0;
}

/* lacks: row 1 lacks column 0. */
static void open_ring(stage *s, const char *strategy, int lacks)
{
    resida_dae d = test_dae();
    int row[N + 1] = {0}, col[3 * N];
    for (int i = 0; i < N; i++) {
        row[i + 1] = row[i];
        for (int c = 0; c < N; c++)
            if ((c == 0 && !(lacks && i == 1)) || c == i || c == (i + 1) % N) col[row[i + 1]++] = c;
    }
    d.n = N;
    d.residual = ring;
    d.J_pattern = (resida_pattern){row, col};
    s->problem = test_problem_dae(&d, NULL);
    s->c.target = 1;
    open_stage_on(s, strategy);
}

/* The fullest row has three entries, and the ring of columns 1 .. N - 1 needs no more. Where alpha is an update, dF/dyp
 * costs its groups too, until it was the same twice. */
CLAIM(the_pattern_of_a_dae_costs_its_groups)
{
    for (int i = 0; i < N_COLOURED; i++)
        for (int lacks = 0; lacks < 2; lacks++) {
            stage s;
            open_ring(&s, coloured[i], lacks);
            move(&s, 0);
            long first = evaluate(&s, RESIDA_SETUP_FIRST);
            int combined = strcmp(coloured[i], "sparse") == 0;
            if (!lacks) {
                assert_int_equal(counts_of(s.engine).groups, 3);
                assert_int_equal(first, combined ? 3 + 1 : 3 + 3 + 1);
                assert_int_equal(counts_of(s.engine).pattern_calls, 1);
                move(&s, 0);
                assert_int_equal(evaluate(&s, RESIDA_SETUP_FIRST), combined ? 3 : 3 + 3);
            }
            assert_int_equal(counts_of(s.engine).pattern_updates, lacks);
            assert_true(off(&s) < 1e-6);
        }
}

/* The constraint part's pattern, given by that of dg/dp, holds every entry that an estimate without it finds. */
static void check_curvature(const char *model, const bench_setting *settings, const char *form)
{
    long entries = 0, estimated = 0;
    bench *b = bench_make(model, settings);
    assert_non_null(b->m->G_pattern.row);
    resida_problem_options po = test_problem_options();
    po.form = form;
    for (int explicitly = 0; explicitly < (b->m->acceleration ? 2 : 1); explicitly++) {
        stage s;
        po.formalism = explicitly ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
        s.problem = test_problem(b->m, &po);
        open_stage_on(&s, "sparse+partitioned");
        assert_true(s.solver->structure.constraint.n > 0);
        const int n = s.n;
        unsigned char *given = claims_zeros((size_t)n * (size_t)n, 1);
        double *y = bench_doubles(n), *yp = bench_doubles(n), *r0 = bench_doubles(n), *r = bench_doubles(n);
        assert_non_null(given);
        for (int k = 0; k < s.solver->structure.constraint.n; k++)
            given[s.solver->structure.constraint.column[k] * n + s.solver->structure.constraint.row[k]] = 1;
        for (int i = 0; i < n * n; i++) entries += given[i];
        for (int i = 0; i < n; i++)
            y[i] = i < b->m->n_p ? b->model.p0[i] + 1e-3 * bench_random(&s.seed) : bench_random(&s.seed);
        for (int c = 0; c < b->m->n_p; c++) { /* G' lam, (dg/dp)' eta, G v change with positions; g itself is known */
            assert_int_equal(rsd_problem_eval_part(s.problem, RSD_ROWS_CONSTRAINT, 0, y, yp, r0), 0);
            double kept = y[c];
            y[c] += 1e-3;
            assert_int_equal(rsd_problem_eval_part(s.problem, RSD_ROWS_CONSTRAINT, 0, y, yp, r), 0);
            y[c] = kept;
            for (int i = 0; i < n; i++) {
                int is_g = s.problem->layout.eta >= 0 && i >= s.problem->layout.eta;
                if (is_g || fabs(r[i] - r0[i]) <= 1e-12 * (fabs(r[i]) + fabs(r0[i]))) continue;
                estimated++;
                assert_true(given[c * n + i]);
            }
        }
    }
    print_message("  %-16s %-6s %ld entries, %ld of them found\n", model, form, entries, estimated);
    assert_true(estimated > 0 && entries <= 4 * estimated);
}

CLAIM(the_curvature_lies_within_the_pattern_of_dg_dp)
{
    for (const resida_model_class *const *cls = bench_models; *cls; cls++) {
        bench *b = bench_make((*cls)->name, NULL);
        int has_pattern = !b->model.is_dae && b->m->n_g > 0 && b->m->G_pattern.row && !b->m->kinematic_matrix;
        if (!has_pattern) continue;
        check_curvature((*cls)->name, NULL, "ggl");
        check_curvature((*cls)->name, NULL, "index2");
    }
}
