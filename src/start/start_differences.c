/* start_differences.c - M = dF/dyp and K = dF/dy at the point of a start (start_matrix.h): of the model, or by
 * differences. An increment that rounding may have hidden something from is followed by a larger one. */
#include "start_matrix.h"

#include "src/base/numbers.h"
#include "src/problem/problem_impl.h"

#include <math.h>
#include <string.h>

#define PART_YP    1e-2   /* of a derivative: F is linear in it as a rule */
#define UNIT_SIZE  1.0    /* of a component: a smaller one is moved as if it were so large */
#define WIDE       1e-3   /* of a component: how far F is moved where B is nearly singular, .. */
#define AGREES     0.1    /* .. and what part of its change may be none that B tells */
#define MANY       64.0   /* that y and yp are moved by to see what rounding makes of F */
#define PART_Y     1.5e-8 /* of a component, at least UNIT_SIZE: its increment */
#define EXACT      1e-9   /* of a column of M by differences: where rounding may be more, it is moved by more */
#define HIDDEN     1e8    /* an increment that shows what rounding hid, .. */
#define UNIT_ENTRY 1.0    /* .. and an entry of M that shows, however large F is */
#define LARGE      1e16   /* alpha */

/* This pattern, which is now x's: values on it, and groups where differences have to be taken. */
resida_status rsd_start_take_pattern(rsd_start_matrix *x, rsd_sparsity *pattern)
{
    const resida_allocator *a = &x->problem->alloc;
    rsd_sparsity_free(&x->pattern, a);
    rsd_colouring_free(&x->colours, a);
    RSD_FREE(a, x->M, x->K);
    x->pattern = *pattern;
    if (!RSD_DOUBLES(a, pattern->nnz, &x->M, &x->K)) return RESIDA_ERR_MEMORY;
    return x->is_given || !x->has_pattern ? RESIDA_OK : rsd_colour(&x->colours, &x->pattern, NULL, a, NULL);
}

static int has_derivative(const rsd_start_matrix *x, int c)
{
    return x->problem->kinds[c] == RESIDA_DIFFERENTIAL;
}

/* Move component c of yp or y by delta. */
static void move(rsd_start_matrix *x, int is_yp, int c, double delta)
{
    double *z = is_yp ? x->yp : x->y;
    volatile double moved = z[c] + delta;
    x->delta[c] = moved - z[c];
    z[c] = moved;
}

static int call(rsd_start_matrix *x, const rsd_start_point *at)
{
    return rsd_guard_residual(at->t, x->y, x->yp, x->r, at->guard);
}

/* What is left of an entry when its rounding is taken away: all or nothing. */
static double cleaned(double entry, double rounding)
{
    return fabs(entry) <= rounding ? 0 : entry;
}

/* The same of one of M in row i. */
static double cleaned_of_M(rsd_start_matrix *x, int i, double entry, double rounding)
{
    x->noise[i] = fmax(x->noise[i], rounding);
    return cleaned(entry, rounding);
}

/* What rounding can make of an entry in row i that was differenced by delta. */
static double rounding_of(const rsd_start_matrix *x, const rsd_start_point *at, int i, double entry, double delta)
{
    return (RSD_NEGLIGIBLE * (fabs(at->F[i] + entry * delta) + fabs(at->F[i])) + x->F_noise[i]) / fabs(delta);
}

/* F where all of y and yp is moved by MANY times its rounding, by sizes that differ so that nothing cancels. */
static int call_rounded(rsd_start_matrix *x, const rsd_start_point *at, double side)
{
    for (int i = 0; i < x->n; i++) {
        double part = side * MANY * RSD_NEGLIGIBLE * (i % 2 ? -1 : 1) * (1 + (double)i / x->n);
        x->y[i] = at->y[i] * (1 + part);
        x->yp[i] = at->yp[i] * (1 + part);
    }
    int verdict = call(x, at);
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, at->yp, (size_t)x->n * sizeof *x->yp);
    return verdict;
}

int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at)
{
    for (int i = 0; i < x->n; i++) x->F_noise[i] = INFINITY;
    for (int side = -1; side < 2; side += 2) { /* F may jump at this very point */
        int verdict = call_rounded(x, at, side);
        if (verdict < 0) return verdict;
        for (int i = 0; i < x->n && !verdict; i++) x->F_noise[i] = fmin(x->F_noise[i], fabs(x->r[i] - at->F[i]) / MANY);
    }
    for (int i = 0; i < x->n; i++)
        if (isinf(x->F_noise[i])) x->F_noise[i] = 0;
    return 0;
}

/* Columns of a matrix that are moved together, as they have no row in common. */
typedef struct columns {
    const int *first, *end;
} columns;

/* Entry of row i as differenced by delta, and again, where F was looked at with a larger increment `moved` (else 0):
 * what agrees then, as where F is linear, is more exact. *agrees 0: it does not; *rounding: what is left of it. */
static double settled(const rsd_start_matrix *x, const rsd_start_point *at, int i, double entry, double delta,
                      double moved, int *agrees, double *rounding)
{
    *rounding = rounding_of(x, at, i, entry, delta);
    *agrees = 0;
    if (moved != 0) {
        const double again = (x->r[i] - at->F[i]) / moved, less = rounding_of(x, at, i, again, moved);
        *agrees = fabs(again - entry) <= RSD_SAME_ENTRY * (*rounding + less);
        if (*agrees) entry = again, *rounding = less;
    }
    return cleaned(entry, *rounding);
}

/* Column c of M or K, with all rounding, and how many times as large an increment makes that little: of M where nothing
 * is seen so large a one that what it hides does not matter; of K, which may bend, only where something hides. */
static double take_column(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, int c)
{
    double *values = is_yp ? x->M : x->K, most = 0, rounding = 0;
    int hides = 0;
    for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++) {
        const int i = x->pattern.row[e];
        values[e] = (x->r[i] - at->F[i]) / x->delta[c];
        double doubt = rounding_of(x, at, i, values[e], x->delta[c]);
        rounding = fmax(rounding, doubt);
        if (fabs(values[e]) > doubt)
            most = fmax(most, fabs(values[e]));
        else
            hides |= values[e] != 0;
    }
    if (!is_yp) return hides ? RSD_FARTHER : 1;
    if (most == 0) return fmax(fmax(HIDDEN / fabs(x->delta[c]), rounding / (EXACT * UNIT_ENTRY)), 1);
    return fmax(rounding / (EXACT * most), 1);
}

/* Without rounding. If all entries of M agree, such an increment will do from now on. */
static void finish_column(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, int c, double moved)
{
    double *values = is_yp ? x->M : x->K;
    int agree = is_yp && moved != 0;
    for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++) {
        const int i = x->pattern.row[e];
        double rounding;
        int agrees;
        values[e] = settled(x, at, i, values[e], x->delta[c], moved, &agrees, &rounding);
        if (is_yp) x->noise[i] = fmax(x->noise[i], rounding);
        agree &= agrees;
    }
    if (agree) x->least[c] = fabs(moved);
}

/* Those of the columns for which rounding is not little are moved by more, larger[c] times. Where F is not possible,
 * nothing is new. */
static int look_again(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, columns s, const double *larger)
{
    double *z = is_yp ? x->yp : x->y;
    const double *from = is_yp ? at->yp : at->y;
    int any = 0, verdict = 0;
    for (const int *c = s.first; c < s.end; c++) {
        if (larger[*c] > 1) z[*c] += larger[*c] * x->delta[*c];
        any |= larger[*c] > 1;
    }
    if (any) verdict = call(x, at);
    for (const int *c = s.first; c < s.end && verdict >= 0; c++) {
        if (!is_yp || has_derivative(x, *c)) finish_column(x, at, is_yp, *c, verdict == 0 ? z[*c] - from[*c] : 0);
        z[*c] = from[*c];
    }
    return verdict < 0 ? verdict : 0;
}

/* These columns of M or K. */
static int difference(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, columns s)
{
    double *larger = x->column; /* free until B is scaled */
    for (const int *c = s.first; c < s.end; c++)
        if (!is_yp)
            move(x, 0, *c, PART_Y * fmax(fabs(at->y[*c]), UNIT_SIZE));
        else if (has_derivative(x, *c))
            move(x, 1, *c, fmax(PART_YP * fabs(at->yp[*c]), x->least[*c]));
    int verdict = call(x, at);
    for (const int *c = s.first; c < s.end; c++) {
        *(is_yp ? &x->yp[*c] : &x->y[*c]) = is_yp ? at->yp[*c] : at->y[*c];
        larger[*c] = !verdict && (!is_yp || has_derivative(x, *c)) ? take_column(x, at, is_yp, *c) : 1;
    }
    return verdict ? verdict : look_again(x, at, is_yp, s, larger);
}

static int difference_groups(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = 0;
    for (int g = 0; g < 2 * x->colours.n_groups && !verdict; g++) {
        const int *start = x->colours.start + g / 2;
        verdict =
            difference(x, at, g % 2 == 0, (columns){x->colours.columns + start[0], x->colours.columns + start[1]});
    }
    return verdict;
}

static int difference_columns(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = 0;
    for (int c = 0; c < x->n && !verdict; c++)
        if (has_derivative(x, c)) verdict = difference(x, at, 1, (columns){&c, &c + 1});
    return verdict;
}

/* As the engine learns it of many columns, by groups of them. Rates are moved as far as for M. */
int rsd_start_learn(rsd_start_matrix *x, const rsd_start_point *at)
{
    const resida_allocator *a = &x->problem->alloc;
    resida_jacobian *engine;
    resida_jacobian_matrix J;
    resida_jacobian_options o;
    resida_system s;
    rsd_sparsity here = {.rows = 0}, all = {.rows = 0};
    int current;
    resida_jacobian_options_init(&o);
    resida_system_init(&s);
    o.allocator = a;
    s.n = x->n, s.F = rsd_guard_residual, s.user = at->guard;
    if (resida_jacobian_create(&engine, &s, &o, NULL) < 0) return RESIDA_ERR_MEMORY;
    const resida_jacobian_point point = {
        .t = at->t, .alpha = PART_YP / RSD_SQRT_EPS, .y = at->y, .yp = at->yp, .F = at->F};
    int verdict = resida_jacobian_setup(engine, RESIDA_SETUP_FIRST, &point, &current);
    if (!verdict) verdict = resida_jacobian_get_matrix(engine, &J);
    if (!verdict) verdict = rsd_sparsity_from_csc(&here, x->n, x->n, J.start, J.row, a, NULL);
    resida_jacobian_free(engine);
    if (!verdict && x->has_pattern) {
        verdict = rsd_sparsity_union(&all, &x->pattern, &here, a, NULL);
        rsd_sparsity_free(&here, a);
        here = all;
    }
    x->has_pattern = 1;
    return verdict ? verdict : rsd_start_take_pattern(x, &here);
}

/* What the model says of dF/dy + alpha dF/dyp, with alpha = 0 and so large that dF/dy is no more than rounding. */
static int ask(rsd_start_matrix *x, const rsd_start_point *at)
{
    const rsd_csr *J = &x->problem->J;
    int verdict = 0;
    for (int is_K = 0; is_K < 2 && !verdict; is_K++) {
        rsd_guard_expect(at->guard);
        verdict = rsd_problem_dae_jacobian(x->problem, at->t, is_K ? 0 : LARGE, at->y, at->yp, x->J);
        verdict = rsd_guard_judge(at->guard, at->t, verdict, x->J, J->nnz);
        for (int i = 0; i < J->rows && !verdict; i++)
            for (int e = J->row[i]; e < J->row[i + 1]; e++) {
                const int at_e = rsd_sparsity_find(&x->pattern, i, J->col[e]);
                double *M = &x->M[at_e], with = *M, K = x->K[at_e] = x->J[e];
                if (!is_K)
                    *M = K;
                else
                    *M = cleaned_of_M(x, i, (with - K) / LARGE, RSD_NEGLIGIBLE * (fabs(with) + fabs(K)) / LARGE);
            }
    }
    return verdict;
}

/* K N_k by a difference along it. */
int rsd_start_difference_along(rsd_start_matrix *x, const rsd_start_point *at, const double *N, double *out)
{
    double size = UNIT_SIZE, larger = 1, delta = 0, rounding;
    int verdict = 0, agrees;
    for (int i = 0; i < x->n; i++)
        if (N[i] != 0) size = fmax(size, fabs(at->y[i]));
    for (int look = 0; look < 2 && verdict == 0 && (look == 0 || larger > 1); look++) {
        delta = larger * PART_Y * size;
        for (int i = 0; i < x->n; i++) x->y[i] = at->y[i] + delta * N[i];
        verdict = call(x, at);
        for (int i = 0; i < x->n && !verdict && look == 0; i++) {
            out[i] = (x->r[i] - at->F[i]) / delta;
            if (out[i] != 0 && cleaned(out[i], rounding_of(x, at, i, out[i], delta)) == 0) larger = RSD_FARTHER;
        }
    }
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    if (verdict < 0 || (verdict > 0 && larger == 1)) return verdict;
    for (int i = 0; i < x->n; i++)
        out[i] = settled(x, at, i, out[i], PART_Y * size, larger > 1 && !verdict ? delta : 0, &agrees, &rounding);
    return 0;
}

/* M, and K where its entries are known. */
int rsd_start_find_parts(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = x->is_given ? 0 : rsd_start_matrix_find_noise(x, at);
    if (verdict) return verdict;
    memset(x->M, 0, (size_t)x->pattern.nnz * sizeof *x->M);
    return x->is_given ? ask(x, at) : x->has_pattern ? difference_groups(x, at) : difference_columns(x, at);
}

void rsd_start_matrix_begin(rsd_start_matrix *x)
{
    for (int c = 0; c < x->n; c++) x->least[c] = PART_YP * UNIT_SIZE;
}

int rsd_start_confirm(rsd_start_matrix *x, const rsd_start_point *at, const double *unit, int *agrees)
{
    const size_t bytes = (size_t)x->n * sizeof *x->y;
    const double *change = x->column;
    double most = 0, off = 0, sum = 0;
    for (int i = 0; i < x->n; i++)
        most = fmax(most, fmax(fabs(x->y[i]) / fmax(fabs(at->y[i]), UNIT_SIZE),
                               fabs(x->yp[i]) / fmax(fabs(at->yp[i]), UNIT_SIZE)));
    const double part = WIDE / most;
    for (int i = 0; i < x->n; i++) {
        x->y[i] = at->y[i] + part * x->y[i];
        x->yp[i] = at->yp[i] + part * x->yp[i];
    }
    const int verdict = call(x, at);
    memcpy(x->y, at->y, bytes);
    memcpy(x->yp, at->yp, bytes);
    for (int i = 0; i < x->n && !verdict; i++) {
        off = hypot(off, unit[i] * (x->r[i] - at->F[i] - part * change[i]));
        sum = hypot(sum, unit[i] * part * change[i]);
    }
    *agrees = !verdict && off < AGREES * sum;
    return verdict < 0 ? verdict : 0;
}
