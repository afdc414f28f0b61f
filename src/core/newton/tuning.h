/* tuning.h - the constants of the corrector iteration (convergence.c, residual_norm.c, newton.c), in the format of
 * jacobian/tuning.h, which contains the constants of J. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

#include "jacobian/tuning.h"

/* Limits of the iteration. */
#define RSD_MAX_ITERATIONS      10   /* maximum iterations with a kept J (8 to 16; test rates) */
#define RSD_MAX_TO_ROUNDING     60   /* maximum iterations with a new J at each iterate (test convergence) */
#define RSD_MAX_LAST_VARIABLE   1e-8 /* maximum last correction, variable steps [Newton tolerances] (test chattering) */
#define RSD_MAX_LAST_CORRECTION 1e-2 /* maximum last correction, other steps [Newton tolerances] (test convergence) */
#define RSD_MAX_ROUNDING        0.33 /* maximum growing correction [tolerances] (0.17 to 0.66; test convergence) */

/* The residual in its units. */
#define RSD_RESIDUAL_LEFT    0.5 /* maximum part of F that a correct J leaves (test exponentials) */
#define RSD_RESIDUAL_CHANGED 0.1 /* minimum relative change of F by a correct J (0.025 to 0.2; test newton) */
#define RSD_RESIDUAL_RATIO   30 /* maximum F of a correct stiffness [corrections] (7.5 to 30; tests newton, releases) */
#define RSD_RESIDUAL_FAR     1e8  /* maximum F at which J is evaluated [tolerances] (2.5e7 to 4e8; test exponentials) */
#define RSD_RESIDUAL_SHARE   1e-2 /* maximum remaining F of a row [tolerances] (3e-3 to 1e-2; test exponentials) */

#endif
