/* resida/jacobian.h - the Jacobian engine: J = dF/dy + alpha dF/dyp of any F(t, y, yp), for any integrator.
 *
 *     resida_jacobian_prepare(j, &point, 0.33);                 J for the iteration of a step (examples/bdf.c)
 *     do {
 *         resida_jacobian_solve(j, F, delta);
 *         ... y += delta, yp += alpha delta ...
 *     } while (resida_jacobian_report(j, norm) == RESIDA_ITERATION_CONTINUES);
 *
 * Instead, the integrator can call resida_jacobian_setup() and factor J itself. F may be a sum F_a + F_c, in which only
 * F_a takes residual calls. Otherwise F_a is F. doc/mathematics.md, sections 6 to 8, has the equations.
 *
 *   "auto"     (default) learn the pattern; update a part of J if the extra iterations caused by an outdated one cost
 *              more operations
 *   "fresh"    as "auto", but costs are residual calls
 *   "user"     as "auto", with derivatives of the model and no differences; default if the model has them
 *   "dense"    differences by columns at each setup
 *   "sparse"   differences by groups of columns with an estimated pattern, at each setup
 *   "dense+partitioned", "sparse+partitioned"   a new alpha with the old dF/dy; differences only if the iteration fails
 *   "dense+extended", "sparse+extended"         also d2F/du dy (u - u_old) of the excitations */
#ifndef RESIDA_JACOBIAN_H
#define RESIDA_JACOBIAN_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An engine. */
typedef struct resida_jacobian resida_jacobian;

/** r [n] = F(t, y, yp), such as resida_problem_residual(). */
typedef int resida_function(double t, const double *y, const double *yp, double *r, void *user);

/** Parts of a column of J that are differenced, as bits. */
typedef enum resida_column {
    RESIDA_COLUMN_FORMALISM = 1,  /**< dF_a/dy */
    RESIDA_COLUMN_CONSTRAINT = 2, /**< dF_c/dy */
    RESIDA_COLUMN_YP = 4,         /**< dF/dyp */
    RESIDA_COLUMN_LINEAR = 8      /**< F is linear in this component of y: increments may be large */
} resida_column;

/** The system F(t, y, yp) = 0. Copied; pointers are borrowed until the engine is freed. */
typedef struct resida_system {
    size_t size;                 /**< set by resida_system_init() */
    int n;                       /**< unknowns, > 0 */
    void *user;                  /**< passed to every function */
    resida_function *F;          /**< required */
    resida_function *formalism;  /**< F_a, a residual call; NULL: F is not a sum */
    resida_function *constraint; /**< F_c, if and only if `formalism` is given */
    resida_function *curvature;  /**< F_c without completely known rows, to be differenced; NULL: F_c */
    /** Called before differences of F_c near (y, yp), and with y = yp = NULL after them; may be NULL. */
    int (*around)(double t, const double *y, const double *yp, void *user);
    double constraint_rounding; /**< relative rounding error of F_c; 0: eps */

    /* Known entries, as lists of different (row, column), 0 .. n - 1: [n_y] of dF_c/dy, [n_yp] of dF/dyp. */
    int n_y;                        /**< known entries of dF_c/dy */
    int n_yp;                       /**< known entries of dF/dyp */
    const int *y_row;               /**< [n_y] */
    const int *y_column;            /**< [n_y] */
    const int *yp_row;              /**< [n_yp] */
    const int *yp_column;           /**< [n_yp] */
    const unsigned char *y_latent;  /**< [n_y] 1: the entry enters the pattern when it is first nonzero; NULL: none */
    const unsigned char *yp_latent; /**< [n_yp] likewise */
    /** Known entries dy [n_y], dyp [n_yp]; NULL if n_y = n_yp = 0. */
    int (*known)(double t, const double *y, const double *yp, double *dy, double *dyp, void *user);

    /* Costs of a call, in operations; 0: estimated by size. */
    double cost_F;                /**< of F or F_a */
    double cost_constraint;       /**< of the differenced part of F_c */
    double cost_known;            /**< of known */
    double cost_derivative;       /**< of derivative */
    const unsigned char *columns; /**< [n] resida_column bits of each column; NULL: all parts are differenced */

    /* Patterns of the other entries, in any order; a count of -1 (default): learnt by the engine. A pattern is checked
     * once, and missing entries are added. */
    int n_formalism;              /**< entries of dF_a/dy and dF/dyp (dF/dy and dF/dyp if F is not a sum) */
    int n_constraint;             /**< entries of dF_c/dy */
    const int *formalism_row;     /**< [n_formalism] */
    const int *formalism_column;  /**< [n_formalism] */
    const int *constraint_row;    /**< [n_constraint] */
    const int *constraint_column; /**< [n_constraint] */
    /** For "user": values [n_formalism] of dF_a/dy plus alpha times the unknown part of dF/dyp; needs formalism_row. */
    int (*derivative)(double t, double alpha, const double *y, const double *yp, double *values, void *user);
    /** Products in place of differences of F and F_a: out [k x n] = dF_a/dy dy + (unknown part of dF/dyp) dyp for
     *  k > 0 directions dy, dyp [k x n]. */
    int (*times)(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
                 void *user);
    double cost_times; /**< for each direction; 0: as F */

    /* Excitations for "extended". */
    int n_inputs;                                        /**< inputs of F */
    int (*inputs)(double t, double *u, void *user);      /**< u [n_inputs] at t */
    void (*move_input)(int i, double delta, void *user); /**< add delta to input i until a call with delta 0 */

    /* For threads > 1: concurrent calls of F, F_a and times. */
    int n_workers;       /**< >= threads */
    void *const *worker; /**< [n_workers] value of `user` in each thread */
    /** Called before `calls` calls. @return 1: admitted; 0: make them one by one with `user`. May be NULL. */
    int (*begin_workers)(long calls, void *user);
    /** Called after them. verdict 0: done; > 0: a call was not possible, all are repeated with `user`; < 0: fatal. */
    void (*end_workers)(int verdict, void *user);
} resida_system;

/** Set defaults. */
RESIDA_API void resida_system_init(resida_system *s);

/** Difference quotients for derivatives that are neither known nor given by products. */
typedef enum resida_differences {
    /** One-sided, errors of about 1e-8. */
    RESIDA_DIFFERENCES_FORWARD = 0,
    RESIDA_DIFFERENCES_CENTRAL = 1 /**< twice the calls, errors of about 1e-10 */
} resida_differences;

/** Options of an engine. */
typedef struct resida_jacobian_options {
    size_t size;                    /**< set by resida_jacobian_options_init() */
    const char *strategy;           /**< default "auto" */
    resida_differences differences; /**< refused if nothing is differenced */
    int threads; /**< 1 (default) .. n_workers threads call F for differences; same bits and counters. More than 1 need
                      OpenMP and a strategy other than "user", and must not be used after fork() */
    const resida_allocator *allocator; /**< copied; NULL: malloc and free */
} resida_jacobian_options;

/** Set defaults. */
RESIDA_API void resida_jacobian_options_init(resida_jacobian_options *o);

/** Reason of a setup. */
typedef enum resida_setup_reason {
    RESIDA_SETUP_FIRST = 0,   /**< no J, a restart, or the next try of a step of fixed size */
    RESIDA_SETUP_ALPHA = 1,   /**< alpha differs too much from that of J */
    RESIDA_SETUP_FAILURE = 2, /**< the Newton iteration failed */
    RESIDA_SETUP_OTHER = 3,   /**< costs, slow convergence, or a request: dF/dy is evaluated or repaired */
    RESIDA_SETUP_ATTEMPT = 4, /**< costs, or a step of fixed size: only parts without residual calls */
    RESIDA_SETUP_AGE = 5      /**< maximum age of dF/dy, or J is needed at the solution */
} resida_setup_reason;

/** Point of a setup; arrays are [n]. */
typedef struct resida_jacobian_point {
    double t;              /**< [s] */
    double alpha;          /**< of J */
    double h;              /**< step size [s]; its sign is that of increments; 0: unknown */
    const double *y;       /**< [n] */
    const double *yp;      /**< [n] */
    const double *F;       /**< F(t, y, yp) */
    const double *weights; /**< 1/(rtol |y| + atol), bounds of increments; NULL: none */
    double since;          /**< [s] time since a start; 0: t */
} resida_jacobian_point;

/** Counters since creation. */
typedef struct resida_jacobian_counts {
    long residual_calls;       /**< calls of F or F_a */
    long pattern_calls;        /**< of these: to find and check the pattern */
    long constraint_calls;     /**< calls of F_c */
    long evaluations_dense;    /**< of dF/dy by columns */
    long evaluations_user;     /**< of dF_a/dy by the model */
    long evaluations_partial;  /**< of the dense and coloured ones: without columns that cannot have changed */
    long evaluations_coloured; /**< of dF/dy by groups of columns */
    long updates_alpha;        /**< updates that do not evaluate dF/dy */
    long updates_excitation;   /**< of these: with the excitations */
    long updates_blocks;       /**< of these: with dF_c/dy */
    long pattern_updates;      /**< extensions of the pattern */
    long kinks;                /**< entries corrected because their difference crossed a jump of F */
    int groups;                /**< groups of columns; 0: none */
    int groups_bound;          /**< lower bound, entries of the fullest row; 0: none */
    long nnz;                  /**< entries of J */
    long products;             /**< directions passed to `times` */
    long repairs;              /**< corrections of dF/dy along a few directions */
    long repair_calls;         /**< residual calls for them, also for failed ones */
} resida_jacobian_counts;

/** Create an engine.
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: no such strategy, `why` lists them
 *  Cost: no call of F. */
RESIDA_API resida_status resida_jacobian_create(resida_jacobian **j, const resida_system *s,
                                                const resida_jacobian_options *o, resida_message *why);

/** Free an engine. */
RESIDA_API void resida_jacobian_free(resida_jacobian *j);

/** Discard pattern and J, not the counters. NULL is ignored. */
RESIDA_API void resida_jacobian_reset(resida_jacobian *j);

/** Set up J at a point.
 *  @param[out] current  1: no setup can improve J here; 0: an update; if the iteration fails with it, call again with
 *                       RESIDA_SETUP_FAILURE
 *  @return as a callback; unless 0, J is not usable
 *  Cost in residual calls or products, twice with central differences:
 *    "user", and each update: 0;
 *    an evaluation: n (dense) or the number of groups, and at most n + 1 to check and extend the pattern;
 *    the first evaluation with an estimated pattern: 2 n;
 *    "extended": n_inputs + 1 evaluations once. */
RESIDA_API int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at,
                                     int *current);

/** J by columns (CSC). Arrays are owned by the engine, valid until the next setup. */
typedef struct resida_jacobian_matrix {
    int n;                /**< rows and columns */
    int nnz;              /**< entries */
    const int *start;     /**< [n + 1] start of each column */
    const int *row;       /**< [nnz] ascending within a column */
    const double *values; /**< [nnz] */
    long pattern;         /**< changes if start or row change */
} resida_jacobian_matrix;

/** Get J. @return RESIDA_OK; RESIDA_ERR_STATE: no setup, or the last one failed */
RESIDA_API resida_status resida_jacobian_get_matrix(const resida_jacobian *j, resida_jacobian_matrix *J);

/** Prepare J for an iteration: update the parts whose update saves work, and factor J.
 *  @param[in] at         end of the step, with F at the predicted y, and weights; borrowed until the iteration ends
 *  @param[in] tolerance  of the error of the iteration in the weighted norm, > 0; 0.33 in IDA
 *  @return as a callback, > 0 also if J is singular; RESIDA_ERR_STATE: the engine is owned by a solver
 *  Cost: 0 if J is kept; else that of resida_jacobian_setup() and a factorisation. */
RESIDA_API int resida_jacobian_prepare(resida_jacobian *j, const resida_jacobian_point *at, double tolerance);

/** Compute delta = -c J^-1 F, c = 2/(1 + alpha/alpha_J), without a residual call.
 *  @param[in]  F      [n] at the current y
 *  @param[out] delta  [n] correction of y, that of yp is alpha delta; may be F
 *  @return RESIDA_OK; RESIDA_ERR_STATE: not prepared */
RESIDA_API resida_status resida_jacobian_solve(resida_jacobian *j, const double *F, double *delta);

/** State of an iteration. */
typedef enum resida_iteration {
    RESIDA_ITERATION_CONTINUES = 0, /**< evaluate F at the corrected y, and solve again */
    RESIDA_ITERATION_CONVERGED = 1, /**< the estimated error is below the tolerance */
    RESIDA_ITERATION_RETRY = 2,     /**< it diverges, J can be improved: prepare again at the predicted y */
    RESIDA_ITERATION_FAILED = 3     /**< it diverges: reduce the step, then prepare */
} resida_iteration;

/** Report a correction.
 *  @param[in] norm  sqrt(sum_i (w_i delta_i)^2 / n) with the weights w of resida_jacobian_prepare()
 *  @return the state; RESIDA_ITERATION_FAILED also if J is not factored */
RESIDA_API resida_iteration resida_jacobian_report(resida_jacobian *j, double norm);

/** Reason for the way in which dF/dy is evaluated, as text. */
RESIDA_API const char *resida_jacobian_reason(const resida_jacobian *j);

/** Requests to the engine. */
typedef enum resida_request {
    RESIDA_REQUEST_EVALUATION = 1, /**< evaluate dF/dy, as after a contact opened */
    RESIDA_REQUEST_PATTERN = 3     /**< and search new entries, as after a contact closed */
} resida_request;

/** Request an evaluation of dF/dy at the next attempt. May be called within callbacks. Cost: an evaluation. */
RESIDA_API resida_status resida_jacobian_request(resida_jacobian *j, resida_request what);

/** 1: a request is pending. 0 for NULL. */
RESIDA_API int resida_jacobian_is_requested(const resida_jacobian *j);

/** Name of the strategy in use; "user" if "auto" acts as such. */
RESIDA_API const char *resida_jacobian_strategy(const resida_jacobian *j);

/** Get the groups of columns that are differenced together.
 *  @param[out] group  [n] group of each column, 0 .. n_groups - 1; -1: no residual call; owned by the engine, valid
 *                     until the next setup
 *  @return RESIDA_OK; RESIDA_ERR_STATE: no pattern yet, or a strategy without groups */
RESIDA_API resida_status resida_jacobian_get_groups(const resida_jacobian *j, const int **group, int *n_groups);

/** Method of graph colouring that found the groups; "" without groups. */
RESIDA_API const char *resida_jacobian_grouping(const resida_jacobian *j);

/** Get the counters. */
RESIDA_API resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
