/* sensitivity.c - see sensitivity.h. */
#include "sensitivity.h"

#include "src/base/numbers.h"
#include "src/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_CORRECTIONS = 4,
    MORE_CORRECTIONS = 20, /* with another alpha than that of J */
    MEASURED_AFTER = 20    /* steps after which a rate is measured anew */
};
#define TOO_SLOW        0.9  /* rate from which on J is to be better */
#define NEXT_TO_NOTHING 1e-3 /* of the tolerance: such a correction is the last one, whatever the rate */
#define OF_DIFFERENCES  1e-8 /* of sizes: what a difference to one side leaves */
#define LONG_CHANGE     1e-5 /* of the size of y: along a longer delta s differences show how F bends */
#define SHORT_CHANGE    1e-6 /* then along this one */
#define SMALL           1e-3 /* of the largest position, or velocity */
#define RUBBISH         1e3  /* tolerances: corrections of that size, with a J of here, leave nothing */
#define MUCH_LONGER     1.5  /* steps: their BDF of high order is not stable */
#define GROWS           2.0  /* differences of predictors, from one order to the next: they are not smooth */
#define FADES           0.95 /* of rounding, from step to step */
#define MORE            2.0  /* times the rounding that was seen: no correction gets below it */
#define NOT_KNOWN       20   /* rate/(1 - rate) where no rate is known, as in DASSL */
#define ENOUGH          0.03 /* of the first correction, by 2^k: what is left stays a predictor's, undamped */
#define TOLERANCE       0.1  /* of the iteration, at least: s is not in the error test */

/* --- Polynomials through the history --- */

/* Weights of the values and derivatives at t of the polynomial through x_0 .. x_k. */
static void lagrange(int k, const double *x, double t, double *value, double *slope)
{
    for (int j = 0; j <= k; j++) {
        value[j] = 1;
        slope[j] = 0;
        for (int m = 0; m <= k; m++) {
            if (m == j) continue;
            slope[j] = (slope[j] * (t - x[m]) + value[j]) / (x[j] - x[m]);
            value[j] *= (t - x[m]) / (x[j] - x[m]);
        }
    }
}

/* s and s' at t from the points after `first`. */
static void evaluate(const rsd_sensitivities *x, const rsd_tangent *one, int first, int k, double t, double *s,
                     double *sp)
{
    double value[RSD_SENSITIVITY_POINTS], slope[RSD_SENSITIVITY_POINTS];
    lagrange(k, x->t + first, t, value, slope);
    for (int i = 0; i < x->n_y; i++) s[i] = sp[i] = 0;
    for (int j = 0; j <= k; j++) {
        const double *restrict from = one->s[first + j];
        for (int i = 0; i < x->n_y; i++) {
            s[i] += value[j] * from[i];
            sp[i] += slope[j] * from[i];
        }
    }
}

void rsd_sensitivities_begin(rsd_sensitivities *x, double t)
{
    x->points = 1;
    x->order = 0;
    x->steps = 0;
    x->t[0] = t;
    rsd_sensitivities_reach(x, t);
}

void rsd_sensitivities_begin_anew(rsd_sensitivities *x)
{
    if (x->points == 0) return;
    for (int i = 0; i < x->n && x->points > 1; i++)
        evaluate(x, &x->each[i], 0, x->order, x->t[0], x->R, x->each[i].sp); /* R is s[0] */
    x->points = 1;
    x->order = 0;
    x->steps = 0;
}

void rsd_sensitivities_reach(rsd_sensitivities *x, double t)
{
    const size_t bytes = (size_t)x->n_y * sizeof(double);
    for (int i = 0; i < x->n && x->points > 0; i++) {
        rsd_tangent *one = &x->each[i];
        if (x->points > 1) {
            evaluate(x, one, 0, x->order, t, one->out, one->outp);
        } else {
            memcpy(one->out, one->s[0], bytes);
            memcpy(one->outp, one->sp, bytes);
        }
    }
}

/* Room for one point more at the front; before a first step a point is put behind the only one, as IDA does: the
 * polynomial of order 1 then has the derivative of the start. */
static void shift(rsd_sensitivities *x, const rsd_tangent_step *step)
{
    const int alone = x->points == 1;
    if (alone) x->t[1] = x->t[0] - step->h;
    for (int i = 0; i < x->n; i++) {
        rsd_tangent *one = &x->each[i];
        for (int k = 0; alone && k < x->n_y; k++) one->s[1][k] = one->s[0][k] - step->h * one->sp[k];
        double *last = one->s[RSD_SENSITIVITY_POINTS - 1];
        memmove(one->s + 1, one->s, (RSD_SENSITIVITY_POINTS - 1) * sizeof *one->s);
        one->s[0] = last;
    }
    memmove(x->t + 1, x->t, (RSD_SENSITIVITY_POINTS - 1) * sizeof *x->t);
    x->t[0] = step->end;
    x->points += alone;
    x->points += x->points < RSD_SENSITIVITY_POINTS;
    x->order = step->order;
}

/* --- The iteration --- */

void rsd_tangent_enter(rsd_tangent *one, const rsd_guard *guard)
{
    one->guard.problem = one->by.moved;
    one->guard.message = &one->message;
    rsd_guard_fork(&one->guard, guard);
    one->guard.max_calls = guard->max_calls;
    for (int c = 0; c < RSD_N_CAUSES; c++) one->guard.max_calls -= guard->calls[c];
}

void rsd_tangent_leave(rsd_tangent *one, rsd_guard *guard)
{
    rsd_tally_add(&guard->tally, &one->guard.tally);
    rsd_guard_join(guard, &one->guard);
    rsd_problem_set_meter(one->by.moved, (rsd_meter){.context = NULL});
}

static double rtol_of(const resida_solver_options *o, int i)
{
    return o->rtol_each ? o->rtol_each[i] : o->rtol;
}

/* How large y has been: n components from `first` on, none of them much less than the others. */
static void note_group(rsd_sensitivities *x, const double *y, int first, int n)
{
    double most = 0;
    for (int i = first; i < first + n; i++) most = fmax(most, fabs(y[i]));
    for (int i = first; i < first + n; i++) x->size[i] = fmax(x->size[i], fmax(fabs(y[i]), SMALL * most));
}

static void note_sizes(rsd_sensitivities *x, const rsd_tangent_step *step)
{
    const resida_layout *l = &step->guard->problem->layout;
    for (int i = 0; i < x->n_y; i++) x->size[i] = fmax(x->size[i], fabs(step->y[i]));
    if (l->p < 0) {
        note_group(x, step->y, 0, l->n);
        return;
    }
    note_group(x, step->y, l->p, l->n_p);
    note_group(x, step->y, l->v, l->n_v);
}

/* Weights of the iteration: tolerances are those of y, the absolute one by the size of theta; and what differences
 * leave. */
static void weigh(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step)
{
    const double by = 1 / one->by.scale;
    for (int i = 0; i < x->n_y; i++) {
        const double s = fabs(one->s[0][i]);
        one->size[i] = fmax(one->size[i], s);
        const double tolerance =
            rtol_of(step->o, i) * s + step->o->atol_each[i] * by + OF_DIFFERENCES * fmax(one->size[i], x->size[i] * by);
        x->ewt[i] = 1 / fmax(tolerance, DBL_MIN);
    }
    rsd_newton_weights(step->o->newton_h_weights, step->h, x->n_y, step->guard->problem->kinds, x->ewt, x->w);
}

/* The largest part of its size by which a component of y moves along s. */
static double along(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_step *step)
{
    double most = 0;
    for (int i = 0; i < x->n_y; i++) {
        if (step->guard->problem->kinds[i] >= RESIDA_ALGEBRAIC_2) continue; /* F is linear in what holds constraints */
        const double size = fmax(x->size[i], step->o->atol_each[i] / fmax(rtol_of(step->o, i), DBL_MIN));
        most = fmax(most, fabs(one->s[0][i]) / fmax(size, DBL_MIN));
    }
    return most;
}

static int F_at(rsd_sensitivities *x, const rsd_tangent_step *step, rsd_guard *guard, double d, const double *s,
                const double *sp, double *F)
{
    for (int i = 0; i < x->n_y; i++) {
        x->y[i] = step->y[i] + (s ? d * s[i] : 0);
        x->yp[i] = step->yp[i] + (s ? d * sp[i] : 0);
    }
    guard->cause = RSD_SENSITIVITY;
    x->counts.residual_calls++;
    return rsd_guard_residual(step->t, x->y, x->yp, F, guard);
}

/* R at s[0], sp. */
static int residual(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, double d, const double *sp)
{
    const int apart = d != one->by.delta;
    const int verdict = F_at(x, step, apart ? step->guard : &one->guard, d, one->s[0], sp, x->F);
    for (int i = 0; i < x->n_y && !verdict; i++) x->R[i] = (x->F[i] - step->F[i]) / d + (apart ? x->F_theta[i] : 0);
    return verdict;
}

/* The increment of differences along s; where it is another one than delta F_theta is found apart. */
static int choose(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, double *d)
{
    const double most = along(x, one, step);
    *d = one->by.delta;
    if (most * fabs(*d) <= LONG_CHANGE) return 0;
    *d = SHORT_CHANGE / most;
    const int verdict = F_at(x, step, &one->guard, 0, NULL, NULL, x->F_theta);
    for (int i = 0; i < x->n_y && !verdict; i++) x->F_theta[i] = (x->F_theta[i] - step->F[i]) / one->by.delta;
    return verdict;
}

static double correct(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, double alpha, double *sp)
{
    double sum = 0;
    step->solve(step->self, alpha, x->R);
    for (int i = 0; i < x->n_y; i++) {
        one->s[0][i] += x->R[i];
        sp[i] += alpha * x->R[i];
        sum += x->R[i] * x->w[i] * x->R[i] * x->w[i];
    }
    x->counts.iterations++;
    return sqrt(sum / x->n_y);
}

/* The value at the new point of the polynomial of order q through the last points. */
static void predict(const rsd_sensitivities *x, const rsd_tangent *one, int q, double *s)
{
    double value[RSD_SENSITIVITY_POINTS], slope[RSD_SENSITIVITY_POINTS];
    lagrange(q, x->t + 1, x->t[0], value, slope);
    for (int i = 0; i < x->n_y; i++) s[i] = 0;
    for (int j = 0; j <= q; j++) {
        const double *restrict from = one->s[1 + j];
        for (int i = 0; i < x->n_y; i++) s[i] += value[j] * from[i];
    }
}

/* In the norm of the error test. */
static double tested_size(int n, const resida_kind *kinds, const double *s, const double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += kinds[i] < RESIDA_ALGEBRAIC_2 ? s[i] * w[i] * s[i] * w[i] : 0;
    return sqrt(sum / n);
}

/* 1: the step is much longer than one of those that the predictor is made of. */
static int has_grown(const rsd_sensitivities *x, const rsd_tangent_step *step)
{
    for (int j = 1; j <= step->order; j++)
        if (fabs(step->h) > MUCH_LONGER * fabs(x->t[j] - x->t[j + 1])) return 1;
    return 0;
}

/* The order for s, of y's at the most. Steps that grow after very small ones carry what an iteration has left in them
 * far away, and no error test sees s: there predictors of higher order differ more from each other than those of
 * lower. */
static int order_of(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_step *step)
{
    const resida_kind *kinds = step->guard->problem->kinds;
    double *high = x->y, *low = x->yp, above = INFINITY;
    int q = step->order;
    if (!has_grown(x, step)) return q;
    predict(x, one, q, high);
    for (int k = q; k >= 1; k--) {
        predict(x, one, k - 1, low);
        for (int i = 0; i < x->n_y; i++) high[i] -= low[i];
        const double apart = tested_size(x->n_y, kinds, high, x->w);
        if (k < step->order && !(above > GROWS * apart && above > 1)) break;
        q = k;
        above = apart;
        double *swap = high;
        high = low, low = swap;
    }
    return q;
}

/* alpha h of order k */
static double harmonic(int k)
{
    double sum = 0;
    for (int j = 1; j <= k; j++) sum += 1.0 / j;
    return sum;
}

/* A rate is measured anew now and then, where one correction would do. */
static int is_to_measure(const rsd_tangent *one)
{
    return one->unseen >= MEASURED_AFTER;
}

/* rate/(1 - rate) to begin with. */
static double factor_of(const rsd_tangent *one, const rsd_tangent_step *step)
{
    if (!step->renews || is_to_measure(one)) return NOT_KNOWN;
    const double known = step->factor < NOT_KNOWN ? step->factor : 0, factor = fmax(one->factor, known);
    return factor > 0 ? factor : NOT_KNOWN;
}

/* From the predictor. 0; > 0 it does not converge, or F is not possible; < 0 stop. *norm: of the last correction. */
static int iterate(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, double *norm)
{
    double d, *sp = one->outp, factor = factor_of(one, step), enough = fmax(step->tolerance, TOLERANCE);
    *norm = INFINITY;
    one->unseen++;
    memcpy(one->s[0], one->s[1], (size_t)x->n_y * sizeof *sp); /* for the weights */
    weigh(x, one, step);
    const int q = order_of(x, one, step), is_lower = q < step->order;
    const double alpha = step->alpha * harmonic(q) / harmonic(step->order);
    if (is_lower) factor = NOT_KNOWN;
    evaluate(x, one, 1, q, step->end, one->s[0], sp);
    int verdict = choose(x, one, step, &d);
    for (int m = 0; m < (is_lower ? MORE_CORRECTIONS : MOST_CORRECTIONS) && !verdict; m++) {
        const double last = *norm;
        if ((verdict = residual(x, one, step, d, sp)) != 0) break;
        *norm = correct(x, one, step, alpha, sp);
        if (!isfinite(*norm)) return 1;
        if (m == 0)
            x->counts.error =
                fmax(x->counts.error, tested_size(x->n_y, step->guard->problem->kinds, x->R, x->w) / (q + 1));
        if (m == 0) enough = fmax(enough, fmax(ldexp(ENOUGH, -step->order) * *norm, MORE * one->rounding));
        if (m > 0) {
            const double rate = *norm / last;
            if (rate >= TOO_SLOW && *norm > enough) return 1;
            factor = rate < TOO_SLOW ? rate / (1 - rate) : NOT_KNOWN;
            if (*norm > enough * NEXT_TO_NOTHING && !is_lower) one->factor = factor;
            one->unseen = 0;
        }
        if (factor * *norm <= enough || *norm <= NEXT_TO_NOTHING * enough) return 0;
    }
    return verdict ? verdict : 1;
}

static int give_up(const rsd_tangent *one, const rsd_tangent_step *step)
{
    rsd_guard *g = step->guard;
    if (g->stop < 0) return g->stop;
    return g->stop = rsd_fail(g->message, RESIDA_ERR_NEWTON,
                              "the sensitivity by %s: its corrector iteration does not converge at t = %.9g",
                              one->by.name, step->t);
}

/* 1: J was renewed; step->F is of the very end then. */
static int renew(rsd_sensitivities *x, const rsd_tangent_step *step)
{
    x->counts.setups++;
    return step->renew(step->self) == 0;
}

static int solve_one(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step)
{
    double norm;
    one->rounding *= FADES;
    rsd_tangent_enter(one, step->guard);
    int verdict = iterate(x, one, step, &norm);
    rsd_tangent_leave(one, step->guard);
    if (verdict <= 0) return verdict;
    if (!renew(x, step)) return give_up(one, step);
    rsd_tangent_enter(one, step->guard);
    verdict = iterate(x, one, step, &norm);
    rsd_tangent_leave(one, step->guard);
    if (verdict <= 0) return verdict;
    if (!(norm < RUBBISH)) return give_up(one, step);
    one->rounding =
        fmax(one->rounding, norm); /* the equation is linear, and J that of here: what is left is rounding */
    one->factor = 0;
    x->counts.in_doubt += norm > 1;
    return 0;
}

int rsd_sensitivities_step(rsd_sensitivities *x, rsd_tangent_step *step)
{
    shift(x, step);
    note_sizes(x, step);
    for (int i = 0; i < x->n; i++) {
        const int verdict = solve_one(x, &x->each[i], step);
        if (verdict < 0) return verdict;
    }
    x->steps++;
    return 0;
}
