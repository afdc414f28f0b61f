/* system.h - a tree with forces and loops as the callbacks of a resida_mechanism: both formalisms, mass matrix,
 * constraints, O(n), without memory of their own beyond the stack. `user` of the mechanism points to the mb_system,
 * which is then only read: any number of threads may call at once. Excitation u[i] is the value of driven coordinate
 * i. */
#ifndef MB_SYSTEM_H
#define MB_SYSTEM_H

#include "loop.h"

typedef struct mb_system mb_system;
struct mb_system {
    mb_tree tree;
    mb_forces forces;
    int n_loop;
    mb_loop *loop; /**< [n_loop] */
    int n_driven;  /**< excitations: driven coordinates, and behind them what `extra` looks at besides */
    int n_relation;
    /** Roots [tree.n_root] and relations [n_relation] at the time of the call. */
    void (*move)(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation);
    /** Forces besides the elements, added to wrench [n_body]; NULL: none. context: of the caller.
     *  @return 0; 1 when they do not exist here */
    int (*extra)(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                 mb_wrench *wrench);
    mb_pattern mass, phi_p, phi_v, G; /**< of M, dPhi/dp, dPhi/dv, G; filled by mb_system_ready() */
};

/** After the last body and element: find the patterns. @return 0; 1 without memory, then `why` says so */
int mb_system_ready(mb_system *s, resida_message *why);

/** Leave entries of dPhi/dp and dPhi/dv out that are zero in every state, though bodies are coupled: no force depends
 *  on where a car stands, few on its heading. They are those that vanish at three generic states near (p, v); where Phi
 *  is analytic they vanish everywhere. Kinks do not harm as long as a force depends on the same coordinates beyond
 *  them.
 *  @return 0; 1 when Phi does not exist near (p, v), or no memory: then `why` says so
 *  Cost: 12 n_q + 3 calls of the residual. */
int mb_system_thin(mb_system *s, const double *p, const double *v, resida_message *why);

/** Free what the system holds: tree, elements, patterns. */
void mb_system_free(mb_system *s);

/** Set sizes, callbacks, patterns and user of a mechanism. */
void mb_system_mechanism(mb_system *s, resida_mechanism *m);

/** Roots at rest, in gravity along -z. A `move` for models whose roots do not accelerate. */
void mb_system_at_rest(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation);

/** Energy of motion, seen from a frame at rest; state at (p, v). */
double mb_kinetic_energy(const mb_system *s, const mb_motion *motion, const mb_state *state);

/** r = M a - Psi, with a context for `extra`. @return 0; 1 when some force does not exist here */
int mb_system_inverse(const mb_system *s, const double *p, const double *v, const double *a, const resida_excitation *e,
                      const void *context, double *r);

/** a = M^-1 (Psi + f), the same. */
int mb_system_forward(const mb_system *s, const double *p, const double *v, const double *f, const resida_excitation *e,
                      const void *context, double *a);

/** residual() of the mechanism. */
resida_residual_fn mb_system_residual;

#endif
