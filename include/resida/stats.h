/* resida/stats.h - statistics of a solver: exact counters since resida_solver_create(), by cause. */
#ifndef RESIDA_STATS_H
#define RESIDA_STATS_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Calls of each callback, including discarded ones. Members have the names of the callbacks of resida_mechanism,
 *  resida_dae, resida_products and resida_problem_options. */
typedef struct resida_callback_calls {
    long residual;                       /**< Phi */
    long acceleration;                   /**< phi */
    long residual_lam;                   /**< Phi with lam */
    long acceleration_lam;               /**< phi with lam */
    long constraint;                     /**< g */
    long constraint_matrix;              /**< dg/dp */
    long constraint_force;               /**< (dg/dp)' lam */
    long constraint_velocity;            /**< (dg/dp) x */
    long velocity_bias;                  /**< gI */
    long acceleration_bias;              /**< d(G v + gI)/dt */
    long mass_matrix;                    /**< M */
    long potential;                      /**< V */
    long derivatives;                    /**< of Phi */
    long kinematic_matrix;               /**< T */
    long invariant;                      /**< k */
    long invariant_matrix;               /**< K */
    long nonholonomic_matrix;            /**< Gh */
    long nonholonomic_bias;              /**< gh */
    long nonholonomic_acceleration_bias; /**< d(Gh v + gh)/dt */
    long projection_matrix;              /**< D of the option "own" */
    long excitation;                     /**< u, ud, udd */
    long root;                           /**< root functions */
    long jacobian;                       /**< of a general DAE */
    long jacobian_times;                 /**< directions */
    long residual_times;                 /**< directions */
} resida_callback_calls;

/** Wall-clock time in each callback [s]. */
typedef struct resida_callback_seconds {
    double residual;                       /**< Phi */
    double acceleration;                   /**< phi */
    double residual_lam;                   /**< Phi */
    double acceleration_lam;               /**< phi */
    double constraint;                     /**< g */
    double constraint_matrix;              /**< dg/dp */
    double constraint_force;               /**< (dg/dp)' lam */
    double constraint_velocity;            /**< (dg/dp) x */
    double velocity_bias;                  /**< gI */
    double acceleration_bias;              /**< gII */
    double mass_matrix;                    /**< M */
    double potential;                      /**< V */
    double derivatives;                    /**< of Phi */
    double kinematic_matrix;               /**< T */
    double invariant;                      /**< k */
    double invariant_matrix;               /**< K */
    double nonholonomic_matrix;            /**< Gh */
    double nonholonomic_bias;              /**< gh */
    double nonholonomic_acceleration_bias; /**< (Gh v + gh)' */
    double projection_matrix;              /**< D */
    double excitation;                     /**< u */
    double root;                           /**< roots */
    double jacobian;                       /**< J */
    double jacobian_times;                 /**< J d */
    double residual_times;                 /**< of Phi */
} resida_callback_seconds;

/** Wall-clock time of start, advance and step [s] by parts, whose sum is the total; zeros without the option `profile`.
 *  With threads the mean of the threads. */
typedef struct resida_profile {
    double total;                      /**< sum */
    resida_callback_seconds callbacks; /**< the model; the other parts exclude it */
    double start;                      /**< consistent starts */
    double steps;                      /**< integrator: prediction, error test, outputs, events */
    double iteration;                  /**< Newton iteration: vectors and norms */
    double rows;                       /**< rows of F of the formulation */
    double differences;                /**< differences of F for J */
    double assembly;                   /**< J: known parts, patterns, groups */
    double factors;                    /**< factorisations */
    double solutions;                  /**< solutions of linear systems */
    double rest;                       /**< other */
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
    long error_test_repeats; /**< of these: the step before had failed from the same point; rare if y is smooth */
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
    } last_correction;           /**< fixed steps: largest last Newton correction of a step: 2-norm, and maximum norms
                                      of positions, velocities (differential components) and the rest */
    int order;                   /**< of the last step */
    double h;                    /**< size of the last step [s] */
    int n;                       /**< unknowns */
    long nnz;                    /**< entries of J; n * n if dense */
    int groups;                  /**< groups of columns; 0: none */
    int groups_bound;            /**< lower bound of groups; 0: none */
    const char *jacobian;        /**< strategy in use */
    const char *jacobian_reason; /**< reason for its use, as text */

    /* Warnings, owned by the solver. */
    int n_warnings;              /**< model errors detected at the first start, in steps, and by
                                      resida_solver_examine() */
    const char *const *warnings; /**< [n_warnings] one line each, with the name of the callback */

    /* Members of later versions. */
    const char *linear_solver; /**< "dense", "klu", "klu-diagonal"; "" before the first factorisation */
    double product_cost;       /**< cost of a product of resida_products, as in callback_costs; 0: none */
    int min_order;             /**< minimum order in use; 1 if this SUNDIALS selects orders differently, with a warning;
                                    0: other methods */
    long repairs;              /**< corrections of dF/dy along a few directions */
    long repair_calls;         /**< residual calls for them, included in residual_calls.jacobian */
    int n_hints;               /**< changes that save more than a fifth, by resida_solver_examine() */
    const char *const *hints;  /**< [n_hints] one line each, owned by the solver */
} resida_stats;

/** Write the main counters as text, a line each: steps, Newton iterations, residual calls, Jacobians, events, warnings.
 *  @param[out] text  [size]; 1200 bytes suffice
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also if stats->size or size is too small */
RESIDA_API resida_status resida_stats_text(const resida_stats *stats, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
