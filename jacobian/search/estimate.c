/* estimate.c - the sparsity pattern, section 3.1 of Arnold, Fuchs, Fuehrer: given with the system, or estimated before
 * the first evaluation. Strategies that learn find the formalism part with their first evaluations instead (learn.c).
 *
 * The estimate is the union over several states near the given one, in which no component is zero by chance: a
 * pattern at v = 0, lam = 0 misses most entries. Perturbations are large (a hundredth); a row has an entry if it
 * changes by more than its rounding. Later checks (pattern_check.c) and learn.c extend the pattern. */
#include "search.h"

#include <math.h>
#include <string.h>

enum { STATES = 3, TRIES = 4 };
#define AMPLITUDE     0.05 /* of the states, relative to the given one */
#define ESTIMATE_STEP 1e-2 /* of a perturbation, relative to its component */

double rsd_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* 1: the row has changed by more than rounding; r0 is 0 for products. */
static int is_changed_row(double r, double r0)
{
    return fabs(r - r0) > RSD_NOISE * (fabs(r) + fabs(r0));
}

/* Entries found of the two parts. In combined mode the formalism part is all of F. */
typedef struct found {
    int wants_formalism, wants_constraint; /* 1: the part is estimated */
    rsd_entries formalism, constraint;
} found;

/* What perturbations of y_c are parts of. */
static double size_of_y(const rsd_differences *d, double y, int c)
{
    return fmax(fabs(y), 1) * (d->farther ? fmin(d->farther[c], 1) : 1);
}

static int call_perturbed(rsd_differences *d, rsd_part part, double t, double sy, double syp, double step, int c)
{
    const double y = d->y[c], yp = d->yp[c];
    d->y[c] = y + sy * step * size_of_y(d, y, c);
    d->yp[c] = yp + syp * step * fmax(fabs(yp), 1);
    int verdict = rsd_call(d, part, t, d->y, d->yp, d->r);
    d->y[c] = y;
    d->yp[c] = yp;
    return verdict;
}

static int product_of_column(rsd_differences *d, double t, double sy, double syp, int c)
{
    double *dy = d->work.directions.dy, *dyp = d->work.directions.dyp;
    const size_t bytes = (size_t)d->f->n * sizeof *dy;
    memset(dy, 0, bytes);
    memset(dyp, 0, bytes);
    dy[c] = sy;
    dyp[c] = syp;
    return rsd_products(d, t, d->y, d->yp, 1, dy, dyp, d->r);
}

/* List the rows that change with each component of y (sy = 1) or yp (syp = 1), at (d->y, d->yp), f there in d->r0. */
static int scan_columns(rsd_differences *d, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                        rsd_entries *e)
{
    for (int c = 0; c < d->f->n; c++) {
        if (!(d->f->columns[c] & bits)) continue;
        int verdict =
            rsd_is_exact(d, part) ? product_of_column(d, t, sy, syp, c) : call_perturbed(d, part, t, sy, syp, step, c);
        if (verdict) return verdict;
        for (int i = 0; i < d->f->n; i++)
            if (is_changed_row(d->r[i], d->r0[i])) rsd_entries_add(e, &d->f->alloc, 4L * d->f->n, i, c, 0);
    }
    return 0;
}

static int has_open_columns(const rsd_frame *f, unsigned bits)
{
    for (int c = 0; c < f->n; c++)
        if (f->columns[c] & bits) return 1;
    return 0;
}

static int scan_part(rsd_differences *d, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                     rsd_entries *e)
{
    if (!has_open_columns(d->f, bits)) return 0;
    const int is_exact = rsd_is_exact(d, part);
    if (is_exact) memset(d->r0, 0, (size_t)d->f->n * sizeof *d->r0);
    int verdict = is_exact ? 0 : rsd_call(d, part, t, d->y, d->yp, d->r0);
    return verdict ? verdict : scan_columns(d, part, t, sy, syp, bits, step, e);
}

static int scan_here(rsd_differences *d, double t, double step, found *seen)
{
    int verdict = 0, constraint = seen->wants_constraint && !d->f->combined;
    if (seen->wants_formalism) {
        verdict = scan_part(d, d->f->combined ? RSD_WHOLE : RSD_FORMALISM, t, 1, 0, RESIDA_COLUMN_FORMALISM, step,
                            &seen->formalism);
        if (!verdict) verdict = scan_part(d, RSD_WHOLE, t, 0, 1, RESIDA_COLUMN_YP, step, &seen->formalism);
    }
    return verdict || !constraint
               ? verdict
               : scan_part(d, RSD_CONSTRAINT, t, 1, 0, RESIDA_COLUMN_CONSTRAINT, step, &seen->constraint);
}

/* Scan a state near the given one; nearer with each try at which F is not possible. */
static int scan_state(rsd_differences *d, const resida_jacobian_point *at, int state, found *seen)
{
    int verdict = 0;
    double amplitude = AMPLITUDE;
    for (int try = 0; try < TRIES; try++, amplitude /= 8) {
        uint64_t seed = 20041111u + (uint64_t)state;
        for (int i = 0; i < d->f->n; i++) {
            d->y[i] = at->y[i] + amplitude * rsd_random(&seed) * size_of_y(d, at->y[i], i);
            d->yp[i] = at->yp[i] + amplitude * rsd_random(&seed) * fmax(fabs(at->yp[i]), 1);
        }
        verdict = scan_here(d, at->t, ESTIMATE_STEP * amplitude / AMPLITUDE, seen);
        if (verdict <= 0) return verdict;
    }
    return verdict;
}

/* 1: the entries listed from `middle` on are those from `begin` to `middle`. Every scan lists in the same order. */
static int scans_agree(const rsd_entries *e, long begin, long middle)
{
    size_t bytes = (size_t)(middle - begin) * sizeof(int);
    return !e->failed && e->n - middle == middle - begin &&
           (bytes == 0 || (memcmp(e->row + begin, e->row + middle, bytes) == 0 &&
                           memcmp(e->column + begin, e->column + middle, bytes) == 0));
}

/* Scan up to STATES states; two in a row with the same entries end it. *states: those at which F was possible. */
static int scan_states(rsd_differences *d, const resida_jacobian_point *at, found *seen, int *states)
{
    long formalism[2] = {seen->formalism.n, seen->formalism.n};
    long constraint[2] = {seen->constraint.n, seen->constraint.n};
    int verdict = 0, agree = 0;
    for (int state = 0; state < STATES && verdict >= 0 && !agree; state++) {
        verdict = scan_state(d, at, state, seen);
        *states += verdict == 0;
        agree = state > 0 && verdict == 0 && scans_agree(&seen->formalism, formalism[0], formalism[1]) &&
                scans_agree(&seen->constraint, constraint[0], constraint[1]);
        formalism[0] = formalism[1], formalism[1] = seen->formalism.n;
        constraint[0] = constraint[1], constraint[1] = seen->constraint.n;
    }
    return verdict < 0 ? verdict : 0;
}

/* States as near as components are large, and those as near as their increments say, too: a rod far from the origin of
 * its positions has no curvature but near by. */
static int scan_all(rsd_differences *d, const resida_jacobian_point *at, found *seen, int *states)
{
    const double *farther = d->farther;
    *states = 0;
    d->farther = NULL;
    const int verdict = scan_states(d, at, seen, states);
    d->farther = farther;
    return verdict < 0 || !farther ? verdict : scan_states(d, at, seen, states);
}

/* The pattern of a part: given (n >= 0 places), estimated, or empty. */
static int make_part_pattern(const rsd_frame *f, const rsd_entries *seen, int n, const int *row, const int *column,
                             rsd_sparsity *s)
{
    rsd_entries given = {.n = n > 0 ? n : 0, .row = (int *)(size_t)row, .column = (int *)(size_t)column};
    return rsd_entries_pattern(n >= 0 ? &given : seen, f->n, f->n, s, &f->alloc);
}

static int set_patterns(const rsd_frame *f, rsd_parts *p, const found *seen)
{
    rsd_sparsity formalism, constraint;
    const resida_system *s = &f->s;
    if (make_part_pattern(f, &seen->formalism, rsd_frame_gives_pattern(f) ? s->n_formalism : -1, s->formalism_row,
                          s->formalism_column, &formalism) < 0)
        return RESIDA_ERR_MEMORY;
    if (make_part_pattern(f, &seen->constraint, s->n_constraint, s->constraint_row, s->constraint_column, &constraint) <
        0) {
        rsd_sparsity_free(&formalism, &f->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_parts_set(p, f, &formalism, &constraint);
}

int rsd_search_begin(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at)
{
    const rsd_frame *f = d->f;
    int is_given = rsd_frame_gives_pattern(f), states = 1, verdict = 0;
    found seen = {.wants_formalism = !is_given && !f->strategy->learns,
                  .wants_constraint = f->s.constraint && f->s.n_constraint < 0};
    long calls = d->counts->residual_calls;
    if (seen.wants_formalism || seen.wants_constraint) verdict = scan_all(d, at, &seen, &states);
    rsd_note_pattern_calls(d, calls, verdict);
    if (!verdict)
        verdict = states > 0 ? set_patterns(f, p, &seen) : rsd_parts_fill(p, f); /* F is possible at no state nearby */
    s->learning = f->strategy->learns && !is_given && states > 0;
    s->is_given = is_given;
    s->checked_from = d->counts->evaluations_coloured + 1;
    rsd_entries_free(&seen.formalism, &f->alloc);
    rsd_entries_free(&seen.constraint, &f->alloc);
    return verdict;
}
