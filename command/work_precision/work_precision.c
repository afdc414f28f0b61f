/* work_precision.c - from runs to curves, and from curves to work at equal error. */
#include "work_precision.h"

#include <math.h>

const double bench_levels[BENCH_N_LEVELS] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

static double work_of(const bench_row *row, int which)
{
    long count = which == BENCH_CALLS ? row->stats.residual_calls.total : row->stats.steps;
    if (which == BENCH_CPU) return row->cpu_s.median;
    return count < 0 ? NAN : (double)count;
}

static void make_curve(bench_curve *curve, const bench_method *method, int which)
{
    for (int i = 0; i < method->n_rows; i++) {
        const bench_row *row = &method->rows[i];
        curve->hull[i] = (bench_point){row->outcome == BENCH_OK ? row->error.p : NAN, work_of(row, which)};
    }
    curve->n = bench_curve_hull(curve->hull, method->n_rows);
}

void bench_study_curves(bench_study *study)
{
    for (int k = 0; k < study->n_methods; k++)
        for (int w = 0; w < BENCH_N_WORKS; w++) make_curve(&study->methods[k].curves[w], &study->methods[k], w);
}

double bench_study_work(const bench_study *study, int k, int which, double error)
{
    const bench_curve *curve = &study->methods[k].curves[which];
    return bench_curve_work(curve->hull, curve->n, error);
}

bench_equal bench_study_equal(const bench_study *study, int k, double error)
{
    bench_equal e;
    for (int w = 0; w < BENCH_N_WORKS; w++) {
        double least = NAN;
        for (int j = 0; j < study->n_methods; j++) least = fmin(least, bench_study_work(study, j, w, error));
        e.work[w] = bench_study_work(study, k, w, error);
        e.to_least[w] = e.work[w] / least;
        e.to_resida[w] = e.work[w] / bench_study_work(study, 0, w, error);
    }
    return e;
}

const char *bench_method_name(const bench_method *method, char text[BENCH_METHOD_SIZE])
{
    if (method->peer)
        snprintf(text, BENCH_METHOD_SIZE, "%s", rsd_peer_name(method->peer));
    else
        snprintf(text, BENCH_METHOD_SIZE, "resida %s", method->jacobian);
    return text;
}
