/* log_axis.c - gnuplot ends a logarithmic axis at a whole decade and draws points at the end on the frame. */
#include "log_axis.h"

#include <math.h>

/** A point closer to an end than this fraction of the axis would touch the frame. */
static const double margin = 0.04;

void cmd_log_axis_take(cmd_log_axis *axis, double x)
{
    if (!(x > 0) || !isfinite(x)) return;
    if (!(axis->least > 0) || x < axis->least) axis->least = x;
    if (x > axis->most) axis->most = x;
}

int cmd_log_axis_ends(const cmd_log_axis *axis, double ends[2])
{
    if (!(axis->least > 0)) return -1;
    double least = log10(axis->least), most = log10(axis->most), low = floor(least), high = ceil(most);
    if (high == low) high++;
    double room = margin * (high - low);
    ends[0] = least - low < room ? least - room : low;
    ends[1] = high - most < room ? most + room : high;
    return 0;
}

void cmd_log_axis_put(const cmd_log_axis *axis, const char *name, int falls, FILE *script)
{
    double ends[2];
    if (cmd_log_axis_ends(axis, ends) != 0) return;
    fprintf(script, "set %srange [%.6g:%.6g]\n", name, pow(10, ends[falls ? 1 : 0]), pow(10, ends[falls ? 0 : 1]));
}
