/* colouring.h - a consistent partitioning of the columns of a pattern. The columns of one group have no row in common,
 * so one call of F gives the differences of all of them (Arnold, Fuchs, Fuehrer, section 3.1):
 *
 *     (i, r1) in Omega, (i, r2) in Omega, r1 != r2  =>  gamma(r1) != gamma(r2) */
#ifndef RSD_COLOURING_H
#define RSD_COLOURING_H

#include "sparsity.h"

typedef struct rsd_colouring {
    int cols;           /* number of columns of the pattern */
    int n_groups;       /* number of groups, and of calls of F for differences of J */
    int bound;          /* maximum number of entries of a row, without skipped columns; n_groups is at least this */
    int *group;         /* [cols] group of each column, 0 .. n_groups - 1; -1: skipped */
    int *start;         /* [n_groups + 1] start of each group in `columns` */
    int *columns;       /* [start[n_groups]] columns by groups, ascending within a group */
    const char *method; /* name of the method, such as "colpack natural" (static) */
} rsd_colouring;

/** Find a partitioning of columns into few groups. Of all methods, the first one with the fewest groups is used. No
 *  method is tried after the lower bound is reached. Each result is verified. The same arguments give the same groups,
 *  in any environment. A column without entries is put into the first group.
 *  @param[out] c     empty after a failure; free with rsd_colouring_free()
 *  @param[in]  skip  [cols] 1: the column is known without differences and gets no group; NULL: no column is skipped
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY. Cost of each method: sum over the columns of the lengths of their rows. */
resida_status rsd_colour_columns(rsd_colouring *c, const rsd_sparsity *s, const unsigned char *skip,
                                 const resida_allocator *alloc, resida_message *why);

/** Find a partitioning by one method.
 *  @return RESIDA_OK; RESIDA_ERR_OPTION (no such method); RESIDA_ERR_INTERNAL (its result is not valid);
 *          RESIDA_ERR_MEMORY */
resida_status rsd_colour_by_method(rsd_colouring *c, const rsd_sparsity *s, const unsigned char *skip,
                                   const char *method, const resida_allocator *alloc, resida_message *why);

/** Return the name of colouring method i = 0, 1, ... in the order in which they are tried; NULL if there is none. */
const char *rsd_colouring_get_method(int i);

/** Free the arrays of the partitioning, each of which may be NULL, and make the partitioning empty. */
void rsd_colouring_free(rsd_colouring *c, const resida_allocator *alloc);

/** Return 1 if the partitioning is consistent with the pattern: no two columns of a group have a row in common.
 *  @param group  [cols] 0..n_groups-1; -1: no group
 *  @param mark   [n_groups] workspace
 *  Cost: O(rows + nnz). */
int rsd_are_groups_orthogonal(const rsd_sparsity *s, const int *group, int n_groups, int *mark);

#endif
