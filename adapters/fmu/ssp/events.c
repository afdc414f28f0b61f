/* events.c - events of connected FMUs in Model Exchange. The FMUs with an event execute event mode successively,
 * with their current inputs. If an output changes, the connected FMU executes event mode, too, until no output
 * changes at this time.
 *
 * An event is located after its zero crossing, within rounding of t. An FMU that evaluates its indicators again must
 * find the new sign. If it does not, the state is extrapolated along y' by a small multiple of the rounding. */
#include "ssp.h"

#include "adapters/fmu/base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ROUNDS = 1000, MAX_EXTRAPOLATIONS = 40 };
#define FIRST_EXTRAPOLATION DBL_EPSILON /* relative to |t|, or to 1 s; doubled in each attempt */

/* Execute event mode of each pending FMU. @return number of these FMUs; < 0 if one failed */
static int execute_pending_events(ssp_model *m, double t)
{
    int n = 0;
    for (int i = 0; i < m->system->n; i++) {
        fmu_update u = {0};
        if (!m->is_pending[i]) continue;
        m->is_pending[i] = 0;
        n++;
        if (ssp_store_failure(m, i, fmu_event_execute(m->parts[i], t, &u) != 0 ? -1 : 0) != 0) return -1;
        m->ends |= u.ends;
    }
    return n;
}

int ssp_iterate_events(ssp_model *m, double t)
{
    for (int k = 0; k < MAX_ROUNDS; k++) {
        const int n = execute_pending_events(m, t);
        if (n <= 0) return n;
        for (int l = 0; l < m->system->n_links; l++) {
            int changed = 0;
            if (ssp_link_copy(m, l, &changed) != 0) return -1;
            m->is_pending[m->system->links[l].to] |= changed;
        }
    }
    return fmu_fail(&m->said, "events do not end at t = %.9g, after %d rounds", t, MAX_ROUNDS);
}

/* Return 1 if all indicators that crossed zero have their new sign at this state, 0 if one has not, < 0 on failure. */
static int have_new_signs(ssp_model *m, double t, const double *y, const int *direction)
{
    int behind = ssp_set_state(m, t, y, NULL, NULL) != 0 ? -1 : 1;
    for (int i = 0, at = 0; i < m->system->n && behind > 0; i++) {
        fmu_model *part = m->parts[i];
        if (part->n_indicators > 0) behind = ssp_store_failure(m, i, fmu_check_indicators(part, direction + at));
        at += part->n_indicators;
    }
    return behind;
}

/* Set the instances to a state after a zero crossing: that of the event, or one extrapolated along y'. */
static int set_state_after_root(ssp_model *m, const resida_model_event *e)
{
    double h = FIRST_EXTRAPOLATION * fmax(fabs(e->t), 1);
    memcpy(m->moved, e->y, (size_t)m->n * sizeof *m->moved);
    int behind = have_new_signs(m, e->t, m->moved, e->direction);
    for (int k = 0; k < MAX_EXTRAPOLATIONS && behind == 0; k++, h *= 2) {
        for (int j = 0; j < m->n_x; j++) m->moved[j] = e->y[j] + h * e->yp[j];
        behind = have_new_signs(m, e->t + h, m->moved, e->direction);
    }
    return behind < 0;
}

/* Complete the steps, and mark FMUs with an event as pending. @return number of these FMUs; < 0 on failure */
static int mark_pending_events(ssp_model *m, const resida_model_event *e)
{
    int n = 0;
    for (int i = 0, root = 0; i < m->system->n; i++) {
        fmu_model *part = m->parts[i];
        int asks = 0, ends = 0;
        if (part->file->about.needs_steps &&
            ssp_store_failure(m, i,
                              part->instance.binary->port.step_done(&part->instance, &asks, &ends) != 0 ? -1 : 0) != 0)
            return -1;
        for (int k = 0; e->direction && k < part->n_indicators; k++) asks |= e->direction[root + k] != 0;
        root += part->n_indicators;
        m->is_pending[i] |= asks || e->t >= part->t_next || e->t >= fmu_inputs_next(&part->inputs);
        m->ends |= ends;
        n += m->is_pending[i];
    }
    return n;
}

double ssp_next_time(const ssp_model *m)
{
    double t = INFINITY;
    for (int i = 0; i < m->system->n; i++)
        t = fmin(t, fmin(m->parts[i]->t_next, fmu_inputs_next(&m->parts[i]->inputs)));
    return t;
}

/* Get the states after the events, and compute algebraic variables and y' from them. */
static int get_states_after_event(ssp_model *m, resida_model_event *e)
{
    resida_message why = {""};
    if (ssp_get_states(m, e->y) != 0 || ssp_links_copy(m, 0) != 0) return -1;
    e->changed = e->exact_signs = m->n_x > 0;
    if (m->n_x == 0 || ssp_find_rates(m, e->t, e->y, e->yp, &e->find_yp, &why) == 0) return 0;
    return fmu_fail(&m->said, "%s", why.text);
}

static int handle_events(ssp_model *m, resida_model_event *e)
{
    const int failed =
        e->kind == RESIDA_AT_ROOT ? set_state_after_root(m, e) : ssp_set_state(m, e->t, e->y, NULL, NULL);
    const int n = failed ? -1 : mark_pending_events(m, e);
    if (n < 0 || (n > 0 && !m->ends && ssp_iterate_events(m, e->t) != 0)) return -1;
    e->ends = m->ends;
    if (m->ends) m->t_ended = e->t;
    e->t_next = ssp_next_time(m);
    return n > 0 && !m->ends ? get_states_after_event(m, e) : 0;
}

int ssp_event(const resida_model *model, resida_model_event *e)
{
    ssp_model *m = model->user;
    resida_message why;
    if (e->kind != RESIDA_AT_START) return handle_events(m, e);
    int is_new = m->is_used || e->t != m->t0;
    ssp_inputs_at(m, e->t, NULL);
    for (int i = 0; i < m->system->n; i++) is_new |= m->is_pending[i], m->is_pending[i] = 0;
    m->ends = 0, m->t_ended = NAN;
    m->t0 = e->t;
    for (int i = 0; i < m->system->n; i++) m->parts[i]->t0 = e->t;
    if (is_new && ssp_start(m, &why) < 0) return fmu_fail(&m->said, "%s", why.text);
    m->is_used = 1;
    for (int i = 0; i < m->system->n; i++) {
        fmu_model *part = m->parts[i];
        part->n_overdue = 0;
        if (!(part->t_next > e->t))
            part->t_next = nextafter(e->t, INFINITY); /* an event in the past occurs immediately */
    }
    e->t_next = ssp_next_time(m);
    return 0;
}
