/* test_start_circuits.c - the consistent start of DAEs whose dF/dyp is singular and not diagonal: no component is
 * algebraic, yet the index is 1. The transistor amplifier (Rentrop, Roche, Steinebach, 1989; values and solution:
 * Mazzia, Magherini, Test Set for IVP Solvers, 2008, problem "transamp"), and random pairs of matrices M, K whose index
 * is known by construction. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 8 };

#define EXACT (100 * DBL_EPSILON)

/* --- the amplifier --- */

static const double U_b = 6, U_F = 0.026, beta_T = 1e-6, R_0 = 1000, R = 9000;
static const double C[] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};

/* Conductance of node i to ground and to U_b. */
static const double to_ground[N] = {0, 1 / 9000.0, 1 / 9000.0, 0, 1 / 9000.0, 1 / 9000.0, 0, 1 / 9000.0};
static const double to_battery[N] = {0, 1 / 9000.0, 0, 1 / 9000.0, 1 / 9000.0, 0, 1 / 9000.0, 0};

/* Capacitor k lies between two nodes, or a node and ground (-1). */
static const int plate[5][2] = {{0, 1}, {2, -1}, {3, 4}, {5, -1}, {6, 7}};

/* A transistor's diode leads from its base to its emitter; currents into base, emitter, collector. */
static const int leg[2][3] = {{1, 2, 3}, {4, 5, 6}};
static const double share[3] = {1 - 0.99, -1, 0.99};

static int amplifier(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = to_ground[i] * y[i] + to_battery[i] * (y[i] - U_b);
    r[0] += (y[0] - 0.1 * sin(200 * acos(-1) * t)) / R_0;
    for (int k = 0; k < 5; k++) {
        double current = C[k] * (yp[plate[k][0]] - (plate[k][1] < 0 ? 0 : yp[plate[k][1]]));
        r[plate[k][0]] += current;
        if (plate[k][1] >= 0) r[plate[k][1]] -= current;
    }
    for (int k = 0; k < 2; k++) {
        double diode = beta_T * (exp((y[leg[k][0]] - y[leg[k][1]]) / U_F) - 1);
        for (int i = 0; i < 3; i++) r[leg[k][i]] += share[i] * diode;
    }
    return 0;
}

/* The pattern of J by rows: capacitors and transistors. */
static const int J_row[N + 1] = {0, 2, 5, 7, 11, 14, 16, 20, 22};
static const int J_col[] = {0, 1, 0, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7};

static double *at(double *J, int i, int c)
{
    for (int k = J_row[i]; k < J_row[i + 1]; k++)
        if (J_col[k] == c) return &J[k];
    fail_msg("no entry (%d, %d)", i, c);
    return NULL;
}

static int amplifier_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                              double *J, void *user)
{
    memset(J, 0, sizeof J_col / sizeof *J_col * sizeof *J);
    for (int i = 0; i < N; i++) *at(J, i, i) = to_ground[i] + to_battery[i] + (i == 0 ? 1 / R_0 : 0);
    for (int k = 0; k < 5; k++) {
        int a = plate[k][0], b = plate[k][1];
        *at(J, a, a) += alpha * C[k];
        if (b < 0) continue;
        *at(J, b, b) += alpha * C[k];
        *at(J, a, b) -= alpha * C[k];
        *at(J, b, a) -= alpha * C[k];
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            double slope = share[i] * beta_T / U_F * exp((y[leg[k][0]] - y[leg[k][1]]) / U_F);
            *at(J, leg[k][i], leg[k][0]) += slope;
            *at(J, leg[k][i], leg[k][1]) -= slope;
        }
    return 0;
}

static const double y_start[N] = {0, 3, 3, 6, 3, 3, 6, 0};

/** How much of J the model gives. */
typedef enum given { NOTHING, PATTERN, DERIVATIVES } given;

static resida_solver *open_amplifier(given how, resida_problem **problem)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = N, d.residual = amplifier, d.name = "amplifier";
    if (how != NOTHING) d.J_pattern = (resida_pattern){J_row, J_col};
    if (how == DERIVATIVES) d.jacobian = amplifier_jacobian;
    o.rtol = o.atol = 1e-8;
    *problem = test_problem_dae(&d, NULL);
    return test_solver_of(*problem, &o);
}

/* Both nodes of the capacitors that are not grounded are off by the same, so that their charge is what it was. */
static void check_amplifier(given how, double off, long max_calls)
{
    resida_problem *problem;
    resida_solver *s = open_amplifier(how, &problem);
    double y0[N], r[N];
    memcpy(y0, y_start, sizeof y0);
    for (int k = 0; k < 5; k += 2)
        for (int i = 0; i < 2; i++) y0[plate[k][i]] += off * (k + 1);
    if (resida_solver_start_dae(s, 0, y0, NULL) < 0) fail_msg("%s", resida_solver_message(s));
    resida_state now = test_state(s);
    for (int i = 0; i < N; i++) bench_near(now.y[i], y_start[i], 1e-8);
    assert_int_equal(resida_problem_residual(0, now.y, now.yp, r, problem), 0);
    for (int i = 0; i < N; i++) bench_near(r[i], 0, EXACT);
    bench_near(now.yp[2], -U_b / 2 / (C[1] * R), 1e-6 * U_b / 2 / (C[1] * R));
    bench_near(now.yp[5], -U_b / 2 / (C[3] * R), 1e-6 * U_b / 2 / (C[3] * R));
    resida_stats stats = test_stats(s);
    print_message("%d, off by %g: %ld calls\n", (int)how, off, stats.residual_calls.start);
    assert_in_range(stats.residual_calls.start, 1, max_calls);
}

CLAIM(the_amplifier_is_started_from_its_voltages)
{
    check_amplifier(NOTHING, 0, 4 * (N + 2));
    check_amplifier(PATTERN, 0, 4 * (2 * 4 + 2));
    check_amplifier(DERIVATIVES, 0, 4);
}

CLAIM(voltages_that_are_off_are_found_and_charges_stay)
{
    for (int how = NOTHING; how <= DERIVATIVES; how++)
        for (double off = -0.05; off < 0.06; off += 0.02) check_amplifier((given)how, off, 30L * (N + 2));
}

CLAIM(it_runs_to_the_solution_of_the_test_set)
{
    static const double end[N] = {-0.5562145012262709e-2, 3.006522471903042, 2.849958788608128, 2.926422536206241,
                                  2.704617865010554,      2.761837778393145, 4.770927631616772, 1.236995868091548};
    for (int how = NOTHING; how <= DERIVATIVES; how++) {
        resida_problem *problem;
        resida_solver *s = open_amplifier((given)how, &problem);
        if (resida_solver_start_dae(s, 0, y_start, NULL) < 0) fail_msg("%s", resida_solver_message(s));
        if (resida_solver_advance(s, 0.2) < 0) fail_msg("%s", resida_solver_message(s));
        resida_state now = test_state(s);
        for (int i = 0; i < N; i++) bench_near(now.y[i], end[i], 3e-6);
    }
}

/* What is planted: a factor at one entry of J, in both parts or in one. */
static int wrong_entry, wrong_part;

static int wrong_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                          double *J, void *user)
{
    enum { ENTRIES = sizeof J_col / sizeof *J_col };
    double K[ENTRIES];
    amplifier_jacobian(t, 0, y, yp, e, K, user);
    amplifier_jacobian(t, alpha, y, yp, e, J, user);
    const int k = wrong_entry;
    if (k >= 0) J[k] = wrong_part == 0 ? J[k] + 0.1 * K[k] : J[k] + 0.1 * (J[k] - K[k]);
    return 0;
}

/* Warnings at the start, with an error planted there (-1: none). */
static int warned(int entry, int part)
{
    resida_dae d = test_dae();
    wrong_entry = entry, wrong_part = part;
    d.n = N, d.residual = amplifier, d.J_pattern = (resida_pattern){J_row, J_col}, d.jacobian = wrong_jacobian;
    resida_solver *s = test_solver_dae(&d, NULL, NULL);
    if (resida_solver_start_dae(s, 0, y_start, NULL) < 0) fail_msg("%s", resida_solver_message(s));
    assert_int_equal(resida_solver_examine(s), RESIDA_OK);
    resida_stats stats = test_stats(s);
    if (stats.n_warnings > 0 && strncmp(stats.warnings[0], "jacobian: row ", 14) != 0)
        fail_msg("%s", stats.warnings[0]);
    return stats.n_warnings;
}

CLAIM(a_wrong_entry_of_its_jacobian_is_a_warning)
{
    assert_int_equal(warned(-1, 0), 0);
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < J_row[N]; k++) {
            double J[sizeof J_col / sizeof *J_col], zero[N] = {0};
            amplifier_jacobian(0, part, y_start, zero, NULL, J, NULL);
            if (part == 1) {
                double K[sizeof J_col / sizeof *J_col];
                amplifier_jacobian(0, 0, y_start, zero, NULL, K, NULL);
                J[k] -= K[k];
            }
            if (J[k] != 0 && warned(k, part) != 1) fail_msg("entry %d, part %d: no warning", k, part);
        }
}

/* --- pairs of matrices --- */

enum { MOST = 12 };

/* F = M yp + K y - c sin t */
typedef struct pair {
    int n, rank;
    double M[MOST][MOST], K[MOST][MOST], c[MOST];
} pair;

static int linear(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const pair *x = user;
    for (int i = 0; i < x->n; i++) {
        r[i] = -x->c[i] * sin(t + 1);
        for (int j = 0; j < x->n; j++) r[i] += x->M[i][j] * yp[j] + x->K[i][j] * y[j];
    }
    return 0;
}

static int linear_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                           double *J, void *user)
{
    const pair *x = user;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->n; j++) J[i * x->n + j] = x->K[i][j] + alpha * x->M[i][j];
    return 0;
}

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2.0 * (*seed >> 8) / (1 << 24) - 1;
}

/* A regular matrix: 2 I and something small. */
static void regular(int n, double A[MOST][MOST], unsigned *seed)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = uniform(seed) / n + (i == j ? 2 : 0);
}

/* out = P D Q */
static void multiply(int n, double P[MOST][MOST], double D[MOST][MOST], double Q[MOST][MOST], double out[MOST][MOST])
{
    double DQ[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            DQ[i][j] = 0;
            for (int k = 0; k < n; k++) DQ[i][j] += D[i][k] * Q[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i][j] = 0;
            for (int k = 0; k < n; k++) out[i][j] += P[i][k] * DQ[k][j];
        }
}

/* M = size P diag(I, 0) Q, K = P [A B; C D] Q: of index 1 where D is regular; with a row of D that is zero, above. */
static pair random_pair(unsigned seed, int index, double size)
{
    pair x = {.n = 2 + (int)(seed % (MOST - 1))};
    double P[MOST][MOST], Q[MOST][MOST], I[MOST][MOST] = {{0}}, A[MOST][MOST];
    x.rank = 1 + (int)(seed / 3 % (unsigned)(x.n - 1));
    regular(x.n, P, &seed);
    regular(x.n, Q, &seed);
    regular(x.n, A, &seed);
    for (int i = 0; i < x.rank; i++) I[i][i] = size;
    for (int j = x.rank; j < x.n && index > 1; j++) A[x.n - 1][j] = 0;
    multiply(x.n, P, I, Q, x.M);
    multiply(x.n, P, A, Q, x.K);
    for (int i = 0; i < x.n; i++) x.c[i] = uniform(&seed);
    return x;
}

static resida_solver *open_pair(pair *x, given gives, resida_problem **problem)
{
    resida_dae d = test_dae();
    int row[MOST + 1], col[MOST * MOST];
    for (int i = 0; i <= x->n; i++) row[i] = i * x->n;
    for (int k = 0; k < x->n * x->n; k++) col[k] = k % x->n;
    d.n = x->n, d.residual = linear, d.user = x;
    if (gives == PATTERN) d.J_pattern = (resida_pattern){row, col};
    if (gives == DERIVATIVES) d.jacobian = linear_jacobian;
    *problem = test_problem_dae(&d, NULL);
    return test_solver_of(*problem, NULL);
}

/* What F has of the derivatives stays: M y, which is of this size. */
static void check_pair(pair *x, double size, const double *y0, const resida_state *now)
{
    double r[MOST];
    linear(now->t, now->y, now->yp, NULL, r, x);
    for (int i = 0; i < x->n; i++) {
        double before = 0, after = 0;
        for (int j = 0; j < x->n; j++) {
            before += x->M[i][j] * y0[j];
            after += x->M[i][j] * now->y[j];
        }
        bench_near(r[i], 0, 1e-9);
        bench_near(after, before, 1e-7 * size);
    }
}

static void check_pairs(double size, unsigned pairs)
{
    for (unsigned seed = 1; seed <= pairs; seed++)
        for (given gives = NOTHING; gives <= DERIVATIVES; gives++) {
            pair x = random_pair(seed, 1, size);
            resida_problem *problem;
            resida_solver *s = open_pair(&x, gives, &problem);
            unsigned random = seed;
            double y0[MOST];
            for (int i = 0; i < x.n; i++) y0[i] = uniform(&random);
            if (resida_solver_start_dae(s, 0, y0, NULL) < 0)
                fail_msg("%u, given %d, M of size %g: %s", seed, (int)gives, size, resida_solver_message(s));
            resida_state now = test_state(s);
            check_pair(&x, size, y0, &now);
        }
}

CLAIM(dense_pairs_of_index_1_are_started)
{
    check_pairs(1, 1000);
}

/* Capacitors in farads: what yp changes of F is 1e-14 of it. */
CLAIM(small_capacitors_keep_their_charge)
{
    for (double size = 1e-2; size > 1e-11; size /= 10) check_pairs(size, 100);
}

CLAIM(pairs_of_a_higher_index_are_not_taken_for_index_1)
{
    for (unsigned seed = 1; seed <= 1000; seed++)
        for (given gives = NOTHING; gives <= DERIVATIVES; gives++) {
            pair x = random_pair(seed, 2, pow(10, -(double)(seed % 9)));
            resida_problem *problem;
            resida_solver *s = open_pair(&x, gives, &problem);
            const double y0[MOST] = {0};
            resida_status status = resida_solver_start_dae(s, 0, y0, NULL);
            if (status != RESIDA_ERR_INCONSISTENT)
                fail_msg("%u, given %d: %s", seed, (int)gives, resida_status_name(status));
            const char *says = resida_solver_message(s);
            if (!strstr(says, "index is above 1")) fail_msg("%u: %s", seed, says);
            assert_true(gives != DERIVATIVES || !strstr(says, "according to differences"));
        }
}

/* --- units --- */

/* Two equations that know nothing of each other, in units 24 powers of ten apart. */
static int in_units(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = 1e12 * (y[0] * y[0] - 2);
    r[1] = 1e-12 * (y[1] * y[1] * y[1] - 5);
    return 0;
}

/* What is rounding in one row is all that is wrong in another. */
CLAIM(rows_may_have_any_units)
{
    resida_dae d = test_dae();
    d.n = 2, d.residual = in_units;
    resida_problem *problem = test_problem_dae(&d, NULL);
    resida_solver *s = test_solver_of(problem, NULL);
    if (resida_solver_start_dae(s, 0, (const double[]){1, 30}, NULL) < 0) fail_msg("%s", resida_solver_message(s));
    resida_state now = test_state(s);
    bench_near(now.y[0], sqrt(2), 1e-12);
    bench_near(now.y[1], cbrt(5), 1e-12);
}

/* A current of a picoampere. */
static int square(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = y[0] * y[0] - 1e-24;
    return 0;
}

static int square_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                           double *J, void *user)
{
    J[0] = 2 * y[0];
    return 0;
}

CLAIM(small_unknowns_are_found_within_their_tolerances)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = 1, d.residual = square, d.jacobian = square_jacobian;
    o.atol = 1e-20;
    resida_problem *problem = test_problem_dae(&d, NULL);
    resida_solver *s = test_solver_of(problem, &o);
    if (resida_solver_start_dae(s, 0, (const double[]){1e-11}, NULL) < 0) fail_msg("%s", resida_solver_message(s));
    bench_near(test_state(s).y[0], 1e-12, 1e-18);
}
