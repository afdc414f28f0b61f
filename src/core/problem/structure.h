/* structure.h - the known entries of J = dF/dy + alpha dF/dyp of a mechanism, which need no call of the formalism.
 *
 * Blocks of rows and columns; a formulation has some of them. F_a: differences of the formalism part of F; F_c:
 * differences of its constraint part, that is, the curvature of G v and of G' lam:
 *
 *                       p           v        lam            eta    tau   a          dF/dyp
 *     kin               F_c         -T                      D1                      I in the columns of p
 *     dyn               F_a + F_c   F_a      G' (*) (***)                M (**)     M in the columns of v (**)
 *     lam, position     dg/dp       Gh
 *          velocity     F_c         G, Gh
 *          acceleration F_c         F_c                                  G, Gh      G, Gh in the columns of v
 *          friction                          -slip, in rows of contacts that slip
 *     eta: position     dg/dp
 *     tau: velocity     F_c         G, Gh
 *     a                 F_c                                        D2    -I         I in the columns of v
 *     eta_k: invariants K;  and K' in the rows kin and the columns of eta_k
 *
 * (*) explicit formalism: M^-1 G', F_a. (**) explicit formalism: I; residual one: M where the model gives it, else I
 * of the states.
 * (***) and dPhi/dlam, F_a, where applied forces depend on lam. Where a is an unknown, entries at accelerations are in
 * its columns, not in dF/dyp, except for the last row; and columns of a are of F_a where M is not known.
 * Where lam and eta are derivatives (layout.rates) their columns are those of dF/dyp. */
#ifndef RSD_STRUCTURE_H
#define RSD_STRUCTURE_H

#include <resida/jacobian.h>

#include "problem_impl.h"
#include "base/memory.h"

/** A list of positions (row, column) in J; n = -1: not known. */
typedef struct rsd_places {
    int n;
    int *row, *column; /* [n]; NULL: they are counted only */
} rsd_places;

enum { RSD_DIAGONAL = -1 }; /* in the place of a number of columns */

/** Entries of a block: of a matrix A; of a full matrix, column by column; or of a diagonal. Pointers are borrowed. */
typedef struct rsd_shape {
    const rsd_csr *A;
    int rows, columns;            /* without A: of the full matrix; RSD_DIAGONAL: the diagonal */
    int is_across;                /* A transposed */
    const double *values;         /* of A or of the full matrix; NULL: T D */
    double times;                 /* their factor; the diagonal */
    const unsigned char *dropped; /* rows of A that are zero, with 1 on the diagonal; NULL: none */
    int is_latent;                /* A is given as a full matrix: entries may be zero for good */
} rsd_shape;

/** A block of known entries of dF/dyp, or of dF_c/dy, with its first row and column. */
typedef struct rsd_block {
    rsd_shape shape;
    int row, column, in_yp;
} rsd_block;
enum { RSD_MAX_BLOCKS = 22 };

typedef struct rsd_structure {
    resida_problem *problem;
    rsd_owner owner; /* of all its memory */
    resida_allocator alloc;
    rsd_block block[RSD_MAX_BLOCKS];
    int n_blocks;
    rsd_block force[2];                    /* G', Gh' in the dynamic rows: known, unless rsd_force_is_open() */
    rsd_csr gp;                            /* pattern of dg/dp: that of a learnt one when the lists were made */
    long G_number;                         /* its number, learnt.h */
    double *gp_values;                     /* [nnz of gp] of a learnt one; else the mechanism's */
    rsd_csr G;                             /* pattern of (dg/dp) T, when there is a T */
    double *G_values, *D2_values, *G_work; /* [nnz of G], at (t, y) of the known entries, and of D2; [n_v] */
    rsd_csr acts_on, bends;                /* patterns of (dg/dp)' and (dg/dp)' dg/dp, where lists are made of them */
    double *M;                             /* values of M */
    unsigned char *y_latent, *yp_latent;   /* [y.n], [yp.n] 1: an entry of a matrix that is given as a full one */
    rsd_places y, yp;                      /* known entries of dF_c/dy and dF/dyp */
    rsd_places formalism, constraint;      /* possible entries of the unknown parts */
    unsigned char *columns;                /* [n] resida_column bits */
    int n_sets;                            /* sets of coordinates coupled by M; 0: not determined */
    int *set, *next;                       /* [n_v] smallest coordinate of the set; next one in it, or -1 */
    int *seen;                             /* [n] stamps */
} rsd_structure;

/** Create the lists for a problem. A general DAE has no known entries, and possible ones only if it gives a pattern. */
resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why);
void rsd_structure_free(rsd_structure *s);

/** 1: the lists are those of a learnt pattern that has grown since. */
int rsd_structure_is_outdated(const rsd_structure *s);

/** Values of the listed entries at (t, y): dy [n_y], dyp [n_yp]. The verdict of the callbacks; no formalism call. */
int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp);

/** The model's derivatives at (t, y, yp), values in the order of s->formalism. The verdict of the callbacks. */
int rsd_structure_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                              double *values);

/** Append a position, or those of a block, or of a matrix. */
void rsd_put(rsd_places *l, int row, int column);
void rsd_put_block(rsd_places *l, const rsd_block *b);
void rsd_put_matrix(rsd_places *l, const rsd_csr *A, int row, int column);

/** Mark the columns; list the possible entries of the formalism and of the constraint part. structure_open.c */
void rsd_open_columns(rsd_structure *s);
void rsd_open_formalism(const rsd_structure *s, rsd_places *l);
/** Explicit formalism: find the sets of coordinates coupled by M; list the possible entries of the formalism part,
 *  l->n = -1 if they are not known, or full. structure_explicit.c */
resida_status rsd_couple_explicit(rsd_structure *s);
void rsd_open_explicit(const rsd_structure *s, rsd_places *l);
/** Find the coordinates that share a constraint, after rsd_couple_explicit(). RESIDA_ERR_MEMORY */
resida_status rsd_couple_constraints(rsd_structure *s);
void rsd_open_constraint(const rsd_structure *s, rsd_places *l);

#endif
