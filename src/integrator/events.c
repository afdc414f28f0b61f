/* events.c - root functions g_i(t, y(t)) on the interpolant of a step: their first change of sign, also where a
 * function crosses zero twice within the step.
 *
 * A step is looked at in parts [a, b], each at some m within it, too, which is elsewhere from part to part. With C, a
 * bound for the second divided differences around it, a function cannot have crossed zero unseen on a piece of length w
 * between two of these points if
 *
 *     |g(right) - g(left)| >= 2 C w^2    it does not turn round, or
 *     min |g| >= C w^2                   it does, but not as far as to zero: four times as far as a parabola with C
 *                                        would go.
 *
 * Else the part is made shorter. What was long enough is remembered for the next part, which may be twice as long, or
 * four times: where functions are far from zero or straight that is a whole step, at two looks each; a fast oscillation
 * is followed in the parts that it needs, over as many steps as it lasts.
 *
 * A crossing is located by the Illinois method, with a bisection wherever that does not halve the interval in three
 * looks, down to the rounding of t. A function that becomes exactly zero has crossed there. */
#include "events.h"

#include "src/base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_LOOKS = 1000,  /* in a step: a function that needs more cannot be followed */
    LOOKS_TO_HALVE = 3, /* an interval with a crossing; else it is bisected */
    KEPT_VALUES = 3,    /* arrays of values, .. */
    KEPT_SIDES = 3      /* .. and of signs, that a search changes */
};
#define FIRST_PART    0.25 /* of the first step */
#define INSIDE_FROM   0.35 /* of a part: between here .. */
#define INSIDE_WIDTH  0.3  /* .. and so much further on there is a look */
#define UNKNOWN       30.0 /* times a second difference, where none before it is known */
#define TOO_NEAR      0.1  /* of a part: the point before it is too near for differences, .. */
#define TOO_FAR       10   /* .. or too far */
#define EASY          16.0 /* times C and still resolved: the next part may be longer still, as C counts by length^2 */
#define LONGER_PART   2    /* times this one: the next part, where all of this one was resolved, .. */
#define LONGER_EASILY 4    /* .. and where it was easily */
#define SMOOTH        0.1  /* of values, or of their change: what may lie off a parabola */
/* Parts of a part: irregular, so that an oscillation is not met at the same phase. */
static const double checked_at[] = {0.137, 0.713, 0.891};

resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc)
{
    const int n = e->guard->problem->layout.n, n_root = e->n_root = rsd_problem_n_root(e->guard->problem);
    return RSD_DOUBLES(alloc, n_root, &e->band, &e->value, &e->past, &e->inside, &e->end, &e->beyond, &e->checked) &&
                   RSD_INTS(alloc, n_root, &e->side, &e->direction, &e->unseen, &e->given_up, &e->held) &&
                   RSD_DOUBLES(alloc, (long)KEPT_VALUES * n_root, &e->kept_values) &&
                   RSD_INTS(alloc, (long)KEPT_SIDES * n_root, &e->kept_sides) &&
                   RSD_DOUBLES(alloc, n, &e->y, &e->yp, &e->y_0, &e->yp_0)
               ? RESIDA_OK
               : RESIDA_ERR_MEMORY;
}

/* Values at t within the step. */
static int look(rsd_events *e, double t, double *value)
{
    const resida_problem *q = e->guard->problem; /* of a mechanism, yp is for forces of contacts alone */
    double *yp = q->mechanism && !q->layout.rates ? NULL : e->yp;
    e->looks++;
    if (e->dense(e->self, t, e->y, yp)) return e->guard->stop = RESIDA_ERR_INTERNAL;
    return rsd_guard_roots(e->guard, e->origin + t, e->y, yp, value);
}

/* Does function i lie on another side than at e->t? */
static int has_crossed(const rsd_events *e, int i, const double *value)
{
    return e->side[i] != 0 && rsd_sign_of(value[i]) != e->side[i] && fabs(value[i]) > e->band[i];
}

static int any_has_crossed(const rsd_events *e, const double *value)
{
    for (int i = 0; i < e->n_root; i++)
        if (has_crossed(e, i, value)) return 1;
    return 0;
}

/* All up to t is known: *value [n_root] there, which is taken. */
static void accept(rsd_events *e, double t, double **value)
{
    for (int i = 0; i < e->n_root; i++) {
        const double x = (*value)[i];
        e->direction[i] = has_crossed(e, i, *value) ? -e->side[i] : 0;
        e->unseen[i] = e->direction[i] && e->band[i] >= 0;
        if (e->direction[i])
            e->side[i] = e->direction[i];
        else if (fabs(x) > e->band[i])
            e->side[i] = rsd_sign_of(x);
        if (fabs(x) > e->band[i]) e->band[i] = x == 0 ? 0 : RSD_ARMED;
    }
    if (t - e->t >= TOO_NEAR * (e->t - e->before) || e->before == -INFINITY) { /* else the older point tells more */
        rsd_swap_values(&e->past, &e->value);
        e->before = e->t;
    }
    rsd_swap_values(&e->value, value);
    e->t = t;
}

/* No crossing is hidden between a left and a right value, w apart. */
static int is_resolved(double left, double right, double w, double C)
{
    return fabs(right - left) >= 2 * C * w * w || (left * right > 0 && fmin(fabs(left), fabs(right)) >= C * w * w);
}

/* A point at this distance from a part tells of its differences. */
static int is_beside(double gap, double length)
{
    return gap >= TOO_NEAR * length && gap <= TOO_FAR * length;
}

/* Of function i: a bound for second differences in the part from e->t over m to b. */
static double second_differences(const rsd_events *e, int i, double m, double b)
{
    const double slope = (e->inside[i] - e->value[i]) / (m - e->t);
    const double next = (e->end[i] - e->inside[i]) / (b - m), here = (next - slope) / (b - e->t);
    double C = UNKNOWN * fabs(here);
    if (is_beside(e->t - e->before, b - e->t)) {
        const double before = (slope - (e->value[i] - e->past[i]) / (e->t - e->before)) / (m - e->before);
        C = fmax(fabs(here), fabs(before)) + fabs(here - before);
    }
    if (is_beside(e->after - b, b - e->t)) {
        const double after = ((e->beyond[i] - e->end[i]) / (e->after - b) - next) / (e->after - m);
        C = fmax(C, fmax(fabs(here), fabs(after)) + fabs(here - after));
    }
    return C;
}

/* How much of the part is resolved. */
enum { RESOLVED_NONE, RESOLVED_TO_M, RESOLVED_ALL, RESOLVED_EASILY };

static int how_much(const rsd_events *e, double m, double b)
{
    int least = RESOLVED_EASILY;
    for (int i = 0; i < e->n_root; i++) {
        if (e->given_up[i]) continue;
        const double C = second_differences(e, i, m, b), *x = e->value, *y = e->inside, *z = e->end;
        int much = RESOLVED_NONE;
        if (is_resolved(x[i], y[i], m - e->t, C))
            much = is_resolved(y[i], z[i], b - m, C) ? RESOLVED_ALL : RESOLVED_TO_M;
        if (much == RESOLVED_ALL && is_resolved(x[i], y[i], m - e->t, EASY * C) &&
            is_resolved(y[i], z[i], b - m, EASY * C))
            much = RESOLVED_EASILY;
        e->held[i] += much < RESOLVED_EASILY;
        if (much < least) least = much;
    }
    return least;
}

/* Nothing is known of what was before: do values at more points of the part from e->t over m to b lie on parabolas? Few
 * that are taken from an oscillation much faster than the part is long do, by chance. 0; 1 they do not; < 0 stop. */
static int is_doubtful(rsd_events *e, double m, double b)
{
    if (is_beside(e->t - e->before, b - e->t)) return 0;
    for (size_t k = 0; k < sizeof checked_at / sizeof *checked_at; k++) {
        const double t = e->t + checked_at[k] * (b - e->t);
        int verdict = look(e, t, e->checked);
        if (verdict) return verdict;
        for (int i = 0; i < e->n_root; i++) {
            if (e->given_up[i]) continue;
            const double *x = e->value, *y = e->inside, *z = e->end, first = (y[i] - x[i]) / (m - e->t);
            const double second = ((z[i] - y[i]) / (b - m) - first) / (b - e->t);
            const double off = e->checked[i] - (x[i] + (t - e->t) * (first + (t - m) * second));
            const double least = x[i] * z[i] > 0 ? fmin(fabs(x[i]), fabs(z[i])) : 0;
            if (fabs(off) > SMOOTH * fmax(fabs(z[i] - x[i]), least)) return e->held[i]++, 1;
        }
    }
    return 0;
}

/* Where the first of the functions that have crossed at b may have done so, when those at e->t count so much. */
static double estimate(const rsd_events *e, double b, double weight)
{
    double first = b;
    for (int i = 0; i < e->n_root; i++) {
        if (!has_crossed(e, i, e->end)) continue;
        const double zero = e->band[i] > 0 ? -e->side[i] * e->band[i] : 0, end = e->end[i] - zero;
        double part = end / (end - weight * (e->value[i] - zero));
        if (e->end[i] == 0 && weight < 1) part = 0.5; /* it has been zero for a while */
        first = fmin(first, b - (b - e->t) * part);
    }
    return first;
}

/* The first crossing between e->t and b, where there is one with values e->end. */
static int close_in(rsd_events *e, double b, double *t_event)
{
    double weight = 1, width = INFINITY;
    int moved = 0, tries = 0;
    while (b - e->t > rsd_events_rounding(e, b)) {
        const double w = b - e->t, least = rsd_events_rounding(e, b) / 2;
        if (tries++ % LOOKS_TO_HALVE == 0) width = w;
        double t = tries % LOOKS_TO_HALVE == 0 && w > width / 2 ? e->t + w / 2 : estimate(e, b, weight);
        t = fmin(fmax(t, e->t + least), b - least);
        int verdict = look(e, t, e->inside);
        if (verdict) return verdict;
        int is_beyond = any_has_crossed(e, e->inside), side = is_beyond ? 1 : -1;
        weight = moved != side ? 1 : is_beyond ? weight / 2 : weight * 2; /* the end that stays counts less */
        moved = side;
        if (is_beyond) {
            b = t;
            rsd_swap_values(&e->inside, &e->end);
        } else
            accept(e, t, &e->inside);
    }
    accept(e, b, &e->end);
    e->looks = 0;
    *t_event = b;
    return 0;
}

/* The functions that held up the parts most are followed no more in this step: their ends alone are compared. */
static void give_up(rsd_events *e)
{
    int most = 0;
    for (int i = 0; i < e->n_root; i++) most = e->held[i] > most ? e->held[i] : most;
    for (int i = 0; i < e->n_root; i++) {
        e->given_up[i] |= e->held[i] == most;
        e->held[i] = 0;
    }
    e->in_doubt++;
    e->looks = 0;
    e->reach = 0;
}

static int all_are_given_up(const rsd_events *e)
{
    for (int i = 0; i < e->n_root; i++)
        if (!e->given_up[i]) return 0;
    return 1;
}

/* Where a part from e->t ends that is to be looked at, in a step that ends at t_1. */
static double end_of_part(const rsd_events *e, double t_1)
{
    double length = e->reach > 0 ? e->reach : FIRST_PART * e->h;
    if (e->o->event_parts == 0 || all_are_given_up(e)) return t_1;
    length = fmin(length, e->h / e->o->event_parts);
    return e->t + (1 + TOO_NEAR) * length < t_1 ? e->t + length : t_1;
}

/* Looks inside and at the ends of parts are not wanted, or of no more use. */
static int is_by_ends(rsd_events *e, double b)
{
    if (e->o->event_parts == 0) return 1;
    if (e->looks >= MOST_LOOKS) give_up(e);
    return all_are_given_up(e) || b - e->t <= rsd_events_rounding(e, b);
}

/* Go on by a part that ends at *b, of which values are known: *known. Where it was too long there is a new one. */
static int look_at_part(rsd_events *e, double *b, int *known, double *t_event)
{
    const double at = INSIDE_FROM + INSIDE_WIDTH * fmod(RSD_GOLDEN * (double)e->turn++, 1), length = *b - e->t;
    const double m = e->t + at * length;
    int verdict = look(e, m, e->inside);
    if (verdict) return verdict;
    int much = how_much(e, m, *b);
    if (much > RESOLVED_NONE && (verdict = is_doubtful(e, m, *b)) < 0) return verdict;
    if (verdict) much = RESOLVED_NONE;
    *known = much < RESOLVED_ALL;
    if (much == RESOLVED_NONE) {
        rsd_swap_values(&e->end, &e->beyond);
        rsd_swap_values(&e->inside, &e->end);
        e->reach = m - e->t;
        e->after = *b;
        *b = m;
        return 0;
    }
    if (any_has_crossed(e, e->inside)) {
        rsd_swap_values(&e->inside, &e->end);
        return close_in(e, m, t_event);
    }
    accept(e, m, &e->inside);
    if (much == RESOLVED_TO_M) return 0;
    e->reach = fmax(e->reach, (much == RESOLVED_EASILY ? LONGER_EASILY : LONGER_PART) * length);
    if (any_has_crossed(e, e->end)) return close_in(e, *b, t_event);
    accept(e, *b, &e->end);
    return 0;
}

int rsd_events_directions(const rsd_events *e, int *direction)
{
    const int *wanted = e->o->root_directions;
    int any = 0;
    for (int i = 0; i < e->n_root; i++) {
        direction[i] = wanted && wanted[i] == -e->direction[i] ? 0 : e->direction[i];
        any |= direction[i] != 0;
    }
    return any;
}

static int find(rsd_events *e, double t_0, double t_1, double *t_event)
{
    int known = 0, verdict = 0;
    double b = t_1;
    *t_event = INFINITY;
    e->looks = 0;
    e->h = t_1 - t_0;
    if (e->n_root > 0 && !e->is_begun) verdict = rsd_events_begin(e);
    for (int i = 0; i < e->n_root; i++) e->given_up[i] = e->held[i] = 0;
    while (e->n_root > 0 && e->t < t_1 && *t_event == INFINITY && !verdict) {
        const long looks = e->looks;
        if (!known) {
            b = end_of_part(e, t_1);
            e->after = INFINITY;
            verdict = look(e, b, e->end);
        }
        if (verdict) break;
        if (!is_by_ends(e, b)) {
            verdict = look_at_part(e, &b, &known, t_event);
        } else {
            known = 0;
            e->reach = fmax(e->reach, LONGER_PART * (b - e->t)); /* by rounding no part gets shorter for good */
            if (any_has_crossed(e, e->end))
                verdict = close_in(e, b, t_event);
            else
                accept(e, b, &e->end);
        }
        if (*t_event < INFINITY && !rsd_events_directions(e, e->held)) {
            *t_event = INFINITY;
            e->looks = looks + 1; /* there may be more of these than can be followed */
            known = 0;
        }
    }
    return verdict;
}

/* Keep the arrays that a search changes, or restore them. */
static void keep(rsd_events *e, int back)
{
    double *values[KEPT_VALUES] = {e->value, e->past, e->band};
    int *sides[KEPT_SIDES] = {e->side, e->direction, e->unseen};
    const size_t n = (size_t)e->n_root;
    for (size_t k = 0; k < KEPT_VALUES; k++) {
        double *kept = e->kept_values + k * n;
        memcpy(back ? values[k] : kept, back ? kept : values[k], n * sizeof *kept);
    }
    for (size_t k = 0; k < KEPT_SIDES; k++) {
        int *kept = e->kept_sides + k * n;
        memcpy(back ? sides[k] : kept, back ? kept : sides[k], n * sizeof *kept);
    }
}

int rsd_events_find(rsd_events *e, double t_0, double t_1, double *t_event)
{
    const rsd_events before = *e;
    keep(e, 0);
    const int verdict = find(e, t_0, t_1, t_event);
    if (!verdict) return 0;
    *e = before;
    keep(e, 1);
    *t_event = INFINITY;
    return verdict;
}
