/* check_cost.c - what a call of each callback costs, in operations: as the model says, or as is assumed by its size,
 * beside what it takes here. Nothing of it is a failure. */
#include "check.h"

#include "command/cost/model_cost.h"

#include <math.h>

#define FAR_OFF 4.0 /* either way: figures are rounded to powers of four */
#define SMALL   0.2 /* of the largest cost: what is cheaper decides nothing */
#define LITTLE                                                                                                         \
    1e4 /* operations of an iteration besides, with some dozen unknowns: nor does what is cheaper than that */

static double largest(const cmd_model_cost *c)
{
    double most = 0;
    for (int i = 0; i < CMD_COSTS; i++)
        if (c->measured[i] > 0) most = fmax(most, fmax(c->taken[i], c->measured[i]));
    return most;
}

static int misleads(const cmd_model_cost *c, int i, double most)
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
        cmd_report_verdict(r, "cost of a call", 0, "%s", why.text);
        return;
    }
    const double most = largest(&c);
    for (int i = 0; i < CMD_COSTS; i++) {
        char name[CMD_COST_NAME];
        if (c.measured[i] == 0) continue;
        cmd_report_verdict(r, "cost of a call", 1, "%s: %.3g operations %s, %.3g measured%s%s", cmd_cost_of(i),
                           c.taken[i], c.is_said[i] ? "said" : "assumed", c.measured[i],
                           misleads(&c, i, most) ? "; it decides what is renewed: set " : "",
                           misleads(&c, i, most) ? cmd_cost_name(i, name) : "");
    }
}
