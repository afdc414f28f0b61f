/* tuning.h - the constants by which the corrector iteration decides (convergence.c, residual_norm.c, newton.c), in the
 * form of jacobian/tuning.h, which has those of J. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

#include "jacobian/tuning.h"

/* Iterations of a step of any size, and how they end. */
#define RSD_MAX_ITERATIONS 10   /* iterations | 8 to 16 | rates | where more cost less than another J */
#define RSD_NOTHING        1e-8 /* Newton tolerances | ? | convergence | a correction that needs no other one */
#define RSD_ROUNDING       0.33 /* tolerances | 0.17 to 0.66 | convergence | rounding, if it does not shrink */
#define RSD_MAX_ROUNDING   1.0  /* tolerances | 0.25 to 4 | convergence | the same, after a correction that was small */

/* Iterations of a step of a fixed size. */
#define RSD_MAX_KEPT        12   /* iterations | ? | convergence | with a J that is kept while it is good */
#define RSD_MAX_FULL        40   /* iterations | ? | convergence | with a J of each of them */
#define RSD_MAX_TO_ROUNDING 60   /* iterations | ? | convergence | as long as corrections decrease */
#define RSD_NO_DECREASE     1.0  /* per iteration | ? | convergence | from it on nothing decreases */
#define RSD_LITTLE          1e-2 /* Newton tolerances | ? | convergence | a correction that needs no other one */

/* The residual, in its units. */
#define RSD_RESIDUAL_LEFT      0.5  /* of F before | to 0.9 | newton | more: J is wrong, where it is kept whole */
#define RSD_RESIDUAL_CHANGED   0.1  /* of F before | 0.025 to 0.2 | newton | less: likewise, where renewed */
#define RSD_RESIDUAL_TOLERANCE 1.0  /* tolerances | 0.25 to 4 | newton | less does no harm */
#define RSD_RESIDUAL_RATIO     30   /* corrections | 10 to 100 | newton, releases | more of F is hidden by J */
#define RSD_RESIDUAL_FAR       1e8  /* tolerances | 2.5e+07 to 4e+08 | exponentials | of F: no J is evaluated there */
#define RSD_RESIDUAL_SHARE     1e-2 /* tolerances | 3e-3 to 1e-2 | exponentials | of a row: less of it may be left */

#endif
