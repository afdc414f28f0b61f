/* events.c - finds the first sign change of the root functions g_i(t, y(t)) on the interpolant of a step. It also finds
 * a function that crosses zero twice within the step.
 *
 * A step is searched in parts [a, b]. Each part is also sampled at an interior point m, whose relative position varies
 * from part to part. Let C be a bound of the second divided differences near the part, and let w be the length of the
 * piece between two adjacent samples. A crossing on this piece is excluded if
 *
 *     |g(right) - g(left)| >= 2 C w^2    g is monotone on the piece, or
 *     min |g| >= C w^2                   g has an extremum, but does not reach zero: the bound is four times the
 *                                        deviation of a parabola with C.
 *
 * Otherwise the part is shortened to end at m. The next part may be twice as long. A function that is far from zero or
 * nearly linear takes one part, with two evaluations, for each step. A fast oscillation takes more parts, in each step
 * in which it lasts.
 *
 * A crossing is located to the rounding of t by the Illinois method. A bisection follows if three evaluations have not
 * halved the interval. A function that becomes exactly zero is counted as crossing at that time. */
#include "events.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MAX_EVALUATIONS = 1000,  /* evaluations in a step after which the search for the costliest functions stops */
    EVALUATIONS_TO_HALVE = 3 /* maximum evaluations per halving of an interval without bisection */
};
#define FIRST_PART         0.25 /* length of the first searched part, relative to the first step */
#define INSIDE_FROM        0.35 /* minimum position of the interior point, relative to its part */
#define INSIDE_WIDTH       0.3  /* range of the position of the interior point, relative to its part */
#define FIRST_BOUND_FACTOR 30.0 /* bound C without a past value, relative to the second difference of the part */
#define MIN_PAST_DISTANCE  0.1  /* minimum distance of a usable past value, in part lengths */
#define MAX_PAST_DISTANCE  10   /* maximum distance of a usable past value, in part lengths */
#define MAX_PART_RATIO     2    /* maximum ratio of successive part lengths; 3 misses 20 % of fast oscillations */
#define MAX_DEVIATION      0.1  /* maximum deviation of g from a parabola, relative to g or its change in the part */
/* Fractions of a part at which a parabola is checked: irregular, to sample an oscillation at different phases. */
static const double checked_at[] = {0.137, 0.713, 0.891};

resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc)
{
    const int n = e->guard->problem->layout.n, n_root = e->n_root = rsd_problem_get_n_root(e->guard->problem);
    e->t_event = INFINITY;
    e->known.root = rsd_calloc(alloc, n_root, sizeof *e->known.root);
    e->next.root = rsd_calloc(alloc, n_root, sizeof *e->next.root);
    return e->known.root && e->next.root &&
                   RSD_DOUBLES(alloc, n_root, &e->inside, &e->end, &e->other, &e->unchanged, &e->error) &&
                   RSD_INTS(alloc, n_root, &e->search_stopped, &e->num_shortened) &&
                   RSD_DOUBLES(alloc, n, &e->y, &e->yp, &e->start.y, &e->start.yp, &e->start.rate)
               ? RESIDA_OK
               : RESIDA_ERR_MEMORY;
}

/* Evaluate the root functions at time t within the step into value [n_root]. Return 0, or < 0 on a fatal error. */
static int eval_roots(rsd_events *e, double t, double *value)
{
    const resida_problem *q = e->guard->problem; /* root functions of a mechanism use yp only if it contains lam */
    double *yp = q->mechanism && !q->layout.rates ? NULL : e->yp;
    e->num_evaluations++;
    if (e->dense(e->self, t, e->y, yp)) return e->guard->stop = RESIDA_ERR_INTERNAL;
    return rsd_guard_eval_roots(e->guard, e->origin + t, e->y, yp, value);
}

/* Return 1 if root function r, whose present value is `value`, has crossed zero since the end of the searched part. */
static int has_root_crossed(const rsd_root *r, double value)
{
    return r->side != 0 && rsd_get_sign(value) != r->side && fabs(value) > r->band;
}

static int has_any_root_crossed(const rsd_events *e, const double *value)
{
    for (int i = 0; i < e->n_root; i++)
        if (has_root_crossed(&e->next.root[i], value[i])) return 1;
    return 0;
}

static void accept_root_value(rsd_root *r, double value)
{
    r->direction = has_root_crossed(r, value) ? -r->side : 0;
    r->is_return = r->direction && r->band >= 0;
    if (r->direction)
        r->side = r->direction;
    else if (fabs(value) > r->band)
        r->side = rsd_get_sign(value);
    if (fabs(value) > r->band) r->band = value == 0 ? 0 : RSD_ARMED;
}

/* Extend the searched part of the motion to time t, where the root functions have the values value [n_root]. */
static void extend_known_part(rsd_events *e, double t, const double *value)
{
    rsd_known_events *x = &e->next;
    const int is_past =
        t - x->t >= MIN_PAST_DISTANCE * (x->t - x->before) || x->before == -INFINITY; /* else the past value is kept */
    for (int i = 0; i < e->n_root; i++) {
        accept_root_value(&x->root[i], value[i]);
        if (is_past) x->root[i].past = x->root[i].value;
        x->root[i].value = value[i];
    }
    if (is_past) x->before = x->t;
    x->t = t;
}

/* Return 1 if the bound C of second differences excludes a crossing between two samples at a distance w. */
static int is_crossing_impossible(double left, double right, double w, double C)
{
    return fabs(right - left) >= 2 * C * w * w || (left * right > 0 && fmin(fabs(left), fabs(right)) >= C * w * w);
}

/* Return 1 if the past value of g can be used in differences for the part that ends at t_end: its distance must be
 * between MIN_PAST_DISTANCE and MAX_PAST_DISTANCE parts. */
static int has_usable_past_value(const rsd_known_events *x, double t_end)
{
    const double gap = (x->t - x->before) / (t_end - x->t);
    return gap >= MIN_PAST_DISTANCE && gap <= MAX_PAST_DISTANCE;
}

/* Return the bound C of second differences of function i, on the part with interior point t_inside and end t_end. */
static double bound_second_differences(const rsd_events *e, int i, double t_inside, double t_end)
{
    const rsd_known_events *x = &e->next;
    const rsd_root *r = &x->root[i];
    const double slope = (e->inside[i] - r->value) / (t_inside - x->t);
    const double here = ((e->end[i] - e->inside[i]) / (t_end - t_inside) - slope) / (t_end - x->t);
    if (!has_usable_past_value(x, t_end)) return FIRST_BOUND_FACTOR * fabs(here);
    const double before = (slope - (r->value - r->past) / (x->t - x->before)) / (t_inside - x->before);
    return fmax(fabs(here), fabs(before)) + fabs(here - before);
}

/* Return 1 if the bounds C exclude a crossing of every searched function before t_inside and from there to t_end. */
static int is_part_free_of_crossings(rsd_events *e, double t_inside, double t_end)
{
    int all = 1;
    for (int i = 0; i < e->n_root; i++) {
        const double C = bound_second_differences(e, i, t_inside, t_end), y = e->inside[i];
        if (e->search_stopped[i] || (is_crossing_impossible(e->next.root[i].value, y, t_inside - e->next.t, C) &&
                                     is_crossing_impossible(y, e->end[i], t_end - t_inside, C)))
            continue;
        e->num_shortened[i]++;
        all = 0;
    }
    return all;
}

/* If there is no usable past value, check that the functions at three more points of the part lie on the parabolas
 * through the known samples. Three samples of a fast oscillation may satisfy the bound by chance. Return 0 if all
 * points lie on parabolas or need no check, 1 if not, < 0 on a fatal error. */
static int check_parabolas(rsd_events *e, double t_inside, double t_end)
{
    const double a = e->next.t;
    for (size_t k = 0; k < sizeof checked_at / sizeof *checked_at && !has_usable_past_value(&e->next, t_end); k++) {
        const double t = a + checked_at[k] * (t_end - a);
        int verdict = eval_roots(e, t, e->other);
        if (verdict) return verdict;
        for (int i = 0; i < e->n_root; i++) {
            if (e->search_stopped[i]) continue;
            const double x = e->next.root[i].value, z = e->end[i], first = (e->inside[i] - x) / (t_inside - a);
            const double second = ((z - e->inside[i]) / (t_end - t_inside) - first) / (t_end - a);
            const double off = e->other[i] - (x + (t - a) * (first + (t - t_inside) * second));
            const double min = x * z > 0 ? fmin(fabs(x), fabs(z)) : 0;
            if (fabs(off) > MAX_DEVIATION * fmax(fabs(z - x), min)) return e->num_shortened[i]++, 1;
        }
    }
    return 0;
}

/* Return an estimate of the first zero of the functions that have crossed before t_end, by linear interpolation.
 * `weight` multiplies their values at the end of the searched part (Illinois method). */
static double estimate_zero(const rsd_events *e, double t_end, double weight)
{
    double first = t_end;
    for (int i = 0; i < e->n_root; i++) {
        const rsd_root *r = &e->next.root[i];
        if (!has_root_crossed(r, e->end[i])) continue;
        const double zero = r->band > 0 ? -r->side * r->band : 0, end = e->end[i] - zero;
        double part = end / (end - weight * (r->value - zero));
        if (e->end[i] == 0 && weight < 1) part = 0.5; /* the function may have been zero before t_end */
        first = fmin(first, t_end - (t_end - e->next.t) * part);
    }
    return first;
}

/* Locate the first crossing in the part that ends at t_end, and set *t_event. e->end has the values at t_end, where at
 * least one function has crossed. Return 0, or < 0 on a fatal error. */
static int locate_crossing(rsd_events *e, double t_end, double *t_event)
{
    double weight = 1, width = INFINITY;
    int moved = 0, tries = 0;
    while (t_end - e->next.t > rsd_events_get_rounding(e, t_end)) {
        const double w = t_end - e->next.t, min = rsd_events_get_rounding(e, t_end) / 2;
        if (tries++ % EVALUATIONS_TO_HALVE == 0) width = w;
        double t =
            tries % EVALUATIONS_TO_HALVE == 0 && w > width / 2 ? e->next.t + w / 2 : estimate_zero(e, t_end, weight);
        t = fmin(fmax(t, e->next.t + min), t_end - min);
        int verdict = eval_roots(e, t, e->inside);
        if (verdict) return verdict;
        int is_beyond = has_any_root_crossed(e, e->inside), side = is_beyond ? 1 : -1;
        weight = moved != side ? 1 : is_beyond ? weight / 2 : weight * 2; /* a value that is kept is halved */
        moved = side;
        if (is_beyond) {
            t_end = t;
            rsd_swap_values(&e->inside, &e->end);
        } else
            extend_known_part(e, t, e->inside);
    }
    extend_known_part(e, t_end, e->end);
    e->num_evaluations = 0;
    *t_event = t_end;
    return 0;
}

/* If a function has crossed before t_end, where the values are e->end, locate the crossing. Otherwise extend the
 * searched part to t_end. Return 0, or < 0 on a fatal error. */
static int accept_or_locate(rsd_events *e, double t_end, double *t_event)
{
    if (has_any_root_crossed(e, e->end)) return locate_crossing(e, t_end, t_event);
    extend_known_part(e, t_end, e->end);
    return 0;
}

/* Stop the search for the functions for which parts of the step were shortened most often. Only the values of these
 * functions at both ends of the step are then compared. */
static void stop_function_search(rsd_events *e)
{
    int max = 0;
    for (int i = 0; i < e->n_root; i++) max = e->num_shortened[i] > max ? e->num_shortened[i] : max;
    for (int i = 0; i < e->n_root; i++) {
        e->search_stopped[i] |= e->num_shortened[i] == max;
        e->num_shortened[i] = 0;
    }
    e->next.num_stopped_searches++;
    e->num_evaluations = 0;
    e->next.reach = e->h;
}

static int are_all_searches_stopped(const rsd_events *e)
{
    for (int i = 0; i < e->n_root; i++)
        if (!e->search_stopped[i]) return 0;
    return 1;
}

/* Return the end of the next part of the step. The step ends at t_1. */
static double choose_part_end(const rsd_events *e, double t_1)
{
    const double reach = e->next.reach > 0 ? e->next.reach : FIRST_PART * e->h;
    if (are_all_searches_stopped(e)) return t_1;
    const double length = fmin(reach, e->h / e->o->event_parts);
    return e->next.t + (1 + MIN_PAST_DISTANCE) * length < t_1 ? e->next.t + length : t_1;
}

/* Return 1 if only values of g at the ends of the part are compared, because its interior is not searched. */
static int uses_end_values_only(rsd_events *e, double t_end)
{
    if (e->num_evaluations >= MAX_EVALUATIONS) stop_function_search(e);
    return are_all_searches_stopped(e) || t_end - e->next.t <= rsd_events_get_rounding(e, t_end);
}

/* Search the next part of the step. The part ends at t_end, or earlier if a crossing within it cannot be excluded. If a
 * crossing is found, set *t_event. Return 0, or < 0 on a fatal error. */
static int search_part(rsd_events *e, double t_end, double *t_event)
{
    rsd_known_events *x = &e->next;
    int verdict = eval_roots(e, t_end, e->end);
    while (verdict >= 0) {
        const double length = t_end - x->t;
        if (uses_end_values_only(e, t_end)) {
            x->reach =
                fmax(x->reach, MAX_PART_RATIO * length); /* rounding must not permanently shorten the following parts */
            return accept_or_locate(e, t_end, t_event);
        }
        const double t_inside = x->t + (INSIDE_FROM + INSIDE_WIDTH * fmod(RSD_GOLDEN * (double)x->parts++, 1)) * length;
        if ((verdict = eval_roots(e, t_inside, e->inside)) < 0) break;
        verdict = is_part_free_of_crossings(e, t_inside, t_end) ? check_parabolas(e, t_inside, t_end) : 1;
        if (verdict == 0 && !has_any_root_crossed(e, e->inside)) {
            extend_known_part(e, t_inside, e->inside);
            x->reach = fmax(x->reach, MAX_PART_RATIO * length);
            return accept_or_locate(e, t_end, t_event);
        }
        rsd_swap_values(&e->inside, &e->end);
        if (verdict == 0) return locate_crossing(e, t_inside, t_event);
        x->reach = t_inside - x->t;
        t_end = t_inside;
    }
    return verdict;
}

/* Set direction [n_root] (may be NULL) to the directions of the crossings that the option root_directions selects, and
 * to 0 for other functions. Return 1 if a crossing is selected, else 0. */
static int get_selected_directions(const rsd_events *e, const rsd_root *root, int *direction)
{
    const int *wanted = e->o->root_directions;
    int any = 0;
    for (int i = 0; i < e->n_root; i++) {
        const int is_wanted = !wanted || wanted[i] != -root[i].direction;
        if (direction) direction[i] = is_wanted ? root[i].direction : 0;
        any |= is_wanted && root[i].direction != 0;
    }
    return any;
}

int rsd_events_get_directions(const rsd_events *e, int *direction)
{
    return get_selected_directions(e, e->known.root, direction);
}

/* Search the step up to t_1 or to a selected event, whose time is set in *t_event. Return 0, or < 0 on a fatal
 * error. */
static int search_events_in_step(rsd_events *e, double t_1, double *t_event)
{
    int verdict = e->next.is_begun ? 0 : rsd_events_set_sides(e, 1);
    e->num_evaluations = 0;
    for (int i = 0; i < e->n_root; i++) e->search_stopped[i] = e->o->event_parts == 0;
    memset(e->num_shortened, 0, (size_t)e->n_root * sizeof *e->num_shortened);
    while (e->next.t < t_1 && *t_event == INFINITY && !verdict) {
        const long evaluations = e->num_evaluations;
        verdict = search_part(e, choose_part_end(e, t_1), t_event);
        if (*t_event < INFINITY && !get_selected_directions(e, e->next.root, NULL)) {
            *t_event = INFINITY;
            e->num_evaluations = evaluations + 1; /* a crossing that the user did not select counts as one evaluation */
        }
    }
    return verdict;
}

void rsd_events_begin_search(rsd_events *e)
{
    rsd_root *root = e->next.root;
    e->next = e->known;
    e->next.root = memcpy(root, e->known.root, (size_t)e->n_root * sizeof *root);
}

/* Set the margin of each open contact to zero after its gap has exceeded twice the margin. It then closes at gap 0. */
static void drop_margins(rsd_events *e)
{
    rsd_unilateral *contacts = &e->guard->problem->contacts;
    for (int i = 0; i < contacts->given.n; i++) {
        rsd_root *root = &e->known.root[contacts->given.first + i];
        const double margin = contacts->margin[i];
        if (contacts->closed[i] || margin == 0 || root->value <= 2 * margin + contacts->tolerance[i]) continue;
        root->value -= margin, root->past -= margin;
        contacts->margin[i] = 0;
    }
}

void rsd_events_end_search(rsd_events *e)
{
    const rsd_known_events known = e->next;
    e->next = e->known;
    e->known = known;
    drop_margins(e);
}

resida_status rsd_events_find_next(rsd_events *e, double t_0, double t_1, double from, double t_out, double *t)
{
    double t_event = INFINITY;
    if (e->n_root > 0 && e->t_event == INFINITY && e->known.t < t_1) {
        e->h = t_1 - t_0;
        rsd_events_begin_search(e);
        if (search_events_in_step(e, t_1, &t_event)) return e->guard->stop;
        rsd_events_end_search(e);
        e->t_event = t_event;
    }
    if (!(e->t_event <= fmin(t_out, t_1))) return RESIDA_OK;
    *t = fmax(e->t_event, from); /* the event can be earlier than `from` if the last call failed */
    e->t_event = INFINITY;
    return RESIDA_EVENT;
}

int rsd_events_compare_values(rsd_events *e, double t)
{
    rsd_known_events *x = &e->known;
    if (e->n_root == 0 || !x->is_begun || x->t != t || !rsd_events_get_directions(e, NULL)) return 0;
    const int verdict = eval_roots(e, t, e->end);
    for (int i = 0; i < e->n_root && !verdict; i++) {
        const double g = e->end[i];
        if (fabs(g - x->root[i].value) <= fmax(x->root[i].band, 0)) continue;
        x->root[i] = (rsd_root){.value = g, .past = g, .band = RSD_ARMED, .side = rsd_get_sign(g)};
        x->before = -INFINITY;
    }
    return verdict;
}

int rsd_events_take_event(rsd_events *e, double t)
{
    const int is_due = e->t_event <= t;
    if (is_due) e->t_event = INFINITY;
    return is_due;
}
