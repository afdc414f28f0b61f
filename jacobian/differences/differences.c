/* differences.c - difference quotients by groups of columns, equations (16) and (20) of Arnold, Fuchs, Fuehrer:
 *
 *     j_ir = (f_i(y + sum over the group of delta_r e_r) - f_i(y)) / delta_r    for the group that contains r
 *
 * Central differences use f on both sides instead. An evaluation column by column is the case of one column per group.
 * If f cannot be evaluated for a group on one side, the other side is used. Central differences then use the point
 * itself and the side on which f can be evaluated. If the system gives products (products.c), one product per group,
 * with direction delta_r, replaces the difference. */
#include "differences.h"

#include <string.h>

#include "base/callback.h"
#include "base/memory.h"

static resida_function *get_function_of_part(const resida_system *s, rsd_part part)
{
    if (part == RSD_CONSTRAINT) return s->curvature ? s->curvature : s->constraint;
    return part == RSD_FORMALISM && s->formalism ? s->formalism : s->F;
}

static long *get_counter_of_part(const rsd_differences *d, rsd_part part)
{
    return part == RSD_CONSTRAINT ? &d->counts->constraint_calls : &d->counts->residual_calls;
}

int rsd_evaluate_part(rsd_differences *d, rsd_part part, double t, const double *y, const double *yp, double *r)
{
    *get_counter_of_part(d, part) += 1;
    return rsd_call_function(t, y, yp, r, d->f->s.user, NULL, get_function_of_part(&d->f->s, part));
}

int rsd_set_base_residual(rsd_differences *d, rsd_part part, const resida_jacobian_point *at, double *r0)
{
    if (part == RSD_CONSTRAINT) return rsd_evaluate_part(d, RSD_CONSTRAINT, at->t, at->y, at->yp, r0);
    if (part == RSD_WHOLE || !d->f->s.formalism) {
        memcpy(r0, at->F, (size_t)d->f->n * sizeof *r0);
        return 0;
    }
    int verdict = rsd_call_function(at->t, at->y, at->yp, r0, d->f->s.user, NULL, d->f->s.constraint);
    d->counts->constraint_calls++;
    for (int i = 0; i < d->f->n; i++) r0[i] = at->F[i] - r0[i];
    return verdict;
}

static double get_unperturbed(const rsd_task *t, int c)
{
    return t->sy != 0 ? t->at->y[c] : t->at->yp[c];
}

static double get_perturbed(const rsd_task *t, int c, double side)
{
    volatile double rounded = get_unperturbed(t, c) + side * t->d->delta[c];
    return rounded;
}

double rsd_perturbation(const rsd_task *t, int c, double side)
{
    if (side == 0) return 0;
    return rsd_uses_products(t->d, t->part) ? side * t->d->delta[c] : get_perturbed(t, c, side) - get_unperturbed(t, c);
}

int rsd_list_columns(const rsd_task *t, int group, int *columns)
{
    const rsd_colouring *q = t->colours;
    const int *all = q ? q->columns + q->start[group] : &group, n_all = q ? q->start[group + 1] - q->start[group] : 1;
    int n = 0;
    for (int k = 0; k < n_all; k++)
        if (rsd_is_column_perturbed(t, all[k])) columns[n++] = all[k];
    return n;
}

void rsd_perturb_columns(const rsd_task *t, rsd_difference_worker *worker, const int *columns, int n, double side)
{
    const int is_exact = rsd_uses_products(t->d, t->part);
    for (int k = 0; k < n; k++) {
        const int c = columns[k];
        const double delta = rsd_perturbation(t, c, side);
        worker->y[c] = is_exact ? t->sy * delta : t->sy != 0 ? get_perturbed(t, c, side) : t->at->y[c];
        worker->yp[c] = is_exact     ? t->syp * delta
                        : t->sy != 0 ? t->at->yp[c] + t->syp * delta
                                     : get_perturbed(t, c, side);
    }
}

/* Evaluate F, or a product, at the point of the worker. Calls of several threads are counted after a block. */
int rsd_evaluate_perturbed_F(const rsd_task *t, rsd_difference_worker *worker, const int *columns, int n_columns,
                             double side, double *r)
{
    const rsd_differences *d = t->d;
    const resida_system *s = &d->f->s;
    const resida_jacobian_point *at = t->at;
    const int is_exact = rsd_uses_products(d, t->part);
    if (worker->ended && atomic_load(worker->ended)) return 1;
    rsd_perturb_columns(t, worker, columns, n_columns, side);
    *(worker->ended ? &worker->calls : is_exact ? &d->counts->products : get_counter_of_part(d, t->part)) += 1;
    const int verdict =
        is_exact
            ? rsd_call_times(at->t, at->y, at->yp, 1, worker->y, worker->yp, r, worker->user, NULL, s)
            : rsd_call_function(at->t, worker->y, worker->yp, r, worker->user, NULL, get_function_of_part(s, t->part));
    if (verdict && worker->ended) atomic_store(worker->ended, 1);
    for (int k = 0; k < n_columns; k++) {
        const int c = columns[k];
        worker->y[c] = is_exact ? 0 : at->y[c];
        worker->yp[c] = is_exact ? 0 : at->yp[c];
    }
    return verdict;
}

/* Compute the change of F from side -1 to side 1. If F fails on one side and retry is 1, use the unperturbed point. */
static int set_two_sided_change(const rsd_task *t, rsd_difference_worker *worker, rsd_change *q, int retry)
{
    int up = rsd_evaluate_perturbed_F(t, worker, q->columns, q->n_columns, 1, q->up);
    if (up < 0 || (up > 0 && !retry)) return up;
    int down = rsd_evaluate_perturbed_F(t, worker, q->columns, q->n_columns, -1, q->down);
    if (down < 0 || (down > 0 && (up > 0 || !retry))) return down;
    q->hi = up > 0 ? t->d->r0 : q->up, q->hi_side = up > 0 ? 0 : 1;
    q->lo = down > 0 ? t->d->r0 : q->down, q->lo_side = down > 0 ? 0 : -1;
    return 0;
}

/* If F fails on side 1 of a one-sided difference and retry is 1, use side -1. Products are equal on both sides. */
int rsd_get_group_change(const rsd_task *t, rsd_difference_worker *worker, rsd_change *q, int retry)
{
    const int is_exact = rsd_uses_products(t->d, t->part);
    if (t->d->work.central && !is_exact) return set_two_sided_change(t, worker, q, retry);
    q->hi = q->up, q->lo = t->d->r0;
    q->hi_side = 1, q->lo_side = 0;
    const int verdict = rsd_evaluate_perturbed_F(t, worker, q->columns, q->n_columns, 1, q->up);
    if (verdict <= 0 || !retry || is_exact) return verdict;
    q->hi_side = -1;
    return rsd_evaluate_perturbed_F(t, worker, q->columns, q->n_columns, -1, q->up);
}

void rsd_set_increments(const rsd_task *t)
{
    rsd_differences *d = t->d;
    const resida_jacobian_point *at = t->at;
    const int is_central = d->work.central, is_exact = rsd_uses_products(d, t->part);
    const double rough = is_central && t->part == RSD_CONSTRAINT ? d->f->s.constraint_rounding : 0;
    for (int c = 0; c < d->f->n; c++) {
        if (!rsd_is_column_perturbed(t, c)) continue;
        d->delta[c] = is_exact     ? rsd_get_exact_increment(at, c, d->nominal[c], t->sy == 0)
                      : rough > 0  ? rsd_get_rough_increment(at, c, rough)
                      : t->sy == 0 ? rsd_get_rate_increment(at, c, d->nominal[c], is_central)
                                   : rsd_get_increment(at, c, d->nominal[c], is_central);
        if (d->farther) d->delta[c] *= d->farther[c];
    }
}

int rsd_prepare_changes(const rsd_task *t)
{
    rsd_differences *d = t->d;
    const size_t n = (size_t)d->f->n;
    rsd_set_increments(t);
    if (rsd_uses_products(d, t->part)) {
        memset(d->y, 0, n * sizeof *d->y);
        memset(d->yp, 0, n * sizeof *d->yp);
        memset(d->r0, 0, n * sizeof *d->r0);
        return 0;
    }
    memcpy(d->y, t->at->y, n * sizeof *d->y);
    memcpy(d->yp, t->at->yp, n * sizeof *d->yp);
    return rsd_set_base_residual(d, t->part, t->at, d->r0);
}

void rsd_count_pattern_calls(rsd_differences *d, long before, int verdict)
{
    const long calls = d->counts->residual_calls - before;
    d->counts->pattern_calls += verdict < 0 && calls > 0 ? calls - 1 : calls;
}

void rsd_reset_sides(rsd_differences *d)
{
    memset(d->work.side, 0, (size_t)d->f->n * sizeof *d->work.side);
}
