/* solver_options.c - defaults and ranges of the options of a solver: refused by name, never changed. */
#include "solver_impl.h"

#include "src/linear/linear_solver.h"
#include "src/fixed/method.h"

#include <math.h>
#include <string.h>

enum { MOST_THREADS = 1024, MOST_PARTS = 1000, MOST_ORDER = 5 }; /* the last one as in IDA */
#define SLOWEST_RATE 0.9                                         /* a slower iteration does not converge */

void resida_solver_options_init(resida_solver_options *o)
{
    if (!o) return;
    *o = (resida_solver_options){.size = sizeof *o,
                                 .rtol = 1e-6,
                                 .atol = 1e-6,
                                 .method = "bdf",
                                 .rho_infinity = 0.8,
                                 .newmark_beta = 0.25,
                                 .newmark_gamma = 0.5,
                                 .max_order = MOST_ORDER,
                                 .event_parts = 1,
                                 .h_max = INFINITY,
                                 .t_stop = INFINITY,
                                 .max_steps = 1000000000L,
                                 .max_residuals = 1000000000000L,
                                 .time_limit_s = INFINITY,
                                 .error_test = RESIDA_ERROR_TEST_AUTO,
                                 .newton_tolerance = 0,
                                 .newton_h_weights = 1,
                                 .stability_detection = 1,
                                 .threads = 1,
                                 .scaling = "auto",
                                 .linear_solver = "auto",
                                 .jacobian = "auto"};
}

/* The name, and what must or must not be given with it. */
static resida_status check_method(const resida_solver_options *o, resida_message *why)
{
    if (!o->method) return rsd_fail(why, RESIDA_ERR_OPTION, "method = NULL, must be a name");
    int is_fixed = rsd_method_find(o->method) != NULL;
    if (!is_fixed && strcmp(o->method, "bdf") != 0)
        return rsd_fail(
            why, RESIDA_ERR_OPTION,
            "method = %s, must be bdf, bdf1 .. bdf6, midpoint, newmark, hht, generalized-alpha, radau-iia-2, "
            "radau-iia-3 or energy-decaying",
            o->method);
    if (is_fixed && !(o->step > 0))
        return rsd_fail(why, RESIDA_ERR_OPTION, "step = %g, must be > 0 for method %s", o->step, o->method);
    return RESIDA_OK;
}

resida_status rsd_check_solver_options(const resida_solver_options *o, int n, resida_message *why)
{
    if (o->size != sizeof *o)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "solver options: size = %zu, must be %zu (call the _init function)",
                        o->size, sizeof *o);
    const struct {
        const char *name;
        double value;
        int ok;
        const char *range;
    } rules[] = {
        {"rtol", o->rtol, o->rtol > 0 && o->rtol < 1, "> 0 and < 1"},
        {"atol", o->atol, o->atol >= 0 && isfinite(o->atol), ">= 0 and finite"},
        {"step", o->step, o->step >= 0 && isfinite(o->step), ">= 0 and finite"},
        {"rho_infinity", o->rho_infinity, o->rho_infinity >= 0 && o->rho_infinity <= 1, "in 0..1"},
        {"adaptive", o->adaptive, o->adaptive == 0 || o->adaptive == 1, "0 or 1"},
        {"newmark_beta", o->newmark_beta, o->newmark_beta > 0 && o->newmark_beta <= 1, "> 0 and <= 1"},
        {"newmark_gamma", o->newmark_gamma, o->newmark_gamma > 0 && o->newmark_gamma <= 1, "> 0 and <= 1"},
        {"start_up", (double)o->start_up, (int)o->start_up >= 0 && o->start_up <= RESIDA_START_UP_RADAU, "in 0..1"},
        {"newton_to_rounding", o->newton_to_rounding, o->newton_to_rounding == 0 || o->newton_to_rounding == 1,
         "0 or 1"},
        {"max_order", o->max_order, o->max_order >= 1 && o->max_order <= MOST_ORDER, "in 1..5"},
        {"event_parts", o->event_parts, o->event_parts >= 0 && o->event_parts <= MOST_PARTS, "in 0..1000"},
        {"h_first", o->h_first, o->h_first >= 0 && isfinite(o->h_first), ">= 0 and finite"},
        {"h_max", o->h_max, o->h_max > 0, "> 0"},
        {"t_stop", o->t_stop, o->t_stop > -INFINITY, "a time, or infinite"},
        {"max_steps", (double)o->max_steps, o->max_steps > 0, "> 0"},
        {"max_residuals", (double)o->max_residuals, o->max_residuals > 0, "> 0"},
        {"time_limit_s", o->time_limit_s, o->time_limit_s > 0, "> 0"},
        {"error_test", (double)o->error_test, (int)o->error_test >= 0 && (int)o->error_test <= 2, "in 0..2"},
        {"newton_tolerance", o->newton_tolerance, o->newton_tolerance >= 0 && o->newton_tolerance <= 1,
         ">= 0 and <= 1"},
        {"slow_rate", o->slow_rate, o->slow_rate >= 0 && o->slow_rate <= SLOWEST_RATE, "in 0..0.9"},
        {"max_age", (double)o->max_age, o->max_age >= 0, ">= 0"},
        {"differences", (double)o->differences,
         (int)o->differences >= 0 && o->differences <= RESIDA_DIFFERENCES_CENTRAL, "in 0..1"},
        {"scaling_mass", o->scaling_mass, o->scaling_mass >= 0 && isfinite(o->scaling_mass), ">= 0 and finite"},
        {"scaling_damping", o->scaling_damping, o->scaling_damping >= 0 && isfinite(o->scaling_damping),
         ">= 0 and finite"},
        {"scaling_stiffness", o->scaling_stiffness, o->scaling_stiffness >= 0 && isfinite(o->scaling_stiffness),
         ">= 0 and finite"},
        {"threads", o->threads, o->threads >= 1 && o->threads <= MOST_THREADS, "in 1..1024"},
        {"newton_h_weights", o->newton_h_weights, o->newton_h_weights == 0 || o->newton_h_weights == 1, "0 or 1"},
        {"stability_detection", o->stability_detection, o->stability_detection == 0 || o->stability_detection == 1,
         "0 or 1"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!rules[i].ok)
            return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %g, must be %s", rules[i].name, rules[i].value,
                            rules[i].range);
    RSD_TRY(check_method(o, why));
    if (!o->linear_solver || !rsd_linear_kind(o->linear_solver))
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "linear_solver = %s, must be \"auto\", \"dense\", \"klu\" or \"klu-diagonal\"",
                        o->linear_solver ? o->linear_solver : "NULL");
    if (!o->jacobian) return rsd_fail(why, RESIDA_ERR_OPTION, "jacobian = NULL, must be a name");
    for (int i = 0; o->atol_each && i < n; i++)
        if (!(o->atol_each[i] >= 0) || !isfinite(o->atol_each[i]))
            return rsd_fail(why, RESIDA_ERR_OPTION, "atol_each[%d] = %g, must be >= 0 and finite", i, o->atol_each[i]);
    return RESIDA_OK;
}
