/* scaling.h - rows and columns of J scaled by the step size, so that the systems of an index-3 formulation, y = (p, v,
 * lam), are as well conditioned as those of an ODE:
 *
 *     C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning and sensitivity to perturbations in
 *     the numerical solution of index three differential algebraic equations, SIAM J. Sci. Comput. 29 (2007) 397-414:
 *     J = A/h with A of (4), left scaling (16), left and right (23), (24), (29); two fields (37), (44), (48), (49)
 *     O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations in multibody
 *     dynamics simulations, J. Comput. Nonlinear Dyn.: the factor s = m + d h + k h^2 of (6), which is h^2 times that
 *     of (28) above
 *
 *                     rows    kinematic   dynamic   g       columns   p   v     lam         v taken out
 *     "left"                  h           h         1                 1   1     1
 *     "lam"                   h           h^2/s     1                 1   1     s/h^2
 *     "lam+v"                 h           h^2/s     1                 1   1/h   s/h^2
 *     "two-field"                                                                           yes
 *     "two-field-left"                    h         1                 1         1           yes
 *     "two-field-lam"                     h^2/s     1                 1         s/h^2       yes
 *
 * Nonholonomic rows are at velocity level: times h where v is scaled; their multipliers are scaled as lam. Rows of
 * invariants are as those of g, their multipliers as v. Where v is taken out,
 * a step with several stages has none but its own stage's v in each kinematic row. */
#ifndef RSD_SCALING_H
#define RSD_SCALING_H

#include <resida/solver.h>

#include "base/linear/linear_solver.h"
#include "src/core/problem/problem_impl.h"

typedef struct rsd_scaling rsd_scaling;

/** Check that the options' scaling is for this problem, and replace its name by a static one.
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: no such scaling, or not for this form */
resida_status rsd_scaling_check(resida_solver_options *o, const resida_problem *problem, resida_message *why);

/** Create the options' scaling for systems of up to this number of stages. *scaling = NULL: none, as with "auto" of all
 *  forms but those with the position constraint alone.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_scaling_create(rsd_scaling **scaling, const resida_solver_options *o, const resida_problem *problem,
                                 int stages, const resida_allocator *alloc);

/** Set the unknowns that a linear solver for this number of stages takes out, before its pattern. NULL is fine.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_scaling_attach(rsd_scaling *scaling, rsd_linear_solver *linear, int stages);

/** Before A is factored: pass its scales to the linear solver. NULL is fine.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_scaling_renew(rsd_scaling *scaling, rsd_linear_solver *linear, int stages,
                                const resida_jacobian_matrix *A, double h);

/** The scales of rows [stages n] of the last renewal, in memory of the scaling; NULL: no scaling. */
const double *rsd_scaling_rows(const rsd_scaling *scaling);

/** The scales of columns [stages n], likewise. */
const double *rsd_scaling_columns(const rsd_scaling *scaling);

/** The unit of corrections of unknown i [n] in the scaled system; infinite where it is taken out, 1 for NULL. */
double rsd_scaling_unit(const rsd_scaling *scaling, int i);

#endif
