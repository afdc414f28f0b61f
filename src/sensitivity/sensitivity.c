/* sensitivity.c - see sensitivity.h. */
#include "sensitivity.h"

#include "src/base/numbers.h"
#include "src/base/vector_ops.h"
#include "src/watch/tolerance.h"
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_CORRECTIONS = 4,
    MOST_RUNGS = 3,        /* by which J is made better */
    MORE_CORRECTIONS = 20, /* with another alpha than that of J */
    STABLE = 2 /* the highest stable order where each step is twice as long as the one before (Grigorieff 1983) */
};
#define TOO_SLOW        0.9  /* rate from which on J is to be better */
#define NEXT_TO_NOTHING 1e-3 /* of the tolerance: such a correction is the last one, whatever the rate */
#define OF_DIFFERENCES  1e-8 /* of sizes: what a difference to one side leaves */
#define LONG_CHANGE     1e-5 /* of the size of y: along a longer delta s differences show how F bends */
#define SHORT_CHANGE    1e-6 /* then along this one */
#define SMALL           1e-3 /* of the largest position, or velocity */
#define RUBBISH         1e3  /* tolerances: corrections of that size that grow, with a J of here, leave nothing */
#define DOUBLES         2.0  /* from correction to correction: rounding of F does not grow, and seldom by chance */
#define MUCH_LONGER     1.5  /* steps: their BDF of high order is not stable */
#define GROWS           2.0  /* differences of predictors, from one order to the next: they are not smooth */
#define IN_VAIN         0.1  /* of the tolerance: such a difference is no reason for the higher order */
#define FADES           0.95 /* of rounding, from step to step */
#define MORE            2.0  /* times the rounding that was seen: no correction gets below it */
#define ENOUGH          0.05 /* of what the step leaves in s. Left errors of order k go on times 2^(k + 1), undamped */
#define ENOUGH_KEPT     0.03 /* with a J that is kept: it errs in all components alike */
#define SURPRISE        8.0  /* times a first correction when a rate was seen */
#define HIDES_BY        64.0 /* of the same */
#define TOLERANCE       0.1  /* of the iteration, at least: s is not in the error test */

/* --- Polynomials through the history --- */

/* Weights of the values and derivatives at t of the polynomial through x_0 .. x_k. */
static rsd_tangent_weights lagrange(int k, const double *x, double t)
{
    rsd_tangent_weights w = {.count = k + 1};
    for (int j = 0; j <= k; j++) {
        double value = 1, slope = 0;
        for (int m = 0; m <= k; m++) {
            if (m == j) continue;
            const double by = 1 / (x[j] - x[m]);
            slope = (slope * (t - x[m]) + value) * by;
            value *= (t - x[m]) * by;
        }
        w.value[j] = value;
        w.slope[j] = slope;
    }
    return w;
}

/* s and s' from the points after `first`. */
static void evaluate(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_weights *w, int first,
                     double *s, double *sp)
{
    rsd_tangent_combine(x->n_y, w->count, w->value, w->slope, one->s + first, s, sp);
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
    const rsd_tangent_weights w = lagrange(x->order, x->t, x->t[0]);
    for (int i = 0; i < x->n && x->points > 1; i++)
        evaluate(x, &x->each[i], &w, 0, x->R, x->each[i].sp); /* R is s[0] */
    x->points = 1;
    x->order = 0;
    x->steps = 0;
}

void rsd_sensitivities_reach(rsd_sensitivities *x, double t)
{
    const size_t bytes = (size_t)x->n_y * sizeof(double);
    const rsd_tangent_weights w = lagrange(x->order, x->t, t);
    for (int i = 0; i < x->n && x->points > 0; i++) {
        rsd_tangent *one = &x->each[i];
        if (x->points > 1) {
            evaluate(x, one, &w, 0, one->out, one->outp);
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

/* The step that was made room for is not solved: it will be told once more. Its predictor needs no point that is lost
 * by that. */
static void shift_back(rsd_sensitivities *x, int points, int order)
{
    for (int i = 0; i < x->n; i++) {
        rsd_tangent *one = &x->each[i];
        double *first = one->s[0];
        memmove(one->s, one->s + 1, (RSD_SENSITIVITY_POINTS - 1) * sizeof *one->s);
        one->s[RSD_SENSITIVITY_POINTS - 1] = first;
    }
    memmove(x->t, x->t + 1, (RSD_SENSITIVITY_POINTS - 1) * sizeof *x->t);
    x->points = points;
    x->order = order;
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
    rsd_calls_set_meter(one->by.moved->calls, (rsd_meter){.context = NULL});
}

/* How large y has been: n components from `first` on, none of them much less than the others. */
static void note_group(rsd_sensitivities *x, const double *y, int first, int n)
{
    double least = 0;
    for (int i = first; i < first + n; i++)
        if (SMALL * fabs(y[i]) > least) least = SMALL * fabs(y[i]);
    for (int i = first; i < first + n; i++)
        if (x->size[i] < least) x->size[i] = least;
}

static void note_sizes(rsd_sensitivities *x, const rsd_tangent_step *step)
{
    const resida_layout *l = &step->guard->problem->layout;
    rsd_tangent_note(x->n_y, step->y, x->size);
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
    rsd_tangent_note(x->n_y, one->s[0], one->size);
    const rsd_tangent_tolerance t = {x->rtol, step->o->atol_each, one->size,
                                     x->size, 1 / one->by.scale,  OF_DIFFERENCES};
    rsd_tangent_weigh(x->n_y, &t, one->s[0], x->ewt);
    rsd_newton_weights(step->o->newton_h_weights, step->h, x->n_y, step->guard->problem->kinds, x->ewt, x->w);
}

/* The largest part of its size by which a component of y moves along s. */
static double along(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_step *step)
{
    double most = 0;
    for (int i = 0; i < x->n_y; i++) {
        const double s = fabs(one->s[0][i]);
        if (s <= most * x->size[i] || step->guard->problem->kinds[i] >= RESIDA_ALGEBRAIC_2)
            continue; /* F is linear in what holds constraints */
        const double size = fmax(x->size[i], step->o->atol_each[i] / fmax(x->rtol[i], DBL_MIN));
        most = fmax(most, s / fmax(size, DBL_MIN));
    }
    return most;
}

static int F_at(rsd_sensitivities *x, const rsd_tangent_step *step, rsd_guard *guard, double d, const double *s,
                const double *sp, double *F)
{
    guard->cause = RSD_SENSITIVITY;
    x->counts.residual_calls++;
    if (s) rsd_tangent_move(x->n_y, step->y, d, s, x->y);
    if (s) rsd_tangent_move(x->n_y, step->yp, d, sp, x->yp);
    return rsd_guard_residual(step->t, s ? x->y : step->y, s ? x->yp : step->yp, F, guard);
}

/* R at s[0], sp. */
static int residual(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, double d, const double *sp)
{
    const int apart = d != one->by.delta;
    const int verdict = F_at(x, step, apart ? step->guard : &one->guard, d, one->s[0], sp, x->F);
    if (!verdict) rsd_tangent_difference(x->n_y, x->F, step->F, d, apart ? x->F_theta : NULL, x->R);
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
    step->solve(step->self, alpha, x->R);
    x->counts.iterations++;
    return sqrt(rsd_tangent_correct(x->n_y, x->R, alpha, x->w, one->s[0], sp) / x->n_y);
}

/* The value at the new point of the polynomial of order q through the last points; R is taken. */
static void predict(const rsd_sensitivities *x, const rsd_tangent *one, int q, double *s)
{
    const rsd_tangent_weights w = lagrange(q, x->t + 1, x->t[0]);
    evaluate(x, one, &w, 1, s, x->R);
}

/* In the norm of the error test. */
static double tested_size(const rsd_sensitivities *x, const double *s)
{
    return sqrt(rsd_vector_masked(s, x->w, x->tested, x->n_y) / x->n_y);
}

/* 1: the step is much longer than one of those that the predictor is made of. */
static int has_grown(const rsd_sensitivities *x, const rsd_tangent_step *step)
{
    for (int j = 1; j <= step->order; j++)
        if (fabs(step->h) > MUCH_LONGER * fabs(x->t[j] - x->t[j + 1])) return 1;
    return 0;
}

/* The order for s, of y's at the most. Steps that grow after very small ones carry what an iteration has left in them
 * far away, four times as far from step to step, and no error test sees s. So a higher order has to be needed there,
 * and what it adds to be smooth: where it is not, predictors of higher order differ more from each other than those of
 * lower. */
static int order_of(const rsd_sensitivities *x, const rsd_tangent *one, const rsd_tangent_step *step)
{
    double *high = x->y, *low = x->yp, above = INFINITY;
    int q = step->order;
    if (!has_grown(x, step)) return q;
    predict(x, one, q, high);
    for (int k = q; k >= 1; k--) {
        predict(x, one, k - 1, low);
        for (int i = 0; i < x->n_y; i++) high[i] -= low[i];
        const double apart = tested_size(x, high);
        const int is_needed = above > IN_VAIN, is_smooth = above <= fmax(GROWS * apart, 1);
        if (k < step->order && (is_needed ? is_smooth : k < STABLE)) break;
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

/* What a last correction may leave, by rate/(1 - rate) of itself: in all components, and in those that are in the error
 * test, which multipliers dwarf. */
typedef struct enough {
    double all, tested;
} enough;

/* A first correction is known, and its norms. It has about (k + 1) times what the step leaves in s; more than a part of
 * that the iteration need not reach. */
static enough enough_for(const rsd_tangent *one, const rsd_tangent_step *step, int q, double norm, double tested)
{
    const double least = fmax(fmax(step->tolerance, TOLERANCE), MORE * one->rounding);
    const double part = (step->J.policy->renews ? ENOUGH : ENOUGH_KEPT) / (q + 1);
    return (enough){fmax(least, part * norm), fmax(least, part * tested)};
}

/* A first correction of quite another size than when a rate was seen: J may have become a wrong one, too soft, or so
 * stiff that it hides all that is to be corrected. */
static int is_surprising(const rsd_tangent *one, double norm)
{
    return norm > SURPRISE * fmax(one->seen, 1) || HIDES_BY * norm < one->seen;
}

/* Of the last correction: its size, and that as a part of the one before. */
typedef struct last {
    double norm, rate;
} last;

/* From the predictor. 0; > 0 it does not converge, or F is not possible; < 0 stop. */
static int iterate(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, last *l)
{
    double d, *sp = one->outp;
    enough e = {0, 0};
    *l = (last){INFINITY, INFINITY};
    memcpy(one->s[0], one->s[1], (size_t)x->n_y * sizeof *sp); /* for the weights */
    weigh(x, one, step);
    const int q = order_of(x, one, step), is_lower = q < step->order;
    const double alpha = step->alpha * harmonic(q) / harmonic(step->order);
    double factor = is_lower ? RSD_RATE_NOT_KNOWN : rsd_tangent_rate_expect(&one->rate, &step->J);
    const rsd_tangent_weights w = is_lower ? lagrange(q, x->t + 1, step->end) : x->predictor;
    evaluate(x, one, &w, 1, one->s[0], sp);
    int verdict = choose(x, one, step, &d);
    for (int m = 0; m < (is_lower ? MORE_CORRECTIONS : MOST_CORRECTIONS) && !verdict; m++) {
        const double before = l->norm;
        if ((verdict = residual(x, one, step, d, sp)) != 0) break;
        l->norm = correct(x, one, step, alpha, sp);
        if (!isfinite(l->norm)) return 1;
        const double tested = tested_size(x, x->R);
        if (m == 0) {
            x->counts.error = fmax(x->counts.error, tested / (q + 1));
            e = enough_for(one, step, q, l->norm, tested);
            if (is_surprising(one, l->norm)) continue;
        } else {
            const double rate = l->rate = l->norm / before;
            if (rate >= TOO_SLOW && l->norm > e.all) return 1;
            factor = rate < TOO_SLOW ? rate / (1 - rate) : RSD_RATE_NOT_KNOWN;
            if (m == 1 && !is_lower) rsd_tangent_rate_see(&one->rate, &step->J, rate);
            if (m == 1) one->seen = before;
        }
        if (factor * l->norm <= e.all && factor * tested <= e.tested) return 0;
        if (l->norm <= NEXT_TO_NOTHING * e.all && tested <= NEXT_TO_NOTHING * e.tested) return 0;
    }
    return verdict ? verdict : 1;
}

/* Why F was not possible when it was asked for last: of the moved problem, or of the solver's own. */
static int give_up_on(const rsd_guard *failed, const rsd_tangent *one, const rsd_tangent_step *step)
{
    char what[RSD_FAULT_TEXT];
    const int is_refused = failed->last == RSD_REFUSED;
    rsd_problem_fault_text(failed->problem, &failed->problem->calls->fault, what, sizeof what);
    return step->guard->stop =
               rsd_fail(step->guard->message, is_refused ? RESIDA_ERR_USER_REPEATED : RESIDA_ERR_NONFINITE,
                        "the sensitivity by %s: %s %s near the end of a step, t = %.9g", one->by.name, what,
                        is_refused ? "is not possible" : "is NaN or Inf", step->t);
}

static int give_up(const rsd_tangent *one, const rsd_tangent_step *step)
{
    rsd_guard *g = step->guard;
    if (g->stop < 0) return g->stop;
    if (one->guard.last != RSD_FINE) return give_up_on(&one->guard, one, step);
    if (g->last != RSD_FINE) return give_up_on(g, one, step);
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

static int solve_with_J(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step, last *l)
{
    rsd_tangent_enter(one, step->guard);
    const int verdict = iterate(x, one, step, l);
    rsd_tangent_leave(one, step->guard);
    return verdict;
}

/* J is made better as long as it can be, by rungs: the first one may cost no residual call, and change nothing. */
static int solve_one(rsd_sensitivities *x, rsd_tangent *one, const rsd_tangent_step *step)
{
    last l;
    one->rounding *= FADES;
    one->rate.unseen++;
    int verdict = solve_with_J(x, one, step, &l);
    for (int rung = 0; verdict > 0 && (rung == 0 || !step->J.facts->J.current) && rung < MOST_RUNGS; rung++) {
        if (!renew(x, step)) return give_up(one, step);
        verdict = solve_with_J(x, one, step, &l);
    }
    if (verdict <= 0) return verdict;
    if (!(l.norm < RUBBISH || l.rate < DOUBLES)) return give_up(one, step);
    one->rounding =
        fmax(one->rounding, l.norm); /* the equation is linear, and J that of here: what is left is rounding */
    one->rate = (rsd_tangent_rate){.factor = 0};
    x->counts.error = fmax(x->counts.error, l.norm);
    x->counts.in_doubt += l.norm > 1;
    return 0;
}

int rsd_sensitivities_step(rsd_sensitivities *x, rsd_tangent_step *step)
{
    const int points = x->points, order = x->order;
    int verdict = 0;
    shift(x, step);
    note_sizes(x, step);
    x->predictor = lagrange(step->order, x->t + 1, step->end);
    for (int i = 0; i < x->n && !verdict; i++) verdict = solve_one(x, &x->each[i], step);
    if (verdict)
        shift_back(x, points, order);
    else
        x->steps++;
    return verdict;
}
