/* cmd_results.c - writes doc/results.md from its template. Studies that take less than a minute are measured. Other
 * studies are measured unless a kept result exists. With --check, a page is compared with the measurements. */
#include "benchmarks/cli/commands.h"

#include "benchmarks/util/kept_file.h"
#include "page.h"
#include "program/base/complain.h"
#include "program/files/out_file.h"
#include "program/run/progress.h"

#include <stdlib.h>
#include <string.h>

enum { STUDIES_MAX = 40 };
static const char kept_folder[] = "results.kept";

/** Results in progress. */
typedef struct results {
    const cmd_settings *settings;
    const char *folder; /**< folder of kept results */
    cmd_out out;        /**< the page; not opened with --check */
    int is_quoted[STUDIES_MAX];
    json_t *all[STUDIES_MAX]; /**< indexed as bench_studies; NULL: unknown */
} results;

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r"), *copy = NULL;
    char *text = NULL;
    size_t n = 0;
    if (f) copy = open_memstream(&text, &n);
    int failed = !copy || cmd_copy(f, copy) != 0;
    if (copy) failed |= fclose(copy) != 0;
    if (f) fclose(f);
    if (!failed) return text;
    free(text);
    (void)cmd_complain_io("read", path);
    return NULL;
}

/** Return 1 if the study is to be measured although a result is kept: words after the template name such studies. */
static int is_named(const cmd_settings *s, const char *study)
{
    for (int i = 1; i < s->n_words; i++)
        if (strcmp(s->words[i], study) == 0) return 1;
    return 0;
}

/** Print the origin of a result to standard output, or to standard error if the page is written to standard output. */
static void say_kept(const results *r, const bench_study *study, const json_t *result)
{
    FILE *f = r->out.stream == stdout ? stderr : stdout;
    if (r->settings->quiet) return;
    fprintf(f, "%s: ", study->name);
    if (result) {
        fputs("kept result of ", f);
        bench_result_made_by(result, f);
        fprintf(f, " in %.0f s, not repeated\n", json_number_value(json_object_get(result, "seconds")));
    } else {
        fprintf(f, "about %d minutes\n", study->minutes);
    }
    fflush(f);
}

static int find(results *r, int i)
{
    const bench_study *study = &bench_studies[i];
    const int is_long = study->minutes > 0;
    if (is_long && !is_named(r->settings, study->name)) {
        r->all[i] = bench_result_kept(r->folder, study);
    }
    if (is_long) say_kept(r, study, r->all[i]);
    if (r->all[i]) return 0;
    int code = bench_result_measure(study, r->settings, &r->all[i]);
    if (code == 0 && is_long) code = bench_kept_folder(r->folder);
    return code == 0 && is_long ? bench_result_keep(r->folder, r->all[i]) : code;
}

static const json_t *result_of(void *self, const bench_study *study)
{
    const results *r = self;
    return r->all[study - bench_studies];
}

static int write_page(results *r, const char *template)
{
    const int code = bench_page_write(template, result_of, r, r->out.stream);
    if (code != 0) return code;
    return ferror(r->out.stream) ? cmd_out_fail(&r->out) : cmd_out_commit(&r->out);
}

static int compare_page(results *r, const char *template)
{
    char *expected = NULL, *page = read_text(r->settings->check);
    size_t n = 0;
    int code = page ? 0 : CMD_EXIT_IO;
    FILE *f = code == 0 ? open_memstream(&expected, &n) : NULL;
    if (code == 0) code = f ? bench_page_write(template, result_of, r, f) : cmd_no_memory();
    if (f) fclose(f);
    if (code == 0 && bench_page_compare(expected, page, r->settings->check) > 0) code = CMD_EXIT_FAILED;
    free(expected);
    free(page);
    return code;
}

static int check_names(const cmd_settings *s)
{
    for (int i = 1; i < s->n_words; i++) {
        const bench_study *study = bench_study_find(s->words[i]);
        if (!study || !study->fill) return cmd_complain(CMD_EXIT_USAGE, "results: unknown study '%s'", s->words[i]);
    }
    return 0;
}

int cmd_cmd_results(const cmd_settings *s)
{
    cmd_settings own = *s;
    results r = {.settings = &own, .folder = s->kept_in ? s->kept_in : kept_folder};
    own.is_silent_on_events = 1;
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "results: TEMPLATE is missing");
    int code = check_names(s);
    char *template = code == 0 ? read_text(s->words[0]) : NULL;
    if (code == 0 && !template) code = CMD_EXIT_IO;
    if (code == 0) code = bench_page_studies(template, r.is_quoted);
    if (code == 0 && !s->check) code = cmd_out_open(&r.out, s->out ? s->out : "results.md");
    for (int i = 0; i < bench_n_studies && code == 0; i++)
        if (r.is_quoted[i] && (!s->check || bench_studies[i].minutes == 0)) code = find(&r, i);
    if (code == 0) code = s->check ? compare_page(&r, template) : write_page(&r, template);
    if (code != 0) cmd_out_abort(&r.out);
    for (int i = 0; i < bench_n_studies; i++) json_decref(r.all[i]);
    free(template);
    return code;
}
