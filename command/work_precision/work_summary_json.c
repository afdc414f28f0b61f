/* work_summary_json.c - an object for each model and error, one for each model, one for all of them. Every key is
 * always there, null where there is no ratio. */
#include "work_summary.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"

#include <math.h>

/** The works by their names. */
static json_t *works(const double work[BENCH_N_WORKS])
{
    json_t *object = json_object();
    int failed = bench_json_put(object, "cpu_s", bench_json_real(work[BENCH_CPU])) |
                 bench_json_put(object, "residual_calls", bench_json_real(work[BENCH_CALLS])) |
                 bench_json_put(object, "steps", bench_json_real(work[BENCH_STEPS]));
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

/** The object, unless something did not get into it. */
static json_t *whole(json_t *object, int failed)
{
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

static json_t *versus_json(const bench_summary_line *line, int i)
{
    char why[BENCH_REASON_SIZE];
    const bench_versus *v = &line->at[i];
    double ratios[BENCH_N_WORKS];
    for (int w = 0; w < BENCH_N_WORKS; w++) ratios[w] = bench_versus_ratio(v, w);
    int is_dearer = ratios[BENCH_CPU] > 1;
    json_t *o = json_object();
    int failed = bench_json_put(o, "compared_error", bench_json_real(bench_levels[i])) |
                 bench_json_put(o, "problem", bench_json_text(line->model)) |
                 bench_json_put(o, "peer", bench_json_text(v->peer)) | bench_json_put(o, "of_resida", works(v->own)) |
                 bench_json_put(o, "of_peer", works(v->theirs)) | bench_json_put(o, "ratio", works(ratios)) |
                 bench_json_put(o, "call_s", bench_json_real(v->own_call_s)) |
                 bench_json_put(o, "peer_call_s", bench_json_real(v->their_call_s)) |
                 bench_json_put(o, "why", bench_json_text(is_dearer ? bench_versus_why(v, why) : v->not_compared)) |
                 bench_json_put(o, "reference", bench_json_text(line->reference));
    return whole(o, failed);
}

/** Of one model, or of all: then "problem" is null. */
static json_t *mean_json(const char *model, const double means[BENCH_N_WORKS])
{
    json_t *o = json_object();
    int failed =
        bench_json_put(o, "geometric_mean", works(means)) | bench_json_put(o, "problem", bench_json_text(model));
    return whole(o, failed);
}

static int put_model(const bench_summary_line *line, FILE *stream)
{
    double means[BENCH_N_WORKS];
    int failed = 0;
    for (int w = 0; w < BENCH_N_WORKS; w++) means[w] = bench_summary_mean(line, w);
    for (int i = 0; i < BENCH_N_LEVELS && !failed; i++) failed = bench_json_line(versus_json(line, i), stream) != 0;
    return failed || bench_json_line(mean_json(line->model, means), stream) != 0;
}

int bench_summary_json(const bench_summary *s, FILE *stream)
{
    double means[BENCH_N_WORKS];
    int failed = 0;
    for (int w = 0; w < BENCH_N_WORKS; w++) means[w] = bench_summary_mean_all(s, w);
    for (int k = 0; k < s->n && !failed; k++) failed = put_model(&s->lines[k], stream);
    if (!failed && bench_json_line(mean_json(NULL, means), stream) == 0) return 0;
    return bench_complain_io("write", "standard output");
}
