/* instance.c - creates an instance: instantiation, parameters, initialization, events at the start, continuous mode. */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UPDATES = 1000 }; /* max. number of updates of discrete states at one time */
#define SINGLE 1e-6          /* relative rounding of single precision */

/* Write what failed, with the message of the FMU. */
static int report_failure(const fmu_model *m, const char *what, resida_message *why)
{
    const char *said = m->instance.said.text;
    return fmu_fail(why, "%s%s%.250s", what, *said ? ": " : "", *said ? said : "");
}

/* Set all values of a variable; its elements begin at parameter k. */
static int set_variable(fmu_model *m, int k, const fmu_variable *v)
{
    if (v->type != FMU_STRING) return fmu_variable_set(&m->instance, v, &m->values[k]);
    return m->instance.binary->port.set_text(&m->instance, v->reference, m->words[k]);
}

static int count_values(const fmu_model *m, int k)
{
    const fmu_variable *v = m->file->targets[k].variable;
    return v ? v->size : 1;
}

/* Return 1 if a variable, whose first value is parameter k, differs from its start value in the description. */
static int has_changes(const fmu_model *m, int k)
{
    int changed = 0;
    for (int e = k; e < k + count_values(m, k) && m->file->targets[k].variable; e++) {
        const resida_parameter *p = &m->file->parameters[e];
        changed |= m->words[e] ? m->words[e] != p->word : m->values[e] != p->value;
    }
    return changed;
}

/* Set the parameters that differ from the initial values of the FMU. Others are not set, because a variable may have
 * several names. */
static int set_parameters(fmu_model *m, resida_message *why)
{
    for (int k = 0; k < m->file->n_parameters; k += count_values(m, k)) {
        if (!has_changes(m, k) || set_variable(m, k, m->file->targets[k].variable) == 0) continue;
        resida_message what;
        fmu_fail(&what, "parameter %.100s is refused", m->file->parameters[k].name);
        return report_failure(m, what.text, why);
    }
    return 0;
}

/* Read a variable back, and warn if its value was changed. The binary may store it in single precision. Texts and
 * unreadable variables are not compared. */
static void check_variable(fmu_model *m, int k)
{
    const fmu_variable *v = m->file->targets[k].variable;
    double *got = m->got;
    if (v->type == FMU_STRING || fmu_variable_get(&m->instance, v, got) != 0) return;
    for (int e = 0; e < v->size && !m->doubt.text[0]; e++) {
        const double set = m->values[k + e], rounding = v->type > FMU_FLOAT32 ? 0 : SINGLE * fabs(set);
        if (!(fabs(got[e] - set) <= rounding))
            fmu_fail(&m->doubt, "%.100s was set to %.9g, but the FMU starts with %.9g", m->file->parameters[k + e].name,
                     set, got[e]);
    }
}

/* Read back all parameters that were set. Warn of the first one that the initialization has changed. */
static void check_parameters(fmu_model *m)
{
    const resida_message said = m->instance.said;
    m->doubt.text[0] = 0;
    for (int k = 0; k < m->file->n_parameters; k += count_values(m, k))
        if (has_changes(m, k)) check_variable(m, k);
    m->instance.said = said;
}

int fmu_instance_update(fmu_instance *i, fmu_update *u)
{
    const fmu_port *port = &i->binary->port;
    int has_new_states = 0;
    for (int k = 0; k < MAX_UPDATES; k++) {
        const int verdict = port->update(i, u);
        if (verdict != 0) return verdict;
        u->has_new_states = has_new_states |= u->has_new_states;
        if (u->ends) return 0;
        if (!u->again)
            return fmu_call(i, i->mode == FMU_EXCHANGE ? i->binary->plain.enter_continuous_mode
                                                       : i->binary->plain.enter_step_mode);
    }
    fmu_fail(&i->said, "%d updates of discrete states at one time did not converge", MAX_UPDATES);
    return -1;
}

static int check_sizes(fmu_model *m, resida_message *why)
{
    size_t n_states = 0, n_indicators = 0;
    const fmu_port *port = &m->instance.binary->port;
    if (!port->count || m->h > 0) return 0;
    if (port->count(&m->instance, &n_states, &n_indicators) != 0)
        return report_failure(m, "does not return the number of its states", why);
    if (n_states != (size_t)m->system.n_x)
        return fmu_fail(why, "its binary has %zu states, its description %d", n_states, m->system.n_x);
    if (n_indicators != (size_t)m->n_indicators)
        return fmu_fail(why,
                        "its binary has %zu event indicators, its description %d (EventIndicator of ModelStructure)",
                        n_indicators, m->n_indicators);
    return 0;
}

int fmu_states_get(fmu_model *m, double *y)
{
    const fmu_system *s = &m->system;
    fmu_instance *i = &m->instance;
    const int verdict = s->n_x > 0 ? fmu_get(i, i->binary->plain.get_states, y, (size_t)s->n_x) : 0;
    return verdict == 0 ? fmu_reals_get(i, &s->z, y + s->n_x) : verdict;
}

/* Get the state at the start, and the time of the next event. */
static int get_start(fmu_model *m, const fmu_update *u, resida_message *why)
{
    const fmu_system *s = &m->system;
    m->t_next = u->has_next ? u->t_next : INFINITY;
    if (u->ends) return report_failure(m, "it ends at its start time", why);
    if (check_sizes(m, why) < 0) return -1;
    m->y0[0] = m->t0; /* for a system without states */
    if (fmu_states_get(m, m->y0) != 0) return report_failure(m, "does not return its states", why);
    for (int k = 0; k < s->n_x + s->n_z; k++)
        if (!isfinite(m->y0[k])) return fmu_fail(why, "%.100s = %g at the start", s->names[k], m->y0[k]);
    return 0;
}

int fmu_instance_begin(fmu_model *m, resida_message *why)
{
    fmu_instance *i = &m->instance;
    const fmu_file *f = m->file;
    const fmu_port *port = &i->binary->port;
    fmu_mode mode = m->h == 0 ? FMU_EXCHANGE : f->about.has_event_mode ? FMU_STEPS_OF_EVENTS : FMU_STEPS;
    fmu_instance_leave(m);
    *i = (fmu_instance){.binary = i->binary};
    int made = port->make(i, f->name, f->about.token, f->resources, mode);
    if (made != 0 && mode == FMU_STEPS_OF_EVENTS) /* some FMUs declare event mode but reject it */
        made = port->make(i, f->name, f->about.token, f->resources, FMU_STEPS);
    if (made != 0) return report_failure(m, "cannot be instantiated", why);
    if (m->takes_dae && f->manifest.has_enable && port->enable(i, f->manifest.enable) != 0)
        return report_failure(m, "cannot be switched to its DAE", why);
    if (port->set_experiment && port->set_experiment(i, m->t0, m->set_tolerance, m->t_stop) != 0)
        return report_failure(m, "cannot be initialised", why);
    m->inputs.piece = 0;
    memset(m->was_finite, 0, (size_t)m->n_outputs);
    fmu_inputs_enter(&m->inputs, m->t0, m->values);
    for (int k = 0; k < m->inputs.n_u; k++) m->inputs.given[k] = NAN;
    fmu_inputs_begin_point(&m->inputs);
    for (int k = 0; k < m->inputs.n_tuned; k++) m->inputs.tuned_before[k] = NAN;
    if (set_parameters(m, why) < 0) return -1;
    if (fmu_inputs_set_tuned(&m->inputs, i, f, m->values, m->got) != 0)
        return report_failure(m, "rejects a tunable parameter", why);
    if (m->inputs.n_rows > 0 && fmu_inputs_set_held(&m->inputs, i, m->values) != 0)
        return report_failure(m, "rejects an input of the file", why);
    return port->begin_initialization(i, m->t0, m->set_tolerance, m->t_stop) != 0
               ? report_failure(m, "cannot be initialised", why)
               : 0;
}

int fmu_instance_finish(fmu_model *m, resida_message *why)
{
    fmu_instance *i = &m->instance;
    fmu_update u = {0};
    if (fmu_call(i, i->binary->plain.end_initialization) != 0) return report_failure(m, "cannot be initialised", why);
    if (i->mode != FMU_STEPS && fmu_instance_update(i, &u) != 0)
        return report_failure(m, "the events at its start did not converge", why);
    check_parameters(m);
    return get_start(m, &u, why);
}
