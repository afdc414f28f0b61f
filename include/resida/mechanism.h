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
 * The last n_z components of v [n_v] are the first-order states z, and those of a are z'. The last n_z equations of the
 * formalism are z' - f (residual) or f (explicit). Forces, f and root functions may depend on p, v, z, u and lam.
 * Constraints, M, T and biases must not depend on z, nor f on a. The model chooses the units; increments of differences
 * assume SI (1 m, 1 rad).
 *
 * Callbacks follow the conventions of resida/resida.h. They may call only resida_solver_request() of their solver. They
 * must fill output arrays completely; at the first call the entries are NaN. */
#ifndef RESIDA_MECHANISM_H
#define RESIDA_MECHANISM_H

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Excitations and their derivatives at the time of a call. */
typedef struct resida_excitation {
    const double *u;   /**< [n_u] excitations u */
    const double *ud;  /**< [n_u] du/dt */
    const double *udd; /**< [n_u] d2u/dt2 */
} resida_excitation;

/** Sparsity pattern of a matrix in CSR format, base 0, columns ascending within a row. The callback of the matrix
 *  writes its values in this order. */
typedef struct resida_pattern {
    const int *row; /**< [rows + 1] start of each row in col; NULL: a full matrix, by rows */
    const int *col; /**< [row[rows]] column of each entry */
} resida_pattern;

/** @name Callbacks, each with t [s] first and user last; resida_mechanism has the sizes
 *  @{ */
/** Evaluate the residual of the dynamics, r = Phi(p, v, a, u). */
typedef int resida_residual_fn(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                               double *r, void *user);
/** Solve the dynamics for accelerations, a = phi(p, v, f, u). */
typedef int resida_acceleration_fn(double t, const double *p, const double *v, const double *f,
                                   const resida_excitation *e, double *a, void *user);
/** Evaluate a residual that depends on multipliers, r = Phi(p, v, a, lam, u). */
typedef int resida_residual_lam_fn(double t, const double *p, const double *v, const double *a, const double *lam,
                                   const resida_excitation *e, double *r, void *user);
/** Solve dynamics that depend on multipliers, a = phi(p, v, f, lam, u). */
typedef int resida_acceleration_lam_fn(double t, const double *p, const double *v, const double *f, const double *lam,
                                       const resida_excitation *e, double *a, void *user);
/** Evaluate a function of positions: out = g, dg/dp, M ... */
typedef int resida_position_fn(double t, const double *p, const resida_excitation *e, double *out, void *user);
/** Evaluate a function of positions and velocities: out = biases, root functions. */
typedef int resida_velocity_fn(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                               void *user);
/** Evaluate root functions of a mechanism that depend on multipliers. */
typedef int resida_root_lam_fn(double t, const double *p, const double *v, const double *lam,
                               const resida_excitation *e, double *out, void *user);
/** Multiply a vector by a matrix of positions, out = A x. */
typedef int resida_product_fn(double t, const double *p, const double *x, const resida_excitation *e, double *out,
                              void *user);
/** Evaluate the derivatives dPhi/dp, dPhi/dv, dPhi/dlam at (p, v, a, lam). */
typedef int resida_derivatives_fn(double t, const double *p, const double *v, const double *a, const double *lam,
                                  const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam,
                                  void *user);
/** Evaluate the excitations u, ud = du/dt, udd = d2u/dt2 [n_u] at t. */
typedef int resida_excitation_fn(double t, double *u, double *ud, double *udd, void *user);
/** @} */

/** Costs of callbacks, in floating-point operations of dense linear algebra that take the same time. Set a cost if
 *  `resida check` prints an estimate that is wrong by a factor of four or more. */
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
    size_t size;      /**< struct size */
    const char *name; /**< name in messages; NULL: "mechanism" */
    int n_p;          /**< number of positions, > 0 */
    int n_v;    /**< number of velocities and states, 0 < n_v - n_z <= n_p; n_v - n_z < n_p needs kinematic_matrix */
    int n_z;    /**< number of first-order states, the last components of v */
    int n_g;    /**< number of position constraints */
    int n_h;    /**< number of nonholonomic constraints */
    int n_k;    /**< number of invariants of positions, <= n_p - (n_v - n_z) */
    int n_u;    /**< number of excitations */
    int n_root; /**< number of root functions */
    void *user; /**< argument of every callback */
    int thread_safe; /**< 1: several threads may call callbacks at once, with the same `user` */

    /* Formalism without constraint forces: one of the two, or both (option formalism). */
    resida_residual_fn *residual;         /**< r [n_v] = Phi(p,v,a,u) = M a - Psi, (3) */
    resida_acceleration_fn *acceleration; /**< a [n_v] = phi(p,v,f,u) = M^-1 (Psi + f), (2), with forces f [n_v] */

    /* In place of the above, if Psi depends on lam [n_g + n_h]. A start evaluates it first at lam = 0. */
    resida_residual_lam_fn *residual_lam;         /**< r [n_v] = Phi(p,v,a,lam,u), without constraint forces */
    resida_acceleration_lam_fn *acceleration_lam; /**< a [n_v] = phi(p,v,f,lam,u), without constraint forces */

    resida_position_fn *constraint; /**< position constraints g [n_g]; required if n_g > 0 */

    /* Optional derivatives of g. NULL: differences, with a relative error of about 1e-10 (of a bias without dg/dp:
     * 1e-8). They cost about four calls of g for each group of columns, and four calls for gI in each residual call; in
     * forms with g'' ten times as many. They evaluate g also near t and beyond a stop time. Give derivatives if g comes
     * from tables or iterations. */
    resida_position_fn *constraint_matrix; /**< dg/dp [n_g x n_p] in the order of G_pattern */
    resida_pattern G_pattern;              /**< pattern of dg/dp, also without the matrix */
    /* Products, both or none, if they are much cheaper than dg/dp. They give dg/dp if constraint_matrix is NULL. */
    resida_product_fn *constraint_force;    /**< product out [n_p] = (dg/dp)' x, x [n_g] */
    resida_product_fn *constraint_velocity; /**< product out [n_g] = (dg/dp) x, x [n_p] */
    resida_position_fn *velocity_bias;      /**< gI [n_g] = dg/dt at constant p, (6). Zeros, if g depends on p alone,
                                                 save most calls of g if dg/dp is given */
    resida_velocity_fn *acceleration_bias;  /**< [n_g] time derivative of G v + gI at constant v, in 0 = G a + bias */

    /* Optional. */
    resida_position_fn *mass_matrix; /**< mass matrix M [n_v x n_v], both triangles; the unit matrix for states */
    resida_pattern M_pattern;        /**< pattern of M */
    resida_position_fn *potential;   /**< potential energy V [1], Psi(p, 0) = -dV/dp at v = 0, z = 0, for
                                          resida_solver_examine() */

    /* Optional derivatives of the residual formalism with a mass matrix. Patterns: all or none; else found by
     * differences. */
    resida_pattern Phi_p_pattern;       /**< pattern of dPhi/dp [n_v x n_p] */
    resida_pattern Phi_v_pattern;       /**< pattern of dPhi/dv [n_v x n_v] */
    resida_pattern Phi_lam_pattern;     /**< with residual_lam: that of dPhi/dlam [n_v x (n_g + n_h)], without G' */
    resida_derivatives_fn *derivatives; /**< values in these patterns, for strategy "user" (then the default); Phi_lam
                                             NULL without residual_lam */

    /* If p' = T v with T other than the unit matrix, as with Euler parameters. */
    resida_position_fn *kinematic_matrix; /**< kinematic matrix T [n_p x (n_v - n_z)] */
    resida_pattern T_pattern;             /**< pattern of T */

    /* Invariants of positions, such as norms of quaternions (resida/quaternion.h): K T = 0, checked by a start. They
     * must not be in g: their rows of G are zero. */
    resida_position_fn *invariant;        /**< invariants k [n_k] of p; required if n_k > 0 */
    resida_position_fn *invariant_matrix; /**< K = dk/dp [n_k x n_p]; NULL: differences */
    resida_pattern K_pattern;             /**< pattern of K */

    /* Nonholonomic constraints; the matrix is required if n_h > 0. */
    resida_position_fn *nonholonomic_matrix;            /**< Gh [n_h x (n_v - n_z)] of Gh v + gh = 0 */
    resida_pattern Gh_pattern;                          /**< pattern of Gh */
    resida_position_fn *nonholonomic_bias;              /**< gh [n_h] of Gh v + gh = 0; NULL: 0 */
    resida_velocity_fn *nonholonomic_acceleration_bias; /**< [n_h] d(Gh v + gh)/dt at constant v; NULL: differences */

    resida_excitation_fn *excitation; /**< excitations of time; required if n_u > 0 */
    resida_velocity_fn *root;         /**< root functions [n_root]; this or root_lam (resida/problem.h) is required if
                                           n_root > 0 */
    resida_callback_costs cost;       /**< costs of calls of the callbacks; 0: estimated */

    /* Names in messages and files; NULL: p[0], v[0], g[0] ... */
    const char *const *p_names; /**< [n_p] names of positions */
    const char *const *v_names; /**< [n_v] names of velocities and states; NULL: x' for a position x if p' = v, z[0] ...
                                     for states */
    const char *const *g_names; /**< [n_g + n_h] names of constraints */
} resida_mechanism;

/** Set `size`, and other members to 0. */
RESIDA_API void resida_mechanism_init(resida_mechanism *m);

#ifdef __cplusplus
}
#endif
#endif
