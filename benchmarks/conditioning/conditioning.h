/* conditioning.h - how well conditioned the linear systems of an index-3 formulation are, over the step size: condition
 * numbers of iteration matrices, and the last corrections of Newton iterations that go on to rounding.
 *
 *     C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning and sensitivity to perturbations in
 *     the numerical solution of index three differential algebraic equations, SIAM J. Sci. Comput. 29 (2007) 397-414
 *     C. Bottasso, D. Dopico, L. Trainelli, On the optimal scaling of index three DAEs in multibody dynamics (2006) */
#ifndef CMD_CONDITIONING_H
#define CMD_CONDITIONING_H

#include "program/run/run.h"

/** The equations of motion M a + Phi(u, v) + G' lam = 0, G(u) = 0, linear about a state; matrices column by column. */
typedef struct cmd_blocks {
    int n, m;      /**< coordinates, constraints */
    double *M;     /**< [n x n] */
    double *X, *Y; /**< [n x n] stiffness with the curvature of G' lam, damping */
    double *G;     /**< [m x n] */
} cmd_blocks;

/** Those of the job's model where it starts. @return 0; CMD_EXIT_* after one complaint. To be freed in any case */
int cmd_blocks_make(cmd_blocks *b, const cmd_job *job);
void cmd_blocks_free(cmd_blocks *b);

/** Which unknowns an iteration matrix has, by which method; rows and columns scaled by which powers of h. */
enum { CMD_BDF_UVL, CMD_BDF_UL, CMD_NM_UVAL, CMD_NM_UVL, CMD_NM_UL, CMD_NM_VL, CMD_NM_AL, CMD_N_SYSTEMS };
enum { CMD_NOT_SCALED, CMD_LEFT, CMD_LEFT_LAM, CMD_LEFT_ALL, CMD_N_SCALINGS };

/** "bdf2", "newmark"; "(u,v,lam)"; "none", "left", "lam", "lam+v". */
const char *cmd_system_method(int system);
const char *cmd_system_fields(int system);
extern const char *const cmd_scaling_names[CMD_N_SCALINGS];

/** Does the scaling of velocities make a difference to this system? */
int cmd_system_has(int system, int scaling);

/** 2-norm condition number of the iteration matrix for step size h. Exact up to h^-4 of any h: the inverse is found
 *  from the fully scaled matrix, and both norms are largest singular values. NaN: singular, or no memory */
double cmd_condition(const cmd_blocks *b, int system, int scaling, double h);

/** Largest singular value of A [rows x columns], which is destroyed; NaN: it cannot be found. */
double cmd_norm2(int rows, int columns, double *A);

/** The inverse of A [n x n], in place. @return 0; 1 singular, or no memory */
int cmd_inverse(int n, double *A);

/** The last decreasing corrections of the Newton iterations of a run, largest of all steps. */
typedef struct cmd_corrections {
    double p, v, lam;                      /**< maximum norms, unknowns as they are */
    double scaled_p, scaled_v, scaled_lam; /**< of h^0 p, h v, h^2 lam */
    double norm;                           /**< 2-norm in the unknowns that the scaling has */
    long steps;
} cmd_corrections;

/** Steps of size h by one of the library's methods, with one of its scalings, to rounding. */
typedef struct cmd_rounding_run {
    const char *method, *scaling;
    double h;
    long steps;
    double lam_unit; /**< corrections of lam are told in units of this one */
} cmd_rounding_run;

/** @param[out] why  of a failure: model, method, scaling, h, reason
 *  @return 0; CMD_EXIT_FAILED, nothing is printed; 128 + signal */
int cmd_corrections_run(cmd_corrections *c, const cmd_job *job, const cmd_rounding_run *run, resida_message *why);

/** Least-squares slope of log10 y over log10 x, points from first on; NaN with fewer than two. */
double cmd_slope(const double *x, const double *y, int first, int n);

#endif
