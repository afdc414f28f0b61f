/* resida/problem.h - a mechanism in one formulation, or a general DAE: always F(t, y, yp, u(t)) = 0.
 *
 * Formulations of a mechanism (numbers: Arnold, Fuchs, Fuehrer):
 *   "ggl"     stabilised index 2 (Gear, Gupta, Leimkuhler), eq. (7); y = (p, v, lam, eta); residual formalism eq. (9),
 *             explicit formalism eq. (10). Position and velocity constraints both hold to the Newton tolerance.
 *   "index2"  velocity constraint alone, (7) without (7d) and eta; y = (p, v, lam). Positions drift slowly off g = 0, and at
 *             a singular position the drift decides which branch is taken: near such positions take "ggl".
 *   "ode"     no constraint at all; y = (p, v).
 *   "auto"    "ode" without constraints, else "ggl".
 * With nonholonomic constraints lam is (lam, nu), n_g + n_h long. */
#ifndef RESIDA_PROBLEM_H
#define RESIDA_PROBLEM_H

#include <resida/dae.h>
#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct resida_problem resida_problem;

/** Which formalism of a mechanism that has both is used. */
typedef enum resida_formalism {
    RESIDA_FORMALISM_AUTO = 0,     /**< the residual one if it is there */
    RESIDA_FORMALISM_RESIDUAL = 1, /**< Phi(p,v,a,u) or Phi(p,v,a,lam,u), eqs. (3), (9) */
    RESIDA_FORMALISM_EXPLICIT = 2  /**< phi(p,v,f,u) or phi(p,v,f,lam,u), eqs. (2), (10) */
} resida_formalism;

typedef struct resida_problem_options {
    size_t size;                       /**< set by resida_problem_options_init() */
    const char *form;                  /**< "auto" (default), "ggl", "index2", "ode" */
    resida_formalism formalism;        /**< default RESIDA_FORMALISM_AUTO */
    const resida_allocator *allocator; /**< NULL (default): malloc and free; copied */
} resida_problem_options;

RESIDA_API void resida_problem_options_init(resida_problem_options *o);

/** Where the parts of y are. An offset is -1 when the part is not in y (or the problem is a general DAE). The
 *  accelerations are yp + v. */
typedef struct resida_layout {
    int n;                       /**< unknowns */
    int p, v, lam, eta;          /**< offsets in y */
    int n_p, n_v, n_g, n_h, n_u; /**< sizes of the mechanism; lam has n_g + n_h components, eta n_g */
} resida_layout;

/** Check a mechanism and bring it into a formulation.
 *  @param[out] problem  new handle, NULL on failure; free with resida_problem_free()
 *  @param[in]  m        copied with its patterns and names; callbacks and user must outlive the problem
 *  @param[in]  o        NULL: defaults
 *  @param[out] why      the reason of a failure in words, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION, _MODEL (what contradicts what is named), _MEMORY
 *  Cost: no residual call. A problem has work space: it serves one solver (one thread) at a time. */
RESIDA_API resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                               const resida_problem_options *o, resida_message *why);

/** The same for a general DAE; of the options `form` must be "auto" and `formalism` is not looked at. */
RESIDA_API resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d,
                                                   const resida_problem_options *o, resida_message *why);

/** Free a problem; NULL is fine. Solvers on it must be freed before. */
RESIDA_API void resida_problem_free(resida_problem *problem);

/** Sizes and offsets. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_problem_layout(const resida_problem *problem, resida_layout *layout);

/** Kinds of the components of y [n], owned by the problem; NULL for a NULL problem. */
RESIDA_API const resida_kind *resida_problem_kinds(const resida_problem *problem);

/** Name of the formulation: "ggl", "index2", "ode", "dae"; "" for NULL. */
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

/** How far (p, v) is off the constraints.
 *  @param[in]  p, v  [n_p], [n_v]
 *  @param[out] g     [n_g] position constraints, or NULL
 *  @param[out] gv    [n_g + n_h] velocity constraints G v + gI and Gh v + gh, or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER if a callback failed */
RESIDA_API resida_status resida_problem_constraints(resida_problem *problem, double t, const double *p, const double *v,
                                                    double *g, double *gv);

#ifdef __cplusplus
}
#endif
#endif
