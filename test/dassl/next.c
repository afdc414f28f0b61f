/* next.c - a library that is loaded after libresida-dassl.so, with a routine that reports its arguments in JROOT. */
#include "adapters/dassl/dassl.h"

RESIDA_API extern int next_calls;
int next_calls;

void ddaskr_(das_res_cj *res, const int *neq, double *t, double *y, double *yprime, const double *tout, int *info,
             double *rtol, double *atol, int *idid, double *rwork, const int *lrw, int *iwork, const int *liw,
             double *rpar, int *ipar, das_jac *jac, void (*psol)(void), das_rt *rt, const int *nrt, int *jroot)
{
    const int is_time = *t == 1 && *tout == 2 && *rtol > 0 && *atol > 0;
    const int has_functions = res && jac && psol && rt, has_arrays = y && yprime && rwork && iwork && rpar && ipar;
    next_calls++;
    *idid = 3;
    jroot[0] = is_time && has_functions && has_arrays && info[INFO_KRYLOV] == 1 && *lrw > 0 && *liw > 0;
    jroot[1] = *neq + *nrt;
}
