/* conditioning.h - conditioning of the linear systems of an index-3 formulation as a function of the step size:
 * condition numbers of iteration matrices, and the last corrections of Newton iterations that are continued to
 * rounding.
 *
 *    C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning and sensitivity to perturbations in
 *    the numerical solution of index three differential algebraic equations, SIAM J. Sci. Comput. 29 (2007) 397-414
 *    C. Bottasso, D. Dopico, L. Trainelli, On the optimal scaling of index three DAEs in multibody dynamics (2006) */
#ifndef CMD_CONDITIONING_H
#define CMD_CONDITIONING_H

#include "program/run/run.h"

/** Equations of motion M a + Phi(u, v) + G' lam = 0, G(u) = 0, linearised about a state; matrices by columns. */
typedef struct cmd_blocks {
    int n, m;      /**< numbers of coordinates and of constraints */
    double *M;     /**< [n x n] */
    double *X, *Y; /**< [n x n] each: stiffness including the curvature of G' lam, and damping */
    double *G;     /**< [m x n] */
} cmd_blocks;

/** Compute the blocks at the initial state of the job's model. Free them in any case. @return 0, or CMD_EXIT_* after
 *  one error message */
int cmd_blocks_make(cmd_blocks *b, const cmd_job *job);
void cmd_blocks_free(cmd_blocks *b);

/** Systems: method and unknowns of an iteration matrix. Scalings: rows and columns scaled by powers of h. */
enum { CMD_BDF_UVL, CMD_BDF_UL, CMD_NM_UVAL, CMD_NM_UVL, CMD_NM_UL, CMD_NM_VL, CMD_NM_AL, CMD_N_SYSTEMS };
enum { CMD_NOT_SCALED, CMD_LEFT, CMD_LEFT_LAM, CMD_LEFT_ALL, CMD_N_SCALINGS };

/** Names of a system: its method ("bdf2", "newmark") and its unknowns ("(u,v,lam)"). Names of the scalings: "none",
 *  "left", "lam", "lam+v". */
const char *cmd_system_method(int system);
const char *cmd_system_fields(int system);
extern const char *const cmd_scaling_names[CMD_N_SCALINGS];

/** Return 0 if CMD_LEFT_ALL is the same scaling as CMD_LEFT_LAM, i.e. for the unknowns (u,lam). Return 1 otherwise. */
int cmd_system_has(int system, int scaling);

/** Compute the 2-norm condition number of the iteration matrix for step size h. Powers of h up to h^-4 cause no loss of
 *  accuracy, because the inverse is computed from the fully scaled matrix. Norms are largest singular values. @return
 *  NaN if the matrix is singular or memory is exhausted */
double cmd_condition(const cmd_blocks *b, int system, int scaling, double h);

/** Compute the largest singular value of A [rows x columns]. A is overwritten. @return NaN on failure */
double cmd_norm2(int rows, int columns, double *A);

/** Replace A [n x n] by its inverse. @return 0 on success, 1 if A is singular or memory is exhausted */
int cmd_inverse(int n, double *A);

/** The last decreasing Newton correction of each step of a run: maximum over all steps. */
typedef struct cmd_corrections {
    double p, v, lam;                      /**< maximum norms of the unscaled unknowns */
    double scaled_p, scaled_v, scaled_lam; /**< maximum norms of h^0 p, h v, h^2 lam */
    double norm;                           /**< 2-norm of the unknowns in the scaling of the run */
    long steps;
} cmd_corrections;

/** A run with fixed steps of size h by one method and one scaling of the library; Newton iterations to rounding. */
typedef struct cmd_rounding_run {
    const char *method, *scaling;
    double h;
    long steps;
    double lam_unit; /**< unit of the corrections of lam */
} cmd_rounding_run;

/** @param[out] why  model, method, scaling, h and reason of a failure
 *  @return 0 on success; CMD_EXIT_FAILED on failure, nothing is printed; 128 + signal number */
int cmd_corrections_run(cmd_corrections *c, const cmd_job *job, const cmd_rounding_run *run, resida_message *why);

/** Compute the least-squares slope of log10 y over log10 x from the points first .. n - 1; NaN for fewer than two. */
double cmd_slope(const double *x, const double *y, int first, int n);

#endif
