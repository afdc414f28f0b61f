/* difference.c - difference quotients by groups of columns, equations (16) and (20) of Arnold, Fuchs, Fuehrer:
 *
 *     j_ir = (f_i(y + sum over the group of delta_r e_r) - f_i(y)) / delta_r    for the group that r belongs to
 *
 * Column by column is the case of one column in each group. A group at which f is not possible is tried once more on
 * the other side. */
#include "engine_impl.h"

#include <string.h>

int rsd_call(resida_jacobian *j, rsd_part part, double t, const double *y, const double *yp, double *r)
{
    const resida_system *s = &j->s;
    if (part == RSD_CHEAP) {
        j->counts.cheap_calls++;
        return s->cheap(t, y, yp, r, s->user);
    }
    j->counts.residual_calls++;
    return part == RSD_DEAR && s->dear ? s->dear(t, y, yp, r, s->user) : s->F(t, y, yp, r, s->user);
}

int rsd_base(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double *r0)
{
    if (part == RSD_CHEAP) return rsd_call(j, RSD_CHEAP, at->t, at->y, at->yp, r0);
    if (part == RSD_WHOLE || !j->s.dear) {
        memcpy(r0, at->F, (size_t)j->n * sizeof *r0);
        return 0;
    }
    int verdict = rsd_call(j, RSD_CHEAP, at->t, at->y, at->yp, r0);
    for (int i = 0; i < j->n; i++) r0[i] = at->F[i] - r0[i];
    return verdict;
}

/* Is there a column of the group with one of the bits? */
static int wanted(const resida_jacobian *j, const rsd_colouring *colours, int group, unsigned bits)
{
    for (int k = colours->start[group]; k < colours->start[group + 1]; k++)
        if (j->columns[colours->columns[k]] & bits) return 1;
    return 0;
}

/* The columns of the group move by side times their increments, which become what the move really is: on the other side
 * an increment need not be exact. */
static void move(resida_jacobian *j, const resida_jacobian_point *at, const rsd_colouring *colours, int group,
                 double side, double sy, double syp, unsigned bits)
{
    for (int k = colours->start[group]; k < colours->start[group + 1]; k++) {
        int c = colours->columns[k];
        if (!(j->columns[c] & bits)) continue;
        double from = sy != 0 ? at->y[c] : at->yp[c];
        volatile double perturbed = from + side * j->delta[c];
        double delta = j->delta[c] = perturbed - from;
        if (sy != 0) j->y[c] = perturbed;
        j->yp[c] = sy != 0 ? at->yp[c] + syp * delta : perturbed;
    }
}

static void move_back(resida_jacobian *j, const resida_jacobian_point *at, const rsd_colouring *colours, int group)
{
    for (int k = colours->start[group]; k < colours->start[group + 1]; k++) {
        int c = colours->columns[k];
        j->y[c] = at->y[c];
        j->yp[c] = at->yp[c];
    }
}

static void scatter(resida_jacobian *j, const rsd_grouping *q, int group, unsigned bits, double *values)
{
    for (int k = q->colours.start[group]; k < q->colours.start[group + 1]; k++) {
        int c = q->colours.columns[k];
        if (!(j->columns[c] & bits)) continue;
        double inverse = 1 / j->delta[c];
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1]; e++) {
            int row = q->pattern.row[e];
            values[q->at[e]] = (j->r[row] - j->r0[row]) * inverse;
        }
    }
}

int rsd_difference(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double sy, double syp,
                   unsigned bits, double *values)
{
    const rsd_grouping *q = part == RSD_CHEAP ? &j->cheap : &j->dear;
    memcpy(j->y, at->y, (size_t)j->n * sizeof *j->y);
    memcpy(j->yp, at->yp, (size_t)j->n * sizeof *j->yp);
    resida_jacobian_point of_yp = {.y = at->yp, .yp = at->yp};
    for (int c = 0; c < j->n; c++) j->delta[c] = rsd_increment(sy != 0 ? at : &of_yp, c);
    int verdict = rsd_base(j, part, at, j->r0);
    for (int g = 0; g < q->colours.n_groups && !verdict; g++) {
        if (!wanted(j, &q->colours, g, bits)) continue;
        move(j, at, &q->colours, g, 1, sy, syp, bits);
        verdict = rsd_call(j, part, at->t, j->y, j->yp, j->r);
        if (verdict > 0) {
            move(j, at, &q->colours, g, -1, sy, syp, bits);
            verdict = rsd_call(j, part, at->t, j->y, j->yp, j->r);
        }
        move_back(j, at, &q->colours, g);
        if (!verdict) scatter(j, q, g, bits, values);
    }
    return verdict;
}
