/* matching.c - the matching of rows with columns that has the largest product (I. S. Duff, J. Koster: On algorithms for
 * permuting large entries to the diagonal of a sparse matrix), by shortest augmenting paths:
 *
 *     c(i,j) = max_k e(k,j) - e(i,j) >= 0,    e: binary exponents of A,    minimise the sum of c(row_of(j), j)
 *
 * Duals u, v of rows and columns keep c(i,j) - u(i) - v(j) >= 0, and = 0 for pairs that are matched. A column that is
 * free searches by Dijkstra's rule for the nearest free row; the path there changes partners, and the duals of what
 * was passed follow. Exponents alone make many paths equally short, and searches end at the first one: with logarithms
 * those on a chain of rods pass ten times as many entries, for the same fill. */
#include "matching.h"

#include <limits.h>
#include <math.h>

enum { NOT_SEEN = -1, CLOSED = -2, FREE = -1, FAR = INT_MAX };

#define LOOKS_EACH 100 /* at an entry, on the average: longer searches do not pay */

typedef struct matcher {
    const rsd_csr *A;
    int *row_of;             /* [n] of columns */
    int *column_of;          /* [n] of rows */
    int *cost;               /* [nnz] c; FAR: the entry is zero */
    int *u, *v;              /* [n] of rows, of columns */
    int *distance;           /* [n] of rows from the column that searches; FAR: not seen */
    int *from;               /* [n] the column before a row on its path */
    int *place;              /* [n] of rows in the heap; NOT_SEEN, CLOSED */
    int *heap, n_heap;       /* rows, the nearest first */
    int *closed, n_closed;   /* rows that were passed */
    int *touched, n_touched; /* rows that were seen */
    double budget;           /* entries that may still be looked at */
} matcher;

static void put(matcher *m, int at, int row)
{
    m->heap[at] = row;
    m->place[row] = at;
}

/* A row that came nearer goes up. */
static void rise(matcher *m, int row)
{
    int at = m->place[row];
    for (; at > 0 && m->distance[m->heap[(at - 1) / 2]] > m->distance[row]; at = (at - 1) / 2)
        put(m, at, m->heap[(at - 1) / 2]);
    put(m, at, row);
}

/* Take the nearest row out. */
static int take(matcher *m)
{
    const int nearest = m->heap[0], last = m->heap[--m->n_heap];
    int at = 0;
    for (int below = 1; below < m->n_heap; below = 2 * at + 1) {
        if (below + 1 < m->n_heap && m->distance[m->heap[below + 1]] < m->distance[m->heap[below]]) below++;
        if (m->distance[m->heap[below]] >= m->distance[last]) break;
        put(m, at, m->heap[below]);
        at = below;
    }
    if (m->n_heap > 0) put(m, at, last);
    m->place[nearest] = CLOSED;
    return nearest;
}

/* Rows of a column that is `base` away. @return a free one that is no farther; FREE: none */
static int look_around(matcher *m, int column, int base)
{
    const rsd_csr *A = m->A;
    m->budget -= A->row[column + 1] - A->row[column];
    for (int k = A->row[column]; k < A->row[column + 1]; k++) {
        const int row = A->col[k];
        if (m->cost[k] == FAR || m->place[row] == CLOSED) continue;
        const int distance = base + m->cost[k] - m->u[row] - m->v[column];
        if (distance >= m->distance[row]) continue;
        if (m->place[row] == NOT_SEEN) {
            m->touched[m->n_touched++] = row;
            m->place[row] = m->n_heap++;
        }
        m->distance[row] = distance;
        m->from[row] = column;
        if (distance == base && m->column_of[row] == FREE) return row;
        rise(m, row);
    }
    return FREE;
}

/* The free row that is nearest to a column. FREE: none can be reached. */
static int find_free(matcher *m, int start)
{
    int column = start, base = 0;
    m->n_heap = m->n_closed = m->n_touched = 0;
    while (m->budget > 0) {
        int row = look_around(m, column, base);
        if (row != FREE || m->n_heap == 0) return row;
        row = take(m);
        if (m->column_of[row] == FREE) return row;
        m->closed[m->n_closed++] = row;
        base = m->distance[row];
        column = m->column_of[row];
    }
    return FREE;
}

/* Duals of what was passed on the way to row `end`. */
static void follow(matcher *m, int start, int end)
{
    m->v[start] += m->distance[end];
    for (int i = 0; i < m->n_closed; i++) {
        const int row = m->closed[i], part = m->distance[end] - m->distance[row];
        m->u[row] -= part;
        m->v[m->column_of[row]] += part;
    }
}

/* Each column of the path takes the row that it found. */
static void change_partners(matcher *m, int start, int end)
{
    for (int row = end, column = FREE; column != start;) {
        column = m->from[row];
        const int given_up = m->row_of[column];
        m->row_of[column] = row;
        m->column_of[row] = column;
        row = given_up;
    }
}

/* @return 1; 0: the column finds no row */
static int search(matcher *m, int start)
{
    const int end = find_free(m, start);
    if (end == FREE) return 0;
    follow(m, start, end);
    change_partners(m, start, end);
    for (int i = 0; i < m->n_touched; i++) {
        m->distance[m->touched[i]] = FAR;
        m->place[m->touched[i]] = NOT_SEEN;
    }
    return 1;
}

static int exponent(double x)
{
    int e;
    frexp(x, &e);
    return e;
}

/* c, and the duals of rows: the least that is in them. */
static void begin(matcher *m, const double *values)
{
    const rsd_csr *A = m->A;
    for (int i = 0; i < A->cols; i++) {
        m->row_of[i] = m->column_of[i] = FREE;
        m->place[i] = NOT_SEEN;
        m->distance[i] = m->u[i] = FAR;
    }
    for (int j = 0; j < A->cols; j++) {
        double most = 0;
        for (int k = A->row[j]; k < A->row[j + 1]; k++) most = fmax(most, fabs(values[k]));
        for (int k = A->row[j]; k < A->row[j + 1]; k++) {
            m->cost[k] = values[k] != 0 ? exponent(most) - exponent(values[k]) : FAR;
            if (m->cost[k] < m->u[A->col[k]]) m->u[A->col[k]] = m->cost[k];
        }
    }
}

/* Duals of columns. Rows that are free and cost no more are taken without a search. */
static void take_what_is_free(matcher *m)
{
    const rsd_csr *A = m->A;
    for (int j = 0; j < A->cols; j++) {
        int least = FAR;
        for (int k = A->row[j]; k < A->row[j + 1]; k++)
            if (m->cost[k] != FAR && m->cost[k] - m->u[A->col[k]] < least) least = m->cost[k] - m->u[A->col[k]];
        m->v[j] = least;
        for (int k = A->row[j]; k < A->row[j + 1] && m->row_of[j] == FREE; k++) {
            const int row = A->col[k];
            if (m->cost[k] == FAR || m->column_of[row] != FREE || m->cost[k] - m->u[row] > least) continue;
            m->row_of[j] = row;
            m->column_of[row] = j;
        }
    }
}

int rsd_matching(const rsd_csr *A, const double *values, int *row_of, const resida_allocator *alloc)
{
    matcher m = {.A = A, .row_of = row_of, .budget = LOOKS_EACH * (double)A->nnz};
    const int all = RSD_INTS(alloc, A->nnz, &m.cost) && RSD_INTS(alloc, A->cols, &m.column_of, &m.u, &m.v, &m.distance,
                                                                 &m.from, &m.place, &m.heap, &m.closed, &m.touched);
    int found = all ? 1 : -1;
    if (found > 0) {
        begin(&m, values);
        take_what_is_free(&m);
    }
    for (int j = 0; found > 0 && j < A->cols; j++)
        if (row_of[j] == FREE) found = search(&m, j);
    RSD_FREE(alloc, m.column_of, m.cost, m.u, m.v, m.distance, m.from, m.place, m.heap, m.closed, m.touched);
    return found;
}
