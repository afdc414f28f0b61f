/* colouring_greedy.c - distance-2 colouring without a library: the columns are taken one after the other, each into the
 * first group that none of its neighbours (columns with a row in common) is in. How many groups come out depends on
 * the order; the three that are not natural are compared in Coleman, More: Estimation of sparse Jacobian matrices and
 * graph coloring problems. Neighbours are never listed, they are walked over: column -> its rows -> their columns.
 *
 * The dynamic orders keep the columns in a queue of lists, one list for each key; a key moves by one at a time, so the
 * end of the queue moves no further than the keys together. */
#include "colouring_greedy.h"

enum { NONE = -1 };

typedef struct work {
    const rsd_sparsity *s;
    int *order;        /* [n] */
    int *mark;         /* [n] */
    int *key;          /* [n] number of neighbours that count; NONE for a column that was taken */
    int *next, *prev;  /* [n] in the list of the same key */
    int *head;         /* [n] first column of each list */
    int takes_largest; /* which end the queue is taken from */
    int end;           /* no column lies beyond this key, at that end */
} work;

static void fill(int n, int *x, int value)
{
    for (int i = 0; i < n; i++) x[i] = value;
}

static void put(work *w, int c, int key)
{
    w->key[c] = key;
    w->prev[c] = NONE;
    w->next[c] = w->head[key];
    if (w->next[c] != NONE) w->prev[w->next[c]] = c;
    w->head[key] = c;
    if (w->takes_largest ? key > w->end : key < w->end) w->end = key;
}

static void drop(work *w, int c)
{
    if (w->prev[c] != NONE)
        w->next[w->prev[c]] = w->next[c];
    else
        w->head[w->key[c]] = w->next[c];
    if (w->next[c] != NONE) w->prev[w->next[c]] = w->prev[c];
    w->key[c] = NONE;
}

static int take_column(work *w)
{
    while (w->head[w->end] == NONE) w->end += w->takes_largest ? -1 : 1;
    int c = w->head[w->end];
    drop(w, c);
    return c;
}

static int count_neighbours(work *w, int c)
{
    const rsd_sparsity *s = w->s;
    int count = 0;
    w->mark[c] = c;
    for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
        for (int m = s->row_start[s->row[k]]; m < s->row_start[s->row[k] + 1]; m++) {
            int d = s->col[m];
            count += w->mark[d] != c;
            w->mark[d] = c;
        }
    return count;
}

/* Column c was taken: the keys of its neighbours that are left move by `step`. */
static void move_neighbours(work *w, int c, int step)
{
    const rsd_sparsity *s = w->s;
    for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
        for (int m = s->row_start[s->row[k]]; m < s->row_start[s->row[k] + 1]; m++) {
            int d = s->col[m];
            if (w->key[d] == NONE || w->mark[d] == c) continue;
            w->mark[d] = c;
            int key = w->key[d] + step;
            drop(w, d);
            put(w, d, key);
        }
}

static void make_order(work *w, rsd_greedy_order order)
{
    int n = w->s->cols, step = order == RSD_GREEDY_SMALLEST_LAST ? -1 : order == RSD_GREEDY_INCIDENCE ? 1 : 0;
    w->takes_largest = order != RSD_GREEDY_SMALLEST_LAST;
    w->end = w->takes_largest ? 0 : n - 1;
    fill(n, w->head, NONE);
    fill(n, w->mark, NONE);
    for (int c = n - 1; c >= 0; c--) put(w, c, order == RSD_GREEDY_INCIDENCE ? 0 : count_neighbours(w, c));
    fill(n, w->mark, NONE);
    for (int k = 0; k < n; k++) {
        int c = take_column(w);
        w->order[w->takes_largest ? k : n - 1 - k] = c;
        if (step != 0) move_neighbours(w, c, step);
    }
}

static void colour_in_order(work *w, int *group)
{
    const rsd_sparsity *s = w->s;
    fill(s->cols, group, NONE);
    fill(s->cols, w->mark, NONE); /* mark[g] == c: a neighbour of c is in group g */
    for (int i = 0; i < s->cols; i++) {
        int c = w->order[i], g = 0;
        for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
            for (int m = s->row_start[s->row[k]]; m < s->row_start[s->row[k] + 1]; m++)
                if (group[s->col[m]] != NONE) w->mark[group[s->col[m]]] = c;
        while (w->mark[g] == c) g++;
        group[c] = g;
    }
}

resida_status rsd_greedy_colour(rsd_greedy_order order, const rsd_sparsity *s, int *group,
                                const resida_allocator *alloc)
{
    int n = s->cols, *block = rsd_calloc(alloc, 6 * (long)n, sizeof(int));
    if (!block) return RESIDA_ERR_MEMORY;
    int *part[6];
    for (long i = 0; i < 6; i++) part[i] = block + i * n;
    work w = {.s = s, .order = part[0], .mark = part[1], .key = part[2], .next = part[3], .prev = part[4]};
    w.head = part[5];
    if (order == RSD_GREEDY_NATURAL)
        for (int c = 0; c < n; c++) w.order[c] = c;
    else
        make_order(&w, order);
    colour_in_order(&w, group);
    rsd_free(alloc, block);
    return RESIDA_OK;
}
