/* next.c - see next.h. */
#define _GNU_SOURCE
#include "next.h"

#include <dlfcn.h>
#include <stdint.h>

das_function *das_find_next_routine(das_routine routine)
{
    return (das_function *)(uintptr_t)dlsym(RTLD_NEXT, das_traits_of[routine].entry);
}
