/* linear_stage.h - what is done to A x = b between its user and a backend: unknowns are taken out (linear_condense.h),
 * rows and columns scaled. Nothing of it costs anything where it is not wanted. */
#ifndef RSD_LINEAR_STAGE_H
#define RSD_LINEAR_STAGE_H

#include "linear_condense.h"

/** Diagonals of R and C in R A C, [n] of the unknowns of A; rows = NULL: not scaled. */
typedef struct rsd_scales {
    const double *rows, *columns;
} rsd_scales;

/** For one pattern. Zeroed: nothing is done. */
typedef struct rsd_stage {
    rsd_csr A;                /* A' by rows; row == NULL: dense storage */
    rsd_csr reduced;          /* of the condensed system, where there is one */
    rsd_condensed *condensed; /* NULL: no unknown is taken out */
    rsd_scales scales;        /* of the factors */
    double *values, *x;       /* work space; NULL: not needed so far */
} rsd_stage;

/** Takes A over. @return RESIDA_OK; RESIDA_ERR_MODEL, _MEMORY: to be freed all the same */
resida_status rsd_stage_create(rsd_stage *s, const rsd_csr *A, const rsd_pairs *pairs, const resida_allocator *alloc,
                               resida_message *why);
void rsd_stage_free(rsd_stage *s, const resida_allocator *alloc);

/** Make room for scaling. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_stage_reserve(rsd_stage *s, const resida_allocator *alloc);

/** The pattern that a backend gets. */
const rsd_csr *rsd_stage_pattern(const rsd_stage *s);

/** The unknown of A that is the one of the backend. */
int rsd_stage_column(const rsd_stage *s, int column);

/** The values that a backend gets, borrowed; the scales are kept for the solutions.
 *  @return 0; k > 0: column k - 1 of A depends on others */
int rsd_stage_values(rsd_stage *s, const double *values, rsd_scales scales, const double **out);

/** The right side that a backend gets for b, in b itself or in work space; and the solution from what became of it. */
double *rsd_stage_right(rsd_stage *s, double *b);
void rsd_stage_solution(rsd_stage *s, double *solved, double *x);

#endif
