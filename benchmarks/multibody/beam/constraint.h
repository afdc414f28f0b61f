/* constraint.h - constraints of a system of beams: six of each node, then those of the links in their order. All are
 * quadratic in p. */
#ifndef BM_CONSTRAINT_H
#define BM_CONSTRAINT_H

#include "beam.h"

int bm_link_rows(const bm_link *link);

/** Compute the entries of dg/dp by rows with increasing columns: pattern and values; each array may be NULL.
 *  @param[out] row  NULL or [n_row + 1]
 *  @return number of entries */
int bm_rows(const bm_system *s, const double *p, const resida_excitation *e, int *row, int *col, double *value);

/** Callbacks of resida/mechanism.h; user is the bm_system. */
resida_position_fn bm_constraint, bm_constraint_matrix, bm_velocity_bias;
resida_velocity_fn bm_acceleration_bias;

#endif
