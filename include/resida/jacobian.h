/* resida/jacobian.h - the Jacobian engine: J = dF/dy + alpha dF/dyp, eq. (15), for any F(t, y, yp).
 *
 * It knows nothing of the integrator: whoever iterates asks for a setup, says why, and gets J. Strategies by name:
 *   "dense"   one-sided differences (16) column by column, increments (17); n residual calls, F itself is given
 *   "auto"    the engine chooses; "dense" today
 * Numbers: Arnold, Fuchs, Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics. */
#ifndef RESIDA_JACOBIAN_H
#define RESIDA_JACOBIAN_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct resida_jacobian resida_jacobian;

/** F(t, y, yp) = 0; y, yp, r [n]. Returns 0, > 0 recoverable, < 0 fatal. resida_problem_residual() is one. */
typedef int resida_function(double t, const double *y, const double *yp, double *r, void *user);

/** Why J is asked for. */
typedef enum resida_setup_reason {
    RESIDA_SETUP_FIRST = 0,   /**< there is none yet, or the integration was restarted */
    RESIDA_SETUP_ALPHA = 1,   /**< alpha moved too far from that of J */
    RESIDA_SETUP_FAILURE = 2, /**< the Newton iteration failed with the J at hand */
    RESIDA_SETUP_OTHER = 3    /**< age, slow convergence, or the model's own request */
} resida_setup_reason;

/** Where J is wanted. */
typedef struct resida_jacobian_point {
    double t, alpha;
    double h;              /**< step size, its sign is the direction of increments; 0: unknown */
    const double *y;       /**< [n] */
    const double *yp;      /**< [n] */
    const double *F;       /**< [n] F(t, y, yp), so that it need not be evaluated again */
    const double *weights; /**< [n] error weights 1/(rtol |y| + atol), a floor of the increments; NULL: none */
} resida_jacobian_point;

/** Counters since create, by cause. */
typedef struct resida_jacobian_counts {
    long residual_calls;    /**< calls of F by the engine */
    long evaluations_dense; /**< whole J by dense differences */
    long evaluations_coloured, updates_alpha, updates_excitation, updates_blocks, pattern_updates;
} resida_jacobian_counts;

/** Create an engine for F.
 *  @param[out] j         new handle, NULL on failure
 *  @param[in]  n         unknowns, > 0; the dense strategy needs n * n doubles
 *  @param[in]  F, user   the function; called only within resida_jacobian_setup()
 *  @param[in]  strategy  a name of the list above
 *  @param[in]  allocator NULL: malloc and free
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION (no such strategy; the message lists them), _MEMORY */
RESIDA_API resida_status resida_jacobian_create(resida_jacobian **j, int n, resida_function *F, void *user,
                                                const char *strategy, const resida_allocator *allocator,
                                                resida_message *why);

/** Free an engine; NULL is fine. */
RESIDA_API void resida_jacobian_free(resida_jacobian *j);

/** Bring J to a new point, as cheaply as the reason allows.
 *  @param[out] current  1: J is as good as this strategy can make it; 0: a cheap update, ask again with
 *                       RESIDA_SETUP_FAILURE if the iteration fails with it
 *  @return 0; > 0 F was not possible at a perturbed point; < 0 F failed for good (J is then not usable)
 *  Cost in residual calls: dense n. */
RESIDA_API int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at,
                                     int *current);

/** J [n x n], column by column, owned by the engine, overwritten by the next setup. NULL before the first. */
RESIDA_API const double *resida_jacobian_dense(const resida_jacobian *j);

/** The name of the strategy in use ("auto" resolved). "" for NULL. */
RESIDA_API const char *resida_jacobian_strategy(const resida_jacobian *j);

/** @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
