/* adapter.c - files of other tools: a table of what they are called, and where adapters lie: in the folder that the
 * environment names, or in that of the library. */
#include "adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/origin.h"

#define FOLDER_VARIABLE "RESIDA_ADAPTERS"
#define MODULE          "/resida-%s.so"

static const struct {
    const char *prefix, *suffix, *adapter;
} kinds[] = {
    {"casadi:", "", "casadi"},
    {"", ".fmu", "fmu"},
    {"", ".urdf", "urdf"},
    {"", ".so", NULL},
};

static int ends_in(const char *word, const char *suffix)
{
    const size_t n = strlen(word), m = strlen(suffix);
    return m == 0 || (n > m && strcmp(word + n - m, suffix) == 0);
}

rsd_file_kind rsd_file_kind_of(const char *word)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t n = strlen(kinds[k].prefix);
        if (strncmp(word, kinds[k].prefix, n) == 0 && word[n] && ends_in(word, kinds[k].suffix))
            return (rsd_file_kind){.file = word + n, .adapter = kinds[k].adapter};
    }
    return (rsd_file_kind){.file = strchr(word, '/') ? word : NULL};
}

const char *resida_plugin_file(const char *word)
{
    return word ? rsd_file_kind_of(word).file : NULL;
}

char *rsd_adapter_path(const resida_allocator *a, const char *adapter)
{
    const char *set = getenv(FOLDER_VARIABLE), *own = rsd_file_at((uintptr_t)kinds, NULL), *slash = strrchr(own, '/');
    const char *folder = set && *set ? set : slash ? own : ".";
    const size_t length = folder == own ? (size_t)(slash - own) : strlen(folder);
    const size_t room = length + strlen(adapter) + sizeof MODULE;
    char *path = rsd_calloc(a, (long)room, 1);
    if (path) snprintf(path, room, "%.*s" MODULE, (int)length, folder, adapter);
    return path;
}

resida_status rsd_adapter_check(const resida_adapter *adapter, resida_message *why)
{
    if (adapter->magic != RESIDA_PLUGIN_MAGIC || adapter->abi != RESIDA_PLUGIN_ABI ||
        adapter->adapter_size != sizeof *adapter || adapter->class_size != sizeof(resida_model_class) ||
        adapter->model_size != sizeof(resida_model))
        return rsd_fail(why, RESIDA_ERR_PLUGIN, "an adapter that was compiled against other headers");
    if (!adapter->open || !adapter->close) return rsd_fail(why, RESIDA_ERR_PLUGIN, "an adapter without open or close");
    return RESIDA_OK;
}
