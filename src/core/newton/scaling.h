/* scaling.h - rows and columns of J scaled by the step size. The linear systems of an index-3 formulation, y = (p, v,
 * lam), are then as well conditioned as those of an ODE:
 *
 *     C. Bottasso, O. Bauchau, A. Cardona, Time-step-size-independent conditioning and sensitivity to perturbations in
 *     the numerical solution of index three differential algebraic equations, SIAM J. Sci. Comput. 29 (2007) 397-414:
 *     J = A/h with A of (4), left scaling (16), left and right (23), (24), (29); two fields (37), (44), (48), (49)
 *     O. Bauchau, A. Epple, C. Bottasso, Scaling of constraints and augmented Lagrangian formulations in multibody
 *     dynamics simulations, J. Comput. Nonlinear Dyn.: the factor s = m + d h + k h^2 of (6), which is h^2 times that
 *     of (28) above
 *
 *                     rows    kinematic   dynamic   g       columns   p   v     lam         v eliminated
 *     "left"                  h           h         1                 1   1     1
 *     "lam"                   h           h^2/s     1                 1   1     s/h^2
 *     "lam+v"                 h           h^2/s     1                 1   1/h   s/h^2
 *     "two-field"                                                                           yes
 *     "two-field-left"                    h         1                 1         1           yes
 *     "two-field-lam"                     h^2/s     1                 1         s/h^2       yes
 *
 * Nonholonomic rows are at velocity level. They are multiplied by h if v is scaled, and their multipliers are scaled
 * like lam. Rows of invariants are scaled like rows of g, and their multipliers like v. If v is eliminated and a step
 * has several stages, each kinematic row contains only the v of its own stage. */
#ifndef RSD_SCALING_H
#define RSD_SCALING_H

#include <resida/solver.h>

#include "base/linear/linear_solver.h"
#include "src/core/problem/problem_impl.h"

typedef struct rsd_scaling rsd_scaling;

/** Check that the scaling in o is valid for the form of the problem, and replace its name by a static string.
 *  @return RESIDA_OK, or RESIDA_ERR_OPTION if the scaling does not exist or is not valid for the form */
resida_status rsd_scaling_check(resida_solver_options *o, const resida_problem *problem, resida_message *why);

/** Create the scaling of the options, for systems of at most `stages` stages. *scaling is set to NULL if there is no
 *  scaling, as with "auto" for all forms except those with only the position constraint.
 *  @return RESIDA_OK or RESIDA_ERR_MEMORY */
resida_status rsd_scaling_create(rsd_scaling **scaling, const resida_solver_options *o, const resida_problem *problem,
                                 int stages, const resida_allocator *alloc);

/** Set the unknowns that a linear solver for `stages` stages eliminates. Call rsd_scaling_attach() before the pattern
 *  of the solver is set. scaling may be NULL. @return RESIDA_OK or RESIDA_ERR_MEMORY */
resida_status rsd_scaling_attach(rsd_scaling *scaling, rsd_linear_solver *linear, int stages);

/** Pass the scales of the iteration matrix A to the linear solver, before A is factored. scaling may be NULL.
 *  @return RESIDA_OK or RESIDA_ERR_MEMORY */
resida_status rsd_scaling_update_scales(rsd_scaling *scaling, rsd_linear_solver *linear, int stages,
                                        const resida_jacobian_matrix *A, double h);

/** Return the row scales [stages n] of the last renewal, owned by the scaling, or NULL if rows are not scaled. */
const double *rsd_scaling_rows(const rsd_scaling *scaling);

/** Return the column scales [stages n] of the last renewal, owned by the scaling, or NULL if columns are not scaled. */
const double *rsd_scaling_columns(const rsd_scaling *scaling);

/** Return the unit of corrections of unknown i < n in the scaled system. It is infinite if the unknown is eliminated,
 *  and 1 without scaling. */
double rsd_scaling_unit(const rsd_scaling *scaling, int i);

#endif
