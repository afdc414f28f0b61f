/* stability_examples.h - Examples 1 and 2 of U. Ascher, L. Petzold, Stability of computational methods for constrained
 * dynamics systems: x' = A x + B y + q, 0 = C x + r with two components of x, in the formulations of Tables 4.1 and
 * 4.2. */
#ifndef CMD_STABILITY_EXAMPLES_H
#define CMD_STABILITY_EXAMPLES_H

#include <resida/dae.h>

#define CMD_STABILITY_PAPER                                                                                            \
    "U. Ascher, L. Petzold, Stability of computational methods for constrained dynamics systems, UBC TR 91-3, 1991"

typedef enum cmd_linear_form {
    CMD_LINEAR_BAUMGARTE,  /**< g' + gamma g = 0 replaces g = 0, (3.2) */
    CMD_LINEAR_INDEX2,     /**< unmodified, (4.1); "gamma = infinity" */
    CMD_LINEAR_PROJECTED,  /**< projected invariants, (4.7) */
    CMD_LINEAR_STATE_SPACE /**< u = (1, 0) x, (3.17) */
} cmd_linear_form;

/** Example 1 or 2 in one formulation. */
typedef struct cmd_linear {
    int example; /**< 1 or 2 */
    cmd_linear_form form;
    double nu, gamma;
} cmd_linear;

enum { CMD_LINEAR_MAX = 3 }; /* number of unknowns: x [2], and y or mu if there is one */

/** Set up the DAE; `linear` must outlive it. */
void cmd_linear_dae(const cmd_linear *linear, resida_dae *d);

/** Set a consistent initial state at t = 0, [CMD_LINEAR_MAX] each, from the exact solution x = e^t (1, 1), y = -e^t/(2
 *  - t). */
void cmd_linear_start(const cmd_linear *linear, double *y, double *yp);

/** Return the largest error of x [2] at t = 1. The exact solution is the same in all three examples. */
double cmd_linear_error(const double *x);

/** Return |C x + r| at t. */
double cmd_linear_drift(const cmd_linear *linear, double t, const double *x);

#endif
