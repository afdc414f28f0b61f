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
 *   "auto"     (default) find the pattern; update a part of J if that costs less than extra iterations
 *   "fresh"    as "auto", but costs are residual calls
 *   "user"     derivatives of the model at each setup, at the occasions of "auto"; default if the model has them
 *   "dense"    differences by columns at each setup
 *   "sparse"   differences by groups of columns, with an estimated pattern
 *   "dense+partitioned", "sparse+partitioned"   a new alpha with the old dF/dy; differences if the iteration fails
 *   "dense+extended", "sparse+extended"         also d2F/du dy (u - u_old) of the excitations */
#ifndef RESIDA_JACOBIAN_H
#define RESIDA_JACOBIAN_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Jacobian engine of a system: J, its pattern and factors. */
typedef struct resida_jacobian resida_jacobian;

/** Function that evaluates r [n] = F(t, y, yp), such as resida_problem_residual(). */
typedef int resida_function(double t, const double *y, const double *yp, double *r, void *user);

/** Bits that select the derivatives computed by differences in one column of J. */
typedef enum resida_column {
    RESIDA_COLUMN_FORMALISM = 1,  /**< derivative of the formalism F_a by this component of y */
    RESIDA_COLUMN_CONSTRAINT = 2, /**< derivative of the constraint part F_c by this component of y */
    RESIDA_COLUMN_YP = 4,         /**< derivative of F by this component of yp */
    RESIDA_COLUMN_LINEAR = 8      /**< F is linear in this component of y, which allows large increments */
} resida_column;

/** A system F(t, y, yp) = 0, F = F_a + F_c or not a sum. Copied; pointers are borrowed until the engine is freed. */
typedef struct resida_system {
    size_t size;                 /**< struct size */
    int n;                       /**< number of unknowns, > 0 */
    void *user;                  /**< argument of every function */
    resida_function *F;          /**< function for F, required */
    resida_function *formalism;  /**< function for F_a, whose calls are the residual calls; NULL: F is not a sum */
    resida_function *constraint; /**< function for F_c, if and only if `formalism` is given */
    resida_function *curvature;  /**< function for F_c in differences, which may omit rows with known derivatives; NULL:
                                      `constraint` */
    /** Called before differences of F_c near (y, yp), and with y = yp = NULL after them; may be NULL. */
    int (*around)(double t, const double *y, const double *yp, void *user);
    double constraint_rounding; /**< relative rounding error of F_c; 0: that of double */

    /* Known entries, as different pairs (row, column), 0 .. n - 1. */
    int n_y;  /**< number of known entries of dF_c/dy */
    int n_yp; /**< number of known entries of dF/dyp */
    /** Row, or column, of each known entry: [n_y] of dF_c/dy, [n_yp] of dF/dyp. @{ */
    const int *y_row;
    const int *y_column;
    const int *yp_row;
    const int *yp_column;
    /** @} */
    /** [n_y], [n_yp] 1: the known entry joins the pattern when first nonzero; NULL: all 0. @{ */
    const unsigned char *y_latent;
    const unsigned char *yp_latent;
    /** @} */
    /** Evaluate the known entries dy [n_y] of dF_c/dy and dyp [n_yp] of dF/dyp; NULL if n_y = n_yp = 0. */
    int (*known)(double t, const double *y, const double *yp, double *dy, double *dyp, void *user);

    /* Costs in floating-point operations; 0: estimated by size. */
    double cost_F;                /**< cost of a call of `formalism`, else of F */
    double cost_constraint;       /**< cost of a call of `curvature`, else of `constraint` */
    double cost_known;            /**< cost of a call of `known` */
    double cost_derivative;       /**< cost of a call of `derivative` */
    const unsigned char *columns; /**< [n] resida_column bits of each column; NULL: all derivatives are differenced */

    /* Patterns of the other entries, in any order; a count of -1 (default): found by the engine. A pattern is checked
     * once, and missing entries are added. */
    int n_formalism;  /**< number of entries in dF_a/dy and dF/dyp (dF/dy and dF/dyp if F is not a sum) */
    int n_constraint; /**< number of entries in dF_c/dy */
    /** Row, or column, of each entry: [n_formalism] of the formalism part, [n_constraint] of dF_c/dy. @{ */
    const int *formalism_row;
    const int *formalism_column;
    const int *constraint_row;
    const int *constraint_column;
    /** @} */
    /** Evaluate dF_a/dy plus alpha times the unknown part of dF/dyp, in the order of formalism_row, for strategy
     *  "user". */
    int (*derivative)(double t, double alpha, const double *y, const double *yp, double *values, void *user);
    /** Evaluate k > 0 directional derivatives in place of differences of F and F_a: out [k x n] = dF_a/dy dy + (unknown
     *  part of dF/dyp) dyp with directions dy, dyp [k x n]. */
    int (*times)(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp, double *out,
                 void *user);
    double cost_times; /**< cost of `times` for each direction; 0: cost_F */

    /* Inputs of F for the strategies "+extended". */
    int n_inputs;                                        /**< number of inputs of F */
    int (*inputs)(double t, double *u, void *user);      /**< evaluate the inputs u [n_inputs] at t */
    void (*move_input)(int i, double delta, void *user); /**< add delta to input i until a call with delta 0 */

    /* Concurrent calls of F, F_a and `times` with more than one thread. */
    int n_workers;       /**< maximum number of threads */
    void *const *worker; /**< [n_workers] value of `user` in each thread */
    /** Called before concurrent calls; may be NULL. @return 1: admitted; 0: make them one by one with `user` */
    int (*begin_workers)(long calls, void *user);
    /** Called after concurrent calls. verdict 0: success; > 0: a call failed, all are repeated; < 0: fatal error */
    void (*end_workers)(int verdict, void *user);
} resida_system;

/** Set defaults. */
RESIDA_API void resida_system_init(resida_system *s);

/** Difference quotients for derivatives that are neither known nor given by products. */
typedef enum resida_differences {
    /** One-sided, with relative errors of about 1e-8. */
    RESIDA_DIFFERENCES_FORWARD = 0,
    RESIDA_DIFFERENCES_CENTRAL = 1 /**< central, with twice the calls and errors of about 1e-10 */
} resida_differences;

/** Options of a Jacobian engine. */
typedef struct resida_jacobian_options {
    size_t size;                    /**< struct size */
    const char *strategy;           /**< strategy of evaluation and update, default "auto" */
    resida_differences differences; /**< difference quotients; refused if nothing is differenced */
    int threads; /**< threads that call F for differences, 1 (default) .. n_workers, with the same results. More than 1
                      need OpenMP and a strategy other than "user", and must not be used after fork() */
    const resida_allocator *allocator; /**< allocator, copied; NULL: malloc and free */
} resida_jacobian_options;

/** Set defaults. */
RESIDA_API void resida_jacobian_options_init(resida_jacobian_options *o);

/** Reason of a setup, which updates and factors J. */
typedef enum resida_setup_reason {
    RESIDA_SETUP_FIRST = 0,   /**< no J, a restart, or another try of a fixed step */
    RESIDA_SETUP_ALPHA = 1,   /**< alpha differs too much from the alpha of J */
    RESIDA_SETUP_FAILURE = 2, /**< the Newton iteration failed */
    RESIDA_SETUP_OTHER = 3,   /**< cost, slow convergence, or a request: dF/dy is evaluated or repaired */
    RESIDA_SETUP_ATTEMPT = 4, /**< cost, or a fixed step: J is updated, and dF/dy is not evaluated */
    RESIDA_SETUP_AGE = 5      /**< maximum age of dF/dy, or J is needed at the solution */
} resida_setup_reason;

/** Point at which J is set up. */
typedef struct resida_jacobian_point {
    double t;              /**< time [s] */
    double alpha;          /**< factor of dF/dyp in J */
    double h;              /**< step size [s], with the sign of difference increments; 0: unknown */
    const double *y;       /**< [n] unknowns */
    const double *yp;      /**< [n] derivatives of the unknowns */
    const double *F;       /**< [n] F(t, y, yp) */
    const double *weights; /**< [n] error weights 1/(rtol |y| + atol), which bound increments; NULL: none */
    double since;          /**< time since the first start [s]; 0: t */
} resida_jacobian_point;

/** Counters of a Jacobian engine since its creation. */
typedef struct resida_jacobian_counts {
    long residual_calls;       /**< calls of F_a, else of F */
    long pattern_calls;        /**< residual calls that find and check the pattern */
    long constraint_calls;     /**< calls of F_c */
    long evaluations_dense;    /**< evaluations of dF/dy column by column */
    long evaluations_user;     /**< evaluations of dF_a/dy by the model */
    long evaluations_partial;  /**< dense and coloured evaluations that omitted unchanged columns */
    long evaluations_coloured; /**< evaluations of dF/dy by groups of columns */
    long updates_alpha;        /**< updates of J without an evaluation of dF/dy */
    long updates_excitation;   /**< of updates_alpha: with a correction for the excitations */
    long updates_blocks;       /**< of updates_alpha: with an evaluation of dF_c/dy */
    long pattern_updates;      /**< extensions of the pattern of J */
    long kinks;                /**< entries of J corrected because their difference crossed a jump of F */
    int groups;                /**< groups of columns differenced together; 0: none */
    int groups_bound;          /**< lower bound of the number of groups (entries of the fullest row); 0: none */
    long nnz;                  /**< entries of J; n * n if dense */
    long products;             /**< directions passed to `times` */
    long repairs;              /**< low-rank corrections of dF/dy */
    long repair_calls;         /**< residual calls for low-rank corrections, including failed ones */
} resida_jacobian_counts;

/** Create an engine, without a call of F.
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: no such strategy, `why` lists them */
RESIDA_API resida_status resida_jacobian_create(resida_jacobian **j, const resida_system *s,
                                                const resida_jacobian_options *o, resida_message *why);

/** Free an engine. */
RESIDA_API void resida_jacobian_free(resida_jacobian *j);

/** Discard the pattern and J; counters continue. NULL is ignored. */
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

/** Sparse matrix J by columns (CSC). Arrays are owned by the engine, valid until the next setup. */
typedef struct resida_jacobian_matrix {
    int n;                /**< number of rows and columns */
    int nnz;              /**< number of entries */
    const int *start;     /**< [n + 1] start of each column in row and values */
    const int *row;       /**< [nnz] row of each entry, ascending within a column */
    const double *values; /**< [nnz] value of each entry */
    long pattern;         /**< number of the pattern, changed with start or row */
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

/** State of a Newton iteration after a correction. */
typedef enum resida_iteration {
    RESIDA_ITERATION_CONTINUES = 0, /**< evaluate F at the corrected y, and solve again */
    RESIDA_ITERATION_CONVERGED = 1, /**< the estimated error is below the tolerance, or only rounding errors are left */
    RESIDA_ITERATION_RETRY = 2,     /**< diverges with an outdated J: prepare again at the predicted y */
    RESIDA_ITERATION_FAILED = 3     /**< diverges: reduce the step, then prepare */
} resida_iteration;

/** Report the norm of a Newton correction.
 *  @param[in] norm  sqrt(sum_i (w_i delta_i)^2 / n) with the weights w of resida_jacobian_prepare()
 *  @return the state; RESIDA_ITERATION_FAILED also if J is not factored */
RESIDA_API resida_iteration resida_jacobian_report(resida_jacobian *j, double norm);

/** Reason for the way in which dF/dy is evaluated, as text. */
RESIDA_API const char *resida_jacobian_reason(const resida_jacobian *j);

/** Requests for an evaluation of dF/dy. */
typedef enum resida_request {
    RESIDA_REQUEST_EVALUATION = 1, /**< evaluate dF/dy, as after the opening of a contact */
    RESIDA_REQUEST_PATTERN = 3     /**< evaluate dF/dy and search new entries, as after the closing of a contact */
} resida_request;

/** Request an evaluation of dF/dy at the next attempt at a step. May be called within callbacks. */
RESIDA_API resida_status resida_jacobian_request(resida_jacobian *j, resida_request what);

/** Return 1 if a request is pending, else 0; 0 for NULL. */
RESIDA_API int resida_jacobian_is_requested(const resida_jacobian *j);

/** Name of the strategy in use; "user" if "auto" uses derivatives of the model. */
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
