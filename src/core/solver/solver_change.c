/* solver_change.c - changes options between two calls. Changes of tolerances, step size limits and budgets apply to the
 * next step, and the history is kept. A change of another option is rejected with its name. */
#include "solver_impl.h"

#include "jacobian/jacobian.h"
#include "src/core/start/start_impl.h"
#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RESTART_FACTOR 1e6 /* maximum ratio of an old to a new tolerance without a restart */

void rsd_solver_apply_changes(resida_solver *s, const resida_solver_options *o)
{
    const int n = s->problem->layout.n, n_root = rsd_problem_get_n_root(s->problem);
    s->o.rtol = o->rtol;
    s->o.atol = o->atol;
    for (int i = 0; i < n; i++) s->atol_each[i] = o->atol_each ? o->atol_each[i] : o->atol;
    s->o.atol_each = s->atol_each;
    s->o.rtol_each = o->rtol_each ? memcpy(s->rtol_each, o->rtol_each, (size_t)n * sizeof *s->rtol_each) : NULL;
    s->fourth_order = rsd_needs_fourth_order(&s->o, s->problem);
    s->o.root_directions = NULL;
    if (o->root_directions)
        s->o.root_directions = memcpy(s->root_directions, o->root_directions, (size_t)n_root * sizeof(int));
    s->o.h_max = o->h_max;
    s->o.max_steps = o->max_steps;
    s->o.max_residuals = s->guard.max_calls = o->max_residuals;
    s->o.time_limit_s = o->time_limit_s;
}

/* Newton tolerances, as parts of the error test. If weights are multiplied by h, corrections of lam and eta are small,
 * and the iteration ends early. A smaller tolerance compensates this if J is kept, or for weights times h^2. The
 * built-in models in GGL with a kept J take 20 to 100 % more steps with 0.33, and no more with 0.01. If J is renewed by
 * its costs, 0.1 takes no more steps than 0.01, 5 to 30 % fewer calls, and has no larger errors. General DAEs with a
 * kept J: of 200 circuits with diodes at 1e-2 to 1e-8, 5 have wrong results with 0.33, and of 3,000 none with 0.01. */
#define TOLERANCE_FIXED   0.05  /* Newton tolerance of fixed steps, J renewed by its costs; maximum for Radau IIA */
#define TOLERANCE_RADAU   0.4   /* Newton tolerance of variable steps of Radau IIA, divided by rtol^(1/5) */
#define RADAU_ROUNDING    2e-14 /* minimum of (Newton tolerance) * rtol for Radau IIA, because of rounding */
#define TOLERANCE_STRICT  0.01  /* Newton tolerance with weights times h^2; with a kept J: times h, or general DAE */
#define TOLERANCE_RENEWED 0.1   /* Newton tolerance of BDF with a J renewed by its costs */
#define TOLERANCE_PLAIN   0.33  /* Newton tolerance in all other cases, as in DASSL */

static double choose_newton_tolerance(const resida_solver *s)
{
    if (s->given.newton_tolerance > 0) return s->given.newton_tolerance;
    const int by_costs = rsd_jacobian_get_renewal(s->engine)->by_costs;
    const double rtol = rsd_get_min_rtol(&s->o, s->problem->layout.n);
    const double radau = fmax(TOLERANCE_RADAU * pow(rtol, 0.2), RADAU_ROUNDING / rtol);
    if (by_costs && strcmp(s->o.method, "bdf") != 0) return fmin(TOLERANCE_FIXED, s->o.step > 0 ? 1 : radau);
    if (!by_costs && !s->problem->mechanism) return TOLERANCE_STRICT;
    for (int i = 0; s->o.newton_h_weights && i < s->problem->layout.n; i++)
        if (s->problem->kinds[i] >= (by_costs ? RESIDA_ALGEBRAIC_3 : RESIDA_ALGEBRAIC_2)) return TOLERANCE_STRICT;
    return by_costs ? TOLERANCE_RENEWED : TOLERANCE_PLAIN;
}

void rsd_solver_set_newton_tolerance(resida_solver *s)
{
    s->o.newton_tolerance = choose_newton_tolerance(s);
}

/* Restart a mechanism without contacts and sensitivities from the current state, with the last start options. */
static resida_status restart_solver(resida_solver *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (!k || !s->started || s->carried || s->problem->contacts.given.n > 0) return RESIDA_OK;
    const double *y = s->integration->y;
    resida_start_options o = s->problem->start->given;
    o.max_change = INFINITY;
    return resida_solver_start(s, s->t, y + s->problem->layout.p, y + s->problem->layout.v, &o, NULL);
}

resida_status resida_solver_change(resida_solver *s, const resida_solver_options *o)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    const int n = s->problem->layout.n;
    if (s->is_in_call) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    if (!o) return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "resida_solver_change: o is NULL");
    RSD_TRY(rsd_check_solver_options(o, s->problem, &s->message));
    RSD_TRY(rsd_option_check_changes(&rsd_solver_table, &s->given, o, &s->message));
    const rsd_option_case c = {s->problem, o, s->o.jacobian};
    RSD_TRY(rsd_option_check_effects(&rsd_solver_table, &c, o->method, &s->message));
    const double *y = s->integration->y;
    for (int i = 0; i < n; i++) s->y_new[i] = rsd_tolerance(&s->o, i, y[i]);
    rsd_solver_apply_changes(s, o);
    rsd_solver_set_newton_tolerance(s);
    double tightened = 0;
    for (int i = 0; i < n; i++) tightened = fmax(tightened, s->y_new[i] / fmax(rsd_tolerance(&s->o, i, y[i]), DBL_MIN));
    if (s->integration->ops->change) s->integration->ops->change(s->integration, tightened);
    if (s->carried) s->carried->set_tolerances(s);
    return s->integration->ops->change && tightened > RESTART_FACTOR ? restart_solver(s) : RESIDA_OK;
}
