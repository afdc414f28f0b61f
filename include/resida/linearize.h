/* resida/linearize.h - a model linear about a state: its matrices, its eigenvalues and modes.
 *
 *     E x' = A x + B u,    y = C x + D u        all of them deviations from the state
 *
 * Of a problem F(t, y, yp, u) = 0 in any formulation: x = y, E = dF/dyp, A = -dF/dy, B = -dF/du.
 *
 * Of a mechanism in independent coordinates, whatever the formulation: x = (q, w, z) with
 *
 *     dp = P q + X u           P: orthonormal basis of the null space of dg/dp and of the invariants' K
 *     dv = N w + S dp + V u    N: of G and Gh, with the states z as they are; S dp, V u keep 0 = G v + gI and
 *                              0 = Gh v + gh
 *     q' = P' d(T v)           kinematics
 *     N' M N w' = -N' d(Phi + G' lam)(dp, dv, a)         with the curvature d(G' lam)/dp of constraint forces, and with
 *                                                        what of a the constraints prescribe
 *
 * The coordinates P'(p - p0), N'(v - v0) have constant P, N: those of the state. Where the mechanism moves there, x is
 * the deviation from the motion, and the matrices are those of the moment: frozen coefficients, whose eigenvalues say
 * little of a motion that changes as fast as they do, and are others in other coordinates. In the explicit formalism,
 * and where applied forces depend on lam, another basis of what lam does not reach takes the place of N' on the left;
 * the eigenvalues are the same. Constraints that depend on others are left out.
 *
 * u are the excitations: u, ud and udd, each an input of its own. That a model depends on ud and udd is seen by its
 * velocity_bias and acceleration_bias; where they are missing these columns lack what the constraints bring in.
 * y are the positions and velocities by name, of a general DAE all of its unknowns, and behind them the outputs of a
 * model (resida/model.h), where these are added.
 *
 * Derivatives are the model's own where it gives them, else central differences by the Jacobian engine (jacobian.h),
 * with errors of some 1e-10 of the terms of a row. Give constraint_matrix in the explicit formalism: a dg/dp by
 * differences, differenced once more, leaves errors of up to 1e-3 of an eigenvalue and can lose a slow mode; neither is
 * reported. */
#ifndef RESIDA_LINEARIZE_H
#define RESIDA_LINEARIZE_H

#include <resida/model.h>
#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model that was linearised. */
typedef struct resida_linearization resida_linearization;

/** A matrix by columns, in memory of the handle. */
typedef struct resida_matrix {
    int rows;             /**< >= 0 */
    int columns;          /**< >= 0 */
    const int *start;     /**< [columns + 1] start of each column */
    const int *row;       /**< [start[columns]] rows from 0, rising within a column */
    const double *values; /**< [start[columns]] */
} resida_matrix;

/** The linear model. All arrays are memory of the handle. */
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
    const char *const *states;  /**< [n] names of x: those of y, or q[i], w[i], z[i] in independent coordinates */
    const char *const *inputs;  /**< [n_inputs] names: u[i], ud[i], udd[i] */
    const char *const *outputs; /**< [n_outputs] names */
    int is_independent;         /**< 1: in independent coordinates of a mechanism */
    int n_q;                    /**< independent positions; 0 unless is_independent */
    int n_w;                    /**< independent velocities, without states; 0 unless is_independent */
    int n_unreached;            /**< of the n_q: n_p - (n_v - n_z) - n_k that no velocity reaches, each an eigenvalue 0:
                                     norms of Euler parameters that the model does not give as invariants */
    int n_redundant;            /**< constraints (position level and nonholonomic) that depend on others; likewise */
    int is_differenced;         /**< 1: derivatives of the formalism, or of F, are differences */
    double speed;               /**< largest |y'| at the state, of a mechanism that of |p'|, |v'|: 0 at rest */
    double acceleration;        /**< largest |a| at the state of a mechanism; 0 of a general DAE */
    int n_components;           /**< of y, the first: the state's own, of a mechanism n_p + n_v, else n */
} resida_linear_model;

/** Eigenvalues of lambda E x = A x, and what belongs to them. All arrays are memory of the handle. */
typedef struct resida_modes {
    int n;               /**< modes: finite eigenvalues that are not zero; of a complex pair the one with im > 0 */
    const double *re;    /**< [n] real part [1/s] */
    const double *im;    /**< [n] imaginary part [rad/s], >= 0; modes are sorted by it, then by re */
    const double *error; /**< [n] largest change of the eigenvalue by errors of the entries of A, to first order [1/s]:
                                  where 2 error >= |re + i im|, it may be zero */
    const double *shape_re;  /**< [n x n_outputs] row k: C phi of mode k; the largest position (without one the largest
                                 component) is 1 */
    const double *shape_im;  /**< [n x n_outputs] likewise */
    const int *breaks;       /**< [n] 1: the shape breaks the constraints: a mode of the formulation, not of the
                                 mechanism, such as the decay of Baumgarte's method; also where none of the
                                 outputs moves */
    int n_zero;              /**< eigenvalues that are zero; -1: not known, only some eigenvalues were looked for */
    int n_infinite;          /**< infinite eigenvalues, of constraints and algebraic equations; -1: not known */
    int n_lost;              /**< fast eigenvalues that rounding does not tell from others; they are not among the n */
    int n_still;             /**< directions x with A x = 0, in which nothing pulls back nor damps: cyclic coordinates.
                                 n_zero is larger where a velocity in such a direction stays as well */
    const double *still;     /**< [n_still x n_outputs] C x of each, reduced so that each has an output of its own where
                                 it is 1 and the others are 0 */
    const int *still_breaks; /**< [n_still] as `breaks`: what the formulation lets drift */
} resida_modes;

/** Linearise F(t, y, yp, u(t)) = 0 as it is.
 *  @param[out] l        new handle, NULL on failure; free with resida_linearization_free()
 *  @param[in]  problem  borrowed for the call, not within a call of a solver of it
 *  @param[in]  y, yp    [n] the state, that of a solver for example; it need not be at rest
 *  @param[out] why      or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_USER, _USER_REPEATED, _NONFINITE: callbacks failed near the
 *          state; RESIDA_ERR_TOLERANCE: dg/dp is found by differences, and lost to rounding so far from the origin;
 *          RESIDA_ERR_MEMORY
 *  Cost: that of a first setup of a Jacobian, central, of two where F is differenced, and of one to eight more where a
 *  component is above 1, whose increments are tried shorter; and two calls of F for each
 *  input. */
RESIDA_API resida_status resida_linearize(resida_linearization **l, resida_problem *problem, double t, const double *y,
                                          const double *yp, resida_message *why);

/** Linearise a mechanism in independent coordinates. Contacts that hold are as the last start of the problem has them:
 *  closed ones are constraints. A row that this start has dropped is none: it depends on others, or is rounding.
 *  @param[in]  problem  of a mechanism, in any form; borrowed for the call
 *  @param[in]  p, v     [n_p], [n_v] the state, consistent as a start is
 *  @param[in]  a, lam   [n_v], [n_g + n_h] what belongs to it; lam NULL without constraints
 *  @return as resida_linearize(); RESIDA_ERR_STATE: a general DAE; RESIDA_ERR_SINGULAR: forces that depend on lam
 *          balance it; RESIDA_ERR_MODEL: contacts that hold with dry friction
 *  Cost: that of two first setups, central, of four where the formalism is differenced, and four calls for each input;
 *  full matrices, O(n_v^3) time and O(n_v^2) memory. */
RESIDA_API resida_status resida_linearize_mechanism(resida_linearization **l, resida_problem *problem, double t,
                                                    const double *p, const double *v, const double *a,
                                                    const double *lam, resida_message *why);

/** The outputs of a model as further rows of C and D, "out.NAME", and as further parts of shapes:
 *
 *      d out = O_p dp + O_v dv + O_a da + O_lam dlam + O_u du        of a general DAE O_y dy + O_u du
 *
 *  where dp, dv are the rows that are there, and da, dlam what the equations of motion and the constraints make of
 *  them. The derivatives are central differences in these directions, with errors of some 1e-10 of the output. O_u is
 *  there where output() takes `u` of its point; what it takes from excitations by t is not in D. The inputs are called
 *  u.NAME, ud.NAME, udd.NAME where the model has `excitation_names`. An output is left out where it is not known at the
 *  state, where it jumps there (an angle that is not unique), and where it depends on what does not follow from x, u:
 *  on y' of a general DAE; on a or lam of a formulation that does not have it among its unknowns; on both where a
 *  direction has no inertia.
 *  @param[in]  model  whose outputs, of sizes as the problem's: is_dae, n_outputs, output_names and output() are looked
 *                     at; without outputs nothing happens
 *  @param[out] why    or NULL: why one of them is left out, although the status is RESIDA_OK; empty if none is
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: they were added before, or the model is of another kind;
 *          RESIDA_ERR_USER: output() failed; RESIDA_ERR_MEMORY. On failure nothing is added
 *  What was got of the handle before is no longer valid.
 *  Cost: at most 8 (n + n_inputs) + 3 calls of output(), twice that of outputs that are steep. */
RESIDA_API resida_status resida_linearization_add_outputs(resida_linearization *l, const resida_model *model,
                                                          resida_message *why);

/** Free it; NULL is fine. */
RESIDA_API void resida_linearization_free(resida_linearization *l);

/** The matrices. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_linearization_get(const resida_linearization *l, resida_linear_model *model);

/** Eigenvalues and modes.
 *  @param[in]  count    0: all eigenvalues, by full matrices. Of independent coordinates with M symmetric and positive
 *                       definite, K symmetric, and no damping: those of K x = value M x by LAPACK's dsygv, so that
 *                       nothing grows or decays by rounding. Else infinite ones are taken out of the
 *                       pencil by rank decisions, what is left are the eigenvalues of (A - s E)^-1 E by dgeev. Each is
 *                       then y A x/(y E x) of its right and left vector with the E and A given, in twice the precision:
 *                       the error of second order in those of the vectors. It is zero where it is not larger than what
 *                       rounding of A makes of a zero; what rounding does not determine is counted in n_lost, not
 *                       listed. Where the residual |y| |A x - lambda E x| is above 1e-6 |lambda y E x|, inverse
 *                       iteration follows until lambda changes by less than 1e-9, or it is not listed either.
 *                       > 0: at most so many, those nearest to i 2 pi near; without the symmetry above by Arnoldi's
 *                       method on (A - s E)^-1 E with sparse factors, each refined by inverse iteration; zero and
 *                       infinite ones are not counted then
 *  @param[in]  near     [Hz] >= 0; not looked at without count
 *  @param[out] modes    filled; valid until the next call for l
 *  @param[out] why      or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_OPTION: all of more than 2000 unknowns;
 *          RESIDA_ERR_SINGULAR: the pencil is singular, a direction has neither inertia nor force; RESIDA_ERR_NEWTON:
 *          the eigenvalue iteration did not converge; RESIDA_ERR_MEMORY
 *  Cost: no residual call; O(n^3), of some eigenvalues a few sparse factorisations for each. */
RESIDA_API resida_status resida_linearization_modes(resida_linearization *l, int count, double near,
                                                    resida_modes *modes, resida_message *why);

/** Frequency responses: the outputs y = Re(Y e^(s t)), s = i 2 pi f, while one excitation oscillates, u = Re(e^(s t)),
 *  ud = Re(s e^(s t)), udd = Re(s^2 e^(s t)), and all others rest:
 *
 *      Y = C (s E - A)^-1 b + d,    b = B_u + s B_ud + s^2 B_udd,    d = D_u + s D_ud + s^2 D_udd
 *
 *  |Y| is the amplitude of each output for an excitation of 1, arg Y how far it leads. It is what the model does after
 *  a while where each of its modes decays; where one grows it is not.
 *  @param[in]  excitation  0 <= . < n_inputs/3
 *  @param[in]  frequency   [n] f [Hz], finite and >= 0
 *  @param[out] re, im      [n x n_outputs] Y row by row, a row for each frequency
 *  @param[out] why         or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_SINGULAR: s is an eigenvalue, as of a mode without damping, or 0
 *          where nothing holds a direction; RESIDA_ERR_MEMORY
 *  Cost: no residual call; one sparse factorisation of complex numbers for each frequency. */
RESIDA_API resida_status resida_linearization_response(const resida_linearization *l, int excitation, int n,
                                                       const double *frequency, double *re, double *im,
                                                       resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
