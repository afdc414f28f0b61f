/* check_cost.c - reports the cost of each callback in operations: the value that the model declares, or the value
 * assumed from the size of the model, beside the measured cost. No cost is a failed check. */
#include "check.h"

#include "command/cost/model_cost.h"

#include <math.h>

#define FAR_OFF 4.0 /* ratio in either direction; figures are rounded to powers of four */
#define SMALL   0.2 /* fraction of the largest cost; smaller costs affect no decision */
#define LITTLE                                                                                                         \
    1e4 /* operations of one iteration apart from callbacks, with about 12 unknowns; smaller costs do not matter */

static double find_largest_cost(const cmd_model_cost *c)
{
    double most = 0;
    for (int i = 0; i < CMD_COSTS; i++)
        if (c->measured[i] > 0) most = fmax(most, fmax(c->taken[i], c->measured[i]));
    return most;
}

static int is_cost_misleading(const cmd_model_cost *c, int i, double most)
{
    const double taken = c->taken[i], measured = c->measured[i];
    return fmax(taken, measured) > fmax(LITTLE, SMALL * most) &&
           (measured > FAR_OFF * taken || taken > FAR_OFF * measured);
}

void cmd_check_cost(cmd_report_work *r)
{
    const cmd_job job = {.model = r->model, .settings = r->settings};
    cmd_model_cost c;
    resida_message why = {""};
    if (cmd_model_cost_find(&job, &c, &why) < 0) {
        cmd_report_result(r, "cost of a call", 0, "%s", why.text);
        return;
    }
    const double most = find_largest_cost(&c);
    for (int i = 0; i < CMD_COSTS; i++) {
        char name[CMD_COST_NAME];
        if (c.measured[i] == 0) continue;
        cmd_report_result(r, "cost of a call", 1, "%s: %.3g operations %s, %.3g measured%s%s", cmd_cost_callback(i),
                          c.taken[i], c.is_said[i] ? "said" : "assumed", c.measured[i],
                          is_cost_misleading(&c, i, most) ? "; it decides what parts of J are updated: set " : "",
                          is_cost_misleading(&c, i, most) ? cmd_cost_name(i, name) : "");
    }
}
