/* estimate.c - the sparsity pattern, section 3.1 of Arnold, Fuchs, Fuehrer: given with the system, or estimated before
 * anything is differenced. Strategies that learn find the dear part with their first evaluations instead (learn.c).
 *
 * The estimate is the union over several states near the given one, in which nothing is zero by chance: a pattern taken
 * at v = 0, lam = 0 misses most of it. Changes are large (a hundredth) and counted when they exceed the rounding of the
 * row. Later the pattern is checked (audit.c) and grows (learn.c). */
#include "jacobian/engine_impl.h"

#include <math.h>
#include <string.h>

enum { STATES = 3, TRIES = 4 };
#define AMPLITUDE     0.05 /* of the states around the given one */
#define ESTIMATE_STEP 1e-2 /* of a change */

double rsd_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

int rsd_differs(double r, double r0)
{
    return fabs(r - r0) > RSD_NOISE * (fabs(r) + fabs(r0));
}

int rsd_dear_is_given(const resida_jacobian *j)
{
    return j->s.n_dear >= 0 && !(j->combined && j->s.cheap);
}

/* What is found of the two parts. In combined mode there is one: all that is differenced. */
typedef struct found {
    int wants_dear, wants_cheap; /* what is looked for */
    rsd_entries dear, cheap;
} found;

/* Add the rows that change when a component does, around (j->y, j->yp), f there in j->r0. sy, syp: which one moves. */
static int scan_columns(resida_jacobian *j, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                        rsd_entries *e)
{
    for (int c = 0; c < j->n; c++) {
        if (!(j->columns[c] & bits)) continue;
        double y = j->y[c], yp = j->yp[c];
        j->y[c] = y + sy * step * fmax(fabs(y), 1);
        j->yp[c] = yp + syp * step * fmax(fabs(yp), 1);
        int verdict = rsd_call(j, part, t, j->y, j->yp, j->r);
        j->y[c] = y;
        j->yp[c] = yp;
        if (verdict) return verdict;
        for (int i = 0; i < j->n; i++)
            if (rsd_differs(j->r[i], j->r0[i])) rsd_entries_add(e, &j->alloc, 4L * j->n, i, c, 0);
    }
    return 0;
}

/* 1: some column has one of the bits. */
static int has_columns(const resida_jacobian *j, unsigned bits)
{
    for (int c = 0; c < j->n; c++)
        if (j->columns[c] & bits) return 1;
    return 0;
}

static int scan_part(resida_jacobian *j, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                     rsd_entries *e)
{
    if (!has_columns(j, bits)) return 0;
    int verdict = rsd_call(j, part, t, j->y, j->yp, j->r0);
    return verdict ? verdict : scan_columns(j, part, t, sy, syp, bits, step, e);
}

static int scan_here(resida_jacobian *j, double t, double step, found *f)
{
    int verdict = 0, cheap = f->wants_cheap && !j->combined;
    if (f->wants_dear) {
        verdict = scan_part(j, j->combined ? RSD_WHOLE : RSD_DEAR, t, 1, 0, RESIDA_COLUMN_DEAR, step, &f->dear);
        if (!verdict) verdict = scan_part(j, RSD_WHOLE, t, 0, 1, RESIDA_COLUMN_YP, step, &f->dear);
    }
    return verdict || !cheap ? verdict : scan_part(j, RSD_CHEAP, t, 1, 0, RESIDA_COLUMN_CHEAP, step, &f->cheap);
}

/* A state near the given one; nearer with each try at which F is not possible. */
static int scan_state(resida_jacobian *j, const resida_jacobian_point *at, int state, found *f)
{
    int verdict = 0;
    double amplitude = AMPLITUDE;
    for (int try = 0; try < TRIES; try++, amplitude /= 8) {
        uint64_t seed = 20041111u + (uint64_t)state;
        for (int i = 0; i < j->n; i++) {
            j->y[i] = at->y[i] + amplitude * rsd_random(&seed) * fmax(fabs(at->y[i]), 1);
            j->yp[i] = at->yp[i] + amplitude * rsd_random(&seed) * fmax(fabs(at->yp[i]), 1);
        }
        verdict = scan_here(j, at->t, ESTIMATE_STEP * amplitude / AMPLITUDE, f);
        if (verdict <= 0) return verdict;
    }
    return verdict;
}

/* Is what was listed from `middle` on the same as from `begin` to there? Every scan lists in the same order. */
static int repeats(const rsd_entries *e, long begin, long middle)
{
    size_t bytes = (size_t)(middle - begin) * sizeof(int);
    return !e->failed && e->n - middle == middle - begin &&
           (bytes == 0 || (memcmp(e->row + begin, e->row + middle, bytes) == 0 &&
                           memcmp(e->column + begin, e->column + middle, bytes) == 0));
}

/* Up to STATES states; two in a row that agree end the search. *states: at how many F was possible. */
static int scan_states(resida_jacobian *j, const resida_jacobian_point *at, found *f, int *states)
{
    long dear[2] = {0, 0}, cheap[2] = {0, 0};
    int verdict = 0, agree = 0;
    *states = 0;
    for (int state = 0; state < STATES && verdict >= 0 && !agree; state++) {
        verdict = scan_state(j, at, state, f);
        *states += verdict == 0;
        agree =
            state > 0 && verdict == 0 && repeats(&f->dear, dear[0], dear[1]) && repeats(&f->cheap, cheap[0], cheap[1]);
        dear[0] = dear[1], dear[1] = f->dear.n;
        cheap[0] = cheap[1], cheap[1] = f->cheap.n;
    }
    return verdict < 0 ? verdict : 0;
}

/* A part that was looked for, or is given (n > 0 places), or begins empty. */
static int take_part(resida_jacobian *j, const rsd_entries *seen, int n, const int *row, const int *column,
                     rsd_sparsity *s)
{
    rsd_entries given = {.n = n > 0 ? n : 0, .row = (int *)(size_t)row, .column = (int *)(size_t)column};
    return rsd_entries_unite(n >= 0 ? &given : seen, j->n, NULL, s, &j->alloc);
}

static int take(resida_jacobian *j, const found *f)
{
    rsd_sparsity dear, cheap;
    const resida_system *s = &j->s;
    if (take_part(j, &f->dear, rsd_dear_is_given(j) ? s->n_dear : -1, s->dear_row, s->dear_column, &dear) < 0)
        return RESIDA_ERR_MEMORY;
    if (take_part(j, &f->cheap, s->n_cheap, s->cheap_row, s->cheap_column, &cheap) < 0) {
        rsd_sparsity_free(&dear, &j->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_set_patterns(j, &dear, &cheap);
}

int rsd_find_patterns(resida_jacobian *j, const resida_jacobian_point *at)
{
    int is_given = rsd_dear_is_given(j), states = 1, verdict = 0;
    found f = {.wants_dear = !is_given && !j->strategy->learns, .wants_cheap = j->s.cheap && j->s.n_cheap < 0};
    long calls = j->counts.residual_calls;
    if (f.wants_dear || f.wants_cheap) verdict = scan_states(j, at, &f, &states);
    j->counts.pattern_calls += j->counts.residual_calls - calls - (verdict < 0); /* a refused call is not one */
    if (!verdict) verdict = states > 0 ? take(j, &f) : rsd_full_patterns(j);     /* F is possible at no state nearby */
    j->learning = j->strategy->learns && !is_given && states > 0;
    j->is_given = is_given;
    j->checked_from = j->counts.evaluations_coloured + 1;
    rsd_entries_free(&f.dear, &j->alloc);
    rsd_entries_free(&f.cheap, &j->alloc);
    return verdict;
}
