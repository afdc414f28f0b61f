/* component.c - opens an instance, sets its parameters and inputs, gets its outputs, and takes communication steps. The
 * integrator steps beyond a communication point and interpolates there. If an input has changed, it restarts from the
 * point, so that the part of the last step after the point, which had the old input, is not used. After kinks of
 * inputs at two consecutive points, a step ends at the next point, and another kink there needs no restart: the history
 * remains valid, unless constraints, which could prescribe a velocity, depend on the input. */
#include "component.h"

#include "adapters/fmu/base/fail.h"
#include "program/builtin/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

static int open_class(component *c, resida_message *why)
{
    char path[PATH];
    const fmu_packed_head *h = &c->packed.head;
    snprintf(path, sizeof path, "%s%s", c->resources, FMU_PACKED_PLUGIN);
    if (h->model[0])
        c->cls = bench_model_find(h->model);
    else if (resida_plugin_open(&c->plugin, path, &c->cls, why) < 0)
        return -1;
    if (!c->cls) return fmu_fail(why, "no model %.60s", h->model);
    return c->cls->n_parameters == h->n_parameters
               ? 0
               : fmu_fail(why, "the model has other parameters than the description");
}

/* Return the folder of a file URI ("file:///a%20b", RFC 8089) or path, with a slash at its end. */
static char *folder_of(const char *uri)
{
    static const char scheme[] = "file:";
    const char *from = strncmp(uri, scheme, strlen(scheme)) == 0 ? uri + strlen(scheme) : uri;
    const int is_path = from == uri;
    while (!is_path && strncmp(from, "//", 2) == 0) from++;
    char *folder = calloc(strlen(from) + 2, 1), *to = folder;
    for (unsigned code; folder && *from; from++) {
        const int is_escaped = !is_path && sscanf(from, "%%%2x", &code) == 1;
        *to++ = is_escaped ? (char)code : *from;
        if (is_escaped) from += 2;
    }
    if (folder && to > folder && to[-1] != '/') *to = '/';
    return folder;
}

static int open_packed(component *c, const char *resources, const char *token, resida_message *why)
{
    char path[PATH];
    c->resources = folder_of(resources ? resources : "");
    if (!c->resources) return fmu_no_memory(why);
    snprintf(path, sizeof path, "%s%s", c->resources, FMU_PACKED_FILE);
    if (fmu_packed_read(&c->packed, path, why) < 0) return -1;
    if (!token || strcmp(token, c->packed.head.token) != 0)
        return fmu_fail(why, "the GUID or token differs from that of this FMU, %s", c->packed.head.token);
    return 0;
}

static int reserve(component *c, resida_message *why)
{
    const fmu_packed_head *h = &c->packed.head;
    const size_t n = (size_t)h->n_parameters + 1, n_u = (size_t)h->sizes.n_u + 1;
    const size_t n_rows = (size_t)(h->sizes.n_p + 2 * h->sizes.n_v + h->sizes.n_lam + h->sizes.n_outputs) + 1;
    c->values = calloc(n, sizeof *c->values);
    c->texts = calloc(n, sizeof *c->texts);
    c->inputs = calloc(n_u, sizeof *c->inputs);
    c->set = calloc(n_u, sizeof *c->set);
    c->u = calloc(COMPONENT_ORDERS * n_u, sizeof *c->u);
    c->outputs = calloc((size_t)h->sizes.n_outputs + 1, sizeof *c->outputs);
    c->direct = calloc(n_rows * n_u, sizeof *c->direct);
    const int all = c->values && c->texts && c->inputs && c->set && c->u && c->outputs && c->direct;
    return all ? component_reset(c) : fmu_no_memory(why);
}

component *component_open(const char *resources, const char *token, resida_message *why)
{
    component *c = calloc(1, sizeof *c);
    if (!c) fmu_no_memory(why);
    if (c && open_packed(c, resources, token, why) == 0 && open_class(c, why) == 0 && reserve(c, why) == 0) return c;
    component_close(c);
    return NULL;
}

void component_close(component *c)
{
    if (!c) return;
    component_enter(c);
    component_drop(c);
    free(c->values), free(c->texts), free(c->inputs), free(c->set), free(c->u), free(c->outputs), free(c->direct);
    resida_plugin_close(c->plugin);
    fmu_packed_free(&c->packed);
    free(c->resources);
    free(c);
    component_enter(NULL);
}

int component_reset(component *c)
{
    const fmu_packed_head *h = &c->packed.head;
    component_drop(c);
    c->at = (component_progress){.t = h->t0, .t0 = h->t0, .t_stop = INFINITY};
    c->has_ended = 0;
    memset(c->inputs, 0, (size_t)h->sizes.n_u * sizeof *c->inputs);
    memset(c->set, 0, (size_t)h->sizes.n_u * sizeof *c->set);
    memcpy(c->values, c->packed.values, (size_t)h->n_parameters * sizeof *c->values);
    memcpy(c->texts, c->packed.texts, (size_t)h->n_parameters * sizeof *c->texts);
    return 0;
}

int component_find(component *c, unsigned reference, fmu_group *group)
{
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    const int n[FMU_GROUPS] = {
        c->packed.head.n_parameters, s->n_u, s->n_p, s->n_v, s->n_v, s->n_lam, s->n_y, s->n_y, s->n_outputs, 1};
    const unsigned of = reference / FMU_GROUP, i = reference % FMU_GROUP;
    *group = (fmu_group)of;
    if (of < FMU_GROUPS && (int)i < n[of]) return (int)i;
    return fmu_fail(&c->said, "no variable with the value reference %u", reference);
}

/* Return the index of a parameter that may be set now, or -1. */
static int find_parameter(component *c, unsigned reference, int is_text, int is_set)
{
    fmu_group group;
    const int i = component_find(c, reference, &group);
    if (i < 0) return -1;
    if (group != FMU_GROUP_PARAMETER || !c->cls->parameters[i].word != !is_text)
        return fmu_fail(&c->said, "the value reference %u is not a %s", reference, is_text ? "text" : "number");
    if (is_set && c->at.phase > COMPONENT_INITIALIZING)
        return fmu_fail(&c->said, "parameter %.60s is fixed after the initialization", c->cls->parameters[i].name);
    if (is_set) c->is_started = 0;
    return i;
}

int component_set(component *c, unsigned reference, double value)
{
    fmu_group group;
    int i = component_find(c, reference, &group);
    if (i < 0) return -1;
    if (!isfinite(value)) return fmu_fail(&c->said, "invalid value %g for the value reference %u", value, reference);
    if (group > FMU_GROUP_INPUT) return fmu_fail(&c->said, "the value reference %u is an output", reference);
    if (group == FMU_GROUP_PARAMETER) {
        i = find_parameter(c, reference, 0, 1);
        if (i >= 0) c->values[i] = value;
        return i < 0 ? -1 : 0;
    }
    c->set[i] = (component_input){.t = c->at.t};
    return component_set_rate(c, reference, 0, value);
}

int component_set_rate(component *c, unsigned reference, int order, double value)
{
    fmu_group group;
    const int i = component_find(c, reference, &group);
    if (i < 0) return -1;
    if (group != FMU_GROUP_INPUT || order < 0 || order >= COMPONENT_ORDERS || !isfinite(value))
        return fmu_fail(
            &c->said,
            "derivative %d of the value reference %u is not supported: only inputs have derivatives, of order 1 and 2",
            order, reference);
    c->set[i].x[order] = value;
    c->at.has_set = 1;
    if (c->at.phase <= COMPONENT_INITIALIZING) c->is_started = 0;
    return 0;
}

int component_set_text(component *c, unsigned reference, const char *text)
{
    const int i = find_parameter(c, reference, 1, 1);
    if (i < 0 || !text) return -1;
    if (strlen(text) >= FMU_PACKED_TEXT)
        return fmu_fail(&c->said, "the text has more than %d bytes", FMU_PACKED_TEXT - 1);
    strcpy(c->texts[i], text);
    return 0;
}

int component_get_text(component *c, unsigned reference, const char **text)
{
    const int i = find_parameter(c, reference, 1, 0);
    if (i >= 0) *text = c->texts[i];
    return i < 0 ? -1 : 0;
}

/* Evaluate the outputs of the model at the communication point, with the excitations there. */
static int evaluate(component *c, const resida_state *x)
{
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    const resida_model *m = &c->model;
    resida_excitation_fn *excitation = m->is_dae ? m->dae.excitation : m->mechanism.excitation;
    if (c->has_outputs) return 0;
    if (s->n_u > 0 &&
        excitation(x->t, c->u, c->u + s->n_u, c->u + 2 * s->n_u, m->is_dae ? m->dae.user : m->mechanism.user) != 0)
        return fmu_fail(&c->said, "excitation failed at t = %.9g", x->t);
    resida_model_point at = {.t = x->t, .p = x->p, .v = x->v, .a = x->a, .lam = x->lam, .u = s->n_u ? c->u : NULL};
    if (m->is_dae) at.y = x->y, at.yp = x->yp;
    const int verdict = resida_model_output(m, &at, c->outputs);
    for (int i = 0; i < s->n_outputs && verdict > 0; i++) c->outputs[i] = NAN;
    if (verdict < 0) return fmu_fail(&c->said, "output() failed at t = %.9g", x->t);
    c->has_outputs = 1;
    return 0;
}

static int get_output(component *c, fmu_group group, int i, double *value)
{
    resida_state x;
    if (c->at.phase == COMPONENT_MADE) return fmu_fail(&c->said, "outputs are not available before the initialization");
    component_enter(c);
    if (c->at.phase == COMPONENT_INITIALIZING && component_start(c) < 0) return -1;
    if (!c->is_started || resida_solver_state(c->solver, &x) < 0) return fmu_fail(&c->said, "no state was saved");
    if (group == FMU_GROUP_OUT && evaluate(c, &x) < 0) return -1;
    const double *const arrays[FMU_GROUPS] = {NULL, NULL, x.p, x.v, x.a, x.lam, x.y, x.yp, c->outputs};
    *value = arrays[group] ? arrays[group][i] : NAN;
    return 0;
}

int component_get(component *c, unsigned reference, double *value)
{
    fmu_group group;
    const int i = component_find(c, reference, &group);
    if (i < 0) return -1;
    if (group > FMU_GROUP_INPUT && group < FMU_GROUP_TIME) return get_output(c, group, i, value);
    *value = group == FMU_GROUP_PARAMETER ? c->values[i] : group == FMU_GROUP_INPUT ? c->set[i].x[0] : c->at.t;
    return 0;
}

int component_experiment(component *c, double t0, double tolerance, double t_stop)
{
    if (!isfinite(t0) || !(t_stop > t0))
        return fmu_fail(&c->said, "the run cannot begin at t = %g and end at %g", t0, t_stop);
    c->at.t = c->at.t0 = t0;
    c->at.t_stop = t_stop;
    c->at.tolerance = fmax(tolerance, 0);
    c->is_started = 0;
    for (int i = 0; i < c->packed.head.sizes.n_u; i++) c->set[i].t = t0;
    return 0;
}

int component_begin(component *c)
{
    component_enter(c);
    if (component_start(c) < 0) return -1;
    c->at.phase = COMPONENT_STEPPING;
    return 0;
}

/* Integrate to t_out over all events. */
static int advance(component *c, double t_out)
{
    resida_state x;
    resida_status status;
    do status = resida_run_advance(c->run, t_out);
    while (status == RESIDA_EVENT);
    if (status < 0) return component_fail(c, status);
    (void)resida_solver_state(c->solver, &x);
    c->has_ended = x.t < t_out;
    c->at.t = c->has_ended ? x.t : t_out;
    if (c->has_ended) (void)component_fail(c, status);
    return 0;
}

/* Check a step, and return its end, or NAN. */
static double end_of_step(component *c, double t, double h)
{
    static const double rounding = 1e-9; /* of a step: importers accumulate time */
    const double near = rounding * (fabs(t) + h), t_out = fmax(c->at.t, t + h);
    if (c->has_ended || !c->is_started)
        fmu_fail(&c->said, "the run ended at t = %.9g", c->at.t);
    else if (!(fabs(t - c->at.t) <= near) || !(h >= 0))
        fmu_fail(&c->said, "the step begins at t = %.17g and has size %g, but the current time is %.17g", t, h,
                 c->at.t);
    else if (t_out > c->at.t_stop + near)
        fmu_fail(&c->said, "the step ends at t = %.9g, after the stop time %.9g", t_out, c->at.t_stop);
    else
        return fmin(t_out, c->at.t_stop);
    return NAN;
}

/* Restart at the communication point with the inputs that have changed. A failed step may have passed the point. */
static int apply_inputs(component *c, double t_out)
{
    resida_state x = {.t = INFINITY};
    const component_change change = component_take_inputs(c);
    c->needs_restart |= change == COMPONENT_JUMP || (change == COMPONENT_KINK && c->point != c->at.t);
    const int ends =
        change == COMPONENT_KINK && c->had_kink && c->packed.head.sizes.n_p > 0 && c->packed.head.sizes.n_lam == 0;
    c->point = ends ? t_out : INFINITY;
    c->had_kink = change == COMPONENT_KINK;
    if (!c->needs_restart) return 0;
    if (resida_solver_state(c->solver, &x) < 0 || x.t > c->at.t)
        return fmu_fail(
            &c->said, "the failed step reached t = %.9g: inputs can change only after a return to a saved state", x.t);
    const resida_status status = resida_run_restart(c->run);
    c->needs_restart = status < 0;
    return status < 0 ? component_fail(c, status) : 0;
}

int component_step(component *c, double t, double h)
{
    const double t_out = end_of_step(c, t, h);
    if (isnan(t_out)) return -1;
    component_enter(c);
    if (apply_inputs(c, t_out) < 0) return -1;
    (void)resida_solver_set_stop_time(c->solver, fmin(c->point, c->at.t_stop));
    c->has_outputs = c->has_direct = 0;
    return advance(c, t_out);
}
