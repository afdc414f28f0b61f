/* rest_begin.c - a run that begins at an equilibrium. */
#include "rest.h"

#include "program/base/complain.h"

int cmd_equilibrium_check(const cmd_settings *s)
{
    const struct {
        int is_asked;
        const char *what;
    } parts[] = {{s->steady, "--steady"}, {s->n_guesses > 0, "--start"}, {s->load_steps > 0, "--load-steps"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !s->from_equilibrium; i++)
        if (parts[i].is_asked) return cmd_complain(CMD_EXIT_USAGE, "%s: needs --from-equilibrium", parts[i].what);
    return 0;
}

/* Search from `guess` in place of the start of the model and of guesses by name. */
static int find_from(cmd_equilibrium *rest, cmd_model *model, const cmd_settings *s, const double *guess)
{
    const double **start = model->model.is_dae ? &model->model.y0 : &model->model.p0, *own_start = *start;
    cmd_settings own = *s;
    own.n_guesses = 0;
    *start = guess;
    const int code = cmd_equilibrium_find(rest, model, &own);
    *start = own_start;
    return code;
}

int cmd_equilibrium_set_start(cmd_equilibrium *rest, cmd_model *model, const cmd_settings *s, const double *guess)
{
    resida_model *m = &model->model;
    int code = guess ? find_from(rest, model, s, guess) : 0;
    const int is_found = guess && code == 0 && rest->status == RESIDA_OK;
    if (guess && code == 0 && !is_found) cmd_equilibrium_free(rest);
    if (code == 0 && !is_found) code = cmd_equilibrium_find(rest, model, s);
    if (code == 0 && rest->status != RESIDA_OK) code = cmd_equilibrium_complain(rest);
    if (code != 0) return code;
    if (!s->quiet && rest->report.n_free > 0)
        cmd_complain(0, "the equilibrium does not determine these coordinates, which keep values near the start: %s",
                     rest->report.free.text);
    if (m->is_dae) {
        m->y0 = rest->p;
        if (m->yp0) m->yp0 = rest->zero;
    } else {
        m->p0 = rest->p;
        m->v0 = rest->v;
    }
    m->reference = NULL; /* the reference applies only to the model's own start */
    m->reference_source = NULL;
    return 0;
}
