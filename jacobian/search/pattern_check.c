/* pattern_check.c - checks that the pattern has all entries, by one product with a random direction d. A row i is
 * unexplained if F_i(y + d) - F_i differs from (A d)_i by more than the rounding of its terms. Such a row lacks an
 * entry of A, or F_i has curvature. Example of curvature: the force of an unstretched spring grows with the square of a
 * transverse motion. A second product, with d/2, distinguishes the two cases. */
#include "search.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define MAX_MOVED   0.5   /* maximum nominal size of a component in the check [m], because contacts are not linear */
#define SPREAD      7     /* columns of a group are perturbed by different multiples 1 .. 1 + SPREAD of increments */
#define UNEXPLAINED 0.01  /* maximum unpredicted change of F_i, relative to sum |a_ic d_c| over evaluated columns c */
#define OLD_PART    0.2   /* maximum unpredicted change of F_i, relative to sum |a_ic d_c| over omitted columns c */
#define NOISE       1e-12 /* rounding error of a row, relative to the sum of its |terms| */

/** A check of the pattern of A. Its arrays are borrowed from the work space of differences. */
typedef struct check {
    rsd_task t;                     /* differences of A by all columns */
    const rsd_parts *p;             /* J with A */
    const unsigned char *jumped;    /* [n] 1: the row is not compared */
    const unsigned char *evaluated; /* [n] 1: the column of A was evaluated at this point */
    int *columns, n;                /* [n] columns of the direction */
    double *terms;                  /* [n] sum of the |terms| of each row, for its rounding error */
    double *change, *tolerance;     /* [n] change of F_i predicted by A; its tolerance */
} check;

/* Set x->terms to the sum of |entry times unknown| of each row, over known and differenced entries of A and B. */
static void sum_terms_of_rows(const check *x)
{
    const resida_system *s = &x->t.d->f->s;
    const resida_jacobian_point *at = x->t.at;
    const rsd_parts *p = x->p;
    const rsd_sparsity *q = &p->formalism.pattern;
    memset(x->terms, 0, (size_t)q->rows * sizeof *x->terms);
    for (int c = 0; c < q->cols; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double a = p->A[p->formalism.at[e]], b = p->B[p->formalism.at[e]];
            x->terms[q->row[e]] += fabs(a * at->y[c]) + fabs(b * at->yp[c]);
        }
    for (int k = 0; k < s->n_yp; k++) x->terms[s->yp_row[k]] += fabs(p->B[p->yp_at[k]] * at->yp[s->yp_column[k]]);
}

/* Predict the changes of all rows by the direction times `side`. */
static void predict_row_changes(const check *x, double side)
{
    const rsd_sparsity *q = &x->p->formalism.pattern;
    const size_t bytes = (size_t)q->rows * sizeof *x->change;
    memset(x->change, 0, bytes);
    memset(x->tolerance, 0, bytes);
    for (int k = 0; k < x->n; k++) {
        const int c = x->columns[k];
        const double move = rsd_perturbation(&x->t, c, side), share = x->evaluated[c] ? UNEXPLAINED : OLD_PART;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double change = x->p->A[x->p->formalism.at[e]] * move;
            x->change[q->row[e]] += change;
            x->tolerance[q->row[e]] += share * fabs(change);
        }
    }
}

/* Evaluate F with the direction times `side`, and predict the change. Return the result of F. */
static int compare_with_prediction(const check *x, double side)
{
    predict_row_changes(x, side);
    return rsd_evaluate_F_at_columns(&x->t, x->columns, x->n, side);
}

/* Return the rounding error of the unpredicted change of row i. */
static double get_prediction_noise(const check *x, int i)
{
    return NOISE * (fabs(x->t.d->r[i]) + fabs(x->t.d->r0[i]) + x->terms[i]);
}

static double get_unpredicted_change(const check *x, int i)
{
    return x->t.d->r[i] - x->t.d->r0[i] - x->change[i];
}

/* Return 1 if row i is NaN or has not changed as predicted. */
static int is_row_unpredicted(const check *x, int i)
{
    return !x->jumped[i] && !(fabs(get_unpredicted_change(x, i)) <= x->tolerance[i] + get_prediction_noise(x, i));
}

/* Return 1 if curvature alone explains the unpredicted change of row i along d/2. `rest` is the unpredicted change
 * along d. Along s d it is rest(s) = L s + Q s^2. L = 4 rest(1/2) - rest(1) is zero if no entry is missing. Terms of
 * third order are assumed to be below UNEXPLAINED times rest. */
static int is_row_curved(const check *x, int i, double rest)
{
    const double linear = 4 * get_unpredicted_change(x, i) - rest; /* its rounding error is five times as large */
    return fabs(linear) <= 2 * x->tolerance[i] + UNEXPLAINED * fabs(rest) + 5 * get_prediction_noise(x, i);
}

/* Choose the direction d->delta. The columns of one group are perturbed by different multiples of their increments. A
 * missing entry was added to another entry of its group in the same row. Equal multiples would hide this. */
static void choose_direction(const rsd_task *t, const rsd_colouring *q)
{
    rsd_differences *d = t->d;
    uint64_t seed = 7u + (uint64_t)d->counts->evaluations_coloured;
    const int is_exact = rsd_uses_products(d, t->part);
    double shift = fabs(rsd_random(&seed)), whole;
    for (int g = 0; g < q->n_groups; g++) {
        double side = copysign(1, rsd_random(&seed));
        for (int k = q->start[g]; k < q->start[g + 1]; k++, side = -side) {
            const int c = q->columns[k];
            const double multiple = 1 + SPREAD * modf(RSD_GOLDEN * (k - q->start[g]) + shift, &whole);
            const double nominal = fmin(d->nominal[c], MAX_MOVED);
            d->delta[c] =
                side * multiple *
                (is_exact ? rsd_get_exact_increment(t->at, c, nominal, 0) : rsd_get_increment(t->at, c, nominal, 0));
        }
    }
}

/* Return 1 if all columns of the formalism were evaluated. Otherwise an unpredicted change may come from a column that
 * was not evaluated, and curvature cannot be concluded. */
static int are_all_columns_evaluated(const rsd_frame *f, const unsigned char *evaluated)
{
    int whole = 1;
    for (int c = 0; c < f->n && whole; c++) whole = !(f->columns[c] & RESIDA_COLUMN_FORMALISM) || evaluated[c];
    return whole;
}

/* Repeat the check with half the direction. If a row is not linear, the two unpredicted changes differ. *complete is
 * set to 1 if curvature of F causes all unpredicted changes. */
static int repeat_check_with_half_step(const check *x, int *complete)
{
    const int n = x->t.d->f->n;
    double *rest = x->t.d->sum;
    for (int i = 0; i < n; i++) rest[i] = is_row_unpredicted(x, i) ? get_unpredicted_change(x, i) : 0;
    const int verdict = compare_with_prediction(x, 0.5);
    *complete = verdict == 0;
    for (int i = 0; i < n && *complete; i++) *complete = rest[i] == 0 || is_row_curved(x, i, rest[i]);
    return verdict;
}

int rsd_search_check_A(rsd_differences *d, const rsd_parts *p, const unsigned char *jumped,
                       const unsigned char *evaluated, const resida_jacobian_point *at, int *complete)
{
    const rsd_colouring *q = &p->formalism.colours;
    const rsd_change *space = &d->work.changes[0];
    const long calls = d->counts->residual_calls;
    check x = {.t = rsd_task_create_for_A(d, at),
               .p = p,
               .jumped = jumped,
               .evaluated = evaluated,
               .columns = d->work.columns,
               .terms = d->scale,
               .change = space->up,
               .tolerance = space->down};
    *complete = 1;
    sum_terms_of_rows(&x);
    int verdict = rsd_prepare_changes(&x.t);
    choose_direction(&x.t, q);
    for (int k = 0; k < q->start[q->n_groups]; k++)
        if (rsd_is_column_perturbed(&x.t, q->columns[k])) x.columns[x.n++] = q->columns[k];
    if (!verdict) verdict = compare_with_prediction(&x, 1);
    for (int i = 0; i < d->f->n && verdict == 0; i++) *complete &= !is_row_unpredicted(&x, i);
    if (!*complete && !rsd_uses_products(d, x.t.part) && are_all_columns_evaluated(d->f, evaluated))
        verdict = repeat_check_with_half_step(&x, complete);
    if (verdict < 0) return verdict;
    rsd_count_pattern_calls(d, calls, verdict);
    return 0; /* the check has no result if F cannot be evaluated at a displaced point */
}
