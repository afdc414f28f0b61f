/* scales.c - see scales.h. */
#include "mechanism_impl.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TRIAL_PART       0.0887 /* increment of a trial, relative to its length; not a simple fraction of a period */
#define TRIAL_RATIO      0.125  /* length of the next trial, relative to one with too large a bend */
#define FIRST_LINE_TRIAL 16     /* length of the first trial of a line, relative to the length of the last search */
#define MAX_LENGTH       256    /* maximum length L that a trial resolves, relative to the length of the trial */
#define MAX_BEND         0.01   /* maximum nonlinearity (h/L)^2/16 at which quotients with h and h/2 count as equal */
#define THIRD_TOL        0.1    /* maximum relative difference of third derivatives that count as equal */
#define BEND_BEFORE                                                                                                    \
    (4 * MAX_BEND * TRIAL_RATIO * TRIAL_RATIO) /* maximum nonlinearity if x''' is equal in two successive trials */
#define LENGTH_FACTOR      1.4    /* factor of the length with which truncation and rounding errors are equal */
#define UNSEEN             (-2.0) /* value of a bend: the function does not change */
#define UNRESOLVED         (-1.0) /* value of a bend: rounding errors hide it */
#define X_ROUNDINGS        32     /* rounding error of the function [eps]; smaller changes are not detected */
#define QUOTIENT_ERROR     16     /* maximum error of a quotient with the final increment h, relative to (h/L)^2 */
#define SECOND_ROUNDINGS   32     /* rounding errors of the difference of second differences with 3 h and h */
#define TRIAL_ERROR        0.7    /* maximum error of a quotient in a trial, relative to (h/L)^2 and the slope */
#define LINE_ERROR         0.05   /* maximum error of a quotient in a trial of a line, relative to its slope */
#define MAX_INCREMENT_PART 0.05   /* maximum increment, relative to the length */
#define FIRST_REACH        0.5    /* rsd_scale_search.far after a search that has changed a length */
#define MAX_REACH          16     /* maximum of rsd_scale_search.far, which doubles if no length has changed */
#define MAX_SPEED_RATIO    2      /* increase of the speed max |p'| of a line that requires a new search */
#define GRID_FACTOR        8      /* increments are multiples of the rounding of GRID_FACTOR times the coordinate */
#define TERMS_DISPLACEMENT 1e-4   /* relative displacement of p with which the size of the terms is measured */
#define MAX_LENGTH_RATIO   4      /* maximum ratio of two lengths that count as equal */
enum { MAX_TRIALS = 24, MAX_VAIN_SEARCHES = 3, SLOPE_PLACES = 4 }; /* of a search; without a change; of a trial */

/* Displacements in a trial, and in the check of the final increment, in increments h. */
static const double of_trial[SLOPE_PLACES] = {1, -1, 0.5, -0.5}, of_check[SLOPE_PLACES] = {1, -1, 3, -3};

/* Search for the characteristic length of a line, or of each of several columns that are displaced together. */
typedef struct probe {
    rsd_mechanism *k;
    rsd_eval_fn *x; /* function x; g for a line */
    int rows;       /* number of rows of x */
    double t;       /* point (t, p) of the search */
    const double *p;
    const double *rate; /* p' of a line; NULL: time at fixed p, or columns */
    const int *columns; /* columns whose lengths are searched; NULL: a line */
    int n;              /* number of unknown lengths: that of the columns, or 1 for a line */
    rsd_scale *scale;   /* scales of all columns, or of the line */
    double dt;          /* increment h of a line, in time; columns: 0 */
    double largest;     /* maximum over the rows of |x(0)| + |x(h)| + |x(-h)| in a trial */
} probe;

double rsd_round_to_exact_step(double at, double size)
{
    const double grid = GRID_FACTOR * fabs(at);
    volatile double up = grid + size;
    return up > grid ? up - grid : 2 * DBL_EPSILON * grid;
}

double rsd_scale_get_increment(const rsd_scale *s, double at, double power)
{
    const double part = s->length > 0 ? s->part : RSD_CUBE_ROOT_EPS;
    return (s->length > 0 ? s->length : fmax(1, fabs(at))) * (power == 1 ? part : pow(part, power));
}

double rsd_scales_get_factor(const rsd_mechanism *k, const double *p, int c)
{
    const rsd_scale *s = k->gp_groups.scale ? &k->gp_groups.scale[c] : NULL;
    if (!s || !s->is_seen) return 1;
    return (s->is_bent ? s->length : fmax(1, fmin(s->length, rsd_max_norm(p, k->m.n_p)))) / fmax(1, fabs(p[c]));
}

static rsd_scale *get_scale(const probe *x, int u)
{
    return &x->scale[x->columns ? x->columns[u] : 0];
}

double rsd_scales_estimate_error(const rsd_mechanism *k, const double *p)
{
    double error = 0;
    for (int c = 0; c < k->m.n_p && k->gp_groups.scale; c++) {
        const rsd_scale *s = &k->gp_groups.scale[c];
        const double of_p = DBL_EPSILON * fabs(p[c]) / rsd_scale_get_increment(s, p[c], 1), of_g = s->part * s->part;
        error = fmax(error, fmax(of_p, of_g));
    }
    return error;
}

/* Set the increment of column u, or of a line in time, to about `size`, or to 0 if size is 0. */
static void set_displacement(probe *x, int u, double size)
{
    double *move = x->k->probe.move;
    if (x->columns) {
        const int c = x->columns[u];
        move[c] = size > 0 ? rsd_round_to_exact_step(x->p[c], size) : 0;
        return;
    }
    x->dt = size > 0 ? rsd_round_to_exact_step(x->t, size) : 0;
    for (int i = 0; i < x->k->m.n_p; i++) move[i] = x->rate ? x->dt * x->rate[i] : 0;
}

static double get_increment_of_unknown(const probe *x, int u)
{
    return x->columns ? x->k->probe.move[x->columns[u]] : x->dt;
}

/* Evaluate x into out [rows] at the point, displaced by s increments in all columns or along the line. Return 0 on
 * success, > 0 if x could not be evaluated or is not finite, < 0 on a fatal error. */
static int eval_x_displaced(probe *x, double s, double *out)
{
    rsd_mechanism *k = x->k;
    const rsd_fault before = k->calls.fault;
    for (int i = 0; i < k->m.n_p; i++) {
        volatile double moved = x->p[i] + s * k->probe.move[i];
        k->work.x_np[i] = moved;
    }
    const double dt = s * x->dt;
    if (dt != 0) rsd_move_excitation(k, dt, dt * dt / 2);
    int verdict = x->x(k, x->t + dt, k->work.x_np, out);
    if (dt != 0) rsd_move_excitation(k, 0, 0);
    if (!verdict) verdict = !rsd_all_finite(out, x->rows);
    if (verdict > 0) k->calls.fault = before;
    return verdict;
}

static int eval_x_at_points(probe *x, const double *at)
{
    int verdict = 0;
    for (int i = 0; i < SLOPE_PLACES && !verdict; i++) verdict = eval_x_displaced(x, at[i], x->k->probe.x[i + 1]);
    return verdict;
}

/* Return the rounding error of values of x up to `size`, of the terms of x, and of their change along a motion. */
static double compute_rounding(const probe *x, double size)
{
    const rsd_probe_work *w = &x->k->probe;
    return X_ROUNDINGS * DBL_EPSILON * (size + w->terms + w->moving_terms * fabs(x->dt));
}

/* Compute the nonlinearity *bend = (h/L)^2/16 of row i over the increment h. L is the length over which the row is
 * nonlinear. *bend is UNRESOLVED if rounding errors hide MAX_BEND. Set *first and *second to the first two derivatives
 * times h and h^2. Return 1 if the row has changed by more than its rounding error. */
static int compute_bend(const probe *x, int i, double *bend, double *first, double *second)
{
    double *const *v = x->k->probe.x;
    const double here = v[0][i], up = v[1][i], down = v[2][i], near_up = v[3][i], near_down = v[4][i];
    const double d = (up - down) / 2, near_d = near_up - near_down;
    const double e = up - 2 * here + down, near_e = 4 * (near_up - 2 * here + near_down);
    const double size = fabs(d) + fabs(near_d) + fabs(e) + fabs(near_e);
    const double rounding = compute_rounding(x, x->largest);
    *first = d, *second = fabs(e);
    *bend = fmax(fabs(d - near_d) + fabs(e - near_e) - rounding, 0) / fmax(size, DBL_MIN);
    if (x->rate) { /* x' and x'' of constraints may be nearly zero along a motion. Then x''' determines the bend. */
        const double third = (d - near_d) / x->dt / x->dt / x->dt;
        if (fabs(third - x->k->probe.third[i]) <= THIRD_TOL * fabs(third)) *bend = fmin(*bend, BEND_BEFORE);
        x->k->probe.third[i] = third;
    }
    if (!(rounding < MAX_BEND * size) && !(*bend > MAX_BEND)) *bend = UNRESOLVED;
    return size > rounding;
}

static void store_slopes(probe *x, int u)
{
    rsd_probe_work *w = &x->k->probe;
    const double h = get_increment_of_unknown(x, u), L = get_scale(x, u)->length;
    for (int i = 0; i < x->rows; i++) {
        double bend, first, second;
        if (w->owner[i] != u) continue;
        (void)compute_bend(x, i, &bend, &first, &second);
        w->first[i] = first / h;
        w->slope[i] = fabs(first) / h + second * L / h / h + fabs(w->third[i]) * L * L;
    }
}

/* Return the first guess of the length of unknown u: max(1, |p_c|) for a column, 1 for a line. */
static double guess_length(const probe *x, int u)
{
    return x->columns ? fmax(1, fabs(x->p[x->columns[u]])) : 1;
}

/* Store the length found for unknown u, and end its search. is_seen is 1 if x has changed in the last trial. */
static void finish_search(probe *x, int u, double length, int is_seen)
{
    rsd_scale *s = get_scale(x, u);
    s->length = exp2(rint(2 * log2(LENGTH_FACTOR * length)) / 2);
    s->part = RSD_CUBE_ROOT_EPS;
    s->at = x->columns ? x->p[x->columns[u]] : x->t;
    s->reach = is_seen || x->k->probe.trial[u] >= guess_length(x, u) ? TRIAL_PART * x->k->probe.trial[u] : 0;
    s->num_empty_searches = is_seen ? 0 : s->num_empty_searches + 1;
    s->is_bent = is_seen && length < MAX_LENGTH * x->k->probe.trial[u];
    s->is_seen = is_seen || (x->columns && s->num_empty_searches > MAX_VAIN_SEARCHES);
    x->k->probe.tried[u] = x->k->probe.trial[u];
    x->k->probe.trial[u] = 0;
}

/* Compute the bend of each unknown from the values of a trial. For each unknown, end the search for its length, or set
 * the length of its next trial. refused is nonzero if x could not be evaluated in the trial. */
static void process_trial(probe *x, int refused)
{
    rsd_probe_work *w = &x->k->probe;
    x->largest = 0; /* maximum over all rows, because the terms of a single row may cancel */
    for (int i = 0; i < x->rows && !refused; i++)
        x->largest = fmax(x->largest, fabs(w->x[0][i]) + fabs(w->x[1][i]) + fabs(w->x[2][i]));
    for (int u = 0; u < x->n; u++) w->bend[u] = refused ? 1 : UNSEEN;
    for (int i = 0; i < x->rows && !refused; i++) {
        double bend, first, second;
        const int u = w->owner[i];
        if (u >= 0 && w->trial[u] > 0 && compute_bend(x, i, &bend, &first, &second))
            w->bend[u] = fmax(w->bend[u], bend);
    }
    const double max = x->columns ? fmax(1, rsd_max_norm(x->p, x->k->m.n_p)) : 1;
    for (int u = 0; u < x->n; u++) {
        const double trial = w->trial[u], bend = w->bend[u];
        const double length = get_increment_of_unknown(x, u) / (4 * sqrt(fmax(bend, DBL_MIN)));
        if (!(trial > 0)) continue;
        if (bend < 0 && trial < max && (bend == UNSEEN || w->refused[u] == 0))
            w->trial[u] = x->columns && trial < 1 ? fmin(MAX_LENGTH * trial, 1) : max; /* rounding may hide the bend */
        else if (bend == UNSEEN)
            finish_search(x, u, guess_length(x, u), 0);
        else if (bend > MAX_BEND)
            w->trial[u] *= TRIAL_RATIO, w->refused[u] = -trial;
        else if (length > MAX_LENGTH * trial && trial < guess_length(x, u) && w->refused[u] == 0)
            w->trial[u] = fmin(MAX_LENGTH * trial, guess_length(x, u));
        else {
            finish_search(x, u, bend < 0 ? trial : fmin(length, MAX_LENGTH * trial), 1);
            store_slopes(x, u);
        }
    }
}

/* Return 1 if the search for some unknown is not finished. */
static int is_search_pending(const probe *x)
{
    int pending = 0;
    for (int u = 0; u < x->n; u++) pending |= x->k->probe.trial[u] > 0;
    return pending;
}

static int find_lengths(probe *x)
{
    const rsd_probe_work *w = &x->k->probe;
    for (int i = 0; i < MAX_TRIALS && is_search_pending(x); i++) {
        for (int u = 0; u < x->n; u++) set_displacement(x, u, TRIAL_PART * w->trial[u]);
        const int verdict = eval_x_at_points(x, of_trial);
        if (verdict < 0) return verdict;
        process_trial(x, verdict);
    }
    for (int u = 0; u < x->n; u++)
        if (w->trial[u] > 0) finish_search(x, u, 1, 0); /* x is nonlinear at any distance from the point */
    return 0;
}

/* Compare the difference quotients with the chosen increment h and with 3 h. If the quotients, or the second
 * differences, differ by more than the bend predicts, the difference is due to rounding. It then determines
 * rsd_scale.part.
 *
 * Also compare the quotient with h and that of the last trial. The increment of a trial may cover whole periods, or
 * many waves of a ripple. If the two quotients differ, the search continues with a shorter trial. If the next trial
 * finds the same length, the difference is due to rounding of p, and the search ends. */
static int check_increments(probe *x)
{
    rsd_probe_work *w = &x->k->probe;
    const double part = RSD_CUBE_ROOT_EPS;
    for (int u = 0; u < x->n; u++)
        set_displacement(x, u, get_scale(x, u)->is_seen ? part * get_scale(x, u)->length : 0);
    int verdict = eval_x_at_points(x, of_check);
    double *steepest = w->bend;
    const double noise = x->columns ? w->terms : 0; /* `part` of a column already includes the rounding of the terms */
    for (int u = 0; u < x->n; u++) steepest[u] = 0;
    for (int i = 0; i < x->rows; i++)
        if (w->owner[i] >= 0) steepest[w->owner[i]] = fmax(steepest[w->owner[i]], w->slope[i]);
    for (int i = 0; i < x->rows && !verdict; i++) {
        const int u = w->owner[i];
        if (u < 0 || !get_scale(x, u)->is_seen || !(w->slope[i] > 0)) continue;
        rsd_scale *s = get_scale(x, u);
        const double h = get_increment_of_unknown(x, u), quotient = (w->x[1][i] - w->x[2][i]) / 2 / h, L = s->length;
        const double near = w->x[1][i] - 2 * w->x[0][i] + w->x[2][i], far = w->x[3][i] - 2 * w->x[0][i] + w->x[4][i];
        const double off =
            fmax(fabs(quotient - (w->x[3][i] - w->x[4][i]) / 6 / h), fabs(far - 9 * near) / SECOND_ROUNDINGS / h);
        const double bent = TRIAL_PART * w->tried[u] / L, max = x->columns ? TRIAL_ERROR * bent * bent : LINE_ERROR;
        const double place = L + (x->columns ? fabs(x->p[x->columns[u]]) : 0);
        if (fabs(quotient - w->first[i]) >
                max * w->slope[i] + compute_rounding(x, fabs(w->x[0][i]) + steepest[u] * place) / h &&
            !(L == w->refused[u]))
            w->trial[u] = TRIAL_RATIO * w->tried[u];
        if (off > QUOTIENT_ERROR * part * part * w->slope[i] +
                      compute_rounding(x, fabs(w->x[0][i]) + steepest[u] * L - noise) / h)
            s->part = fmax(s->part, fmin(MAX_INCREMENT_PART, ldexp(1, ilogb(cbrt(off / w->slope[i] * part)) + 1)));
    }
    for (int u = 0; u < x->n; u++) w->refused[u] = get_scale(x, u)->length;
    return verdict < 0 ? verdict : 0;
}

/* Return the first trial length of unknown u. For a column along which a bend was found, it is the previous length, at
 * most max(1, |p_c|). For other columns it is at most 1, in order to detect ripples of a slope. The length of a line
 * changes from point to point. Its first trial length is FIRST_LINE_TRIAL times the previous length, at most 1. */
static double choose_first_trial(const probe *x, int u)
{
    const rsd_scale *s = get_scale(x, u);
    const double size = x->columns ? fabs(x->p[x->columns[u]]) : 0;
    if (x->columns)
        return s->is_bent ? fmin(s->length, guess_length(x, u)) : s->length > 0 || size == 0 ? 1 : fmin(1, size);
    return s->length > 0 ? fmin(FIRST_LINE_TRIAL * s->length, guess_length(x, u)) : guess_length(x, u);
}

/* Search the lengths of all unknowns by trials, each search followed by a check. Return as eval_x_displaced(). */
static int search_lengths(probe *x)
{
    rsd_probe_work *w = &x->k->probe;
    int verdict = 0;
    memset(w->slope, 0, (size_t)x->rows * sizeof *w->slope);
    memset(w->third, 0, (size_t)x->rows * sizeof *w->third);
    for (int u = 0; u < x->n; u++) {
        w->trial[u] = choose_first_trial(x, u);
        w->refused[u] = 0;
    }
    for (int i = 0; i < MAX_TRIALS && is_search_pending(x) && !verdict; i++) {
        verdict = find_lengths(x);
        if (!verdict) verdict = check_increments(x);
    }
    for (int u = 0; u < x->n; u++) set_displacement(x, u, 0);
    return verdict;
}

/* Return 1 if a coordinate is farther than q->far trusted lengths from the point of its last search. */
static int has_coordinate_moved(const rsd_grouped *q, const double *p)
{
    for (int c = 0; c < q->A->cols; c++)
        if (q->scale[c].length > 0 && fabs(p[c] - q->scale[c].at) > q->search.far * q->scale[c].trusted) return 1;
    return 0;
}

/* Set the owner of each row: the displaced column on which it depends, or -1 if it depends on no such column. */
static void set_owners(probe *x, const rsd_grouped *q, int is_grouped)
{
    int *owner = x->k->probe.owner;
    for (int i = 0; i < x->rows; i++) owner[i] = is_grouped ? -1 : 0;
    for (int u = 0; u < x->n && is_grouped; u++)
        for (int e = q->pattern.col_start[x->columns[u]]; e < q->pattern.col_start[x->columns[u] + 1]; e++)
            owner[q->pattern.row[e]] = u;
}

/* Update the trusted length of s. It increases at most by a factor MAX_LENGTH_RATIO, because p returns from bad
 * iterates. Return 1 if the length has changed by a larger factor. */
static int has_length_changed(rsd_scale *s)
{
    const double before = s->trusted;
    s->trusted = before > 0 ? fmin(s->length, MAX_LENGTH_RATIO * before) : s->length;
    return s->length > MAX_LENGTH_RATIO * before || before > MAX_LENGTH_RATIO * s->length;
}

/* Return 1 if a search is allowed now: one for each k->search_number, or any if no caller increments the number. */
static int is_search_allowed(const rsd_mechanism *k, rsd_scale_search *s)
{
    const int is_same = s->is_done && k->search_number > 0 && s->number == k->search_number;
    if (k->has_fixed_scales || is_same) return 0;
    s->number = k->search_number;
    return 1;
}

static void end_search(rsd_scale_search *s, int changed)
{
    s->is_done = 1;
    s->far = changed ? FIRST_REACH : fmin(2 * s->far, MAX_REACH);
}

/* Estimate the size of the terms of x: set *terms to about the largest sum over c of |dx_i/dp_c size_c| of a row i, or
 * to 0 if x cannot be evaluated. All p_c are displaced at once, by different fractions of size_c. Return < 0 on a fatal
 * error. */
static int measure_terms(probe *x, const double *size, double *terms)
{
    rsd_probe_work *w = &x->k->probe;
    double fraction = 0;
    for (int c = 0; c < x->k->m.n_p; c++) {
        fraction = fmod(fraction + RSD_GOLDEN, 1);
        w->move[c] = TERMS_DISPLACEMENT * (0.5 + fraction) * size[c];
    }
    const int verdict = eval_x_displaced(x, 1, w->x[1]);
    *terms = 0;
    for (int i = 0; i < x->rows && !verdict; i++)
        *terms = fmax(*terms, fabs(w->x[1][i] - w->x[0][i]) / TERMS_DISPLACEMENT);
    memset(w->move, 0, (size_t)x->k->m.n_p * sizeof *w->move);
    return verdict;
}

/* Evaluate x at the point into probe.x[0], and measure its terms. Return as eval_x_displaced(). */
static int eval_x_at_point(probe *x)
{
    rsd_probe_work *w = &x->k->probe;
    const int verdict = eval_x_displaced(x, 0, w->x[0]);
    w->moving_terms = 0;
    int measured = verdict ? verdict : measure_terms(x, x->p, &w->terms);
    if (measured >= 0 && !verdict && x->rate) measured = measure_terms(x, x->rate, &w->moving_terms);
    return measured < 0 ? measured : verdict;
}

int rsd_scales_update(rsd_mechanism *k, rsd_grouped *q, rsd_eval_fn *value, double t, const double *p)
{
    if (!is_search_allowed(k, &q->search) || (q->search.is_done && !has_coordinate_moved(q, p))) return 0;
    const int is_grouped = rsd_grouped_will_use_groups(q), n = is_grouped ? q->colours.n_groups : q->A->cols;
    probe x = {.k = k, .x = value, .rows = q->A->rows, .t = t, .p = p, .n = 1, .scale = q->scale};
    int changed = !q->search.is_done, verdict = eval_x_at_point(&x);
    for (int i = 0; i < n && !verdict; i++) {
        x.columns = is_grouped ? q->colours.columns + q->colours.start[i] : &i;
        if (is_grouped) x.n = q->colours.start[i + 1] - q->colours.start[i];
        set_owners(&x, q, is_grouped);
        verdict = search_lengths(&x);
        for (int u = 0; u < x.n; u++) changed |= has_length_changed(get_scale(&x, u));
    }
    if (verdict) return verdict < 0 ? verdict : 0; /* the next evaluation of x reports the failure */
    end_search(&q->search, changed);
    return 0;
}

/* Return the rounding error of the terms of g, relative to the change of g over the length of s. */
static double compute_noise(const rsd_mechanism *k, const rsd_scale *s)
{
    const double change = rsd_max_norm(k->probe.slope, k->m.n_g) * s->length;
    return change > 0 ? DBL_EPSILON * (k->probe.terms + k->probe.moving_terms * s->length) / change : 0;
}

void rsd_line_report_change(rsd_line *line)
{
    if (line->scale.num_empty_searches > MAX_VAIN_SEARCHES)
        line->scale.is_seen = 1;
    else
        line->scale.length = line->search.is_done = 0;
}

int rsd_line_update_scale(rsd_mechanism *k, rsd_line *line, double t, const double *p, const double *rate)
{
    rsd_scale *s = &line->scale;
    const double speed = rate ? rsd_max_norm(rate, k->m.n_p) : 0;
    const int is_faster = speed > MAX_SPEED_RATIO * line->speed;
    if (!is_search_allowed(k, &line->search)) return 0;
    if (line->search.is_done && !(fabs(t - s->at) > line->search.far * s->trusted) && !is_faster) return 0;
    probe x = {.k = k, .x = rsd_eval_constraint, .rows = k->m.n_g, .t = t, .p = p, .rate = rate, .n = 1, .scale = s};
    for (int i = 0; i < x.rows; i++) k->probe.owner[i] = k->dropped[i] && !k->open[i] ? -1 : 0;
    int verdict = eval_x_at_point(&x);
    if (!verdict) verdict = search_lengths(&x);
    if (verdict) return verdict < 0 ? verdict : 0;
    end_search(&line->search, has_length_changed(s) || is_faster);
    line->speed = speed;
    s->noise = compute_noise(k, s);
    return 0;
}
