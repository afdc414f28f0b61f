/* resida/stats.h - statistics of a solver: exact counters since resida_solver_create(), by cause. */
#ifndef RESIDA_STATS_H
#define RESIDA_STATS_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of calls of callbacks of the model. */
typedef struct resida_callback_calls {
    /** Number of calls of the callback of this name, including discarded ones; of the last two, of directions.
     *  @{ */
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

/** Wall-clock times of callbacks of the model. */
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
    double total;                      /**< total of all parts */
    resida_callback_seconds callbacks; /**< callbacks of the model; the other parts exclude them */
    double start;                      /**< consistent starts */
    double steps;                      /**< integrator: prediction, error test, outputs, events */
    double iteration;                  /**< Newton iteration: vector operations and norms */
    double rows;                       /**< equations of the formulation */
    double differences;                /**< differences of F for J */
    double assembly;                   /**< assembly of J: known parts, patterns, groups */
    double factors;                    /**< factorisations of J */
    double solutions;                  /**< solutions of linear systems */
    double rest;                       /**< all other parts */
} resida_profile;

/** Component of y that limits the step size. */
typedef struct resida_limit {
    int component;         /**< index in y, see resida_problem_component_name() */
    long steps;            /**< accepted steps in which the component has the largest error */
    long tight_steps;      /**< accepted steps of `steps` with a tolerance below 1/1000 of its largest one */
    long error_test_fails; /**< error test failures in which the component has the largest error */
    long newton_fails;     /**< failed Newton iterations in which the component has the largest last correction */
} resida_limit;

enum { RESIDA_LIMITS = 5 }; /**< maximum number of reported components */

/** Name of member i >= 0 of resida_callback_calls, "residual" first; NULL after the last one. */
RESIDA_API const char *resida_callback_at(int i);

/** Statistics of a solver. */
typedef struct resida_stats {
    size_t size; /**< struct size, set by the caller before resida_solver_stats() */

    /* Steps. */
    long steps;              /**< accepted steps */
    long step_attempts;      /**< attempts at a step */
    long error_test_fails;   /**< error test failures */
    long error_test_repeats; /**< error test failures after another failure from the same point */
    struct {
        long set, freed, steps;
    } order_limits;         /**< limits of the order to 2 or 3 for stability: set, removed, steps under a limit */
    long newton_iterations; /**< Newton iterations of all attempts */
    long newton_fails;      /**< failed Newton iterations, after which J is updated or the step reduced */

    /* Restarts, dropped rows, events. */
    long restarts;            /**< starts except the first one */
    long coordinate_changes;  /**< changes of the reference point of "state-space" */
    long row_changes;         /**< changes between starts of the redundant rows that are dropped (resida/start.h) */
    long row_looks;           /**< checks of the dropped rows, without a residual call */
    const char *dropped_rows; /**< dropped rows and their times as text, valid until the next start or step; "": none */
    long jumps;               /**< restarts at order 1 with the same J, after a jump of the solution */
    long events;              /**< returns with RESIDA_EVENT */
    long events_in_doubt;     /**< root functions that changed too fast in a step; events may be missing */
    long root_calls;          /**< calls of the root functions */

    /* Calls and costs of callbacks. */
    struct {
        long newton, jacobian, pattern, start, total;
    } residual_calls;                     /**< calls of the formalism, by cause */
    resida_callback_calls callback_calls; /**< calls of all callbacks */
    resida_callback_costs callback_costs; /**< costs of callbacks in use: measured, given by the model, or estimated; 0:
                                               unused */

    /* With the option `profile`. */
    resida_profile profile;             /**< times of the parts of a run */
    int n_limits;                       /**< number of reported components */
    resida_limit limits[RESIDA_LIMITS]; /**< [n_limits] components that limit the step size, most limiting first; fixed
                                             steps: by the Newton iteration */

    /* Jacobian. */
    struct {
        long dense, coloured; /* by differences or products, by columns or groups */
        long user;            /* by the model */
        long partial;         /* of the first two: without columns that cannot have changed */
    } jacobian_evaluations;   /**< evaluations of dF/dy */
    struct {
        long alpha, excitation, blocks;
    } jacobian_updates;   /**< updates of J, also before repairs: all, with excitations, with blocks */
    long pattern_updates; /**< extensions of the pattern of J */
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
    } last_correction;    /**< largest last Newton correction of fixed steps: 2-norm, and maximum norms of parts of y */
    int order;            /**< order of the last step */
    double h;             /**< size of the last step [s] */
    int n;                /**< number of unknowns */
    long nnz;             /**< entries of J; n * n if dense */
    int groups;           /**< groups of columns of J differenced together; 0: none */
    int groups_bound;     /**< lower bound of the number of groups; 0: none */
    const char *jacobian; /**< strategy of the Jacobian in use */
    const char *jacobian_reason; /**< reason for the way in which dF/dy is evaluated, as text */

    /* Warnings, owned by the solver. */
    int n_warnings;              /**< number of detected model errors */
    const char *const *warnings; /**< [n_warnings] model errors, one line each, with the name of the callback */

    /* Members of later versions. */
    const char *linear_solver; /**< linear solver: "dense", "klu", "klu-diagonal"; "" before the first factorisation */
    double product_cost;       /**< cost of a product of resida_products, as in callback_costs; 0: none */
    int min_order;             /**< minimum order in use; 0: methods other than "bdf" */
    long repairs;              /**< low-rank corrections of dF/dy */
    long repair_calls;         /**< residual calls for these corrections, included in residual_calls.jacobian */
    int n_hints;               /**< number of hints by resida_solver_examine(): changes that save more than a fifth */
    const char *const *hints;  /**< [n_hints] hints, one line each, owned by the solver */
} resida_stats;

/** Write the main counters as text, a line each.
 *  @param[out] text  [size]; 1200 bytes suffice
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also if stats->size or size is too small */
RESIDA_API resida_status resida_stats_text(const resida_stats *stats, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
