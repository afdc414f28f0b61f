/* matching.c - matches rows with columns so that the product of the matched entries is nearly the largest, by auction
 * (D. P. Bertsekas: The auction algorithm: a distributed relaxation method for the assignment problem, Annals of
 * Operations Research 14, 1988). A column j without a row bids for the row i with the largest value for it,
 *
 *     max_i e(i,j) - price(i),    e: binary exponents of A
 *
 * If the row was assigned to another column, this column loses the row. The price of the row is raised by the
 * difference between the largest and the second largest value, plus MIN_BID. When all columns have a row, the sum of e
 * is at most n MIN_BID below the maximum. If a column has only one possible row, the price of this row becomes
 * infinite. Another column that finds no row then shows that there is no matching. */
#include "matching.h"

#include <math.h>

enum { FREE = -1 };

#define MAX_VISITS 100  /* maximum mean number of visits to an entry of the matrix */
#define MIN_BID    0.25 /* minimum increase of a price; 0.1 to 0.5 give the same fill, 0.01 exhausts the budget */

typedef struct auction {
    const rsd_csr *A;     /* pattern of the matrix by columns */
    int *row_of;          /* [n] row matched with each column */
    int *column_of;       /* [n] column matched with each row */
    const double *values; /* [nnz] values of A */
    double *price;        /* [n] price of each row, a difference of binary exponents */
    double budget;        /* remaining number of visits to entries */
} auction;

/* Assign the row with the largest value to a column. Return the column that lost the row, or FREE if the row was free.
 * *found is set to 0 if the column has no possible row or the budget is exhausted. */
static int assign_best_row(auction *m, int column, int *found)
{
    const rsd_csr *A = m->A;
    double best = -INFINITY, second = -INFINITY;
    int row = FREE;
    for (int k = A->row[column]; k < A->row[column + 1]; k++) {
        const double worth = m->values[k] != 0 ? logb(m->values[k]) - m->price[A->col[k]] : -INFINITY;
        if (worth > best)
            second = best, best = worth, row = A->col[k];
        else
            second = fmax(second, worth);
    }
    m->budget -= A->row[column + 1] - A->row[column];
    *found = row != FREE && m->budget > 0;
    if (!*found) return FREE;
    const int loser = m->column_of[row];
    m->price[row] += best - second + MIN_BID;
    m->column_of[row] = column;
    m->row_of[column] = row;
    return loser;
}

int rsd_match_rows(const rsd_csr *A, const double *values, int *row_of, const resida_allocator *alloc)
{
    auction m = {.A = A, .values = values, .row_of = row_of, .budget = MAX_VISITS * (double)A->nnz};
    int found = RSD_INTS(alloc, A->cols, &m.column_of) && RSD_DOUBLES(alloc, A->cols, &m.price) ? 1 : -1;
    for (int i = 0; found > 0 && i < A->cols; i++) m.column_of[i] = FREE;
    for (int j = 0; found > 0 && j < A->cols; j++)
        for (int column = j; found > 0 && column != FREE;) column = assign_best_row(&m, column, &found);
    RSD_FREE(alloc, m.column_of, m.price);
    return found;
}
