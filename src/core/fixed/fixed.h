/* fixed.h - the integrator with steps of a fixed size: its state and the functions that its files share.
 *
 * Times of the integrator count from the last start. Callbacks are called with the user's times. */
#ifndef RSD_FIXED_H
#define RSD_FIXED_H

#include "src/core/events/integrator.h"

#include "method.h"
#include "base/linear/linear_solver.h"
#include "src/core/newton/newton.h"
#include "src/core/newton/scaling.h"

#define RSD_SAME_TIME 1e-9 /* maximum distance of equal times, relative to h */

/** Linear system of s stages: its pattern by columns, and factors. */
typedef struct rsd_stage_system {
    rsd_linear_solver *linear; /* linear solver; NULL: none yet */
    long pattern;              /* number of the analysed pattern of J; 0: none */
    int *start, *row;          /* start of each column in `row`; row of each entry */
    double *values;            /* value of each entry */
} rsd_stage_system;

/** Newton matrix of a step, from J = dF/dy + alpha dF/dyp and dF/dyp at one point (fixed_matrix.c). */
typedef struct rsd_fixed_matrix {
    rsd_scaling *scaling;                    /* scaling of the linear system; NULL: none */
    rsd_stage_system system[RSD_MAX_STAGES]; /* [s - 1]: s stages; variable steps, [0]: real, [1]: complex system */
    int s;                                   /* number of stages of the last factored matrix; 1 in variable steps */
    int nnz, room;                           /* number of entries of J; number for which memory is allocated */
    double *J, *dFdyp;                       /* [nnz] values of J; of dF/dyp */
    int singular_column;                     /* column of the last failed factorisation, from 1; 0: none */
    long factorisations;                     /* number of factorisations */
} rsd_fixed_matrix;

/** Last accepted step with an estimated error, and last failed iteration. */
typedef struct rsd_step_control {
    double h;        /* step size [s]; 0: none */
    double error;    /* estimated error of the step, in tolerances */
    double unsolved; /* size of the last step whose iteration failed [s] */
    double limit;    /* maximum size of the steps after it, increased in each step [s] */
} rsd_step_control;

/** Integrator with steps of a fixed size, or Radau IIA with variable size. */
typedef struct rsd_fixed {
    rsd_integration base;      /* data of every integrator; first member */
    rsd_owner owner;           /* owner of all memory of the integrator except the struct itself */
    resida_allocator alloc;    /* allocator whose blocks `owner` frees */
    resida_jacobian *engine;   /* Jacobian engine, borrowed */
    const rsd_method *method;  /* method of the steps */
    rsd_past past;             /* solution at previous times */
    rsd_newton newton;         /* Newton iteration of the stages */
    rsd_fixed_matrix matrix;   /* Newton matrix */
    int is_variable;           /* 1: the option `step` is 0, and Radau IIA takes steps of variable size */
    rsd_step_control control;  /* step size control */
    int tries;                 /* number of failed attempts at the current step */
    double *tested;            /* [n] weight of the component in the error test, 0 .. 1 */
    double first_origin;       /* time of the first start [s]; NaN: none */
    rsd_stages stages;         /* coefficients of the stages of the current step */
    double t_solved, h_solved; /* start of the current step in the user's time [s]; its size [s] */
    double *X, *k;             /* [s n] unknowns of the stages; constant parts of their derivatives (method.h) */
    double *X_start;           /* [s n] extrapolated unknowns, in variable steps */
    double *Y, *Yp;            /* [s n] arguments y and yp of F at the stages */
    double *F, *ewt;           /* [n] F at the point of J; error weights */
    double *held_F, *point;    /* [n] work space: F or constraint rows at a point; y of this point */
    unsigned char *held;       /* [n] 1: the row is a constraint that is evaluated at the unknowns X_i */
    /* Maximum over all steps of norms of the last correction: of its 2-norm, and of the maximum norm of each field. */
    double largest[1 + RSD_N_FIELDS];
    double *y_end, *yp_end;  /* [n] state at the end of the current step */
    double t_origin, t;      /* start of the grid [s]; end of the last step [s] */
    long on_grid;            /* number of steps since the start of the grid */
    double step_from;        /* start of the last step [s] */
    int is_begun;            /* 1: the initial values of the method are known */
    int is_reported;         /* 1: the formulation has processed the last step */
    int is_F_known;          /* 1: F at (t_F, y_F, yp_F) is known, with the inputs of the last step (fixed_inputs.c) */
    double t_F, *y_F, *yp_F; /* time [s] and [s n] arguments of the known F */
    int inputs_changed;      /* 1: the last call found changed inputs */
    long renewed_at;         /* value of `steps` when changed inputs last required a new J; 0: never */
    int order;               /* order of the method in the last step */
    long steps, error_test_fails; /* number of accepted steps; number of failed error tests */
    int has_failed_test;          /* 1: the last attempt failed the error test */
    double h, h_next;             /* step size of the grid [s]; of the next grid, if steps adapt [s] */
} rsd_fixed;

/** Copy the components [n] of a vector `from` to `to`. */
void rsd_fixed_copy(const rsd_fixed *fixed, double *to, const double *from);

/* --- fixed_step.c --- */

/** Return 1 if the error estimate determines the step size. */
int rsd_fixed_has_variable_size(const rsd_fixed *fixed);

/** Begin a grid of steps of size h at t_n. */
void rsd_fixed_begin_grid(rsd_fixed *fixed, double h);

/** Attempt the next step with the method m. Set *t to the end of the step and *h to its size. Return 0 on success, > 0
 *  if the step cannot be solved, < 0 on a fatal error. */
int rsd_fixed_try_step(rsd_fixed *fixed, const rsd_method *m, double t_stop, double *t, double *h);

/** Take one step that does not pass t_stop. t_out determines the size of a first step of variable size. Return
 *  RESIDA_OK, or the status that ends the integration. */
resida_status rsd_fixed_take_step(rsd_fixed *fixed, double t_out, double t_stop);

/* --- fixed_control.c: step sizes that adapt --- */

/** Repeat attempts, each on a new grid, until an attempt passes the error test. Set the size of the next step. Return 0
 *  on success, > 0 if no attempt passes, < 0 on a fatal error. */
int rsd_fixed_repeat_until_accepted(rsd_fixed *fixed, double t_stop, double *t, double *h);

/** Return the size of the first step of variable size. to_output is the time until the stop time or first output. */
double rsd_fixed_first_size(rsd_fixed *fixed, double to_output);

/* --- fixed_error.c: the error test --- */

/** Return the root mean square of x [n], in error weights, over the components in the error test. If all components are
 *  tested, components of index 2 and 3 are multiplied by h and h^2. */
double rsd_fixed_tested_norm(rsd_fixed *fixed, double h, const double *x);

/** Estimate the error of the step of size h that has been solved, in tolerances. Return 0 on success, > 0 if the error
 *  is not finite, < 0 on a fatal error. */
int rsd_fixed_estimate_error(rsd_fixed *fixed, double h, double *error);

/* --- fixed_newton.c: the stages of a step, solved by the iteration of newton.h --- */

/** Create the Newton iteration and the iteration matrix. Return RESIDA_OK or RESIDA_ERR_MEMORY. */
resida_status rsd_fixed_newton_create(rsd_fixed *fixed);

/** If the residual is an average, evaluate F at the point of J. Return 0, or the verdict of the evaluation. */
int rsd_fixed_eval_F_at_J(rsd_fixed *fixed);

/** Solve a step of size h from t_n. X is the predictor before the call and the solution after it. Yp is Y' after the
 *  call. If is_step is 1, also call the observer of the options and record the corrections. Return 0 on success, > 0 if
 *  the iteration failed, < 0 on a fatal error, whose status is in guard->stop. */
int rsd_fixed_newton_solve(rsd_fixed *fixed, const rsd_stages *stages, double h, int is_step);

/* --- fixed_inputs.c: inputs that change between two calls --- */

/** At the end of a call, save F at the end of the last step for the comparison in the next call. F is not evaluated if
 *  the last F of the iteration can be compared. Return 0, or < 0 on a fatal error, whose status is in guard->stop. */
int rsd_fixed_store_input_residual(rsd_fixed *fixed);

/** Correct derivatives, multipliers and back values at the beginning of the next call if F shows that the inputs have
 *  changed. Return 0, or < 0 on a fatal error. */
int rsd_fixed_correct_for_inputs(rsd_fixed *fixed);

/* --- fixed_matrix.c --- */

/** The functions by which the Jacobian engine uses the iteration matrix. set_up evaluates J at the attempt's point. */
extern const rsd_matrix_ops rsd_fixed_matrix_ops;

/** Return alpha for the engine: alpha of velocities in the last stage, or gamma/h in steps of variable size. */
double rsd_fixed_alpha(const rsd_fixed *fixed);

/** Compute b [n] = (A + gamma/h B)^-1 b after a setup, with A = dF/dy and B = dF/dyp, in steps of variable size. */
void rsd_fixed_solve_real(const rsd_fixed *fixed, double *b);

/** Compute b [n] = dF/dyp x. */
void rsd_fixed_multiply_by_dFdyp(const rsd_fixed *fixed, const double *x, double *b);

/** Return the matrix that was factored last. Its arrays belong to `fixed`. */
resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed *fixed);

/* --- fixed_past.c: the back values, their extrapolation and interpolation --- */

/** Allocate the vectors of the back values. The caller has set past->problem and past->o. @return RESIDA_OK or
 *  RESIDA_ERR_MEMORY */
resida_status rsd_past_create(rsd_past *past, const resida_allocator *alloc);

/** Begin the history with one value y, yp [n]. */
void rsd_past_begin(rsd_past *past, const double *y, const double *yp);

/** Save b, which was computed for steps of size h, so that attempts of the next step can be repeated. */
void rsd_past_save_back_values(rsd_past *past, double h);

/** Add the end y, yp [n] of an accepted step of size h. The caller has set b [n]. */
void rsd_past_add_step(rsd_past *past, double h, const double *y, const double *yp);

/** Set the polynomial of the step that was added last (rsd_past_add_step()), from its stages X [s n] and its error
 *  estimate e [n]. gamma is that of rsd_collocation. The polynomial replaces the other formulas of extrapolation and
 *  interpolation until the history begins again. */
void rsd_past_set_polynomial(rsd_past *past, const rsd_stages *st, const double *X, const double *e, double gamma);

/** Add a jump [n] at t_n to y' of velocities and first-order states, to y'' of positions, and to y of the other
 *  components. The back values become values of a motion with the derivatives after the jump. */
void rsd_past_apply_jump(rsd_past *past, const double *jump);

/** Extrapolate y [n] to t_n + h x by the polynomial of this degree through the back values. If there are too few back
 *  values, the degree is lower. A single back value is extrapolated with y'_n. */
void rsd_past_extrapolate(const rsd_past *past, double h, double x, int degree, double *y);

/** Interpolate y, yp [n] at t_n - h[0] (1 - x), 0 <= x <= 1, by the polynomial of the last step. Without a polynomial,
 *  differential components are interpolated by Hermite's cubic, the other components linearly. yp may be NULL. */
void rsd_past_interpolate(const rsd_past *past, double x, double *y, double *yp);

#endif
