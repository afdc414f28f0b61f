/* measure_overhead.c - measures the cost of resida without the callbacks of a model, in instructions per step, and the
 * cost of stock IDA for the same equations. valgrind counts the instructions, therefore the results are reproducible on
 * a busy machine. The program makes one run; the study `overhead` of resida-bench counts its instructions and makes a
 * table.
 *
 *     measure_overhead MODEL N T STRATEGY [RUNS]         runs by resida; prints steps, iterations, factorisations,
 *                                                        residual calls, error of p, processor time of a run [s]
 *     measure_overhead MODEL N T ida-dense|ida-klu [RUNS]    ... by stock IDA; ida-klu with analytic J:
 *                                                        chain-cartesian, d = 0
 *
 * Stock IDA is set up as its user guide suggests for one specific model: serial vectors, a residual function without
 * checks, multipliers excluded from the error test; dense differences, or KLU with analytic derivatives. doc/results.md
 * explains how to find the functions that use the instructions.
 *
 * RUNS runs (default 1) follow each other. Each creates its solver and frees it. resida also computes the consistent
 * start of each run, which stock IDA gets without cost. The study `many-runs` compares their times. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "counted_run.h"

#ifndef SUN_COMM_NULL /* before SUNDIALS 7 */
#define SUN_COMM_NULL NULL
#endif

int integrate_ida(void *ida, double t, N_Vector y, N_Vector yp);

COUNTED_APART int integrate_ida(void *ida, double t, N_Vector y, N_Vector yp)
{
    double reached;
    return IDASolve(ida, t, &reached, y, yp, IDA_NORMAL);
}

/* --- one model, never closed --- */

static counted_run counted;
static const resida_mechanism *const m = &counted.m;
static double *u[3], *G; /* excitations [n_u], entries of dg/dp */
static resida_excitation e;

static double *doubles(long n)
{
    double *x = calloc((size_t)(n > 0 ? n : 1), sizeof *x);
    if (!x) exit(1);
    return x;
}

static void open_model(const char *name, double n)
{
    counted_open(&counted, name, n);
    for (int i = 0; i < 3; i++) u[i] = doubles(m->n_u);
    e = (resida_excitation){u[0], u[1], u[2]};
    G = doubles(m->G_pattern.row ? m->G_pattern.row[m->n_g] : (long)m->n_g * m->n_p);
}

/* --- stock IDA --- */

/* Return the number of entries of a row of G and the index of the first; without a pattern the row is full. */
static int entries_of_row(int i, int *first)
{
    *first = m->G_pattern.row ? m->G_pattern.row[i] : i * m->n_p;
    return m->G_pattern.row ? m->G_pattern.row[i + 1] - *first : m->n_p;
}

static int column_of(int i, int k)
{
    return m->G_pattern.row ? m->G_pattern.col[k] : k - i * m->n_p;
}

/* Residual of (7a)-(7d) for p' = v. */
static int stock_residual(sunrealtype t, N_Vector vy, N_Vector vyp, N_Vector vr, void *user)
{
    (void)user;
    const int n_v = m->n_v, n_g = m->n_g;
    const double *y = N_VGetArrayPointer(vy), *yp = N_VGetArrayPointer(vyp), *v = y + n_v, *lam = v + n_v,
                 *eta = lam + n_g;
    double *r = N_VGetArrayPointer(vr), *w = r + 2 * n_v;
    if (m->n_u > 0) model_excitation(t, u[0], u[1], u[2], &counted);
    for (int i = 0; i < n_v; i++) r[i] = yp[i] - v[i];
    model_residual(t, y, v, yp + n_v, &e, r + n_v, &counted);
    if (n_g == 0) return 0;
    model_matrix(t, y, &e, G, &counted);
    model_constraint(t, y, &e, w + n_g, &counted);
    if (m->velocity_bias)
        model_bias(t, y, &e, w, &counted);
    else
        memset(w, 0, (size_t)n_g * sizeof *w);
    for (int i = 0; i < n_g; i++) {
        int first, entries = entries_of_row(i, &first);
        for (int k = first; k < first + entries; k++) {
            int c = column_of(i, k);
            r[c] += G[k] * eta[i];
            r[n_v + c] += G[k] * lam[i];
            w[i] += G[k] * v[c];
        }
    }
    return 0;
}

/* Put an entry of J of the undamped chain, by columns. J == NULL: entries are counted only. */
static sunindextype put(SUNMatrix J, sunindextype k, sunindextype row, double value)
{
    if (J) SUNSparseMatrix_IndexValues(J)[k] = row, SUNSparseMatrix_Data(J)[k] = value;
    return k + 1;
}

/* Put column c of d(G'x)/dp: 2 x_i + 2 x_i+1 on the diagonal, -2 x for the adjacent masses above and below. */
static sunindextype put_curvature(SUNMatrix J, sunindextype k, int c, const double *x, int row, double diagonal)
{
    int i = c / 2, last = m->n_g - 1;
    if (i > 0) k = put(J, k, row + c - 2, -2 * x[i]);
    k = put(J, k, row + c, diagonal + 2 * x[i] + (i < last ? 2 * x[i + 1] : 0));
    if (i < last) k = put(J, k, row + c + 2, -2 * x[i + 1]);
    return k;
}

static double entry_of_G(int i, int c)
{
    int first, entries = entries_of_row(i, &first);
    for (int k = first; k < first + entries; k++)
        if (column_of(i, k) == c) return G[k];
    return 0;
}

/* Put column c of G: entries of rod c/2 and of the next rod. */
static sunindextype put_column_of_G(SUNMatrix J, sunindextype k, int c, int row)
{
    int i = c / 2;
    k = put(J, k, row + i, entry_of_G(i, c));
    return i + 1 < m->n_g ? put(J, k, row + i + 1, entry_of_G(i + 1, c)) : k;
}

static sunindextype fill(SUNMatrix J, double alpha, const double *y)
{
    const int n_v = m->n_v, n_g = m->n_g;
    const double *lam = y + 2 * n_v, *eta = lam + n_g;
    sunindextype k = 0, none[1], *start = J ? SUNSparseMatrix_IndexPointers(J) : none;
    for (int c = 0; c < 2 * n_v + 2 * n_g; c++) {
        if (J) start[c] = k;
        if (c < n_v) {
            k = put_curvature(J, k, c, eta, 0, alpha);
            k = put_curvature(J, k, c, lam, n_v, 0);
            k = put_column_of_G(J, k, c, 2 * n_v); /* d(G v)/dp = 2 (v_i - v_i-1) has the same pattern, set below */
            for (int q = c / 2; J && q <= c / 2 + 1 && q < n_g; q++) {
                double rate = y[n_v + 2 * q + c % 2] - (q > 0 ? y[n_v + 2 * q - 2 + c % 2] : u[1][c % 2]);
                SUNSparseMatrix_Data(J)[k - (c / 2 + 1 < n_g ? 2 : 1) + q - c / 2] = q == c / 2 ? 2 * rate : -2 * rate;
            }
            k = put_column_of_G(J, k, c, 2 * n_v + n_g);
        } else if (c < 2 * n_v) {
            k = put(J, k, c - n_v, -1);
            k = put(J, k, c, alpha * 1.0);
            k = put_column_of_G(J, k, c - n_v, 2 * n_v);
        } else {
            int i = (c - 2 * n_v) % n_g, first, entries = entries_of_row(i, &first);
            int row = c < 2 * n_v + n_g ? n_v : 0;
            for (int q = first; q < first + entries; q++) k = put(J, k, row + column_of(i, q), G[q]);
        }
    }
    if (J) start[2 * n_v + 2 * n_g] = k;
    return k;
}

static int stock_jacobian(sunrealtype t, sunrealtype alpha, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                          void *user, N_Vector work1, N_Vector work2, N_Vector work3)
{
    (void)yp, (void)r, (void)user, (void)work1, (void)work2, (void)work3;
    model_excitation(t, u[0], u[1], u[2], &counted);
    model_matrix(t, N_VGetArrayPointer(y), &e, G, &counted);
    fill(J, alpha, N_VGetArrayPointer(y));
    return 0;
}

/* Create IDA, integrate from y0, yp0 [n] up to t, and free everything. */
static counted_counts run_ida(double t, int sparse, int n, const double *y0, const double *yp0)
{
    SUNContext ctx;
    SUNContext_Create(SUN_COMM_NULL, &ctx);
    N_Vector y = N_VNew_Serial(n, ctx), yp = N_VClone(y), id = N_VClone(y);
    memcpy(N_VGetArrayPointer(y), y0, (size_t)n * sizeof(double));
    memcpy(N_VGetArrayPointer(yp), yp0, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) N_VGetArrayPointer(id)[i] = i < 2 * m->n_v;
    SUNMatrix J = sparse ? SUNSparseMatrix(n, n, fill(NULL, 0, y0), CSC_MAT, ctx) : SUNDenseMatrix(n, n, ctx);
    SUNLinearSolver linear = sparse ? SUNLinSol_KLU(y, J, ctx) : SUNLinSol_Dense(y, J, ctx);
    void *ida = IDACreate(ctx);
    counted_counts c = {.steps = 0};
    long of_J = 0;
    int failed = IDAInit(ida, stock_residual, 0, y, yp) ||
                 IDASStolerances(ida, counted.model.rtol, counted.model.atol) || IDASetLinearSolver(ida, linear, J) ||
                 (sparse && IDASetJacFn(ida, stock_jacobian)) || IDASetId(ida, id) ||
                 IDASetSuppressAlg(ida, m->n_g > 0) || IDASetStopTime(ida, t) || IDASetMaxNumSteps(ida, 1000000) ||
                 integrate_ida(ida, t, y, yp) < 0;
    IDAGetNumSteps(ida, &c.steps);
    IDAGetNumNonlinSolvIters(ida, &c.iterations);
    IDAGetNumLinSolvSetups(ida, &c.factorisations);
    IDAGetNumResEvals(ida, &c.calls);
    IDAGetNumLinResEvals(ida, &of_J);
    c.calls += of_J;
    c.error = counted_error(&counted, t, N_VGetArrayPointer(y));
    if (failed) exit(1);
    IDAFree(&ida);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(y), N_VDestroy(yp), N_VDestroy(id);
    SUNContext_Free(&ctx);
    return c;
}

static double processor_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const char *kind, double t, long runs)
{
    const int is_ida = strncmp(kind, "ida-", 4) == 0;
    resida_problem *problem = NULL;
    resida_solver *started = is_ida ? counted_start(&counted, "auto", &problem) : NULL; /* a consistent state */
    resida_state state = {.t = 0};
    counted_counts counts = {.steps = 0};
    const int n = 2 * m->n_v + (m->n_g > 0 ? 2 * m->n_g : 0);
    if (is_ida) resida_solver_state(started, &state);
    const double from = processor_s();
    for (long i = 0; i < runs; i++)
        counts = is_ida ? run_ida(t, strcmp(kind, "ida-klu") == 0, n, state.y, state.yp)
                        : counted_integrate(&counted, t, kind);
    counted_print(&counts, (processor_s() - from) / (double)runs);
    resida_solver_free(started);
    resida_problem_free(problem);
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6) return 2;
    open_model(argv[1], atof(argv[2]));
    run(argv[4], atof(argv[3]), argc == 6 ? atol(argv[5]) : 1);
    return 0;
}
