/* work_precision.c - computes curves from runs, and work at equal error from curves. */
#include "work_precision.h"

#include <math.h>

const double cmd_levels[CMD_N_LEVELS] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

static double work_of(const cmd_row *row, int which)
{
    long count = which == CMD_CALLS ? row->stats.residual_calls.total : row->stats.steps;
    if (which == CMD_CPU) return row->cpu_s.median;
    return count < 0 ? NAN : (double)count;
}

static void make_curve(cmd_curve *curve, const cmd_method *method, int which)
{
    for (int i = 0; i < method->n_rows; i++) {
        const cmd_row *row = &method->rows[i];
        curve->hull[i] = (cmd_point){row->outcome == CMD_OK ? row->error.p : NAN, work_of(row, which)};
    }
    curve->n = cmd_curve_hull(curve->hull, method->n_rows);
}

void cmd_study_curves(cmd_study *study)
{
    for (int k = 0; k < study->n_methods; k++)
        for (int w = 0; w < CMD_N_WORKS; w++) make_curve(&study->methods[k].curves[w], &study->methods[k], w);
}

double cmd_study_work(const cmd_study *study, int k, int which, double error)
{
    const cmd_curve *curve = &study->methods[k].curves[which];
    return cmd_curve_work(curve->hull, curve->n, error);
}

cmd_equal cmd_study_equal(const cmd_study *study, int k, double error)
{
    cmd_equal e;
    for (int w = 0; w < CMD_N_WORKS; w++) {
        double least = NAN;
        for (int j = 0; j < study->n_methods; j++) least = fmin(least, cmd_study_work(study, j, w, error));
        e.work[w] = cmd_study_work(study, k, w, error);
        e.to_min[w] = e.work[w] / least;
        e.to_resida[w] = e.work[w] / cmd_study_work(study, 0, w, error);
    }
    return e;
}

const char *cmd_method_name(const cmd_method *method, char text[CMD_METHOD_SIZE])
{
    if (method->peer)
        snprintf(text, CMD_METHOD_SIZE, "%s", rsd_peer_name(method->peer));
    else
        snprintf(text, CMD_METHOD_SIZE, "resida %s", method->jacobian);
    return text;
}
