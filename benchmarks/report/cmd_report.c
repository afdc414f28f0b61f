/* cmd_report.c - one page with all measurements. Sections write to unnamed temporary files, from which the page is
 * assembled at the end of the report or after a signal; unfinished sections are marked. The page is opened before the
 * first run, so that a write error is detected early. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "program/cli/list.h"
#include "program/run/progress.h"
#include "program/files/out_file.h"
#include "program/process/stopwatch.h"
#include "report.h"
#include "report_times.h"
#include "benchmarks/util/kept_run.h"
#include "program/run/run_peer.h"
#include "benchmarks/work_precision/work_precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cmd_section all[] = {
    {"motion", "Motion, energies and events", cmd_report_motion, 2, 0, 1, 0},
    {"equilibrium", "Equilibrium and modes", cmd_report_equilibrium, 2, 0, 1, 0},
    {"table1", "Table 1: train carriage", cmd_report_table, 0, 150, 0, 0},
    {"table2", "Table 2: chain of pendulums", cmd_report_table, 0, 20, 0, 0},
    {"table3", "Table 3: passenger car", cmd_report_table, 0, 60, 0, 0},
    {"figures", "Figures 3, 4, 5 and 7", cmd_report_figures, 0, 5, 0, 0},
    {"extended", "Extended update: comparison", cmd_report_extended, 0, 60, 0, 0},
    {"models", "Strategies and integrators", cmd_report_models, 1, 200, 35, 5},
    {"work-precision", "Work and precision", cmd_report_work_precision, 1, 400, 63, 63},
    {"patterns", "Sparsity patterns and column groups", cmd_report_patterns, 1, 10, 1, 0},
};
enum { N_SECTIONS = sizeof all / sizeof all[0], PEERS_MAX = 16 };

/** The sections to be written. */
typedef struct plan {
    const cmd_section *sections[N_SECTIONS];
    FILE *bodies[N_SECTIONS];
    int n;
} plan;

/** Decide whether a section is part of the report. If models are named, the papers' tables are omitted, because they
 *  have their own models. */
static int is_wanted(const cmd_section *section, const cmd_settings *s)
{
    if (s->sections) return cmd_list_has(s->sections, section->name);
    return s->model_names ? section->is_of_models : section->is_of_models < 2;
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

/** Options that only some sections use; names are separated by blanks. */
static const struct {
    const char *option, *sections;
} looked_at[] = {
    {"models", "motion equilibrium models work-precision patterns"},
    {"param", "motion equilibrium models work-precision patterns"},
    {"drop-redundant", "motion equilibrium models work-precision patterns"},
    {"peers", "models work-precision"},
    {"from", "work-precision"},
    {"to", "work-precision"},
    {"per-decade", "work-precision"},
    {"repeat", "table1 table2 table3 extended models work-precision"},
};

/** Check that each given option is used by a section of the plan. */
static int check_sections(const plan *p, const cmd_settings *s)
{
    for (size_t i = 0; i < sizeof looked_at / sizeof looked_at[0]; i++) {
        int n = 0;
        if (!cmd_is_given(s, looked_at[i].option)) continue;
        for (int k = 0; k < p->n; k++) n += strstr(looked_at[i].sections, p->sections[k]->name) != NULL;
        if (n == 0)
            return cmd_complain(CMD_EXIT_USAGE, "--%s: requires one of the sections %s", looked_at[i].option,
                                looked_at[i].sections);
    }
    return 0;
}

/** Choose the peers. "all" and "none" are accepted in addition to names of peers. */
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
    if (cmd_list_has(s->peer_names, "all")) s->peer_names = NULL; /* memory belongs to the caller */
    return code;
}

/** Check that each model can be opened. */
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

/** Check that the tolerances form a series. */
static int check_series(const cmd_settings *s)
{
    cmd_study study;
    int code = cmd_study_open(&study, s);
    cmd_study_close(&study);
    return code;
}

/** Print the expected time of each section and the total, to standard output or, if the page is written there, to
 *  standard error. */
static void say_times(const plan *p, const cmd_report_work *r, const report_times *times)
{
    double all_s = 0;
    int n_known = 0;
    for (int i = 0; i < p->n; i++) {
        int is_recorded;
        const double seconds = report_times_of(times, r, p->sections[i], &is_recorded);
        if (isnan(seconds)) continue;
        printf("%s%s %s s%s", n_known++ > 0 ? ", " : "Expected time: ", p->sections[i]->name,
               cmd_number("%.0f", ceil(seconds)), is_recorded ? " (measured before)" : "");
        all_s += seconds;
    }
    if (n_known > 0) printf("; total %.0f min.\n", ceil(all_s / 60));
    printf("Ctrl-C ends the measurement and writes the finished sections. The same command continues; it uses the runs "
           "in %s.\n",
           r->kept.folder);
    fflush(stdout);
}

static int write_sections(plan *p, cmd_report_work *r, report_times *times)
{
    int code = 0;
    for (int i = 0; i < p->n && code == 0; i++) {
        const double began = bench_wall_s(), kept_s = r->kept.kept_s;
        p->bodies[i] = tmpfile();
        if (!p->bodies[i]) return cmd_complain_io("write", "a temporary file");
        if (cmd_progress_is_wanted(r->settings->quiet))
            fprintf(stderr, "%d of %d: %s\n", i + 1, p->n, p->sections[i]->title);
        r->section = p->sections[i];
        code = p->sections[i]->write(r, p->bodies[i]);
        if (code == 0) report_times_note(times, r, p->sections[i], bench_wall_s() - began + r->kept.kept_s - kept_s);
        if (code == 0 || code >= 128) continue;
        r->failed++;
        fputs("<p class=\"note\"><strong>This section is incomplete. The reason is printed on standard "
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

/** Write the page, unless a temporary file is incomplete. A page that was interrupted (code) does not replace a
 *  complete page; `partial` is its path. */
static int write_page(cmd_out *out, plan *p, const cmd_report_work *r, int code, char **partial)
{
    for (int i = 0; i < p->n; i++)
        if (p->bodies[i] && (fflush(p->bodies[i]) != 0 || ferror(p->bodies[i])))
            return cmd_complain_unwritten(p->bodies[i], "a temporary file");
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
    if (r->kept.n_kept > 0)
        printf("%ld of %ld runs were read from %s and not repeated. To repeat all runs, delete this folder.\n",
               r->kept.n_kept, r->kept.n_kept + r->kept.n_measured, r->kept.folder);
    printf("Page: %s\n", path);
}

/** Return the folder of kept runs, "a.kept" for the page "a.html"; to be freed. NULL: runs are not kept because the
 *  page is not a file */
static char *kept_folder(const char *path, const cmd_out *out, const cmd_settings *s)
{
    static const char ending[] = ".kept";
    if (s->kept_in) return strdup(s->kept_in);
    if (!out->unnamed) return NULL;
    const size_t stem = cmd_stem(path);
    char *folder = malloc(stem + sizeof ending);
    if (folder) sprintf(folder, "%.*s%s", (int)stem, path, ending);
    return folder;
}

static int open_kept(cmd_report_work *r, const char *path, const cmd_out *out)
{
    static const char *const which[] = {"out", "sections", "models", "peers", "kept", NULL};
    char *folder = kept_folder(path, out, r->settings);
    const int code = folder ? bench_kept_runs_open(&r->kept, folder, r->settings, which) : 0;
    free(folder);
    return code;
}

static int write_all(cmd_report_work *r, plan *p, int to_stdout)
{
    report_times times;
    int code = report_times_open(&times, r->kept.folder);
    if (code == 0 && r->kept.folder && !to_stdout && !r->settings->quiet) say_times(p, r, &times);
    if (code == 0) code = write_sections(p, r, &times);
    report_times_close(&times);
    return code;
}

static int report(cmd_report_work *r, plan *p, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    int to_stdout = out.stream == stdout;
    code = open_kept(r, path, &out);
    if (code == 0) code = write_all(r, p, to_stdout);
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

/** Join the words, which are models, to "a,b". @return to be freed; NULL if memory is exhausted */
static char *join_models(const cmd_settings *s)
{
    size_t size = 1;
    for (int i = 0; i < s->n_words; i++) size += strlen(s->words[i]) + 1;
    char *names = calloc(size, 1);
    for (int i = 0; names && i < s->n_words; i++) {
        if (i > 0) strcat(names, ",");
        strcat(names, s->words[i]);
    }
    return names;
}

static int check_all(plan *p, cmd_settings *s)
{
    int code = make_plan(p, s);
    if (code == 0) code = check_sections(p, s);
    if (code == 0 && s->n_parameters > 0 && !s->model_names)
        code = cmd_complain(CMD_EXIT_USAGE, "--param: requires models: report MODEL...");
    if (code == 0) code = choose_peers(s);
    if (code == 0) code = check_models(s);
    return code == 0 ? check_series(s) : code;
}

static int report_checked(plan *p, cmd_settings *s)
{
    cmd_report_work r = {.settings = s};
    s->kept_runs = &r.kept;
    cmd_machine_ask(&r.before);
    const int code = report(&r, p, s->out ? s->out : "report.html");
    close_bodies(p);
    cmd_report_free(&r);
    return code;
}

int cmd_cmd_report(const cmd_settings *s)
{
    cmd_settings own = *s;
    plan p;
    own.is_silent_on_events = 1;
    if (s->n_words > 0 && s->model_names)
        return cmd_complain(CMD_EXIT_USAGE, "report: give the models as arguments, '%s', or by --models, not both",
                            s->words[0]);
    char *names = s->n_words > 0 ? join_models(s) : NULL;
    if (s->n_words > 0 && !names) return cmd_no_memory();
    if (names) own.model_names = names;
    int code = check_all(&p, &own);
    if (code == 0) code = report_checked(&p, &own);
    free(names);
    return code;
}
