/* resida/problem.h - F(t, y, yp, u(t)) = 0 of a mechanism in a formulation, or of a general DAE.
 *
 * Formulations. Plain numbers are those of the first paper, AP of the second, BEB of the third:
 *     M. Arnold, A. Fuchs, C. Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics.
 *     Preprint submitted to Computer Methods in Applied Mechanics and Engineering, 11 November 2004
 *     U. M. Ascher, L. R. Petzold: Stability of computational methods for constrained dynamics systems. Technical
 *     Report 91-3, Department of Computer Science, University of British Columbia, Vancouver, 1991
 *     O. A. Bauchau, A. Epple, C. L. Bottasso: Scaling of constraints and augmented Lagrangian formulations in
 *     multibody dynamics simulations. Journal of Computational and Nonlinear Dynamics. doi:10.1115/1.3079826
 *     C. W. Gear, B. Leimkuhler, G. K. Gupta: Automatic integration of Euler-Lagrange equations with constraints.
 *     Journal of Computational and Applied Mathematics 12&13 (1985) 77-90. doi:10.1016/0377-0427(85)90008-1
 *
 *   "ggl"     stabilised index 2 (Gear, Leimkuhler, Gupta), eq. (7); y = (p, v, lam, eta); residual formalism eq. (9),
 *             explicit formalism eq. (10). Position and velocity constraints are satisfied to the Newton tolerance.
 *   "index2"  velocity constraint, (7) without (7d) and eta; y = (p, v, lam). Positions drift; near singular positions
 *             use "ggl". With gamma: 0 = g' + gamma g, AP (3.11), (3.14).
 *   "index1"  the constraint differentiated twice, 0 = G a + gamma(p, v), AP (3.1); y = (p, v, lam). g' drifts, and
 *             g drifts like t times g'.
 *   "baumgarte"  0 = g'' + 2 gamma g' + gamma^2 g, AP (3.2), (3.10); y = (p, v, lam). Constraint violations
 *                decay like exp(-gamma t).
 *   "index3"  position constraint; y = (p, v, lam). g = 0 is satisfied, g' = 0 to the order of the step size. v is not
 *             in the error test, nor are states if forces depend on lam.
 *   "augmented"  "index3" with the constraint force G' (lam + penalty g), BEB (7); the same solution.
 *   "projected1"  projected invariants, AP (4.14): accelerations as in "index1", 0 = g by eta along D; y = (p, v, lam,
 *                 eta).
 *   "projected2"  AP (3.25), (3.27) with k = 2: also 0 = G v + gI, by tau along D; y = (p, v, lam, eta, tau, a), a the
 *             accelerations.
 *   "state-space"  AP (3.17), (3.23), (3.24): "projected2" with constant D = G' of a reference point: the steps are
 *             those of the ODE in coordinates R p with R D = 0. A new reference point is chosen, without a restart,
 *             when G has turned by 60 degrees, AP (3.15); counted as coordinate_changes.
 *   "hiller-anantharaman"  "ggl" with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta), of index 1; all of y is in the
 *                          error test.
 *   "ode"     no constraints; y = (p, v).
 *   "auto"    "ode" without constraints, else "ggl".
 * With nonholonomic constraints lam and tau are [n_g + n_h], lam = (lam, nu). Their equation is w = Gh v + gh = 0, or
 * w' + gamma w = 0 in formulations that differentiate g twice. The multipliers of a dropped row are zero (start.h).
 * "index1", "baumgarte", "projected1", "projected2" and "state-space" call acceleration_bias, or difference it, in each
 * residual.
 *
 * Invariants k(p) = 0 have multipliers eta_k, the last of y: p' = T v - .. - K' eta_k, 0 = k(p). p is projected onto k
 * = 0 along K' after each step and at each output.
 *
 * D, the directions along which eta and tau act: p' = T v - D1 eta, v' = a - D2 tau:
 *   "G"    D1 = (dg/dp)', D2 = (G', Gh'); (7a)
 *   "B"    D1 = T M^-1 G', D2 = M^-1 (G', Gh'); needs mass_matrix, evaluated and factored (dense) in each residual
 *   "own"  D1 = T D, D2 = (D, Gh') with D [n_v x n_g] of a callback; G D must be regular
 * The option step_projection projects p and v along the same D after each step, AP (4.16)-(4.20): onto the nearest
 * point in the norm of I for "G", of M for "B". */
#ifndef RESIDA_PROBLEM_H
#define RESIDA_PROBLEM_H

#include <resida/contact.h>
#include <resida/dae.h>
#include <resida/mechanism.h>
#include <resida/products.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A mechanism in one formulation, or a general DAE. */
typedef struct resida_problem resida_problem;

/** The formalism to use, if a mechanism has both. */
typedef enum resida_formalism {
    RESIDA_FORMALISM_AUTO = 0,     /**< residual if given, else explicit */
    RESIDA_FORMALISM_RESIDUAL = 1, /**< Phi(p,v,a,u) or Phi(p,v,a,lam,u), eqs. (3), (9) */
    RESIDA_FORMALISM_EXPLICIT = 2  /**< phi(p,v,f,u) or phi(p,v,f,lam,u), eqs. (2), (10) */
} resida_formalism;

/** Options of a problem. Without effect they are refused (resida/option.h):
 *    formalism: only mechanisms
 *    gamma: only forms index2, baumgarte
 *    penalty: only form augmented
 *    projection: only forms with constraints but state-space, where eta or tau act or steps are projected
 *    projection_matrix: only forms with constraints but state-space, with projection own
 *    step_projection: only forms with constraints
 *    contacts: only mechanisms */
typedef struct resida_problem_options {
    size_t size;                           /**< set by resida_problem_options_init() */
    const char *form;                      /**< name of a formulation; default "auto" */
    resida_formalism formalism;            /**< default RESIDA_FORMALISM_AUTO */
    const resida_allocator *allocator;     /**< NULL (default): malloc and free; copied */
    double gamma;                          /**< [1/s] >= 0; 0 (default): 1 for "baumgarte", none for "index2" */
    double penalty;                        /**< [force per unit of g] >= 0; default 0 */
    const char *projection;                /**< D: "G" (default), "B", "own" */
    resida_position_fn *projection_matrix; /**< D [n_v x n_g] by rows; if and only if "own" */
    int step_projection;                   /**< 1: project p and v after each step; 0 (default). No residual call */
    const resida_products *products;       /**< directional derivatives, copied; NULL (default): none */
    const resida_model_contacts *contacts; /**< contacts that hold; copied, except names and coefficients, which must
                                                outlive the problem; ignored without `holds`. NULL (default): none */
} resida_problem_options;

/** Set `size`, and all options to their defaults. */
RESIDA_API void resida_problem_options_init(resida_problem_options *o);

/** Name of formulation i, i >= 0, without "auto" and "dae"; NULL after the last one. */
RESIDA_API const char *resida_form_at(int i);

/** Offsets of the parts of y, -1 if not in y or of a general DAE; and sizes. The accelerations are yp + v. */
typedef struct resida_layout {
    int n;     /**< unknowns */
    int p;     /**< offset of the positions [n_p] in y */
    int v;     /**< of the velocities [n_v] */
    int lam;   /**< of the multipliers [n_g + n_h] */
    int eta;   /**< of the multipliers of g [n_g] */
    int tau;   /**< of the multipliers of g' [n_g + n_h] */
    int a;     /**< of the accelerations [n_v] */
    int eta_k; /**< of the multipliers of the invariants [n_k] */
    int n_p;   /**< positions of the mechanism */
    int n_v;   /**< velocities, with states */
    int n_z;   /**< states, the last of v */
    int n_g;   /**< position constraints */
    int n_h;   /**< nonholonomic constraints */
    int n_u;   /**< excitations */
    int n_k;   /**< invariants */
    int rates; /**< 1: y has Lam, Eta at these offsets; lam = yp + lam, eta = yp + eta, eta_k = yp + eta_k */
} resida_layout;

/** Create a problem from a mechanism.
 *  @param[out] problem  new handle, NULL on failure; free with resida_problem_free()
 *  @param[in]  m        copied with patterns and names; callbacks and user must outlive the problem
 *  @param[in]  o        NULL: defaults
 *  @param[out] why      reason of a failure; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION, _MODEL, _MEMORY
 *  Cost: no residual call. A problem has work space and serves one thread at a time. Dropped rows, contacts that hold
 *  and the reference point of "state-space" belong to the problem: after another solver or resida_problem_start() has
 *  started it, resida_solver_advance() of the first solver returns RESIDA_ERR_STATE until it is started again. */
RESIDA_API resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                               const resida_problem_options *o, resida_message *why);

/** Create a problem from a general DAE; `form` must be "auto", and options of formulations are refused. */
RESIDA_API resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d,
                                                   const resida_problem_options *o, resida_message *why);

/** Free a problem or NULL. Free its solvers first. Not within a callback. */
RESIDA_API void resida_problem_free(resida_problem *problem);

/** Sizes and offsets. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_problem_layout(const resida_problem *problem, resida_layout *layout);

/** Kinds of the components of y [n], owned by the problem; NULL for NULL. */
RESIDA_API const resida_kind *resida_problem_kinds(const resida_problem *problem);

/** Name of the formulation, or "dae"; "" for NULL. */
RESIDA_API const char *resida_problem_form(const resida_problem *problem);

/** Formalism in use: "residual", "explicit", or "dae"; "" for NULL. */
RESIDA_API const char *resida_problem_formalism(const resida_problem *problem);

/** Name of component i of y: "p[3]", "lam[0]" or that of the model ("beta", "beta'").
 *  @param[out] text  [size] terminated by 0, truncated if too long
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_problem_component_name(const resida_problem *problem, int i, char *text, size_t size);

/** Evaluate F(t, y, yp, u(t)). Cost: one call of the formalism.
 *  @param[in]  y, yp  [n]
 *  @param[out] r      [n]
 *  @param[in]  problem  a resida_problem (a resida_function)
 *  @return as callbacks: 0, > 0 recoverable, < 0 fatal */
RESIDA_API int resida_problem_residual(double t, const double *y, const double *yp, double *r, void *problem);

/** Evaluate constraints at (p, v); 0 for contacts that the last start left open.
 *  @param[in]  p, v  [n_p], [n_v]
 *  @param[out] g     [n_g] position constraints, or NULL
 *  @param[out] gv    [n_g + n_h] velocity constraints G v + gI and Gh v + gh, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER if a callback failed */
RESIDA_API resida_status resida_problem_constraints(resida_problem *problem, double t, const double *p, const double *v,
                                                    double *g, double *gv);

/** Evaluate the invariants at p.
 *  @param[in]  p  [n_p]
 *  @param[out] k  [n_k], may be NULL without invariants
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER if a callback failed */
RESIDA_API resida_status resida_problem_invariants(resida_problem *problem, double t, const double *p, double *k);

#ifdef __cplusplus
}
#endif
#endif
