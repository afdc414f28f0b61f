/* event.c - events: event mode, update of discrete states, and return to continuous mode (FMI 3.0, section 3.2.4). */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <math.h>

enum { MAX_OVERDUE = 1000 }; /* max. number of consecutive events at one time */

int fmu_check_indicators(fmu_model *m, const int *direction)
{
    double *z = m->indicators;
    if (fmu_get(&m->instance, m->instance.binary->plain.get_indicators, z, (size_t)m->n_indicators) != 0) return -1;
    for (int k = 0; k < m->n_indicators; k++)
        if ((direction[k] < 0 && z[k] > 0) || (direction[k] > 0 && z[k] <= 0)) return 0;
    return 1;
}

/* Set the time of the next event. An event in the past occurs immediately, but only a limited number of times. */
static int set_next_event_time(fmu_model *m, double t, const fmu_update *u)
{
    const int is_over = u->has_next && !(u->t_next > t);
    m->n_overdue = is_over ? m->n_overdue + 1 : 0;
    m->t_next = !u->has_next ? INFINITY : is_over ? nextafter(t, INFINITY) : u->t_next;
    if (m->n_overdue <= MAX_OVERDUE) return 0;
    return fmu_fail(&m->instance.said, "its next event time, t = %.9g, is in the past, %d consecutive times", u->t_next,
                    m->n_overdue);
}

int fmu_event_set_inputs(fmu_model *m, double t)
{
    const int piece = m->inputs.piece;
    fmu_inputs_enter(&m->inputs, t, m->values);
    if (fmu_inputs_set(&m->inputs, &m->instance, m->inputs.u) != 0) return -1;
    if (m->inputs.piece != piece && fmu_inputs_set_held(&m->inputs, &m->instance, m->values) != 0) return -1;
    if (fmu_inputs_set_tuned(&m->inputs, &m->instance, m->file, m->values, m->got) != 0) return -1;
    return m->connect ? m->connect(m->connect_self, m) : 0;
}

/* Execute event mode, which may change the right-hand side. */
int fmu_event_execute(fmu_model *m, double t, fmu_update *u)
{
    if (fmu_call(&m->instance, m->instance.binary->plain.enter_event_mode) != 0) return -1;
    if (fmu_event_set_inputs(m, t) != 0 || fmu_instance_update(&m->instance, u) != 0) return -1;
    return set_next_event_time(m, t, u);
}
