/* cmd_equilibrium.c - finds an equilibrium of a model and reports it as text or JSON. */
#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "program/cli/fits.h"
#include "rest.h"

#include <math.h>

static int write_result(const cmd_equilibrium *r, const cmd_settings *s)
{
    int code = 0;
    if (r->warning.text[0] && !s->quiet) cmd_complain_model(0, r->model->cls->name, r->warning.text);
    if (!s->quiet) cmd_equilibrium_examine(r);
    if (s->format == CMD_JSON)
        code = cmd_equilibrium_json(r, stdout);
    else if (r->status == RESIDA_OK)
        code = cmd_equilibrium_text(r, stdout);
    return code != 0 || r->status == RESIDA_OK ? code : cmd_equilibrium_complain(r);
}

static int find_and_report(cmd_model *model, const cmd_settings *s)
{
    cmd_equilibrium r;
    if (cmd_check_has_states(model, "equilibrium") != 0) return CMD_EXIT_USAGE;
    int code = cmd_equilibrium_find(&r, model, s);
    if (code == 0) code = write_result(&r, s);
    cmd_equilibrium_free(&r);
    return code;
}

int cmd_cmd_equilibrium(const cmd_settings *s)
{
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, "equilibrium: give exactly one model; 'resida models' lists them");
    if (s->via > 0 && isnan(s->at)) return cmd_complain(CMD_EXIT_USAGE, "--via: needs --at");
    return cmd_run_on_model(s, find_and_report);
}
