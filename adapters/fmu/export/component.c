/* component.c - opens an instance, sets its parameters and inputs, gets its outputs, and takes communication steps. The
 * integrator steps beyond a communication point and interpolates there. If an input has changed, it restarts from the
 * point, so that the part of the last step after the point, which had the old input, is not used. */
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
    if (h->model[0]) {
        c->cls = bench_model_find(h->model);
        if (!c->cls) return fmu_fail(why, "no model %.60s", h->model);
    } else {
        snprintf(path, sizeof path, "%s%s", c->resources, FMU_PACKED_PLUGIN);
        if (resida_plugin_open(&c->plugin, path, &c->cls, why) < 0) return -1;
    }
    return c->cls->n_parameters == h->n_parameters ? 0 : fmu_fail(why, "its model has other parameters");
}

static int open_packed(component *c, const char *resources, const char *token, resida_message *why)
{
    char path[PATH];
    const size_t n = strlen(resources);
    c->resources = calloc(n + 2, 1);
    if (!c->resources) return fmu_fail(why, "no memory for an instance");
    snprintf(c->resources, n + 2, "%s%s", resources, n > 0 && resources[n - 1] != '/' ? "/" : "");
    snprintf(path, sizeof path, "%s%s", c->resources, FMU_PACKED_FILE);
    if (fmu_packed_read(&c->packed, path, why) < 0) return -1;
    if (!token || strcmp(token, c->packed.head.token) != 0)
        return fmu_fail(why, "the GUID or token is not that of this FMU, %s", c->packed.head.token);
    return 0;
}

static int reserve(component *c, resida_message *why)
{
    const fmu_packed_head *h = &c->packed.head;
    const size_t n = (size_t)h->n_parameters + 1, n_u = (size_t)h->sizes.n_u + 1;
    c->values = calloc(n, sizeof *c->values);
    c->words = calloc(n, sizeof *c->words);
    c->inputs = calloc(n_u, sizeof *c->inputs);
    c->set = calloc(n_u, sizeof *c->set);
    c->u = calloc(COMPONENT_ORDERS * n_u, sizeof *c->u);
    c->outputs = calloc((size_t)h->sizes.n_outputs + 1, sizeof *c->outputs);
    if (!c->values || !c->words || !c->inputs || !c->set || !c->u || !c->outputs || component_reset(c) < 0)
        return fmu_fail(why, "no memory for an instance");
    return 0;
}

component *component_open(const char *resources, const char *token, resida_message *why)
{
    component *c = calloc(1, sizeof *c);
    if (!c) fmu_fail(why, "no memory for an instance");
    if (c && open_packed(c, resources, token, why) == 0 && open_class(c, why) == 0 && reserve(c, why) == 0) return c;
    component_close(c);
    return NULL;
}

void component_close(component *c)
{
    if (!c) return;
    component_enter(c);
    component_drop(c);
    for (int i = 0; c->words && i < c->packed.head.n_parameters; i++) free(c->words[i]);
    free(c->values), free(c->words), free(c->inputs), free(c->set), free(c->u), free(c->outputs);
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
    c->phase = COMPONENT_MADE;
    c->t = c->t0 = h->t0;
    c->t_stop = INFINITY;
    c->tolerance = 0;
    c->has_ended = c->has_set = 0;
    memset(c->inputs, 0, (size_t)h->sizes.n_u * sizeof *c->inputs);
    memset(c->set, 0, (size_t)h->sizes.n_u * sizeof *c->set);
    for (int i = 0; i < h->n_parameters; i++) {
        c->values[i] = c->packed.values[i];
        free(c->words[i]);
        c->words[i] = c->packed.words[i] ? strdup(c->packed.words[i]) : NULL;
        if (c->packed.words[i] && !c->words[i]) return fmu_fail(&c->said, "no memory for parameters");
    }
    return 0;
}

/* Return the number of variables of a group, and if values is not NULL, their array in *values. */
static int group_of(component *c, unsigned group, const double **values)
{
    resida_state x = {.t = c->t};
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    const int n_y = s->is_dae ? s->n_y : 0, n_p = s->is_dae ? 0 : s->n_y;
    const int sizes[FMU_GROUPS] = {
        c->packed.head.n_parameters, s->n_u, n_p, s->n_v, s->n_v, s->n_lam, n_y, n_y, s->n_outputs, 1};
    if (group >= FMU_GROUPS) return 0;
    if (values) {
        if (c->is_started) (void)resida_solver_state(c->solver, &x);
        const double *const arrays[FMU_GROUPS] = {c->values, NULL, x.p, x.v, x.a, x.lam, x.y, x.yp, c->outputs, &c->t};
        *values = arrays[group];
    }
    return sizes[group];
}

static int find(component *c, unsigned reference, fmu_group *group)
{
    const unsigned of = reference / FMU_GROUP, i = reference % FMU_GROUP;
    *group = (fmu_group)of;
    if ((int)i < group_of(c, of, NULL)) return (int)i;
    return fmu_fail(&c->said, "no variable with the value reference %u", reference);
}

static const char *name_of(const component *c, int i)
{
    return c->cls->parameters[i].name;
}

/* Return the index of a parameter that may be set now, or -1. */
static int find_settable(component *c, int i, int is_text)
{
    if (!c->words[i] != !is_text)
        return fmu_fail(&c->said, "parameter %.60s is a %s", name_of(c, i), is_text ? "number" : "text");
    if (c->phase > COMPONENT_INITIALIZING)
        return fmu_fail(&c->said, "parameter %.60s is fixed after the initialization", name_of(c, i));
    c->is_started = 0;
    return i;
}

int component_set(component *c, unsigned reference, double value)
{
    fmu_group group;
    const int i = find(c, reference, &group);
    if (i < 0) return -1;
    if (!isfinite(value)) return fmu_fail(&c->said, "%g for the value reference %u", value, reference);
    if (group == FMU_GROUP_PARAMETER) {
        if (find_settable(c, i, 0) < 0) return -1;
        c->values[i] = value;
        return 0;
    }
    if (group != FMU_GROUP_INPUT) return fmu_fail(&c->said, "the value reference %u is an output", reference);
    c->set[i] = (component_input){.t = c->t, .x = {value}};
    c->has_set = 1;
    if (c->phase <= COMPONENT_INITIALIZING) c->is_started = 0;
    return 0;
}

int component_set_rate(component *c, unsigned reference, int order, double value)
{
    fmu_group group;
    const int i = find(c, reference, &group);
    if (i < 0) return -1;
    if (group != FMU_GROUP_INPUT) return fmu_fail(&c->said, "the value reference %u is no input", reference);
    if (order < 1 || order >= COMPONENT_ORDERS || !isfinite(value))
        return fmu_fail(&c->said, "derivative %d of an input is %g: orders are 1 and 2", order, value);
    c->set[i].x[order] = value;
    c->has_set = 1;
    if (c->phase <= COMPONENT_INITIALIZING) c->is_started = 0;
    return 0;
}

/* Evaluate the outputs of the model at the communication point, with the excitations there. */
static int evaluate(component *c)
{
    resida_state x;
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    if (c->has_outputs || s->n_outputs == 0) return 0;
    (void)resida_solver_state(c->solver, &x);
    void *user = s->is_dae ? c->model.dae.user : c->model.mechanism.user;
    resida_excitation_fn *excitation = s->is_dae ? c->model.dae.excitation : c->model.mechanism.excitation;
    if (s->n_u > 0 && excitation(x.t, c->u, c->u + s->n_u, c->u + 2 * s->n_u, user) != 0)
        return fmu_fail(&c->said, "excitation failed at t = %.9g", x.t);
    const resida_model_point at = {.t = x.t,
                                   .y = s->is_dae ? x.y : NULL,
                                   .yp = s->is_dae ? x.yp : NULL,
                                   .p = x.p,
                                   .v = x.v,
                                   .a = x.a,
                                   .lam = x.lam,
                                   .u = s->n_u > 0 ? c->u : NULL};
    const int verdict = resida_model_output(&c->model, &at, c->outputs);
    for (int i = 0; i < s->n_outputs && verdict > 0; i++) c->outputs[i] = NAN;
    if (verdict < 0) return fmu_fail(&c->said, "output() failed at t = %.9g", x.t);
    c->has_outputs = 1;
    return 0;
}

int component_get(component *c, unsigned reference, double *value)
{
    fmu_group group;
    const double *values = NULL;
    const int i = find(c, reference, &group);
    if (i < 0) return -1;
    const int is_given = group == FMU_GROUP_PARAMETER || group == FMU_GROUP_INPUT || group == FMU_GROUP_TIME;
    if (!is_given && c->phase == COMPONENT_MADE)
        return fmu_fail(&c->said, "outputs are known from the initialization on");
    component_enter(c);
    if (!is_given && !c->is_started && component_start(c) < 0) return -1;
    if (group == FMU_GROUP_OUT && evaluate(c) < 0) return -1;
    (void)group_of(c, group, &values);
    *value = group == FMU_GROUP_INPUT ? c->set[i].x[0] : values ? values[i] : NAN;
    return 0;
}

static int find_text(component *c, unsigned reference)
{
    fmu_group group;
    const int i = find(c, reference, &group);
    if (i < 0 || (group == FMU_GROUP_PARAMETER && c->words[i])) return i;
    return fmu_fail(&c->said, "the value reference %u is no text", reference);
}

int component_set_text(component *c, unsigned reference, const char *text)
{
    const int i = find_text(c, reference);
    if (i < 0 || find_settable(c, i, 1) < 0) return -1;
    char *copy = strdup(text ? text : "");
    if (!copy) return fmu_fail(&c->said, "no memory for a text");
    free(c->words[i]);
    c->words[i] = copy;
    return 0;
}

int component_get_text(component *c, unsigned reference, const char **text)
{
    const int i = find_text(c, reference);
    if (i < 0) return -1;
    *text = c->words[i];
    return 0;
}

int component_experiment(component *c, double t0, double tolerance, double t_stop)
{
    if (!isfinite(t0) || !(t_stop > t0)) return fmu_fail(&c->said, "a run from t = %g to %g", t0, t_stop);
    c->t = c->t0 = t0;
    c->t_stop = t_stop;
    c->tolerance = tolerance > 0 ? tolerance : 0;
    c->is_started = 0;
    for (int i = 0; i < c->packed.head.sizes.n_u; i++) c->set[i].t = t0;
    return 0;
}

void component_refuse(component *c, const char *function)
{
    static const char *const phases[] = {"before the initialization", "in initialization", "between steps",
                                         "after the end"};
    fmu_fail(&c->said, "%s is not possible %s", function, phases[c->phase]);
}

void component_warnings(component *c, void (*report)(void *self, const char *text), void *self)
{
    resida_stats stats = {.size = sizeof stats};
    if (!c->is_started || resida_solver_stats(c->solver, &stats) < 0) return;
    for (int i = 0; i < stats.n_warnings; i++) report(self, stats.warnings[i]);
}

int component_begin(component *c)
{
    component_enter(c);
    if (component_start(c) < 0) return -1;
    c->phase = COMPONENT_STEPPING;
    return 0;
}

static int fail(component *c, resida_status status)
{
    const char *said = resida_solver_message(c->solver);
    return fmu_fail(&c->said, "%s", *said ? said : resida_status_name(status));
}

/* Integrate to t_out over all events. */
static int advance(component *c, double t_out)
{
    resida_state x;
    resida_status status;
    do status = resida_run_advance(c->run, t_out);
    while (status == RESIDA_EVENT);
    if (status < 0) return fail(c, status);
    (void)resida_solver_state(c->solver, &x);
    c->has_ended = x.t < t_out;
    c->t = c->has_ended ? x.t : t_out;
    if (c->has_ended) (void)fail(c, status);
    return 0;
}

/* Check a step, and return its end, or NAN. */
static double end_of_step(component *c, double t, double h)
{
    static const double rounding = 1e-9; /* of a step: importers accumulate time */
    const double near = rounding * (fabs(t) + h), t_out = fmax(c->t, t + h);
    if (c->has_ended)
        fmu_fail(&c->said, "the model ended the run at t = %.9g", c->t);
    else if (!(fabs(t - c->t) <= near) || !(h >= 0))
        fmu_fail(&c->said, "a step from t = %.17g by %g, but the time reached is %.17g", t, h, c->t);
    else if (t_out > c->t_stop + near)
        fmu_fail(&c->said, "a step to t = %.9g, after the stop time %.9g", t_out, c->t_stop);
    else
        return fmin(t_out, c->t_stop);
    return NAN;
}

/* Restart at the communication point with the inputs that have changed. A failed step may have passed the point. */
static int apply_inputs(component *c)
{
    resida_state x;
    int changed;
    component_take_inputs(c, &changed);
    c->needs_restart |= changed;
    if (!c->needs_restart) return 0;
    if (resida_solver_state(c->solver, &x) < 0 || x.t > c->t)
        return fmu_fail(&c->said, "the failed step reached t = %.9g: inputs can change after a return to a saved state",
                        x.t);
    const resida_status status = resida_run_restart(c->run);
    if (status < 0) return fail(c, status);
    c->needs_restart = 0;
    return 0;
}

int component_step(component *c, double t, double h)
{
    const double t_out = end_of_step(c, t, h);
    if (isnan(t_out)) return -1;
    component_enter(c);
    if (apply_inputs(c) < 0) return -1;
    c->has_outputs = 0;
    return advance(c, t_out);
}
