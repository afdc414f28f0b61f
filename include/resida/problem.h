/* resida/problem.h - F(t, y, yp, u(t)) = 0 of a mechanism in a formulation, or of a general DAE.
 *
 * Formulations, with y = (p, v, lam) unless stated (doc/choosing.md; doc/mathematics.md, section 2):
 *
 *   "ggl"          g = 0 and g' = 0, stabilised index 2; y = (p, v, lam, eta)
 *   "index2"       g' = 0, or g' + gamma g = 0; positions drift
 *   "index1"       g'' = 0; g' and g drift
 *   "baumgarte"    g'' + 2 gamma g' + gamma^2 g = 0
 *   "index3"       g = 0; v is not in the error test, nor are states if forces depend on lam
 *   "augmented"    "index3" with the force G' (lam + penalty g)
 *   "projected1"   "index1" with g = 0 by eta; y = (p, v, lam, eta)
 *   "projected2"   also g' = 0 by tau; y = (p, v, lam, eta, tau, a)
 *   "state-space"  "projected2" with directions of a reference point: steps of the ODE in minimal coordinates
 *   "hiller-anantharaman"  "ggl" with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta), index 1, all in the error test
 *   "ode"          no constraints; y = (p, v)
 *   "auto"         "ode" without constraints, else "ggl"
 *
 * Nonholonomic constraints are w = Gh v + gh = 0. In formulations with g'' they are w' + gamma w = 0. Invariants add
 * multipliers eta_k at the end of y. After each step and at outputs p is projected onto the invariants. The multipliers
 * eta and tau act along directions D1, D2: p' = T v - D1 eta, v' = a - D2 tau. */
#ifndef RESIDA_PROBLEM_H
#define RESIDA_PROBLEM_H

#include <resida/contact.h>
#include <resida/dae.h>
#include <resida/mechanism.h>
#include <resida/products.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Equations F(t, y, yp, u) = 0 of a mechanism in one formulation, or of a general DAE. */
typedef struct resida_problem resida_problem;

/** Formalism to use if a mechanism has both. */
typedef enum resida_formalism {
    RESIDA_FORMALISM_AUTO = 0,     /**< residual if given, else explicit */
    RESIDA_FORMALISM_RESIDUAL = 1, /**< residual formalism Phi */
    RESIDA_FORMALISM_EXPLICIT = 2  /**< explicit formalism phi */
} resida_formalism;

/** Options of a problem. An option without effect is refused; doc/options.md lists the conditions. */
typedef struct resida_problem_options {
    size_t size;                           /**< set by resida_problem_options_init() */
    const char *form;                      /**< formulation, default "auto" */
    resida_formalism formalism;            /**< formalism to use, if a mechanism has both */
    const resida_allocator *allocator;     /**< allocator, copied; NULL: malloc and free */
    double gamma;                          /**< damping of constraint violations in "index2" and "baumgarte" [1/s], >=
                                                0; 0: 1 for "baumgarte" */
    double penalty;                        /**< penalty of "augmented" [force per unit of g], >= 0; 0: as "index3" */
    const char *projection;                /**< direction of eta and tau: "G" (default): columns of (dg/dp)'; "B": of
                                                M^-1 G', needs mass_matrix; "own": of projection_matrix */
    resida_position_fn *projection_matrix; /**< directions D [n_v x n_g] with regular G D, if and only if projection is
                                                "own" */
    int step_projection;                   /**< 1: project p and v onto the constraints after each step, without a
                                                residual call */
    const resida_products *products;       /**< directional derivatives of the model, copied */
    const resida_model_contacts *contacts; /**< contacts; ignored without `holds`. Copied, except names and
                                                coefficients, which must outlive the problem */
    resida_root_lam_fn *root_lam; /**< [n_root] root functions of a mechanism of the interpolated lam [n_g + n_h], in
                                       place of `root`. Gaps of contacts must not depend on lam. Forms index3 and
                                       augmented need `step` */
} resida_problem_options;

/** Set defaults. */
RESIDA_API void resida_problem_options_init(resida_problem_options *o);

/** Name of formulation i >= 0, without "auto" and "dae"; NULL after the last one. */
RESIDA_API const char *resida_form_at(int i);

/** Sizes of a problem, and offsets of parts of y. Offset -1: not in y, or a general DAE. */
typedef struct resida_layout {
    int n;     /**< number of unknowns */
    int p;     /**< offset of positions [n_p] */
    int v;     /**< offset of velocities and states [n_v]; accelerations are yp at this offset */
    int lam;   /**< offset of multipliers of the constraints [n_g + n_h] */
    int eta;   /**< offset of multipliers that keep g = 0 [n_g] */
    int tau;   /**< offset of multipliers that keep g' = 0 [n_g + n_h] */
    int a;     /**< offset of accelerations [n_v] */
    int eta_k; /**< offset of multipliers of the invariants [n_k] */
    /** Size of the mechanism, as the member of this name of resida_mechanism. @{ */
    int n_p;
    int n_v;
    int n_z;
    int n_g;
    int n_h;
    int n_u;
    int n_k;
    /** @} */
    int rates; /**< 1: y has the integrals of lam, eta and eta_k over time, and yp has the multipliers */
} resida_layout;

/** Create a problem from a mechanism, without a residual call. One thread at a time uses a problem. A start stores
 *  decisions in it, such as dropped rows. Therefore a solver must be started again (RESIDA_ERR_STATE) if another one,
 *  or resida_problem_start(), has started the problem.
 *  @param[in] m  copied with patterns and names; callbacks and `user` must outlive the problem
 *  @return RESIDA_OK; RESIDA_ERR_OPTION, _MODEL */
RESIDA_API resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                               const resida_problem_options *o, resida_message *why);

/** Create a problem from a general DAE. `form` must be "auto"; options of formulations are refused.
 *  @return as resida_problem_create() */
RESIDA_API resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d,
                                                   const resida_problem_options *o, resida_message *why);

/** Free a problem, after its solvers. */
RESIDA_API void resida_problem_free(resida_problem *problem);

/** Get sizes and offsets. */
RESIDA_API resida_status resida_problem_layout(const resida_problem *problem, resida_layout *layout);

/** Kinds of the components of y [n], owned by the problem; NULL for NULL. */
RESIDA_API const resida_kind *resida_problem_kinds(const resida_problem *problem);

/** Name of the formulation, or "dae". */
RESIDA_API const char *resida_problem_form(const resida_problem *problem);

/** Formalism in use: "residual", "explicit", or "dae". */
RESIDA_API const char *resida_problem_formalism(const resida_problem *problem);

/** Write the name of component i of y: "p[3]", "lam[0]" or that of the model ("beta", "beta'").
 *  @param[out] text  [size] terminated by 0, truncated if too long */
RESIDA_API resida_status resida_problem_component_name(const resida_problem *problem, int i, char *text, size_t size);

/** Evaluate F(t, y, yp, u(t)) by one residual call: a resida_function (resida/jacobian.h).
 *  @param[in]  y, yp    [n]
 *  @param[out] r        [n]
 *  @param[in]  problem  a resida_problem
 *  @return as a callback */
RESIDA_API int resida_problem_residual(double t, const double *y, const double *yp, double *r, void *problem);

/** Evaluate constraints at (p, v); 0 for contacts that the last start left open.
 *  @param[in]  p, v  [n_p], [n_v]
 *  @param[out] g     [n_g]; may be NULL
 *  @param[out] gv    [n_g + n_h] G v + gI and Gh v + gh; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_USER */
RESIDA_API resida_status resida_problem_constraints(resida_problem *problem, double t, const double *p, const double *v,
                                                    double *g, double *gv);

/** Evaluate the invariants at p.
 *  @param[in]  p  [n_p]
 *  @param[out] k  [n_k], may be NULL without invariants
 *  @return RESIDA_OK; RESIDA_ERR_USER */
RESIDA_API resida_status resida_problem_invariants(resida_problem *problem, double t, const double *p, double *k);

#ifdef __cplusplus
}
#endif
#endif
