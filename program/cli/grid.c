/* grid.c - computes t_k = t0 + k step, and t_n = t_end. With --every the last interval may be shorter. If the time span
 * is a multiple of the step within rounding, no very short interval is added. */
#include "grid.h"

#include "program/base/complain.h"
#include "program/base/number.h"

#include <float.h>
#include <math.h>

static const double default_points = 200, default_frames = 600;
static const double max_points = 1e9; /* more outputs would need hundreds of GB; drift is evaluated at each */
static const double sliver = 1e-9;    /* fraction of a step */

int cmd_grid_make(cmd_grid *grid, double t0, double t_end, const cmd_settings *s)
{
    const char *option = isnan(s->every) ? "points" : "every";
    double points = s->points > 0 ? (double)s->points : s->animate ? default_frames : default_points;
    double step = isnan(s->every) ? (t_end - t0) / points : s->every;
    if (!isnan(s->every)) points = fmax(1, ceil((t_end - t0) / step - sliver));
    if (points > max_points)
        return cmd_complain(CMD_EXIT_USAGE, "--%s gives %s outputs, more than %g", option, cmd_format_shortest(points),
                            max_points);
    if (step < 4 * DBL_EPSILON * fmax(fabs(t0), fabs(t_end)))
        return cmd_complain(CMD_EXIT_USAGE, "--%s: outputs every %g s are too close to be distinct near t = %s", option,
                            step, cmd_format_shortest(t_end));
    *grid = (cmd_grid){.t0 = t0, .t_end = t_end, .step = step, .n = (long)points};
    return 0;
}

double cmd_grid_time(const cmd_grid *grid, long k)
{
    return k >= grid->n ? grid->t_end : grid->t0 + (double)k * grid->step;
}
