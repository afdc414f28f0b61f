/* repair.h - repairs A = dF_a/dy in the few directions in which it has changed. A repair replaces an evaluation.
 *
 * Let J_0 be assembled from the earlier A and all other parts updated, and be factored. GMRES for
 *
 *     J_0^-1 J d = -J_0^-1 F,    J = J_0 + A_new - A,
 *
 * in the norm of the error weights W selects the directions W^-1 v_k that the iteration needs, v_k orthonormal. A_new
 * W^-1 v_k is computed by a difference of F_a along W^-1 v_k. GMRES ends when two conditions are satisfied: its
 * residual is small in this norm, and F + J d is small in units of inertia (repair.c). The second condition is needed
 * if J_0 contains a stiffness that J no longer contains: the residual of GMRES, J_0^-1 (F + J d), is then small
 * although F + J d is large. The differences are then added to A, on its pattern, by the least change of each row i
 * that satisfies them, with columns scaled by the weights W:
 *
 *     dA_i = sum_k x_k v_k' W,    (V_i' V_i) x = ((A_new - A) W^-1 V)_i,    V_i: V in the columns of row i
 *
 * (L. K. Schubert, Math. Comp. 24, 1970, 27-30, for one direction; several at once as in H. Fang, Y. Saad, Numer.
 * Linear Algebra Appl. 16, 2009, 197-221). The next repair starts from this A. The repaired J is not factored. Until
 * the next setup, solutions with the factors of J_0 are corrected in the directions of GMRES:
 *
 *     J^-1 b = z - Z c,    z = J_0^-1 b,    Z = J_0^-1 (A_new - A) W^-1 V,    c minimises |(V + W Z) c - W z|,
 *
 * which is exact for b in the range of J W^-1 V. GMRES has factored V + W Z. */
#ifndef RSD_REPAIR_H
#define RSD_REPAIR_H

#include "jacobian/differences/differences.h"

enum { RSD_MAX_DIRECTIONS = 8 };

/** QR factors of a Hessenberg matrix of GMRES. */
typedef struct rsd_gmres_factors {
    double cosine[RSD_MAX_DIRECTIONS], sine[RSD_MAX_DIRECTIONS]; /* Givens rotations */
    double R[RSD_MAX_DIRECTIONS][RSD_MAX_DIRECTIONS + 1];        /* columns of the triangular factor */
} rsd_gmres_factors;

typedef struct rsd_repair {
    double t;              /* time from the first start to the last repair [s]; NaN: there was none */
    double *v;             /* [(RSD_MAX_DIRECTIONS + 1) n] orthonormal directions v_k of GMRES; after a repair W v_k;
                           * its memory block also contains change, image and by_component */
    double *change;        /* [RSD_MAX_DIRECTIONS n] products (A_new - A) W^-1 v_k */
    double *image;         /* [RSD_MAX_DIRECTIONS n] J_0^-1 times each vector of `change` */
    double *evaluated;     /* [nnz of J] dF_a/dy of the last evaluation, before repairs */
    long pattern;          /* number of the pattern of `evaluated`; 0: A was not repaired since its evaluation */
    double *by_component;  /* [n RSD_MAX_DIRECTIONS] work space: component c of all directions in row c */
    int m;                 /* number of directions of the last repair; 0: J is not repaired */
    rsd_gmres_factors *qr; /* QR factors with which solutions are corrected */
} rsd_repair;

/** Return 1 if A = dF_a/dy can be repaired. Repairs must be enabled, J must be renewed by costs, and A must be
 *  differenced separately by forward differences. */
int rsd_repair_is_possible(const resida_jacobian *jac);

/** Repair A at a point where F is known and J_0 is factored. *done is set to 1 if A was changed. It is set to 0, and A
 *  is unchanged, if RSD_MAX_DIRECTIONS directions do not suffice, or if F cannot be evaluated at a perturbed point.
 *  @return 0 on success; < 0 on a fatal error; RESIDA_ERR_MEMORY, only at the first repair on a pattern
 *  Cost: a residual call for each direction. */
int rsd_repair_A(resida_jacobian *jac, const resida_jacobian_point *at, int *done);

/** Convert b [n], a solution with the factors of J_0, to the solution with the repaired J. */
void rsd_repair_correct_solution(const rsd_repair *r, int n, double *b);

/** Reset A to the values of the last evaluation, before the next evaluation. Columns left out of the next evaluation
 *  have changed little, so their evaluated values are more accurate than repaired values. */
void rsd_repair_undo(rsd_repair *r, rsd_parts *p);

/** Discard the record of repairs of A; the memory is kept. */
void rsd_repair_reset(rsd_repair *r);

/** Add to A the smallest change that satisfies A_new W^-1 v = A W^-1 v + change for m directions v [m n], change [m n].
 *  by_component [n RSD_MAX_DIRECTIONS] is workspace. least_change.c */
void rsd_add_least_change(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v,
                          const double *change, double *by_component);

#endif
