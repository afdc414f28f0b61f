/* plugin.c - loads a model class from a shared object.
 *
 * First elf_check.c looks at the file as data: is it whole, and for this machine? Then dlopen(), with every symbol
 * resolved at once (RTLD_NOW: a missing function is found here, not in the middle of an integration) and kept to itself
 * (RTLD_LOCAL: two plugins may use the same names). Of the class that it exports the magic, the ABI number and the
 * sizes are compared before anything else is read.
 *
 * What it does not do: protect against a plugin that means harm or is damaged in its code and tables, or against a file
 * that is replaced in between. The command `resida` loads a plugin in a process of its own first. */
#include <resida/model.h>

#include <dlfcn.h>
#include <string.h>

#include "elf_check.h"
#include "src/base/memory.h"
#include "src/base/message.h"
#include "model_class.h"

struct resida_plugin_handle {
    resida_allocator allocator;
    void *library; /* of dlopen(); NULL before */
};

/* dlopen() searches the system's folders for a name without '/': not wanted, so "./" is put in front. */
static char *path_to_open(const resida_allocator *a, const char *path)
{
    if (strchr(path, '/')) return rsd_strdup(a, path);
    size_t length = strlen(path);
    char *here = rsd_calloc(a, (long)length + 3, 1);
    if (!here) return NULL;
    memcpy(here, "./", 2);
    memcpy(here + 2, path, length);
    return here;
}

static resida_status refuse(const char *file, const resida_message *reason, resida_message *why)
{
    return rsd_fail(why, RESIDA_ERR_PLUGIN, "%s: %s", rsd_path_shown(file).text, reason->text);
}

/* The loader's reason. */
static resida_status loader_failed(const char *file, resida_message *why)
{
    const char *said = dlerror();
    resida_message reason;
    rsd_fail(&reason, RESIDA_ERR_PLUGIN, "cannot be loaded: %s", said ? said : "no reason given");
    return refuse(file, &reason, why);
}

static resida_status load(resida_plugin_handle *plugin, const char *file, const resida_model_class **cls,
                          resida_message *why)
{
    plugin->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->library) return loader_failed(file, why);
    const resida_model_class *found = dlsym(plugin->library, RESIDA_PLUGIN_SYMBOL);
    resida_message reason;
    if (!found) {
        rsd_fail(&reason, RESIDA_ERR_PLUGIN, "not a plugin: does not export %s", RESIDA_PLUGIN_SYMBOL);
        return refuse(file, &reason, why);
    }
    if (rsd_model_head_check(found, &reason) < 0 || rsd_model_class_check(found, &reason) < 0)
        return refuse(file, &reason, why);
    *cls = found;
    return RESIDA_OK;
}

resida_status resida_plugin_open(resida_plugin_handle **plugin, const char *path, const resida_model_class **cls,
                                 resida_message *why)
{
    if (plugin) *plugin = NULL;
    if (cls) *cls = NULL;
    if (!plugin || !path || !cls || !*path)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_plugin_open: %s",
                        !plugin ? "plugin is NULL"
                        : !path ? "path is NULL"
                        : !cls  ? "cls is NULL"
                                : "path is empty");
    resida_allocator allocator = rsd_allocator(NULL);
    char *file = path_to_open(&allocator, path);
    resida_plugin_handle *made = rsd_calloc(&allocator, 1, sizeof *made);
    resida_status status = RESIDA_OK;
    if (!file || !made) status = rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to open a plugin");
    if (made) made->allocator = allocator;
    if (status == RESIDA_OK) status = rsd_elf_check(file, why);
    if (status == RESIDA_OK) status = load(made, file, cls, why);
    rsd_free(&allocator, file);
    if (status == RESIDA_OK)
        *plugin = made;
    else
        resida_plugin_close(made);
    return status;
}

void resida_plugin_close(resida_plugin_handle *plugin)
{
    if (!plugin) return;
    if (plugin->library) dlclose(plugin->library);
    resida_allocator allocator = plugin->allocator;
    rsd_free(&allocator, plugin);
}
