/* cmd_pattern.c - reports the entries of a model's Jacobian, and the groups in which its columns are differenced. */
#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "pattern_text.h"

static int show(const cmd_pattern_work *p, void *context)
{
    cmd_picture *picture = context;
    if (picture->script) {
        cmd_pattern_draw(p, picture);
        int code = cmd_picture_commit(picture);
        if (code != 0) return code;
    }
    if (p->job->settings->format == CMD_TEXT) cmd_pattern_text(p, stdout);
    return p->job->settings->format == CMD_JSON ? cmd_json_line(cmd_pattern_json(p), stdout) : 0;
}

static int pattern(cmd_model *model, const cmd_settings *s)
{
    cmd_job job;
    cmd_picture picture = {0};
    int code = cmd_pattern_job(&job, model, s);
    if (code == 0 && s->out) code = cmd_pattern_open_picture(&picture, s->out);
    if (code == 0) code = cmd_pattern_run_shortly(&job, show, &picture);
    cmd_picture_abort(&picture);
    return code;
}

int cmd_cmd_pattern(const cmd_settings *s)
{
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "pattern: give a model; 'resida models' lists them");
    if (s->n_words > 1)
        return cmd_complain(CMD_EXIT_USAGE, "pattern: give only one model; there is '%s' after '%s'", s->words[1],
                            s->words[0]);
    const int code = s->out ? cmd_picture_check(s->out) : 0;
    return code != 0 ? code : cmd_run_on_model(s, pattern);
}
