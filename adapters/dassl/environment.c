/* environment.c - see environment.h. Only traps and flags are saved, not the whole environment by fegetenv(): that
 * takes ten times as long, and each call of RES requires two changes. */
#define _GNU_SOURCE
#include "environment.h"

#include <fenv.h>

void das_environment_save(das_environment *e)
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
