/* work_summary_json.c - an object for each model and error, one for each model, one for all models. All keys are always
 * present; missing ratios are null. */
#include "work_summary.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"

#include <math.h>

/** Create an object with the measures of work. */
static json_t *works(const double work[CMD_N_WORKS])
{
    return CMD_OBJECT({"cpu_s", cmd_json_real(work[CMD_CPU])}, {"residual_calls", cmd_json_real(work[CMD_CALLS])},
                      {"steps", cmd_json_real(work[CMD_STEPS])});
}

static json_t *versus_json(const cmd_summary_line *line, int i)
{
    char why[CMD_REASON_SIZE];
    const cmd_versus *v = &line->at[i];
    double ratios[CMD_N_WORKS];
    for (int w = 0; w < CMD_N_WORKS; w++) ratios[w] = cmd_versus_ratio(v, w);
    int is_slower = ratios[CMD_CPU] > 1;
    return CMD_OBJECT({"compared_error", cmd_json_real(cmd_levels[i])}, {"problem", cmd_json_text(line->model)},
                      {"peer", cmd_json_text(v->peer)}, {"of_resida", works(v->own)}, {"of_peer", works(v->theirs)},
                      {"ratio", works(ratios)}, {"call_s", cmd_json_real(v->own_call_s)},
                      {"peer_call_s", cmd_json_real(v->their_call_s)},
                      {"why", cmd_json_text(is_slower ? cmd_versus_why(v, why) : v->not_compared)},
                      {"reference", cmd_json_text(line->reference)});
}

/** Create the object with the means of one model, or of all models (model and "problem" are null). */
static json_t *mean_json(const char *model, const double means[CMD_N_WORKS])
{
    return CMD_OBJECT({"geometric_mean", works(means)}, {"problem", cmd_json_text(model)});
}

int cmd_summary_json(const cmd_summary *s, FILE *stream)
{
    double means[CMD_N_WORKS];
    int code = 0;
    for (int k = 0; k < s->n; k++) {
        const cmd_summary_line *line = &s->lines[k];
        for (int w = 0; w < CMD_N_WORKS; w++) means[w] = cmd_summary_mean(line, w);
        for (int i = 0; i < CMD_N_LEVELS && code == 0; i++) code = cmd_json_line(versus_json(line, i), stream);
        if (code == 0) code = cmd_json_line(mean_json(line->model, means), stream);
    }
    for (int w = 0; w < CMD_N_WORKS; w++) means[w] = cmd_summary_mean_all(s, w);
    return code == 0 ? cmd_json_line(mean_json(NULL, means), stream) : code;
}
