/* equations.h - the functions of a program as callbacks of a resida_dae; user is the das_integration. */
#ifndef DAS_EQUATIONS_H
#define DAS_EQUATIONS_H

#include "integration.h"

/** @name Callbacks @{ */
resida_dae_residual_fn das_residual;
resida_dae_jacobian_fn das_jacobian;
resida_dae_root_fn das_roots;
/** @} */

/** Counts steps, and interrupts when MXSTEP of them have been taken in a call. */
resida_monitor_fn das_monitor;

#endif
