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
#include <stdio.h>
#include <string.h>

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
    char step[80] = "";
    if (c->usual > 0)
        snprintf(step, sizeof step, "; communication_step = %.9g s is a default, not that of the FMU", c->usual);
    fmu_fail(&c->text, "%ld communication steps, %ld of them ended early, %ld events%s%s%s", c->steps, c->early,
             c->events, c->has_held ? "; outputs between communication points are those of the last point" : "",
             c->has_steps ? "; inputs are held during each step, with an error of first order" : "", step);
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
    return is_other_start || (is_new && !m->file->about.only_once);
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

void fmu_steps_note(const fmu_model *m, fmu_counts *c)
{
    const fmu_description *d = &m->file->about;
    int n = 0;
    for (int k = 0; k < m->inputs.n_columns; k++) n += m->inputs.columns[k].u >= 0;
    c->has_steps |= n > 0 && !m->inputs.holds && !(d->takes_rates && m->instance.binary->port.set_rate);
    if (m->h == fmu_table_step(d) && isnan(d->step_size)) c->usual = m->h;
}

int fmu_steps_take(fmu_model *m, double t, double to, fmu_step *step)
{
    const fmu_port *port = &m->instance.binary->port;
    int verdict = 0;
    if (m->file->about.takes_rates && port->set_rate)
        verdict = fmu_inputs_set_rates(&m->inputs, &m->instance, m->values, t, to);
    return verdict != 0 ? verdict : port->step(&m->instance, t, to - t, step);
}
