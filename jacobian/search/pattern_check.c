/* pattern_check.c - checks that the pattern has all entries, by one product with a random direction d. A row i is
 * unexplained if F_i(y + d) - F_i differs from (A d)_i by more than the rounding of its terms. Such a row lacks an
 * entry of A, or F_i has curvature. Example of curvature: the force of an unstretched spring grows with the square of a
 * transverse motion. A second product, with d/2, distinguishes the two cases. */
#include "search.h"

#include "base/numbers.h"

#include <math.h>

#define MAX_MOVED   0.5  /* maximum nominal size of a component in the check [m], against nonlinearity of contacts */
#define SPREAD      7    /* multiples 1 .. 1 + SPREAD of the increments, which differ within a group */
#define UNEXPLAINED 0.01 /* maximum unpredicted change of a row without missing entries, relative to its |terms| */
#define OLD_PART    0.2  /* maximum unpredicted change by omitted columns, relative to their |terms| */

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

/* Repeat the product J v of the check with v/2 in the listed columns [n]. If a row is not linear in v, the two products
 * differ. *complete is set to 1 if curvature of F causes the differences of all rows that were not predicted. */
static int repeat_check_with_half_step(const rsd_task *t, rsd_known *known, const int *columns, int n, int *complete)
{
    rsd_differences *d = t->d;
    double *rest = d->sum;
    for (int i = 0; i < d->f->n; i++)
        rest[i] = rsd_is_row_unpredicted(t, known, i) ? rsd_get_unpredicted_change(t, known, i) : 0;
    const int verdict = rsd_evaluate_columns(t, known, columns, n, 0.5);
    *complete = verdict == 0;
    for (int i = 0; i < d->f->n && *complete; i++) *complete = rest[i] == 0 || rsd_is_row_curved(t, known, i, rest[i]);
    return verdict;
}

int rsd_search_check_A(rsd_differences *d, const rsd_parts *p, const unsigned char *jumped,
                       const unsigned char *evaluated, const resida_jacobian_point *at, int *complete)
{
    const rsd_task t = rsd_task_create_for_A(d, at);
    const rsd_colouring *q = &p->formalism.colours;
    const long calls = d->counts->residual_calls;
    int *columns = d->work.columns, n = 0;
    rsd_known known = {
        .values = p->A, .evaluated = evaluated, .share = UNEXPLAINED, .old_share = OLD_PART, .ignored = jumped};
    *complete = 1;
    rsd_known_prepare(&known, d, p, at);
    int verdict = rsd_prepare_changes(&t);
    choose_direction(&t, q);
    for (int k = 0; k < q->start[q->n_groups]; k++)
        if (rsd_is_column_perturbed(&t, q->columns[k])) columns[n++] = q->columns[k];
    if (!verdict) verdict = rsd_evaluate_columns(&t, &known, columns, n, 1);
    for (int i = 0; i < d->f->n && verdict == 0; i++) *complete &= !rsd_is_row_unpredicted(&t, &known, i);
    if (!*complete && !rsd_uses_products(d, t.part) && are_all_columns_evaluated(d->f, evaluated))
        verdict = repeat_check_with_half_step(&t, &known, columns, n, complete);
    if (verdict < 0) return verdict;
    rsd_count_pattern_calls(d, calls, verdict);
    return 0; /* the check has no result if F cannot be evaluated at a displaced point */
}
