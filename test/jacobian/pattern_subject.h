/* pattern_subject.h - random sparsity patterns as masks, and what is true of groups of their columns, found without the
 * library: by comparing all pairs of columns. */
#ifndef RESIDA_TEST_PATTERN_SUBJECT_H
#define RESIDA_TEST_PATTERN_SUBJECT_H

#include <stdint.h>

enum { SUBJECT_MAX = 200 }; /**< rows and columns */

/** A pattern as a mask by rows (has[i * cols + c]), and columns that need no group. */
typedef struct pattern_subject {
    int rows, cols;
    unsigned char has[SUBJECT_MAX * SUBJECT_MAX], skip[SUBJECT_MAX];
} pattern_subject;

/** The next one of a fixed sequence, 1..200 rows and columns: by turns entries anywhere (one place in 500 to one in
 *  five), a band with holes, a tree of bodies, and a diagonal with full rows and columns. Every third one skips a
 *  quarter of its columns. */
void subject_make(pattern_subject *p, int trial, uint64_t *seed);

/** A whole number in least..most. */
int subject_between(uint64_t *seed, int least, int most);

/** 1: no two columns of one group have a row in common. group [cols], < 0: in no group. */
int subject_is_apart(const pattern_subject *p, const int *group);

/** 1: column c has no entry. */
int subject_is_empty(const pattern_subject *p, int c);

/** Entries of the fullest row in columns that are not skipped. */
int subject_fullest_row(const pattern_subject *p);

/** @name What an order of the columns promises: no more groups than this, whatever the ties. Neighbours are columns
 *  that are not skipped and have a row in common.
 *  largest first: the most that min(neighbours of a column, place of the column) + 1 can be (Welsh, Powell)
 *  smallest last: one more than the most neighbours that a column has at the time it is the one with the fewest @{ */
int subject_largest_first_bound(const pattern_subject *p);
int subject_smallest_last_bound(const pattern_subject *p);
/** @} */

#endif
