/* repair.h - repairs A = dF_a/dy in the few directions in which it has changed, in the place of an evaluation.
 *
 * Let J_0 have the A of before, and all other parts new, and be factored. GMRES for
 *
 *     J_0^-1 J d = -J_0^-1 F,    J = J_0 + A_new - A,
 *
 * in the norm of the error weights takes the directions v_k that the iteration needs, with a difference of F_a along
 * each, A_new v_k. It ends when what is left is small in that norm, and F + J d in the unit of inertia, too: stiffness
 * of J_0 that is no longer there would hide it. The directions are given back to A, on its pattern, by the least change
 * of each row i that has them, columns scaled by the weights:
 *
 *     dA_i = sum_k x_k v_k' W^2,    (V_i' V_i) x = ((A_new - A) V)_i,    V_i: W V in the columns of row i
 *
 * (L. K. Schubert, Math. Comp. 24, 1970, 27-30, for one direction; several at once as in H. Fang, Y. Saad, Numer.
 * Linear Algebra Appl. 16, 2009, 197-221). The next repair begins with this A. */
#ifndef RSD_REPAIR_H
#define RSD_REPAIR_H

#include "jacobian/differences/differences.h"

enum { RSD_MAX_DIRECTIONS = 8 };

typedef struct rsd_repair {
    double t;          /* [s] rsd_clock() of the last repair; NaN: none */
    double *v;         /* [(RSD_MAX_DIRECTIONS + 1) n] orthonormal directions */
    double *change;    /* [RSD_MAX_DIRECTIONS n] (A_new - A) v */
    double *evaluated; /* [nnz of J] A of the last evaluation */
    long pattern;      /* number of the pattern that `evaluated` is on; 0: A is that of the last evaluation */
    double *gram;      /* [RSD_MAX_DIRECTIONS (RSD_MAX_DIRECTIONS + 1)/2 n] V_i' V_i, lower triangles */
} rsd_repair;

/** 1: A can be repaired: the strategy renews parts of J, differences find A, and repairs are used. */
int rsd_repair_is_possible(const resida_jacobian *jac);

/** Repair A at a point where F is known and J_0 is factored. *done 1: A has changed; 0: A is as it was, as more
 *  directions are needed, or F jumps along one or is not possible there.
 *  @return 0; < 0 stop; RESIDA_ERR_MEMORY, at the first repair on a pattern
 *  Cost: a residual call for each direction, one more where a change is doubtful. */
int rsd_repair_A(resida_jacobian *jac, const resida_jacobian_point *at, int *done);

/** Before an evaluation: give A back the values of the last one. Columns that are left out as they can have changed but
 *  little are better as they were found than as least changes left them. */
void rsd_repair_undo(rsd_repair *r, rsd_parts *p);

/** No repair is known any more; the memory stays. */
void rsd_repair_forget(rsd_repair *r);

/** Add the least change that explains `change` [m n] along the directions v [m n] to A; `change` is overwritten.
 *  gram [m (m + 1)/2 n] workspace.  least_change.c */
void rsd_least_change(const rsd_parts *p, const resida_jacobian_point *at, int m, const double *v, double *change,
                      double *gram);

#endif
