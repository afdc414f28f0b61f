/* conditioning.h - how well conditioned the linear systems of an index-3 formulation are, over the step size: condition
 * numbers of iteration matrices, and the last corrections of Newton iterations that go on to rounding.
 *
 *     C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning and sensitivity to perturbations in
 *     the numerical solution of index three differential algebraic equations, SIAM J. Sci. Comput. 29 (2007) 397-414
 *     C. Bottasso, D. Dopico, L. Trainelli, On the optimal scaling of index three DAEs in multibody dynamics (2006) */
#ifndef BENCH_CONDITIONING_H
#define BENCH_CONDITIONING_H

#include "command/run/run.h"

/** The equations of motion M a + Phi(u, v) + G' lam = 0, G(u) = 0, linear about a state; matrices column by column. */
typedef struct bench_blocks {
    int n, m;      /**< coordinates, constraints */
    double *M;     /**< [n x n] */
    double *X, *Y; /**< [n x n] stiffness with the curvature of G' lam, damping */
    double *G;     /**< [m x n] */
} bench_blocks;

/** Those of the job's model where it starts. @return 0; BENCH_EXIT_* after one complaint. To be freed in any case */
int bench_blocks_make(bench_blocks *b, const bench_job *job);
void bench_blocks_free(bench_blocks *b);

/** Which unknowns an iteration matrix has, by which method; rows and columns scaled by which powers of h. */
enum {
    BENCH_BDF_UVL,
    BENCH_BDF_UL,
    BENCH_NM_UVAL,
    BENCH_NM_UVL,
    BENCH_NM_UL,
    BENCH_NM_VL,
    BENCH_NM_AL,
    BENCH_N_SYSTEMS
};
enum { BENCH_NOT_SCALED, BENCH_LEFT, BENCH_LEFT_LAM, BENCH_LEFT_ALL, BENCH_N_SCALINGS };

/** "bdf2", "newmark"; "(u,v,lam)"; "none", "left", "lam", "lam+v". */
const char *bench_system_method(int system);
const char *bench_system_fields(int system);
extern const char *const bench_scaling_names[BENCH_N_SCALINGS];

/** Does the scaling of velocities make a difference to this system? */
int bench_system_has(int system, int scaling);

/** 2-norm condition number of the iteration matrix for step size h. Exact up to h^-4 of any h: the inverse is found
 *  from the fully scaled matrix, and both norms are largest singular values. NaN: singular, or no memory */
double bench_condition(const bench_blocks *b, int system, int scaling, double h);

/** Largest singular value of A [rows x columns], which is destroyed; NaN: it cannot be found. */
double bench_norm2(int rows, int columns, double *A);

/** The inverse of A [n x n], in place. @return 0; 1 singular, or no memory */
int bench_inverse(int n, double *A);

/** The last decreasing corrections of the Newton iterations of a run, largest of all steps. */
typedef struct bench_corrections {
    double p, v, lam;                      /**< maximum norms, unknowns as they are */
    double scaled_p, scaled_v, scaled_lam; /**< of h^0 p, h v, h^2 lam */
    double norm;                           /**< 2-norm in the unknowns that the scaling has */
    long steps;
} bench_corrections;

/** Steps of size h by one of the library's methods, with one of its scalings, to rounding. */
typedef struct bench_rounding_run {
    const char *method, *scaling;
    double h;
    long steps;
    double lam_unit; /**< corrections of lam are told in units of this one */
} bench_rounding_run;

/** @param[out] why  of a failure: model, method, scaling, h, reason
 *  @return 0; BENCH_EXIT_FAILED, nothing is printed; 128 + signal */
int bench_corrections_run(bench_corrections *c, const bench_job *job, const bench_rounding_run *run,
                          resida_message *why);

/** Least-squares slope of log10 y over log10 x, points from first on; NaN with fewer than two. */
double bench_slope(const double *x, const double *y, int first, int n);

#endif
