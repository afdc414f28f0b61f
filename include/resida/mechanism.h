/* resida/mechanism.h - what a multibody tool hands over: sizes and callbacks.
 *
 *     p' = T(p) v                                              kinematics        (T = I unless given)
 *     M(p,u) v' = Psi(p,v,lam,u) - G'(p,u) lam - Gh'(p,u) nu   dynamics          (1), (5a)
 *     0 = g(p,u)                                               n_g constraints   (5b)
 *     0 = G(p,u) v + gI(p,u,ud)                                their derivative  (6)
 *     0 = Gh(p,u) v + gh(p,u)                                  n_h nonholonomic constraints
 *     0 = k(p)                                                 n_k invariants: what T v leaves as it is, K T = 0, K =
 *     dk/dp
 *     z' = f(p,v,z,lam,u)                                      n_z first-order states
 *
 * First-order states z have no position: bristles of a friction law, a tyre's relaxation, a controller's integrator,
 * a pressure. They are the last n_z velocity coordinates: every v [n_v] of a callback, of a start or of a result ends
 * with z, every a with z', and the last n_z equations of the formalism are z' - f (residual) or f (explicit). So
 * forces, f and root functions may depend on p, v, z, lam and u, f not on a; constraints, M, T and biases do not depend
 * on z; and of the generalised forces that phi is given none acts on z. A start keeps z(0) as it is given, and finds
 * z'.
 *
 * Numbers are those of
 *     M. Arnold, A. Fuchs, C. Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics.
 *     Preprint submitted to Computer Methods in Applied Mechanics and Engineering, 11 November 2004
 *
 * Psi may depend on the constraint forces lam (with nu in it) besides: dry friction, creep of wheels. Units are the
 * model's own; SI is assumed where a difference increment needs a floor (1 m, 1 rad).
 *
 * All callbacks: 0 done; > 0 not possible here (the step is cut and tried again); < 0 stop the integration.
 * They may neither call the solver that called them, but for resida_solver_request(), nor free it. Arrays in are const
 * and never NULL when their size is > 0; arrays out are to be filled completely. */
#ifndef RESIDA_MECHANISM_H
#define RESIDA_MECHANISM_H

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The external time excitations at the time of the call. */
typedef struct resida_excitation {
    const double *u;   /**< [n_u] */
    const double *ud;  /**< [n_u] du/dt */
    const double *udd; /**< [n_u] d2u/dt2 */
} resida_excitation;

/** Where a matrix has entries, by rows (CSR, base 0, columns rising within a row). A callback for a matrix with a
 *  pattern fills the values in this order; without a pattern (row == NULL) it fills all rows x cols, row by row. */
typedef struct resida_pattern {
    const int *row; /**< [rows + 1] start of each row in col; NULL: the matrix is full */
    const int *col; /**< [row[rows]] column of each entry */
} resida_pattern;

/** @name Callbacks, each with t [s] first and user last
 *  @{ */
/** r = Phi(p, v, a, u). */
typedef int resida_residual_fn(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                               double *r, void *user);
/** a = phi(p, v, f, u). */
typedef int resida_acceleration_fn(double t, const double *p, const double *v, const double *f,
                                   const resida_excitation *e, double *a, void *user);
/** r = Phi(p, v, a, lam, u). */
typedef int resida_residual_lam_fn(double t, const double *p, const double *v, const double *a, const double *lam,
                                   const resida_excitation *e, double *r, void *user);
/** a = phi(p, v, f, lam, u). */
typedef int resida_acceleration_lam_fn(double t, const double *p, const double *v, const double *f, const double *lam,
                                       const resida_excitation *e, double *a, void *user);
/** What depends on positions alone: out = g, dg/dp, M ... */
typedef int resida_position_fn(double t, const double *p, const resida_excitation *e, double *out, void *user);
/** What depends on positions and velocities: biases, root functions. */
typedef int resida_velocity_fn(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                               void *user);
/** out = A x with a matrix A that depends on positions alone. */
typedef int resida_product_fn(double t, const double *p, const double *x, const resida_excitation *e, double *out,
                              void *user);
/** dPhi/dp, dPhi/dv, dPhi/dlam at a, lam. */
typedef int resida_derivatives_fn(double t, const double *p, const double *v, const double *a, const double *lam,
                                  const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam,
                                  void *user);
/** u, ud, udd [n_u] at t. */
typedef int resida_excitation_fn(double t, double *u, double *ud, double *udd, void *user);
/** @} */

/** What a call of each callback costs, in operations: as many multiplications and additions of the dense linear algebra
 *  as take the same time, about one for each instruction. 0 (default): assumed by size; else finite and > 0. Members as
 *  in resida_callback_calls; those of callbacks that are not there are not looked at. What is renewed, and when, is
 *  decided by it (strategies "auto" and "user" of resida/jacobian.h), never what is solved. Say it where a call is far
 *  from what `resida check` tells as assumed, by a factor of four or more. */
typedef struct resida_callback_costs {
    double residual;                       /**< Phi, F of a general DAE */
    double acceleration;                   /**< phi */
    double residual_lam;                   /**< Phi with lam */
    double acceleration_lam;               /**< phi with lam */
    double constraint;                     /**< g */
    double constraint_matrix;              /**< dg/dp */
    double constraint_force;               /**< (dg/dp)' lam */
    double constraint_velocity;            /**< (dg/dp) x */
    double velocity_bias;                  /**< gI */
    double acceleration_bias;              /**< d(G v + gI)/dt */
    double mass_matrix;                    /**< M */
    double potential;                      /**< V */
    double derivatives;                    /**< of Phi */
    double kinematic_matrix;               /**< T */
    double invariant;                      /**< k */
    double invariant_matrix;               /**< K */
    double nonholonomic_matrix;            /**< Gh */
    double nonholonomic_bias;              /**< gh */
    double nonholonomic_acceleration_bias; /**< d(Gh v + gh)/dt */
    double projection_matrix;              /**< the option's own B */
    double excitation;                     /**< u, ud, udd */
    double root;                           /**< root functions */
    double jacobian;                       /**< of a general DAE */
} resida_callback_costs;

/** A mechanism. Plain data: fill it after resida_mechanism_init(), hand it to resida_problem_create(), which copies
 *  it (patterns and names too). Callbacks and `user` must live as long as the problem. */
typedef struct resida_mechanism {
    size_t size;      /**< sizeof(resida_mechanism), set by resida_mechanism_init() */
    const char *name; /**< for messages; NULL: "mechanism" */
    int n_p;          /**< position coordinates, > 0 */
    int n_v;          /**< velocity coordinates with the states, n_v - n_z > 0, <= n_p; n_v - n_z differs from n_p only
                           with kinematic_matrix */
    int n_z;          /**< first-order states, the last of the n_v; >= 0 */
    int n_g;          /**< position constraints, >= 0 */
    int n_h;          /**< nonholonomic constraints, >= 0 */
    int n_k;          /**< invariants of positions, >= 0, <= n_p - (n_v - n_z) */
    int n_u;          /**< excitations, >= 0 */
    int n_root;       /**< root functions, >= 0 */
    void *user;       /**< handed to every callback */
    int thread_safe;  /**< 1: callbacks may be called by several threads at once, each with arrays of its own but the
                           same `user`. 0 (default): by the caller's thread alone */

    /* The formalism: one of the two, or both (then resida_problem_options says which is used). O(N) is expected. */
    resida_residual_fn *residual; /**< r [n_v] = Phi(p,v,a,u) = M a - Psi, eq. (3); without constraint forces */
    resida_acceleration_fn
        *acceleration; /**< a [n_v] = phi(p,v,f,u) = M^-1 (Psi + f), eq. (2); f [n_v] generalised forces */

    /* The same where Psi depends on the constraint forces lam [n_g + n_h]; each instead of the one above, and neither
     * besides one above. resida adds the constraint force itself, G' lam, as ever. A start asks at lam = 0 first. */
    resida_residual_lam_fn *residual_lam;         /**< r [n_v] = Phi(p,v,a,lam,u) = M a - Psi(p,v,lam,u) */
    resida_acceleration_lam_fn *acceleration_lam; /**< a [n_v] = phi(p,v,f,lam,u) = M^-1 (Psi(p,v,lam,u) + f) */

    resida_position_fn *constraint; /**< g [n_g]; needed when n_g > 0 */

    /* Optional: faster, and more exact in the last digits. What is NULL is found by differences of the rest, with
     * increments that are parts (6e-6 to 5e-3) of the length or time over which g is seen to bend, whatever the size of
     * p and t: errors of some 1e-10 of dg/dp and of the biases, 1e-8 of a bias beside a dg/dp that is differenced, too.
     * To see it costs some ten calls of g at the start for each group of coordinates and for each bias, more where
     * lengths are far below 1 or |p|, and again where p has moved by half such lengths, later by sixteen. A g with
     * noise, from tables or iterations, is better given its derivatives.
     * Without a bias that means calls of the constraint a little before and after t, a stop time or not; without dg/dp
     * two calls for each group of coordinates that share no constraint, and two that check the entries which are known
     * so far. What G_pattern lacks stays 0, and is a warning of the start (resida_solver_examine()). */
    resida_position_fn *constraint_matrix; /**< dg/dp [n_g x n_p], in the order of G_pattern */
    resida_pattern G_pattern;              /**< of dg/dp, also without the matrix */
    /* Products with dg/dp without the matrix, both or none: where they are much cheaper than dg/dp, as in a recursive
     * formalism. A residual then needs no matrix; without constraint_matrix, dg/dp is made of products with groups of
     * coordinates at setups of J. */
    resida_product_fn *constraint_force;    /**< out [n_p] = (dg/dp)' lam, x = lam [n_g] */
    resida_product_fn *constraint_velocity; /**< out [n_g] = (dg/dp) x, x [n_p], such as p' = T v */
    resida_position_fn *velocity_bias;      /**< gI [n_g] = dg/dt = (dg/du) ud + explicit part, eq. (6) */
    resida_velocity_fn *acceleration_bias;  /**< [n_g] d(G v + gI)/dt at constant v, so that 0 = G a + bias */
    resida_position_fn *mass_matrix;        /**< M [n_v x n_v], both triangles, in the order of M_pattern; of states
                                                 the unit matrix, without an entry beside it */
    resida_pattern M_pattern;               /**< of mass_matrix */

    /** Optional: V [1], the potential of the forces that do not depend on v (nor z), Psi(p, 0) = -dV/dp, of the
     *  residual formalism. resida_solver_examine() compares forces with it. */
    resida_position_fn *potential;

    /* Optional, of the residual formalism, with a mass matrix: where dPhi/dp [n_v x n_p], dPhi/dv [n_v x n_v] and, with
     * residual_lam, dPhi/dlam [n_v x (n_g + n_h)] (without the known G') may have entries, all of them or none
     * (row == NULL: not known, found by differences), and their values, in this order. */
    resida_pattern Phi_p_pattern;       /**< of dPhi/dp */
    resida_pattern Phi_v_pattern;       /**< of dPhi/dv */
    resida_pattern Phi_lam_pattern;     /**< of dPhi/dlam, with residual_lam */
    resida_derivatives_fn *derivatives; /**< makes "user" the default strategy; without patterns the matrices are full;
                                             Phi_lam is NULL unless residual_lam is given */

    /* Only when n_p != n_v - n_z (Euler parameters), or when p' = v is not meant. */
    resida_position_fn *kinematic_matrix; /**< T [n_p x (n_v - n_z)] in the order of T_pattern */
    resida_pattern T_pattern;             /**< of kinematic_matrix */

    /* Invariants of positions, which no velocity changes, K T = 0 (the start sees to it): norms of quaternions. They
     * take part in positions alone, p' = T v - K' eta_k: without a force, and without a row at the level of velocities.
     * resida/quaternion.h has all that Euler parameters need. Norms have no place among the g, whose rows of G they
     * would leave zero. */
    resida_position_fn *invariant;        /**< k [n_k], of p alone; needed when n_k > 0 */
    resida_position_fn *invariant_matrix; /**< K = dk/dp [n_k x n_p] in the order of K_pattern; NULL: differences */
    resida_pattern K_pattern;             /**< of invariant_matrix */

    /* Nonholonomic constraints; the matrix is needed when n_h > 0. */
    resida_position_fn *nonholonomic_matrix;            /**< Gh [n_h x (n_v - n_z)] in the order of Gh_pattern */
    resida_pattern Gh_pattern;                          /**< of nonholonomic_matrix */
    resida_position_fn *nonholonomic_bias;              /**< gh [n_h]; NULL: 0 */
    resida_velocity_fn *nonholonomic_acceleration_bias; /**< [n_h] d(Gh v + gh)/dt at constant v; NULL: differences */

    resida_excitation_fn *excitation; /**< u, ud, udd [n_u] at t; needed when n_u > 0 */
    resida_velocity_fn *root;         /**< [n_root] functions whose sign changes are events; needed when n_root > 0 */

    resida_callback_costs cost; /**< of a call of each of these callbacks; 0: assumed */

    /* Names for messages and files; each array may be NULL, then p[0], v[0], g[0] ... are used. */
    const char *const *p_names; /**< [n_p] */
    const char *const *v_names; /**< [n_v], with those of states, which are z[0], z[1] without names. Where p' = v, a
                                     velocity without a name, or with that of its position x, is called x' */
    const char *const *g_names; /**< [n_g + n_h] */
} resida_mechanism;

/** Set every field to "not there" and `size` to its value. */
RESIDA_API void resida_mechanism_init(resida_mechanism *m);

#ifdef __cplusplus
}
#endif
#endif
