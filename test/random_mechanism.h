/* random_mechanism.h - large mechanisms with random sparse matrices, which do not move: M, dg/dp, T, Gh are constant, g
 * and Psi linear. Handed over with patterns or as full matrices, which must make no difference. */
#ifndef RESIDA_TEST_RANDOM_MECHANISM_H
#define RESIDA_TEST_RANDOM_MECHANISM_H

#include <stdint.h>

#include <resida/mechanism.h>

/** A full matrix, row by row, and where entries are. */
typedef struct rm_matrix {
    int rows, cols;
    double *full; /**< [rows x cols], zeros where there is no entry */
    int *row, *col;
} rm_matrix;

typedef struct rm {
    int n_p, n_v, n_g, n_h; /**< n_p > n_v: with a T */
    int as_full;            /**< 1: without patterns */
    rm_matrix M, gp, T, Gh;
    double *psi, *offset; /**< [n_v], [n_g]: g = gp p - offset */
} rm;

/** Sizes are set before. Positive definite M with masses from 1e-2 to 1e2, three or four entries in each row. */
void rm_make(rm *m, uint64_t seed);
void rm_free(rm *m);

/** After a change of the full matrices by hand. */
void rm_find_patterns(rm *m);

/** Row `row` of dg/dp (of Gh: row - n_g) becomes s times row `other` (plus s2 times `other2`, if >= 0), `apart` further
 *  on in its last entry; rows of dg/dp alone. */
void rm_make_row(rm *m, int row, double s, int other, double s2, int other2, double apart);

/** m is borrowed. */
resida_mechanism rm_mechanism(rm *m);

#endif
