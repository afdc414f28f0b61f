/* initial.c - computes consistent initial conditions, INFO(11). 1: YPRIME and the algebraic components of Y. IWORK of
 * DASPK lists them; without a list all components are differential. 2 (DASPK): Y for the given YPRIME, by solving F(T,
 * Y, YPRIME) = 0 as a system without derivatives. */
#include "integration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static resida_kind *list_kinds(const das_call *c)
{
    const int at = das_get_kinds_index(c);
    resida_kind *kinds = malloc((size_t)c->n * sizeof *kinds);
    for (int i = 0; kinds && i < c->n; i++) {
        const int is_algebraic = c->info[INFO_START] == START_Y || (at > 0 && c->iwork[at + i] < 0);
        kinds[i] = is_algebraic ? RESIDA_ALGEBRAIC : RESIDA_DIFFERENTIAL;
    }
    return kinds;
}

/* Return 1 if Y has the required signs. A component that violates its sign by at most its tolerance is set to 0. */
static int satisfies_signs(const das_integration *x, const das_call *c)
{
    for (int i = 0; x->signs && i < x->n; i++) {
        const int sign = x->signs[i], is_strict = sign * sign > 1;
        const double along = sign < 0 ? -c->y[i] : c->y[i];
        if (sign == 0 || along > 0) continue;
        if (is_strict || along < -das_compute_tolerance(c, i, c->y[i])) return 0;
        c->y[i] = 0;
    }
    return 1;
}

static resida_status solve_start(das_integration *x, const das_call *c, const resida_dae *d, resida_message *why)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options o, defaults;
    resida_solver_options_init(&defaults);
    das_set_options(x, c, &o);
    o.newton_h_weights = defaults.newton_h_weights;
    resida_status status = resida_problem_create_dae(&problem, d, NULL, why);
    if (status >= 0) status = resida_solver_create(&solver, problem, &o, why);
    if (status >= 0) {
        resida_state state;
        status = resida_solver_start_dae(solver, x->direction * *c->t, c->y, NULL);
        if (status < 0) memcpy(why->text, resida_solver_message(solver), sizeof why->text);
        if (status >= 0 && resida_solver_state(solver, &state) >= 0) {
            memcpy(c->y, state.y, (size_t)x->n * sizeof *c->y);
            for (int i = 0; i < x->n && !x->fixed_yp; i++) c->yp[i] = x->direction * state.yp[i];
        }
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
    return status;
}

int das_find_start(das_integration *x, const das_call *c, resida_message *why)
{
    resida_dae d;
    const int tells_signs = das_traits_of[c->routine].is_daspk && c->info[INFO_SIGNS] % 2 == 1;
    resida_kind *kinds = list_kinds(c);
    if (!kinds) return ID_ILLEGAL;
    resida_dae_init(&d);
    das_set_equations(x, &d);
    d.kinds = kinds;
    x->signs = tells_signs ? c->iwork + I_KINDS : NULL;
    x->fixed_yp = c->info[INFO_START] == START_Y ? c->yp : NULL;
    resida_status status = solve_start(x, c, &d, why);
    const int fits = status >= 0 && satisfies_signs(x, c);
    x->signs = NULL;
    x->fixed_yp = NULL;
    free(kinds);
    if (fits) return 0;
    if (status == RESIDA_ERR_MEMORY || status == RESIDA_ERR_ARGUMENT) return ID_ILLEGAL;
    if (status >= 0) strcpy(why->text, "no consistent Y has the signs that IWORK requires");
    return x->thrown || x->ires < -1 ? ID_STOPPED : ID_NO_START;
}
