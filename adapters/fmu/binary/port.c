/* port.c - loads the binary of an FMU. */
#include "port.h"

#include "adapters/fmu/base/fail.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fmi2Status and fmi3Status agree. */
enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR, STATUS_FATAL };

int fmu_verdict(fmu_instance *i, int status)
{
    if (status == STATUS_OK || status == STATUS_WARNING) return 0;
    if (status == STATUS_DISCARD) return 1;
    if (status == STATUS_FATAL) i->is_dead = 1;
    return -1;
}

void fmu_hear(fmu_instance *i, int status, const char *message)
{
    if (i && status > STATUS_OK && message) fmu_fail(&i->said, "%s", message);
}

int fmu_symbols_load(void *handle, const fmu_symbol *symbols, size_t n, void *functions, resida_message *why)
{
    for (size_t k = 0; k < n; k++) {
        void *found = dlsym(handle, symbols[k].name);
        if (!found && !symbols[k].is_optional) return fmu_fail(why, "its binary does not export %s", symbols[k].name);
        memcpy((char *)functions + symbols[k].offset, &found, sizeof found);
    }
    return 0;
}

int fmu_binary_load(fmu_binary *l, const char *path, int version, resida_message *why)
{
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) {
        const char *said = dlerror(), *file = said ? strstr(said, path) : NULL;
        if (file) said = file + strlen(path) + strspn(file + strlen(path), ": ");
        return fmu_fail(why, "its binary cannot be loaded: %.300s", said ? said : "no reason given");
    }
    return version == 2 ? fmi2_load(l, why) : fmi3_load(l, why);
}

void fmu_binary_unload(fmu_binary *l)
{
    free(l->functions);
    if (l->handle) dlclose(l->handle);
    *l = (fmu_binary){0};
}
