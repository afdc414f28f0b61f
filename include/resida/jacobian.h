/* resida/jacobian.h - the Jacobian engine: J = dF/dy + alpha dF/dyp, eq. (15), for any F(t, y, yp).
 *
 * It is independent of the integrator, which has three verbs: prepare J for the iteration of a step, solve by it, and
 * report corrections (examples/bdf.c). Or it requests setups for a reason, and factors J itself. F may be a sum of two
 * functions, F = F_a + F_c: the formalism part F_a calls the formalism; the constraint part F_c calls only constraints,
 * and entries of its derivative may be known. Then J is kept in parts, and only the first costs residual calls:
 *
 *     J = dF_a/dy  +  dF_c/dy  +  alpha dF/dyp
 *
 * Strategies by name; numbers are those of
 *     M. Arnold, A. Fuchs, C. Fuehrer: Efficient corrector iteration for DAE time integration in multibody dynamics.
 *     Preprint submitted to Computer Methods in Applied Mechanics and Engineering, 11 November 2004
 *
 *   "dense"               differences (16) column by column at every setup; columns that are known cost nothing
 *   "sparse"              differences (20) by groups of columns on an estimated pattern, at every setup
 *   "dense+partitioned"   (22)-(25): a new alpha is added to the old dF/dy; differences only when the iteration fails
 *   "sparse+partitioned"  both
 *   "dense+extended"      (26): partitioned, and the excitations' part d2F/du dy (u - u_old) is added as well
 *   "sparse+extended"     both
 *   "auto"                (default) a part of J, and its factors with it, is renewed when the iterations that an old
 *                         one has cost, or is foreseen to cost, are worth what the renewal costs, all in operations;
 *                         the first evaluations find the pattern, column by column (128 columns or more: by blocks
 *                         that are halved, where they touch few rows), the later ones go by groups where that is
 *                         cheaper
 *   "fresh"               the same, but residual calls alone count: all else is renewed at every step attempt. The
 *                         fewest calls; for residuals that cost more than everything else
 *   "user"                as "auto", but by the model's own derivatives: nothing is differenced, and nothing replaces
 *                         them. What "auto" is where the model gives derivatives
 *
 * Where the system gives products of its derivatives with directions (times), each difference above, but those of
 * F_c, is a product with the direction that it would go along: it has no rounding of increments and no kinks,
 * and its cost is what "auto" weighs. "fresh" counts it as a call. */
#ifndef RESIDA_JACOBIAN_H
#define RESIDA_JACOBIAN_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The engine. */
typedef struct resida_jacobian resida_jacobian;

/** F(t, y, yp) = 0; y, yp, r [n]. Returns 0, > 0 recoverable, < 0 fatal. resida_problem_residual() is one. */
typedef int resida_function(double t, const double *y, const double *yp, double *r, void *user);

/** Parts of a column of J that are not known. */
typedef enum resida_column {
    RESIDA_COLUMN_FORMALISM = 1,  /**< dF_a/dy (dF/dy when F is not in parts) */
    RESIDA_COLUMN_CONSTRAINT = 2, /**< dF_c/dy has entries besides the known ones */
    RESIDA_COLUMN_YP = 4,         /**< dF/dyp has entries besides the known ones */
    RESIDA_COLUMN_LINEAR = 8 /**< with these: F is linear in that component of y, so that increments may be large */
} resida_column;

/** The system F(t, y, yp) = 0. Plain data after resida_system_init(); copied, pointers borrowed for the engine's
 *  life. */
typedef struct resida_system {
    size_t size;                 /**< set by resida_system_init() */
    int n;                       /**< unknowns, > 0 */
    void *user;                  /**< passed to every function */
    resida_function *F;          /**< the whole function; needed */
    resida_function *formalism;  /**< F_a, which costs a residual call; NULL: F is not in parts, F_a = F */
    resida_function *constraint; /**< F_c; given if and only if `formalism` is */
    /** F_c without the rows whose derivatives are all known entries; it is differenced in the place of F_c. NULL
     *  (default): F_c itself. */
    resida_function *curvature;
    /** Prepares differences of the constraint part at a point, and ends them with y = yp = NULL: all calls in between
     *  are near the point. 0; > 0 not possible here; < 0 stop. NULL (default): not called. */
    int (*around)(double t, const double *y, const double *yp, void *user);
    double constraint_rounding; /**< relative rounding of F_c, where that is made of differences itself;
                                central differences then take (constraint_rounding)^(1/3). 0 (default): eps */

    /* Entries that are known without differences, as lists of (row, column) without repetitions: n_y of dF_c/dy,
     * n_yp of dF/dyp. Indices are 0 .. n - 1. */
    int n_y;              /**< known entries of dF_c/dy */
    int n_yp;             /**< known entries of dF/dyp */
    const int *y_row;     /**< [n_y] */
    const int *y_column;  /**< [n_y] */
    const int *yp_row;    /**< [n_yp] */
    const int *yp_column; /**< [n_yp] */
    /** [n_y], [n_yp] 1: the entry may be zero for good, as those of a full matrix, and has a place in J only from the
     *  first time on that it is not. NULL (default): all have one. */
    const unsigned char *y_latent;
    const unsigned char *yp_latent; /**< likewise */
    /** Values of the known entries: dy [n_y], dyp [n_yp]. NULL when n_y = n_yp = 0. */
    int (*known)(double t, const double *y, const double *yp, double *dy, double *dyp, void *user);
    /* Costs of a call, in operations; 0 (default): assumed by size. The strategy "auto" decides by them. */
    double cost_F;          /**< of F or F_a */
    double cost_constraint; /**< of the differenced part of F_c */
    double cost_known;      /**< of known */
    double cost_derivative; /**< of derivative */
    /** [n] resida_column bits: parts of each column that are differenced. NULL: all. */
    const unsigned char *columns;

    /* Patterns of the entries that are not known, in any order. A count of -1 (default): not given, found by the
     * engine. A given pattern is checked once; missing entries are added. */
    int n_formalism;              /**< places of dF_a/dy and of dF/dyp (dF/dy and dF/dyp when F is not in parts) */
    int n_constraint;             /**< places of dF_c/dy */
    const int *formalism_row;     /**< [n_formalism] */
    const int *formalism_column;  /**< [n_formalism] */
    const int *constraint_row;    /**< [n_constraint] */
    const int *constraint_column; /**< [n_constraint] */
    /** For the strategy "user": values [n_formalism] of dF_a/dy, plus alpha times what of dF/dyp is not known, at the
     *  places of formalism_row and formalism_column, which must be given. 0; > 0 not possible here; < 0 stop. */
    int (*derivative)(double t, double alpha, const double *y, const double *yp, double *values, void *user);
    /** In the place of all differences of F and F_a: products with k > 0 directions dy, dyp [k x n], one after the
     *  other, out [k x n] = dF_a/dy dy + (what of dF/dyp is not known) dyp. With several threads workers take the
     *  place of `user`. 0; > 0 not possible here; < 0 stop. NULL (default): differences. */
    int (*times)(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
                 void *user);
    double cost_times; /**< of times, each direction; 0 (default): as F */

    /** Excitations, for (26): numbers that F depends on besides t, y, yp. */
    int n_inputs;
    int (*inputs)(double t, double *u, void *user);      /**< their values u [n_inputs] at t */
    void (*move_input)(int i, double delta, void *user); /**< from now on add delta to input i; 0: no more */

    /** For options.threads > 1: users in place of `user`, with which F and F_a may be called at the same time, each by
     *  one thread at a time. While they are called, nothing is called with `user`. */
    int n_workers;
    void *const *worker; /**< [n_workers] */
    /** Before such calls, by the caller's thread; or NULL. Will `calls` calls be admitted? 0: no, they are made with
     *  `user`, one by one. */
    int (*begin_workers)(long calls, void *user);
    /** After them, likewise. verdict 0: they are done. > 0: some call was not possible; they are forgotten and all made
     *  again with `user`. < 0: a fatal verdict; no call has begun since. */
    void (*end_workers)(int verdict, void *user);
} resida_system;

/** Set every field to "not there", and `size` to its value. */
RESIDA_API void resida_system_init(resida_system *s);

/** Difference quotients for derivatives that are neither known nor given by products (times of resida_system). */
typedef enum resida_differences {
    /** To one side, (17): increments |y| eps^(1/2), errors of some 1e-8. Where |y| is below 1 it counts as 1, or less,
     *  not below the eps^(1/4) of (17), where that would change a row of F by more than 1e-7 of its terms; but not as
     *  more than 1e12 tolerances, so that a small component needs an atol of its size. */
    RESIDA_DIFFERENCES_FORWARD = 0,
    RESIDA_DIFFERENCES_CENTRAL = 1 /**< to both: twice the calls, increments |y| eps^(1/3), errors of some 1e-10 */
} resida_differences;

/** Plain data after resida_jacobian_options_init(). */
typedef struct resida_jacobian_options {
    size_t size;                    /**< set by resida_jacobian_options_init() */
    const char *strategy;           /**< a name of the list above, default "auto" */
    resida_differences differences; /**< default RESIDA_DIFFERENCES_FORWARD; refused where nothing is differenced */
    int threads; /**< that call F for differences, 1 (default) .. n_workers; the result does not depend on it, bit for
                      bit, nor do counters. More than one is refused by "user", and takes OpenMP: without it one thread
                      does all of it. A process that has used them must not use them again after fork() */
    const resida_allocator *allocator; /**< NULL (default): malloc and free; copied */
} resida_jacobian_options;

/** Set every option to its default, and `size` to its value. */
RESIDA_API void resida_jacobian_options_init(resida_jacobian_options *o);

/** The reason of a setup. */
typedef enum resida_setup_reason {
    RESIDA_SETUP_FIRST = 0, /**< there is none yet, or the integration was restarted */
    RESIDA_SETUP_ALPHA = 1, /**< alpha moved too far from that of J; nothing else is renewed by strategies that renew */
    RESIDA_SETUP_FAILURE = 2, /**< the Newton iteration failed with the J at hand */
    RESIDA_SETUP_OTHER = 3,   /**< slow convergence, or a request */
    RESIDA_SETUP_ATTEMPT = 4, /**< a new step attempt: the parts without residual calls are renewed */
    RESIDA_SETUP_AGE = 5      /**< dF/dy has served as long as it may: option max_age, sensitivities of a step */
} resida_setup_reason;

/** The point of a setup. */
typedef struct resida_jacobian_point {
    double t;              /**< [s] */
    double alpha;          /**< of J = dF/dy + alpha dF/dyp */
    double h;              /**< step size, its sign is the direction of increments; 0: unknown */
    const double *y;       /**< [n] */
    const double *yp;      /**< [n] */
    const double *F;       /**< [n] F(t, y, yp), so that it need not be evaluated again */
    const double *weights; /**< [n] error weights 1/(rtol |y| + atol), which bound increments; NULL: none */
    double since; /**< [s] time since a first start, by which the age of parts of J is measured: its rounding does not
                       depend on the time of that start; 0: t */
} resida_jacobian_point;

/** Counters since create, by cause. */
typedef struct resida_jacobian_counts {
    long residual_calls;       /**< calls of F or F_a by the engine, all causes */
    long pattern_calls;        /**< of these: to find and to check the pattern */
    long constraint_calls;     /**< calls of F_c */
    long evaluations_dense;    /**< dF/dy found column by column, by differences or products */
    long evaluations_user;     /**< dF_a/dy taken from the model */
    long evaluations_partial;  /**< of the coloured and dense ones: without columns that can have changed but little */
    long evaluations_coloured; /**< dF/dy found by groups of columns */
    long updates_alpha;        /**< a new alpha without residual calls */
    long updates_excitation;   /**< of these: with a part for excitations */
    long updates_blocks;       /**< of these: with F_c renewed */
    long pattern_updates;      /**< times the pattern grew */
    long kinks;        /**< entries whose difference went across a jump of F and was replaced by one beyond it */
    int groups;        /**< of columns; 0: not grouped */
    int groups_bound;  /**< entries of the fullest row, the least number of groups; 0: not grouped */
    long nnz;          /**< entries of J that are kept */
    long products;     /**< directions that times was called with */
    long repairs;      /**< times dF/dy was repaired in a few directions in the place of an evaluation */
    long repair_calls; /**< of the residual calls: along these directions, also where an evaluation followed */
} resida_jacobian_counts;

/** Create an engine.
 *  @param[out] j    new handle, NULL on failure
 *  @param[in]  s    copied; what it points to is borrowed for the life of the engine
 *  @param[in]  o    NULL: defaults
 *  @param[out] why  or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION (no such strategy; the message lists them), _MEMORY
 *  Cost: no call of F. */
RESIDA_API resida_status resida_jacobian_create(resida_jacobian **j, const resida_system *s,
                                                const resida_jacobian_options *o, resida_message *why);

/** Free an engine; NULL is fine. */
RESIDA_API void resida_jacobian_free(resida_jacobian *j);

/** Forget pattern and J, but not the counters: the next setup starts as on a new engine. NULL is fine. */
RESIDA_API void resida_jacobian_reset(resida_jacobian *j);

/** Bring J to a new point, as cheaply as reason and strategy allow.
 *  @param[out] current  1: J is as good as this strategy can make it; 0: an update, ask again with
 *                       RESIDA_SETUP_FAILURE if the iteration fails with it
 *  @return 0; > 0 F was not possible at a perturbed point; < 0 F failed for good, or no memory for a grown pattern
 *          (J is then not usable)
 *  Cost in residual calls, twice with central differences: an evaluation n_formalism (dense) or the groups (sparse),
 *  + 1 to check a pattern that is not given (a given one at first and in trouble only), + the columns or groups with
 *  open entries of dF/dyp until these have settled; less, and a check, when columns have not changed ("fresh");
 *  n_formalism more when the pattern has to grow; where 128 columns or more touch few rows each, far fewer in place of
 *  n_formalism; a call for each group that seems to go across a jump. The first one on an estimated pattern two or
 *  three times (n_formalism + columns with open entries of dF/dyp + 2) more, on a given or learnt one nothing.
 *  Excitations once (n_inputs + 1) evaluations; an update 0; "user" 0. With times each of these is a product, and none
 *  but those that tell whether excitations matter is a residual call. */
RESIDA_API int resida_jacobian_setup(resida_jacobian *j, resida_setup_reason reason, const resida_jacobian_point *at,
                                     int *current);

/** J by columns, in memory of the engine, overwritten by the next setup. */
typedef struct resida_jacobian_matrix {
    int n;                /**< rows and columns */
    int nnz;              /**< entries */
    const int *start;     /**< [n + 1] start of each column */
    const int *row;       /**< [nnz] rows, rising within a column */
    const double *values; /**< [nnz] */
    long pattern;         /**< changes whenever start and row do */
} resida_jacobian_matrix;

/** @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE before the first setup, and after one that failed */
RESIDA_API resida_status resida_jacobian_get_matrix(const resida_jacobian *j, resida_jacobian_matrix *J);

/** Prepare J for an iteration of an integrator: decide what is renewed of it, as strategy, ages, rates and costs say,
 *  renew that, and factor J. The first call creates a linear solver, dense or sparse by its costs.
 *  @param[in] at         the end of a step, with alpha of its formula, and F at the predicted y; weights must be given.
 *                        y, yp, F and weights are borrowed until the iteration has ended
 *  @param[in] tolerance  error that the iteration may leave, as a norm with these weights, > 0; IDA has 0.33
 *  @return 0; > 0 F or J is not possible here: take a shorter step; RESIDA_ERR_ARGUMENT, _MEMORY; RESIDA_ERR_STATE for
 *          the J of a solver; < 0 F failed for good
 *  Cost: nothing if J is kept; otherwise that of resida_jacobian_setup(), and a factorisation. */
RESIDA_API int resida_jacobian_prepare(resida_jacobian *j, const resida_jacobian_point *at, double tolerance);

/** delta = -c J^-1 F with c = 2/(1 + alpha/alpha_J), which corrects for a J of another alpha.
 *  @param[in]  F      [n] at the present y
 *  @param[out] delta  [n] correction of y; that of yp is alpha delta. May be F
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE without a J that prepare() has factored
 *  Cost: no residual call. */
RESIDA_API resida_status resida_jacobian_solve(resida_jacobian *j, const double *F, double *delta);

/** The state of an iteration after a correction. */
typedef enum resida_iteration {
    RESIDA_ITERATION_CONTINUES = 0, /**< another correction, with F at the corrected y */
    RESIDA_ITERATION_CONVERGED = 1, /**< its error is below the tolerance, by its rate of convergence */
    RESIDA_ITERATION_RETRY = 2,     /**< it does not converge, and J can be better: start again from the predicted y */
    RESIDA_ITERATION_FAILED = 3     /**< it does not converge: take a shorter step */
} resida_iteration;

/** Report a correction: how an integrator tells J what it was worth.
 *  @param[in] norm  of delta, sqrt(sum_i (w_i delta_i)^2 / n) with the weights of prepare()
 *  @return its state; after RETRY and FAILED, prepare() is next. RESIDA_ITERATION_FAILED also without a factored J
 *  Cost: none. */
RESIDA_API resida_iteration resida_jacobian_report(resida_jacobian *j, double norm);

/** The reason for the way in which dF/dy is evaluated, in words, static. "" for NULL. */
RESIDA_API const char *resida_jacobian_reason(const resida_jacobian *j);

/** Explicit requests to the engine. */
typedef enum resida_request {
    RESIDA_REQUEST_EVALUATION = 1, /**< dF/dy has changed: a stiffness was switched, a contact opened */
    RESIDA_REQUEST_PATTERN = 3     /**< and it may have entries where it had none: a contact closed */
} resida_request;

/** Have the next setup evaluate dF/dy, and look for new entries. Takes effect at the next step attempt; may be called
 *  at any time, by callbacks too.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT
 *  Cost: none here; the setup costs an evaluation, for a pattern column by column or, of 128 columns or more, as few as
 *  lead to the rows that J does not explain. */
RESIDA_API resida_status resida_jacobian_request(resida_jacobian *j, resida_request what);

/** 1: there is a request that no setup has fulfilled yet. 0 for NULL. */
RESIDA_API int resida_jacobian_is_requested(const resida_jacobian *j);

/** The name of the strategy in use ("auto" resolved). "" for NULL. */
RESIDA_API const char *resida_jacobian_strategy(const resida_jacobian *j);

/** Groups of columns whose differences are found together, (20).
 *  @param[out] group     [n] the group of each column, 0 .. n_groups - 1; -1: it costs no residual call. Memory of
 *                        the engine, valid until the next setup
 *  @param[out] n_groups  how many
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE before there is a pattern, and when the strategy does not
 *          group columns */
RESIDA_API resida_status resida_jacobian_get_groups(const resida_jacobian *j, const int **group, int *n_groups);

/** Which method of graph colouring found the groups, static. "" for NULL, and as long as there are none. */
RESIDA_API const char *resida_jacobian_grouping(const resida_jacobian *j);

/** @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
