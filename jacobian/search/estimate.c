/* estimate.c - sets the pattern of J before the first evaluation, to the pattern that the system gives, or to an
 * estimate (Arnold, Fuchs, Fuehrer, section 3.1). Strategies that learn find the formalism part in their first
 * evaluations instead (learn.c).
 *
 * The estimate is the union of the patterns at several states near the given one, at which no component is zero by
 * chance: the pattern at v = 0, lam = 0 misses most entries. Perturbations are large (0.01). A row has an entry if it
 * changes by more than its rounding. Later checks (pattern_check.c) and learn.c extend the pattern. */
#include "search.h"

#include <math.h>
#include <string.h>

enum { STATES = 3, TRIES = 4 };
#define AMPLITUDE     0.05 /* maximum distance of a scanned state, relative to the sizes of components */
#define ESTIMATE_STEP 1e-2 /* perturbation of a component, relative to its size */

double rsd_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Entries of the formalism part and of the constraint part of F that scans have found, and the last scanned state, with
 * F there. If dF/dy + alpha dF/dyp is differenced as a whole (frame.c), the formalism part is the whole F. */
typedef struct scan_result {
    int wants_formalism, wants_constraint; /* 1: estimate the pattern of this part of F */
    rsd_entries formalism, constraint;     /* found entries */
    resida_jacobian_point state;           /* last scanned state; its arrays are the next three members */
    double *y, *yp, *F;                    /* [n] y, yp and F of `state` */
} scan_result;

/* Return the unit of perturbations of y_c, max(|y_c|, 1), times the caller's factor of increments if it is below 1. */
static double get_size_of_y(const rsd_differences *d, double y, int c)
{
    return fmax(fabs(y), 1) * (d->farther ? fmin(d->farther[c], 1) : 1);
}

/* For each column of the task, perturb the column by `step` times its size, and list the rows of F that change. */
static int scan_columns(const rsd_task *t, double step, rsd_entries *e)
{
    rsd_differences *d = t->d;
    const resida_jacobian_point *at = t->at;
    int verdict = rsd_task_count_columns(t) > 0 ? rsd_prepare_changes(t) : 0;
    for (int c = 0; c < d->f->n && !verdict; c++) {
        if (!rsd_is_column_perturbed(t, c)) continue;
        if (!rsd_uses_products(d, t->part))
            d->delta[c] = step * (t->sy != 0 ? get_size_of_y(d, at->y[c], c) : fmax(fabs(at->yp[c]), 1));
        verdict = rsd_evaluate_F_at_columns(t, &c, 1, 1);
        for (int i = 0; i < d->f->n && !verdict; i++)
            if (rsd_is_row_changed(t, i, d->r[i], d->r0[i])) rsd_entries_add(e, &d->f->alloc, 4L * d->f->n, i, c, 0);
    }
    return verdict;
}

static int scan_parts(rsd_differences *d, double step, scan_result *seen)
{
    const resida_jacobian_point *at = &seen->state;
    rsd_task A = rsd_task_create_for_A(d, at);
    const rsd_task B = rsd_task_create_for_B(d, at);
    const rsd_task C = {d, RSD_CONSTRAINT, at, 1, 0, RESIDA_COLUMN_CONSTRAINT, NULL, NULL};
    int verdict = 0;
    A.syp = 0;
    if (seen->wants_formalism) {
        if (!rsd_uses_products(d, A.part)) verdict = rsd_evaluate_part(d, RSD_WHOLE, at->t, at->y, at->yp, seen->F);
        if (!verdict) verdict = scan_columns(&A, step, &seen->formalism);
        if (!verdict) verdict = scan_columns(&B, step, &seen->formalism);
    }
    return verdict || !seen->wants_constraint || d->f->combined ? verdict : scan_columns(&C, step, &seen->constraint);
}

/* Scan a state near the given state. If F cannot be evaluated there, try TRIES - 1 states at smaller distances. */
static int scan_state(rsd_differences *d, const resida_jacobian_point *at, int number, scan_result *seen)
{
    int verdict = 1;
    double amplitude = AMPLITUDE;
    for (int try = 0; try < TRIES && verdict > 0; try++, amplitude /= 8) {
        uint64_t seed = 20041111u + (uint64_t)number;
        for (int i = 0; i < d->f->n; i++) {
            seen->y[i] = at->y[i] + amplitude * rsd_random(&seed) * get_size_of_y(d, at->y[i], i);
            seen->yp[i] = at->yp[i] + amplitude * rsd_random(&seed) * fmax(fabs(at->yp[i]), 1);
        }
        verdict = scan_parts(d, ESTIMATE_STEP * amplitude / AMPLITUDE, seen);
    }
    return verdict;
}

/* Return 1 if the entries from `middle` on are the same as those from `begin` to `middle`. All scans list their entries
 * in the same order. */
static int are_scans_equal(const rsd_entries *e, long begin, long middle)
{
    size_t bytes = (size_t)(middle - begin) * sizeof(int);
    return !e->failed && e->n - middle == middle - begin &&
           (bytes == 0 || (memcmp(e->row + begin, e->row + middle, bytes) == 0 &&
                           memcmp(e->column + begin, e->column + middle, bytes) == 0));
}

/* Scan up to STATES states, until two consecutive scans find the same entries. *states is set to the number of states
 * at which F could be evaluated. */
static int scan_states(rsd_differences *d, const resida_jacobian_point *at, scan_result *seen, int *states)
{
    long formalism[2] = {seen->formalism.n, seen->formalism.n};
    long constraint[2] = {seen->constraint.n, seen->constraint.n};
    int verdict = 0, agree = 0;
    for (int state = 0; state < STATES && verdict >= 0 && !agree; state++) {
        verdict = scan_state(d, at, state, seen);
        *states += verdict == 0;
        agree = state > 0 && verdict == 0 && are_scans_equal(&seen->formalism, formalism[0], formalism[1]) &&
                are_scans_equal(&seen->constraint, constraint[0], constraint[1]);
        formalism[0] = formalism[1], formalism[1] = seen->formalism.n;
        constraint[0] = constraint[1], constraint[1] = seen->constraint.n;
    }
    return verdict < 0 ? verdict : 0;
}

/* Scan states whose distance from the given state is relative to the sizes of the components. If the system gives
 * factors of increments, also scan states whose distance is multiplied by the factors. For example, the curvature of a
 * rod far from the origin of its coordinates shows only at short distances. */
static int scan_near_and_far_states(rsd_differences *d, const resida_jacobian_point *at, scan_result *seen, int *states)
{
    const double *farther = d->farther;
    *states = 0;
    d->farther = NULL;
    const int verdict = scan_states(d, at, seen, states);
    d->farther = farther;
    return verdict < 0 || !farther ? verdict : scan_states(d, at, seen, states);
}

/* Set the pattern of a part of J to the n given entries if n >= 0, otherwise to the entries that the scans found. */
static int make_part_pattern(const rsd_frame *f, const rsd_entries *seen, int n, const int *row, const int *column,
                             rsd_sparsity *s)
{
    return n >= 0 ? rsd_sparsity_from_pairs(s, f->n, f->n, n, row, column, &f->alloc, NULL)
                  : rsd_build_pattern(seen, f->n, f->n, s, &f->alloc);
}

static int set_patterns(const rsd_frame *f, rsd_parts *p, const scan_result *seen)
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
    return rsd_set_patterns(p, f, &formalism, &constraint);
}

/* Allocate the memory of a scanned state. Return 0 if there is no memory, else 1. */
static int allocate_state(scan_result *seen, const rsd_frame *f, const resida_jacobian_point *at)
{
    const int all = RSD_DOUBLES(&f->alloc, f->n, &seen->y, &seen->yp, &seen->F);
    seen->state = *at;
    seen->state.y = seen->y, seen->state.yp = seen->yp, seen->state.F = seen->F;
    return all;
}

int rsd_search_set_first_pattern(rsd_search *s, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at)
{
    const rsd_frame *f = d->f;
    int is_given = rsd_frame_gives_pattern(f), states = 1, verdict = 0;
    scan_result seen = {.wants_formalism = !is_given && !f->strategy->learns,
                        .wants_constraint = f->s.constraint && f->s.n_constraint < 0};
    long calls = d->counts->residual_calls;
    if (seen.wants_formalism || seen.wants_constraint)
        verdict = allocate_state(&seen, f, at) ? scan_near_and_far_states(d, at, &seen, &states) : RESIDA_ERR_MEMORY;
    rsd_count_pattern_calls(d, calls, verdict);
    if (!verdict)
        verdict = states > 0 ? set_patterns(f, p, &seen) : rsd_parts_set_full_pattern(p, f); /* F cannot be evaluated */
    s->learning = f->strategy->learns && !is_given && states > 0;
    s->is_given = is_given;
    s->checked_from = d->counts->evaluations_coloured + 1;
    rsd_entries_free(&seen.formalism, &f->alloc);
    rsd_entries_free(&seen.constraint, &f->alloc);
    RSD_FREE(&f->alloc, seen.y, seen.yp, seen.F);
    return verdict;
}
