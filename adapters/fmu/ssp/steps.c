/* steps.c - FMUs in Co-Simulation. The time is the only unknown of a run; each communication point is an event. At a
 * point outputs are copied to the connected inputs, and stored. When the run advances, a second event takes the step:
 * all FMUs step to the next point, each with the inputs of the last point (explicit Jacobi coupling). The error of this
 * coupling is of first order in the step size. Between two points the outputs are those of the first point.
 *
 * If an FMU returns at an earlier time, because of an event or because it discards the remainder, this time is the next
 * point. The other FMUs return to their saved states, if they can save them, and step to this time again. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 1000 }; /* max. number of steps at the same time */

static int can_restore_state(const fmu_model *part)
{
    return part->file->about.goes_back[1] && part->instance.binary->plain.keep;
}

void ssp_steps_free_states(ssp_model *m)
{
    for (int i = 0; i < m->system->n; i++) {
        if (!m->kept[i] || m->parts[i]->instance.is_dead) continue;
        m->parts[i]->instance.binary->plain.forget(m->parts[i]->instance.component, &m->kept[i]);
        m->kept[i] = NULL;
    }
}

static int save_states(ssp_model *m)
{
    for (int i = 0; i < m->system->n && m->system->n > 1; i++) {
        fmu_instance *of = &m->parts[i]->instance;
        if (!can_restore_state(m->parts[i])) continue;
        const int verdict = FMU_CALL(of, &of->binary->plain, keep, &m->kept[i]);
        if (ssp_store_failure(m, i, verdict != 0 ? -1 : 0) != 0) return -1;
    }
    return 0;
}

/* Restore the state of part i, which is beyond `to`, the time at which component `asks` ended its step. */
static int restore_state(ssp_model *m, int i, int asks, double to)
{
    fmu_instance *of = &m->parts[i]->instance;
    if (!m->kept[i])
        return fmu_fail(&m->said, "%.60s: its step ends at t = %.9g, and %.60s cannot go back (canGetAndSetFMUState)",
                        m->system->components[asks].name, to, m->system->components[i].name);
    const int verdict = FMU_CALL(of, &of->binary->plain, go_back, m->kept[i]);
    return ssp_store_failure(m, i, verdict != 0 ? -1 : 0);
}

static int step_part(ssp_model *m, int i, double t, double to)
{
    const int verdict = fmu_steps_take(m->parts[i], t, to, &m->steps[i]);
    m->steps[i].needs_event |= fmu_is_earlier(m->steps[i].t_reached, to);
    m->steps[i].t_reached = fmin(m->steps[i].t_reached, to);
    return ssp_store_failure(m, i, verdict != 0 ? -1 : 0);
}

/* Step all parts from t to a common time: `to`, or the end of an earlier step. @return 0; < 0 on failure */
static int step_all_parts(ssp_model *m, double t, double *to)
{
    const int n = m->system->n;
    for (int i = 0; i < n; i++)
        if (step_part(m, i, t, *to) < 0) return -1;
    for (int is_one = 0; !is_one;) {
        int first = 0;
        is_one = 1;
        for (int i = 1; i < n; i++)
            if (m->steps[i].t_reached < m->steps[first].t_reached) first = i;
        *to = m->steps[first].t_reached;
        for (int i = 0; i < n; i++) {
            if (!fmu_is_earlier(*to, m->steps[i].t_reached)) continue;
            is_one = 0;
            if (restore_state(m, i, first, *to) != 0) return -1;
            m->steps[i] = (fmu_step){.t_reached = t};
            if (*to > t && step_part(m, i, t, *to) < 0) return -1;
        }
    }
    return 0;
}

/* Store the outputs of all parts at time t. is_end = 1: at the end of a step before an event */
static int store_outputs(ssp_model *m, double t, int is_end)
{
    for (int i = 0; i < m->system->n; i++) {
        fmu_model *part = m->parts[i];
        part->left.t = INFINITY;
        if (ssp_store_failure(m, i, fmu_outputs_store(part, is_end ? &part->left : &part->held, t) != 0 ? -1 : 0) != 0)
            return -1;
    }
    return 0;
}

static int can_take_any_step(const ssp_model *m)
{
    int takes = 1;
    for (int i = 0; i < m->system->n; i++) takes &= m->parts[i]->file->about.has_any_step;
    return takes;
}

/* Step to the next communication point, which becomes the next event. A failure is reported at this event. */
static void take_step(ssp_model *m, resida_model_event *e)
{
    const double t = e->t;
    double to = INFINITY;
    for (int i = 0; i < m->system->n; i++) to = fmin(to, fmu_steps_next(m->parts[i], t, can_take_any_step(m)));
    const double point = to;
    m->has_failed = save_states(m) != 0 || step_all_parts(m, t, &to) != 0;
    e->t_next = m->has_failed ? fmu_steps_get_failure_time(m->parts[0], t) : to;
    m->counts.t_next = e->t_next;
    int has_event = 0;
    for (int i = 0; i < m->system->n; i++) {
        m->parts[i]->needs_event = m->steps[i].needs_event;
        m->ends |= m->steps[i].ends;
        has_event |= fmu_steps_has_event(m->parts[i], e->t_next);
    }
    for (int k = 0; k < m->system->n_links; k++) has_event |= !m->system->links[k].is_continuous;
    if (!m->has_failed && has_event) m->has_failed = store_outputs(m, to, 1) != 0;
    fmu_steps_count(&m->counts, 1, fmu_is_earlier(to, point), 0);
}

/* Find changed connections that can only be set in event mode. Each is an event. @return 1 if there is one; 0 if not; <
 * 0 on failure */
static int find_changed_connections(ssp_model *m)
{
    int n = 0;
    for (int k = 0; k < m->system->n_links; k++) {
        fmu_model *to = m->parts[m->system->links[k].to];
        int changed = 0;
        if (m->system->links[k].is_continuous || to->instance.mode != FMU_STEPS_OF_EVENTS) continue;
        if (ssp_link_copy(m, k, &changed) != 0) return -1;
        to->needs_event |= changed;
        n |= changed;
    }
    return n;
}

/* Start a communication point. The current values of the connections become those of the last step. */
static void begin_point(ssp_model *m)
{
    memcpy(m->before, m->given, (size_t)m->system->n_values * sizeof *m->before);
    for (int i = 0; i < m->system->n; i++) fmu_inputs_begin_point(&m->parts[i]->inputs);
}

/* Set inputs and handle events until no event follows. @return 1 if there was an event; 0 if not; < 0 on failure */
static int update_connections(ssp_model *m, double t)
{
    int happened = 0, more = find_changed_connections(m);
    for (int k = 0; k < MAX_STEPS && (k == 0 || more > 0); k++) {
        for (int i = 0; i < m->system->n && more >= 0; i++) {
            fmu_model *part = m->parts[i];
            if (k > 0 && !part->needs_event) continue;
            happened |= fmu_steps_has_event(part, t);
            part->needs_event |= m->is_pending[i]; /* which is not reported as an event */
            m->is_pending[i] = 0;
            if (ssp_store_failure(m, i, fmu_steps_update(part, t)) < 0) return -1;
            part->needs_event = 0;
            m->ends |= part->ends;
        }
        if (more < 0 || ssp_links_copy(m, 0) != 0) return -1; /* in their order */
        more = find_changed_connections(m);
    }
    return more > 0 ? fmu_fail(&m->said, "events do not end at t = %.9g", t) : more < 0 ? -1 : happened;
}

/* Set the inputs again before a step from t, because outputs have been read since (adapters/fmu/inputs.h). Changed
 * connected inputs are first set to their last values. */
static int set_inputs_again(ssp_model *m, double t)
{
    for (int i = 0; i < m->system->n; i++) {
        fmu_model *part = m->parts[i];
        const int takes_held = part->instance.mode != FMU_STEPS_OF_EVENTS;
        const int set = fmu_inputs_set_again(&part->inputs, &part->instance, t, part->values, takes_held);
        if (ssp_store_failure(m, i, set != 0 ? -1 : 0) != 0) return -1;
    }
    for (int k = 0; k < m->system->n_links; k++) {
        const ssp_link *l = &m->system->links[k];
        const double *before = m->before + l->first, *now = m->given + l->first;
        if (!ssp_link_needs_no_event(m, k)) continue;
        if (memcmp(before, now, (size_t)l->source->size * sizeof *now) != 0 && ssp_link_set(m, k, before) != 0)
            return -1;
        if (ssp_link_set(m, k, now) != 0) return -1;
    }
    return 0;
}

/* Update at a communication point, unless it is the start, and store the outputs. The step follows in a second event at
 * the same time, when the run advances. */
static int arrive(ssp_model *m, resida_model_event *e, int is_start)
{
    if (!is_start) begin_point(m);
    const int happened = is_start ? 0 : update_connections(m, e->t);
    if (happened < 0 || store_outputs(m, e->t, 0) != 0) return -1;
    if (happened) e->silent = 0;
    fmu_steps_count(&m->counts, 0, 0, happened);
    e->ends = m->ends;
    m->is_at_point = 1;
    e->t_next = !e->ends && e->t < m->parts[0]->t_stop ? e->t : INFINITY;
    return 0;
}

/* Take steps until the time advances. A step may return at its beginning to request an event. */
static int step_until_time_advances(ssp_model *m, resida_model_event *e)
{
    for (int k = 0; k < MAX_STEPS; k++) {
        if (set_inputs_again(m, e->t) != 0) return -1;
        take_step(m, e);
        if (e->t_next > e->t) {
            m->is_at_point = 0;
            return 0;
        }
        if (arrive(m, e, 0) < 0) return -1;
        if (e->t_next > e->t) return 0;
    }
    return fmu_fail(&m->said, "%d communication steps did not advance from t = %.9g", MAX_STEPS, e->t);
}

/* Start a run. New instances are created if the old ones have been used, or for another stop time or tolerance. */
static int begin_run(const resida_model *model, ssp_model *m, const resida_model_event *e)
{
    resida_message why;
    int is_new = m->is_used;
    for (int i = 0; i < m->system->n; i++)
        is_new |= fmu_steps_set_experiment(m->parts[i], e->t, e->t_stop, e->rtol != model->rtol ? e->rtol : 0);
    ssp_steps_free_states(m);
    m->t0 = e->t;
    if (is_new && ssp_start(m, &why) < 0) return fmu_fail(&m->said, "%s", why.text);
    begin_point(m);
    for (int i = 0; i < m->system->n; i++) m->parts[i]->needs_event = m->parts[i]->ends = m->is_pending[i] = 0;
    m->is_used = 1, m->ends = m->has_failed = 0, m->counts = (fmu_counts){.steps = 0};
    for (int i = 0; i < m->system->n; i++) fmu_steps_note(m->parts[i], &m->counts);
    return fmu_steps_check(m->parts[0], can_take_any_step(m), &m->said);
}

/* Set the values that the caller has set at a communication point, and store the outputs. */
static int set_at_point(ssp_model *m, double t)
{
    if (!m->is_at_point || m->ends) return 0;
    return update_connections(m, t) < 0 ? -1 : store_outputs(m, t, 0);
}

int ssp_steps_event(const resida_model *model, resida_model_event *e)
{
    ssp_model *m = model->user;
    const int is_start = e->kind == RESIDA_AT_START;
    ssp_inputs_at(m, e->t, NULL);
    if (is_start && begin_run(model, m, e) < 0) return -1;
    if (m->has_failed) return -1;
    if (e->kind == RESIDA_AT_STEP) return set_at_point(m, e->t);
    e->silent = 1;
    return is_start || !m->is_at_point ? arrive(m, e, is_start) : step_until_time_advances(m, e);
}
