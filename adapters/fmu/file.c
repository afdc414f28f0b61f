/* file.c - reads an FMU (fmi-standard.org, versions 2.0 and 3.0, Model Exchange and Co-Simulation, and the layered
 * standard FMI-LS-DAE). The description is read from the archive into memory; binaries and resources are unpacked to
 * a private folder. */
#include "adapters/fmu/base/archive.h"
#include "adapters/fmu/base/fail.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 }; /* names in a list */

/* Folders of the binaries for this platform, in FMI 3.0 and FMI 2.0. */
static const char *const platforms[] = {
#if defined(__linux__) && defined(__x86_64__)
    "x86_64-linux",
    "linux64",
#elif defined(__linux__) && defined(__i386__)
    "x86-linux",
    "linux32",
#elif defined(__linux__) && defined(__aarch64__)
    "aarch64-linux",
    "aarch64-linux",
#else
    "another-machine",
    "another-machine",
#endif
};

static int read_description(fmu_file *f, fmu_archive *a, resida_message *why)
{
    if (fmu_description_read(&f->about, a, why) < 0) return -1;
    if (f->about.identifier || f->about.stepper) return 0;
    return fmu_fail(why, "%s",
                    f->about.steps_in_tool
                        ? "it needs the tool that created it (needsExecutionTool), which is not supported"
                        : "it has neither ModelExchange nor CoSimulation; only these are supported");
}

/* Read the manifest. Its folder is named after the standard; drafts had shorter names. */
static int read_manifest(fmu_file *f, fmu_archive *a, resida_message *why)
{
    const char *name = fmu_archive_find(a, "extra/", "fmi-ls-dae", ".xml");
    return !name || f->about.version < 3 ? 0 : fmu_manifest_read(&f->manifest, &f->about.pool, a, name, why);
}

static void name_folder(const fmu_file *f, char *folder)
{
    snprintf(folder, RESIDA_MESSAGE_SIZE, "binaries/%s/", platforms[f->about.version == 2]);
}

/* Return the path "binaries/PLATFORM/IDENTIFIER.so" in the scratch folder, to be freed, if the archive contains it. */
static char *find_binary(const fmu_file *f, const char *identifier, fmu_archive *a, resida_message *why)
{
    char folder[RESIDA_MESSAGE_SIZE], name[RESIDA_MESSAGE_SIZE];
    name_folder(f, folder);
    const int n = snprintf(name, sizeof name, "%.60s%.200s.so", folder, identifier);
    if (n < 0 || strchr(identifier, '/') || strcmp(identifier, "..") == 0)
        return fmu_fail(why, "an invalid modelIdentifier"), NULL;
    const char *there = fmu_archive_find(a, name, "", "");
    if (!there || strcmp(there, name) != 0)
        return fmu_fail(why, "no binary for this machine: %.200s is missing", name), NULL;
    return fmu_scratch_path(&f->scratch, name);
}

/* Return the path of the resources: a path in FMI 3.0, a URI with escaped characters in FMI 2.0. */
static char *make_resource_path(const char *path, int version)
{
    static const char plain[] = "-._~/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                      scheme[] = "file://";
    const size_t escaped = strlen("%00");
    char *told = calloc(escaped * strlen(path) + sizeof scheme + 1, 1);
    if (!told) return NULL;
    char *at = told + sprintf(told, "%s", version == 2 ? scheme : "");
    for (const char *c = path; *c; c++)
        at += version == 2 && !strchr(plain, *c) ? sprintf(at, "%%%02X", (unsigned)(unsigned char)*c)
                                                 : sprintf(at, "%c", *c);
    if (version == 3) *at = '/';
    return told;
}

static int unpack_binaries(fmu_file *f, fmu_archive *a, resida_message *why)
{
    char folder[RESIDA_MESSAGE_SIZE];
    name_folder(f, folder);
    if (f->about.identifier && !(f->path = find_binary(f, f->about.identifier, a, why))) return -1;
    if (f->about.stepper && !(f->stepper_path = find_binary(f, f->about.stepper, a, why))) return -1;
    return fmu_archive_unpack(a, folder, &f->scratch, why);
}

static int unpack_file(fmu_file *f, fmu_archive *a, resida_message *why)
{
    if (fmu_scratch_make(&f->scratch, why) < 0 || unpack_binaries(f, a, why) < 0) return -1;
    int loaded = fmu_archive_unpack(a, "resources/", &f->scratch, why);
    if (loaded >= 0) loaded = fmu_scratch_folder(&f->scratch, "resources", why);
    char *resources = loaded < 0 ? NULL : fmu_scratch_path(&f->scratch, "resources");
    f->resources = resources ? make_resource_path(resources, f->about.version) : NULL;
    free(resources);
    if (loaded >= 0 && !f->resources) loaded = fmu_no_memory(why);
    return loaded < 0 ? loaded : fmu_file_load(f, !f->path, why);
}

/* Load the binary for Model Exchange, or for Co-Simulation if by_steps is 1. */
int fmu_file_load(fmu_file *f, int by_steps, resida_message *why)
{
    fmu_binary *binary = by_steps ? &f->stepper : &f->binary;
    if (binary->handle) return 0;
    return fmu_binary_load(binary, by_steps ? f->stepper_path : f->path, f->about.version, by_steps, why);
}

void fmu_file_close(fmu_file *f)
{
    if (!f) return;
    fmu_binary_unload(&f->binary);
    fmu_binary_unload(&f->stepper);
    free(f->path);
    free(f->stepper_path);
    fmu_scratch_remove(&f->scratch);
    free(f->resources);
    fmu_description_free(&f->about);
    free(f);
}

/* Return 1 if a variable is an input, output or parameter of an unsupported type. */
static int is_unsupported(const fmu_description *d, const fmu_variable *v)
{
    (void)d;
    const int is_open = v->is_output || v->causality == FMU_INPUT || v->causality == FMU_PARAMETER;
    return is_open && (v->type == FMU_OTHER || (v->type == FMU_STRING && v->n_dimensions > 0));
}

static int is_unit_undefined(const fmu_description *d, const fmu_variable *v)
{
    const int has_unit = v->unit && *v->unit;
    for (int i = 0; has_unit && i < d->units.n; i++)
        if (strcmp(d->units.of[i].name, v->unit) == 0) return 0;
    return has_unit && d->units.n > 0;
}

/* Return `title` and the first names of the variables that fit, "" if there is none, or NULL without memory. */
static const char *list_names(fmu_file *f, const char *title,
                              int (*fits)(const fmu_description *, const fmu_variable *))
{
    const char *text = "";
    int n = 0;
    for (int i = 0; i < f->about.n_variables && text; i++) {
        const fmu_variable *v = &f->about.variables[i];
        if (fits(&f->about, v) && ++n <= SHOWN)
            text = fmu_pool_format(&f->about.pool, "%s%s%.60s", text, n > 1 ? ", " : title, v->name);
    }
    return n > SHOWN && text ? fmu_pool_format(&f->about.pool, "%s and %d more", text, n - SHOWN) : text;
}

/* Return a text about unsupported variables and undefined units: "" or "; ...". Return NULL without memory. */
static const char *list_notes(fmu_file *f)
{
    const char *left = list_names(f, "; not supported (Binary, Clock, arrays of strings): ", is_unsupported);
    const char *open = list_names(f, "; undefined units of ", is_unit_undefined);
    return left && open ? fmu_pool_format(&f->about.pool, "%s%s", left, open) : NULL;
}

static int set_names(fmu_file *f, resida_message *why)
{
    fmu_description *d = &f->about;
    const char *identifier = d->identifier ? d->identifier : d->stepper;
    const char *what = d->text && *d->text ? d->text : d->name ? d->name : identifier;
    const char *notes = list_notes(f);
    const char *text = notes ? fmu_pool_format(&d->pool, "%s (FMI %d.0%s%s)%s", what, d->version, d->tool ? ", " : "",
                                               d->tool ? d->tool : "", notes)
                             : NULL;
    f->name = identifier, f->text = text;
    if (!text) return fmu_no_memory(why);
    return fmu_table_make(f, why);
}

int fmu_file_open(const char *path, fmu_file **file, resida_message *why)
{
    resida_message reason = {""};
    fmu_archive *a = fmu_archive_open(path, &reason);
    fmu_file *f = a ? calloc(1, sizeof *f) : NULL;
    int opened = -1;
    if (f) {
        f->prefix = "";
        opened = read_description(f, a, &reason);
        if (opened == 0) opened = read_manifest(f, a, &reason);
        if (opened == 0) opened = unpack_file(f, a, &reason);
        if (opened == 0) opened = set_names(f, &reason);
    } else if (a) {
        fmu_no_memory(&reason);
    }
    fmu_archive_close(a);
    if (opened < 0) fmu_file_close(f);
    *file = opened < 0 ? NULL : f;
    return opened < 0 ? fmu_fail(why, "%s", reason.text) : 0;
}
