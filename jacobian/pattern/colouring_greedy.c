/* colouring_greedy.c - distance-2 colouring without a library. Neighbours are columns with a row in common. The columns
 * are visited one after the other. Each column is put into the first group that contains none of its neighbours. The
 * number of groups depends on the order of the columns; Coleman, More: Estimation of sparse Jacobian matrices and graph
 * coloring problems. Neighbours are not stored; they are visited by column -> its rows -> their columns.
 *
 * For the order "smallest last", the key of a column is its number of remaining neighbours. The columns with the same
 * key are in a list. A key decreases by one at a time. Therefore the search for the smallest key takes as many steps in
 * total as the keys decrease. */
#include "colouring_greedy.h"

enum { NONE = -1 };

typedef struct work {
    const rsd_sparsity *s;
    int *order;       /* [n] columns in the order of colouring */
    int *mark;        /* [n] column that last visited neighbour d or, in the colouring, last found group g taken */
    int *key;         /* [n] number of neighbours of a column that are not yet ordered; NONE: ordered */
    int *next, *prev; /* [n] next and previous column in the list of columns with the same key */
    int *head;        /* [n] first column of the list of each key; NONE: the list is empty */
    int end;          /* all lists of keys below `end` are empty */
} work;

static void fill_with_value(int n, int *x, int value)
{
    for (int i = 0; i < n; i++) x[i] = value;
}

static void insert_column(work *w, int c, int key)
{
    w->key[c] = key;
    w->prev[c] = NONE;
    w->next[c] = w->head[key];
    if (w->next[c] != NONE) w->prev[w->next[c]] = c;
    w->head[key] = c;
    if (key < w->end) w->end = key;
}

static void remove_column(work *w, int c)
{
    *(w->prev[c] != NONE ? &w->next[w->prev[c]] : &w->head[w->key[c]]) = w->next[c];
    if (w->next[c] != NONE) w->prev[w->next[c]] = w->prev[c];
}

/* Return the number of remaining neighbours of column c, including c. If step > 0, decrease their keys by step. */
static int visit_neighbours(work *w, int c, int step)
{
    const rsd_sparsity *s = w->s;
    int count = 0;
    for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
        for (int m = s->row_start[s->row[k]]; m < s->row_start[s->row[k] + 1]; m++) {
            const int d = s->col[m];
            if (w->key[d] == NONE || w->mark[d] == c) continue;
            w->mark[d] = c;
            count++;
            if (step == 0) continue;
            remove_column(w, d);
            insert_column(w, d, w->key[d] - step);
        }
    return count;
}

/* Fill the colouring order from its end. Each time choose the column with the fewest remaining neighbours. */
static void order_smallest_last(work *w)
{
    const int n = w->s->cols;
    w->end = n - 1;
    fill_with_value(n, w->head, NONE);
    fill_with_value(n, w->mark, NONE);
    for (int c = n - 1; c >= 0; c--) insert_column(w, c, visit_neighbours(w, c, 0) - 1);
    fill_with_value(n, w->mark, NONE);
    for (int k = n - 1; k >= 0; k--) {
        while (w->head[w->end] == NONE) w->end++;
        const int c = w->order[k] = w->head[w->end];
        remove_column(w, c);
        w->key[c] = NONE;
        visit_neighbours(w, c, 1);
    }
}

static void colour_in_order(work *w, int *group)
{
    const rsd_sparsity *s = w->s;
    fill_with_value(s->cols, group, NONE);
    fill_with_value(s->cols, w->mark, NONE); /* mark[g] == c: a neighbour of c is in group g */
    for (int i = 0; i < s->cols; i++) {
        int c = w->order[i], g = 0;
        for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
            for (int m = s->row_start[s->row[k]]; m < s->row_start[s->row[k] + 1]; m++)
                if (group[s->col[m]] != NONE) w->mark[group[s->col[m]]] = c;
        while (w->mark[g] == c) g++;
        group[c] = g;
    }
}

resida_status rsd_colour_greedily(const rsd_sparsity *s, int *group, const resida_allocator *alloc)
{
    work w = {.s = s};
    const int all = RSD_INTS(alloc, s->cols, &w.order, &w.mark, &w.key, &w.next, &w.prev, &w.head);
    if (all) {
        order_smallest_last(&w);
        colour_in_order(&w, group);
    }
    RSD_FREE(alloc, w.order, w.mark, w.key, w.next, w.prev, w.head);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}
