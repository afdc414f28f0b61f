/* cmd_export.c - packs a model as an FMU for Co-Simulation:
 *
 *     modelDescription.xml            variables (description.c)
 *     binaries/PLATFORM/NAME.so       the library with SUNDIALS, KLU and LAPACK, which every exported FMU has
 *     resources/resida.bin            parameters and options of the integration
 *     resources/model.so              the plugin; a built-in model is in the binary
 *     resources/FILE                  files that text parameters name */
#include "export.h"

#include "command/cli/commands.h"
#include "command/modules/module.h"
#include "command/modules/zip.h"
#include "program/base/complain.h"
#include "program/base/digest.h"
#include "program/files/out_file.h"

#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPONENT "resida-component.so"
#define FEATURE   "FMU export"

enum { PLATFORM_NAME = 256, FIXED = 4, READ = 0644, RUN = 0755 };

/** The files of an archive, and the memory of their content. */
typedef struct content {
    cmd_zip_entry *entries; /**< [n], room for FIXED and the parameters */
    int n;
    char *description, *packed; /**< bytes of the files made here */
    size_t n_description, n_packed;
    char binary[PLATFORM_NAME], component[CMD_MODULE_PATH];
    char (*resources)[PLATFORM_NAME]; /**< [n_parameters] */
    const char **words;               /**< [n_parameters] default texts */
} content;

/** Check that the model is built in, or a plugin. */
static int check_model(const cmd_model *m)
{
    static const unsigned char elf[] = {0x7f, 'E', 'L', 'F'};
    unsigned char bytes[sizeof elf] = {0};
    const char *file = resida_plugin_file(m->word);
    if (!m->plugin) return 0;
    FILE *from = file == m->word ? fopen(file, "rb") : NULL;
    const int is_plugin =
        from && fread(bytes, 1, sizeof bytes, from) == sizeof bytes && memcmp(bytes, elf, sizeof elf) == 0;
    if (from) fclose(from);
    if (is_plugin) return 0;
    return cmd_complain(CMD_EXIT_USAGE,
                        "export: %s is a file of another tool; built-in models and plugins are exported", m->word);
}

/** Make the name of the binary, an identifier of C, from that of the model. */
static void make_identifier(cmd_export *e)
{
    const char *name = e->model->cls->name;
    const int is_digit = isdigit((unsigned char)name[0]);
    snprintf(e->identifier, sizeof e->identifier, "%s%.*s", is_digit ? "_" : "", FMU_PACKED_WORD - 2, name);
    for (char *c = e->identifier; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
}

static int is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, R_OK) == 0;
}

/** Add the files that texts name. The texts become their names in the resources. */
static int add_resources(content *c, const cmd_export *e)
{
    const resida_model_class *cls = e->model->cls;
    for (int i = 0; i < cls->n_parameters; i++) {
        const char *word = e->model->values[i].word;
        if (!cls->parameters[i].word) continue;
        c->words[i] = word;
        if (!*word || !is_file(word)) continue;
        const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
        snprintf(c->resources[i], PLATFORM_NAME, "resources/%s", name);
        for (int k = 0; k < c->n; k++)
            if (strcmp(c->entries[k].name, c->resources[i]) == 0 && strcmp(c->entries[k].path, word) != 0)
                return cmd_complain(CMD_EXIT_USAGE, "export: two files %s", name);
        c->entries[c->n++] = (cmd_zip_entry){.name = c->resources[i], .path = word, .mode = READ};
        c->words[i] = name;
    }
    return 0;
}

static int describe(content *c, const cmd_export *e)
{
    free(c->description);
    FILE *to = open_memstream(&c->description, &c->n_description);
    if (!to) return cmd_no_memory();
    cmd_export_describe(e, to);
    return fclose(to) == 0 ? 0 : cmd_no_memory();
}

/** The token is a digest of the description. */
static int make_token(content *c, cmd_export *e)
{
    uint64_t digest = CMD_DIGEST_OF_NOTHING;
    const int code = describe(c, e);
    if (code != 0) return code;
    cmd_digest_add(&digest, c->description, c->n_description);
    snprintf(e->token, sizeof e->token, "{resida-%016" PRIx64 "}", digest);
    return describe(c, e);
}

static int pack(content *c, const cmd_export *e)
{
    const cmd_model *m = e->model;
    double *values = calloc((size_t)m->cls->n_parameters + 1, sizeof *values);
    FILE *to = open_memstream(&c->packed, &c->n_packed);
    int is_written = values && to;
    if (is_written) {
        fmu_packed p = {.values = values, .words = (char **)c->words};
        for (int i = 0; i < m->cls->n_parameters; i++) values[i] = m->values[i].number;
        p.head.sizes = fmu_packed_sizes_of(&m->model);
        p.head.t0 = m->model.t0;
        p.head.problem = e->job->settings->problem;
        p.head.problem.formalism = e->job->formalism;
        p.head.start = e->job->settings->start;
        p.head.n_parameters = m->cls->n_parameters;
        cmd_job_options(e->job, &p.head.solver);
        snprintf(p.head.token, sizeof p.head.token, "%s", e->token);
        snprintf(p.head.model, sizeof p.head.model, "%s", m->plugin ? "" : m->cls->name);
        is_written = fmu_packed_write(&p, to) == 0;
    }
    if (to) is_written = fclose(to) == 0 && is_written;
    free(values);
    return is_written ? 0 : cmd_no_memory();
}

static int collect(content *c, cmd_export *e)
{
    int code = add_resources(c, e);
    e->words = c->words;
    if (code == 0) code = make_token(c, e);
    if (code == 0) code = pack(c, e);
    if (code != 0) return code;
    cmd_module_path(COMPONENT, c->component);
    if (access(c->component, R_OK) != 0) return cmd_complain_lack(CMD_EXIT_FAILED, "export", FEATURE);
    snprintf(c->binary, sizeof c->binary, "binaries/%s/%s.so", e->version == 2 ? "linux64" : "x86_64-linux",
             e->identifier);
    c->entries[c->n++] = (cmd_zip_entry){
        .name = "modelDescription.xml", .bytes = c->description, .size = c->n_description, .mode = READ};
    c->entries[c->n++] = (cmd_zip_entry){.name = c->binary, .path = c->component, .mode = RUN};
    c->entries[c->n++] =
        (cmd_zip_entry){.name = "resources/" FMU_PACKED_FILE, .bytes = c->packed, .size = c->n_packed, .mode = READ};
    if (e->model->plugin)
        c->entries[c->n++] = (cmd_zip_entry){
            .name = "resources/" FMU_PACKED_PLUGIN, .path = resida_plugin_file(e->model->word), .mode = RUN};
    return 0;
}

static int write_archive(const content *c, const char *path)
{
    char why[CMD_MODULE_WHY];
    cmd_out out;
    const cmd_zip *zip = cmd_module(FEATURE, "resida-zip.so", CMD_ZIP_SYMBOL, RTLD_LOCAL, why);
    if (!zip) return cmd_complain(CMD_EXIT_FAILED, "export: %s", why);
    const int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    if (zip->write(c->entries, c->n, out.stream, why, sizeof why) == 0) return cmd_out_commit(&out);
    if (!why[0]) return cmd_out_fail(&out);
    cmd_out_abort(&out);
    return cmd_complain(CMD_EXIT_IO, "cannot write %s: %s", path, why);
}

static void print_summary(const cmd_export *e, const char *path)
{
    const resida_model *m = &e->model->model;
    printf("%s: FMI %d.0 for Co-Simulation, %d parameters, %d inputs, %d outputs\n", path, e->version,
           e->model->cls->n_parameters, m->is_dae ? m->dae.n_u : m->mechanism.n_u, e->columns.n);
}

/** Select the outputs: without a list all columns except y', which a restart does not need. */
static int select_outputs(cmd_export *e, const cmd_settings *s)
{
    const int code = cmd_columns_make(&e->columns, e->job, s->columns ? s->columns : "*", "columns");
    int n = 0;
    for (int i = 0; i < e->columns.n && code == 0; i++) {
        if (!s->columns && e->columns.of[i].quantity == CMD_OF_YP) {
            free(e->columns.names[i]);
            continue;
        }
        e->columns.of[n] = e->columns.of[i];
        e->columns.names[n] = e->columns.names[i];
        e->columns.units[n++] = e->columns.units[i];
    }
    if (code == 0) e->columns.n = n;
    return code;
}

static int export_job(const cmd_job *job, const cmd_settings *s)
{
    cmd_export e = {.job = job, .model = job->model, .version = s->fmi == 0 ? 2 : 3};
    const size_t n = (size_t)job->model->cls->n_parameters;
    content c = {.entries = calloc(n + FIXED, sizeof *c.entries),
                 .resources = calloc(n + 1, sizeof *c.resources),
                 .words = calloc(n + 1, sizeof *c.words)};
    int code = c.entries && c.resources && c.words ? 0 : cmd_no_memory();
    make_identifier(&e);
    if (code == 0) code = select_outputs(&e, s);
    if (code == 0) code = collect(&c, &e);
    if (code == 0) code = write_archive(&c, s->fmu);
    if (code == 0 && !s->quiet) print_summary(&e, s->fmu);
    cmd_columns_free(&e.columns);
    free(c.entries), free(c.resources), free(c.words), free(c.description), free(c.packed);
    return code;
}

/** Start the model, so that an FMU whose start fails is not written. */
static int try_start(const cmd_job *job)
{
    cmd_handles h;
    resida_message why = {""};
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    if (status >= 0) status = cmd_handles_start(&h, job);
    if (status < 0 && h.solver) snprintf(why.text, sizeof why.text, "%s", resida_solver_message(h.solver));
    cmd_handles_close(&h);
    return status >= 0 ? 0 : cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
}

static int export_model(cmd_model *model, const cmd_settings *s)
{
    cmd_job job;
    int code = check_model(model);
    if (code == 0 && s->n_tolerances > 0)
        code = cmd_complain(CMD_EXIT_USAGE, "export: --atol %s=X is not exported; --atol X is", s->tolerance_names[0]);
    if (code == 0) code = cmd_job_make(&job, model, s, 1);
    if (code == 0) code = cmd_job_probe(&job);
    if (code == 0) code = try_start(&job);
    return code == 0 ? export_job(&job, s) : code;
}

int cmd_cmd_export(const cmd_settings *s)
{
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, s->n_words == 0 ? "export: which model? 'resida models' lists them"
                                                            : "export: one model only");
    if (!s->fmu) return cmd_complain(CMD_EXIT_USAGE, "export: which file? --fmu NAME.fmu");
    if (!cmd_ends_in(s->fmu, ".fmu")) return cmd_complain(CMD_EXIT_USAGE, "--fmu %s: must end with .fmu", s->fmu);
    return cmd_on_model(s, export_model);
}
