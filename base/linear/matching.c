/* matching.c - a matching of rows with columns whose product is nearly the largest, by auction (D. P. Bertsekas: The
 * auction algorithm: a distributed relaxation method for the assignment problem, Annals of Operations Research 14,
 * 1988). A column that is free bids for the row that is worth most to it,
 *
 *     max_i e(i,j) - price(i),    e: binary exponents of A
 *
 * takes it from the column that had it, and raises its price by what the next best row is worth less, plus BID. When
 * all columns have a row, the sum of e is at most n BID below the largest one. A row that a column has to take has an
 * infinite price: a column that finds no other has none. */
#include "matching.h"

#include <math.h>

enum { FREE = -1 };

#define LOOKS_EACH 100  /* at an entry, on the average: longer searches do not pay */
#define BID        0.25 /* exponents; from 0.1 to 0.5 fill is alike, at 0.01 the budget is spent by small bids */

typedef struct auction {
    const rsd_csr *A;
    int *row_of;    /* [n] of columns */
    int *column_of; /* [n] of rows */
    double *worth;  /* [nnz] e; -INFINITY: the entry is zero */
    double *price;  /* [n] of rows */
    double budget;  /* entries that may still be looked at */
} auction;

/* A column bids. @return the column that has lost its row, FREE: none; *found 0: there is no row for it */
static int bid(auction *m, int column, int *found)
{
    const rsd_csr *A = m->A;
    double best = -INFINITY, second = -INFINITY;
    int row = FREE;
    for (int k = A->row[column]; k < A->row[column + 1]; k++) {
        const double worth = m->worth[k] - m->price[A->col[k]];
        if (worth > best)
            second = best, best = worth, row = A->col[k];
        else
            second = fmax(second, worth);
    }
    m->budget -= A->row[column + 1] - A->row[column];
    *found = row != FREE && m->budget > 0;
    if (!*found) return FREE;
    const int loser = m->column_of[row];
    m->price[row] += best - second + BID;
    m->column_of[row] = column;
    m->row_of[column] = row;
    return loser;
}

int rsd_matching(const rsd_csr *A, const double *values, int *row_of, const resida_allocator *alloc)
{
    auction m = {.A = A, .row_of = row_of, .budget = LOOKS_EACH * (double)A->nnz};
    int found = RSD_INTS(alloc, A->cols, &m.column_of) && RSD_DOUBLES(alloc, A->nnz, &m.worth) &&
                        RSD_DOUBLES(alloc, A->cols, &m.price)
                    ? 1
                    : -1;
    for (int k = 0; found > 0 && k < A->nnz; k++) m.worth[k] = values[k] != 0 ? logb(values[k]) : -INFINITY;
    for (int i = 0; found > 0 && i < A->cols; i++) m.column_of[i] = FREE;
    for (int j = 0; found > 0 && j < A->cols; j++)
        for (int column = j; found > 0 && column != FREE;) column = bid(&m, column, &found);
    RSD_FREE(alloc, m.column_of, m.worth, m.price);
    return found;
}
