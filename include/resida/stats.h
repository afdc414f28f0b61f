/* resida/stats.h - statistics of a solver: exact counters since resida_solver_create(), by cause. */
#ifndef RESIDA_STATS_H
#define RESIDA_STATS_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Calls of the callbacks of resida_mechanism, resida_dae, resida_products and resida_problem_options. */
typedef struct resida_callback_calls {
    /** Number of calls of the callback of this name, including discarded ones; of the last two, of directions. @{ */
    long residual;
    long acceleration;
    long residual_lam;
    long acceleration_lam;
    long constraint;
    long constraint_matrix;
    long constraint_force;
    long constraint_velocity;
    long velocity_bias;
    long acceleration_bias;
    long mass_matrix;
    long potential;
    long derivatives;
    long kinematic_matrix;
    long invariant;
    long invariant_matrix;
    long nonholonomic_matrix;
    long nonholonomic_bias;
    long nonholonomic_acceleration_bias;
    long projection_matrix;
    long excitation;
    long root;
    long jacobian;
    long jacobian_times;
    long residual_times;
    /** @} */
} resida_callback_calls;

/** Wall-clock times of these callbacks. */
typedef struct resida_callback_seconds {
    /** Time in the callback of this name [s]. @{ */
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
    double jacobian_times;
    double residual_times;
    /** @} */
} resida_callback_seconds;

/** Wall-clock time of start, advance and step [s] by parts; zeros without the option `profile`. With threads the mean
 *  of the threads. */
typedef struct resida_profile {
    double total;                      /**< sum of the parts */
    resida_callback_seconds callbacks; /**< the model; the other parts exclude it */
    double start;                      /**< consistent starts */
    double steps;                      /**< integrator: prediction, error test, outputs, events */
    double iteration;                  /**< Newton iteration: vectors and norms */
    double rows;                       /**< rows of F of the formulation */
    double differences;                /**< differences of F for J */
    double assembly;                   /**< J: known parts, patterns, groups */
    double factors;                    /**< factorisations */
    double solutions;                  /**< solutions of linear systems */
    double rest;                       /**< all other parts */
} resida_profile;

/** A component of y that limits the step size. */
typedef struct resida_limit {
    int component;         /**< of y, see resida_problem_component_name() */
    long steps;            /**< accepted steps in which it has the largest error */
    long tight_steps;      /**< of these: its tolerance was below 1/1000 of its largest one (near zero) */
    long error_test_fails; /**< error test failures in which it has the largest error */
    long newton_fails;     /**< failed Newton iterations in which it has the largest last correction */
} resida_limit;

enum { RESIDA_LIMITS = 5 }; /**< maximum number of reported components */

/** Name of member i of resida_callback_calls, i >= 0, "residual" first; NULL after the last one. */
RESIDA_API const char *resida_callback_at(int i);

/** Statistics. */
typedef struct resida_stats {
    size_t size; /**< sizeof(resida_stats), set by the caller before resida_solver_stats() */

    /* Steps. */
    long steps;              /**< accepted steps */
    long step_attempts;      /**< attempts at a step */
    long error_test_fails;   /**< error test failures */
    long error_test_repeats; /**< of these: the step before had failed from the same point */
    struct {
        long set, freed, steps;
    } order_limits;         /**< limits of the order to 2 or 3 for stability: set, removed, steps under a limit */
    long newton_iterations; /**< corrections of all attempts */
    long newton_fails;      /**< failed Newton iterations: J is updated, or the step reduced */

    /* Restarts, dropped rows, events. */
    long restarts;            /**< starts except the first one */
    long coordinate_changes;  /**< changes of the reference point of "state-space" */
    long row_changes;         /**< changes of the dropped redundant rows between starts (resida/start.h) */
    long row_looks;           /**< checks of their choice, without a residual call */
    const char *dropped_rows; /**< the dropped rows and their times as text, "": none; until the next start or step */
    long jumps;               /**< restarts at order 1 with the same J, after a jump of the solution */
    long events;              /**< returns with RESIDA_EVENT */
    long events_in_doubt;     /**< root functions that changed too fast in a step: events may be missing */
    long root_calls;          /**< calls of the root functions */

    /* Calls and costs of callbacks. */
    struct {
        long newton, jacobian, pattern, start, total;
    } residual_calls;                     /**< calls of the formalism, by cause */
    resida_callback_calls callback_calls; /**< calls of all callbacks */
    resida_callback_costs callback_costs; /**< costs in use: measured, given by the model, or estimated; 0: unused */

    /* With the option `profile`. */
    resida_profile profile;             /**< times, with the option `profile` */
    int n_limits;                       /**< reported components, with the option `profile` */
    resida_limit limits[RESIDA_LIMITS]; /**< [n_limits] most limiting first; fixed steps: Newton iterations only */

    /* Jacobian. */
    struct {
        long dense, coloured; /* by differences or products, by columns or groups */
        long user;            /* by the model */
        long partial;         /* of the first two: without columns that cannot have changed */
    } jacobian_evaluations;   /**< evaluations of dF/dy */
    struct {
        long alpha, excitation, blocks;
    } jacobian_updates;   /**< updates of J, also before repairs: all, with excitations, with blocks */
    long pattern_updates; /**< extensions of the pattern */
    long kinks;           /**< entries of J corrected because their difference crossed a jump of F */
    struct {
        long first, alpha, failure, other, attempt;
    } setups;            /**< setups of J by resida_setup_reason; `other` includes RESIDA_SETUP_AGE */
    long factorisations; /**< factorisations of J */
    long solves;         /**< linear systems solved */

    /* Failures of callbacks. */
    long nonfinite;   /**< evaluations with NaN or Inf that were repeated */
    long recoverable; /**< evaluations in which a callback returned > 0 */

    /* Last step and sizes. */
    struct {
        double norm, p, v, lam;
    } last_correction;    /**< fixed steps: largest last Newton correction: 2-norm, and maximum norms of parts of y */
    int order;            /**< of the last step */
    double h;             /**< size of the last step [s] */
    int n;                /**< unknowns */
    long nnz;             /**< entries of J; n * n if dense */
    int groups;           /**< groups of columns; 0: none */
    int groups_bound;     /**< lower bound of groups; 0: none */
    const char *jacobian; /**< strategy in use */
    const char *jacobian_reason; /**< reason for its use, as text */

    /* Warnings, owned by the solver. */
    int n_warnings;              /**< detected model errors */
    const char *const *warnings; /**< [n_warnings] one line each, with the name of the callback */

    /* Members of later versions. */
    const char *linear_solver; /**< "dense", "klu", "klu-diagonal"; "" before the first factorisation */
    double product_cost;       /**< cost of a product of resida_products, as in callback_costs; 0: none */
    int min_order;             /**< minimum order in use; 0: other methods */
    long repairs;              /**< corrections of dF/dy along a few directions */
    long repair_calls;         /**< residual calls for them, included in residual_calls.jacobian */
    int n_hints;               /**< changes that save more than a fifth, by resida_solver_examine() */
    const char *const *hints;  /**< [n_hints] one line each, owned by the solver */
} resida_stats;

/** Write the main counters as text, a line each.
 *  @param[out] text  [size]; 1200 bytes suffice
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also if stats->size or size is too small */
RESIDA_API resida_status resida_stats_text(const resida_stats *stats, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
