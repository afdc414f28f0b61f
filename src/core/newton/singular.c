/* singular.c - reports a singular iteration matrix. The message names the unknown of the singular column. */
#include "singular.h"

#include "src/core/watch/blame.h"

#include <string.h>

resida_status rsd_report_singular_matrix(const rsd_linear_solver *linear, const resida_problem *problem,
                                         const rsd_singular_at *at, resida_message *why)
{
    const char *method = at->method ? at->method : "", *colon = at->method ? ": " : "";
    char name[80];
    rsd_format_component(problem, at->column - 1, name, sizeof name);
    if (strcmp(rsd_linear_get_report(linear).name, "klu-diagonal") == 0)
        return rsd_fail(why, RESIDA_ERR_SINGULAR,
                        "%s%sthe iteration matrix has no usable pivot for %s on the diagonal at t = %.9g, h = %.3g: "
                        "use a linear solver that pivots, or the form augmented with a penalty",
                        method, colon, name, at->t, at->h);
    return rsd_fail(why, RESIDA_ERR_SINGULAR,
                    "%s%sthe iteration matrix is singular (column of %s) at t = %.9g, h = %.3g", method, colon, name,
                    at->t, at->h);
}
