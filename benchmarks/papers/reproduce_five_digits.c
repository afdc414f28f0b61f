/* reproduce_five_digits.c - the example (35) of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and Augmented
 * Lagrangian Formulations in Multibody Dynamics Simulations: a symmetric matrix with condition number 1 is factorised
 * in arithmetic with five decimal digits, with and without full pivoting. The paper's numbers result from chopping, not
 * from rounding. */
#include "reproduce.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"

#include <math.h>
#include <string.h>

#define PAPER "O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations, (35)"

enum { N = 3 };
static const struct {
    const char *name;
    double x[N];
} published[2] = {
#define ROW(name, ...) {name, {__VA_ARGS__}},
#include "bauchau35.csv.inc"
};

/** Truncate x to five decimal digits. The factor compensates for the rounding error of the binary representation. */
static double chop(double x)
{
    const double size = fabs(x) * (1 + 1e-9);
    if (size == 0) return 0;
    const double unit = pow(10, floor(log10(size)) - 4);
    return copysign(trunc(size / unit) * unit, x);
}

static void swap(double *a, double *b)
{
    const double x = *a;
    *a = *b;
    *b = x;
}

/** Move the largest entry of the remaining submatrix to (k, k). */
static void pivot(double A[N][N + 1], int k, int *order)
{
    int row = k, column = k;
    for (int i = k; i < N; i++)
        for (int j = k; j < N; j++)
            if (fabs(A[i][j]) > fabs(A[row][column])) row = i, column = j;
    for (int j = 0; j <= N; j++) swap(&A[k][j], &A[row][j]);
    for (int i = 0; i < N; i++) swap(&A[i][k], &A[i][column]);
    const int kept = order[k];
    order[k] = order[column];
    order[column] = kept;
}

/** Solve A x = b by Gaussian elimination and chop the result of each operation. A is overwritten. */
static void solve(double A[N][N + 1], int pivoting, double x[N])
{
    int order[N] = {0, 1, 2};
    for (int k = 0; k < N; k++) {
        if (pivoting) pivot(A, k, order);
        for (int i = k + 1; i < N; i++) {
            const double factor = chop(A[i][k] / A[k][k]);
            for (int j = k; j <= N; j++) A[i][j] = chop(A[i][j] - chop(factor * A[k][j]));
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        double sum = A[k][N];
        for (int j = k + 1; j < N; j++) sum = chop(sum - chop(A[k][j] * x[order[j]]));
        x[order[k]] = chop(sum / A[k][k]);
    }
}

static json_t *row_json(int k, const double *x)
{
    json_t *paper = CMD_OBJECT({"source", cmd_json_text(PAPER)}, {"x", cmd_json_reals(published[k].x, N, 1)});
    return CMD_OBJECT({"factorisation", cmd_json_text(published[k].name)}, {"x", cmd_json_reals(x, N, 1)},
                      {"published", paper});
}

static void print_text(double x[2][N])
{
    cmd_table table;
    cmd_table_begin(&table, "<factorisation\tx1@measured\tx2@measured\tx3@measured\tx1@published\tx2@published\t"
                            "x3@published");
    for (int k = 0; k < 2; k++) {
        cmd_table_cell(&table, "%s", published[k].name);
        for (int i = 0; i < N; i++) cmd_table_cell(&table, "%.5g", x[k][i]);
        for (int i = 0; i < N; i++) cmd_table_cell(&table, "%.5g", published[k].x[i]);
    }
    puts(PAPER ":\nJ = (1 0 0; 0 h^2 1; 0 1 0), b = (1, 1, 1), h = 0.001, arithmetic with five digits, chopped. The "
               "exact solution is\n(1, 1, 0.999999).\n");
    cmd_table_print(&table, 2, stdout);
}

int cmd_reproduce_five_digits(const cmd_settings *s)
{
    double x[2][N];
    for (int k = 0; k < 2; k++) {
        double A[N][N + 1] = {{1, 0, 0, 1}, {0, 1e-6, 1, 1}, {0, 1, 0, 1}};
        solve(A, k == 0, x[k]);
    }
    if (s->format == CMD_TEXT) print_text(x);
    int code = 0;
    for (int k = 0; k < 2 && s->format == CMD_JSON && code == 0; k++) code = cmd_json_line(row_json(k, x[k]), stdout);
    return code;
}
