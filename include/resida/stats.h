/* resida/stats.h - what a solver did, by cause. All counters are exact and run since resida_solver_create(). */
#ifndef RESIDA_STATS_H
#define RESIDA_STATS_H

#include <resida/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Calls of each callback of the model, by its name in resida_mechanism, resida_dae, resida_products or
 *  resida_problem_options: by the solver and by all of its threads, those made in vain too. What else evaluates the
 *  problem is not among them. */
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
    long projection_matrix;              /**< the option's own B */
    long excitation;                     /**< u, ud, udd */
    long root;                           /**< root functions */
    long jacobian;                       /**< of a general DAE */
    long jacobian_times;                 /**< its products; a call with k directions counts k times */
    long residual_times;                 /**< those of Phi, likewise */
} resida_callback_calls;

/** Wall-clock time in each callback [s]; members as in resida_callback_calls. */
typedef struct resida_callback_seconds {
    double residual;                       /**< Phi */
    double acceleration;                   /**< phi */
    double residual_lam;                   /**< Phi with lam */
    double acceleration_lam;               /**< phi with lam */
    double constraint;                     /**< g */
    double constraint_matrix;              /**< dg/dp */
    double constraint_force;               /**< (dg/dp)' lam */
    double constraint_velocity;            /**< (dg/dp) x */
    double velocity_bias;                  /**< gI */
    double acceleration_bias;              /**< d(G v + gI)/dt */
    double mass_matrix;                    /**< M */
    double potential;                      /**< V */
    double derivatives;                    /**< of Phi */
    double kinematic_matrix;               /**< T */
    double invariant;                      /**< k */
    double invariant_matrix;               /**< K */
    double nonholonomic_matrix;            /**< Gh */
    double nonholonomic_bias;              /**< gh */
    double nonholonomic_acceleration_bias; /**< d(Gh v + gh)/dt */
    double projection_matrix;              /**< the option's own B */
    double excitation;                     /**< u, ud, udd */
    double root;                           /**< root functions */
    double jacobian;                       /**< of a general DAE */
    double jacobian_times;                 /**< its products */
    double residual_times;                 /**< those of Phi */
} resida_callback_seconds;

/** Where the wall-clock time within calls of start, advance and step went [s], with the option `profile`; else zeros.
 *  All parts add up to the total. Two looks at the clock for each callback are in it. Of callbacks that several threads
 *  call at once it is the mean of the threads. */
typedef struct resida_profile {
    double total;                      /**< of all of them */
    resida_callback_seconds callbacks; /**< the model */
    double start;                      /**< the consistent start, beside the model */
    double steps;                      /**< the integrator: predictions, error tests, orders, outputs, events */
    double iteration;                  /**< the corrector iteration: its vectors and norms, corrections learnt */
    double rows;        /**< F of the iteration, beside the model: constraint forces, rows of the formulation */
    double differences; /**< of F for J, beside the model */
    double assembly;    /**< of J: known parts, patterns, groups */
    double factors;     /**< of the iteration matrix */
    double solutions;   /**< of linear systems */
    double rest;        /**< anything else */
} resida_profile;

/** A component of y that limits the steps, and how often. */
typedef struct resida_limit {
    int component;         /**< of y; resida_problem_component_name() has its name */
    long steps;            /**< accepted ones whose error test it dominated: the largest error in its tolerance */
    long tight_steps;      /**< of these, where its tolerance was less than a thousandth of its largest one so far: it
                                passed near zero, where nothing but atol is left, and has left it again */
    long error_test_fails; /**< failed ones */
    long newton_fails;     /**< failed Newton iterations whose last correction it dominated */
} resida_limit;

enum { RESIDA_LIMITS = 5 }; /**< most that are reported */

/** Name of member i of resida_callback_calls, "residual"; NULL: there are no more. Static. */
RESIDA_API const char *resida_callback_at(int i);

/** Counters and facts; `size` is set by the caller. */
typedef struct resida_stats {
    size_t size;           /**< sizeof(resida_stats), set by the caller before resida_solver_stats() */
    long steps;            /**< accepted steps */
    long step_attempts;    /**< calls of the Newton iteration */
    long error_test_fails; /**< steps that were solved and were not accurate enough */
    long
        error_test_repeats; /**< of these, where the step before had failed from the same place, too: a solution that is
                                smooth hardly does that */
    struct {
        long set, freed, steps;
    } order_limits; /**< how often the order was limited to 2 or 3 for stability, set free again, and steps under
                         a limit */
    long newton_iterations;  /**< corrections, of all attempts */
    long newton_fails;       /**< failed Newton iterations (J renewed, or the step cut) */
    long restarts;           /**< starts after the first one */
    long coordinate_changes; /**< new reference points of the form "state-space", besides those of starts */
    /** How often it was chosen anew, between starts, which of dependent constraints are dropped (start.h). */
    long row_changes;
    /** How often that was looked at, which takes no residual call, but dg/dp, g and a factorisation of the rows. */
    long row_looks;
    const char *dropped_rows; /**< which were dropped, from when on, in words; "": none. Until the next start or step */
    long jumps;  /**< times that the history of steps was dropped: a step met what it did not foretell (a contact),
                      and BDF began anew there at order 1 with the J there was */
    long events; /**< returns with RESIDA_EVENT */
    long events_in_doubt; /**< times that a root function changed too fast to be followed on in its step: events of it
                               may be missing */
    long root_calls;      /**< calls of the root functions */
    struct {
        long newton, jacobian, pattern, start, total;
    } residual_calls;                     /**< calls of the formalism, by whom */
    resida_callback_calls callback_calls; /**< calls of everything */
    /** What a call of each is taken to cost: measured (option call_cost), said by the model (its member `cost`), or
     *  assumed by its size. 0: there is none in this formalism, or nothing is decided by it. */
    resida_callback_costs callback_costs;
    resida_profile profile;             /**< with the option of that name: time */
    int n_limits;                       /**< with the option `profile`: how many components are reported */
    resida_limit limits[RESIDA_LIMITS]; /**< [n_limits] those that limit most, the first one most of all. Steps of a
                                               fixed size have Newton iterations alone */
    struct {
        long dense, coloured; /* by differences or products */
        long user;            /* taken from the model */
        long partial;         /* of these two: without columns that can have changed but little */
    } jacobian_evaluations;   /**< how often dF/dy was found, and how */
    struct {
        long alpha, excitation, blocks;
    } jacobian_updates;   /**< without a residual call: alpha counts all, the others those with that part */
    long pattern_updates; /**< times the pattern grew */
    long kinks; /**< entries of J whose difference went across a jump of F and was replaced by one beyond it */
    struct {
        long first, alpha, failure, other, attempt;
    } setups;            /**< why J was set up */
    long factorisations; /**< of the iteration matrix */
    long solves;         /**< linear systems solved */
    long nonfinite;      /**< evaluations that gave NaN or Inf and were tried again */
    long recoverable;    /**< evaluations that a callback refused (> 0) */
    struct {
        double norm, p, v, lam;
    } last_correction; /**< largest last correction of the Newton iterations of all steps of a fixed size: 2-norm, and
                            maximum norm of positions, velocities (what has a derivative in a general DAE) and the
                            rest */
    int order;         /**< order of the last step */
    double h;          /**< size of the last step [s] */
    int n;             /**< unknowns */
    long nnz;          /**< entries of J that are kept; n * n when dense */
    int groups;        /**< of columns; 0 when they are not grouped */
    int groups_bound;  /**< their lower bound; 0 when they are not grouped */
    const char *jacobian;        /**< strategy in use, static */
    const char *jacobian_reason; /**< why it is used so, in words, static */
    int n_warnings;              /**< what the model says wrongly, as far as it was seen: at the first start, on
                                      the way (gI), and by resida_solver_examine() */
    const char *const *warnings; /**< [n_warnings] one line each, which begins with the callback's name where one is to
                                      blame; owned by the solver, and there as long as it is */
    const char *linear_solver;   /**< "dense", "klu", "klu-diagonal"; "" before the first factorisation; static */
    double product_cost; /**< what a product of resida_products is taken to cost, as callback_costs has it of others,
                              which is a member of models and cannot grow; 0: there is none */
    int min_order;       /**< order of the BDF below which estimates of errors do not lead: the option's; 1 where this
                              SUNDIALS compares orders otherwise, which `warnings` tells. 0: other methods */
    long repairs;        /**< times dF/dy was repaired in a few directions in the place of an evaluation */
    long repair_calls;   /**< residual calls along these directions; residual_calls.jacobian has them, too */
    int n_hints;         /**< what would make the run cheaper by more than a fifth, by resida_solver_examine() */
    const char *const *hints; /**< [n_hints] one line each, owned as `warnings` */
} resida_stats;

#ifdef __cplusplus
}
#endif
#endif
