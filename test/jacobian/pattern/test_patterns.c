/* Sparsity patterns that the Jacobian engine estimates, checks and lets grow: 200 random sparse functions, handed to
 * the engine alone, whose Jacobian is known by formula.
 *
 *     F_i = sum over the row of  a sin(y_j + b) + c y_j yp_j + d yp_j,    with d = 0 in algebraic columns
 *
 * A row touches no component that it does not have, so a coloured difference is the dense one bit for bit. Entries
 * may be inactive: they are zero until y_0 > 1. */
#include <resida/jacobian.h>

#include "test/jacobian/jacobian_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { TRIALS = 200, MOST = 60, MAX_ENTRIES = MOST * MOST };

/* Entry by entry. */
typedef struct entry {
    int row, column, is_inactive;
    double a, b, c, d;
} entry;

typedef struct sparse_function {
    int n, n_entries;
    entry e[MAX_ENTRIES];
    unsigned char columns[MOST];
    uint64_t seed;
    long calls;
    double t, y[MOST], yp[MOST], F[MOST];
} sparse_function;

/* Factor of an inactive entry: smooth, 0 until y_0 = 1, nearly 1 from y_0 = 2 on. */
static double activity(const entry *e, const double *y)
{
    return !e->is_inactive ? 1 : y[0] > 1 ? 1 - exp(-20 * (y[0] - 1) * (y[0] - 1)) : 0;
}

static int F(double t, const double *y, const double *yp, double *r, void *user)
{
    sparse_function *f = user;
    f->calls++;
    memset(r, 0, (size_t)f->n * sizeof *r);
    for (int k = 0; k < f->n_entries; k++) {
        const entry *e = &f->e[k];
        const double x = y[e->column], xp = yp[e->column];
        r[e->row] += activity(e, y) * (e->a * sin(x + e->b) + (e->c * x + e->d) * xp);
    }
    return 0;
}

/* dF/dy + alpha dF/dyp, column by column; inactive entries count as constant in y_0, which is in their row. */
static void exact_J(const sparse_function *f, double alpha, double *J)
{
    memset(J, 0, (size_t)f->n * (size_t)f->n * sizeof *J);
    for (int k = 0; k < f->n_entries; k++) {
        const entry *e = &f->e[k];
        const double x = f->y[e->column], xp = f->yp[e->column], value = e->a * sin(x + e->b) + (e->c * x + e->d) * xp;
        J[e->column * f->n + e->row] +=
            activity(e, f->y) * (e->a * cos(x + e->b) + e->c * xp + alpha * (e->c * x + e->d));
        if (e->is_inactive && f->y[0] > 1) J[e->row] += 40 * (f->y[0] - 1) * (1 - activity(e, f->y)) * value;
    }
}

static void move(sparse_function *f)
{
    f->t += 0.1;
    for (int i = 0; i < f->n; i++) {
        f->y[i] = 0.9 * bench_away(&f->seed);
        f->yp[i] = bench_away(&f->seed);
    }
    F(f->t, f->y, f->yp, f->F, f);
}

/* A diagonal, and about three more entries in each row; each third column is algebraic. */
static void make(sparse_function *f, int trial)
{
    memset(f, 0, sizeof *f);
    f->seed = 4711 + (uint64_t)trial;
    f->n = 2 + trial % (MOST - 1);
    double density = fmin(1, 3.0 / f->n);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++) {
            if (i != j && bench_random(&f->seed) > 2 * density - 1) continue;
            int algebraic = j % 3 == 2;
            f->e[f->n_entries++] = (entry){i,
                                           j,
                                           0,
                                           bench_away(&f->seed),
                                           bench_random(&f->seed) / 2,
                                           algebraic ? 0 : 0.05 * bench_away(&f->seed),
                                           algebraic ? 0 : 3 * bench_away(&f->seed)};
        }
    for (int j = 0; j < f->n; j++)
        f->columns[j] = (unsigned char)(RESIDA_COLUMN_FORMALISM | (j % 3 == 2 ? 0 : RESIDA_COLUMN_YP));
    move(f);
}

static resida_jacobian *open_engine(sparse_function *f, const char *strategy)
{
    resida_system s;
    resida_jacobian_options o;
    resida_system_init(&s);
    resida_jacobian_options_init(&o);
    s.n = f->n;
    s.F = F;
    s.user = f;
    s.columns = f->columns;
    o.strategy = strategy;
    return test_jacobian(&s, &o);
}

static resida_jacobian_counts counts_of(const resida_jacobian *j)
{
    resida_jacobian_counts c;
    assert_int_equal(resida_jacobian_get_counts(j, &c), RESIDA_OK);
    return c;
}

/* Set up; the calls that were made are those that are counted. */
static long set_up(resida_jacobian *j, sparse_function *f, resida_setup_reason reason, double alpha)
{
    int current;
    resida_jacobian_point at = {.t = f->t, .alpha = alpha, .h = 0.01, .y = f->y, .yp = f->yp, .F = f->F};
    long before = f->calls, counted = counts_of(j).residual_calls;
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    assert_int_equal(f->calls - before, counts_of(j).residual_calls - counted);
    return f->calls - before;
}

static resida_jacobian_matrix matrix_of(const resida_jacobian *j)
{
    resida_jacobian_matrix m;
    assert_int_equal(resida_jacobian_get_matrix(j, &m), RESIDA_OK);
    return m;
}

static double off(const resida_jacobian *j, const sparse_function *f, double alpha)
{
    double J[MAX_ENTRIES], exact[MAX_ENTRIES];
    get_full(j, f->n, J);
    exact_J(f, alpha, exact);
    return off_by_row(f->n, J, exact);
}

static int is_kept(const resida_jacobian_matrix *m, int row, int column)
{
    for (int e = m->start[column]; e < m->start[column + 1]; e++)
        if (m->row[e] == row) return 1;
    return 0;
}

static const char *const coloured[] = {"sparse", "sparse+partitioned"};
static const char *const by_columns[] = {"dense", "dense+partitioned"};

CLAIM(an_estimated_pattern_is_the_true_one)
{
    sparse_function f;
    for (int trial = 0; trial < TRIALS; trial++)
        for (int k = 0; k < 2; k++) {
            make(&f, trial);
            resida_jacobian *j = open_engine(&f, coloured[k]);
            set_up(j, &f, RESIDA_SETUP_FIRST, 7);
            resida_jacobian_matrix m = matrix_of(j);
            for (int e = 0; e < f.n_entries; e++) assert_true(is_kept(&m, f.e[e].row, f.e[e].column));
            assert_int_equal(m.nnz, f.n_entries);
            assert_int_equal(counts_of(j).nnz, f.n_entries);
        }
}

CLAIM(a_coloured_J_is_the_dense_one_bit_for_bit)
{
    sparse_function f;
    double J[MAX_ENTRIES], Jc[MAX_ENTRIES];
    long entries = 0;
    for (int trial = 0; trial < TRIALS; trial++)
        for (int k = 0; k < 2; k++) {
            make(&f, trial);
            resida_jacobian *j = open_engine(&f, coloured[k]), *dense = open_engine(&f, by_columns[k]);
            set_up(j, &f, RESIDA_SETUP_FIRST, 10);
            set_up(dense, &f, RESIDA_SETUP_FIRST, 10);
            get_full(j, f.n, Jc);
            get_full(dense, f.n, J);
            for (int i = 0; i < f.n * f.n; i++) assert_true(J[i] == Jc[i]);
            entries += f.n_entries;
        }
    print_message("%ld entries\n", entries);
}

/* A pair (i, i + 1 or so) that is not in the pattern becomes an inactive entry; y_0 is in its row from the
 * start. */
static int add_inactive(sparse_function *f)
{
    int row = f->n / 2, column = -1;
    unsigned char has[MOST] = {0};
    for (int k = 0; k < f->n_entries; k++)
        if (f->e[k].row == row) has[f->e[k].column] = 1;
    if (!has[0]) f->e[f->n_entries++] = (entry){row, 0, 0, 0.7, 0.1, 0.5, 0.9};
    for (int c = 1; c < f->n; c++)
        if (!has[c]) column = c;
    if (column < 0) return 0;
    double differential = column % 3 == 2 ? 0 : 1;
    f->e[f->n_entries++] = (entry){row, column, 1, 10, 0.3, 0.5 * differential, 3 * differential};
    return 1;
}

CLAIM(a_late_entry_is_found_at_the_next_evaluation_and_costs_one_growth)
{
    sparse_function f;
    int tried = 0;
    double worst = 0;
    for (int trial = 0; trial < TRIALS; trial++)
        for (int k = 0; k < 2; k++) {
            make(&f, trial);
            if (!add_inactive(&f)) continue;
            move(&f);
            f.y[0] = 0.5;
            F(f.t, f.y, f.yp, f.F, &f);
            resida_jacobian *j = open_engine(&f, coloured[k]);
            set_up(j, &f, RESIDA_SETUP_FIRST, 3);
            long pattern = matrix_of(j).pattern;
            assert_int_equal(matrix_of(j).nnz, f.n_entries - 1);
            set_up(j, &f, RESIDA_SETUP_OTHER, 3);
            assert_int_equal(matrix_of(j).pattern, pattern);
            f.y[0] = 2;
            F(f.t, f.y, f.yp, f.F, &f);
            set_up(j, &f, RESIDA_SETUP_OTHER, 3);
            assert_int_equal(counts_of(j).pattern_updates, 1);
            assert_int_equal(matrix_of(j).nnz, f.n_entries);
            assert_int_not_equal(matrix_of(j).pattern, pattern);
            worst = fmax(worst, off(j, &f, 3));
            set_up(j, &f, RESIDA_SETUP_OTHER, 3);
            assert_int_equal(counts_of(j).pattern_updates, 1);
            worst = fmax(worst, off(j, &f, 3));
            tried++;
        }
    print_message("%d late entries, J off by %.1e of its row after them\n", tried, worst);
    assert_true(tried > TRIALS && worst < 1e-6);
}

/* The pattern is that of states around the given one: what is zero there by chance is found all the same. */
CLAIM(a_pattern_estimated_where_all_is_zero_is_the_true_one)
{
    sparse_function f;
    for (int trial = 0; trial < TRIALS; trial++) {
        make(&f, trial);
        memset(f.y, 0, sizeof f.y);
        memset(f.yp, 0, sizeof f.yp);
        F(f.t, f.y, f.yp, f.F, &f);
        resida_jacobian *j = open_engine(&f, "sparse+partitioned");
        set_up(j, &f, RESIDA_SETUP_FIRST, 3);
        assert_int_equal(matrix_of(j).nnz, f.n_entries);
    }
}

/* Accelerations may be large where velocities are zero: what yp is moved by must not be lost in it. */
CLAIM(dF_dyp_is_right_where_yp_is_far_larger_than_y)
{
    static const char *const names[] = {"dense+partitioned", "sparse+partitioned"};
    const double alpha = 1e12; /* dF/dyp is all that counts */
    double J[MAX_ENTRIES], exact[MAX_ENTRIES], worst = 0;
    sparse_function f;
    for (int trial = 0; trial < TRIALS; trial++)
        for (int k = 0; k < 2; k++) {
            make(&f, trial);
            for (int e = 0; e < f.n_entries; e++) f.e[e].c = 0;
            for (int i = 0; i < f.n; i++) f.y[i] = 0, f.yp[i] *= i % 3 == 2 ? 1 : 1e6;
            F(f.t, f.y, f.yp, f.F, &f);
            resida_jacobian *j = open_engine(&f, names[k]);
            set_up(j, &f, RESIDA_SETUP_FIRST, alpha);
            get_full(j, f.n, J);
            exact_J(&f, alpha, exact);
            for (int i = 0; i < f.n * f.n; i++)
                if (i / f.n % 3 != 2) worst = fmax(worst, fabs(J[i] - exact[i]) / alpha);
        }
    print_message("dF/dyp off by %.1e\n", worst);
    assert_true(worst < 1e-6);
}

/* F = yp + A(t) y, linear: row 0 is full, so that groups do not pay; below it the diagonal and the one beside it.
 * Column 0 grows with t, and from t = 2 on it is full. */
enum { N_LINEAR = 9 };

static double linear_entry(int i, int c, double t)
{
    if (c == 0 && i > 1) return t >= 2 ? 0.3 * i : 0;
    double constant = i == 0 || c == i || c == i - 1 ? 2 + sin(3 * i + 7 * c) : 0;
    return i == 0 && c == 0 ? constant + t : constant;
}

static int F_linear(double t, const double *y, const double *yp, double *r, void *user)
{
    *(long *)user += 1;
    for (int i = 0; i < N_LINEAR; i++) {
        r[i] = yp[i];
        for (int c = 0; c < N_LINEAR; c++) r[i] += linear_entry(i, c, t) * y[c];
    }
    return 0;
}

static int known_linear(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    for (int i = 0; i < N_LINEAR; i++) dyp[i] = 1;
    return 0;
}

static void evaluate_linear(resida_jacobian *j, double t, resida_setup_reason reason, double *J)
{
    double y[N_LINEAR], yp[N_LINEAR], r[N_LINEAR];
    long calls = 0;
    int current;
    for (int i = 0; i < N_LINEAR; i++) y[i] = 1 + 0.1 * i, yp[i] = 0.5 - 0.2 * i;
    F_linear(t, y, yp, r, &calls);
    resida_jacobian_point at = {.t = t, .alpha = 3, .h = 0.3, .y = y, .yp = yp, .F = r};
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    get_full(j, N_LINEAR, J);
}

/* One column is found anew, and the pattern grows by it: all others are as they were, bit for bit. */
CLAIM(a_partial_evaluation_that_grows_the_pattern_keeps_the_other_columns)
{
    int diagonal[N_LINEAR];
    double J[N_LINEAR * N_LINEAR], before[N_LINEAR * N_LINEAR];
    long calls = 0;
    resida_system s;
    resida_jacobian_options o;
    resida_system_init(&s);
    resida_jacobian_options_init(&o);
    unsigned char columns[N_LINEAR];
    for (int i = 0; i < N_LINEAR; i++) diagonal[i] = i, columns[i] = RESIDA_COLUMN_FORMALISM;
    s.n = s.n_yp = N_LINEAR;
    s.F = F_linear;
    s.user = &calls;
    s.yp_row = s.yp_column = diagonal;
    s.known = known_linear;
    s.columns = columns;
    o.strategy = "fresh";
    resida_jacobian *j = test_jacobian(&s, &o);
    evaluate_linear(j, 0, RESIDA_SETUP_FIRST, J);
    evaluate_linear(j, 1, RESIDA_SETUP_OTHER, before);
    assert_int_equal(calls, 2 * N_LINEAR);
    assert_int_equal(matrix_of(j).nnz, 3 * N_LINEAR - 2);
    evaluate_linear(j, 2, RESIDA_SETUP_OTHER, J);
    assert_true(calls <= 2 * N_LINEAR + 2); /* the column, and a check */
    assert_int_equal(counts_of(j).evaluations_partial, 1);
    assert_int_equal(counts_of(j).pattern_updates, 1);
    assert_int_equal(matrix_of(j).nnz, 3 * N_LINEAR - 2 + N_LINEAR - 2);
    assert_memory_equal(J + N_LINEAR, before + N_LINEAR, N_LINEAR * (N_LINEAR - 1) * sizeof *J);
    for (int c = 0; c < N_LINEAR; c++)
        for (int i = 0; i < N_LINEAR; i++)
            bench_near(J[c * N_LINEAR + i], linear_entry(i, c, 2) + (i == c ? 3 : 0), 1e-6);
}
