/* estimate.c - the sparsity pattern, section 3.1 of Arnold, Fuchs, Fuehrer: estimated at the beginning, checked at every
 * evaluation, grown when something wakes.
 *
 * The estimate is the union over several states near the given one, in which nothing is zero by chance: a pattern taken
 * at v = 0, lam = 0 misses most of it. Changes are large (a hundredth) and counted when they exceed the rounding of the
 * row. The check is one product with a random direction: what A's entries do not explain is missing. */
#include "engine_impl.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STATES = 3, TRIES = 4 };
#define AMPLITUDE     0.05               /* of the states around the given one */
#define ESTIMATE_STEP 1e-2               /* of a change, when states are made up */
#define GROW_STEP     1e-6               /* of a change, when what is awake here is looked for */
#define NOISE         1e-12              /* of a row: less is rounding */
#define GOLDEN        0.6180339887498949 /* its multiples keep apart, modulo 1 */
#define UNEXPLAINED   0.01               /* of a row's absolute sum: more is a missing entry */

/* A growing list of entries. */
typedef struct entries {
    int *row, *column;
    long n, room;
    int failed;
} entries;

static void add_entry(resida_jacobian *j, entries *e, int row, int column)
{
    if (e->n == e->room && !e->failed) {
        long room = e->room ? 2 * e->room : 4L * j->n;
        int *rows = rsd_calloc(&j->alloc, room, sizeof(int)), *columns = rsd_calloc(&j->alloc, room, sizeof(int));
        e->failed = !rows || !columns;
        if (!e->failed && e->n > 0) {
            memcpy(rows, e->row, (size_t)e->n * sizeof(int));
            memcpy(columns, e->column, (size_t)e->n * sizeof(int));
        }
        rsd_free(&j->alloc, e->failed ? rows : e->row);
        rsd_free(&j->alloc, e->failed ? columns : e->column);
        if (e->failed) return;
        e->row = rows;
        e->column = columns;
        e->room = room;
    }
    if (e->failed) return;
    e->row[e->n] = row;
    e->column[e->n++] = column;
}

static void free_entries(resida_jacobian *j, entries *e)
{
    rsd_free(&j->alloc, e->row);
    rsd_free(&j->alloc, e->column);
}

/* -1 .. 1, the same sequence in every run. */
static double random_number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Add the rows that change when a component does, around (j->y, j->yp), f there in j->r0. sy, syp: which one moves. */
static int scan_columns(resida_jacobian *j, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                        entries *e)
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
            if (fabs(j->r[i] - j->r0[i]) > NOISE * (fabs(j->r[i]) + fabs(j->r0[i]))) add_entry(j, e, i, c);
    }
    return 0;
}

static int scan_part(resida_jacobian *j, rsd_part part, double t, double sy, double syp, unsigned bits, double step,
                     entries *e)
{
    if (part == RSD_CHEAP && !j->s.cheap) return 0;
    int verdict = rsd_call(j, part, t, j->y, j->yp, j->r0);
    return verdict ? verdict : scan_columns(j, part, t, sy, syp, bits, step, e);
}

/* What is found of the two parts. In combined mode there is one: all that is differenced. */
typedef struct found {
    entries dear, cheap;
} found;

static int scan_here(resida_jacobian *j, double t, double step, found *f)
{
    rsd_part dear = j->combined ? RSD_WHOLE : RSD_DEAR;
    int verdict = scan_part(j, dear, t, 1, 0, RESIDA_COLUMN_DEAR, step, &f->dear);
    if (!verdict && !j->combined) verdict = scan_part(j, RSD_CHEAP, t, 1, 0, RESIDA_COLUMN_CHEAP, step, &f->cheap);
    return verdict ? verdict : scan_part(j, RSD_WHOLE, t, 0, 1, RESIDA_COLUMN_YP, step, &f->dear);
}

/* A state near the given one; nearer with each try at which F is not possible. */
static int scan_state(resida_jacobian *j, const resida_jacobian_point *at, int state, found *f)
{
    int verdict = 0;
    double amplitude = AMPLITUDE;
    for (int try = 0; try < TRIES; try++, amplitude /= 8) {
        uint64_t seed = 20041111u + (uint64_t)state;
        for (int i = 0; i < j->n; i++) {
            j->y[i] = at->y[i] + amplitude * random_number(&seed) * fmax(fabs(at->y[i]), 1);
            j->yp[i] = at->yp[i] + amplitude * random_number(&seed) * fmax(fabs(at->yp[i]), 1);
        }
        verdict = scan_here(j, at->t, ESTIMATE_STEP * amplitude / AMPLITUDE, f);
        if (verdict <= 0) return verdict;
    }
    return verdict;
}

/* e, united with the pattern that is there already. */
static int unite(resida_jacobian *j, const rsd_sparsity *old, const entries *e, rsd_sparsity *all)
{
    rsd_sparsity fresh;
    if (e->failed || rsd_sparsity_from_pairs(&fresh, j->n, j->n, e->n, e->row, e->column, &j->alloc, NULL) < 0)
        return RESIDA_ERR_MEMORY;
    if (!j->has_pattern) {
        *all = fresh;
        return 0;
    }
    int status = rsd_sparsity_union(all, old, &fresh, &j->alloc, NULL);
    rsd_sparsity_free(&fresh, &j->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

static int take(resida_jacobian *j, const found *f)
{
    rsd_sparsity dear, cheap;
    if (unite(j, &j->dear.pattern, &f->dear, &dear) < 0) return RESIDA_ERR_MEMORY;
    if (unite(j, &j->cheap.pattern, &f->cheap, &cheap) < 0) {
        rsd_sparsity_free(&dear, &j->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_set_patterns(j, &dear, &cheap);
}

/* Is there anything that the patterns do not hold yet? */
static int has_news(const resida_jacobian *j, const found *f)
{
    for (long k = 0; k < f->dear.n; k++)
        if (!rsd_sparsity_contains(&j->dear.pattern, f->dear.row[k], f->dear.column[k])) return 1;
    for (long k = 0; k < f->cheap.n; k++)
        if (!rsd_sparsity_contains(&j->cheap.pattern, f->cheap.row[k], f->cheap.column[k])) return 1;
    return f->dear.failed || f->cheap.failed;
}

static void free_found(resida_jacobian *j, found *f)
{
    free_entries(j, &f->dear);
    free_entries(j, &f->cheap);
}

/* Is what was listed from `middle` on the same as from `begin` to there? Every scan lists in the same order. */
static int repeats(const entries *e, long begin, long middle)
{
    size_t bytes = (size_t)(middle - begin) * sizeof(int);
    return !e->failed && e->n - middle == middle - begin &&
           (bytes == 0 || (memcmp(e->row + begin, e->row + middle, bytes) == 0 &&
                           memcmp(e->column + begin, e->column + middle, bytes) == 0));
}

/* Up to STATES states; two in a row that agree end the search. */
int rsd_estimate_patterns(resida_jacobian *j, const resida_jacobian_point *at)
{
    found f = {{NULL, NULL, 0, 0, 0}, {NULL, NULL, 0, 0, 0}};
    long calls = j->counts.residual_calls, dear[2] = {0, 0}, cheap[2] = {0, 0};
    int verdict = 0, states = 0, agree = 0;
    for (int state = 0; state < STATES && verdict >= 0 && !agree; state++) {
        verdict = scan_state(j, at, state, &f);
        states += verdict == 0;
        agree =
            state > 0 && verdict == 0 && repeats(&f.dear, dear[0], dear[1]) && repeats(&f.cheap, cheap[0], cheap[1]);
        dear[0] = dear[1], dear[1] = f.dear.n;
        cheap[0] = cheap[1], cheap[1] = f.cheap.n;
    }
    j->counts.pattern_calls += j->counts.residual_calls - calls - (verdict < 0); /* a refused call is not one */
    if (verdict >= 0) verdict = states > 0 ? take(j, &f) : rsd_full_patterns(j); /* F is possible at no state nearby */
    free_found(j, &f);
    return verdict;
}

/* How far the columns move, d [n]: those of one group by different multiples of their increments. What a row lacks of a
 * group went into the entry that it has of it, which would explain it if both moved as they did then. */
static void choose_moves(resida_jacobian *j, const resida_jacobian_point *at, double *d)
{
    uint64_t seed = 7u + (uint64_t)j->counts.evaluations_coloured;
    const rsd_colouring *q = &j->dear.colours;
    double shift = fabs(random_number(&seed)), whole;
    memset(d, 0, (size_t)j->n * sizeof *d);
    for (int g = 0; g < q->n_groups; g++) {
        double side = copysign(1, random_number(&seed));
        for (int k = q->start[g]; k < q->start[g + 1]; k++, side = -side) {
            int c = q->columns[k];
            double multiple = 1 + modf(GOLDEN * (k - q->start[g]) + shift, &whole);
            if (j->columns[c] & RESIDA_COLUMN_DEAR) d[c] = side * multiple * rsd_increment(at, c);
        }
    }
}

/* What A says of a random move of all columns: j->delta [n] rows = A d, j->sum = |A| |d|; j->scale: the size of the terms
 * that cancel in a row, and so of its rounding. The moved point is left in (j->y, j->yp). */
static void predict(resida_jacobian *j, const resida_jacobian_point *at)
{
    const rsd_sparsity *q = &j->dear.pattern;
    size_t bytes = (size_t)j->n * sizeof *j->sum;
    double syp = j->combined ? at->alpha : 0;
    choose_moves(j, at, j->y);
    memset(j->delta, 0, bytes);
    memset(j->sum, 0, bytes);
    memset(j->scale, 0, bytes);
    for (int c = 0; c < j->n; c++) {
        double d = j->y[c];
        j->y[c] = at->y[c] + d;
        j->yp[c] = at->yp[c] + syp * d;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            double a = j->A[j->dear.at[e]], b = j->B[j->dear.at[e]];
            j->delta[q->row[e]] += a * d;
            j->sum[q->row[e]] += fabs(a * d);
            j->scale[q->row[e]] += fabs(a * at->y[c]) + fabs(b * at->yp[c]);
        }
    }
    for (int k = 0; k < j->s.n_yp; k++) j->scale[j->s.yp_row[k]] += fabs(j->B[j->yp_at[k]] * at->yp[j->s.yp_column[k]]);
}

int rsd_audit(resida_jacobian *j, const resida_jacobian_point *at, int *complete)
{
    rsd_part part = j->combined ? RSD_WHOLE : RSD_DEAR;
    *complete = 1;
    int verdict = rsd_base(j, part, at, j->r0);
    if (verdict) return verdict;
    predict(j, at);
    verdict = rsd_call(j, part, at->t, j->y, j->yp, j->r);
    if (verdict < 0) return verdict;
    j->counts.pattern_calls++;
    if (verdict > 0) return 0; /* not possible there: nothing is learnt */
    for (int i = 0; i < j->n; i++) {
        double got = j->r[i] - j->r0[i], noise = NOISE * (fabs(j->r[i]) + fabs(j->r0[i]) + j->scale[i]);
        if (fabs(got - j->delta[i]) > UNEXPLAINED * j->sum[i] + noise) *complete = 0;
    }
    return 0;
}

int rsd_grow_patterns(resida_jacobian *j, const resida_jacobian_point *at, int *grown)
{
    found f = {{NULL, NULL, 0, 0, 0}, {NULL, NULL, 0, 0, 0}};
    long calls = j->counts.residual_calls;
    *grown = 0;
    memcpy(j->y, at->y, (size_t)j->n * sizeof *j->y);
    memcpy(j->yp, at->yp, (size_t)j->n * sizeof *j->yp);
    int verdict = scan_here(j, at->t, GROW_STEP, &f);
    j->counts.pattern_calls += j->counts.residual_calls - calls - (verdict < 0); /* a refused call is not one */
    if (verdict > 0) verdict = 0; /* not possible nearby: what was seen until then counts */
    *grown = verdict == 0 && has_news(j, &f);
    if (*grown) {
        j->counts.pattern_updates++;
        verdict = take(j, &f);
    }
    free_found(j, &f);
    return verdict;
}
