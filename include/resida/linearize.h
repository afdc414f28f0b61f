/* resida/linearize.h - linearization of a model about a state: matrices, eigenvalues, modes, frequency responses.
 *
 *     E x' = A x + B u,    y = C x + D u        deviations from the state
 *
 * Of F(t, y, yp, u) = 0: x = y, E = dF/dyp, A = -dF/dy, B = -dF/du. Of a mechanism in independent coordinates:
 * x = (q, w, z) with
 *
 *     dp = P q + X u           P: orthonormal basis of the null space of dg/dp and K
 *     dv = N w + S dp + V u    N: of G and Gh, with the states z; S dp, V u satisfy 0 = G v + gI and 0 = Gh v + gh
 *     q' = P' d(T v)           kinematics
 *     N' M N w' = -N' d(Phi + G' lam)(dp, dv, a)         with d(G' lam)/dp and the constrained part of a
 *
 * P and N are those of the state. If the mechanism moves, x is the deviation from the motion with frozen coefficients.
 * Redundant constraints are left out. Inputs are u, ud and udd; their columns lack biases that are not given. Outputs
 * are p and v, or y, followed by those of a model if they are added.
 *
 * Derivatives are those of the model, else central differences with errors of about 1e-10 of the terms of a row. In the
 * explicit formalism give constraint_matrix: second differences of g leave errors of up to 1e-3 of an eigenvalue and
 * can lose a slow mode, without a report. doc/linearize.md has examples and the algorithms. */
#ifndef RESIDA_LINEARIZE_H
#define RESIDA_LINEARIZE_H

#include <resida/model.h>
#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A linearization. */
typedef struct resida_linearization resida_linearization;

/** A sparse matrix by columns (CSC), owned by the handle. */
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
    int n_unreached;     /**< zero eigenvalues of positions without velocity, n_p - (n_v - n_z) - n_k: norms of Euler
                                     parameters that are not invariants */
    int n_redundant;     /**< redundant constraints */
    int is_differenced;  /**< 1: derivatives of the formalism, or of F, are differences */
    double speed;        /**< max |y'| at the state; of a mechanism max |p'|, |v'|: 0 at rest */
    double acceleration; /**< max |a| of a mechanism; 0 of a general DAE */
    int n_components;    /**< outputs before those of the model: n_p + n_v, or n */
} resida_linear_model;

/** Eigenvalues of lambda E x = A x and their modes. Arrays are owned by the handle. */
typedef struct resida_modes {
    int n;            /**< finite nonzero eigenvalues; one of a complex pair */
    const double *re; /**< [n] real part [1/s] */
    const double *im; /**< [n] imaginary part [rad/s], >= 0; modes are sorted by it, then by re */
    const double
        *error; /**< [n] bound of the error by errors of A, first order [1/s]; a value below twice that may be 0 */
    const double *shape_re; /**< [n x n_outputs] C phi of mode k in row k; the largest position (else component) is 1 */
    const double *shape_im; /**< [n x n_outputs] imaginary part */
    const int *breaks;      /**< [n] 1: a mode of the formulation, which violates constraints, or no output moves */
    int n_zero;             /**< zero eigenvalues; -1: unknown */
    int n_infinite;         /**< infinite eigenvalues; -1: unknown */
    int n_lost;             /**< eigenvalues undetermined by rounding, not among the n */
    int n_still; /**< dimension of the null space of A: cyclic coordinates; n_zero also counts constant velocities */
    const double *still;     /**< [n_still x n_outputs] C x of each, reduced */
    const int *still_breaks; /**< [n_still] as `breaks` */
} resida_modes;

/** Linearize F(t, y, yp, u(t)) = 0.
 *  @param[out] l        new handle, NULL on failure; free with resida_linearization_free()
 *  @param[in]  problem  borrowed for the call; not within a call of its solver
 *  @param[in]  y, yp    [n] the state
 *  @param[out] why      may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER, _USER_REPEATED, _NONFINITE: callbacks failed;
 *          RESIDA_ERR_TOLERANCE: differences of g are rounding errors; RESIDA_ERR_MEMORY
 *  Cost: a first setup of J by central differences, two if F is differenced, up to eight more with components above 1;
 *  two calls of F for each input. */
RESIDA_API resida_status resida_linearize(resida_linearization **l, resida_problem *problem, double t, const double *y,
                                          const double *yp, resida_message *why);

/** Linearize a mechanism in independent coordinates, with the contacts that hold and the dropped rows of the last
 *  start.
 *  @param[in]  problem  of a mechanism, in any form; borrowed for the call
 *  @param[in]  p, v     [n_p], [n_v] a consistent state
 *  @param[in]  a, lam   [n_v], [n_g + n_h] of the state; lam NULL without constraints
 *  @return as resida_linearize(); RESIDA_ERR_STATE: a general DAE; RESIDA_ERR_SINGULAR: forces that depend on lam
 *          compensate it; RESIDA_ERR_MODEL: contacts with dry friction
 *  Cost: two setups by central differences, four if the formalism is differenced; four calls for each input; time
 *  O(n_v^3), memory O(n_v^2). */
RESIDA_API resida_status resida_linearize_mechanism(resida_linearization **l, resida_problem *problem, double t,
                                                    const double *p, const double *v, const double *a,
                                                    const double *lam, resida_message *why);

/** Add the outputs of a model as rows of C and D, "out.NAME", and to the shapes. Inputs are named by
 *  `excitation_names`.
 *
 *      d out = O_p dp + O_v dv + O_a da + O_lam dlam + O_u du        of a general DAE O_y dy + O_u du
 *
 *  Central differences have errors of about 1e-10 of the output; O_u is included if output() uses `u` of its point. An
 *  output is left out if it is unknown or jumps, or depends on what x and u do not determine: y', a or lam of a
 *  formulation without them, both if a direction has no inertia. Earlier results of the handle become invalid.
 *  @param[in]  model  of the sizes of the problem
 *  @param[out] why    why outputs are left out, also with RESIDA_OK; may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: they were added before, or a model of another kind;
 *          RESIDA_ERR_USER: output() failed; RESIDA_ERR_MEMORY. After a failure nothing is added
 *  Cost: at most 8 (n + n_inputs) + 3 calls of output(), twice that for steep outputs. */
RESIDA_API resida_status resida_linearization_add_outputs(resida_linearization *l, const resida_model *model,
                                                          resida_message *why);

/** Free a linearization or NULL. */
RESIDA_API void resida_linearization_free(resida_linearization *l);

/** Get the matrices. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_linearization_get(const resida_linearization *l, resida_linear_model *model);

/** Compute eigenvalues and modes.
 *  @param[in]  count    0: all, by dense matrices (dsygv if symmetric and undamped, else dgeev after deflation of
 *                       infinite ones, improved in twice the precision); > 0: at most so many, closest to i 2 pi near,
 *                       by Arnoldi's method with sparse factors
 *  @param[in]  near     [Hz] >= 0; unused if count = 0
 *  @param[out] modes    valid until the next call for l
 *  @param[out] why      may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_OPTION: all of more than 2000 unknowns; RESIDA_ERR_SINGULAR: a
 *          direction has neither inertia nor force; RESIDA_ERR_NEWTON: no convergence; RESIDA_ERR_MEMORY
 *  Cost: no residual call; O(n^3), or a few sparse factorisations for each eigenvalue. */
RESIDA_API resida_status resida_linearization_modes(resida_linearization *l, int count, double near,
                                                    resida_modes *modes, resida_message *why);

/** Compute frequency responses Y of the outputs to one excitation u = Re(e^(s t)), s = i 2 pi f, with its derivatives:
 *
 *      Y = C (s E - A)^-1 b + d,    b = B_u + s B_ud + s^2 B_udd,    d = D_u + s D_ud + s^2 D_udd
 *
 *  |Y| is the amplitude for an excitation of 1, arg Y the phase lead, of the steady response if all modes decay.
 *  @param[in]  excitation  0 <= . < n_inputs/3
 *  @param[in]  frequency   [n] f [Hz], finite and >= 0
 *  @param[out] re, im      [n x n_outputs] Y, a row for each frequency
 *  @param[out] why         may be NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_SINGULAR: s is an eigenvalue; RESIDA_ERR_MEMORY
 *  Cost: no residual call; a complex sparse factorisation for each frequency. */
RESIDA_API resida_status resida_linearization_response(const resida_linearization *l, int excitation, int n,
                                                       const double *frequency, double *re, double *im,
                                                       resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
