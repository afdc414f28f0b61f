/* cmd_response.c - computes amplitude and phase of outputs over the frequency of an excitation.
 *
 * Order: the command line is checked, the model is linearized, names and frequencies are resolved. */
#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "program/cli/list.h"
#include "program/base/number.h"
#include "program/base/suggest.h"
#include "program/process/signals.h"
#include "program/output/json_line.h"
#include "command/trajectory/columns.h"
#include "response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 200,
    WORD = 200,
    SHOWN = 8,
    FULL_MODES = 600,   /* max. number of unknowns for which all modes are computed */
    FULL_MATRICES = 300 /* max. number of velocities for independent coordinates, which take O(n^3) operations */
};
/* the default range extends from the lowest to the highest oscillating mode, and by this factor on both sides */
#define BESIDE 10.0
static const double two_pi = 6.283185307179586476925;

static int is_drawn(const char *path)
{
    return cmd_ends_in(path, ".svg") || cmd_ends_in(path, ".png");
}

/* Find the column of the excitation in the first third of the inputs. */
static int find_excitation(cmd_response *r, const char *name)
{
    const resida_linear_model *m = &r->l->model;
    const int n_u = m->n_inputs / 3;
    const char *model = r->l->job->model->cls->name;
    if (n_u == 0) return cmd_complain(CMD_EXIT_USAGE, "response: %s has no excitation", model);
    if (!name && n_u > 1)
        return cmd_complain(CMD_EXIT_USAGE, "response: --from must select one of the %d excitations of %s, %s .. %s",
                            n_u, model, m->inputs[0], m->inputs[n_u - 1]);
    for (int i = 0; i < n_u; i++)
        if (!name || strcmp(name, m->inputs[i]) == 0) return r->excitation = i, 0;
    return cmd_list_refuse(name, "from", m->inputs, n_u, SHOWN);
}

static void add_output(cmd_response *r, int i)
{
    for (int k = 0; k < r->n_outputs; k++)
        if (r->output[k] == i) return;
    r->output[r->n_outputs++] = i;
}

/* Find the outputs in the list. The default is all positions, or all unknowns of a general DAE. */
static int find_outputs(cmd_response *r, const char *list)
{
    const resida_linear_model *m = &r->l->model;
    char word[WORD];
    r->output = calloc((size_t)m->n_outputs + 1, sizeof *r->output);
    if (!r->output) return cmd_no_memory();
    for (int i = 0; !list && i < r->l->n_parts; i++) add_output(r, i);
    while (list && cmd_list_next(&list, word, WORD)) {
        int is_there = 0;
        for (int i = 0; i < m->n_outputs; i++)
            if (cmd_word_matches(word, m->outputs[i])) add_output(r, i), is_there = 1;
        if (!is_there) return cmd_list_refuse(word, "to", m->outputs, m->n_outputs, SHOWN);
    }
    return 0;
}

/* Compute the modes of the model. Set whether a mode grows, and the frequency range [Hz] of oscillating modes. */
static void find_frequency_range(cmd_response *r, cmd_linear *l, double *low, double *high)
{
    resida_message why;
    resida_modes *m = &l->modes;
    r->grows = NAN, *low = INFINITY, *high = 0;
    if (l->model.n > FULL_MODES || resida_linearization_modes(l->handle, 0, 0, m, &why) < 0) return;
    r->grows = cmd_linear_growth(l);
    for (int k = 0; k < m->n; k++) {
        const double size = hypot(m->re[k], m->im[k]);
        if (m->breaks[k] || size <= 2 * m->error[k]) continue;
        if (m->im[k] > 0) *low = fmin(*low, size / two_pi), *high = fmax(*high, size / two_pi);
    }
}

/* Parse LOW:HIGH in Hz, with or without the unit. */
static int read_range(const char *word, double *low, double *high)
{
    char text[WORD];
    snprintf(text, sizeof text, "%s", word);
    if (cmd_ends_in(text, "Hz")) text[strlen(text) - strlen("Hz")] = 0;
    char *colon = strchr(text, ':');
    if (colon) *colon = 0;
    if (!colon || cmd_parse_number(text, low) != 0 || cmd_parse_number(colon + 1, high) != 0 || !(*low > 0) ||
        !(*high > *low))
        return cmd_complain(CMD_EXIT_USAGE, "--range %s: must be LOW:HIGH with 0 < LOW < HIGH, in Hz", word);
    return 0;
}

static int choose_frequencies(cmd_response *r, cmd_linear *l, const cmd_settings *s)
{
    double low, high;
    find_frequency_range(r, l, &low, &high);
    low /= BESIDE, high *= BESIDE;
    int code = s->range ? read_range(s->range, &low, &high) : 0;
    if (code != 0) return code;
    if (!(low < high))
        return cmd_complain(CMD_EXIT_USAGE,
                            "response: --range LOW:HIGH is needed; %s has no mode that determines a range",
                            l->job->model->cls->name);
    r->n = s->points > 0 ? (int)s->points : POINTS;
    const size_t n = (size_t)r->n, all = n * (size_t)l->model.n_outputs;
    r->frequency = calloc(n, sizeof(double)), r->re = calloc(all, sizeof(double)), r->im = calloc(all, sizeof(double));
    if (!r->frequency || !r->re || !r->im) return cmd_no_memory();
    for (int k = 0; k < r->n; k++) r->frequency[k] = low * pow(high / low, (double)k / (r->n - 1));
    return 0;
}

/* Mark the response at frequency k as unknown (NaN). */
static void mark_unknown(cmd_response *r, int k)
{
    const int n = r->l->model.n_outputs;
    for (long i = (long)k * n; i < (long)(k + 1) * n; i++) r->re[i] = r->im[i] = NAN;
}

/* Compute the response one frequency at a time, so that a signal interrupts soon. Singular frequencies are omitted. */
static int compute_responses(cmd_response *r)
{
    resida_message why = {""};
    int n_left_out = 0;
    for (int k = 0; k < r->n; k++) {
        const long first = (long)k * r->l->model.n_outputs;
        const resida_status status = resida_linearization_response(r->l->handle, r->excitation, 1, r->frequency + k,
                                                                   r->re + first, r->im + first, &why);
        if (cmd_signal_caught() || (status != RESIDA_OK && status != RESIDA_ERR_SINGULAR))
            return cmd_linear_complain(r->l->job, &why);
        if (status == RESIDA_OK) continue;
        mark_unknown(r, k);
        n_left_out++;
    }
    if (n_left_out == r->n) return cmd_linear_complain(r->l->job, &why);
    if (n_left_out > 0) cmd_complain(0, "%s: %s; it is omitted", r->l->job->model->cls->name, why.text);
    return 0;
}

static int write_response(const cmd_response *r, const cmd_settings *s)
{
    FILE *stream = s->out && strcmp(s->out, "-") == 0 ? stderr : stdout;
    int code = !s->out ? 0 : is_drawn(s->out) ? cmd_response_draw(r, s->out) : cmd_response_csv(r, s->out);
    if (code == 0 && s->format == CMD_TEXT) code = cmd_response_text(r, stream);
    if (code == 0 && s->format == CMD_JSON) code = cmd_json_line(cmd_response_json(r), stream);
    if (code == 0 && r->grows > 0 && !s->quiet)
        cmd_complain(0, "%s: a mode grows as exp(%.3g t); the motion does not converge to this response",
                     r->l->job->model->cls->name, r->grows);
    return code;
}

static int report_responses(cmd_linear *l, const cmd_settings *s, void *self)
{
    (void)self;
    cmd_response r = {.l = l};
    int code = find_excitation(&r, s->excitation);
    if (code == 0) code = find_outputs(&r, s->outputs);
    if (code == 0) code = choose_frequencies(&r, l, s);
    if (code == 0) code = compute_responses(&r);
    if (code == 0) code = write_response(&r, s);
    free(r.output), free(r.frequency), free(r.re), free(r.im);
    return code;
}

/* Linearize a large mechanism in its formulation, because the matrices of formulations are sparse. */
static int compute_for_model(cmd_model *model, const cmd_settings *s)
{
    cmd_settings own = *s;
    const resida_mechanism *m = &model->model.mechanism;
    const int is_large = !model->model.is_dae && m->n_v > FULL_MATRICES;
    if (is_large && strcmp(s->problem.form, "auto") == 0) own.problem.form = m->n_g + m->n_h > 0 ? "ggl" : "ode";
    return cmd_linearize_at_state(model, &own, NULL, report_responses, NULL);
}

int cmd_cmd_response(const cmd_settings *s)
{
    double low, high;
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, "response: give exactly one model; 'resida models' lists them");
    if (s->out && strcmp(s->out, "-") != 0 && !cmd_ends_in(s->out, ".csv") && !is_drawn(s->out))
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: must end in .csv, .svg or .png", s->out);
    const int code = s->range ? read_range(s->range, &low, &high) : 0;
    return code != 0 ? code : cmd_run_on_model(s, compute_for_model);
}
