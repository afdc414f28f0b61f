/* constraint_jump.c - see constraint_jump.h. The fourth difference of g(t, p) at fixed p is taken over quarters of an
 * interval of length h. It is h^4 g''''/256 if g is smooth, and at least J if g jumps by J. The search continues in the
 * half with the larger fourth difference. It ends when the difference is below the tolerance or h is a rounding of
 * t.
 *
 * At a kink of g(t, p), v jumps by an impulse. Constraints at acceleration level do not contain this impulse. For these
 * the search continues until the difference is small compared with the tolerance. Then g has a kink if its rates before
 * and after the interval differ. */
#include "constraint_jump.h"

#include "blame.h"
#include "tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MIN_INTERVAL 16.0  /* minimum length of a divided interval, in roundings of t */
#define KINK_PART    1e-2  /* a search for a kink ends below this fourth difference, relative to the tolerance of g */
#define BESIDE       0.125 /* minimum length over which a rate of g is measured, relative to the interval of a kink */
#define G_ROUNDING   (64 * DBL_EPSILON) /* rounding error of g, relative to |g| */

enum {
    QUARTERS = 4,          /* number of parts of an interval */
    REFUSED = 2,           /* result of find_jumping_row() if a callback could not be evaluated */
    CHECK_STEPS = 8,       /* steps between two checks (2 calls of g) if g does not depend on t */
    CHECK_STEPS_MOVING = 4 /* steps between two checks (5 calls of g) if g depends on t */
};

typedef struct watched_row {
    rsd_mechanism *k; /* the mechanism */
    const double *p;  /* [n_p] positions, kept constant */
    int row, verdict; /* index of the row in g; verdict of the first call of g that failed, or 0 */
} watched_row;

static int eval_g(rsd_mechanism *k, double t, const double *p, double *g)
{
    const int verdict = rsd_eval_excitation(k, t);
    return verdict ? verdict : rsd_eval_constraint(k, t, p, g);
}

static double eval_g_row(watched_row *x, double t)
{
    if (!x->verdict) x->verdict = eval_g(x->k, t, x->p, x->k->work.x_g);
    return x->k->work.x_g[x->row];
}

static double get_time_rounding(double t)
{
    return MIN_INTERVAL * DBL_EPSILON * fabs(t);
}

static double compute_fourth_difference(const double *g)
{
    return fabs(g[0] - 4 * g[1] + 6 * g[2] - 4 * g[3] + g[4]);
}

/* Return the jump of the rate of row x->row between t and t + h, or 0 if there is no kink. The rate is measured within
 * from .. to, on both sides. It jumps if its change exceeds RSD_JUMP_RATIO times its changes on both sides. */
static double find_rate_jump(watched_row *x, double from, double to, double t, double h)
{
    const double d = fmin(h, fmin(t - from, to - t - h) / 2);
    double left[3], right[3], largest = 0;
    if (!(d >= BESIDE * h)) return 0;
    for (int i = 0; i <= 2; i++) {
        left[i] = eval_g_row(x, t - i * d);
        right[i] = eval_g_row(x, t + h + i * d);
        largest = fmax(largest, fmax(fabs(left[i]), fabs(right[i])));
    }
    const double change = right[1] - right[0] - (left[0] - left[1]);
    const double bend = fabs(left[0] - 2 * left[1] + left[2]) + fabs(right[0] - 2 * right[1] + right[2]);
    const int is_kink = fabs(change) > RSD_JUMP_RATIO * bend + G_ROUNDING * largest;
    return is_kink && !x->verdict ? change / d : 0;
}

/* Locate a jump of row x->row between `from` and *to by bisection, and set *to to the time of the jump. Return the size
 * of the jump. Return 0 if there is no jump above the tolerance or a callback failed. If `rate` is not NULL, locate a
 * kink, too, and set *rate to the jump of its rate. */
static double locate_jump(watched_row *x, double from, double *to, double tolerance, double *rate)
{
    const double first = from, last = *to, end = rate ? KINK_PART * tolerance : tolerance;
    double part[QUARTERS + 1], g[2 * QUARTERS + 1], h = *to - from;
    for (int i = 0; i <= QUARTERS; i++) part[i] = eval_g_row(x, from + i * h / QUARTERS);
    for (;;) {
        if (x->verdict) return 0;
        if (!(compute_fourth_difference(part) > end)) {
            if (rate) *rate = find_rate_jump(x, first, last, from, h);
            *to = from + h / 2;
            return 0;
        }
        if (h <= get_time_rounding(*to)) break;
        for (int i = 0; i <= 2 * QUARTERS; i++)
            g[i] = i % 2 ? eval_g_row(x, from + i * h / (2 * QUARTERS)) : part[i / 2];
        const int is_second = compute_fourth_difference(g + QUARTERS) > compute_fourth_difference(g);
        memcpy(part, is_second ? g + QUARTERS : g, sizeof part);
        h /= 2;
        if (is_second) from += h;
    }
    *to = from + h;
    const double jump = part[QUARTERS] - part[0], beside = eval_g_row(x, *to + h) - part[QUARTERS];
    return fabs(jump) > tolerance && fabs(jump) > RSD_JUMP_RATIO * fabs(beside) ? jump : 0;
}

/* Compute the tolerance of g_i: the largest change of g_i if all positions change by their tolerances. */
static double compute_tolerance_of_g(const resida_problem *q, const resida_solver_options *o, int i, const double *y)
{
    const rsd_mechanism *k = q->mechanism;
    const int first = q->layout.p;
    double sum = 0;
    for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++) {
        const int j = first + k->gp.col[e];
        sum += fabs(k->gp_values[e]) * rsd_tolerance(o, j, y[j]);
    }
    return sum;
}

/* Compute the fourth differences sum [n_g] of all rows. If *varies is 0, compute them only if a row has different
 * values at `from` and `to`, and then set *varies to 1. Return 0, or the verdict of a callback that failed. */
static int compute_fourth_differences(rsd_mechanism *k, const double *p, double from, double to, double *sum,
                                      int *varies)
{
    static const double weight[] = {-4, 6, -4};
    double *g = k->work.x_g;
    int verdict = eval_g(k, from, p, sum);
    if (!verdict) verdict = eval_g(k, to, p, g);
    for (int i = 0; i < k->m.n_g && !verdict; i++) {
        *varies |= g[i] != sum[i];
        sum[i] += g[i];
    }
    for (int q = 0; q < QUARTERS - 1 && *varies && !verdict; q++) {
        verdict = eval_g(k, from + (q + 1) * (to - from) / QUARTERS, p, g);
        for (int i = 0; i < k->m.n_g && !verdict; i++) sum[i] += weight[q] * g[i];
    }
    return verdict;
}

/* Find a row that jumps or has a kink between `from` and `to`, at the positions in y. Return 1 and write name and time
 * to text [RSD_CAUSE_TEXT] if there is such a row, 0 if not, REFUSED or < 0 if a callback failed. varies: see
 * compute_fourth_differences(). */
static int find_jumping_row(resida_problem *q, const resida_solver_options *o, double from, double to, const double *y,
                            int *varies, char *text)
{
    rsd_mechanism *k = q->mechanism;
    watched_row r = {.k = k, .p = y + q->layout.p};
    const int has_kinks = q->form->level == RSD_ACCELERATION;
    double *sum = k->work.x_g2;
    r.verdict = compute_fourth_differences(k, r.p, from, to, sum, varies);
    for (r.row = 0; r.row < k->m.n_g && *varies && !r.verdict; r.row++) {
        char name[RSD_ROW_NAME], cure[RSD_JUMP_TEXT] = "give a root function, or stop there and restart";
        const double tolerance = compute_tolerance_of_g(q, o, r.row, y);
        double end = to, rate = 0, jump = 0;
        if (fabs(sum[r.row]) > (has_kinks ? KINK_PART : 1) * tolerance)
            jump = locate_jump(&r, from, &end, tolerance, has_kinks ? &rate : NULL);
        if (r.verdict || (jump == 0 && rate == 0)) continue;
        (void)rsd_find_excitation_jump(q, end, get_time_rounding(end), cure);
        rsd_write(text, RSD_CAUSE_TEXT, "%sconstraint %s jumps by %.3g at t = %.9g: %s",
                  jump == 0 ? "the rate of " : "", rsd_row_name(k, r.row, name, sizeof name), jump == 0 ? rate : jump,
                  end, cure);
        return 1;
    }
    return r.verdict > 0 ? REFUSED : r.verdict;
}

int rsd_find_constraint_jump(resida_problem *q, const resida_solver_options *o, double t, double h, const double *y,
                             char *text)
{
    const rsd_mechanism *k = q->mechanism;
    int varies = 1;
    if (!k || k->m.n_g == 0 || q->layout.p < 0) return 0;
    const double near =
        RSD_JUMP_DISTANCE * fmax(fmax(fabs(h), get_time_rounding(t)), rsd_scale_get_increment(&k->of_t.scale, t, 1));
    return find_jumping_row(q, o, t - near, t + near, y, &varies, text) == 1;
}

int rsd_watch_constraints(rsd_watched *x, rsd_guard *g, const resida_solver_options *o, double t, rsd_watch_at at,
                          const double *y)
{
    const rsd_mechanism *k = g->problem->mechanism;
    const double to = at == RSD_AT_STOP ? t - get_time_rounding(t) : t;
    char cause[RSD_CAUSE_TEXT];
    int varies = 0;
    x->steps += at == RSD_AT_STEP;
    const int is_early = at == RSD_AT_STEP ? x->steps < x->wait : at == RSD_AT_OUTPUT && to - x->t < g->h;
    if (!k || k->m.n_g == 0 || is_early || to - x->t <= get_time_rounding(t)) return 0;
    const int found = find_jumping_row(g->problem, o, x->t, to, y, &varies, cause);
    if (found == 1) return g->stop = rsd_fail(g->message, RESIDA_ERR_STEP_TOO_SMALL, "%s", cause);
    const int max = varies ? CHECK_STEPS_MOVING : CHECK_STEPS;
    *x = (rsd_watched){.t = to, .wait = x->wait < max ? x->wait + 1 : max};
    if (found < 0) return rsd_guard_judge(g, to, found, NULL, 0);
    rsd_fault_clear(&g->problem->calls->fault);
    return 0;
}
