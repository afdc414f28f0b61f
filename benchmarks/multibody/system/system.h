/* system.h - a tree with forces and loops as the callbacks of a resida_mechanism: both formalisms, mass matrix,
 * constraints, in O(n), with work arrays on the stack only. `user` of the mechanism points to the mb_system, which the
 * callbacks do not modify, therefore they are thread-safe. Excitation u[i] is the value of driven coordinate i. */
#ifndef MB_SYSTEM_H
#define MB_SYSTEM_H

#include "loop.h"

typedef struct mb_system mb_system;
struct mb_system {
    mb_tree tree;
    mb_forces forces;
    int n_loop;
    mb_loop *loop; /**< [n_loop] */
    int n_driven;  /**< number of excitations: driven coordinates, then those used by `extra` only */
    int n_relation;
    /** Set the roots [tree.n_root] and relations [n_relation] at the time of the call. */
    void (*move)(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation);
    /** Add forces other than those of elements to wrench [n_body]; NULL: none. context: from the caller.
     *  @return 0, or 1 if the forces cannot be evaluated */
    int (*extra)(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                 mb_wrench *wrench);
    mb_pattern mass, phi_p, phi_v, G; /**< of M, dPhi/dp, dPhi/dv, G; filled by mb_system_ready() */
};

/** Create the patterns after all bodies and elements have been added. @return 0; 1 if memory is exhausted, with a
 *  message in `why` */
int mb_system_ready(mb_system *s, resida_message *why);

/** Remove entries of dPhi/dp and dPhi/dv that are zero in every state although bodies are coupled: no force depends on
 *  the position of a car, few forces depend on its heading. Entries that vanish at three generic states near (p, v) are
 *  removed. If Phi is analytic, they vanish everywhere. Kinks are permitted if a force depends on the same coordinates
 *  on both sides.
 *  @return 0; 1 if Phi cannot be evaluated near (p, v) or memory is exhausted, with a message in `why`
 *  Cost: 12 n_q + 3 calls of the residual. */
int mb_system_thin(mb_system *s, const double *p, const double *v, resida_message *why);

/** Free the memory of the system: tree, elements, patterns. */
void mb_system_free(mb_system *s);

/** Set sizes, callbacks, patterns and user of a mechanism. */
void mb_system_mechanism(mb_system *s, resida_mechanism *m);

/** Set roots at rest, with gravity along -z. A `move` for models whose roots do not accelerate. */
void mb_system_at_rest(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation);

/** Return the kinetic energy relative to a frame at rest; state at (p, v). */
double mb_kinetic_energy(const mb_system *s, const mb_motion *motion, const mb_state *state);

/** Compute r = M a - Psi, with a context for `extra`. @return 0, or 1 if a force cannot be evaluated */
int mb_system_inverse(const mb_system *s, const double *p, const double *v, const double *a, const resida_excitation *e,
                      const void *context, double *r);

/** Compute a = M^-1 (Psi + f), with a context for `extra`. @return 0, or 1 if a force cannot be evaluated */
int mb_system_forward(const mb_system *s, const double *p, const double *v, const double *f, const resida_excitation *e,
                      const void *context, double *a);

/** residual() of the mechanism. */
resida_residual_fn mb_system_residual;

#endif
