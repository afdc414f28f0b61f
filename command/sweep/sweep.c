/* sweep.c - the preparation of a sweep before its first case: the model with its identity, and the columns of outputs.
 * A model is first opened in a process of its own, so that a crash does not end the sweep. */
#include "sweep.h"

#include "program/process/stopwatch.h"
#include "program/process/subprocess.h"
#include "program/base/complain.h"
#include "program/base/digest.h"
#include "program/process/signals.h"
#include "program/base/suggest.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIALS = 16, MAX_COLUMNS = 500, IDENTITY = 400, POLL_MS = 100, PATIENCE_S = 60 };

static int compute_identity(cmd_sweep_work *w)
{
    const char *file = resida_plugin_file(w->plan.model);
    char text[IDENTITY];
    uint64_t hash = CMD_DIGEST_OF_NOTHING;
    int code = file ? cmd_digest_add_file(&hash, file) : 0;
    if (code != 0) return code;
    cmd_digest_add(&hash, w->cls->text, strlen(w->cls->text)); /* for a model from source the text includes its
                                                                * dependencies */
    if (file)
        snprintf(text, sizeof text, "%.150s of a file, FNV-1a %016" PRIx64 ", by resida %s", w->cls->name, hash,
                 resida_version());
    else
        snprintf(text, sizeof text, "%.150s of resida %s", w->cls->name, resida_version());
    w->identity = strdup(text);
    return w->identity ? 0 : cmd_no_memory();
}

int cmd_sweep_open(cmd_sweep_work *w)
{
    int code = cmd_class_find(w->plan.model, &w->cls, &w->plugin);
    if (code == 0) code = cmd_plan_check(&w->plan, w->cls);
    return code == 0 ? compute_identity(w) : code;
}

void cmd_sweep_close(cmd_sweep_work *w)
{
    resida_plugin_close(w->plugin);
    free(w->outputs);
    free(w->identity);
    cmd_plan_free(&w->plan);
    *w = (cmd_sweep_work){.settings = NULL};
}

/** Create the columns of outputs from words. @return 0; CMD_EXIT_FAILED after one complaint */
static int set_output_columns(cmd_sweep_work *w, int n, const char *const *words, cmd_output (*read)(const char *word))
{
    w->outputs = calloc((size_t)n + 1, sizeof *w->outputs);
    if (!w->outputs) return cmd_no_memory();
    for (int i = 0; i < n; i++) {
        w->outputs[i] = read(words[i]);
        w->outputs[i].hint = i; /* index in the list of all names, which may contain a name twice */
    }
    w->n_outputs = n;
    return 0;
}

/** The case whose names are requested. */
typedef struct question {
    cmd_sweep_work *sweep;
    long number;
} question;

/** Write "n" and the names of components, or "r" and the reason of a failure. Runs in a child process. */
static int write_names(int to, void *context)
{
    const question *q = context;
    cmd_sweep_case c = {.room = 0};
    cmd_signals_prepare_child();
    char *names = cmd_case_names(q->sweep, q->number, &c);
    FILE *f = fdopen(to, "w");
    if (!f) return CMD_EXIT_FAILED;
    fprintf(f, "%c%s", names ? 'n' : 'r', names ? names : c.head.message);
    fflush(f);
    return CMD_EXIT_OK;
}

/** Read a socket until its end, a signal, or the time `until`. The caller frees the text. */
static char *read_until(int from, double until)
{
    char *text = NULL, part[512];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    struct pollfd end = {.fd = from, .events = POLLIN};
    while (f && !cmd_signal_caught() && bench_wall_s() < until) {
        if (poll(&end, 1, POLL_MS) <= 0) continue;
        const ssize_t n = read(from, part, sizeof part);
        if (n <= 0) break;
        fwrite(part, 1, (size_t)n, f);
    }
    if (f) fclose(f);
    return text;
}

/** Let a child process find the names of a case. @return "nNAMES", "rREASON" or another text, to be freed; NULL if
 *  memory is exhausted */
static char *request_names(cmd_sweep_work *w, long number, double until)
{
    bench_subprocess child;
    question q = {w, number};
    if (bench_subprocess_start(&child, write_names, &q) != 0) return NULL;
    char *text = read_until(child.socket, until);
    bench_subprocess_kill(&child);
    return text;
}

/** Split lines "NAME tab UNIT" in place. units may be NULL. @return the number of lines, at most `most` */
static int split_lines(char *text, const char **names, const char **units, int most)
{
    int n = 0;
    for (char *at = text; *at && n < most; n++) {
        char *tab = strchr(at, '\t'), *end = tab ? strchr(tab, '\n') : NULL;
        if (!end) return n; /* the child ended */
        *tab = *end = 0;
        names[n] = at;
        if (units) units[n] = tab + 1;
        at = end + 1;
    }
    return n;
}

static int is_name(const char *word, const char *const *names, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(names[k], word) == 0) return 1;
    return 0;
}

/** Check that each output of the plan is a component, or an output of the model, possibly as "out.NAME". */
static int check_outputs(const cmd_sweep_work *w, const char *const *names, int n)
{
    const size_t out = strlen("out.");
    for (int i = 0; i < w->plan.n_outputs; i++) {
        const cmd_output o = cmd_output_parse(w->plan.outputs[i]);
        if (is_name(o.component, names, n)) continue;
        if (strncmp(o.component, "out.", out) == 0 && is_name(o.component + out, names, n)) {
            char *at = strstr(w->plan.outputs[i], "out."); /* after "max." or the like */
            memmove(at, at + out, strlen(at + out) + 1);
            continue;
        }
        const char *near = cmd_nearest(o.component, names, n);
        return cmd_complain(CMD_EXIT_USAGE, "%s: outputs: %s has no component '%s'%s%s%s", w->plan.path, w->cls->name,
                            o.component, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return 0;
}

/** Make the columns from the names of all components. */
static int set_columns_from_names(cmd_sweep_work *w, char *text)
{
    int n = 1;
    for (const char *c = text; *c; c++) n += *c == '\n';
    const char **names = calloc((size_t)n, sizeof *names);
    if (!names) return cmd_no_memory();
    n = split_lines(text, names, NULL, n);
    int code = check_outputs(w, names, n);
    if (code == 0 && w->plan.n_outputs > 0)
        code = set_output_columns(w, w->plan.n_outputs, (const char *const *)w->plan.outputs, cmd_output_parse);
    else if (code == 0)
        code = set_output_columns(w, n < MAX_COLUMNS ? n : MAX_COLUMNS, names, cmd_output_at_end);
    free(names);
    return code;
}

/** Request the names of the first case that can be opened. @return "nNAMES", to be freed; NULL if there is none, with
 *  the reason of the first failure */
static char *request_first_names(cmd_sweep_work *w, char reason[RESIDA_MESSAGE_SIZE])
{
    const long n = w->plan.n_cases < TRIALS ? w->plan.n_cases : TRIALS;
    const double until = bench_wall_s() + PATIENCE_S;
    reason[0] = 0;
    for (long k = 0; k < n; k++) {
        char *text = request_names(w, k, until);
        if (text && text[0] == 'n' && !cmd_signal_caught()) return text;
        if (reason[0] == 0)
            snprintf(reason, RESIDA_MESSAGE_SIZE, "%s", text && text[0] ? text + 1 : "it does not return");
        free(text);
        if (cmd_signal_caught()) return NULL;
    }
    return NULL;
}

int cmd_sweep_describe(cmd_sweep_work *w)
{
    char reason[RESIDA_MESSAGE_SIZE], *text = request_first_names(w, reason);
    if (cmd_signal_caught()) {
        free(text);
        return 128 + cmd_signal_caught();
    }
    if (!text)
        return cmd_complain(CMD_EXIT_USAGE, "%s: none of the first %ld cases can be opened; case 0: %s", w->plan.path,
                            w->plan.n_cases < TRIALS ? w->plan.n_cases : TRIALS, reason);
    const int code = set_columns_from_names(w, text + 1);
    free(text);
    return code;
}

void cmd_sweep_find_units(cmd_sweep_work *w)
{
    char reason[RESIDA_MESSAGE_SIZE], *text = request_first_names(w, reason);
    int n = 0;
    for (const char *c = text; c && *c; c++) n += *c == '\n';
    const char **names = calloc(2 * (size_t)n + 1, sizeof *names), **units = names ? names + n : NULL;
    n = text && names ? split_lines(text + 1, names, units, n) : 0;
    for (int i = 0; i < w->n_outputs; i++)
        for (int k = n - 1; k >= 0; k--) /* a name that appears twice is that of the first component */
            if (strcmp(names[k], w->outputs[i].component) == 0)
                snprintf(w->outputs[i].unit, CMD_UNIT_SIZE, "%s", units[k]);
    free(names);
    free(text);
}
