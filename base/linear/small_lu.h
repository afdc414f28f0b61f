/* small_lu.h - the LU factorisation of a full matrix with row pivoting, column by column. LAPACK factors matrices of
 * more than RSD_OWN_UP_TO unknowns.
 *
 * The head is the set of the first n_head unknowns. Their block D of A is diagonal, and the entries of A12 are listed.
 * They are eliminated first, without pivoting and without operations on zeros. Of
 *
 *     ( D   A12 )                       ( 1        ) ( D  A12 )
 *     ( A21 A22 )   there remains   A = ( A21/D  L ) (     U  ) ,    L U = A22 - A21 D^-1 A12
 *
 * In mechanics D = alpha I, from the rows p' = v. The head ends before a pivot that is small compared with its row. */
#ifndef RSD_SMALL_LU_H
#define RSD_SMALL_LU_H

#include "base/memory.h"

typedef struct rsd_small_lu {
    int n, ld;                   /* number of unknowns; leading dimension of `a`: n rounded up to lanes (LAPACK: n) */
    double *a;                   /* [ld x ld] matrix by columns, zero beyond n; later L U with inverted pivots */
    int *from;                   /* [n] row k of L U is row from[k] of the matrix; with LAPACK: its array of pivots */
    double *work;                /* [ld] work space */
    int n_head, *start, *column; /* size of the head; [n_head + 1] start of each row of A12 in `column`; its columns */
    int headed;                  /* number of unknowns that the last factorisation eliminated as head */
} rsd_small_lu;

/** Allocate *f for n unknowns, a head of n_head unknowns, and `listed` entries in A12. @return 0; 1: no memory */
int rsd_small_lu_create(rsd_small_lu *f, int n, int n_head, int listed, const resida_allocator *alloc);
void rsd_small_lu_free(rsd_small_lu *f, const resida_allocator *alloc);

/** Set the matrix a to zero. The caller then writes its columns; column j begins at a[j ld]. */
void rsd_small_lu_clear(rsd_small_lu *f);

/** Factor the matrix. @return 0 on success; k > 0: column k (from 1) depends on the preceding columns */
int rsd_small_lu_factor(rsd_small_lu *f);

/** Compute x = A^-1 x. x [n] is in the caller's order: unknown k of A is component unknown[k] of x. */
void rsd_small_lu_solve(rsd_small_lu *f, const int *unknown, double *x);

#endif
