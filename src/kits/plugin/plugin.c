/* plugin.c - loads a model class from a shared object, or from a file of another tool by an adapter. A table maps file
 * names to adapters. Adapters are searched in the folder given by the environment variable, then in the folder of
 * modules next to the library, then, for a library that is not installed, next to the library itself.
 *
 * First elf_check.c checks the shared object as data: that it is complete and made for this machine. Then dlopen()
 * loads it with RTLD_NOW, which detects a missing function at once and not in the middle of an integration, and
 * RTLD_LOCAL, which lets two plugins use the same names. The magic number, the ABI number and the sizes of the exported
 * class are compared before any other field is read.
 *
 * There is no protection against a malicious plugin, against damage in its code and tables, or against a file that is
 * replaced in between. The command `resida` loads a plugin in a separate process first. */
#include <resida/adapter.h>

#include <dlfcn.h>
#include <resida_features.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_impl.h"
#include "base/callback.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/origin.h"

#define FOLDER_VARIABLE "RESIDA_ADAPTERS" /* environment variable with the folder of adapters */
#define MODULES         "/resida"         /* folder of modules, next to the library */
#define MODULE          "/resida-%s.so"   /* file of an adapter in its folder */

static const struct {
    const char *prefix, *suffix, *adapter; /* first, last letters of a word; adapter for the file, NULL: a plugin */
} kinds[] = {
    {"casadi:", "", "casadi"}, {"", ".fmu", "fmu"},  {"", ".ssp", "fmu"}, {"", ".urdf", "urdf"},
    {"", ".xacro", "urdf"},    {"", ".sdf", "urdf"}, {"", ".so", NULL},
};

/** The interpretation of a word as the name of a file or of a model. */
typedef struct file_kind {
    const char *file;    /**< path within the word; NULL: the word is the name of a model */
    const char *adapter; /**< name of the adapter; NULL: a plugin */
} file_kind;

static int has_suffix(const char *word, const char *suffix)
{
    const size_t n = strlen(word), m = strlen(suffix);
    return m == 0 || (n > m && strcmp(word + n - m, suffix) == 0);
}

static file_kind find_file_kind(const char *word)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t n = strlen(kinds[k].prefix);
        if (strncmp(word, kinds[k].prefix, n) == 0 && word[n] && has_suffix(word, kinds[k].suffix))
            return (file_kind){.file = word + n, .adapter = kinds[k].adapter};
    }
    return (file_kind){.file = strchr(word, '/') ? word : NULL};
}

const char *resida_plugin_file(const char *word)
{
    return word ? find_file_kind(word).file : NULL;
}

/* Return the path of the shared object of an adapter. The file may not exist. The caller frees the path. Return NULL if
 * memory is exhausted. */
static char *find_adapter_path(const resida_allocator *a, const char *adapter)
{
    const char *set = getenv(FOLDER_VARIABLE), *own = rsd_find_file((uintptr_t)kinds, NULL), *slash = strrchr(own, '/');
    const char *folder = set && *set ? set : slash ? own : ".";
    const size_t length = folder == own ? (size_t)(slash - own) : strlen(folder);
    const size_t room = length + strlen(adapter) + sizeof MODULES MODULE;
    char *path = rsd_calloc(a, (long)room, 1);
    if (!path) return NULL;
    snprintf(path, room, "%.*s" MODULE, (int)length, folder, adapter);
    if (folder != set && access(path, F_OK) != 0)
        snprintf(path, room, "%.*s" MODULES MODULE, (int)length, folder, adapter);
    return path;
}

/* Check magic number, ABI number, struct sizes and callbacks of an adapter. */
static resida_status check_adapter(const resida_adapter *adapter, resida_message *why)
{
    if (adapter->magic != RESIDA_PLUGIN_MAGIC || adapter->abi != RESIDA_PLUGIN_ABI ||
        adapter->adapter_size != sizeof *adapter || adapter->class_size != sizeof(resida_model_class) ||
        adapter->model_size != sizeof(resida_model))
        return rsd_fail(why, RESIDA_ERR_PLUGIN, "an adapter that was compiled against other headers");
    if (!adapter->open || !adapter->close) return rsd_fail(why, RESIDA_ERR_PLUGIN, "an adapter without open or close");
    return RESIDA_OK;
}

struct resida_plugin_handle {
    resida_allocator allocator;       /* allocator of the handle */
    void *library;                    /* handle that dlopen() returned; NULL: not loaded */
    const resida_adapter *adapter;    /* adapter for a file of another tool; NULL: a plugin */
    const resida_model_class *opened; /* class made by the adapter */
};

/* Return the path with "./" if it has no '/', because dlopen() would search the system folders for a plain name. */
static char *make_path_explicit(const resida_allocator *a, const char *path)
{
    const size_t room = strlen(path) + sizeof "./";
    char *made = rsd_calloc(a, (long)room, 1);
    if (made) snprintf(made, room, "%s%s", strchr(path, '/') ? "" : "./", path);
    return made;
}

static resida_status report_load_failure(const char *file, const resida_message *reason, resida_message *why)
{
    return rsd_fail(why, RESIDA_ERR_PLUGIN, "%s: %s", rsd_shorten_path(file).text, reason->text);
}

/* Load a shared object and find the object that it exports. Return RESIDA_OK, or a status with the reason in `why`. */
static resida_status load_object(resida_plugin_handle *plugin, const char *file, const char *symbol,
                                 const void **object, resida_message *why)
{
    RSD_TRY(rsd_check_elf_file(file, why));
    const rsd_shown_path path = rsd_shorten_path(file);
    plugin->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->library) return rsd_fail(why, RESIDA_ERR_PLUGIN, "%s: cannot be loaded: %s", path.text, dlerror());
    *object = dlsym(plugin->library, symbol);
    if (*object) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_PLUGIN, "%s: not a plugin: does not export %s", path.text, symbol);
}

/* Check a class that a plugin or an adapter has made, and set *cls to it. */
static resida_status accept_class(const char *file, const resida_model_class *made, const resida_model_class **cls,
                                  resida_message *why)
{
    resida_message reason;
    if (rsd_model_check_head(made, &reason) < 0 || rsd_model_class_check(made, &reason) < 0)
        return report_load_failure(file, &reason, why);
    *cls = made;
    return RESIDA_OK;
}

static resida_status open_plugin(resida_plugin_handle *plugin, const char *file, const resida_model_class **cls,
                                 resida_message *why)
{
    const void *found = NULL;
    RSD_TRY(load_object(plugin, file, RESIDA_PLUGIN_SYMBOL, &found, why));
    return accept_class(file, found, cls, why);
}

static resida_status create_class_from_file(resida_plugin_handle *plugin, const char *file,
                                            const resida_model_class **cls, resida_message *why)
{
    resida_message reason = {""};
    rsd_thrown thrown = {0, ""};
    const resida_model_class *made = NULL;
    if (rsd_call_open(file, &made, &reason, &thrown, plugin->adapter) != 0 || !made) {
        reason.text[sizeof reason.text - 1] = 0;
        if (thrown.is_new) rsd_fail(&reason, RESIDA_ERR_PLUGIN, "the adapter threw %s", thrown.text);
        if (!reason.text[0]) rsd_fail(&reason, RESIDA_ERR_PLUGIN, "the adapter gave no message");
        return report_load_failure(file, &reason, why);
    }
    plugin->opened = made;
    return accept_class(file, made, cls, why);
}

static resida_status open_by_adapter(resida_plugin_handle *plugin, const char *file, const char *adapter,
                                     const char *module, const resida_model_class **cls, resida_message *why)
{
    const void *found = NULL;
    char lack[RSD_LACK];
    resida_message reason;
    if (load_object(plugin, module, RESIDA_ADAPTER_SYMBOL, &found, &reason) < 0 || check_adapter(found, &reason) < 0)
        return rsd_fail(why, RESIDA_ERR_PLUGIN, "%s: its adapter: %s%s", rsd_shorten_path(file).text, reason.text,
                        rsd_feature_lack(rsd_feature_of(adapter), module, reason.text, lack));
    plugin->adapter = found;
    return create_class_from_file(plugin, file, cls, why);
}

static resida_status open_file_by_kind(resida_plugin_handle *plugin, const char *word, const resida_model_class **cls,
                                       resida_message *why)
{
    const resida_allocator *a = &plugin->allocator;
    const file_kind kind = find_file_kind(word);
    char *file = make_path_explicit(a, kind.file ? kind.file : word);
    char *module = kind.adapter ? find_adapter_path(a, kind.adapter) : NULL;
    resida_status status = RESIDA_OK;
    if (!file || (kind.adapter && !module))
        status = rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to open a plugin");
    else if (kind.adapter)
        status = open_by_adapter(plugin, file, kind.adapter, module, cls, why);
    else
        status = open_plugin(plugin, file, cls, why);
    RSD_FREE(a, file, module);
    return status;
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
    resida_plugin_handle *made = rsd_calloc(&allocator, 1, sizeof *made);
    if (!made) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to open a plugin");
    made->allocator = allocator;
    resida_status status = open_file_by_kind(made, path, cls, why);
    if (status == RESIDA_OK) {
        *plugin = made;
        return RESIDA_OK;
    }
    *cls = NULL;
    resida_plugin_close(made);
    return status;
}

void resida_plugin_close(resida_plugin_handle *plugin)
{
    if (!plugin) return;
    resida_allocator allocator = plugin->allocator;
    if (plugin->opened) rsd_call_close(plugin->opened, NULL, plugin->adapter);
    if (plugin->library) dlclose(plugin->library);
    rsd_free(&allocator, plugin);
}
