/* ssp.c - the adapter: reads a system, the structure of an SSP and an FMU for each component, or a single FMU. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

/* Open the FMU of a component. Two components with the same FMU have separate fmu_file objects. */
static int open_component(ssp_system *s, int i, fmu_archive *a, resida_message *why)
{
    const ssd_component *c = &s->about.components[i];
    resida_message reason = {""};
    int opened = 0, is_there = 0;
    for (int k = 0; k < i; k++) is_there |= strcmp(s->about.components[k].source, c->source) == 0;
    s->components[i].name = c->name;
    s->components[i].kind = c->kind;
    const char *found = fmu_archive_find(a, c->source, "", c->source);
    if (!found || strcmp(found, c->source) != 0)
        return fmu_fail(why, "component %.100s: %.200s is missing in the archive", c->name, c->source);
    if (!is_there) opened = fmu_archive_unpack(a, c->source, &s->scratch, &reason);
    char *path = opened < 0 ? NULL : fmu_scratch_path(&s->scratch, c->source);
    if (path) opened = fmu_file_open(path, &s->components[i].file, &reason);
    if (path && opened == 0) {
        fmu_file *file = s->components[i].file;
        file->prefix = fmu_pool_format(&file->about.pool, "%s.", c->name);
        if (!file->prefix) opened = fmu_no_memory(&reason);
    }
    if (path && opened == 0 && is_there && s->components[i].file->about.only_once)
        opened = fmu_fail(&reason, "can be instantiated only once in a process");
    free(path);
    return path && opened == 0 ? 0 : fmu_fail(why, "component %.100s: %.300s", c->name, reason.text);
}

/* Select Model Exchange for all components, or Co-Simulation if one component requires it. */
static int choose_kind(ssp_system *s, resida_message *why)
{
    int stepping = -1;
    for (int i = 0; i < s->n; i++)
        if (!s->components[i].file->about.identifier || s->components[i].kind == SSD_STEPS) stepping = i;
    s->by_steps = stepping >= 0;
    for (int i = 0; i < s->n && s->by_steps; i++) {
        const int is_exchange = s->components[i].kind == SSD_EXCHANGE;
        if (s->components[i].file->about.stepper && !is_exchange) continue;
        return fmu_fail(
            why, "component %.100s is for Model Exchange, %.100s for Co-Simulation: they cannot be in one system",
            s->components[i].name, s->components[stepping].name);
    }
    return 0;
}

static int read_structure(ssp_system *s, fmu_archive *a, resida_message *why)
{
    if (ssd_read(&s->about, a, &s->pool, why) < 0 || fmu_scratch_make(&s->scratch, why) < 0) return -1;
    s->components = fmu_pool_get(&s->pool, (size_t)s->about.n_components, sizeof *s->components);
    if (!s->components) return fmu_no_memory(why);
    for (; s->n < s->about.n_components; s->n++)
        if (open_component(s, s->n, a, why) < 0) return -1;
    return 0;
}

static int read_system(ssp_system *s, const char *path, resida_message *why)
{
    fmu_archive *a = fmu_archive_open(path, why);
    const int read = a ? read_structure(s, a, why) : -1;
    fmu_archive_close(a);
    if (read < 0) return -1;
    if (choose_kind(s, why) < 0 || ssp_links_make(s, why) < 0) return -1;
    s->sampled = ssp_links_list_sampled(s);
    if (!s->sampled) return fmu_no_memory(why);
    s->cls.name = s->about.name && *s->about.name ? s->about.name : "system";
    s->cls.text = fmu_pool_format(&s->pool, "a system, FMUs: %d, connections: %d (SSP %s)%s%s", s->n, s->n_links,
                                  s->about.version, *s->sampled ? "; " : "", s->sampled);
    return s->cls.text ? 0 : fmu_no_memory(why);
}

static int read_fmu(ssp_system *s, const char *path, resida_message *why)
{
    ssp_component *c = s->components = fmu_pool_get(&s->pool, 1, sizeof *s->components);
    if (!c) return fmu_no_memory(why);
    if (fmu_file_open(path, &c->file, why) < 0) return -1;
    s->n = s->about.n_components = 1;
    s->about.t0 = c->file->about.t0, s->about.t_end = c->file->about.t_end;
    c->name = s->sampled = "";
    s->cls.name = c->file->name, s->cls.text = c->file->text;
    return choose_kind(s, why);
}

static void close_system(const resida_model_class *cls)
{
    ssp_system *s = (ssp_system *)(uintptr_t)cls; /* the class is its first member */
    for (int i = 0; s->components && i < s->about.n_components; i++) fmu_file_close(s->components[i].file);
    fmu_scratch_remove(&s->scratch);
    fmu_pool_free(&s->pool);
    free(s);
}

/* Read a single FMU, or a system if the name ends with .ssp. After a failure nothing remains to be freed. */
static int open_system(const char *path, const resida_model_class **cls, resida_message *why)
{
    static const char ending[] = ".ssp";
    const size_t n = strlen(path);
    const int is_system = n > strlen(ending) && strcmp(path + n - strlen(ending), ending) == 0;
    resida_message reason = {""};
    ssp_system *s = calloc(1, sizeof *s);
    if (!s) return fmu_no_memory(why);
    s->cls = (resida_model_class){RESIDA_MODEL_HEAD, .create = ssp_create, .destroy = ssp_destroy};
    int opened = is_system ? read_system(s, path, &reason) : read_fmu(s, path, &reason);
    if (opened == 0) opened = ssp_table_make(s, &reason);
    *cls = opened == 0 ? &s->cls : NULL;
    if (opened == 0) return 0;
    close_system(&s->cls);
    return fmu_fail(why, "%s", reason.text);
}

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD,
    "fmu",
    "FMUs of FMI 2.0 and 3.0, Model Exchange, FMI-LS-DAE and Co-Simulation, and systems of them (SSP 1.0, 2.0)",
    open_system,
    close_system,
};
