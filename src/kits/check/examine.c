/* examine.c - differences of a function of one variable beside what is said of its derivatives,
 *
 *     x' = (x(s) - x(-s)) / 2s,   x'' = (x(s) - 2 x(0) + x(-s)) / s^2
 *
 * first with one s, which costs two or three calls. Where a row does not agree, nearer and farther points are asked,
 * and both sides alone: the state may be where an excitation begins. A row is wrong only if it agrees with none of
 * them. */
#include "examine.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define USUAL_STEP      1e-4 /* s, of a motion at a speed of 1: errors s^2 and eps/s of first, eps/s^2 of second */
#define FIRST_AGREES    1e-4 /* relative to the terms of the row; smooth functions reach 1e-8 */
#define SECOND_AGREES   1e-2 /* the same, where rounding is divided by s^2 */
#define ROW_FLOOR       1e-6 /* part of the largest row: what is below is rounding */
#define FINE            1e-9 /* part of an increment that may be rounding, times the usual step */
#define VALUE_ROUNDINGS 16   /* eps, in a value */
#define SHORTER_THAN    1e-7 /* a shorter step says nothing where rounding may be as much as a row may be off */
enum { PLACES_FOR_FIRST = 2, PLACES_FOR_SECOND = 3 }; /* s, -s; and 0 */
/* What is tried where the usual step does not agree: shorter ones for kinks nearby, a longer one for rounding; and for
 * small lengths and fast times very short ones, where rounding lets them say something. */
static const double steps[] = {USUAL_STEP, 1e-5, 1e-6, 1e-3, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
enum { N_STEPS = sizeof steps / sizeof *steps };

double rsd_random_move(int j)
{
    double whole, part = modf(RSD_GOLDEN * (j + 1), &whole);
    return (j % 2 ? -1 : 1) * (0.5 + part);
}

resida_status rsd_examine_groups(rsd_colouring *c, const rsd_csr *A, const resida_allocator *alloc)
{
    rsd_sparsity pattern;
    RSD_TRY(rsd_sparsity_from_csr(&pattern, A, alloc, NULL));
    const resida_status status = rsd_colour(c, &pattern, NULL, alloc, NULL);
    rsd_sparsity_free(&pattern, alloc);
    return status;
}

/* A full matrix has no groups. */
static resida_status find_groups(rsd_examiner *w, const resida_allocator *alloc)
{
    const int has_groups = w->k->m.constraint_matrix && rsd_csr_is_sparse(&w->k->gp);
    return has_groups ? rsd_examine_groups(&w->columns, &w->k->gp, alloc) : RESIDA_OK;
}

resida_status rsd_examiner_create(rsd_examiner *w, rsd_mechanism *k, rsd_warnings *warnings,
                                  const resida_allocator *alloc)
{
    const resida_mechanism *m = &k->m;
    int n = k->n_l > 2 * m->n_u ? k->n_l : 2 * m->n_u;
    if (m->n_p > n) n = m->n_p;
    if (m->n_v > n) n = m->n_v;
    *w = (rsd_examiner){.k = k, .warnings = warnings, .n = n};
    int all = RSD_DOUBLES(alloc, m->n_p, &w->d_p, &w->p_moved, &w->p_half, &w->p_nearby) &&
              RSD_DOUBLES(alloc, m->n_v, &w->d_v, &w->v_moved) &&
              RSD_DOUBLES(alloc, n, &w->first, &w->second, &w->scale, &w->best_first, &w->best_second, &w->found_first,
                          &w->found_second);
    for (int i = 0; i < RSD_PLACES; i++) all &= (w->x[i] = rsd_doubles(alloc, n)) != NULL;
    return all ? find_groups(w, alloc) : RESIDA_ERR_MEMORY;
}

/** A difference quotient of a row: which places it takes, and what it is divided by. */
typedef struct quotient {
    double weight[RSD_PLACES]; /* of x at s, -s, 0, 2s, -2s */
    int power;                 /* of s */
} quotient;
static const quotient of_first[] = {{{0.5, -0.5, 0, 0, 0}, 1}, {{2, 0, -1.5, -0.5, 0}, 1}, {{0, -2, 1.5, 0, 0.5}, 1}};
static const quotient of_second[] = {{{1, 1, -2, 0, 0}, 2}, {{-2, 0, 1, 1, 0}, 2}, {{0, -2, 1, 0, 1}, 2}};
enum { SIDES = sizeof of_first / sizeof *of_first };

/** Keep what agrees better. */
static void compare(const rsd_examiner *w, int n, double s, const quotient *q, const double *said, double *best,
                    double *found)
{
    double unit = q->power == 2 ? s * s : s, agreement = q->power == 2 ? SECOND_AGREES : FIRST_AGREES;
    for (int i = 0; i < n; i++) {
        double sum = 0, all = 0;
        for (int j = 0; j < RSD_PLACES; j++)
            if (q->weight[j] != 0) sum += q->weight[j] * w->x[j][i], all += fabs(q->weight[j] * w->x[j][i]);
        const double rounding = VALUE_ROUNDINGS * DBL_EPSILON * all;
        if (s < SHORTER_THAN && !(rounding <= agreement * (fabs(sum) + unit * fabs(said[i])))) continue;
        double difference = fmax(0, fabs(sum - unit * said[i]) - rounding) / unit;
        if (!isfinite(all) || !(difference < best[i])) continue;
        best[i] = difference;
        found[i] = sum / unit;
    }
}

/** The row that disagrees most, -1: all agree. */
static int worst_row(const rsd_examiner *w, int n, double agreement, const double *said, const double *best,
                     const double *found)
{
    double largest = 0, worst = 1;
    int row = -1;
    for (int i = 0; i < n; i++) largest = fmax(largest, w->scale[i]);
    for (int i = 0; i < n; i++) {
        double size =
            w->scale[i] + fabs(said[i]) + (isfinite(found[i]) ? fabs(found[i]) : 0) + ROW_FLOOR * (1 + largest);
        double part = best[i] / (agreement * size);
        if (!(part > worst) || !isfinite(part)) continue;
        worst = part;
        row = i;
    }
    return row;
}

/** x at the first so many places. */
static int eval_places(rsd_examiner *w, double s, rsd_along *x, int places)
{
    static const double at[RSD_PLACES] = {1, -1, 0, 2, -2};
    int verdict = 0;
    for (int j = 0; j < places && !verdict; j++) verdict = x(at[j] * s, w->x[j], w);
    return verdict;
}

static void judge(rsd_examiner *w, int n, int *row, int *row_second)
{
    *row = worst_row(w, n, FIRST_AGREES, w->first, w->best_first, w->found_first);
    if (row_second) *row_second = worst_row(w, n, SECOND_AGREES, w->second, w->best_second, w->found_second);
}

int rsd_examine_curve(rsd_examiner *w, int n, rsd_along *x, int *row, int *row_second)
{
    *row = -1;
    if (row_second) *row_second = -1;
    for (int i = 0; i < n; i++)
        w->best_first[i] = w->best_second[i] = w->found_first[i] = w->found_second[i] = INFINITY;
    int verdict = eval_places(w, USUAL_STEP, x, row_second ? PLACES_FOR_SECOND : PLACES_FOR_FIRST);
    if (verdict < 0) return verdict;
    if (!verdict) {
        compare(w, n, USUAL_STEP, &of_first[0], w->first, w->best_first, w->found_first);
        if (row_second) compare(w, n, USUAL_STEP, &of_second[0], w->second, w->best_second, w->found_second);
        judge(w, n, row, row_second);
        if (*row < 0 && (!row_second || *row_second < 0)) return 0;
    }
    for (int i = 0; i < N_STEPS; i++) {
        verdict = eval_places(w, steps[i], x, RSD_PLACES);
        if (verdict < 0) return verdict;
        for (int side = 0; side < SIDES && !verdict; side++) {
            compare(w, n, steps[i], &of_first[side], w->first, w->best_first, w->found_first);
            if (row_second) compare(w, n, steps[i], &of_second[side], w->second, w->best_second, w->found_second);
        }
    }
    judge(w, n, row, row_second);
    return 0;
}

int rsd_examine_at(rsd_examiner *w, double t, const double *p, const double *v)
{
    rsd_mechanism *k = w->k;
    w->t = t, w->p = p, w->v = v;
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    for (int j = 0; j < k->m.n_v; j++) w->d_v[j] = rsd_random_move(j);
    if (!verdict) rsd_apply_T(k, w->d_v, w->d_p);
    return verdict;
}

int rsd_examine_is_fine(const rsd_examiner *w)
{
    const double state = fmax(rsd_max_norm(w->p, w->k->m.n_p), rsd_max_norm(w->v, w->k->m.n_v));
    return DBL_EPSILON * fmax(fabs(w->t), state) <= FINE;
}

void rsd_examine_add(rsd_examiner *w, const rsd_csr *A, const double *values, const double *d)
{
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++) {
            const double term = values[e] * d[A->col[e]];
            w->first[i] += term;
            w->scale[i] += fabs(term);
        }
}

int rsd_examine_move(rsd_examiner *w, double s)
{
    rsd_mechanism *k = w->k;
    const double *speed = w->d_p;
    if (k->m.kinematic_matrix && s != 0) {
        for (int i = 0; i < k->m.n_p; i++) w->p_half[i] = w->p[i] + s / 2 * w->d_p[i];
        int verdict = rsd_eval_kinematic_matrix(k, w->t, w->p_half);
        if (verdict) return verdict;
        rsd_apply_T(k, w->d_v, w->p_half);
        speed = w->p_half;
    }
    for (int i = 0; i < k->m.n_p; i++) w->p_moved[i] = w->p[i] + s * speed[i];
    return 0;
}
