/* work_summary.c - finds the fastest peer at each error, and the ratio of the work of resida to that of the peer.
 *
 *     ratio(model, error)  =  work of resida / work of the peer with the least processor time, both at that error
 *     mean(model)          =  (product over the errors that both reach)^(1 / their number)
 *     mean                 =  (product over the models that have one)^(1 / their number)
 *
 * If one side does not reach an error, there is no ratio. The error is excluded from the means, and the reason is
 * reported. */
#include "work_summary.h"

#include "program/base/complain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cmd_is_rival(const rsd_peer *peer)
{
    return peer && strcmp(rsd_peer_name(peer), "ida+analytic") != 0;
}

void cmd_summary_free(cmd_summary *s)
{
    free(s->lines);
    *s = (cmd_summary){0};
}

static cmd_summary_line *new_line(cmd_summary *s, const char *model, const char *reference)
{
    cmd_summary_line *lines = realloc(s->lines, ((size_t)s->n + 1) * sizeof *lines);
    if (!lines) return NULL;
    s->lines = lines;
    cmd_summary_line *line = &lines[s->n++];
    *line = (cmd_summary_line){0};
    snprintf(line->model, sizeof line->model, "%s", model);
    snprintf(line->reference, sizeof line->reference, "%s", reference);
    for (int i = 0; i < CMD_N_LEVELS; i++)
        for (int w = 0; w < CMD_N_WORKS; w++) line->at[i].own[w] = line->at[i].theirs[w] = NAN;
    return line;
}

/** Return the rival with the minimum time at this error, or -1 if no rival reaches it. */
static int fastest(const cmd_study *study, double error)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 1; k < study->n_methods; k++) {
        double cpu = cmd_study_work(study, k, CMD_CPU, error);
        if (!cmd_is_rival(study->methods[k].peer) || !(cpu < least)) continue;
        least = cpu;
        best = k;
    }
    return best;
}

/** Write the reason why the time of method k at this error is unknown. */
static void say_reach(const cmd_study *study, int k, double error, char text[CMD_REASON_SIZE])
{
    char name[CMD_METHOD_SIZE];
    const cmd_curve *c = &study->methods[k].curves[CMD_CPU];
    cmd_method_name(&study->methods[k], name);
    if (c->n == 0)
        snprintf(text, CMD_REASON_SIZE, "%s: no run has a known error", name);
    else if (error > c->hull[0].error)
        snprintf(text, CMD_REASON_SIZE, "%s: the error at the loosest tolerance that counts is only %.1e", name,
                 c->hull[0].error);
    else
        snprintf(text, CMD_REASON_SIZE, "%s: the minimum error is %.1e", name, c->hull[c->n - 1].error);
}

/** Write the reasons of all rivals. */
static void say_no_rival(const cmd_study *study, double error, char text[CMD_REASON_SIZE])
{
    size_t at = 0;
    text[0] = 0;
    for (int k = 1; k < study->n_methods && at < CMD_REASON_SIZE; k++) {
        char one[CMD_REASON_SIZE];
        if (!cmd_is_rival(study->methods[k].peer)) continue;
        say_reach(study, k, error, one);
        int n = snprintf(text + at, CMD_REASON_SIZE - at, "%s%s", at > 0 ? "; " : "", one);
        at += n > 0 ? (size_t)n : 0;
    }
    if (at == 0) snprintf(text, CMD_REASON_SIZE, "no peer was measured");
}

static void compare(cmd_versus *v, const cmd_study *study, double error)
{
    const cmd_method *own = &study->methods[0];
    int k = fastest(study, error);
    for (int w = 0; w < CMD_N_WORKS; w++) {
        v->own[w] = cmd_study_work(study, 0, w, error);
        if (k >= 0) v->theirs[w] = cmd_study_work(study, k, w, error);
    }
    v->own_call_s = own->call_s;
    v->their_call_s = k >= 0 ? study->methods[k].call_s : NAN;
    if (isnan(v->own[CMD_CPU]))
        say_reach(study, 0, error, v->not_compared);
    else if (k < 0)
        say_no_rival(study, error, v->not_compared);
    else
        v->peer = rsd_peer_name(study->methods[k].peer);
}

int cmd_summary_leave_out(cmd_summary *s, const char *model, const char *why)
{
    cmd_summary_line *line = new_line(s, model, "-");
    for (int i = 0; line && i < CMD_N_LEVELS; i++)
        snprintf(line->at[i].not_compared, sizeof line->at[i].not_compared, "%s", why);
    return line ? 0 : cmd_no_memory();
}

int cmd_summary_take(cmd_summary *s, const cmd_study *study, const cmd_model *model, int code)
{
    const char *why = study->reference.model.cls ? "its runs are incomplete" : study->reference.source;
    if (code != 0) return cmd_summary_leave_out(s, model->cls->name, why) == 0 ? code : CMD_EXIT_FAILED;
    cmd_summary_line *line = new_line(s, model->cls->name, study->reference.source);
    for (int i = 0; line && i < CMD_N_LEVELS; i++) compare(&line->at[i], study, cmd_levels[i]);
    return line ? 0 : cmd_no_memory();
}

double cmd_versus_ratio(const cmd_versus *v, int which)
{
    return v->own[which] / v->theirs[which];
}

/** Accumulates a geometric mean; NaN is ignored. */
typedef struct mean {
    double log_sum;
    int n;
} mean;

static void take(mean *m, double x)
{
    if (isnan(x)) return;
    m->log_sum += log(x);
    m->n++;
}

static double mean_of(const mean *m)
{
    return m->n > 0 ? exp(m->log_sum / m->n) : NAN;
}

double cmd_summary_mean(const cmd_summary_line *line, int which)
{
    mean m = {0};
    for (int i = 0; i < CMD_N_LEVELS; i++) take(&m, cmd_versus_ratio(&line->at[i], which));
    return mean_of(&m);
}

double cmd_summary_mean_all(const cmd_summary *s, int which)
{
    mean m = {0};
    for (int i = 0; i < s->n; i++) take(&m, cmd_summary_mean(&s->lines[i], which));
    return mean_of(&m);
}
