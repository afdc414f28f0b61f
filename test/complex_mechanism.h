/* complex_mechanism.h - a random mechanism whose every part is a smooth function in complex arithmetic, so that
 * derivatives cost no difference: Im f(x + i h d)/h with h = 1e-40 is exact to rounding (W. Squire, G. Trapp: Using
 * complex variables to estimate derivatives of real functions, SIAM Review 40, 1998).
 *
 * M(p,u) is positive definite and full; constraints are curved and depend on u and on t; T(p) and nonholonomic rows
 * where sizes ask for them. F is written down here once more, with full matrices, independently of the library. */
#ifndef RESIDA_TEST_COMPLEX_MECHANISM_H
#define RESIDA_TEST_COMPLEX_MECHANISM_H

#include <complex.h>
#include <stdint.h>

#include <resida/problem.h>

enum { CM_MOST = 8, CM_MOST_Y = 4 * CM_MOST }; /**< most coordinates of a kind; most unknowns */

typedef double complex cm_number;

/** The mechanism. Made by cm_make(); `calls` counts calls of the formalism. */
typedef struct cm {
    int n_p, n_v, n_g, n_h, n_u;
    int with_T;      /**< p' = T(p) v, else p' = v */
    int sparse;      /**< matrices have patterns, with holes */
    double friction; /**< of applied forces that depend on lam; 0: none do */
    uint64_t seed;
    double offset[CM_MOST];          /**< of g, so that g = 0 at (0, p0) */
    double p0[CM_MOST], v0[CM_MOST]; /**< v0 is not consistent */
    int row[4][CM_MOST + 1], col[4][CM_MOST * CM_MOST];
    long calls;
    int verdict; /**< what the next calls of the formalism return, when not 0 */
} cm;

/** Which optional callbacks a resida_mechanism gets. */
enum { CM_NOTHING = 0, CM_G = 1, CM_GI = 2, CM_GAMMA = 4, CM_GAMMA_H = 8, CM_M = 16, CM_ALL = 31 };

/** Matrices that may have a pattern. */
typedef enum cm_matrix { CM_OF_G, CM_OF_T, CM_OF_GH, CM_OF_M } cm_matrix;

/** Where a part is evaluated. */
typedef struct cm_point {
    cm_number t, p[CM_MOST], v[CM_MOST], u[CM_MOST], ud[CM_MOST];
    cm_number lam[2 * CM_MOST]; /**< looked at by forces with friction alone */
} cm_point;

/** Sizes and switches are set before; the rest is filled in. */
void cm_make(cm *m, uint64_t seed);

/** m as it is handed to the library, with both formalisms. */
resida_mechanism cm_mechanism(cm *m, int given);

/** A real point with the excitation at t; udd [n_u] or NULL. */
cm_point cm_at(const cm *m, double t, const double *p, const double *v, double *udd);

/** @name Parts at a point; matrices full, row by row @{ */
void cm_constraint(const cm *m, const cm_point *x, cm_number *g);
void cm_constraint_matrix(const cm *m, const cm_point *x, cm_number *gp);
void cm_T(const cm *m, const cm_point *x, cm_number *T);
void cm_nonholonomic_matrix(const cm *m, const cm_point *x, cm_number *Gh);
void cm_nonholonomic_bias(const cm *m, const cm_point *x, cm_number *gh);
void cm_mass(const cm *m, const cm_point *x, cm_number *M);
void cm_forces(const cm *m, const cm_point *x, cm_number *psi);
/** All rows of (dg/dp) T with Gh below, [n_g + n_h, n_v]. */
void cm_rows(const cm *m, const cm_point *x, cm_number *A);
/** G v + gI and Gh v + gh, [n_g + n_h]. */
void cm_velocity_level(const cm *m, const cm_point *x, cm_number *w);
/** @} */

/** @name Exact derivatives at a real point @{ */
/** dg/dp [n_g x n_p], from g alone. */
void cm_exact_matrix(const cm *m, const cm_point *x, double *gp);
/** gI [n_g], from g alone. */
void cm_exact_velocity_bias(const cm *m, const cm_point *x, double *gI);
/** d(velocity level)/dt at constant v, [n_g + n_h]. */
void cm_exact_bias(const cm *m, const cm_point *x, const double *udd, double *gamma);
/** @} */

/** F(t, y, yp) of form "ggl", "index2", "ode" as equations (9), (10) of Arnold, Fuchs, Fuehrer say. */
void cm_F(const cm *m, const char *form, int is_explicit, double t, const cm_number *y, const cm_number *yp,
          cm_number *r);

/** dF/dy + alpha dF/dyp at a real point, J [n x n] column by column. */
void cm_jacobian(const cm *m, const char *form, int is_explicit, int n, double t, double alpha, const double *y,
                 const double *yp, double *J);

/** Is entry (i, j) of a matrix there? */
int cm_present(const cm *m, cm_matrix which, int i, int j);

/** x = A^-1 x; A [n x n] is overwritten. */
void cm_solve(int n, cm_number *A, cm_number *x);

/** A mechanism with all there is: n_p = 7, n_v = 6, n_g = 2, n_h = 1, n_u = 2. */
void cm_make_rich(cm *m, uint64_t seed);

#endif
