/* manifest.h - what an FMU says of its DAE, by the layered standard FMI-LS-DAE. */
#ifndef FMU_MANIFEST_H
#define FMU_MANIFEST_H

#include "description.h"

/** A DAE. Zeroed: there is none. */
typedef struct fmu_manifest {
    int is_there;    /**< 1: residuals are listed */
    uint32_t enable; /**< structural parameter that switches to it; with has_enable = 1 */
    int has_enable;
    int n_algebraic;
    uint32_t *algebraic;       /**< [n_algebraic] references of algebraic variables z */
    fmu_unknowns derivatives;  /**< x' = f(t, x, z) that the FMU computes; those of other states are given to it */
    fmu_unknowns formulations; /**< of residuals; with `residual` and `index` */
    int n_residuals;
    int n_indicators; /**< event indicators, if any are listed; else those of the description count */
} fmu_manifest;

/** Read it: version 1.0.0-alpha.1, and the drafts before it (EnableDAE, fmiLayeredStandardManifest, fmi-dae; residuals
 *  with formulations or without). Memory is of the pool. @return 0; -1, the reason in `why` */
int fmu_manifest_read(fmu_manifest *m, fmu_pool *pool, const char *bytes, size_t size, resida_message *why);

#endif
