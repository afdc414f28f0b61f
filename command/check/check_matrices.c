/* check_matrices.c - the symmetry of the mass matrix, and the rank of the kinematic matrix: T has no counterpart that
 * it could be compared with; it must have independent columns: modified Gram-Schmidt leaves a good part of each. That M
 * is the one of the formalism is left to the library (src/examine). */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double symmetry = 1e-10;
static const double independence = 1e-8; /* smallest part of a column that is new */

/** Values in the order of a pattern, or row by row without one, as a full matrix [rows x cols], row by row. */
static void fill(const resida_pattern *pattern, int rows, int cols, const double *values, double *full)
{
    size_t size = (size_t)rows * (size_t)cols;
    if (!pattern->row) {
        memcpy(full, values, size * sizeof *full);
        return;
    }
    for (size_t k = 0; k < size; k++) full[k] = 0;
    for (int i = 0; i < rows; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) full[i * cols + pattern->col[k]] = values[k];
}

static void compare_transpose(const bench_matrix *A, const double *M, bench_worst *worst)
{
    for (int j = 0; j < A->cols; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            int i = A->row[e];
            double entry = M[A->at[e]];
            worst->scale = fmax(worst->scale, fabs(entry));
            bench_worst_add(worst, fabs(entry - bench_matrix_entry(A, M, j, i)), i, j);
        }
}

/** M at point k. @return 0; else a callback refused, or there is no memory */
static int mass_at(const resida_model *m, int k, bench_worst *skew)
{
    const resida_mechanism *d = &m->mechanism;
    bench_matrix A;
    bench_point at;
    resida_excitation e;
    int verdict = bench_matrix_open(&A, &d->M_pattern, d->n_v, d->n_v);
    size_t entries = verdict ? 0 : (size_t)A.start[d->n_v];
    double *M = calloc(entries + 3 * (size_t)d->n_u + 1, sizeof *M);
    if (bench_point_make(&at, m, k) != 0 || !M) verdict = -1;
    if (verdict == 0) verdict = bench_excitation_at(m, at.t, M + entries, &e);
    if (verdict == 0) verdict = d->mass_matrix(at.t, at.p, &e, M, d->user);
    if (verdict == 0) compare_transpose(&A, M, skew);
    bench_point_free(&at);
    free(M);
    bench_matrix_close(&A);
    return verdict;
}

void bench_check_mass(bench_report *report)
{
    const resida_model *m = &report->model->model;
    bench_worst skew = {0};
    if (m->is_dae || !m->mechanism.mass_matrix) return;
    for (int k = 0; k < BENCH_CHECK_POINTS; k++)
        if (mass_at(m, k, &skew) != 0) {
            bench_report_verdict(report, "mass matrix", 0, "a callback refused");
            return;
        }
    double asymmetry = skew.difference / skew.scale;
    bench_report_figure(report, "mass symmetry", asymmetry, symmetry, "largest asymmetry %.2g, in M[%d, %d]", asymmetry,
                        skew.row, skew.column);
}

static double dot_columns(const double *T, size_t rows, size_t cols, size_t j, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++) sum += T[i * cols + j] * T[i * cols + k];
    return sum;
}

/** The smallest part of a column of T [rows x cols] that the columns before it do not have; its number. T is lost. */
static double smallest_new_part(double *T, size_t rows, size_t cols, int *which)
{
    double smallest = INFINITY;
    for (size_t j = 0; j < cols; j++) {
        double before = sqrt(dot_columns(T, rows, cols, j, j));
        for (size_t k = 0; k < j; k++) {
            double shared = dot_columns(T, rows, cols, j, k);
            for (size_t i = 0; i < rows; i++) T[i * cols + j] -= shared * T[i * cols + k];
        }
        double after = sqrt(dot_columns(T, rows, cols, j, j));
        double part = before > 0 ? after / before : 0;
        if (!(part >= smallest)) {
            smallest = part;
            *which = (int)j;
        }
        for (size_t i = 0; i < rows && after > 0; i++) T[i * cols + j] /= after;
    }
    return smallest;
}

void bench_check_kinematics(bench_report *report)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae || !d->kinematic_matrix) return;
    const int n_w = d->n_v - d->n_z;
    size_t size = (size_t)d->n_p * (size_t)n_w;
    double *work = calloc(2 * size + 3 * (size_t)d->n_u, sizeof *work);
    bench_point at;
    resida_excitation e;
    int which = 0, verdict = work ? 0 : -1;
    double part = INFINITY;
    for (int k = 0; verdict == 0 && k < BENCH_CHECK_POINTS; k++) {
        int column = 0;
        verdict = bench_point_make(&at, m, k);
        if (verdict == 0) verdict = bench_excitation_at(m, at.t, work + 2 * size, &e);
        if (verdict == 0) verdict = d->kinematic_matrix(at.t, at.p, &e, work, d->user);
        bench_point_free(&at);
        if (verdict != 0) break;
        fill(&d->T_pattern, d->n_p, n_w, work, work + size);
        double now = smallest_new_part(work + size, (size_t)d->n_p, (size_t)n_w, &column);
        if (now >= part) continue;
        part = now;
        which = column;
    }
    free(work);
    if (verdict != 0)
        bench_report_verdict(report, "kinematic matrix", 0, "a callback refused");
    else
        bench_report_verdict(report, "kinematic matrix", part > independence,
                             "columns are %s: of column %d a part of %.2g does not follow from those before it",
                             part > independence ? "independent" : "dependent", which, part);
}
