/* cmd_pattern.c - which entries the Jacobian of a model has, and in which groups its columns are differenced. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"
#include "pattern.h"

static int show(const bench_pattern *p, void *context)
{
    bench_picture *picture = context;
    if (picture->script) {
        bench_pattern_draw(p, picture);
        int code = bench_picture_commit(picture);
        if (code != 0) return code;
    }
    if (p->job->settings->format == BENCH_TEXT) bench_pattern_text(p, stdout);
    return p->job->settings->format == BENCH_JSON ? bench_json_line(bench_pattern_json(p), stdout) : 0;
}

static int pattern(bench_model *model, const bench_settings *s)
{
    bench_job job;
    bench_picture picture = {0};
    int code = bench_pattern_job(&job, model, s);
    if (code == 0 && s->out) code = bench_pattern_open_picture(&picture, s->out);
    if (code == 0) code = bench_pattern_run_shortly(&job, show, &picture);
    bench_picture_abort(&picture);
    return code;
}

int bench_cmd_pattern(const bench_settings *s)
{
    if (s->n_words == 0) return bench_complain(BENCH_EXIT_USAGE, "pattern: which model? 'resida models' lists them");
    if (s->n_words > 1)
        return bench_complain(BENCH_EXIT_USAGE, "pattern: one model only, there is '%s' after '%s'", s->words[1],
                              s->words[0]);
    const int code = s->out ? bench_picture_check(s->out) : 0;
    return code != 0 ? code : bench_on_model(s, pattern);
}
