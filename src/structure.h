/* structure.h - what is known of J = dF/dy + alpha dF/dyp of a mechanism without a call of the formalism.
 *
 * Rows and columns by blocks, in the stabilised index-2 form (others have fewer of them):
 *
 *              p            v            lam            eta              dF/dyp
 *     kin      cheap       -T                           (dg/dp)'         I in the columns of p
 *     dyn      dear+cheap   dear          G' (*) (***)                   M in the columns of v (**)
 *     vel      cheap        G
 *     pos      dg/dp
 *
 * (*) explicit formalism: M^-1 G', dear. (**) explicit formalism: I; residual one: M where the model gives it.
 * (***) and dPhi/dlam, dear, where applied forces depend on lam.
 * "cheap" are differences of the constraints alone: the curvature of G v and of G' lam. */
#ifndef RSD_STRUCTURE_H
#define RSD_STRUCTURE_H

#include <resida/jacobian.h>

#include "problem_impl.h"

/** A list of places in J; n = -1: not known. */
typedef struct rsd_places {
    int n;
    int *row, *column; /* [n]; NULL while they are counted */
} rsd_places;

typedef struct rsd_structure {
    resida_problem *problem;
    rsd_csr G;                 /* pattern of (dg/dp) T, when there is a T */
    double *G_values, *G_work; /* [nnz of G], [n_v] */
    double *M;                 /* values of M */
    rsd_places y, yp;          /* known entries of d(cheap)/dy and dF/dyp */
    rsd_places dear, cheap;    /* where what is not known may have entries */
    unsigned char *columns;    /* [n] resida_column bits */
    int n_sets;                /* of coordinates that M couples; 0: not looked for */
    int *set, *next;           /* [n_v] the smallest coordinate of a set, the next one of it or -1 */
    int *seen;                 /* [n] stamps */
} rsd_structure;

/** Lists and scratch for a problem; of a general DAE nothing is known but, where it says so, places. */
resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why);
void rsd_structure_free(rsd_structure *s);

/** Values of the listed entries at (t, y): dy [n_y], dyp [n_yp]. The verdict of the callbacks; no formalism call. */
int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp);

/** The model's derivatives at (t, y, yp), values in the order of s->dear. The verdict of the callbacks. */
int rsd_structure_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                              double *values);

/** One place more. */
void rsd_put(rsd_places *l, int row, int column);

/** Marks the columns; lists the places of the dear and of the cheap part. structure_open.c */
void rsd_open_columns(rsd_structure *s);
void rsd_open_dear(const rsd_structure *s, rsd_places *l);
/** Explicit formalism: the sets of coordinates that M couples; the places of the dear part, l->n = -1 where they are not
 *  known, or everything. structure_explicit.c */
resida_status rsd_couple_explicit(rsd_structure *s);
void rsd_open_explicit(const rsd_structure *s, rsd_places *l);
void rsd_open_cheap(const rsd_structure *s, rsd_places *l);

#endif
