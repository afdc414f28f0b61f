/* resida/linearize.h - linearization of a model about a state: matrices, eigenvalues, modes, frequency responses.
 *
 *     E x' = A x + B u,    y = C x + D u        all of them deviations from the state
 *
 * Of F(t, y, yp, u) = 0 in any formulation: x = y, E = dF/dyp, A = -dF/dy, B = -dF/du.
 *
 * Of a mechanism in independent coordinates: x = (q, w, z) with
 *
 *     dp = P q + X u           P: orthonormal basis of the null space of dg/dp and K
 *     dv = N w + S dp + V u    N: of G and Gh, with the states z; S dp, V u satisfy 0 = G v + gI and 0 = Gh v + gh
 *     q' = P' d(T v)           kinematics
 *     N' M N w' = -N' d(Phi + G' lam)(dp, dv, a)         with d(G' lam)/dp and the constrained part of a
 *
 * P and N are constant, those of the state. If the mechanism moves, x is the deviation from the motion, and the
 * matrices are frozen coefficients, whose eigenvalues depend on the coordinates. Redundant constraints are left out.
 *
 * The inputs are u, ud and udd. Without velocity_bias and acceleration_bias the columns of ud and udd lack the part of
 * the constraints. The outputs are positions and velocities, or y of a general DAE, followed by outputs of a model
 * (resida/model.h) if they are added.
 *
 * Derivatives are those of the model, else central differences with errors of about 1e-10 of the terms of a row. Give
 * constraint_matrix in the explicit formalism: second differences of g leave errors of up to 1e-3 of an eigenvalue and
 * can lose a slow mode; neither is reported. */
#ifndef RESIDA_LINEARIZE_H
#define RESIDA_LINEARIZE_H

#include <resida/model.h>
#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A linearization. */
typedef struct resida_linearization resida_linearization;

/** A sparse matrix by columns (CSC), in memory of the handle. */
typedef struct resida_matrix {
    int rows;             /**< >= 0 */
    int columns;          /**< >= 0 */
    const int *start;     /**< [columns + 1] start of each column */
    const int *row;       /**< [start[columns]] rows, base 0, ascending within a column */
    const double *values; /**< [start[columns]] */
} resida_matrix;

/** The linear model. Arrays are owned by the handle. */
typedef struct resida_linear_model {
    double t;                   /**< [s] of the state */
    int n;                      /**< components of x */
    int n_inputs;               /**< 3 n_u: u, ud, udd */
    int n_outputs;              /**< components of y */
    resida_matrix E;            /**< [n x n] */
    resida_matrix A;            /**< [n x n] */
    resida_matrix B;            /**< [n x n_inputs] */
    resida_matrix C;            /**< [n_outputs x n] */
    resida_matrix D;            /**< [n_outputs x n_inputs] */
    const char *const *states;  /**< [n] names of x: those of y, or q[i], w[i], z[i] */
    const char *const *inputs;  /**< [n_inputs] names: u[i], ud[i], udd[i] */
    const char *const *outputs; /**< [n_outputs] names */
    int is_independent;         /**< 1: independent coordinates of a mechanism */
    int n_q;                    /**< independent positions; 0 unless is_independent */
    int n_w;                    /**< independent velocities, without states; 0 unless is_independent */
    int n_unreached;     /**< eigenvalues 0 of the n_q that no velocity reaches, n_p - (n_v - n_z) - n_k: norms of
                                Euler parameters that are not invariants of the model */
    int n_redundant;     /**< redundant constraints (position level and nonholonomic) */
    int is_differenced;  /**< 1: derivatives of the formalism, or of F, are differences */
    double speed;        /**< max |y'| at the state; of a mechanism max |p'|, |v'|: 0 at rest */
    double acceleration; /**< max |a| of a mechanism; 0 of a general DAE */
    int n_components;    /**< number of outputs before those of the model: n_p + n_v, or n */
} resida_linear_model;

/** Eigenvalues of lambda E x = A x and their modes. Arrays are owned by the handle. */
typedef struct resida_modes {
    int n;                   /**< finite, nonzero eigenvalues; of a complex pair that with im > 0 */
    const double *re;        /**< [n] real part [1/s] */
    const double *im;        /**< [n] imaginary part [rad/s], >= 0; modes are sorted by it, then by re */
    const double *error;     /**< [n] bound of the error of the eigenvalue by errors of A, first order [1/s]; if
                                2 error >= |re + i im| it may be zero */
    const double *shape_re;  /**< [n x n_outputs] row k: C phi of mode k; the largest position (else component) is 1 */
    const double *shape_im;  /**< [n x n_outputs] imaginary part */
    const int *breaks;       /**< [n] 1: the shape violates the constraints (a mode of the formulation, such as the
                                decay of Baumgarte's method), or no output moves */
    int n_zero;              /**< zero eigenvalues; -1: unknown, only some were computed */
    int n_infinite;          /**< infinite eigenvalues, of constraints and algebraic equations; -1: unknown */
    int n_lost;              /**< eigenvalues that rounding does not determine; not among the n */
    int n_still;             /**< dimension of the null space of A: cyclic coordinates. n_zero is larger if
                                velocities in these directions are constant too */
    const double *still;     /**< [n_still x n_outputs] C x of each, reduced: each has an output that is 1 for it
                                and 0 for the others */
    const int *still_breaks; /**< [n_still] as `breaks` */
} resida_modes;

/** Linearize F(t, y, yp, u(t)) = 0.
 *  @param[out] l        new handle, NULL on failure; free with resida_linearization_free()
 *  @param[in]  problem  borrowed for the call; not within a call of its solver
 *  @param[in]  y, yp    [n] the state
 *  @param[out] why      may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER, _USER_REPEATED, _NONFINITE: callbacks failed near the
 *          state; RESIDA_ERR_TOLERANCE: differences of g for dg/dp are rounding errors; RESIDA_ERR_MEMORY
 *  Cost: a first setup of J by central differences, two if F is differenced, one to eight more if a component exceeds 1
 *  (smaller increments are tried); two calls of F for each input. */
RESIDA_API resida_status resida_linearize(resida_linearization **l, resida_problem *problem, double t, const double *y,
                                          const double *yp, resida_message *why);

/** Linearize a mechanism in independent coordinates. Contacts that hold, and dropped rows, are those of the last start
 *  of the problem.
 *  @param[in]  problem  of a mechanism, in any form; borrowed for the call
 *  @param[in]  p, v     [n_p], [n_v] a consistent state
 *  @param[in]  a, lam   [n_v], [n_g + n_h] of the state; lam NULL without constraints
 *  @return as resida_linearize(); RESIDA_ERR_STATE: a general DAE; RESIDA_ERR_SINGULAR: forces that depend on lam
 *          compensate it; RESIDA_ERR_MODEL: contacts that hold with dry friction
 *  Cost: two first setups by central differences, four if the formalism is differenced; four calls for each input;
 *  O(n_v^3) time and O(n_v^2) memory. */
RESIDA_API resida_status resida_linearize_mechanism(resida_linearization **l, resida_problem *problem, double t,
                                                    const double *p, const double *v, const double *a,
                                                    const double *lam, resida_message *why);

/** Add the outputs of a model as rows of C and D, "out.NAME", and to the shapes:
 *
 *      d out = O_p dp + O_v dv + O_a da + O_lam dlam + O_u du        of a general DAE O_y dy + O_u du
 *
 *  Derivatives are central differences with errors of about 1e-10 of the output. O_u is included if output() uses `u`
 *  of its point. Inputs are named u.NAME, ud.NAME, udd.NAME by `excitation_names`. An output is left out if it is
 *  unknown or jumps at the state, or if it depends on quantities that x and u do not determine: y' of a general DAE, a
 *  or lam of a formulation without them, and both if a direction has no inertia.
 *  @param[in]  model  of the sizes of the problem: is_dae, n_outputs, output_names and output() are used
 *  @param[out] why    why an output is left out, although the status is RESIDA_OK; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: they were added before, or the model is of another kind;
 *          RESIDA_ERR_USER: output() failed; RESIDA_ERR_MEMORY. After a failure nothing is added
 *  Earlier results of the handle become invalid.
 *  Cost: at most 8 (n + n_inputs) + 3 calls of output(), twice that for steep outputs. */
RESIDA_API resida_status resida_linearization_add_outputs(resida_linearization *l, const resida_model *model,
                                                          resida_message *why);

/** Free a linearization or NULL. */
RESIDA_API void resida_linearization_free(resida_linearization *l);

/** Matrices. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_linearization_get(const resida_linearization *l, resida_linear_model *model);

/** Eigenvalues and modes.
 *  @param[in]  count    0: all eigenvalues, by dense matrices: K x = value M x by dsygv if M and K are symmetric, M is
 *                       positive definite and nothing is damped; else infinite eigenvalues are deflated by rank
 *                       decisions, and dgeev gives those of (A - s E)^-1 E, corrected by y A x/(y E x) in twice the
 *                       precision. Eigenvalues that rounding does not determine are counted in n_lost.
 *                       > 0: at most so many, closest to i 2 pi near, by Arnoldi's method with sparse factors and
 *                       inverse iteration; n_zero and n_infinite are then unknown. See doc/linearize.md
 *  @param[in]  near     [Hz] >= 0; unused if count = 0
 *  @param[out] modes    valid until the next call for l
 *  @param[out] why      may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_OPTION: all of more than 2000 unknowns;
 *          RESIDA_ERR_SINGULAR: the pencil is singular, a direction has neither inertia nor force; RESIDA_ERR_NEWTON:
 *          no convergence; RESIDA_ERR_MEMORY
 *  Cost: no residual call; O(n^3), or a few sparse factorisations for each eigenvalue. */
RESIDA_API resida_status resida_linearization_modes(resida_linearization *l, int count, double near,
                                                    resida_modes *modes, resida_message *why);

/** Frequency responses: outputs y = Re(Y e^(s t)), s = i 2 pi f, for one excitation u = Re(e^(s t)),
 *  ud = Re(s e^(s t)), udd = Re(s^2 e^(s t)):
 *
 *      Y = C (s E - A)^-1 b + d,    b = B_u + s B_ud + s^2 B_udd,    d = D_u + s D_ud + s^2 D_udd
 *
 *  |Y| is the amplitude for an excitation of 1, arg Y the phase lead: the steady response if all modes decay.
 *  @param[in]  excitation  0 <= . < n_inputs/3
 *  @param[in]  frequency   [n] f [Hz], finite and >= 0
 *  @param[out] re, im      [n x n_outputs] Y, a row for each frequency
 *  @param[out] why         may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_SINGULAR: s is an eigenvalue (an undamped mode, or s = 0 with
 *          a free direction); RESIDA_ERR_MEMORY
 *  Cost: no residual call; a complex sparse factorisation for each frequency. */
RESIDA_API resida_status resida_linearization_response(const resida_linearization *l, int excitation, int n,
                                                       const double *frequency, double *re, double *im,
                                                       resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
