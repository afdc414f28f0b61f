/* dassl.h - the functions that libresida-dassl.so exports. Their arguments are those of the prologues of DASSL,
 * DASPK 2.0 and 3.1, DASRT, and DASKR. All arguments are addresses, as in Fortran; integers are int. */
#ifndef DAS_DASSL_H
#define DAS_DASSL_H

#include <resida/status.h>

#include "arguments.h"

/** The parameters of all routines after RES. */
#define DAS_PARAMETERS                                                                                                 \
    const int *neq, double *t, double *y, double *yprime, const double *tout, int *info, double *rtol, double *atol,   \
        int *idid, double *rwork, const int *lrw, int *iwork, const int *liw, double *rpar, int *ipar, das_jac *jac

RESIDA_API void ddassl_(das_res *res, DAS_PARAMETERS);

RESIDA_API void ddaspk_(das_res_cj *res, DAS_PARAMETERS, void (*psol)(void), double *senpar, void (*g)(void));

RESIDA_API void ddasrt_(das_res *res, DAS_PARAMETERS, das_g *g, const int *ng, int *jroot);

RESIDA_API void ddaskr_(das_res_cj *res, DAS_PARAMETERS, void (*psol)(void), das_rt *rt, const int *nrt, int *jroot);

#endif
