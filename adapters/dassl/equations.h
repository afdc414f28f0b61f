/* equations.h - callbacks of a resida_dae that call the functions of the program. `user` is the das_integration. */
#ifndef DAS_EQUATIONS_H
#define DAS_EQUATIONS_H

#include "integration.h"

/** @name Callbacks @{ */
resida_dae_residual_fn das_residual;
resida_dae_jacobian_fn das_jacobian;
resida_dae_root_fn das_roots;
/** @} */

/** Evaluate G or RT. @return 0, or as a callback */
int das_evaluate_roots(das_integration *x, double t, const double *y, const double *yp, double *out);

/** Count steps. Interrupt the solver after MXSTEP steps of a call. */
resida_monitor_fn das_monitor;

#endif
