/* fixed.h - the integrator with steps of a fixed size: its state, and what its files do with it.
 *
 * Times count from the last start; those of callbacks are the user's. */
#ifndef RSD_FIXED_H
#define RSD_FIXED_H

#include "src/core/events/integrator.h"

#include "method.h"
#include "base/linear/linear_solver.h"
#include "src/core/newton/newton.h"
#include "src/core/newton/scaling.h"

#define RSD_SAME_TIME 1e-9 /* of h: a time as near to a grid point is that grid point */

/** The iteration matrix of a step, from dF/dy and dF/dyp of the Jacobian engine:
 *
 *     block (i, j) = e_ij dF/dy + d_ij/h dF/dyp,      e and d by the field of the column
 *
 *  both taken at one point. A single stage with the same d for all fields has J = dF/dy + alpha dF/dyp as it comes. */
typedef struct rsd_fixed_matrix {
    rsd_scaling *scaling;                      /* NULL: none */
    rsd_linear_solver *linear[RSD_MAX_STAGES]; /* by the number of stages; NULL: not created yet */
    long pattern[RSD_MAX_STAGES];              /* of J, for which each solver was analysed */
    int s;                                     /* stages of the present matrix */
    int *start, *row;                          /* pattern of the matrix, by columns */
    double *values, *with_alpha;               /* of the matrix; of J = dF/dy + alpha dF/dyp */
    int *block_start, *block_row, *block_from; /* pattern of a block by columns; its entries in J, -1: none */
    int room, room_J;                          /* allocated entries of the matrix; of with_alpha */
    long factorisations;
    int singular_column; /* of the last failed factorisation, from 1; 0: none */
} rsd_fixed_matrix;

typedef struct rsd_fixed {
    rsd_integration base;
    rsd_owner owner; /* of all memory but the handle itself */
    resida_allocator alloc;
    resida_jacobian *engine;
    const rsd_method *method;
    rsd_past past;
    rsd_newton newton;
    rsd_fixed_matrix matrix;
    rsd_stages stages;         /* of the step that is solved */
    double t_solved, h_solved; /* [s] user's time of its start; its size */
    double *X, *k;             /* [s n] its stages; constant part of their derivatives */
    double *Y, *Yp;            /* [s n] arguments of F at the stages */
    double *F, *ewt;           /* [n] F at the point of J; error weights */
    double *held_F, *point;    /* [n] one F of an average, or rows of constraints; argument of that F */
    unsigned char *held;       /* [n] 1: the row of a held constraint */
    /* Largest last corrections of all steps: 2-norm, then maximum norm by field. */
    double largest[1 + RSD_N_FIELDS];
    double *y_end, *yp_end;  /* [n] end of the present step */
    double t_origin, t;      /* [s] start of the grid, t_0; end of the last step */
    long on_grid;            /* steps since t_0 */
    double step_from;        /* [s] start of the last step */
    int is_begun;            /* 1: the method has made its first step's values */
    int is_reported;         /* 1: the formulation knows the last step */
    int is_F_known;          /* 1: F is that at (t_F, y_F, yp_F), with the inputs of the last step (fixed_inputs.c) */
    double t_F, *y_F, *yp_F; /* [s], [s n] */
    int inputs_move;         /* 1: they had changed at the last call */
    long renewed_at;         /* steps when J was renewed because of that; 0: never */
    int order;               /* of the last step */
    long steps, error_test_fails;
    int is_rough;     /* 1: the last try failed the error test */
    double h, h_next; /* [s] step size of the grid; adaptive: of the next grid */
} rsd_fixed;

/** to = from, [n]. */
void rsd_fixed_copy(const rsd_fixed *it, double *to, const double *from);

/* --- fixed_step.c --- */

/** Begin a grid of steps h at t_n. */
void rsd_fixed_begin_grid(rsd_fixed *it, double h);

/** Take one step, not beyond t_stop. @return RESIDA_OK; the status that ends the integration, with its message */
resida_status rsd_fixed_take_step(rsd_fixed *it, double t_stop);

/* --- fixed_newton.c: the stages of a step, solved by the iteration of newton.h --- */

/** Create the iteration and its matrix. RESIDA_OK; RESIDA_ERR_MEMORY: the owner of it->alloc frees the arrays. */
resida_status rsd_fixed_newton_create(rsd_fixed *it);

/** Solve a step of size h from t_n: X in and out, Yp is Y' then. is_step: call the options' observer, and record the
 *  corrections.
 *  @return 0; > 0 not solved; < 0 stop, guard->stop has the status */
int rsd_fixed_newton_solve(rsd_fixed *it, const rsd_stages *stages, double h, int is_step);

/* --- fixed_inputs.c: inputs that change between two calls --- */

/** At the end of a call that has reached the end of a step: note F, unless that of the iteration will do. 0; < 0 stop,
 *  guard->stop says why. */
int rsd_fixed_note_inputs(rsd_fixed *it);

/** At the beginning of the next one: derivatives, multipliers and back values become those of the inputs as they are
 *  now, where F has changed. 0; < 0 stop. */
int rsd_fixed_take_inputs(rsd_fixed *it);

/* --- fixed_matrix.c --- */

/** 1: J with alpha is the matrix; 0: the matrix needs dF/dy and dF/dyp apart. */
int rsd_stages_are_plain(const rsd_stages *st);

/** alpha of the engine: that of velocities in the last stage. */
double rsd_stages_alpha(const rsd_stages *st, double h);

/** Keep the values of J = dF/dy + alpha dF/dyp, to subtract dF/dy. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_fixed_matrix_keep(rsd_fixed *it, const resida_jacobian_matrix *J);

/** Assemble the matrix from J (dF/dy alone, if J with alpha was kept) and factor it. 0; > 0: singular; < 0: a
 *  resida_status, with its message. */
int rsd_fixed_matrix_factor(rsd_fixed *it, const resida_jacobian_matrix *J);

/** The last matrix that was factored, in memory of `it`. */
resida_jacobian_matrix rsd_fixed_matrix_get(const rsd_fixed *it);

/* --- fixed_past.c: the back values, their extrapolation and interpolation --- */

/** Allocate the vectors; problem and o are set before. RESIDA_OK; RESIDA_ERR_MEMORY. */
resida_status rsd_past_create(rsd_past *past, const resida_allocator *alloc);

/** Begin with one value y, yp [n]. */
void rsd_past_begin(rsd_past *past, const double *y, const double *yp);

/** Keep b, which is for steps of size h, for tries of the next step. */
void rsd_past_keep(rsd_past *past, double h);

/** Add the end y, yp [n] of an accepted step of size h; b [n] is set already. */
void rsd_past_push(rsd_past *past, double h, const double *y, const double *yp);

/** Derivatives jump at t_n: y' of velocities and states by jump [n], y'' of positions, the rest itself. Back values
 *  become those of a motion with the derivatives after the jump. */
void rsd_past_jump(rsd_past *past, const double *jump);

/** Extrapolate y [n] to t_n + h x by the polynomial of at most this degree through the back values; through y_n and
 *  y'_n if there is one value. */
void rsd_past_extrapolate(const rsd_past *past, double h, double x, int degree, double *y);

/** Interpolate y, yp [n] at t_n - h[0] (1 - x), 0 <= x <= 1: differential components by Hermite's cubic, the rest
 *  linearly; yp may be NULL. */
void rsd_past_interpolate(const rsd_past *past, double x, double *y, double *yp);

#endif
