/* solver_examine.h - the functions of src/core/kits.h. */
#ifndef RSD_SOLVER_EXAMINE_H
#define RSD_SOLVER_EXAMINE_H

#include <resida/solver.h>

resida_status rsd_solver_create_examiner(resida_solver *s);
resida_status rsd_solver_examine_start(resida_solver *s, double t, const double *p0, const double *v0,
                                       const resida_start_options *o);
resida_status rsd_solver_examine_given_start(resida_solver *s, double t);
resida_status rsd_solver_examine_computed_start(resida_solver *s, double t, const double *y0, resida_status status);
resida_status rsd_solver_explain_failure(resida_solver *s, resida_status status);

#endif
