/* solver_options.c - defaults and ranges of the options of a solver: refused by name, never changed. */
#include "solver_impl.h"

#include <math.h>

enum { MOST_THREADS = 1024 };

void resida_solver_options_init(resida_solver_options *o)
{
    if (!o) return;
    *o = (resida_solver_options){.size = sizeof *o,
                                 .rtol = 1e-6,
                                 .atol = 1e-6,
                                 .max_order = 5,
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
                                 .jacobian = "auto"};
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
        {"max_order", o->max_order, o->max_order >= 1 && o->max_order <= 5, "in 1..5"},
        {"h_first", o->h_first, o->h_first >= 0 && isfinite(o->h_first), ">= 0 and finite"},
        {"h_max", o->h_max, o->h_max > 0, "> 0"},
        {"t_stop", o->t_stop, o->t_stop > -INFINITY, "a time, or infinite"},
        {"max_steps", (double)o->max_steps, o->max_steps > 0, "> 0"},
        {"max_residuals", (double)o->max_residuals, o->max_residuals > 0, "> 0"},
        {"time_limit_s", o->time_limit_s, o->time_limit_s > 0, "> 0"},
        {"error_test", (double)o->error_test, (int)o->error_test >= 0 && (int)o->error_test <= 2, "in 0..2"},
        {"newton_tolerance", o->newton_tolerance, o->newton_tolerance >= 0 && o->newton_tolerance <= 1,
         ">= 0 and <= 1"},
        {"slow_rate", o->slow_rate, o->slow_rate >= 0 && o->slow_rate <= 0.9, "in 0..0.9"},
        {"max_age", (double)o->max_age, o->max_age >= 0, ">= 0"},
        {"differences", (double)o->differences,
         (int)o->differences >= 0 && o->differences <= RESIDA_DIFFERENCES_CENTRAL, "in 0..1"},
        {"threads", o->threads, o->threads >= 1 && o->threads <= MOST_THREADS, "in 1..1024"},
        {"newton_h_weights", o->newton_h_weights, o->newton_h_weights == 0 || o->newton_h_weights == 1, "0 or 1"},
        {"stability_detection", o->stability_detection, o->stability_detection == 0 || o->stability_detection == 1,
         "0 or 1"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!rules[i].ok)
            return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %g, must be %s", rules[i].name, rules[i].value,
                            rules[i].range);
    if (!o->jacobian) return rsd_fail(why, RESIDA_ERR_OPTION, "jacobian = NULL, must be a name");
    for (int i = 0; o->atol_each && i < n; i++)
        if (!(o->atol_each[i] >= 0) || !isfinite(o->atol_each[i]))
            return rsd_fail(why, RESIDA_ERR_OPTION, "atol_each[%d] = %g, must be >= 0 and finite", i, o->atol_each[i]);
    return RESIDA_OK;
}
