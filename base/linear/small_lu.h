/* small_lu.h - L U of a full matrix, column by column, with pivots chosen within columns; of a large one by LAPACK.
 *
 * The first unknowns may be a head: their block of A is diagonal, and what their rows hold beyond it is listed. They
 * are eliminated first, without search and without touching what is zero; of
 *
 *     ( D   A12 )                       ( 1        ) ( D  A12 )
 *     ( A21 A22 )   there remains   A = ( A21/D  L ) (     U  ) ,    L U = A22 - A21 D^-1 A12
 *
 * In mechanics D is that of p' = v: alpha I. It ends where a pivot is small beside its row. */
#ifndef RSD_SMALL_LU_H
#define RSD_SMALL_LU_H

#include "base/memory.h"

typedef struct rsd_small_lu {
    int n, ld;                   /* ld: n rounded up to whole lanes, or n of a large matrix */
    double *a;                   /* [ld x ld] column by column, zero beyond n; factored in place, pivots inverted */
    int *from;                   /* [n] which row of A is row k of L U; of a large one the swaps, from 1 */
    double *work;                /* [ld] */
    int n_head, *start, *column; /* [n_head + 1], [start[n_head]] columns of head row k beyond D, rising */
    int headed;                  /* of the head, eliminated as such */
} rsd_small_lu;

/** Reserve everything for n unknowns, of which n_head are a head with `listed` entries beyond D. Not 0: no memory. */
int rsd_small_lu_create(rsd_small_lu *f, int n, int n_head, int listed, const resida_allocator *alloc);
void rsd_small_lu_free(rsd_small_lu *f, const resida_allocator *alloc);

/** Make a zero, column j from j ld on: the matrix is written there next. */
void rsd_small_lu_clear(rsd_small_lu *f);

/** @return 0, or k > 0: column k (from 1) depends on those before it */
int rsd_small_lu_factor(rsd_small_lu *f);

/** x = A^-1 x, x [n] as numbered outside: component k of A is unknown[k] there. */
void rsd_small_lu_solve(rsd_small_lu *f, const int *unknown, double *x);

#endif
