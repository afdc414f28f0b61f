/* resida/problem.h - F(t, y, yp, u(t)) = 0 of a mechanism in a formulation, or of a general DAE.
 *
 * Formulations; lam includes the multipliers of nonholonomic constraints. Numbers are those of Arnold, Fuchs, Fuehrer
 * 2004, AP of Ascher, Petzold 1991, BEB of Bauchau, Epple, Bottasso 2008 (references in doc/mathematics.md):
 *
 *   "ggl"        stabilised index 2 (Gear, Leimkuhler, Gupta), (7), (9), (10); y = (p, v, lam, eta). Position and
 *                velocity constraints are satisfied to the Newton tolerance.
 *   "index2"     velocity constraint, (7) without (7d) and eta; y = (p, v, lam). Positions drift; near singular
 *                positions use "ggl". With gamma: 0 = g' + gamma g, AP (3.11), (3.14).
 *   "index1"     0 = g'', AP (3.1); y = (p, v, lam). g' drifts, and g like t g'.
 *   "baumgarte"  0 = g'' + 2 gamma g' + gamma^2 g, AP (3.2), (3.10); y = (p, v, lam). Violations decay like
 *                exp(-gamma t).
 *   "index3"     position constraint; y = (p, v, lam). g = 0 is satisfied, g' = 0 to the order of the step size. Not in
 *                the error test: v, and states if forces depend on lam.
 *   "augmented"  "index3" with the force G' (lam + penalty g), BEB (7); the same solution
 *   "projected1" "index1" with 0 = g by eta along D, AP (4.14); y = (p, v, lam, eta)
 *   "projected2" also 0 = g' by tau along D, AP (3.25), (3.27); y = (p, v, lam, eta, tau, a)
 *   "state-space"  "projected2" with constant D = G' of a reference point: steps of the ODE in coordinates R p, R D =
 *                0, AP (3.17), (3.23), (3.24). The point changes, without a restart, if G has turned by 60 degrees,
 *                (3.15).
 *   "hiller-anantharaman"  "ggl" with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta), index 1, all in the error test
 *   "ode"        no constraints; y = (p, v)
 *   "auto"       "ode" without constraints, else "ggl"
 *
 * The equation of nonholonomic constraints is w = Gh v + gh = 0, or w' + gamma w = 0 in formulations with g''. These
 * call acceleration_bias, or difference it, in each residual. Invariants k(p) = 0 add multipliers eta_k at the end of
 * y: p' = T v - .. - K' eta_k; p is projected along K' after each step and at outputs.
 *
 * D is the direction of eta and tau, p' = T v - D1 eta, v' = a - D2 tau, and of step_projection, AP (4.16)-(4.20):
 *   "G"    D1 = (dg/dp)', D2 = (G', Gh'), (7a)
 *   "B"    D1 = T M^-1 G', D2 = M^-1 (G', Gh'); needs mass_matrix, factored (dense) in each residual
 *   "own"  D1 = T D, D2 = (D, Gh'), D [n_v x n_g] of a callback; G D must be regular */
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
    RESIDA_FORMALISM_RESIDUAL = 1, /**< Phi, (3), (9) */
    RESIDA_FORMALISM_EXPLICIT = 2  /**< phi, (2), (10) */
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

/** Sizes, and offsets of the parts of y; -1: not in y, or a general DAE. Accelerations are yp + v. */
typedef struct resida_layout {
    int n;     /**< unknowns */
    int p;     /**< offset of the positions [n_p] in y */
    int v;     /**< of the velocities [n_v] */
    int lam;   /**< of the multipliers [n_g + n_h] */
    int eta;   /**< of the multipliers of g [n_g] */
    int tau;   /**< of the multipliers of g' [n_g + n_h] */
    int a;     /**< of the accelerations [n_v] */
    int eta_k; /**< of the multipliers of the invariants [n_k] */
    int n_p;   /**< positions */
    int n_v;   /**< velocities, with states */
    int n_z;   /**< states, the last of v */
    int n_g;   /**< position constraints */
    int n_h;   /**< nonholonomic constraints */
    int n_u;   /**< excitations */
    int n_k;   /**< invariants */
    int rates; /**< 1: lam, eta, eta_k are yp at these offsets: y has Lam, Eta */
} resida_layout;

/** Create a problem from a mechanism. A problem has work space and serves one thread at a time. It also has dropped
 *  rows, contacts that hold and the reference point of "state-space": after another solver, or resida_problem_start(),
 *  has started it, a solver has to be started again (RESIDA_ERR_STATE).
 *  @param[out] problem  new handle, NULL on failure; free with resida_problem_free()
 *  @param[in]  m        copied with patterns and names; callbacks and user must outlive the problem
 *  @param[in]  o        NULL: defaults
 *  @param[out] why      reason of a failure; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION, _MODEL, _MEMORY
 *  Cost: no residual call. */
RESIDA_API resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                               const resida_problem_options *o, resida_message *why);

/** Create a problem from a general DAE; `form` must be "auto", and options of formulations are refused. */
RESIDA_API resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d,
                                                   const resida_problem_options *o, resida_message *why);

/** Free a problem or NULL. Free its solvers first. Not within a callback. */
RESIDA_API void resida_problem_free(resida_problem *problem);

/** Get sizes and offsets. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
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

/** Evaluate F(t, y, yp, u(t)): a resida_function. Cost: one call of the formalism.
 *  @param[in]  y, yp    [n]
 *  @param[out] r        [n]
 *  @param[in]  problem  a resida_problem
 *  @return as callbacks: 0, > 0 recoverable, < 0 fatal */
RESIDA_API int resida_problem_residual(double t, const double *y, const double *yp, double *r, void *problem);

/** Evaluate constraints at (p, v); 0 for contacts that the last start left open.
 *  @param[in]  p, v  [n_p], [n_v]
 *  @param[out] g     [n_g]; may be NULL
 *  @param[out] gv    [n_g + n_h] G v + gI and Gh v + gh; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER */
RESIDA_API resida_status resida_problem_constraints(resida_problem *problem, double t, const double *p, const double *v,
                                                    double *g, double *gv);

/** Evaluate the invariants at p.
 *  @param[in]  p  [n_p]
 *  @param[out] k  [n_k], may be NULL without invariants
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER */
RESIDA_API resida_status resida_problem_invariants(resida_problem *problem, double t, const double *p, double *k);

#ifdef __cplusplus
}
#endif
#endif
