/* product_check.c - are there entries that the pattern lacks? The change of x from one side of p to the other along a
 * direction in which no two columns move alike is compared with what the entries say of it. What is left of it by a
 * complete matrix is of third order, or rounding, or noise of x, or a kink: how much is learnt when it comes again. */
#include "grouped.h"
#include "mechanism_impl.h"

#include "src/base/numbers.h"

#include <math.h>

#define LEAST_ALLOWED   1e-9  /* of the terms of a row: third-order ones are eps^(2/3) */
#define MOST_ALLOWED    1e-3  /* of them: more is never left unexplained */
#define TIMES_LEARNT    4     /* what was unexplained twice may come this many times as large */
#define FORGOTTEN       0.98  /* of what was learnt, from check to check */
#define LEAST_MULTIPLE  0.5   /* of its increment, that a column moves by at least */
#define SIDE_TURN       0.414 /* of a turn, from column to column: which side it moves to */
#define ROUNDINGS_CHECK (32 * DBL_EPSILON)

int rsd_product_check_create(rsd_product_check *x, const rsd_csr *A, const resida_allocator *alloc)
{
    const int all = RSD_DOUBLES(alloc, A->cols, &x->move) &&
                    RSD_DOUBLES(alloc, A->rows, &x->change, &x->size, &x->allowed, &x->unexplained);
    for (int i = 0; i < A->rows && all; i++) x->allowed[i] = x->unexplained[i] = LEAST_ALLOWED;
    return all;
}

static double fraction(double x)
{
    return x - floor(x);
}

/* A direction of its own for each check; multiples of RSD_GOLDEN are all different. */
static double multiple(long n, int column)
{
    double turn = fraction(RSD_GOLDEN * (double)n), size = LEAST_MULTIPLE + fraction(RSD_GOLDEN * column + turn);
    return fraction(SIDE_TURN * column + turn) < 0.5 ? -size : size;
}

static int ask_product(rsd_mechanism *k, rsd_grouped *q, rsd_product_fn *product, double t, const double *p)
{
    rsd_product_check *x = &q->check;
    for (int c = 0; c < q->A->cols; c++) x->move[c] = multiple(x->n, c) * q->step[c];
    int verdict = product(k, t, p, x->move, x->change);
    for (int i = 0; i < q->A->rows && !verdict; i++) x->size[i] = fabs(x->change[i]);
    return verdict;
}

int rsd_product_check_ask(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p)
{
    rsd_product_check *x = &q->check;
    double *point = k->work.x_np, *up = k->work.x_g, *down = k->work.x_g2;
    int n = q->A->cols, verdict;
    x->n++;
    if (f->product) return ask_product(k, q, f->product, t, p);
    for (int c = 0; c < n; c++) {
        volatile double right = p[c] + multiple(x->n, c) * q->step[c];
        point[c] = right;
    }
    if ((verdict = f->value(k, t, point, up))) return verdict;
    for (int c = 0; c < n; c++) {
        volatile double left = p[c] - multiple(x->n, c) * q->step[c];
        x->move[c] = point[c] - left;
        point[c] = left;
    }
    verdict = f->value(k, t, point, down);
    for (int i = 0; i < q->A->rows && !verdict; i++) {
        x->change[i] = up[i] - down[i];
        x->size[i] = fabs(up[i]) + fabs(down[i]);
    }
    return verdict;
}

/* What row i leaves of the change, over the sum of its terms; 0 when it is rounding. */
static double left_over(const rsd_grouped *q, int i, const double *p, const double *values)
{
    const rsd_product_check *x = &q->check;
    double left = x->change[i], sum = 0, size = x->size[i];
    for (int e = q->A->row[i]; e < q->A->row[i + 1]; e++) {
        double term = values[e] * x->move[q->A->col[e]];
        left -= term;
        sum += fabs(term);
        size += fabs(values[e] * p[q->A->col[e]]);
    }
    if (fabs(left) <= ROUNDINGS_CHECK * size) return 0;
    return fabs(left) / fmax(sum, DBL_MIN);
}

int rsd_product_check_explains(const rsd_grouped *q, const double *p, const double *values)
{
    int explained = 1;
    for (int i = 0; i < q->A->rows; i++) {
        q->check.allowed[i] = fmax(LEAST_ALLOWED, FORGOTTEN * q->check.allowed[i]);
        explained &= left_over(q, i, p, values) <= q->check.allowed[i]; /* not so when it is not a number */
    }
    return explained;
}

void rsd_product_check_learn(rsd_grouped *q, const double *p, const double *values)
{
    rsd_product_check *x = &q->check;
    for (int i = 0; i < q->A->rows; i++) {
        double left = left_over(q, i, p, values), twice = fmin(left, x->unexplained[i]);
        if (!(left > x->allowed[i])) continue;
        x->allowed[i] = fmin(MOST_ALLOWED, fmax(x->allowed[i], TIMES_LEARNT * twice));
        x->unexplained[i] = left;
    }
}
