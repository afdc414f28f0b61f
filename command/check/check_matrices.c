/* check_matrices.c - checks the rank of the kinematic matrix T. No other function of the model determines T. Its
 * columns must be independent: modified Gram-Schmidt must leave more than a given fraction of each. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

static const double independence = 1e-8; /* smallest fraction of a column that is orthogonal to the columns before it */

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/** Return the smallest fraction of a column of T [cols x rows] that is orthogonal to the columns before it. *which is
 *  the number of the column. T is overwritten. */
static double find_smallest_remainder(double *T, size_t rows, size_t cols, int *which)
{
    double smallest = INFINITY;
    for (size_t j = 0; j < cols; j++) {
        double *column = T + j * rows, before = sqrt(dot(column, column, rows));
        for (size_t k = 0; k < j; k++) {
            const double shared = dot(column, T + k * rows, rows);
            for (size_t i = 0; i < rows; i++) column[i] -= shared * T[k * rows + i];
        }
        const double after = sqrt(dot(column, column, rows)), part = before > 0 ? after / before : 0;
        if (!(part >= smallest)) smallest = part, *which = (int)j;
        for (size_t i = 0; i < rows && after > 0; i++) column[i] /= after;
    }
    return smallest;
}

/** Compute the columns of T at point k into T [n_w x n_p]. work [n_p n_w + n_w] must be 0. @return value of the
 *  callbacks */
static int compute_columns_of_T(const resida_model *m, int k, double *T, double *work)
{
    const resida_mechanism *d = &m->mechanism;
    const int n_w = d->n_v - d->n_z;
    double *values = work, *x = work + (size_t)d->n_p * (size_t)n_w;
    cmd_point at;
    int verdict = cmd_point_open(&at, m, k);
    for (int j = 0; j < n_w && verdict == 0; j++) {
        x[j] = 1;
        verdict = cmd_apply_T(d, at.t, at.p, &at.e, x, values, T + (size_t)j * (size_t)d->n_p);
        x[j] = 0;
    }
    cmd_point_free(&at);
    return verdict;
}

void cmd_check_kinematics(cmd_report_work *report)
{
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae || !d->kinematic_matrix) return;
    const size_t n_w = (size_t)(d->n_v - d->n_z), size = (size_t)d->n_p * n_w;
    double *T = calloc(2 * size + n_w, sizeof *T), part = INFINITY;
    int which = 0, verdict = T ? 0 : -1;
    for (int k = 0; verdict == 0 && k < CMD_CHECK_POINTS; k++) {
        int column = 0;
        if ((verdict = compute_columns_of_T(m, k, T, T + size)) != 0) break;
        const double now = find_smallest_remainder(T, (size_t)d->n_p, n_w, &column);
        if (now < part) part = now, which = column;
    }
    free(T);
    if (verdict != 0)
        cmd_report_result(report, "kinematic matrix", 0, "a callback refused");
    else
        cmd_report_result(
            report, "kinematic matrix", part > independence,
            "columns are %s: column %d has a relative distance of %.2g from the span of the columns before it",
            part > independence ? "independent" : "dependent", which, part);
}
