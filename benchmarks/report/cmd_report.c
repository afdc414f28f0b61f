/* cmd_report.c - one page with all that can be measured. Sections write into files without names; the page is put
 * together from them at the end, whatever came in between: after a signal it has what is finished, and says what is
 * not. The file itself is opened before the first run, so that one that cannot be written is known in time. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "program/cli/list.h"
#include "program/run/progress.h"
#include "report.h"
#include "program/run/run_peer.h"
#include "benchmarks/work_precision/work_precision.h"

#include <stdlib.h>
#include <string.h>

static const cmd_section all[] = {
    {"table1", "Table 1: train carriage", cmd_report_table, 0},
    {"table2", "Table 2: chain of pendulums", cmd_report_table, 0},
    {"table3", "Table 3: passenger car", cmd_report_table, 0},
    {"figures", "Figures 3, 4, 5 and 7", cmd_report_figures, 0},
    {"extended", "Extended update: where it helps", cmd_report_extended, 0},
    {"models", "Strategies and integrators", cmd_report_models, 1},
    {"work-precision", "Work and precision", cmd_report_work_precision, 1},
    {"patterns", "Patterns and groups", cmd_report_patterns, 1},
};
enum { N_SECTIONS = sizeof all / sizeof all[0], PEERS_MAX = 16 };

/** What there is to do. */
typedef struct plan {
    const cmd_section *sections[N_SECTIONS];
    FILE *bodies[N_SECTIONS];
    int n;
} plan;

/** Models that are named are what is wanted: the papers' tables, which have models of their own, are no part of that.
 *  */
static int is_wanted(const cmd_section *section, const cmd_settings *s)
{
    if (s->sections) return cmd_list_has(s->sections, section->name);
    return section->is_of_models || !s->model_names;
}

static int make_plan(plan *p, const cmd_settings *s)
{
    const char *names[N_SECTIONS];
    *p = (plan){.n = 0};
    for (int i = 0; i < N_SECTIONS; i++) names[i] = all[i].name;
    int code = s->sections ? cmd_list_check(s->sections, "sections", names, N_SECTIONS) : 0;
    for (int i = 0; i < N_SECTIONS; i++)
        if (is_wanted(&all[i], s)) p->sections[p->n++] = &all[i];
    return code;
}

/** Options that only some sections look at, names with blanks between them. */
static const struct {
    const char *option, *sections;
} looked_at[] = {
    {"models", "models work-precision patterns"},
    {"param", "models work-precision patterns"},
    {"drop-redundant", "models work-precision patterns"},
    {"peers", "models work-precision"},
    {"from", "work-precision"},
    {"to", "work-precision"},
    {"per-decade", "work-precision"},
    {"repeat", "table1 table2 table3 extended models work-precision"},
};

/** Is there a section that looks at each option that was given? */
static int check_sections(const plan *p, const cmd_settings *s)
{
    for (size_t i = 0; i < sizeof looked_at / sizeof looked_at[0]; i++) {
        int n = 0;
        if (!cmd_is_given(s, looked_at[i].option)) continue;
        for (int k = 0; k < p->n; k++) n += strstr(looked_at[i].sections, p->sections[k]->name) != NULL;
        if (n == 0)
            return cmd_complain(CMD_EXIT_USAGE, "--%s: has no effect without one of the sections %s",
                                looked_at[i].option, looked_at[i].sections);
    }
    return 0;
}

/** "all" and "none" are no names of peers. */
static int choose_peers(cmd_settings *s)
{
    const char *names[PEERS_MAX + 2];
    int n = 0;
    s->peers = 1;
    if (!s->peer_names) return 0;
    for (; n < rsd_peer_count() && n < PEERS_MAX; n++) names[n] = rsd_peer_name(rsd_peer_at(n));
    names[n++] = "all";
    names[n++] = "none";
    if (cmd_list_has(s->peer_names, "none")) s->peers = 0;
    int code = cmd_list_check(s->peer_names, "peers", names, n);
    if (cmd_list_has(s->peer_names, "all")) s->peer_names = NULL; /* freed by its owner */
    return code;
}

/** Does every model open? */
static int check_models(const cmd_settings *s)
{
    char word[4096];
    const char *rest = s->model_names, *only = word;
    int code = 0;
    while (code == 0 && cmd_list_next(&rest, word, sizeof word)) {
        cmd_model model;
        code = cmd_models_open(&model, 1, &only, s);
        if (code == 0) cmd_models_close(&model, 1);
    }
    return code;
}

/** Do the tolerances make a series? */
static int check_series(const cmd_settings *s)
{
    cmd_study study;
    int code = cmd_study_open(&study, s);
    cmd_study_close(&study);
    return code;
}

static int write_sections(plan *p, cmd_report_work *r)
{
    int code = 0;
    for (int i = 0; i < p->n && code == 0; i++) {
        p->bodies[i] = tmpfile();
        if (!p->bodies[i]) return cmd_complain_io("write", "a temporary file");
        if (cmd_progress_is_wanted(r->settings->quiet))
            fprintf(stderr, "%d of %d: %s\n", i + 1, p->n, p->sections[i]->title);
        r->section = p->sections[i];
        code = p->sections[i]->write(r, p->bodies[i]);
        if (code == 0 || code >= 128) continue;
        r->failed++;
        fputs("<p class=\"note\"><strong>This section is not whole; the reason was given on standard "
              "error.</strong></p>\n",
              p->bodies[i]);
        code = 0;
    }
    return code;
}

static void close_bodies(plan *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->bodies[i]) fclose(p->bodies[i]);
}

/** A temporary file that could not be written whole must not make a page that looks whole; nor does a page that was cut
 *  short (code) take the place of a whole one: `partial` says where it is. */
static int write_page(cmd_out *out, plan *p, const cmd_report_work *r, int code, char **partial)
{
    for (int i = 0; i < p->n; i++)
        if (p->bodies[i] && (fflush(p->bodies[i]) != 0 || ferror(p->bodies[i])))
            return cmd_complain_io("write", "a temporary file");
    cmd_page_write(out->stream, r, p->sections, p->bodies, p->n, code);
    if (ferror(out->stream)) return cmd_out_fail(out);
    return code == 0 ? cmd_out_commit(out) : cmd_out_commit_partial(out, partial);
}

static void print_outcome(cmd_report_work *r, const char *path)
{
    if (r->outcomes.n_cells > 0) {
        cmd_table_print(&r->outcomes, 2, stdout);
        putchar('\n');
    }
    printf("The page is %s\n", path);
}

static int report(cmd_report_work *r, plan *p, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    int to_stdout = out.stream == stdout;
    code = write_sections(p, r);
    if (code != 0 && code < 128) {
        cmd_out_abort(&out);
        return code;
    }
    char *partial = NULL;
    int written = write_page(&out, p, r, code, &partial);
    if (written == 0 && !to_stdout) print_outcome(r, partial ? partial : path);
    free(partial);
    if (written != 0) {
        cmd_out_abort(&out);
        return written;
    }
    return code == 0 && r->failed > 0 ? CMD_EXIT_FAILED : code;
}

int cmd_cmd_report(const cmd_settings *s)
{
    cmd_settings own = *s;
    own.is_silent_on_events = 1;
    cmd_report_work r = {.settings = &own};
    plan p;
    if (s->n_words > 0)
        return cmd_complain(CMD_EXIT_USAGE, "report: takes no words but options, there is '%s'; models: --models %s",
                            s->words[0], s->words[0]);
    int code = make_plan(&p, s);
    if (code == 0) code = check_sections(&p, s);
    if (code == 0 && s->n_parameters > 0 && !s->model_names)
        code = cmd_complain(CMD_EXIT_USAGE, "--param: whose? --models names the models");
    if (code == 0) code = choose_peers(&own);
    if (code == 0) code = check_models(s);
    if (code == 0) code = check_series(&own);
    if (code != 0) return code;
    cmd_machine_ask(&r.before);
    code = report(&r, &p, s->out ? s->out : "report.html");
    close_bodies(&p);
    cmd_report_free(&r);
    return code;
}
