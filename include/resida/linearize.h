/* resida/linearize.h - linearization of a model about a state: matrices, eigenvalues, modes, frequency responses.
 *
 *     E x' = A x + B u,    y = C x + D u        deviations from the state
 *
 * Of F(t, y, yp, u) = 0: x = y, E = dF/dyp, A = -dF/dy, B = -dF/du. Of a mechanism: x = (q, w, z) in independent
 * coordinates (doc/mathematics.md, section 13); eigenvalues at a moving state depend on these coordinates. Redundant
 * constraints are omitted. Inputs are the excitations u, ud and udd. Their effect on a bias is included only if the
 * model gives the bias. Outputs are p and v, or y, and those of a model if they are added.
 *
 * Derivatives are those of the model, else central differences. In the explicit formalism give constraint_matrix.
 * Without it, second differences of g cause errors of up to 1e-3 of an eigenvalue, and can lose a slow mode
 * (doc/linearize.md). */
#ifndef RESIDA_LINEARIZE_H
#define RESIDA_LINEARIZE_H

#include <resida/model.h>
#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Linearization of a problem. */
typedef struct resida_linearization resida_linearization;

/** Sparse matrix by columns (CSC). */
typedef struct resida_matrix {
    int rows;             /**< number of rows */
    int columns;          /**< number of columns */
    const int *start;     /**< [columns + 1] start of each column in row and values */
    const int *row;       /**< [start[columns]] row of each entry, base 0, ascending within a column */
    const double *values; /**< [start[columns]] value of each entry */
} resida_matrix;

/** Linear model E x' = A x + B u, y = C x + D u. Arrays are owned by the handle. */
typedef struct resida_linear_model {
    double t;                   /**< time of the state [s] */
    int n;                      /**< number of states x */
    int n_inputs;               /**< number of inputs u, 3 n_u */
    int n_outputs;              /**< number of outputs y */
    resida_matrix E;            /**< [n x n] matrix of x' */
    resida_matrix A;            /**< [n x n] state matrix */
    resida_matrix B;            /**< [n x n_inputs] input matrix */
    resida_matrix C;            /**< [n_outputs x n] output matrix */
    resida_matrix D;            /**< [n_outputs x n_inputs] feedthrough matrix */
    const char *const *states;  /**< [n] names of x: those of y, or q[i], w[i], z[i] */
    const char *const *inputs;  /**< [n_inputs] names of inputs: u[i], ud[i], udd[i] */
    const char *const *outputs; /**< [n_outputs] names of outputs */
    int is_independent;         /**< 1: x has independent coordinates of a mechanism */
    int n_q;                    /**< number of positions q in x; 0 unless is_independent */
    int n_w;                    /**< number of velocities w in x; 0 unless is_independent */
    int n_unreached;            /**< number of zero eigenvalues of positions without velocity, n_p - (n_v - n_z) -
                                     n_k */
    int n_redundant;            /**< number of redundant constraints */
    int is_differenced;         /**< 1: derivatives of the formalism, or of F, are differences */
    double speed;               /**< max |y'| at the state, of a mechanism max |p'|, |v'|; 0 at rest */
    double acceleration;        /**< max |a| of a mechanism; else 0 */
    double input_rate;          /**< max |du/dt|; if it is not 0, E and A may depend on time, also at rest */
    int n_components;           /**< number of outputs before those of the model: n_p + n_v, or n */
} resida_linear_model;

/** Eigenvalues lambda of lambda E x = A x and their modes. Arrays are owned by the handle. */
typedef struct resida_modes {
    int n;                   /**< number of finite nonzero eigenvalues, one of each complex pair */
    const double *re;        /**< [n] real parts [1/s] */
    const double *im;        /**< [n] imaginary parts [rad/s], >= 0 and ascending; modes of equal im are sorted by re */
    const double *error;     /**< [n] error bounds [1/s] for the errors of A; an eigenvalue below twice its bound may be
                                  0 */
    const double *shape_re;  /**< [n x n_outputs] real part of the mode shapes C x, by rows; the largest position (else
                                  component) is 1 */
    const double *shape_im;  /**< [n x n_outputs] imaginary part of the mode shapes */
    const int *breaks;       /**< [n] 1: a spurious mode that violates constraints, or a mode that moves no output */
    int n_zero;              /**< number of zero eigenvalues, also of constant velocities; -1: unknown */
    int n_infinite;          /**< number of infinite eigenvalues; -1: unknown */
    int n_lost;              /**< number of eigenvalues undetermined by rounding, not among the n */
    int n_still;             /**< dimension of the null space of A (cyclic coordinates) */
    const double *still;     /**< [n_still x n_outputs] reduced basis of the null space, as outputs C x */
    const int *still_breaks; /**< [n_still] as `breaks`, for the basis of the null space */
} resida_modes;

/** Linearize F(t, y, yp, u(t)) = 0 at y, yp [n]. Not within a call of a solver of the problem.
 *  @return RESIDA_OK; RESIDA_ERR_USER, _USER_REPEATED, _NONFINITE: callbacks failed; RESIDA_ERR_TOLERANCE: differences
 *          of g are rounding errors
 *  Cost: at most ten setups of J by central differences; two calls of F for each input. */
RESIDA_API resida_status resida_linearize(resida_linearization **l, resida_problem *problem, double t, const double *y,
                                          const double *yp, resida_message *why);

/** Linearize a mechanism, in any form, in independent coordinates, with the contacts that hold and the dropped rows of
 *  the last start.
 *  @param[in] p, v    [n_p], [n_v] a consistent state
 *  @param[in] a, lam  [n_v], [n_g + n_h] of the state; lam NULL without constraints
 *  @return as resida_linearize(); RESIDA_ERR_STATE: a general DAE; RESIDA_ERR_SINGULAR: forces that depend on lam
 *          compensate it; RESIDA_ERR_MODEL: contacts with dry friction
 *  Cost: at most four setups by central differences; four calls for each input; time O(n_v^3), memory O(n_v^2). */
RESIDA_API resida_status resida_linearize_mechanism(resida_linearization **l, resida_problem *problem, double t,
                                                    const double *p, const double *v, const double *a,
                                                    const double *lam, resida_message *why);

/** Add the outputs of a model, "out.NAME", to the rows of C and D and to the shapes. Their derivatives are central
 *  differences with errors of about 1e-10 of the output. An output is omitted if it is unknown or jumps, or depends on
 *  a quantity that x and u do not determine. Earlier results of the handle become invalid.
 *  @param[in]  model  of the sizes of the problem
 *  @param[out] why    reasons for omitted outputs, also with RESIDA_OK
 *  @return RESIDA_OK; RESIDA_ERR_STATE: outputs were added before, or a model of another kind; RESIDA_ERR_USER:
 *          output() failed. After a failure nothing is added
 *  Cost: at most 16 (n + n_inputs) + 6 calls of output(). */
RESIDA_API resida_status resida_linearization_add_outputs(resida_linearization *l, const resida_model *model,
                                                          resida_message *why);

/** Free a linearization. */
RESIDA_API void resida_linearization_free(resida_linearization *l);

/** Get the linear model. */
RESIDA_API resida_status resida_linearization_get(const resida_linearization *l, resida_linear_model *model);

/** Compute eigenvalues and modes, without a residual call.
 *  @param[in]  count  0: all, by dense matrices; > 0: at most this number, closest to i 2 pi near, by sparse factors
 *  @param[in]  near   [Hz] >= 0; unused if count = 0
 *  @param[out] modes  valid until the next call for l
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: all of more than 2000 unknowns; RESIDA_ERR_SINGULAR: a direction has neither
 *          inertia nor force; RESIDA_ERR_NEWTON: no convergence
 *  Cost: O(n^3), or a few sparse factorisations for each eigenvalue. */
RESIDA_API resida_status resida_linearization_modes(resida_linearization *l, int count, double near,
                                                    resida_modes *modes, resida_message *why);

/** Compute frequency responses Y of the outputs to one excitation u = Re(e^(i 2 pi f t)) and its derivatives. |Y| is
 *  the amplitude and arg Y the phase lead.
 *  @param[in]  excitation  0 <= . < n_inputs/3
 *  @param[in]  frequency   [n] f [Hz], finite and >= 0
 *  @param[out] re, im      [n x n_outputs] Y, a row for each frequency
 *  @return RESIDA_OK; RESIDA_ERR_SINGULAR: i 2 pi f is an eigenvalue
 *  Cost: a complex sparse factorisation for each frequency. */
RESIDA_API resida_status resida_linearization_response(const resida_linearization *l, int excitation, int n,
                                                       const double *frequency, double *re, double *im,
                                                       resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
