/* tuning.h - the constants of the residual test (residual_norm.c, newton.c), in the format of jacobian/tuning.h. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

#include "jacobian/tuning.h"

/* Limits of the residual |F|, in the units of residual_norm.h. */
#define RSD_RESIDUAL_LEFT    0.5  /* maximum ratio of |F| after and before a correction (test exponentials) */
#define RSD_RESIDUAL_CHANGED 0.1  /* minimum relative change of F by a correct J (0.025 to 0.2; test newton) */
#define RSD_RESIDUAL_RATIO   30   /* maximum |F|/|correction| of a correct J (7.5 to 30; tests newton, releases) */
#define RSD_RESIDUAL_FAR     1e8  /* maximum F at which J is evaluated [tolerances] (2.5e7 to 4e8; test exponentials) */
#define RSD_ROUNDING_OF_F    4    /* maximum |F_i| by rounding [eps sum_c |J_ic y_c|] (test variable_cases) */
#define RSD_RESIDUAL_SHARE   1e-2 /* maximum |F_i| of a solved row [tolerances] (3e-3 to 1e-2; test exponentials) */

#endif
