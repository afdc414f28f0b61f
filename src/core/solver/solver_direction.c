/* solver_direction.c - the direction of a run: the first call decides whether t increases or decreases. The
 * integrator's own time always increases. y' and J are derivatives by t, not by the integrator's time. */
#include "solver_impl.h"

#include <math.h>

double rsd_solver_get_stop_time(const resida_solver *s)
{
    if (s->direction > 0) return fmin(s->o.t_stop, s->t_break);
    return s->o.t_stop < INFINITY ? s->o.t_stop : -INFINITY;
}

double rsd_solver_get_nearer(const resida_solver *s, double a, double b)
{
    return s->direction > 0 ? fmin(a, b) : fmax(a, b);
}

/* Return the description of a part of the model, or of an option, that permits only forward runs; else NULL. */
static const char *find_forward_only_part(const resida_solver *s)
{
    const resida_problem *q = s->problem;
    if (!s->integration->ops->turn) return s->o.step > 0 ? "steps of a fixed size are taken" : "Radau IIA is used";
    if (rsd_problem_get_n_root(q) > 0) return "root functions are checked";
    if (s->carried) return "sensitivities are computed";
    if (q->mechanism && q->o.gamma > 0) return "gamma damps constraint violations";
    return NULL;
}

resida_status rsd_solver_set_direction(resida_solver *s, const char *name, double t)
{
    if (s->direction * (t - s->t) >= 0) return RESIDA_OK;
    if (s->t != s->t_start || rsd_integration_get_end(s->integration) != s->t)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "%s = %.17g is before the time reached, %.17g%s", name, t,
                        s->t, s->direction < 0 ? " (backward run)" : "");
    const char *what = s->direction > 0 ? find_forward_only_part(s) : NULL;
    if (what)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT,
                        "%s = %.17g is before the start, %.17g: %s forward in time only", name, t, s->t, what);
    s->direction = -s->direction;
    s->integration->ops->turn(s->integration, s->direction);
    return RESIDA_OK;
}
