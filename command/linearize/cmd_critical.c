/* cmd_critical.c - computes eigenvalues over a parameter, in equal steps of its range, and its critical values. For
 * each value the model is created and brought to its state again. An equilibrium is sought from that of the nearest
 * value. */
#include "command/cli/commands.h"

#include "critical.h"
#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/process/signals.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/run/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 21, WORD = 40 };

static int is_drawn(const char *path)
{
    return cmd_ends_in(path, ".svg") || cmd_ends_in(path, ".png");
}

/* Parse NAME=FROM:TO. */
static int read_range(cmd_critical *c, const char *text)
{
    c->name = text ? strdup(text) : NULL, c->word = calloc(1, WORD);
    if (!text) return cmd_complain(CMD_EXIT_USAGE, "critical: give a parameter and its range, --vary NAME=FROM:TO");
    if (!c->name || !c->word) return cmd_no_memory();
    char *equals = strchr(c->name, '='), *colon = equals ? strchr(equals, ':') : NULL;
    if (colon) *equals = *colon = 0;
    if (!colon || equals == c->name || cmd_parse_number(equals + 1, &c->low) != 0 ||
        cmd_parse_number(colon + 1, &c->high) != 0 || c->high == c->low)
        return cmd_complain(CMD_EXIT_USAGE, "--vary %s: must be NAME=FROM:TO, two different numbers", text);
    return 0;
}

/* Copy the settings of the command and append the parameter. */
static int copy_settings(cmd_critical *c, const cmd_settings *s)
{
    const size_t n = (size_t)s->n_parameters, bytes = n * sizeof(char *);
    c->settings = *s;
    for (int i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameter_names[i], c->name) == 0)
            return cmd_complain(CMD_EXIT_USAGE, "--param %s: this parameter is varied by --vary", c->name);
    char **names = calloc(n + 1, sizeof *names), **words = calloc(n + 1, sizeof *words);
    int *used = calloc(n + 1, sizeof *used);
    if (names && n > 0) memcpy(names, s->parameter_names, bytes);
    if (words && n > 0) memcpy(words, s->parameter_words, bytes);
    c->settings.parameter_names = names, c->settings.parameter_words = words, c->settings.parameter_used = used;
    if (!names || !words || !used) return cmd_no_memory();
    names[n] = c->name, words[n] = c->word;
    c->settings.n_parameters++;
    return 0;
}

void cmd_locus_free(cmd_locus_point *x)
{
    free(x->re);
    *x = (cmd_locus_point){0};
}

static void free_critical(cmd_critical *c)
{
    for (int k = 0; k < c->n && c->points; k++) cmd_locus_free(&c->points[k]);
    if (c->settings.parameter_names && c->settings.parameter_words && c->settings.n_parameters > 0 && c->word &&
        c->settings.parameter_words[c->settings.n_parameters - 1] == c->word)
        free(c->settings.parameter_names), free(c->settings.parameter_words), free(c->settings.parameter_used);
    for (int k = 0; k < c->n_starts; k++) free(c->starts[k].p);
    json_decref(c->parameters);
    free(c->starts);
    free(c->points), free(c->changes), free(c->name), free(c->word), free(c->model), free(c->form), free(c->unit);
}

typedef struct request {
    cmd_critical *c;
    cmd_locus_point *to;
} request;

/* Copy the names from the first model. */
static int copy_names(cmd_critical *c, const cmd_linear *l)
{
    if (c->parameters) return 0;
    c->model = strdup(l->job->model->cls->name), c->form = strdup(l->form);
    c->unit = strdup(cmd_unit_of_parameter(l->job->model->cls, c->name));
    c->parameters = cmd_parameters_json(l->job->model);
    if (!c->model || !c->form || !c->unit || !c->parameters) return cmd_no_memory();
    (void)json_object_del(c->parameters, c->name);
    return 0;
}

/* Keep the equilibrium about which the model was linearized, as a guess for other values. */
static int store_start(cmd_critical *c, const resida_model *m, double value)
{
    const int n = m->is_dae ? m->dae.n : m->mechanism.n_p;
    double *p = malloc(((size_t)n + 1) * sizeof *p);
    cmd_locus_start *all = realloc(c->starts, ((size_t)c->n_starts + 1) * sizeof *all);
    if (all) c->starts = all;
    if (!p || !all) return free(p), cmd_no_memory();
    memcpy(p, m->is_dae ? m->y0 : m->p0, (size_t)n * sizeof *p);
    c->starts[c->n_starts++] = (cmd_locus_start){value, p};
    return 0;
}

/* Return the equilibrium at the nearest value, so that the equilibria belong to one branch; NULL if none is known. */
static const double *find_nearest_start(const cmd_critical *c, double value)
{
    const double *near = NULL;
    double distance = INFINITY;
    for (int k = 0; k < c->n_starts; k++)
        if (fabs(c->starts[k].value - value) < distance)
            distance = fabs(c->starts[k].value - value), near = c->starts[k].p;
    return near;
}

static int store_eigenvalues(cmd_linear *l, const cmd_settings *s, void *self)
{
    const request *r = self;
    cmd_locus_point *x = r->to;
    resida_modes *m = &l->modes;
    resida_message why = {""};
    if (s->from_equilibrium && store_start(r->c, &l->job->model->model, x->value) != 0) return CMD_EXIT_FAILED;
    if (resida_linearization_modes(l->handle, 0, 0, m, &why) < 0) return cmd_linear_complain(l->job, &why);
    x->re = calloc(3 * (size_t)m->n + 1, sizeof *x->re), x->im = x->re + m->n, x->error = x->im + m->n;
    if (!x->re) return cmd_no_memory();
    x->rightmost = -1, x->grows = cmd_linear_growth(l) > 0, x->decays = cmd_linear_decays(l);
    for (int k = 0; k < m->n; k++) {
        if (m->breaks[k]) continue;
        x->re[x->n] = m->re[k], x->im[x->n] = m->im[k], x->error[x->n] = m->error[k];
        if (x->rightmost < 0 || m->re[k] > x->re[x->rightmost]) x->rightmost = x->n;
        x->n++;
    }
    return copy_names(r->c, l);
}

int cmd_locus_compute(cmd_critical *c, double value, cmd_locus_point *to)
{
    cmd_model model;
    request r = {c, to};
    snprintf(c->word, WORD, "%.17g", value);
    *to = (cmd_locus_point){.value = value};
    int code = cmd_models_open(&model, 1, (const char *const *)c->settings.words, &c->settings);
    if (code != 0) return code;
    code = cmd_linearize_at_state(&model, &c->settings, find_nearest_start(c, value), store_eigenvalues, &r);
    cmd_models_close(&model, 1);
    return cmd_signal_caught() ? 128 + cmd_signal_caught() : code;
}

static int compute_all_points(cmd_critical *c, const cmd_settings *s)
{
    c->n = s->points > 0 ? (int)s->points : POINTS;
    c->points = calloc((size_t)c->n, sizeof *c->points);
    int code = c->points ? 0 : cmd_no_memory();
    for (int k = 0; k < c->n && code == 0; k++)
        code = cmd_locus_compute(c, c->low + (c->high - c->low) * k / (c->n - 1), &c->points[k]);
    return code == 0 ? cmd_critical_search(c) : code;
}

static int write_all(const cmd_critical *c, const cmd_settings *s)
{
    FILE *stream = s->out && strcmp(s->out, "-") == 0 ? stderr : stdout;
    int code = !s->out ? 0 : is_drawn(s->out) ? cmd_critical_draw(c, s->out) : cmd_critical_csv(c, s->out);
    if (code == 0 && s->format == CMD_TEXT) code = cmd_critical_text(c, stream);
    if (code == 0 && s->format == CMD_JSON) code = cmd_json_line(cmd_critical_json(c), stream);
    return code;
}

int cmd_cmd_critical(const cmd_settings *s)
{
    cmd_critical c = {.n = 0};
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, "critical: give exactly one model; 'resida models' lists them");
    if (s->out && strcmp(s->out, "-") != 0 && !cmd_ends_in(s->out, ".csv") && !is_drawn(s->out))
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: must end in .csv, .svg or .png", s->out);
    cmd_complain_skip_repeated(1);
    int code = read_range(&c, s->vary);
    if (code == 0) code = copy_settings(&c, s);
    if (code == 0) code = compute_all_points(&c, s);
    if (code == 0) code = write_all(&c, s);
    free_critical(&c);
    cmd_complain_skip_repeated(0);
    return code;
}
