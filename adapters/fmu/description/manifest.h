/* manifest.h - the DAE that an FMU declares by the layered standard FMI-LS-DAE. */
#ifndef FMU_MANIFEST_H
#define FMU_MANIFEST_H

#include "description.h"

/** A DAE. All members are zero if there is none. */
typedef struct fmu_manifest {
    int is_there;    /**< 1: residuals are listed */
    uint32_t enable; /**< structural parameter that enables the DAE, if has_enable = 1 */
    int has_enable;
    int n_algebraic;
    uint32_t *algebraic;       /**< [n_algebraic] references of algebraic variables z */
    fmu_unknowns derivatives;  /**< x' = f(t, x, z) that the FMU computes; x' of other states are set */
    fmu_unknowns formulations; /**< formulations of residuals, with `residual` and `index` */
    int n_residuals;
    int n_indicators; /**< number of event indicators; 0: that of the description */
} fmu_manifest;

/** Read a manifest: version 1.0.0-alpha.1, and earlier drafts (EnableDAE, fmiLayeredStandardManifest, fmi-dae;
 *  residuals with or without formulations). The memory belongs to the pool. @return 0, or -1 with the reason in
 *  `why` */
int fmu_manifest_read(fmu_manifest *m, fmu_pool *pool, fmu_archive *a, const char *file, resida_message *why);

#endif
