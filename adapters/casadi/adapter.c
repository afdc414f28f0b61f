/* adapter.c - the adapter for "casadi:FILE.c" and "casadi:FILE.so". */
#include <resida/adapter.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/message.h"
#include "model.h"

static void close_file(const resida_model_class *cls)
{
    csd_file *file = (csd_file *)(uintptr_t)cls;
    dlclose(file->library);
    free(file->parameters);
    free(file->names);
    free(file);
}

static int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    csd_file *file = calloc(1, sizeof *file);
    if (!file) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory");
    file->library = csd_object_open(path, file->identity, why);
    if (!file->library) {
        free(file);
        return 1;
    }
    if (csd_file_read(file, path, why) != 0) {
        close_file(&file->cls);
        return 1;
    }
    *cls = &file->cls;
    return 0;
}

extern const resida_adapter resida_adapter_object;
RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD, .name = "casadi", .text = "C that CasADi generated", .open = open_file, .close = close_file};
