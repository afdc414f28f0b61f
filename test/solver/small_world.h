/* small_world.h - the smallest models of every kind that the library distinguishes, to be run in every way that there
 * is. */
#ifndef RESIDA_TEST_SMALL_WORLD_H
#define RESIDA_TEST_SMALL_WORLD_H

#include <resida/problem.h>

enum { SMALL_WORLD_N = 4 }; /* most components of a kind */

/** A mechanism with a diagonal constant mass matrix and both formalisms, or a general DAE. */
typedef struct small_model {
    const char *name;
    int is_dae;
    int n_p, n_v, n_g, n_h, n_u; /* n_p: unknowns of a DAE */
    double mass[SMALL_WORLD_N];
    double p0[SMALL_WORLD_N], v0[SMALL_WORLD_N]; /* y0, yp0 of a DAE; consistent */
    void (*forces)(const double *p, const double *v, double *psi);
    resida_position_fn *constraint, *constraint_matrix;
    resida_dae_residual_fn *residual;
    resida_kind kinds[SMALL_WORLD_N]; /* of a DAE */
} small_model;

/** The models, n of them: no constraint; one coordinate, free, or driven; no force that depends on v; nonholonomic rows
 *  alone; redundant rows alone; Euler parameters; a DAE with an algebraic unknown; an ODE. */
extern const small_model small_models[];
extern const int n_small_models;

/** The problem of a model. @return as resida_problem_create() */
resida_status small_problem(resida_problem **problem, const small_model *m, const resida_problem_options *o,
                            resida_message *why);

#endif
