/* work_summary_json.c - an object for each model and error, one for each model, one for all of them. Every key is
 * always there, null where there is no ratio. */
#include "work_summary.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"

#include <math.h>

/** The works by their names. */
static json_t *works(const double work[BENCH_N_WORKS])
{
    return BENCH_OBJECT({"cpu_s", bench_json_real(work[BENCH_CPU])},
                        {"residual_calls", bench_json_real(work[BENCH_CALLS])},
                        {"steps", bench_json_real(work[BENCH_STEPS])});
}

static json_t *versus_json(const bench_summary_line *line, int i)
{
    char why[BENCH_REASON_SIZE];
    const bench_versus *v = &line->at[i];
    double ratios[BENCH_N_WORKS];
    for (int w = 0; w < BENCH_N_WORKS; w++) ratios[w] = bench_versus_ratio(v, w);
    int is_dearer = ratios[BENCH_CPU] > 1;
    return BENCH_OBJECT({"compared_error", bench_json_real(bench_levels[i])}, {"problem", bench_json_text(line->model)},
                        {"peer", bench_json_text(v->peer)}, {"of_resida", works(v->own)}, {"of_peer", works(v->theirs)},
                        {"ratio", works(ratios)}, {"call_s", bench_json_real(v->own_call_s)},
                        {"peer_call_s", bench_json_real(v->their_call_s)},
                        {"why", bench_json_text(is_dearer ? bench_versus_why(v, why) : v->not_compared)},
                        {"reference", bench_json_text(line->reference)});
}

/** Of one model, or of all: then "problem" is null. */
static json_t *mean_json(const char *model, const double means[BENCH_N_WORKS])
{
    return BENCH_OBJECT({"geometric_mean", works(means)}, {"problem", bench_json_text(model)});
}

int bench_summary_json(const bench_summary *s, FILE *stream)
{
    double means[BENCH_N_WORKS];
    int code = 0;
    for (int k = 0; k < s->n; k++) {
        const bench_summary_line *line = &s->lines[k];
        for (int w = 0; w < BENCH_N_WORKS; w++) means[w] = bench_summary_mean(line, w);
        for (int i = 0; i < BENCH_N_LEVELS && code == 0; i++) code = bench_json_line(versus_json(line, i), stream);
        if (code == 0) code = bench_json_line(mean_json(line->model, means), stream);
    }
    for (int w = 0; w < BENCH_N_WORKS; w++) means[w] = bench_summary_mean_all(s, w);
    return code == 0 ? bench_json_line(mean_json(NULL, means), stream) : code;
}
