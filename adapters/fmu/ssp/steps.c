/* steps.c - FMUs in Co-Simulation (FMI 3.0, section 4.2): they integrate themselves between communication points. The
 * time is the only unknown of a run; each communication point is an event. At a point outputs are copied to the
 * connected inputs, and stored. When the run advances, a second event takes the step: all FMUs step to the next point,
 * each with the inputs of the last point (explicit Jacobi coupling). The error of this coupling is of first order in
 * the step size. Between two points the outputs are those of the first point. The next point is t_k + h, or an earlier
 * row of the file with a jump, an earlier event announced by an FMU, or the end of the run. The outputs at the end of a
 * step before an event are the left limit at the event and are also stored.
 *
 * If an FMU returns at an earlier time, because of an event or because it discards the remainder, this time is the next
 * point. The other FMUs return to their saved states, if they can save them, and step to this time again. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 1000 };  /* max. number of steps at the same time */
#define T_ROUNDINGS    4    /* rounding error of a difference of two times, in DBL_EPSILON times their size */
#define STEP_TOLERANCE 1e-9 /* tolerance of a whole number of steps, relative to a step or to the number */

static int is_event_mode(const fmu_model *m)
{
    return m->instance.mode == FMU_STEPS_OF_EVENTS;
}

/* Return 1 if a step that ended at t must be followed by event mode. */
static int has_event_at(const fmu_model *m, double t)
{
    return m->needs_event || !fmu_is_earlier(t, m->t_next) || !fmu_is_earlier(t, fmu_inputs_next(&m->inputs));
}

void ssp_steps_count(fmu_counts *c, int steps, int early, int events)
{
    c->steps += steps, c->early += early, c->events += events;
    char step[80] = "";
    if (c->usual > 0)
        snprintf(step, sizeof step, "; communication_step = %.9g s is a default, not that of the FMU", c->usual);
    fmu_fail(&c->text, "%ld communication steps, %ld of them ended early, %ld events%s%s%s", c->steps, c->early,
             c->events, c->has_held ? "; outputs between communication points are those of the last point" : "",
             c->has_steps ? "; inputs are held during each step, with an error of first order" : "", step);
}

/* Set the inputs that apply after t at a communication point. Update discrete states if the FMU or the input file
 * requires it. @return 1 if there was an event; 0 if not; -1 on an error */
static int update_part(fmu_model *m, double t)
{
    fmu_update u = {0};
    const int is_event = has_event_at(m, t);
    if (is_event && is_event_mode(m) && fmu_call(&m->instance, m->instance.binary->plain.enter_event_mode) != 0)
        return -1;
    if (fmu_event_set_inputs(m, t) != 0) return -1;
    if (!is_event || !is_event_mode(m)) return is_event;
    if (fmu_instance_update(&m->instance, &u) != 0) return -1;
    m->t_next = u.has_next && u.t_next > t ? u.t_next : INFINITY;
    m->ends |= u.ends;
    return 1;
}

/* Set the start and stop time [s] and the tolerance of the experiment, before a run. rtol 0: the description's
 * tolerance. @return 1 if a new instance is required, else 0 */
static int set_experiment(fmu_model *m, double t0, double t_stop, double rtol)
{
    const double own = m->file->about.tolerance, tolerance = rtol > 0 ? rtol : own > 0 && own < 1 ? own : 0;
    const int is_new = t_stop != m->t_stop || tolerance != m->set_tolerance, is_other_start = t0 != m->t0;
    m->t0 = t0;
    m->t_stop = t_stop;
    m->set_tolerance = tolerance;
    return is_other_start || (is_new && !m->file->about.only_once);
}

/* Check that communication steps reach t_stop. takes_any 1: steps may have different sizes. @return 0; -1 with the
 * reason in `why` */
static int check_steps(const fmu_model *m, int takes_any, resida_message *why)
{
    const double n = (m->t_stop - m->t0) / m->h;
    if (takes_any || m->t_stop == INFINITY || (n > 0.5 && fabs(n - round(n)) <= STEP_TOLERANCE * n)) return 0;
    return fmu_fail(why,
                    "communication steps of %.9g s do not end at t = %.9g, and the FMU accepts no other step size "
                    "(canHandleVariableCommunicationStepSize)",
                    m->h, m->t_stop);
}

/* Return the first multiple of h after t, or an earlier jump of inputs, event of the FMU, or end of the run. */
static double find_next_point(const fmu_model *m, double t, int takes_any)
{
    const double since = (t - m->t0) / m->h, rounding = T_ROUNDINGS * DBL_EPSILON * (fabs(t) + fabs(m->t0)) / m->h;
    const double point = m->t0 + m->h * (floor(since + fmax(rounding, STEP_TOLERANCE)) + 1);
    const double earlier = takes_any ? fmin(m->t_next, fmu_inputs_next(&m->inputs)) : INFINITY;
    const double to = fmu_is_earlier(earlier, point) ? earlier : point;
    return fmu_is_earlier(to, m->t_stop) ? to : m->t_stop;
}

/* Return the time at which a failed step from t is reported. It is just after the outputs stored at t. */
static double get_failure_time(const fmu_model *m, double t)
{
    return fmax(nextafter(t, INFINITY), t + STEP_TOLERANCE * m->h);
}

/* Note what is to be said of inputs and of the communication step. */
static void note_hints(const fmu_model *m, fmu_counts *c)
{
    const fmu_description *d = &m->file->about;
    int n = 0;
    for (int k = 0; k < m->inputs.n_columns; k++) n += m->inputs.columns[k].u >= 0;
    c->has_steps |= n > 0 && !m->inputs.holds && !(d->takes_rates && m->instance.binary->port.set_rate);
    if (m->h == fmu_table_step(d) && isnan(d->step_size)) c->usual = m->h;
}

/* Take a communication step from t to `to`, with the slopes of inputs if the FMU takes them. @return as port.h */
static int take_part_step(fmu_model *m, double t, double to, fmu_step *step)
{
    const fmu_port *port = &m->instance.binary->port;
    int verdict = 0;
    if (m->file->about.takes_rates && port->set_rate)
        verdict = fmu_inputs_set_rates(&m->inputs, &m->instance, m->values, t, to);
    return verdict != 0 ? verdict : port->step(&m->instance, t, to - t, step);
}

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
    const int verdict = take_part_step(m->parts[i], t, to, &m->steps[i]);
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
    for (int i = 0; i < m->system->n; i++) to = fmin(to, find_next_point(m->parts[i], t, can_take_any_step(m)));
    const double point = to;
    m->has_failed = save_states(m) != 0 || step_all_parts(m, t, &to) != 0;
    e->t_next = m->has_failed ? get_failure_time(m->parts[0], t) : to;
    m->counts.t_next = e->t_next;
    int has_event = 0;
    for (int i = 0; i < m->system->n; i++) {
        m->parts[i]->needs_event = m->steps[i].needs_event;
        m->ends |= m->steps[i].ends;
        has_event |= has_event_at(m->parts[i], e->t_next);
    }
    for (int k = 0; k < m->system->n_links; k++) has_event |= !m->system->links[k].is_continuous;
    if (!m->has_failed && has_event) m->has_failed = store_outputs(m, to, 1) != 0;
    ssp_steps_count(&m->counts, 1, fmu_is_earlier(to, point), 0);
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
            happened |= has_event_at(part, t);
            part->needs_event |= m->is_pending[i]; /* which is not reported as an event */
            m->is_pending[i] = 0;
            if (ssp_store_failure(m, i, update_part(part, t)) < 0) return -1;
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
    ssp_steps_count(&m->counts, 0, 0, happened);
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
        is_new |= set_experiment(m->parts[i], e->t, e->t_stop, e->rtol != model->rtol ? e->rtol : 0);
    ssp_steps_free_states(m);
    m->t0 = e->t;
    if (is_new && ssp_start(m, &why) < 0) return fmu_fail(&m->said, "%s", why.text);
    begin_point(m);
    for (int i = 0; i < m->system->n; i++) m->parts[i]->needs_event = m->parts[i]->ends = m->is_pending[i] = 0;
    m->is_used = 1, m->ends = m->has_failed = 0, m->counts = (fmu_counts){.steps = 0};
    for (int i = 0; i < m->system->n; i++) note_hints(m->parts[i], &m->counts);
    return check_steps(m->parts[0], can_take_any_step(m), &m->said);
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
