/* fits.c - refuses options without effect. The library detects only values that differ from the default; the command
 * also refuses an option with its default value. */
#include "fits.h"

#include "program/base/complain.h"
#include "options.h"

#include <resida/option.h>
#include <stdio.h>
#include <string.h>

enum { USE = 200, MESSAGE = 400 };

/** Return the form; "auto" is resolved as in the library. */
static const char *get_form(const cmd_settings *s, const resida_model *m)
{
    if (m->is_dae) return "dae";
    if (strcmp(s->problem.form, "auto") != 0) return s->problem.form;
    return m->mechanism.n_g + m->mechanism.n_h > 0 ? "ggl" : "ode";
}

/** Return the method, or NULL if there is none or if it is unknown, which the library reports. */
static const char *get_method(const cmd_settings *s)
{
    for (int i = 0; resida_method_at(i); i++)
        if (strcmp(s->solver.method, resida_method_at(i)) == 0) return resida_method_at(i);
    return NULL;
}

/** Return 1 if the option affects only steps. Limits affect all models, and so may rtol, which is passed to events. */
static int affects_steps_only(const char *option)
{
    static const char *const others[] = {"rtol", "max_steps", "max_residuals", "time_limit_s"};
    for (size_t i = 0; option && i < sizeof others / sizeof *others; i++)
        if (strcmp(option, others[i]) == 0) return 0;
    return option != NULL;
}

/** Check that a model without continuous states has no options of steps. */
static int check_steps(const cmd_settings *s, const cmd_model *model)
{
    if (!model->model.y_is_time || model->model.dae.n_root > 0) return 0;
    for (int i = 0; i < cmd_n_options; i++)
        if (s->given[i] && affects_steps_only(cmd_options[i].option))
            return cmd_complain(CMD_EXIT_USAGE,
                                "%s: --%s has no effect: the model has its own integrator, or no states",
                                model->cls->name, cmd_options[i].name);
    return 0;
}

int cmd_check_model_options(const cmd_settings *s, const cmd_model *model)
{
    if (check_steps(s, model) != 0) return CMD_EXIT_USAGE;
    const char *form = get_form(s, &model->model), *method = get_method(s);
    char use[USE], text[MESSAGE];
    for (int i = 0; i < cmd_n_options; i++) {
        const resida_option *option = s->given[i] ? resida_option_find(cmd_options[i].option) : NULL;
        if (!option || resida_option_fits(option, form, method)) continue;
        const int is_form = !resida_option_fits(option, form, NULL);
        resida_option_text(option, use, sizeof use);
        snprintf(text, sizeof text, "--%s has no effect with %s %s; it applies to %s", cmd_options[i].name,
                 is_form ? "form" : "method", is_form ? form : method, use);
        return cmd_complain_model(CMD_EXIT_USAGE, model->cls->name, text);
    }
    return 0;
}

int cmd_check_has_states(const cmd_model *model, const char *what)
{
    if (!model->model.y_is_time) return 0;
    return cmd_complain(CMD_EXIT_USAGE,
                        "%s: %s has its own integrator, or no states: an FMU with Model Exchange is required", what,
                        model->cls->name);
}

int cmd_check_peer_options(const cmd_settings *s, const rsd_peer *peer)
{
    for (int i = 0; i < cmd_n_options; i++)
        if (s->given[i] && cmd_options[i].option && !rsd_peer_takes(peer, cmd_options[i].option))
            return cmd_complain(CMD_EXIT_USAGE, "--%s: has no effect with %s", cmd_options[i].name,
                                rsd_peer_name(peer));
    return 0;
}
