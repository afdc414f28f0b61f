/* steps.c - Co-Simulation: the FMU integrates itself between communication points (FMI 3.0, section 4.2).
 *
 * The time is the only unknown of a run, and each communication point t_k is an event. At t_k the outputs are stored
 * and inputs are set. When the run advances from t_k, a second event takes the step. The next communication point is
 * t_k + h, or an earlier row of the file with a jump, an earlier event announced by the FMU, or the end of the run.
 * Between two points the outputs are those of the first point. If a step returns early, the next point is the time that
 * it reached, with event mode if the FMU requests it. The outputs at the end of the step are then the left limit at the
 * event and are also stored. */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STEPS = 1000 };  /* max. number of steps at the same time */
#define T_ROUNDINGS    4    /* rounding error of a difference of two times, in DBL_EPSILON times their size */
#define STEP_TOLERANCE 1e-9 /* tolerance of a whole number of steps, relative to a step or to the number */

static int is_event_mode(const fmu_model *m)
{
    return m->instance.mode == FMU_STEPS_OF_EVENTS;
}

int fmu_steps_has_event(const fmu_model *m, double t)
{
    return m->needs_event || !fmu_is_earlier(t, m->t_next) || !fmu_is_earlier(t, fmu_inputs_next(&m->inputs));
}

void fmu_steps_count(fmu_counts *c, int steps, int early, int events)
{
    c->steps += steps, c->early += early, c->events += events;
    fmu_fail(&c->text, "%ld communication steps, %ld of them ended early, %ld events%s", c->steps, c->early, c->events,
             c->has_held ? "; outputs between communication points are those of the last point" : "");
}

int fmu_steps_update(fmu_model *m, double t)
{
    fmu_update u = {0};
    const int is_event = fmu_steps_has_event(m, t);
    if (is_event && is_event_mode(m) && fmu_call(&m->instance, m->instance.binary->plain.enter_event_mode) != 0)
        return -1;
    if (fmu_event_set_inputs(m, t) != 0) return -1;
    if (!is_event || !is_event_mode(m)) return is_event;
    if (fmu_instance_update(&m->instance, &u) != 0) return -1;
    m->t_next = u.has_next && u.t_next > t ? u.t_next : INFINITY;
    m->ends |= u.ends;
    return 1;
}

int fmu_steps_set_experiment(fmu_model *m, double t0, double t_stop, double rtol)
{
    const double own = m->file->about.tolerance, tolerance = rtol > 0 ? rtol : own > 0 && own < 1 ? own : 0;
    const int is_new = t_stop != m->t_stop || tolerance != m->set_tolerance, is_other_start = t0 != m->t0;
    m->t0 = t0;
    m->t_stop = t_stop;
    m->set_tolerance = tolerance;
    return m->is_used || is_other_start || (is_new && !m->file->about.only_once);
}

int fmu_steps_check(const fmu_model *m, int takes_any, resida_message *why)
{
    const double n = (m->t_stop - m->t0) / m->h;
    if (takes_any || m->t_stop == INFINITY || (n > 0.5 && fabs(n - round(n)) <= STEP_TOLERANCE * n)) return 0;
    return fmu_fail(why,
                    "communication steps of %.9g s do not end at t = %.9g, and the FMU accepts no other step size "
                    "(canHandleVariableCommunicationStepSize)",
                    m->h, m->t_stop);
}

/* Return the first multiple of h after t, or an earlier jump of inputs, event of the FMU, or end of the run. */
double fmu_steps_next(const fmu_model *m, double t, int takes_any)
{
    const double since = (t - m->t0) / m->h, rounding = T_ROUNDINGS * DBL_EPSILON * (fabs(t) + fabs(m->t0)) / m->h;
    const double point = m->t0 + m->h * (floor(since + fmax(rounding, STEP_TOLERANCE)) + 1);
    const double earlier = takes_any ? fmin(m->t_next, fmu_inputs_next(&m->inputs)) : INFINITY;
    const double to = fmu_is_earlier(earlier, point) ? earlier : point;
    return fmu_is_earlier(to, m->t_stop) ? to : m->t_stop;
}

double fmu_steps_get_failure_time(const fmu_model *m, double t)
{
    return fmax(nextafter(t, INFINITY), t + STEP_TOLERANCE * m->h);
}

int fmu_steps_take(fmu_model *m, double t, double to, fmu_step *step)
{
    const fmu_port *port = &m->instance.binary->port;
    int verdict = 0;
    if (m->file->about.takes_rates && port->set_rate)
        verdict = fmu_inputs_set_rates(&m->inputs, &m->instance, m->values, t, to);
    return verdict != 0 ? verdict : port->step(&m->instance, t, to - t, step);
}

/* Take a step to the next communication point, which becomes the next event. A failure is reported at this event. */
static void take_step(fmu_model *m, resida_model_event *e)
{
    fmu_step step = {0};
    const double to = fmu_steps_next(m, e->t, m->file->about.has_any_step);
    m->has_failed = fmu_steps_take(m, e->t, to, &step) != 0;
    e->t_next = m->has_failed ? fmu_steps_get_failure_time(m, e->t) : fmin(step.t_reached, to);
    m->counts.t_next = e->t_next;
    m->needs_event = step.needs_event || fmu_is_earlier(step.t_reached, to);
    m->left.t = INFINITY;
    if (!m->has_failed && fmu_steps_has_event(m, e->t_next))
        m->has_failed = fmu_outputs_store(m, &m->left, e->t_next) != 0;
    fmu_steps_count(&m->counts, 1, fmu_is_earlier(step.t_reached, to), 0);
    m->ends = step.ends;
}

/* Update at a communication point, unless it is the start, and store the outputs. The step follows in a second event at
 * the same time, when the run advances. Until then the caller may set other inputs. */
static int arrive(fmu_model *m, resida_model_event *e, int is_start)
{
    if (!is_start) fmu_inputs_begin_point(&m->inputs);
    const int happened = is_start ? 0 : fmu_steps_update(m, e->t);
    m->left.t = INFINITY;
    if (happened < 0 || fmu_outputs_store(m, &m->held, e->t) != 0) return -1;
    if (happened) e->silent = 0;
    fmu_steps_count(&m->counts, 0, 0, happened);
    e->ends = m->ends;
    m->is_at_point = 1;
    e->t_next = !e->ends && e->t < m->t_stop ? e->t : INFINITY;
    return 0;
}

/* Take steps until the time advances. A step may return at its beginning to request an event. */
static int step_until_time_advances(fmu_model *m, resida_model_event *e)
{
    e->silent = 1;
    for (int k = 0; k < MAX_STEPS; k++) {
        if (fmu_inputs_set_again(&m->inputs, &m->instance, e->t, m->values, !is_event_mode(m)) != 0) return -1;
        take_step(m, e);
        if (e->t_next > e->t) {
            m->is_at_point = 0;
            return 0;
        }
        if (arrive(m, e, 0) < 0) return -1;
        if (e->t_next > e->t) return 0;
    }
    return fmu_fail(&m->instance.said, "%d communication steps did not advance from t = %.9g", MAX_STEPS, e->t);
}

/* Set the inputs and parameters that the caller has set at a communication point, and store the outputs. */
static int set_at_point(fmu_model *m, double t)
{
    if (!m->is_at_point || m->ends) return 0;
    m->needs_event = 1;
    return fmu_steps_update(m, t) < 0 ? -1 : fmu_outputs_store(m, &m->held, t);
}

int fmu_steps_event(const resida_model *model, resida_model_event *e)
{
    fmu_model *m = model->user;
    resida_message why;
    const int is_start = e->kind == RESIDA_AT_START;
    if (is_start && fmu_steps_set_experiment(m, e->t, e->t_stop, e->rtol != model->rtol ? e->rtol : 0) &&
        fmu_instance_start(m, &why) < 0)
        return fmu_fail(&m->instance.said, "%s", why.text);
    if (is_start && fmu_steps_check(m, m->file->about.has_any_step, &m->instance.said) < 0) return -1;
    if (is_start) m->is_used = 1, m->needs_event = m->ends = m->has_failed = 0, m->counts = (fmu_counts){.steps = 0};
    if (m->has_failed) return -1;
    if (e->kind == RESIDA_AT_STEP) return set_at_point(m, e->t);
    e->silent = 1;
    return is_start || !m->is_at_point ? arrive(m, e, is_start) : step_until_time_advances(m, e);
}

/* Compute the outputs. Before the run has begun they are those of the start. */
int fmu_steps_output(const resida_model *model, const resida_model_point *at, double *out)
{
    fmu_model *m = model->user;
    if (!m->is_used && fmu_outputs_store(m, &m->held, at->t) != 0) return -1;
    fmu_outputs_copy_stored(m, at->t, &m->counts, out);
    fmu_outputs_set_warning(m, at->t, out);
    return 0;
}
