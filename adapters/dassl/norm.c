/* norm.c - see norm.h. A library with the original routines also contains their norm. A norm of the program itself is
 * in another file. */
#define _GNU_SOURCE
#include "norm.h"

#include "next.h"
#include "notice.h"

#include <dlfcn.h>
#include <stdint.h>

double ddanrm_(const int *neq, const double *v, const double *wt, double *rpar, int *ipar) __attribute__((weak));
double ddwnrm_(const int *neq, const double *v, const double *rwt, double *rpar, int *ipar) __attribute__((weak));

/* Return the base address of the file that contains an address, or NULL if no file contains it. */
static const void *find_file_base(const void *address)
{
    Dl_info in;
    return address && dladdr(address, &in) ? in.dli_fbase : NULL;
}

void das_warn_of_norm(das_routine routine)
{
    const int is_daspk = routine == DAS_DDASPK;
    const void *norm = (const void *)(uintptr_t)(is_daspk ? ddwnrm_ : ddanrm_);
    if (!norm || find_file_base(norm) == find_file_base((const void *)(uintptr_t)das_find_next_routine(routine)))
        return;
    das_print_once(is_daspk ? DAS_SAID_DDWNRM : DAS_SAID_DDANRM, routine,
                   "function %s of the program is not called; the norm is the weighted root mean square",
                   is_daspk ? "DDWNRM" : "DDANRM");
}
