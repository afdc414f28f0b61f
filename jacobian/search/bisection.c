/* bisection.c - finds the rows in which columns can have entries, by bisection of blocks of columns. All columns of a
 * block are perturbed at once. A row that does not change has no entry in any of these columns. Each block is halved
 * repeatedly. Blocks without a common row share a call. A band matrix therefore takes a few calls per halving, for any
 * number of columns.
 *
 * No entry is lost. Each column is perturbed by a random part of its increment, so that opposite entries do not cancel.
 * No component is perturbed by more than its increment for a single column. The result is discarded in two cases. In
 * the first, a row changes although no block of the call can affect it, because rounding hid the change before. In the
 * second, F cannot be evaluated on either side or is not finite. If blocks continue to share rows, bisection stops,
 * since differences column by column are cheaper. */
#include "bisection.h"

#include <math.h>
#include <string.h>

enum { FIRST_BLOCKS = 8 };        /* number of blocks in the first division */
#define MIN_MOVE           0.5    /* minimum perturbation of a column, relative to its increment */
#define HIDDEN_ROWS        1e4    /* factor of the increments in a second bisection, for rows hidden by rounding */
#define TRIAL_CALLS        0.0625 /* maximum calls of a bisection without savings, relative to the number of columns */
#define REINVESTED_SHARE   0.5    /* maximum calls of further bisection, relative to the calls saved so far */
#define MAX_PART_IN_GROUPS 0.75   /* maximum number of groups that are used, relative to the number of columns */

/** Blocks of columns, and the rows that depend on each block. */
typedef struct bisection {
    const rsd_task *t;               /* task whose columns are bisected */
    int *memory;                     /* memory of the lists columns, begin, end, new_begin, ... */
    int *columns, n_columns;         /* [n_columns] columns that the task perturbs */
    int *begin, *end, n_blocks;      /* [n_blocks] range of each block in `columns` */
    int *new_begin, *new_end, n_new; /* [n_new] range in `columns` of each part of a block, the next blocks */
    int *moving;                     /* columns that the current call perturbs */
    int *part_of;                    /* [n] perturbed part on which row i can depend in the current call; -1: none */
    unsigned char *is_idle;          /* [n_blocks] 1: no row depends on the block */
    rsd_sparsity rows;               /* [n x n_blocks] pattern of the rows that depend on each block */
    rsd_colouring groups;            /* groups of blocks that share a call */
    rsd_entries seen;                /* pairs of a changed row and the part that can have changed it */
    uint64_t seed;                   /* state of rsd_random() */
    double factor;                   /* factor of the increments: 1, or HIDDEN_ROWS in a second bisection */
    long calls;                      /* number of residual calls */
    int is_possible;                 /* 1: F could be evaluated in all calls */
    int is_valid;                    /* 1: is_possible, and only rows changed that a block of the call can affect */
} bisection;

static const resida_allocator *get_allocator(const bisection *bis)
{
    return &bis->t->d->f->alloc;
}

static void free_bisection(bisection *bis)
{
    const resida_allocator *a = get_allocator(bis);
    RSD_FREE(a, bis->memory, bis->is_idle);
    rsd_sparsity_free(&bis->rows, a);
    rsd_colouring_free(&bis->groups, a);
    rsd_entries_free(&bis->seen, a);
}

/* Allocate the memory of the bisection. Return 0 if there is no memory, else 1. */
static int allocate_bisection(bisection *bis, const rsd_task *t)
{
    const int n = t->d->f->n;
    int **lists[] = {&bis->columns, &bis->begin,  &bis->end,    &bis->new_begin,
                     &bis->new_end, &bis->moving, &bis->part_of};
    enum { LISTS = sizeof lists / sizeof *lists };
    *bis = (bisection){.t = t, .seed = 20041111u, .is_possible = 1, .is_valid = 1};
    bis->memory = rsd_calloc(&t->d->f->alloc, (long)LISTS * n, sizeof(int));
    bis->is_idle = rsd_calloc(&t->d->f->alloc, n, 1);
    if (!bis->memory || !bis->is_idle) return 0;
    for (int i = 0; i < LISTS; i++) *lists[i] = bis->memory + (size_t)i * (size_t)n;
    for (int c = 0; c < n; c++) {
        bis->part_of[c] = -1;
        if (rsd_is_column_perturbed(t, c)) bis->columns[bis->n_columns++] = c;
    }
    return 1;
}

/* Choose new perturbations of all columns, so that entries that cancelled before do not cancel again. */
static void choose_random_increments(bisection *bis)
{
    double *delta = bis->t->d->delta;
    rsd_set_increments(bis->t);
    for (int k = 0; k < bis->n_columns; k++)
        delta[bis->columns[k]] *= bis->factor * (MIN_MOVE + (1 - MIN_MOVE) * fabs(rsd_random(&bis->seed)));
}

/* Divide each block of the group into `ways` parts. List the columns of part number `part` of each block, and set
 * part_of of the rows that the block can affect. @return the number of columns */
static int list_part_columns(bisection *bis, int group, int part, int ways)
{
    int n = 0;
    for (int k = bis->groups.start[group]; k < bis->groups.start[group + 1]; k++) {
        const int b = bis->groups.columns[k];
        const long size = bis->end[b] - bis->begin[b];
        const int first = bis->begin[b] + (int)(size * part / ways),
                  last = bis->begin[b] + (int)(size * (part + 1) / ways);
        const int is_there = last > first;
        for (int e = bis->rows.col_start[b]; e < bis->rows.col_start[b + 1]; e++)
            bis->part_of[bis->rows.row[e]] = is_there ? bis->n_new : -1;
        if (!is_there) continue;
        memcpy(bis->moving + n, bis->columns + first, (size_t)(last - first) * sizeof *bis->moving);
        n += last - first;
        bis->new_begin[bis->n_new] = first;
        bis->new_end[bis->n_new++] = last;
    }
    return n;
}

static void reset_part_of_rows(bisection *bis, int group)
{
    for (int k = bis->groups.start[group]; k < bis->groups.start[group + 1]; k++) {
        const int b = bis->groups.columns[k];
        for (int e = bis->rows.col_start[b]; e < bis->rows.col_start[b + 1]; e++) bis->part_of[bis->rows.row[e]] = -1;
    }
}

/* List the rows that changed in the last call. Each row is listed with the part of a block that can affect it. */
static void list_changed_rows(bisection *bis)
{
    for (int i = 0; i < bis->t->d->f->n; i++) {
        if (!rsd_is_row_changed(bis->t, i, bis->t->d->r[i], bis->t->d->r0[i])) continue;
        bis->is_possible &= isfinite(bis->t->d->r[i]) != 0;
        bis->is_valid &= bis->is_possible && bis->part_of[i] >= 0;
        if (bis->is_valid) rsd_entries_add(&bis->seen, get_allocator(bis), bis->t->d->f->n, i, bis->part_of[i], 0);
    }
}

static int evaluate_bisection_part(bisection *bis, int group, int part, int ways)
{
    const int n = list_part_columns(bis, group, part, ways);
    if (n == 0) return 0;
    int verdict = rsd_evaluate_F_at_columns(bis->t, bis->moving, n, 1);
    if (verdict > 0) verdict = rsd_evaluate_F_at_columns(bis->t, bis->moving, n, -1);
    bis->calls++;
    if (!verdict) list_changed_rows(bis);
    bis->is_possible &= verdict == 0;
    bis->is_valid &= bis->is_possible;
    reset_part_of_rows(bis, group);
    return verdict < 0 ? verdict : 0;
}

/* Replace the blocks of columns by their parts. @return 0 on success; RESIDA_ERR_MEMORY */
static int replace_blocks_by_parts(bisection *bis)
{
    const resida_allocator *a = get_allocator(bis);
    int *begin = bis->begin, *end = bis->end;
    bis->begin = bis->new_begin, bis->new_begin = begin;
    bis->end = bis->new_end, bis->new_end = end;
    bis->n_blocks = bis->n_new;
    rsd_sparsity_free(&bis->rows, a);
    rsd_colouring_free(&bis->groups, a);
    if (rsd_build_pattern(&bis->seen, bis->t->d->f->n, bis->n_blocks, &bis->rows, a) < 0) return RESIDA_ERR_MEMORY;
    for (int b = 0; b < bis->n_blocks; b++) bis->is_idle[b] = bis->rows.col_start[b] == bis->rows.col_start[b + 1];
    const int status = rsd_colour_by_method(&bis->groups, &bis->rows, bis->is_idle, "greedy smallest last", a, NULL);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* Divide each block into `ways` parts, evaluate F for the parts of each group, and replace blocks by parts. */
static int split_blocks(bisection *bis, int ways)
{
    int verdict = 0;
    bis->seen.n = bis->n_new = 0;
    choose_random_increments(bis);
    for (int g = 0; g < bis->groups.n_groups; g++)
        for (int part = 0; part < ways && !verdict && bis->is_valid; part++)
            verdict = evaluate_bisection_part(bis, g, part, ways);
    return verdict || !bis->is_valid ? verdict : replace_blocks_by_parts(bis);
}

/* Begin with one block of all columns, which can affect every row. @return 0 on success; RESIDA_ERR_MEMORY */
static int begin_with_one_block(bisection *bis)
{
    const int n = bis->t->d->f->n;
    bis->new_begin[0] = 0;
    bis->new_end[0] = bis->n_columns;
    bis->n_new = 1;
    for (int i = 0; i < n; i++) rsd_entries_add(&bis->seen, get_allocator(bis), n, i, 0, 0);
    return replace_blocks_by_parts(bis);
}

/* Return the number of residual calls that remain if each column of the present blocks is differenced. Blocks of a
 * group share calls. Therefore a group takes as many calls as its largest block has columns. */
static int count_remaining_calls(const bisection *bis)
{
    int sum = 0;
    for (int g = 0; g < bis->groups.n_groups; g++) {
        int max = 0;
        for (int k = bis->groups.start[g]; k < bis->groups.start[g + 1]; k++) {
            const int b = bis->groups.columns[k], size = bis->end[b] - bis->begin[b];
            max = size > max ? size : max;
        }
        sum += max;
    }
    return sum;
}

/* Return 1 if another halving of the blocks is cheaper. A halving saves at most half of the remaining calls. */
static int is_halving_cheaper(const bisection *bis)
{
    const int cost = 2 * bis->groups.n_groups, left = count_remaining_calls(bis);
    const double may_be_spent = TRIAL_CALLS * bis->n_columns + REINVESTED_SHARE * (bis->n_columns - left);
    return 2 * cost < left && (double)(bis->calls + cost) <= may_be_spent;
}

/* For each column, list the rows that its block can affect. @return 0 on success; RESIDA_ERR_MEMORY */
static int list_possible_entries(bisection *bis, rsd_sparsity *possible)
{
    const int n = bis->t->d->f->n;
    bis->seen.n = 0;
    for (int b = 0; b < bis->n_blocks; b++)
        for (int k = bis->begin[b]; k < bis->end[b]; k++)
            for (int e = bis->rows.col_start[b]; e < bis->rows.col_start[b + 1]; e++)
                rsd_entries_add(&bis->seen, get_allocator(bis), n, bis->rows.row[e], bis->columns[k], 0);
    return rsd_build_pattern(&bis->seen, n, n, possible, get_allocator(bis));
}

static int find_possible_entries(bisection *bis, rsd_sparsity *possible, int *found)
{
    int verdict = rsd_prepare_changes(bis->t);
    if (!verdict) verdict = begin_with_one_block(bis);
    if (!verdict) verdict = split_blocks(bis, FIRST_BLOCKS);
    while (!verdict && bis->is_valid && is_halving_cheaper(bis)) verdict = split_blocks(bis, 2);
    if (verdict || !bis->is_valid || count_remaining_calls(bis) > MAX_PART_IN_GROUPS * bis->n_columns) return verdict;
    verdict = list_possible_entries(bis, possible);
    *found = verdict == 0;
    return verdict;
}

int rsd_bisect_columns(const rsd_task *t, rsd_sparsity *possible, int *found)
{
    bisection bis;
    const int back = rsd_profile_enter(t->d->profile, RSD_IN_DIFFERENCES);
    const long calls = t->d->counts->residual_calls;
    *found = 0;
    *possible = (rsd_sparsity){.rows = 0};
    int verdict = 0, is_hidden = 1;
    for (double factor = 1; is_hidden && !verdict && factor <= HIDDEN_ROWS; factor *= HIDDEN_ROWS) {
        verdict = allocate_bisection(&bis, t) ? 0 : RESIDA_ERR_MEMORY;
        bis.factor = factor;
        if (!verdict) verdict = find_possible_entries(&bis, possible, found);
        is_hidden = !bis.is_valid && bis.is_possible && !rsd_uses_products(t->d, t->part);
        free_bisection(&bis);
    }
    rsd_count_pattern_calls(t->d, calls, verdict);
    rsd_profile_leave(t->d->profile, back);
    return verdict;
}
