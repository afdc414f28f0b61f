/* structure.h - the known entries of J = dF/dy + alpha dF/dyp of a mechanism, which need no call of the formalism.
 *
 * J consists of the following blocks of rows and columns. A formulation has a subset of them. F_a marks entries that
 * are computed by differences of the formalism part of F. F_c marks entries by differences of its constraint part,
 * which contain the curvature of G v and of G' lam:
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
 * (*) explicit formalism: M^-1 G', F_a. (**) explicit formalism: I; residual formalism: M if the model gives it, else I
 * of the states. (***) plus dPhi/dlam, F_a, if applied forces depend on lam. If a is an unknown, its columns contain
 * the entries of accelerations instead of dF/dyp, except in the row a. They belong to F_a if M is not known. If lam and
 * eta are elements of yp (layout.rates), their columns are those of dF/dyp. */
#ifndef RSD_STRUCTURE_H
#define RSD_STRUCTURE_H

#include <resida/jacobian.h>

#include "problem_impl.h"
#include "base/memory.h"

/** Source of n consecutive known entries of J: factor * values[i], or if_dropped in the row of a dropped constraint. */
typedef struct rsd_source {
    const double *values;         /* [n] values, for instance of dg/dp */
    int n;                        /* number of entries */
    double factor, if_dropped;    /* factor of the values; value of the entries if the constraint is dropped */
    const unsigned char *dropped; /* points to the flag of the constraint, 1: dropped; or to 0 */
} rsd_source;

/** List of n positions (row, column) in J. */
typedef struct rsd_places {
    int n;              /* number of positions; -1: the positions are not known */
    int *row, *column;  /* [n] row and column of each position; NULL: positions are only counted */
    int n_sources;      /* number of sources */
    rsd_source *source; /* [n_sources] values, in the order of the entries; NULL: unknown entries */
} rsd_places;

enum { RSD_DIAGONAL = -1 }; /* value of rsd_shape.columns for a diagonal block */

/** Entries of a block of J: a sparse matrix, a full matrix by columns, or a diagonal. Pointers are borrowed. */
typedef struct rsd_shape {
    const rsd_csr *A;             /* pattern of a sparse matrix; NULL: a full matrix or a diagonal */
    int rows, columns;            /* size of a full matrix, or of a diagonal with columns = RSD_DIAGONAL */
    int is_transposed;            /* 1: the block is the transposed matrix */
    const double *values;         /* values of the matrix or diagonal */
    double factor;                /* factor of the values */
    const unsigned char *dropped; /* [rows] 1: the constraint is dropped; entries are 0, on a diagonal 1; or NULL */
    int is_latent;                /* 1: some entries may be zero at all points, because the pattern is full */
} rsd_shape;

/** Block of known entries of dF/dy or dF/dyp. */
typedef struct rsd_block {
    rsd_shape shape;        /* entries of the block */
    int row, column, in_yp; /* first row; first column in J; in_yp 1: a block of dF/dyp, 0: of dF/dy */
} rsd_block;
enum { RSD_MAX_BLOCKS = 22 }; /* maximum number of blocks of a formulation */

typedef struct rsd_structure {
    resida_problem *problem;         /* the problem, borrowed */
    rsd_owner owner;                 /* owner of all memory of the lists of entries */
    resida_allocator alloc;          /* allocator whose blocks `owner` frees */
    rsd_block block[RSD_MAX_BLOCKS]; /* blocks of known entries of J */
    int n_blocks;                    /* number of blocks */
    rsd_block force[2];              /* blocks G', Gh' in the dynamic rows; known unless rsd_has_shared_force() is 1 */
    rsd_csr gp;                      /* pattern of dg/dp; a copy of a learnt pattern */
    long G_number;                   /* version of the learnt pattern (learnt.h) of which gp is a copy */
    double *gp_values; /* [nnz of gp] values of dg/dp; the mechanism's array unless the pattern is learnt */
    rsd_csr G;         /* pattern of G = (dg/dp) T, if the mechanism has T */
    double *G_values, *D2_values, *G_work; /* [nnz of G] values of G; values of D2' at its entries; [n_v] work space */
    double *TD, *ones;                     /* [n_p x n_g] T D by columns, for D of kind B or own; [n] ones */
    rsd_csr acts_on, bends;                /* pattern of (dg/dp)'; pattern of (dg/dp)' dg/dp; empty if not needed */
    double *M;                             /* [nnz of M] values of the mass matrix */
    unsigned char *y_latent, *yp_latent;   /* [y.n], [yp.n] 1: the known entry may be zero at all points of a run */
    rsd_places y, yp;                      /* known entries of dF/dy; known entries of dF/dyp */
    rsd_places formalism, constraint;      /* entries of J that F_a may add; entries that F_c may add */
    unsigned char *columns;                /* [n] resida_column bits of each column */
    int n_sets;                            /* number of sets of coordinates that M couples; 0: not determined */
    int *set, *next;                       /* [n_v] first coordinate of the set of each one; next one in it, or -1 */
    int *seen;                             /* [n] work space: for each column of J, 1 + the last set listed in it */
} rsd_structure;

/** Create the lists of entries for a problem. For a general DAE with a pattern, only possible entries are listed. */
resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why);
void rsd_structure_free(rsd_structure *s);

/** Return 1 if the lists of entries of J were made from a learnt pattern that has changed since. */
int rsd_structure_is_outdated(const rsd_structure *s);

/** Evaluate the known entries dy [y.n], dyp [yp.n] at (t, y) without the formalism. Return 0 on success, > 0 if a
 *  callback could not be evaluated, < 0 on a fatal error. */
int rsd_structure_eval_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp);

/** Evaluate the model's derivatives at (t, y, yp) into values, in the order of s->formalism. alpha multiplies dF/dyp.
 *  Return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_structure_eval_derivatives(rsd_structure *s, double t, double alpha, const double *y, const double *yp,
                                   double *values);

/** Append to the list l the position (row, column), the entries of block b, or those of a matrix A at (row, column). */
void rsd_append_position(rsd_places *l, int row, int column);
void rsd_append_block(rsd_places *l, const rsd_block *b);
void rsd_append_matrix(rsd_places *l, const rsd_csr *A, int row, int column);

/** Mark the columns that contain unknown entries, and list the possible entries of the formalism part. */
void rsd_set_column_bits(rsd_structure *s);
void rsd_list_formalism_entries(const rsd_structure *s, rsd_places *l);
/** Find the sets of coordinates that M couples, and list the possible entries of the explicit formalism. l->n is set to
 *  -1 if the entries are not known, or if dphi is full. */
resida_status rsd_find_coupled_sets(rsd_structure *s);
void rsd_list_explicit_entries(const rsd_structure *s, rsd_places *l);
/** Find the pairs of coordinates that share a constraint, and list the possible entries of the constraint part. */
resida_status rsd_find_constraint_pairs(rsd_structure *s);
void rsd_list_constraint_entries(const rsd_structure *s, rsd_places *l);

#endif
