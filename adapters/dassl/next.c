/* next.c - see next.h. */
#define _GNU_SOURCE
#include "next.h"

#include <dlfcn.h>
#include <stdint.h>

das_function *das_find_next_routine(das_routine routine)
{
    static const char *const entries[] = {"ddassl_", "ddaspk_", "ddasrt_"};
    return (das_function *)(uintptr_t)dlsym(RTLD_NEXT, entries[routine]);
}
