/* work_summary.c - who is the fastest peer at an error, and how many times its work resida needs.
 *
 *     ratio(model, error)  =  work of resida / work of the peer with the least processor time, both at that error
 *     mean(model)          =  (product over the errors that both reach)^(1 / their number)
 *     mean                 =  (product over the models that have one)^(1 / their number)
 *
 * An error that one side does not reach has no ratio but a reason: it is left out of the means and said so. */
#include "work_summary.h"

#include "command/base/complain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int bench_is_rival(const rsd_peer *peer)
{
    return peer && strcmp(rsd_peer_name(peer), "ida+analytic") != 0;
}

void bench_summary_free(bench_summary *s)
{
    free(s->lines);
    *s = (bench_summary){0};
}

static bench_summary_line *new_line(bench_summary *s, const char *model, const char *reference)
{
    bench_summary_line *lines = realloc(s->lines, ((size_t)s->n + 1) * sizeof *lines);
    if (!lines) return NULL;
    s->lines = lines;
    bench_summary_line *line = &lines[s->n++];
    *line = (bench_summary_line){0};
    snprintf(line->model, sizeof line->model, "%s", model);
    snprintf(line->reference, sizeof line->reference, "%s", reference);
    for (int i = 0; i < BENCH_N_LEVELS; i++)
        for (int w = 0; w < BENCH_N_WORKS; w++) line->at[i].own[w] = line->at[i].theirs[w] = NAN;
    return line;
}

/** The rival with the least time at this error; -1 when none reaches it. */
static int fastest(const bench_study *study, double error)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 1; k < study->n_methods; k++) {
        double cpu = bench_study_work(study, k, BENCH_CPU, error);
        if (!bench_is_rival(study->methods[k].peer) || !(cpu < least)) continue;
        least = cpu;
        best = k;
    }
    return best;
}

/** Why the time of method k at this error is not known. */
static void say_reach(const bench_study *study, int k, double error, char text[BENCH_REASON_SIZE])
{
    char name[BENCH_METHOD_SIZE];
    const bench_curve *c = &study->methods[k].curves[BENCH_CPU];
    bench_method_name(&study->methods[k], name);
    if (c->n == 0)
        snprintf(text, BENCH_REASON_SIZE, "%s: no run with a known error", name);
    else if (error > c->hull[0].error)
        snprintf(text, BENCH_REASON_SIZE, "%s: %.1e already at the loosest tolerance that counts", name,
                 c->hull[0].error);
    else
        snprintf(text, BENCH_REASON_SIZE, "%s: %.1e is its least error", name, c->hull[c->n - 1].error);
}

/** The reasons of all rivals, one behind the other. */
static void say_no_rival(const bench_study *study, double error, char text[BENCH_REASON_SIZE])
{
    size_t at = 0;
    text[0] = 0;
    for (int k = 1; k < study->n_methods && at < BENCH_REASON_SIZE; k++) {
        char one[BENCH_REASON_SIZE];
        if (!bench_is_rival(study->methods[k].peer)) continue;
        say_reach(study, k, error, one);
        int n = snprintf(text + at, BENCH_REASON_SIZE - at, "%s%s", at > 0 ? "; " : "", one);
        at += n > 0 ? (size_t)n : 0;
    }
    if (at == 0) snprintf(text, BENCH_REASON_SIZE, "no peer was run");
}

static void compare(bench_versus *v, const bench_study *study, double error)
{
    const bench_method *own = &study->methods[0];
    int k = fastest(study, error);
    for (int w = 0; w < BENCH_N_WORKS; w++) {
        v->own[w] = bench_study_work(study, 0, w, error);
        if (k >= 0) v->theirs[w] = bench_study_work(study, k, w, error);
    }
    v->own_call_s = own->call_s;
    v->their_call_s = k >= 0 ? study->methods[k].call_s : NAN;
    if (isnan(v->own[BENCH_CPU]))
        say_reach(study, 0, error, v->not_compared);
    else if (k < 0)
        say_no_rival(study, error, v->not_compared);
    else
        v->peer = rsd_peer_name(study->methods[k].peer);
}

int bench_summary_leave_out(bench_summary *s, const char *model, const char *why)
{
    bench_summary_line *line = new_line(s, model, "-");
    for (int i = 0; line && i < BENCH_N_LEVELS; i++)
        snprintf(line->at[i].not_compared, sizeof line->at[i].not_compared, "%s", why);
    return line ? 0 : bench_no_memory();
}

int bench_summary_take(bench_summary *s, const bench_study *study, const bench_model *model, int code)
{
    const char *why = study->reference.model.cls ? "not all of its runs are over" : study->reference.source;
    if (code != 0) return bench_summary_leave_out(s, model->cls->name, why) == 0 ? code : BENCH_EXIT_FAILED;
    bench_summary_line *line = new_line(s, model->cls->name, study->reference.source);
    for (int i = 0; line && i < BENCH_N_LEVELS; i++) compare(&line->at[i], study, bench_levels[i]);
    return line ? 0 : bench_no_memory();
}

double bench_versus_ratio(const bench_versus *v, int which)
{
    return v->own[which] / v->theirs[which];
}

/** A geometric mean under way; what is not known does not count. */
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

double bench_summary_mean(const bench_summary_line *line, int which)
{
    mean m = {0};
    for (int i = 0; i < BENCH_N_LEVELS; i++) take(&m, bench_versus_ratio(&line->at[i], which));
    return mean_of(&m);
}

double bench_summary_mean_all(const bench_summary *s, int which)
{
    mean m = {0};
    for (int i = 0; i < s->n; i++) take(&m, bench_summary_mean(&s->lines[i], which));
    return mean_of(&m);
}
