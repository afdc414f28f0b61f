/* resida/problem.h - a mechanism in one formulation, or a general DAE: always F(t, y, yp, u(t)) = 0.
 *
 * Formulations of a mechanism; a number alone is one of the first paper, AP one of the second, BEB one of the third:
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
 *             explicit formalism eq. (10). Position and velocity constraints both hold to the Newton tolerance.
 *   "index2"  velocity constraint alone, (7) without (7d) and eta; y = (p, v, lam). Positions drift slowly off g = 0,
 *             and at a singular position the drift decides which branch is taken: near such positions take "ggl". With
 *             gamma 0 = g' + gamma g, AP (3.11), (3.14).
 *   "index1"  the constraint differentiated twice, 0 = G a + gamma(p, v), AP (3.1); y = (p, v, lam). Drifts off g' = 0
 *             and, like t times that, off g = 0.
 *   "baumgarte"  0 = g'' + 2 gamma g' + gamma^2 g, AP (3.2), (3.10); y = (p, v, lam). What is off decays like
 *                exp(-gamma t).
 *   "index3"  position constraint alone; y = (p, v, lam). g = 0 holds, g' = 0 as well as the steps are small; v has no
 *             error test, nor have states where forces depend on lam.
 *   "augmented"  the same with the constraint force G' (lam + penalty g), BEB (7); the same solution.
 *   "projected1"  projected invariants, AP (4.14): accelerations as in "index1", 0 = g by eta along D; y = (p, v, lam,
 *                 eta).
 *   "projected2"  AP (3.25), (3.27) with k = 2: also 0 = G v + gI, by tau along D; y = (p, v, lam, eta, tau, a), a the
 *             accelerations.
 *   "state-space"  AP (3.17), (3.23), (3.24): "projected2" with a D that is kept, G' of a reference point: the steps
 *             are those of the ODE in coordinates R p with a constant R, R D = 0. When G has turned by 60 degrees from
 *             there, AP (3.15), there is a new reference point, after a step, without a restart; counted as
 *             coordinate_changes.
 *   "hiller-anantharaman"  "ggl" with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta), of index 1; all of y is in the
 *                          error test.
 *   "ode"     no constraint at all; y = (p, v).
 *   "auto"    "ode" without constraints, else "ggl".
 * With nonholonomic constraints lam is (lam, nu), n_g + n_h long, and so is tau; their equation is taken at the level
 * of the velocities, w = Gh v + gh, or of the accelerations, w' + gamma w = 0, where position constraints are
 * differentiated twice. A redundant row that was dropped is: its multipliers are 0 (start.h). "index1", "baumgarte",
 * "projected1", "projected2" and "state-space" call acceleration_bias in each residual, or take its differences.
 *
 * Invariants k(p) = 0 of positions are held in every form by a multiplier of their own, the last of y:
 *     p' = T v - .. - K' eta_k,   0 = k(p),
 * which is zero but for the tolerance; and p is put onto them, along K', after each step and at each output. They hold
 * to rounding.
 *
 * D, the directions along which eta and tau act: p' = T v - D1 eta, v' = a - D2 tau:
 *   "G"    D1 = (dg/dp)', D2 = (G', Gh'); (7a)
 *   "B"    D1 = T M^-1 G', D2 = M^-1 (G', Gh'); needs a mass matrix, which is called and factored in each residual (as
 *          a full one)
 *   "own"  D1 = T D, D2 = (D, Gh') with D [n_v x n_g] of a callback; G D must be regular
 * What is off is projected along the same D with the option step_projection, after each step: AP (4.16)-(4.20), the
 * nearest point in the norm of W = I for "G", of W = M for "B". */
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

/** Which formalism of a mechanism that has both is used. */
typedef enum resida_formalism {
    RESIDA_FORMALISM_AUTO = 0,     /**< the residual one if it is there */
    RESIDA_FORMALISM_RESIDUAL = 1, /**< Phi(p,v,a,u) or Phi(p,v,a,lam,u), eqs. (3), (9) */
    RESIDA_FORMALISM_EXPLICIT = 2  /**< phi(p,v,f,u) or phi(p,v,f,lam,u), eqs. (2), (10) */
} resida_formalism;

/** What is set and has no effect with the form is refused (resida/option.h):
 *    formalism: only mechanisms
 *    gamma: only forms index2, baumgarte
 *    penalty: only form augmented
 *    projection: only forms with constraints but state-space, where eta or tau act or steps are projected
 *    projection_matrix: only forms with constraints but state-space, with projection own
 *    step_projection: only forms with constraints
 *    contacts: only mechanisms */
typedef struct resida_problem_options {
    size_t size;                           /**< set by resida_problem_options_init() */
    const char *form;                      /**< a name of the list above, default "auto" */
    resida_formalism formalism;            /**< default RESIDA_FORMALISM_AUTO */
    const resida_allocator *allocator;     /**< NULL (default): malloc and free; copied */
    double gamma;                          /**< [1/s] >= 0; 0 (default): 1 for "baumgarte", none for "index2" */
    double penalty;                        /**< [force by unit of g] >= 0, default 0 */
    const char *projection;                /**< D: "G" (default), "B", "own" */
    resida_position_fn *projection_matrix; /**< D [n_v x n_g], row by row; given exactly for "own" */
    int step_projection; /**< 1: p and v are projected after each step; 0 (default): not. Cost: no residual call */
    const resida_products *products;       /**< of derivatives with directions, copied; NULL (default): none */
    const resida_model_contacts *contacts; /**< of the model, copied but for names and coefficients, which outlive the
                                                problem; without `holds` they do nothing here. NULL (default): none */
} resida_problem_options;

/** Set every option to its default, and `size` to its value. */
RESIDA_API void resida_problem_options_init(resida_problem_options *o);

/** Name i, from 0 on, of the formulations that a mechanism can be brought into; NULL behind the last one, "auto" and
 *  "dae" are none of them. */
RESIDA_API const char *resida_form_at(int i);

/** Where the parts of y are. An offset is -1 when the part is not in y (or the problem is a general DAE). The
 *  accelerations are yp + v; where a is in y they satisfy the constraints, and yp + v but for the tolerance. */
typedef struct resida_layout {
    int n;     /**< unknowns */
    int p;     /**< offset of the positions [n_p] in y */
    int v;     /**< of the velocities [n_v] */
    int lam;   /**< of the multipliers [n_g + n_h] */
    int eta;   /**< of those that hold g [n_g] */
    int tau;   /**< of those that hold g' [n_g + n_h] */
    int a;     /**< of the accelerations [n_v] */
    int eta_k; /**< of those that hold the invariants [n_k] */
    int n_p;   /**< positions of the mechanism */
    int n_v;   /**< velocities, states among them */
    int n_z;   /**< states, the last of the velocities, and z' of the accelerations */
    int n_g;   /**< position constraints */
    int n_h;   /**< nonholonomic constraints */
    int n_u;   /**< excitations */
    int n_k;   /**< invariants */
    int rates; /**< 1: y has Lam, Eta at these offsets; lam = yp + lam, eta = yp + eta, eta_k = yp + eta_k */
} resida_layout;

/** Check a mechanism and bring it into a formulation.
 *  @param[out] problem  new handle, NULL on failure; free with resida_problem_free()
 *  @param[in]  m        copied with its patterns and names; callbacks and user must outlive the problem
 *  @param[in]  o        NULL: defaults
 *  @param[out] why      the reason of a failure in words, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION, _MODEL (what contradicts what is named), _MEMORY
 *  Cost: no residual call. A problem has work space: it serves one solver (one thread) at a time. Rows that a
 *  start drops, contacts that hold and the reference point of "state-space" belong to the problem. When one of them is
 *  in use and another solver, or resida_problem_start(), has started the problem, resida_solver_advance() of the first
 *  solver returns RESIDA_ERR_STATE until that solver is started again. */
RESIDA_API resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                               const resida_problem_options *o, resida_message *why);

/** The same for a general DAE; of the options `form` must be "auto", and those of formulations are refused. */
RESIDA_API resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d,
                                                   const resida_problem_options *o, resida_message *why);

/** Free a problem; NULL is fine. Solvers on it must be freed before, so that it is not done within a callback. */
RESIDA_API void resida_problem_free(resida_problem *problem);

/** Sizes and offsets. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_problem_layout(const resida_problem *problem, resida_layout *layout);

/** Kinds of the components of y [n], owned by the problem; NULL for a NULL problem. */
RESIDA_API const resida_kind *resida_problem_kinds(const resida_problem *problem);

/** Name of the formulation, as in the list above, or "dae"; "" for NULL. */
RESIDA_API const char *resida_problem_form(const resida_problem *problem);

/** Which formalism is used: "residual", "explicit", or "dae"; "" for NULL. */
RESIDA_API const char *resida_problem_formalism(const resida_problem *problem);

/** Name of component i of y, such as "p[3]", "lam[0]" or what the model calls it ("beta", "beta'").
 *  @param[out] text  [size] always closed by 0, cut if too long
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_problem_component_name(const resida_problem *problem, int i, char *text, size_t size);

/** F(t, y, yp, u(t)), one formalism call.
 *  @param[in]  y, yp  [n]
 *  @param[out] r      [n]
 *  @param[in]  problem  the resida_problem (last, so that the function fits resida_function)
 *  @return the verdict of the callbacks: 0, > 0 recoverable, < 0 fatal */
RESIDA_API int resida_problem_residual(double t, const double *y, const double *yp, double *r, void *problem);

/** How far (p, v) is off the constraints; 0 for those of contacts that the last start left open.
 *  @param[in]  p, v  [n_p], [n_v]
 *  @param[out] g     [n_g] position constraints, or NULL
 *  @param[out] gv    [n_g + n_h] velocity constraints G v + gI and Gh v + gh, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER if a callback failed */
RESIDA_API resida_status resida_problem_constraints(resida_problem *problem, double t, const double *p, const double *v,
                                                    double *g, double *gv);

/** How far p is off the invariants.
 *  @param[in]  p  [n_p]
 *  @param[out] k  [n_k], may be NULL without invariants
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER if a callback failed */
RESIDA_API resida_status resida_problem_invariants(resida_problem *problem, double t, const double *p, double *k);

#ifdef __cplusplus
}
#endif
#endif
