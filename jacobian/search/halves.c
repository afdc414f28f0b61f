/* halves.c - which rows can columns touch? Blocks of columns that move together say it: what changes with no block is
 * touched by no column of it. Blocks are halved again and again, and those whose rows do not meet share a call, so that
 * a band takes a few calls for each halving, however many columns there are.
 *
 * No entry is lost. Each column moves by a random part of its increment, never by more than that, so that columns with
 * opposite entries do not hide each other, and F is not asked further away than by single columns. A row that changes
 * with a call of which no block had it was hidden before: then nothing is believed, nor where F is not possible to both
 * sides, or not finite. Where blocks keep meeting in their rows, columns one by one are cheaper. */
#include "halves.h"

#include "search.h"
#include "src/base/numbers.h"

#include <math.h>
#include <string.h>

enum { FIRST_BLOCKS = 8 }; /* of all columns, where nothing is known of them */
#define LEAST_MOVE 0.5     /* of an increment */
#define TRIAL      0.0625  /* of the columns: calls that may be spent before blocks are seen to share any */
#define REINVESTED 0.5     /* of the calls that are saved by what is known, those that may be spent to know more */
#define MOST_LEFT  0.75    /* of the columns: groups that are worth it */

/** Columns in blocks, and what is known of them. */
typedef struct halves {
    const rsd_task *t;
    const rsd_known *known;          /* NULL: nothing */
    rsd_task together;               /* the same, for the columns of a call */
    rsd_colouring call;              /* one group: them */
    int *memory;                     /* all lists below */
    int *columns, n_columns;         /* that move */
    int *begin, *end, n_blocks;      /* of the blocks in that list */
    int *new_begin, *new_end, n_new; /* their parts */
    int *moving;                     /* columns of a call */
    int *part_of;                    /* [n] the part that has the row, in the call under way; -1: none */
    unsigned char *is_idle;          /* [n] blocks that touch nothing */
    rsd_sparsity rows;               /* [n x n_blocks] that a block can touch */
    rsd_colouring groups;            /* of blocks that share a call */
    rsd_entries seen;                /* rows, and the parts that touch them */
    uint64_t seed;
    long calls;
    int is_sure; /* 0: what was seen contradicts itself, or F was not possible */
} halves;

static const resida_allocator *allocator(const halves *h)
{
    return &h->t->d->f->alloc;
}

static void close_halves(halves *h)
{
    const resida_allocator *a = allocator(h);
    rsd_free(a, h->memory);
    rsd_free(a, h->is_idle);
    rsd_sparsity_free(&h->rows, a);
    rsd_colouring_free(&h->groups, a);
    rsd_entries_free(&h->seen, a);
}

/* 0: no memory. */
static int open_halves(halves *h, const rsd_task *t, const rsd_known *known)
{
    const int n = t->d->f->n;
    int **lists[] = {&h->columns, &h->begin, &h->end, &h->new_begin, &h->new_end, &h->moving, &h->part_of};
    enum { LISTS = sizeof lists / sizeof *lists, OF_CALL = 2 };
    *h = (halves){.t = t, .known = known, .together = *t, .seed = 20041111u, .is_sure = 1};
    h->memory = rsd_calloc(&t->d->f->alloc, (long)LISTS * n + OF_CALL, sizeof(int));
    h->is_idle = rsd_calloc(&t->d->f->alloc, n, 1);
    if (!h->memory || !h->is_idle) return 0;
    for (int i = 0; i < LISTS; i++) *lists[i] = h->memory + (size_t)i * (size_t)n;
    h->call = (rsd_colouring){.n_groups = 1, .start = h->memory + (size_t)LISTS * (size_t)n, .columns = h->moving};
    for (int c = 0; c < n; c++) {
        h->part_of[c] = -1;
        if (rsd_moves(t, c)) h->columns[h->n_columns++] = c;
    }
    return 1;
}

/* New moves for all columns: those that hid each other do so no more. */
static void choose_moves(halves *h)
{
    double *delta = h->t->d->delta;
    rsd_increments(h->t);
    for (int k = 0; k < h->n_columns; k++)
        delta[h->columns[k]] *= LEAST_MOVE + (1 - LEAST_MOVE) * fabs(rsd_random(&h->seed));
}

/* The columns of one part of each block of the group move; what touches a row is then known. */
static void gather(halves *h, int group, int part, int ways)
{
    int n = 0;
    for (int k = h->groups.start[group]; k < h->groups.start[group + 1]; k++) {
        const int b = h->groups.columns[k];
        const long size = h->end[b] - h->begin[b];
        const int first = h->begin[b] + (int)(size * part / ways), last = h->begin[b] + (int)(size * (part + 1) / ways);
        const int is_there = last > first;
        for (int e = h->rows.col_start[b]; e < h->rows.col_start[b + 1]; e++)
            h->part_of[h->rows.row[e]] = is_there ? h->n_new : -1;
        if (!is_there) continue;
        memcpy(h->moving + n, h->columns + first, (size_t)(last - first) * sizeof *h->moving);
        n += last - first;
        h->new_begin[h->n_new] = first;
        h->new_end[h->n_new++] = last;
    }
    h->call.start[1] = n;
}

static void forget_parts(halves *h, int group)
{
    for (int k = h->groups.start[group]; k < h->groups.start[group + 1]; k++) {
        const int b = h->groups.columns[k];
        for (int e = h->rows.col_start[b]; e < h->rows.col_start[b + 1]; e++) h->part_of[h->rows.row[e]] = -1;
    }
}

/* Has the row changed, or by another amount than what is known explains? Not to be told from rounding: no. */
static int is_touched(const halves *h, const double *r, int i)
{
    const rsd_differences *d = h->t->d;
    const double change = r[i] - d->r0[i], size = fabs(r[i]) + fabs(d->r0[i]);
    if (h->known) return rsd_known_denies(h->known, i, change, size);
    if (rsd_is_exact(d, h->t->part)) return change != 0; /* NaN is */
    return !(fabs(change) <= RSD_NEGLIGIBLE * (size + fabs(h->t->at->F[i])));
}

/* The rows that are touched, and by what. */
static void list_rows(halves *h, const double *r)
{
    for (int i = 0; i < h->t->d->f->n; i++) {
        if (!is_touched(h, r, i)) continue;
        h->is_sure &= isfinite(r[i]) && h->part_of[i] >= 0;
        if (h->is_sure) rsd_entries_add(&h->seen, allocator(h), h->t->d->f->n, i, h->part_of[i], 0);
    }
}

static int call_part(halves *h, int group, int part, int ways)
{
    rsd_differences *d = h->t->d;
    double side = 1;
    gather(h, group, part, ways);
    if (h->call.start[1] == 0) return 0;
    int verdict = rsd_call_moved(&h->together, &d->walkers.own, 0, side, d->r);
    if (verdict > 0) verdict = rsd_call_moved(&h->together, &d->walkers.own, 0, side = -1, d->r);
    h->calls++;
    if (!verdict && h->known) rsd_known_predict(h->known, h->t, h->moving, h->call.start[1], side);
    if (!verdict) list_rows(h, d->r);
    h->is_sure &= verdict == 0;
    forget_parts(h, group);
    return verdict < 0 ? verdict : 0;
}

/* The parts become the blocks. RESIDA_ERR_MEMORY. */
static int take_parts(halves *h)
{
    const resida_allocator *a = allocator(h);
    int *begin = h->begin, *end = h->end;
    h->begin = h->new_begin, h->new_begin = begin;
    h->end = h->new_end, h->new_end = end;
    h->n_blocks = h->n_new;
    rsd_sparsity_free(&h->rows, a);
    rsd_colouring_free(&h->groups, a);
    if (h->seen.failed || rsd_sparsity_from_pairs(&h->rows, h->t->d->f->n, h->n_blocks, h->seen.n, h->seen.row,
                                                  h->seen.column, a, NULL) < 0)
        return RESIDA_ERR_MEMORY;
    for (int b = 0; b < h->n_blocks; b++) h->is_idle[b] = h->rows.col_start[b] == h->rows.col_start[b + 1];
    const int status = rsd_colour_by(&h->groups, &h->rows, h->is_idle, "greedy natural", a, NULL);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* Every block in so many parts, each by itself. */
static int split(halves *h, int ways)
{
    int verdict = 0;
    h->together.colours = &h->call;
    h->seen.n = h->n_new = 0;
    choose_moves(h);
    for (int g = 0; g < h->groups.n_groups; g++)
        for (int part = 0; part < ways && !verdict && h->is_sure; part++) verdict = call_part(h, g, part, ways);
    return verdict || !h->is_sure ? verdict : take_parts(h);
}

/* All columns as one block that can touch every row. RESIDA_ERR_MEMORY. */
static int begin_whole(halves *h)
{
    const int n = h->t->d->f->n;
    h->new_begin[0] = 0;
    h->new_end[0] = h->n_columns;
    h->n_new = 1;
    for (int i = 0; i < n; i++)
        if (!h->known || !h->known->ignored[i]) rsd_entries_add(&h->seen, allocator(h), n, i, 0, 0);
    return take_parts(h);
}

/* Calls of the differences themselves, if no more is known than now. */
static int calls_left(const halves *h)
{
    int sum = 0;
    for (int g = 0; g < h->groups.n_groups; g++) {
        int most = 0;
        for (int k = h->groups.start[g]; k < h->groups.start[g + 1]; k++) {
            const int b = h->groups.columns[k], size = h->end[b] - h->begin[b];
            most = size > most ? size : most;
        }
        sum += most;
    }
    return sum;
}

/* At best a halving saves half of what is left. */
static int is_worth_halving(const halves *h)
{
    const int cost = 2 * h->groups.n_groups, left = calls_left(h);
    const double may_be_spent = TRIAL * h->n_columns + REINVESTED * (h->n_columns - left);
    return 2 * cost < left && (double)(h->calls + cost) <= may_be_spent;
}

/* Each column of a block can touch its rows. RESIDA_ERR_MEMORY. */
static int list_possible(halves *h, rsd_sparsity *possible)
{
    const int n = h->t->d->f->n;
    h->seen.n = 0;
    for (int b = 0; b < h->n_blocks; b++)
        for (int k = h->begin[b]; k < h->end[b]; k++)
            for (int e = h->rows.col_start[b]; e < h->rows.col_start[b + 1]; e++)
                rsd_entries_add(&h->seen, allocator(h), n, h->rows.row[e], h->columns[k], 0);
    return rsd_entries_unite(&h->seen, n, NULL, possible, allocator(h));
}

static int find(halves *h, rsd_sparsity *possible, int *found)
{
    int verdict = rsd_walk_begin(h->t);
    if (!verdict) verdict = begin_whole(h);
    if (!verdict) verdict = split(h, h->known ? 1 : FIRST_BLOCKS);
    while (!verdict && h->is_sure && is_worth_halving(h)) verdict = split(h, 2);
    if (verdict || !h->is_sure || calls_left(h) > MOST_LEFT * h->n_columns) return verdict;
    verdict = list_possible(h, possible);
    *found = verdict == 0;
    return verdict;
}

int rsd_halves(const rsd_task *t, const rsd_known *known, rsd_sparsity *possible, int *found)
{
    halves h;
    const int back = rsd_profile_enter(t->d->profile, RSD_IN_DIFFERENCES);
    const long calls = t->d->counts->residual_calls;
    *found = 0;
    *possible = (rsd_sparsity){.rows = 0};
    const int verdict = open_halves(&h, t, known) ? find(&h, possible, found) : RESIDA_ERR_MEMORY;
    close_halves(&h);
    rsd_note_pattern_calls(t->d, calls, verdict);
    rsd_profile_leave(t->d->profile, back);
    return verdict;
}
