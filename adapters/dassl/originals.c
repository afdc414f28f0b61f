/* originals.c - see originals.h. A library with the original routines also contains their norm or weights. Those of the
 * program itself are in another file. */
#define _GNU_SOURCE
#include "originals.h"

#include "notice.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

double ddanrm_(const int *neq, const double *v, const double *wt, double *rpar, int *ipar) __attribute__((weak));
double ddwnrm_(const int *neq, const double *v, const double *rwt, double *rpar, int *ipar) __attribute__((weak));
void ddawts_(const int *neq, const int *iwt, const double *rtol, const double *atol, const double *y, double *ewt,
             double *rpar, int *ipar) __attribute__((weak));

/** The replaceable function of a routine. */
typedef struct replaceable {
    const char *name;
    das_function *own;
    atomic_flag *is_said;
    const char *used; /* in place of it */
} replaceable;

static atomic_flag is_said[] = {ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT}; /* once in a process */
static const char norm[] = "norm is the weighted root mean square", weights[] = "weights are RTOL |Y| + ATOL";

static const replaceable functions[DAS_ROUTINES] = {
    [DAS_DDASSL] = {"DDANRM", (das_function *)ddanrm_, &is_said[0], norm},
    [DAS_DDASPK] = {"DDWNRM", (das_function *)ddwnrm_, &is_said[1], norm},
    [DAS_DDASRT] = {"DDANRM", (das_function *)ddanrm_, &is_said[0], norm},
    [DAS_DDASKR] = {"DDAWTS", (das_function *)ddawts_, &is_said[2], weights},
};

das_function *das_find_next_routine(das_routine routine)
{
    return (das_function *)(uintptr_t)dlsym(RTLD_NEXT, das_traits_of[routine].entry);
}

/* Return the base address of the file that contains an address, or NULL if no file contains it. */
static const void *find_file_base(const void *address)
{
    Dl_info in;
    return address && dladdr(address, &in) ? in.dli_fbase : NULL;
}

void das_warn_of_norm(das_routine routine)
{
    const replaceable *f = &functions[routine];
    const void *own = (const void *)(uintptr_t)f->own;
    if (!own || find_file_base(own) == find_file_base((const void *)(uintptr_t)das_find_next_routine(routine))) return;
    if (!atomic_flag_test_and_set(f->is_said))
        das_print_message(routine, "function %s of the program is not called; the %s", f->name, f->used);
}
