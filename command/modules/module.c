/* module.c - see module.h. */
#define _GNU_SOURCE /* dladdr() */

#include "module.h"

#include <dlfcn.h>
#include <resida/status.h>
#include <resida_features.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cmd_module_path(const char *file, char path[CMD_MODULE_PATH])
{
    Dl_info info;
    const void *there = NULL;
    const char *(*function)(resida_status) = resida_status_name;
    memcpy(&there, &function, sizeof there);
    const char *library = dladdr(there, &info) != 0 ? info.dli_fname : "";
    const char *slash = strrchr(library, '/');
    const int n = slash ? (int)(slash - library) + 1 : 0;
    snprintf(path, CMD_MODULE_PATH, "%.*s%s", n, library, file);
    if (access(path, F_OK) != 0) snprintf(path, CMD_MODULE_PATH, "%.*sresida/%s", n, library, file);
}

const void *cmd_load_module(const char *feature, const char *file, const char *symbol, int how,
                            char why[CMD_MODULE_WHY])
{
    char path[CMD_MODULE_PATH], lack[RSD_LACK];
    cmd_module_path(file, path);
    void *module = dlopen(path, RTLD_NOW | how);
    const void *object = module ? dlsym(module, symbol) : NULL;
    if (object) return object;
    const char *said = dlerror();
    if (!said) said = file;
    snprintf(why, CMD_MODULE_WHY, "%s%s", said, rsd_feature_lack(rsd_feature_of(feature), path, said, lack));
    return NULL;
}
