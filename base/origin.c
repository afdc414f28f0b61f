/* origin.c - queries the dynamic linker. */
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#include "origin.h"

#include <dlfcn.h>
#include <stddef.h>

const char *rsd_find_file(uintptr_t address, void **base)
{
    Dl_info info;
    const int known = dladdr((void *)address, &info);
    if (base) *base = known ? info.dli_fbase : NULL;
    return known && info.dli_fname ? info.dli_fname : "";
}

uintptr_t rsd_find_symbol_address(const char *name)
{
    return (uintptr_t)dlsym(RTLD_DEFAULT, name);
}
