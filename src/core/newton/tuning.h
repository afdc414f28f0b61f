/* tuning.h - the constants of the corrector iteration (convergence.c, residual_norm.c, newton.c), in the format of
 * jacobian/tuning.h, which contains the constants of J. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

#include "jacobian/tuning.h"

/* Limits of the iteration. */
#define RSD_MAX_ITERATIONS      10   /* iterations | 8 to 16 | rates | maximum number with a kept J */
#define RSD_MAX_TO_ROUNDING     60   /* iterations | ? | convergence | maximum number with a new J at each iterate */
#define RSD_MAX_LAST_VARIABLE   1e-8 /* Newton tolerances | ? | chattering | maximum last correction, variable steps */
#define RSD_MAX_LAST_CORRECTION 1e-2 /* Newton tolerances | ? | convergence | maximum last correction, other steps */
#define RSD_MAX_ROUNDING        0.33 /* tolerances | 0.17 to 0.66 | convergence | maximum of a growing correction */

/* The residual in its units. */
#define RSD_RESIDUAL_LEFT    0.5  /* of F before | ? | exponentials | maximum part of F that remains with a correct J */
#define RSD_RESIDUAL_CHANGED 0.1  /* of F before | 0.025 to 0.2 | newton | minimum change of F with a correct J */
#define RSD_RESIDUAL_RATIO   30   /* corrections | 10 to 100 | newton, releases | maximum F with a correct stiffness */
#define RSD_RESIDUAL_FAR     1e8  /* tolerances | 2.5e+07 to 4e+08 | exponentials | maximum F at which J is evaluated */
#define RSD_RESIDUAL_SHARE   1e-2 /* tolerances | 3e-3 to 1e-2 | exponentials | maximum F of a row that may remain */

#endif
