/* structure.h - what is known of J = dF/dy + alpha dF/dyp of a mechanism without a call of the formalism.
 *
 * Rows and columns by blocks, in the stabilised index-2 form (others have fewer of them):
 *
 *              p            v            lam            eta              dF/dyp
 *     kin      cheap       -T                           (dg/dp)'         I in the columns of p
 *     dyn      dear+cheap   dear          G' (*)                         M in the columns of v (**)
 *     vel      cheap        G
 *     pos      dg/dp
 *
 * (*) explicit formalism: M^-1 G', dear. (**) explicit formalism: I; residual one: M where the model gives it.
 * "cheap" are differences of the constraints alone: the curvature of G v and of G' lam. */
#ifndef RSD_STRUCTURE_H
#define RSD_STRUCTURE_H

#include <resida/jacobian.h>

#include "problem_impl.h"

typedef struct rsd_structure {
    resida_problem *problem;
    rsd_csr G;     /* pattern of (dg/dp) T, when there is a T */
    double *G_row; /* [n_v] scratch of a row of G */
    double *M;     /* values of M */
    int n_y, n_yp;
    int *y_row, *y_column, *yp_row, *yp_column;
    unsigned char *columns; /* [n] resida_column bits */
} rsd_structure;

/** Lists and scratch for a problem; for a general DAE nothing is known, and nothing is listed. */
resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why);
void rsd_structure_free(rsd_structure *s);

/** Values of the listed entries at (t, y): dy [n_y], dyp [n_yp]. The verdict of the callbacks; no formalism call. */
int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp);

#endif
