/* resida/mechanism.h - a multibody system with constraints: sizes and callbacks.
 *
 *     p' = T(p) v                                              kinematics        (T = I unless given)
 *     M(p,u) v' = Psi(p,v,lam,u) - G'(p,u) lam - Gh'(p,u) nu   dynamics          (1), (5a)
 *     0 = g(p,u)                                               n_g constraints   (5b)
 *     0 = G(p,u) v + gI(p,u,ud)                                their derivative  (6)
 *     0 = Gh(p,u) v + gh(p,u)                                  n_h nonholonomic constraints
 *     0 = k(p)                                                 n_k invariants, K T = 0 with K = dk/dp
 *     z' = f(p,v,z,lam,u)                                      n_z first-order states
 *
 * Numbers are equations of Arnold, Fuchs, Fuehrer (doc/mathematics.md). In other comments lam [n_g + n_h] includes nu
 * as its last n_h.
 *
 * First-order states z are the last n_z components of v [n_v], and the last n_z components of a are z'. The last n_z
 * equations of the formalism are z' - f (residual) or f (explicit). Forces, f and root functions may depend on p, v, z,
 * u and lam. Constraints, M, T and biases must not depend on z, and f must not depend on a. The model chooses the
 * units; increments of differences assume SI (1 m, 1 rad).
 *
 * Callbacks follow the conventions of resida/resida.h. They may call only resida_solver_request() of their solver.
 * Output arrays must be filled completely; at the first call their entries are NaN. */
#ifndef RESIDA_MECHANISM_H
#define RESIDA_MECHANISM_H

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Excitations u [n_u], ud = du/dt and udd = d2u/dt2 at the time of the call. */
typedef struct resida_excitation {
    const double *u;   /**< [n_u] */
    const double *ud;  /**< [n_u] du/dt */
    const double *udd; /**< [n_u] d2u/dt2 */
} resida_excitation;

/** Sparsity pattern of a matrix in CSR format, base 0, columns ascending within a row. The callback of the matrix
 *  writes values in this order. */
typedef struct resida_pattern {
    const int *row; /**< [rows + 1] start of each row in col; NULL: the matrix is full, by rows */
    const int *col; /**< [row[rows]] column of each entry */
} resida_pattern;

/** @name Callbacks, each with t [s] first and user last; resida_mechanism has the sizes
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
/** out = g, dg/dp, M ... */
typedef int resida_position_fn(double t, const double *p, const resida_excitation *e, double *out, void *user);
/** out = biases, root functions. */
typedef int resida_velocity_fn(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                               void *user);
/** out = root functions that depend on lam, root_lam of resida_problem_options. */
typedef int resida_root_lam_fn(double t, const double *p, const double *v, const double *lam,
                               const resida_excitation *e, double *out, void *user);
/** out = A x with a matrix A of positions. */
typedef int resida_product_fn(double t, const double *p, const double *x, const resida_excitation *e, double *out,
                              void *user);
/** dPhi/dp, dPhi/dv, dPhi/dlam at a, lam. */
typedef int resida_derivatives_fn(double t, const double *p, const double *v, const double *a, const double *lam,
                                  const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam,
                                  void *user);
/** u, ud, udd [n_u] at t. */
typedef int resida_excitation_fn(double t, double *u, double *ud, double *udd, void *user);
/** @} */

/** Costs of the callbacks of resida_mechanism, resida_dae and resida_problem_options, in floating-point operations of
 *  dense linear algebra that take the same time. Set a cost if `resida check` prints an estimate that is wrong by a
 *  factor of four or more. */
typedef struct resida_callback_costs {
    /** Cost of a call of the callback of this name, > 0; 0: estimated. @{ */
    double residual;
    double acceleration;
    double residual_lam;
    double acceleration_lam;
    double constraint;
    double constraint_matrix;
    double constraint_force;
    double constraint_velocity;
    double velocity_bias;
    double acceleration_bias;
    double mass_matrix;
    double potential;
    double derivatives;
    double kinematic_matrix;
    double invariant;
    double invariant_matrix;
    double nonholonomic_matrix;
    double nonholonomic_bias;
    double nonholonomic_acceleration_bias;
    double projection_matrix;
    double excitation;
    double root;
    double jacobian;
    /** @} */
} resida_callback_costs;

/** A mechanism. Copied with patterns and names by resida_problem_create(); callbacks and `user` must outlive the
 *  problem. */
typedef struct resida_mechanism {
    size_t size;      /**< sizeof(resida_mechanism), set by resida_mechanism_init() */
    const char *name; /**< for messages; NULL: "mechanism" */
    int n_p;          /**< positions, > 0 */
    int n_v;          /**< velocities and states, 0 < n_v - n_z <= n_p; n_v - n_z < n_p needs kinematic_matrix */
    int n_z;          /**< first-order states, the last of v */
    int n_g;          /**< position constraints */
    int n_h;          /**< nonholonomic constraints */
    int n_k;          /**< invariants of positions, <= n_p - (n_v - n_z) */
    int n_u;          /**< excitations */
    int n_root;       /**< root functions */
    void *user;       /**< passed to every callback */
    int thread_safe;  /**< 1: callbacks may run in several threads at once, with the same `user` */

    /* The formalism, without constraint forces: one of the two, or both (option formalism). */
    resida_residual_fn *residual;         /**< r [n_v] = Phi(p,v,a,u) = M a - Psi, (3) */
    resida_acceleration_fn *acceleration; /**< a [n_v] = phi(p,v,f,u) = M^-1 (Psi + f), (2), with forces f [n_v] */

    /* If Psi depends on lam [n_g + n_h], give one of these instead, also without constraint forces. The start evaluates
     * it first at lam = 0. */
    resida_residual_lam_fn *residual_lam;         /**< r [n_v] = Phi(p,v,a,lam,u) */
    resida_acceleration_lam_fn *acceleration_lam; /**< a [n_v] = phi(p,v,f,lam,u) */

    resida_position_fn *constraint; /**< g [n_g]; required if n_g > 0 */

    /* Optional derivatives of g; matrices in the order of their patterns. NULL: differences with a relative error of
     * about 1e-10 (1e-8 of a bias if dg/dp is also differenced). The differences evaluate g also at times near t and
     * beyond a stop time. Give derivatives if g comes from tables or iterations. Calls of g per residual call: about
     * four for each group of columns, and four for gI; ten times as many in forms with g''. */
    resida_position_fn *constraint_matrix; /**< dg/dp [n_g x n_p] */
    resida_pattern G_pattern;              /**< of dg/dp, also without the matrix */
    /* Products: both or none, if they are much cheaper than dg/dp. They give dg/dp if constraint_matrix is NULL. */
    resida_product_fn *constraint_force;    /**< out [n_p] = (dg/dp)' x, x [n_g] */
    resida_product_fn *constraint_velocity; /**< out [n_g] = (dg/dp) x, x [n_p] */
    resida_position_fn *velocity_bias;      /**< gI [n_g] = dg/dt at constant p, (6). If g depends on p alone, set
                                                 zeros: with dg/dp given, this saves most calls of g */
    resida_velocity_fn *acceleration_bias;  /**< [n_g] d(G v + gI)/dt at constant v: 0 = G a + bias */

    /* Optional. */
    resida_position_fn *mass_matrix; /**< M [n_v x n_v], both triangles; the unit matrix for states */
    resida_pattern M_pattern;        /**< of mass_matrix */
    resida_position_fn *potential;   /**< V [1], Psi(p, 0) = -dV/dp at v = 0, z = 0; resida_solver_examine() uses it */

    /* Optional, for the residual formalism with a mass matrix; patterns all or none, else found by differences. */
    resida_pattern Phi_p_pattern;       /**< of dPhi/dp [n_v x n_p] */
    resida_pattern Phi_v_pattern;       /**< of dPhi/dv [n_v x n_v] */
    resida_pattern Phi_lam_pattern;     /**< with residual_lam: of dPhi/dlam [n_v x (n_g + n_h)], without G' */
    resida_derivatives_fn *derivatives; /**< makes "user" the default strategy; Phi_lam is NULL without residual_lam */

    /* If p' != v, as with Euler parameters. */
    resida_position_fn *kinematic_matrix; /**< T [n_p x (n_v - n_z)] */
    resida_pattern T_pattern;             /**< of kinematic_matrix */

    /* Invariants of positions, K T = 0 (checked by the start), such as norms of quaternions (resida/quaternion.h).
     * They must not be in g: their rows of G are zero. */
    resida_position_fn *invariant;        /**< k [n_k](p); required if n_k > 0 */
    resida_position_fn *invariant_matrix; /**< K = dk/dp [n_k x n_p]; NULL: differences */
    resida_pattern K_pattern;             /**< of invariant_matrix */

    /* Nonholonomic constraints; the matrix is required if n_h > 0. */
    resida_position_fn *nonholonomic_matrix;            /**< Gh [n_h x (n_v - n_z)] */
    resida_pattern Gh_pattern;                          /**< of nonholonomic_matrix */
    resida_position_fn *nonholonomic_bias;              /**< gh [n_h]; NULL: 0 */
    resida_velocity_fn *nonholonomic_acceleration_bias; /**< [n_h] d(Gh v + gh)/dt at constant v; NULL: differences */

    resida_excitation_fn *excitation; /**< required if n_u > 0 */
    resida_velocity_fn *root;         /**< [n_root] this or root_lam (resida/problem.h) is required if n_root > 0 */
    resida_callback_costs cost;       /**< of a call of each callback; 0: estimated */

    /* Names for messages and files; NULL: p[0], v[0], g[0] ... */
    const char *const *p_names; /**< [n_p] */
    const char *const *v_names; /**< [n_v]; NULL: z[0] ... for states; if p' = v, x' for a position x */
    const char *const *g_names; /**< [n_g + n_h] */
} resida_mechanism;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_mechanism_init(resida_mechanism *m);

#ifdef __cplusplus
}
#endif
#endif
