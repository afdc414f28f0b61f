/* environment.c - see environment.h. Traps and flags alone are looked at, not the whole environment as by
 * fegetenv(): that takes ten times as long, and there are two changes for each call of RES. */
#define _GNU_SOURCE
#include "environment.h"

#include <fenv.h>

void das_environment_keep(das_environment *e)
{
    e->traps = fegetexcept();
    if (e->traps) fedisableexcept(e->traps);
    e->watched = (FE_ALL_EXCEPT & ~FE_INEXACT) | e->traps;
    e->flags = fetestexcept(e->watched);
}

void das_environment_restore(const das_environment *e)
{
    const int ours = fetestexcept(e->watched) & ~e->flags;
    if (ours) feclearexcept(ours);
    if (e->traps) feenableexcept(e->traps);
}
