/* conditioning_matrix.c - assembles the iteration matrices of BDF2 and of Newmark's method (beta = 1/4, gamma = 1/2)
 * for all choices of unknowns, scales them by powers of h and computes their condition numbers.
 *
 * BDF2, alpha = 3/(2h): A = h J of (4) and B of (37) of Bottasso, Bauchau, Cardona. Rows are scaled as in (16), (23),
 * (44), (48), columns as in (24), (29), (49). Newmark: J, its row scaling and its column scaling are those of Bottasso,
 * Dopico, Trainelli. A mass m, the mean of the diagonal of M, replaces 1: rows of equilibrium are divided by m,
 * multipliers are multiplied by m. */
#include "conditioning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda,
                    double *s, double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
                    int *info, unsigned long, unsigned long);
extern void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb,
                   int *info);

const char *const cmd_scaling_names[CMD_N_SCALINGS] = {"none", "left", "lam", "lam+v"};

enum { MAX_FIELDS = 4 };
/* Row kinds: kinematic equations of u and of v, equilibrium, constraints. Column kinds: fields of unknowns. */
typedef enum row { KIN_U, KIN_V, EQUILIBRIUM, CONSTRAINT } row;
typedef enum field { U, V, ACC, LAM } field;
typedef enum block { ONE, MASS, STIFFNESS, DAMPING, G_, G_TRANSPOSED } block;

static const struct {
    const char *method, *fields;
    int n; /* number of fields */
    row rows[MAX_FIELDS];
    field columns[MAX_FIELDS];
} systems[CMD_N_SYSTEMS] = {
    [CMD_BDF_UVL] = {"bdf2", "(u,v,lam)", 3, {KIN_U, EQUILIBRIUM, CONSTRAINT}, {U, V, LAM}},
    [CMD_BDF_UL] = {"bdf2", "(u,lam)", 2, {EQUILIBRIUM, CONSTRAINT}, {U, LAM}},
    [CMD_NM_UVAL] = {"newmark", "(u,v,a,lam)", 4, {KIN_U, KIN_V, EQUILIBRIUM, CONSTRAINT}, {U, V, ACC, LAM}},
    [CMD_NM_UVL] = {"newmark", "(u,v,lam)", 3, {KIN_U, EQUILIBRIUM, CONSTRAINT}, {U, V, LAM}},
    [CMD_NM_UL] = {"newmark", "(u,lam)", 2, {EQUILIBRIUM, CONSTRAINT}, {U, LAM}},
    [CMD_NM_VL] = {"newmark", "(v,lam)", 2, {EQUILIBRIUM, CONSTRAINT}, {V, LAM}},
    [CMD_NM_AL] = {"newmark", "(a,lam)", 2, {EQUILIBRIUM, CONSTRAINT}, {ACC, LAM}},
};

/* A matrix during assembly. */
typedef struct matrix {
    const cmd_blocks *b;
    int system, n;
    double *a; /* [n x n] */
} matrix;

const char *cmd_system_method(int system)
{
    return systems[system].method;
}

const char *cmd_system_fields(int system)
{
    return systems[system].fields;
}

int cmd_system_has(int system, int scaling)
{
    return scaling != CMD_LEFT_ALL || systems[system].columns[0] != U || systems[system].n > 2;
}

static int width(const matrix *x, int k)
{
    return k + 1 < systems[x->system].n ? x->b->n : x->b->m;
}

/* Add factor times a block at block row r and block column c. */
static void add(matrix *x, int r, int c, block what, double factor)
{
    const cmd_blocks *b = x->b;
    const double *const square[] = {NULL, b->M, b->X, b->Y};
    for (int j = 0; j < width(x, c); j++)
        for (int i = 0; i < width(x, r); i++) {
            double value = what == ONE            ? i == j
                           : what == G_           ? b->G[j * b->m + i]
                           : what == G_TRANSPOSED ? b->G[i * b->m + j]
                                                  : square[what][j * b->n + i];
            x->a[(size_t)(c * b->n + j) * (size_t)x->n + (size_t)(r * b->n + i)] += factor * value;
        }
}

/* Add equilibrium and constraints for two fields x and lam; du, dv, da: derivatives of u, v, a with respect to x. */
static void add_condensed(matrix *x, double du, double dv, double da)
{
    add(x, 0, 0, STIFFNESS, du);
    add(x, 0, 0, DAMPING, dv);
    add(x, 0, 0, MASS, da);
    add(x, 0, 1, G_TRANSPOSED, 1);
    add(x, 1, 0, G_, du);
}

/* Add the rows of three fields u, v, lam. of_u, of_v: coefficients of the first row; da: derivative of a by v. */
static void add_three(matrix *x, double of_u, double of_v, double da)
{
    add(x, 0, 0, ONE, of_u);
    add(x, 0, 1, ONE, of_v);
    add(x, 1, 0, STIFFNESS, 1);
    add(x, 1, 1, DAMPING, 1);
    add(x, 1, 1, MASS, da);
    add(x, 1, 2, G_TRANSPOSED, 1);
    add(x, 2, 0, G_, 1);
}

static void add_four(matrix *x, double h, double beta, double gamma)
{
    add(x, 0, 0, ONE, 1);
    add(x, 0, 2, ONE, -beta * h * h);
    add(x, 1, 1, ONE, 1);
    add(x, 1, 2, ONE, -gamma * h);
    add(x, 2, 0, STIFFNESS, 1);
    add(x, 2, 1, DAMPING, 1);
    add(x, 2, 2, MASS, 1);
    add(x, 2, 3, G_TRANSPOSED, 1);
    add(x, 3, 0, G_, 1);
}

static void fill(matrix *x, double h)
{
    const double alpha = 1.5 / h, beta = 0.25, gamma = 0.5;
    memset(x->a, 0, (size_t)x->n * (size_t)x->n * sizeof *x->a);
    if (x->system == CMD_BDF_UVL) add_three(x, alpha, -1, alpha);
    if (x->system == CMD_BDF_UL) add_condensed(x, 1, alpha, alpha * alpha);
    if (x->system == CMD_NM_UVAL) add_four(x, h, beta, gamma);
    if (x->system == CMD_NM_UVL) add_three(x, 1, -beta / gamma * h, 1 / (gamma * h));
    if (x->system == CMD_NM_UL) add_condensed(x, 1, gamma / (beta * h), 1 / (beta * h * h));
    if (x->system == CMD_NM_VL) add_condensed(x, beta / gamma * h, 1, 1 / (gamma * h));
    if (x->system == CMD_NM_AL) add_condensed(x, beta * h * h, gamma * h, 1);
}

/* Return the factor of a row kind. BDF: the unscaled matrix is h times J. */
static double row_scale(int system, row kind, int scaling, double h, double mass)
{
    const int is_bdf = strcmp(systems[system].method, "bdf2") == 0;
    if (kind == EQUILIBRIUM && scaling >= CMD_LEFT_LAM) return h * h / mass;
    if (kind == EQUILIBRIUM) return scaling == CMD_LEFT || is_bdf ? h : 1;
    if (kind == CONSTRAINT) return scaling == CMD_NOT_SCALED && is_bdf ? h : 1;
    if (kind == KIN_V) return scaling == CMD_LEFT_ALL ? h : 1;
    return is_bdf ? h : 1;
}

static double column_scale(field f, int scaling, double h, double mass)
{
    if (f == LAM) return scaling >= CMD_LEFT_LAM ? mass / (h * h) : 1;
    return scaling < CMD_LEFT_ALL || f == U ? 1 : f == V ? 1 / h : 1 / (h * h);
}

static void set_scales(const matrix *x, int scaling, double h, double *rows, double *columns)
{
    double mass = 0;
    for (int i = 0; i < x->b->n; i++) mass += fabs(x->b->M[i * x->b->n + i]) / x->b->n;
    for (int k = 0; k < systems[x->system].n; k++)
        for (int i = 0; i < width(x, k); i++) {
            rows[k * x->b->n + i] = row_scale(x->system, systems[x->system].rows[k], scaling, h, mass);
            columns[k * x->b->n + i] = column_scale(systems[x->system].columns[k], scaling, h, mass);
        }
}

double cmd_norm2(int rows, int columns, double *A)
{
    int one = 1, info = 0, size = 5 * (rows + columns), least = rows < columns ? rows : columns;
    double *work = calloc((size_t)size + (size_t)least, sizeof *work), norm = NAN;
    if (work)
        dgesvd_("N", "N", &rows, &columns, A, &rows, work + size, NULL, &one, NULL, &one, work, &size, &info, 1, 1);
    if (work && info == 0) norm = work[size];
    free(work);
    return norm;
}

int cmd_inverse(int n, double *A)
{
    size_t square = (size_t)n * (size_t)n;
    double *inverse = calloc(square, sizeof *inverse);
    int *pivots = calloc((size_t)n, sizeof *pivots), info = 1;
    if (inverse && pivots) {
        for (int i = 0; i < n; i++) inverse[(size_t)i * (size_t)(n + 1)] = 1;
        dgesv_(&n, &n, A, &n, pivots, inverse, &n, &info);
        memcpy(A, inverse, square * sizeof *A);
    }
    free(inverse);
    free(pivots);
    return info != 0;
}

/* a(i, j) = left[i] a(i, j) right[j] */
static void scale(const matrix *x, const double *left, const double *right)
{
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->n; i++) x->a[(size_t)j * (size_t)x->n + (size_t)i] *= left[i] * right[j];
}

/* Return the condition number: the norm of the scaled matrix times that of its inverse. scales [4 n]: work array for
 * row and column scales, requested and full. */
static double condition(matrix *x, int scaling, double h, double *scales)
{
    double *rows = scales, *columns = rows + x->n, *rows_full = columns + x->n, *columns_full = rows_full + x->n;
    set_scales(x, scaling, h, rows, columns);
    set_scales(x, CMD_LEFT_ALL, h, rows_full, columns_full);
    fill(x, h);
    scale(x, rows, columns);
    double norm = cmd_norm2(x->n, x->n, x->a);
    fill(x, h);
    scale(x, rows_full, columns_full);
    if (cmd_inverse(x->n, x->a) != 0) return NAN;
    for (int i = 0; i < x->n; i++) columns_full[i] /= columns[i], rows_full[i] /= rows[i];
    scale(x, columns_full, rows_full);
    return norm * cmd_norm2(x->n, x->n, x->a);
}

double cmd_condition(const cmd_blocks *b, int system, int scaling, double h)
{
    matrix x = {b, system, (systems[system].n - 1) * b->n + b->m, NULL};
    x.a = calloc((size_t)x.n * (size_t)x.n, sizeof *x.a);
    double *scales = calloc(4 * (size_t)x.n, sizeof *scales);
    double result = x.a && scales ? condition(&x, scaling, h, scales) : NAN;
    free(x.a);
    free(scales);
    return result;
}

double cmd_slope(const double *x, const double *y, int first, int n)
{
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    if (n - first < 2) return NAN;
    for (int i = first; i < n; i++) mean_x += log10(x[i]) / (n - first), mean_y += log10(y[i]) / (n - first);
    for (int i = first; i < n; i++) {
        xy += (log10(x[i]) - mean_x) * (log10(y[i]) - mean_y);
        xx += (log10(x[i]) - mean_x) * (log10(x[i]) - mean_x);
    }
    return xy / xx;
}
