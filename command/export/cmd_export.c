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
#include "program/output/json_line.h"

#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <resida_features.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FEATURE "FMU export"

enum { FIXED = 4, READ = 0644, RUN = 0755, ENTRY = FMU_PACKED_TEXT + 32 };

/** The files of an archive, and the memory of their content. */
typedef struct content {
    cmd_zip_entry *entries; /**< [n], room for FIXED and one for each parameter */
    char (*names)[ENTRY];   /**< [n] their paths in the archive */
    int n;
    char *description, *packed; /**< bytes of the files made here */
    size_t n_description, n_packed;
} content;

/** Check that the model is built in, or a plugin. */
static int check_model(const cmd_model *m)
{
    char bytes[4] = "";
    FILE *from = m->plugin && resida_plugin_file(m->word) == m->word ? fopen(m->word, "rb") : NULL;
    const size_t n = from ? fread(bytes, 1, sizeof bytes, from) : 0;
    if (from) fclose(from);
    if (!m->plugin || (n == sizeof bytes && memcmp(bytes, "\177ELF", n) == 0)) return 0;
    return cmd_complain(CMD_EXIT_USAGE,
                        "export: %s is a file of another tool; only built-in models and plugins can be exported",
                        m->word);
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

static void add(content *c, const char *folder, const char *name, cmd_zip_entry entry)
{
    snprintf(c->names[c->n], ENTRY, "%s%s", folder, name);
    entry.name = c->names[c->n];
    c->entries[c->n++] = entry;
}

/** Copy the values of the parameters. A text that names a file becomes the name of a resource. */
static int add_parameters(content *c, cmd_export *e)
{
    const cmd_model *m = e->job->model;
    struct stat about;
    for (int i = 0; i < m->cls->n_parameters; i++) {
        const char *word = m->values[i].word, *slash = word ? strrchr(word, '/') : NULL;
        e->packed.values[i] = m->values[i].number;
        if (!word) continue;
        const int is_file = stat(word, &about) == 0 && S_ISREG(about.st_mode);
        const char *name = is_file && slash ? slash + 1 : word;
        if (snprintf(e->packed.texts[i], FMU_PACKED_TEXT, "%s", name) >= FMU_PACKED_TEXT)
            return cmd_complain(CMD_EXIT_USAGE, "export: %s = %s is too long", m->cls->parameters[i].name, word);
        if (is_file) add(c, "resources/", name, (cmd_zip_entry){.path = word, .mode = READ});
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

/** Set the options, and the token, which is a digest of the description. */
static int pack(content *c, cmd_export *e)
{
    const cmd_job *job = e->job;
    fmu_packed_head *h = &e->packed.head;
    uint64_t digest = CMD_DIGEST_OF_NOTHING;
    *h = (fmu_packed_head){.sizes = fmu_packed_sizes_of(&job->model->model),
                           .t0 = job->model->model.t0,
                           .problem = job->settings->problem,
                           .start = job->settings->start,
                           .n_parameters = job->model->cls->n_parameters};
    h->problem.formalism = job->formalism;
    cmd_job_options(job, &h->solver);
    if (!job->model->plugin) snprintf(h->model, sizeof h->model, "%s", job->model->cls->name);
    int code = describe(c, e);
    if (code != 0) return code;
    cmd_digest_add(&digest, c->description, c->n_description);
    snprintf(h->token, sizeof h->token, "{resida-%016" PRIx64 "}", digest);
    code = describe(c, e);
    FILE *to = code == 0 ? open_memstream(&c->packed, &c->n_packed) : NULL;
    const int is_written = to && fmu_packed_write(&e->packed, to) == 0;
    return to && fclose(to) == 0 && is_written ? 0 : code != 0 ? code : cmd_no_memory();
}

static void add_files(content *c, const cmd_export *e, const char *binary)
{
    static const char *const folders[] = {"binaries/linux64/", "binaries/x86_64-linux/"};
    char name[ENTRY];
    snprintf(name, sizeof name, "%s.so", e->identifier);
    add(c, "", "modelDescription.xml",
        (cmd_zip_entry){.bytes = c->description, .size = c->n_description, .mode = READ});
    add(c, folders[e->version - 2], name, (cmd_zip_entry){.path = binary, .mode = RUN});
    add(c, "resources/", FMU_PACKED_FILE, (cmd_zip_entry){.bytes = c->packed, .size = c->n_packed, .mode = READ});
    if (e->job->model->plugin)
        add(c, "resources/", FMU_PACKED_PLUGIN, (cmd_zip_entry){.path = e->job->model->word, .mode = RUN});
}

static int write_archive(content *c, const cmd_export *e, const char *path)
{
    char binary[CMD_MODULE_PATH], why[CMD_MODULE_WHY], lack[RSD_LACK];
    cmd_out out;
    const cmd_zip *zip = cmd_load_module(FEATURE, "resida-zip.so", CMD_ZIP_SYMBOL, RTLD_LOCAL, why);
    if (!zip) return cmd_complain(CMD_EXIT_FAILED, "export: %s", why);
    cmd_module_path("resida-component.so", binary);
    if (access(binary, R_OK) != 0)
        return cmd_complain(CMD_EXIT_FAILED, "export: cannot read %s%s", binary,
                            rsd_feature_lack(rsd_feature_of(FEATURE), binary, "", lack));
    add_files(c, e, binary);
    const int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    if (zip->write(c->entries, c->n, out.stream, why, sizeof why) == 0) return cmd_out_commit(&out);
    if (!why[0]) return cmd_out_fail(&out);
    cmd_out_abort(&out);
    return cmd_complain(CMD_EXIT_IO, "cannot write %s: %s", path, why);
}

/** Print what was written. @return 0, or an exit code */
static int print_result(const cmd_export *e, const cmd_settings *s)
{
    const fmu_packed_head *h = &e->packed.head;
    if (s->format == CMD_JSON)
        return cmd_json_line(json_pack("{ss ss si si si si}", "fmu", s->fmu, "model", e->job->model->cls->name, "fmi",
                                       e->version, "parameters", h->n_parameters, "inputs", h->sizes.n_u, "outputs",
                                       e->columns.n),
                             stdout);
    if (!s->quiet)
        printf("%s: FMI %d.0 for Co-Simulation, %d parameters, %d inputs, %d outputs\n", s->fmu, e->version,
               h->n_parameters, h->sizes.n_u, e->columns.n);
    return 0;
}

static int export_job(const cmd_job *job, const cmd_settings *s)
{
    cmd_export e = {.job = job, .version = s->fmi == 0 ? 2 : 3};
    const resida_model *m = &job->model->model;
    const char *name = job->model->cls->name;
    const size_t n = (size_t)job->model->cls->n_parameters + FIXED;
    content c = {.entries = calloc(n, sizeof *c.entries), .names = calloc(n, sizeof *c.names)};
    e.packed.values = calloc(n, sizeof *e.packed.values);
    e.packed.texts = calloc(n, sizeof *e.packed.texts);
    snprintf(e.identifier, sizeof e.identifier, "%s%.60s", isdigit((unsigned char)name[0]) ? "_" : "", name);
    for (char *letter = e.identifier; *letter; letter++)
        if (!isalnum((unsigned char)*letter)) *letter = '_';
    int code = c.entries && c.names && e.packed.values && e.packed.texts ? 0 : cmd_no_memory();
    const char *usual = !m->is_dae ? "*" : m->n_outputs > 0 ? "y.*,out.*" : "y.*";
    if (code == 0) code = cmd_columns_make(&e.columns, job, s->columns ? s->columns : usual, "columns");
    if (code == 0) code = add_parameters(&c, &e);
    if (code == 0) code = pack(&c, &e);
    if (code == 0) code = write_archive(&c, &e, s->fmu);
    if (code == 0) code = print_result(&e, s);
    cmd_columns_free(&e.columns);
    fmu_packed_free(&e.packed);
    free(c.entries), free(c.names), free(c.description), free(c.packed);
    return code;
}

static int export_model(cmd_model *model, const cmd_settings *s)
{
    cmd_job job;
    int code = check_model(model);
    if (code == 0 && s->n_tolerances > 0)
        code = cmd_complain(CMD_EXIT_USAGE, "export: --atol %s=X is not supported in an FMU; use --atol X",
                            s->tolerance_names[0]);
    if (code == 0) code = cmd_job_make(&job, model, s, 1);
    if (code == 0) code = cmd_job_check(&job);
    if (code == 0) code = try_start(&job);
    return code == 0 ? export_job(&job, s) : code;
}

int cmd_cmd_export(const cmd_settings *s)
{
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, s->n_words == 0 ? "export: give a model; 'resida models' lists them"
                                                            : "export: give only one model");
    if (!s->fmu) return cmd_complain(CMD_EXIT_USAGE, "export: give the name of the file, --fmu NAME.fmu");
    if (!cmd_ends_in(s->fmu, ".fmu")) return cmd_complain(CMD_EXIT_USAGE, "--fmu %s: must end with .fmu", s->fmu);
    return cmd_run_on_model(s, export_model);
}
