/* model.h - what functions of a file of CasADi mean, and a class of models made of them.
 *
 *     residual(t, p, v, a, ...)    r [n_v] = M a - Psi: a mechanism with p' = v; the name `a` tells it
 *     residual(t, y, yp, ...)      F [n]: a general DAE
 *     constraint(t, p, ...)        g [n_g] of a mechanism
 *     root(t, p, v, ...), root(t, y, yp, ...)    root functions
 *     start(...)                   p0, v0, or y0 [, yp0]
 *     jac_residual, jac_constraint    f.jacobian() of the first two: derivatives of output 0 by each input, in order
 *
 * "..." are parameters: further inputs, scalars, with their names and default values. residual has all; the others have
 * those that they need, by name, or the first ones where inputs have no names but CasADi's, i3, i4. */
#ifndef CSD_MODEL_H
#define CSD_MODEL_H

#include <resida/model.h>

#include "function.h"
#include "object.h"

enum { CSD_RESIDUAL, CSD_JAC_RESIDUAL, CSD_CONSTRAINT, CSD_JAC_CONSTRAINT, CSD_ROOT, CSD_START, CSD_N_FUNCTIONS };

/** A file that is open. */
typedef struct csd_file {
    resida_model_class cls; /**< the first member: a model finds its file by it */
    void *library;
    char name[80];
    char identity[CSD_IDENTITY]; /**< of what was compiled; "": it came as an object */
    char text[96];               /**< of the class, with the identity, by which a run knows what it goes on with */
    int is_dae;
    int n_own; /**< inputs of residual before its parameters */
    int n_parameters;
    resida_parameter *parameters; /**< [n_parameters] */
    char (*names)[64];            /**< [n_parameters] */
} csd_file;

/** Look at the functions of a loaded file, and fill its class. @return 0; -1 with `why` */
int csd_file_read(csd_file *file, const char *path, resida_message *why);

/** create() and destroy() of its class. */
int csd_model_create(const double *values, resida_model *model, resida_message *why);
void csd_model_destroy(resida_model *model);

#endif
