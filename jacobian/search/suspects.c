/* suspects.c - new entries are few: which columns can have them? Where A and B, as they are known, do not explain what
 * all columns change together, these are halved until few are left: a new element of a network of hundreds of unknowns
 * takes tens of calls. Only rows that disagree are looked at, so that blocks without one are left alone. */
#include "bisection.h"
#include "search.h"

#include <math.h>
#include <string.h>

enum { NONE_KNOWN = -1 };
#define DISAGREES 1e-4 /* of what adds up to a row's change: A was found just now; curvature leaves 1e-7 */
#define OLD_B     0.2  /* the same of B, which may be of before */
#define MOST_PART 0.25 /* of the columns: more suspects are as dear as all */

void rsd_known_predict(const rsd_known *known, const rsd_task *t, const int *columns, int n, double side)
{
    const rsd_sparsity *q = &known->dear->pattern;
    const size_t bytes = (size_t)q->rows * sizeof *known->change;
    memset(known->change, 0, bytes);
    memset(known->sizes, 0, bytes);
    for (int k = 0; k < n; k++) {
        const int c = columns[k];
        const double move = rsd_moved(t, c, side);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            const double change = known->values[known->dear->at[e]] * move;
            known->change[q->row[e]] += change;
            known->sizes[q->row[e]] += fabs(change);
        }
    }
}

int rsd_known_mismatch(const rsd_known *known, int row, double change, double size)
{
    const double noise = RSD_NOISE * (size + known->terms[row]);
    return !known->ignored[row] && !(fabs(change - known->change[row]) <= known->share * known->sizes[row] + noise);
}

/* Columns with entries become marked. @return how many */
static int mark_columns(const rsd_sparsity *q, unsigned char *marked)
{
    int n = 0;
    for (int c = 0; c < q->cols; c++) {
        marked[c] = q->col_start[c + 1] > q->col_start[c];
        n += marked[c];
    }
    return n;
}

/* NONE_KNOWN: all have to be looked at. */
static int suspects_of(const rsd_task *t, const rsd_known *known, unsigned char *marked, int *n)
{
    const rsd_frame *f = t->d->f;
    rsd_sparsity possible;
    int found;
    const int verdict = rsd_bisect(t, known, &possible, &found);
    *n = NONE_KNOWN;
    if (verdict || !found) return verdict;
    *n = mark_columns(&possible, marked);
    if (*n > MOST_PART * f->n_dear_columns) *n = NONE_KNOWN;
    rsd_sparsity_free(&possible, &f->alloc);
    return 0;
}

int rsd_search_can_suspect(const rsd_frame *f)
{
    return !f->combined && f->n_dear_columns >= RSD_BISECTION_FROM;
}

/* The values, p->A or p->B, and work space. */
static rsd_known known_of(rsd_differences *d, const rsd_parts *p, const double *values, double share,
                          const resida_jacobian_point *at, const unsigned char *ignored)
{
    rsd_change *room = &d->walkers.changes[0];
    rsd_search_terms(d, p, at);
    return (rsd_known){&p->dear, values, share, d->scale, ignored, room->up, room->down};
}

int rsd_search_suspects(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                        const unsigned char *ignored, unsigned char *marked, int *n_marked)
{
    const rsd_task t = {d, RSD_DEAR, at, 1, 0, RESIDA_COLUMN_DEAR, NULL, NULL};
    const rsd_known known = known_of(d, p, p->A, DISAGREES, at, ignored);
    return suspects_of(&t, &known, marked, n_marked);
}

int rsd_search_check_B(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *ignored, int is_new, int *complete)
{
    const rsd_task t = {d, RSD_WHOLE, at, 0, 1, RESIDA_COLUMN_YP, NULL, NULL};
    const rsd_known known = known_of(d, p, p->B, is_new ? DISAGREES : OLD_B, at, ignored);
    rsd_sparsity possible;
    const int verdict = rsd_bisect(&t, &known, &possible, complete);
    if (verdict || !*complete) return verdict;
    *complete = possible.nnz == 0;
    rsd_sparsity_free(&possible, &d->f->alloc);
    return 0;
}
