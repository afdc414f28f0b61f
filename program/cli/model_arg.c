/* model_arg.c - opens models. A model is a file (resida_plugin_file()) or the name of a built-in model. The library
 * checks ranges of parameters. This file checks that a model has each name, and that values are numbers. Of several
 * models only one must have a name. */
#include "model_arg.h"

#include "program/base/complain.h"
#include "model_options.h"
#include "program/builtin/models.h"
#include "program/process/plugin_trial.h"
#include "program/base/suggest.h"
#include "program/process/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 256 };
static cmd_model ahead; /* class that was opened for its options; no model of it exists yet */

static int complain_unknown_model(const char *word)
{
    const char *names[NAMES_MAX];
    int n = 0;
    for (; bench_models[n] && n < NAMES_MAX; n++) names[n] = bench_models[n]->name;
    const char *near = cmd_nearest(word, names, n);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "no model '%s'; did you mean '%s'?", word, near);
    return cmd_complain(CMD_EXIT_USAGE, "no model '%s'; 'resida models' lists them; a file needs a path with '/'",
                        word);
}

const char *cmd_value_text(const cmd_value *value)
{
    return value->word ? value->word : cmd_format_shortest(value->number);
}

int cmd_value_is_default(const cmd_value *value, const resida_parameter *parameter)
{
    if (value->word || parameter->word)
        return value->word && parameter->word && strcmp(value->word, parameter->word) == 0;
    return !(value->number < parameter->value) && !(value->number > parameter->value);
}

static int find_class(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin)
{
    *plugin = NULL;
    if (!resida_plugin_file(word)) {
        *cls = bench_model_find(word);
        return *cls ? 0 : complain_unknown_model(word);
    }
    resida_message why = {""};
    int tried = cmd_plugin_trial(word);
    if (tried != 0) return tried;
    cmd_watchdog_set_plugin();
    if (resida_plugin_open(plugin, word, cls, &why) >= 0) return 0;
    return strstr(why.text, word) ? cmd_complain(CMD_EXIT_USAGE, "%s", why.text)
                                  : cmd_complain(CMD_EXIT_USAGE, "%s: %s", word, why.text);
}

int cmd_class_inspect(const char *word, const resida_model_class **cls)
{
    cmd_class_close_inspected();
    ahead.word = word;
    const int code = find_class(word, &ahead.cls, &ahead.plugin);
    *cls = ahead.cls;
    return code;
}

const char *cmd_class_inspected(void)
{
    return ahead.word;
}

void cmd_class_close_inspected(void)
{
    resida_plugin_close(ahead.plugin);
    ahead = (cmd_model){0};
}

int cmd_class_find(const char *word, const resida_model_class **cls, resida_plugin_handle **plugin)
{
    if (!ahead.plugin || strcmp(word, ahead.word) != 0) return find_class(word, cls, plugin);
    *cls = ahead.cls;
    *plugin = ahead.plugin;
    ahead = (cmd_model){0};
    return 0;
}

/** Read the value of a parameter from a word of the command line, for a setting `name`. @return 0; CMD_EXIT_USAGE after
 *  one complaint */
static int read_value(const resida_parameter *p, const char *name, const char *word, cmd_value *value)
{
    *value = (cmd_value){.number = p->value, .word = p->word ? word : NULL};
    if (p->word || cmd_parse_number(word, &value->number) == 0) return 0;
    if (strcmp(name, p->name) != 0) return cmd_complain(CMD_EXIT_USAGE, "%s: '%s' is not a number", name, word);
    return cmd_complain(CMD_EXIT_USAGE, "--param %s=%s: '%s' is not a number", name, word, word);
}

static int is_setting_given(const resida_setting *given, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(given[i].name, name) == 0) return 1;
    return 0;
}

/** Set the values to the defaults, then to the settings of the command line. The settings that apply are stored in
 *  given [n]. */
static int collect_values(cmd_model *m, const cmd_settings *s, resida_setting *given, int *n)
{
    int code = 0;
    for (int k = 0; k < m->cls->n_parameters; k++)
        m->values[k] = (cmd_value){.number = m->cls->parameters[k].value, .word = m->cls->parameters[k].word};
    for (int i = 0; i < s->n_parameters && code == 0; i++) {
        int k = cmd_parameter_index(m->cls, s->parameter_names[i]);
        if (k < 0) continue;
        s->parameter_used[i] = 1;
        if (is_setting_given(given, *n, m->cls->parameters[k].name))
            return cmd_complain(CMD_EXIT_USAGE, "parameter '%s' is given twice", m->cls->parameters[k].name);
        code = read_value(&m->cls->parameters[k], s->parameter_names[i], s->parameter_words[i], &m->values[k]);
        given[(*n)++] = (resida_setting){
            .name = m->cls->parameters[k].name, .value = m->values[k].number, .word = m->values[k].word};
    }
    return code;
}

/** Pass the lists of --columns and --plot to a model that has a parameter for them, unless it is given. The comma
 *  before them means that they may have names of other columns. */
static int pass_columns(cmd_model *m, const cmd_settings *s, resida_setting *given, int *n)
{
    const int k = s->columns || s->plot ? cmd_parameter_index(m->cls, "--columns") : -1;
    if (k < 0 || !m->cls->parameters[k].word || is_setting_given(given, *n, m->cls->parameters[k].name)) return 0;
    const char *first = s->columns ? s->columns : "", *second = s->plot ? s->plot : "";
    const size_t size = strlen(first) + strlen(second) + sizeof ",,";
    m->columns = malloc(size);
    if (!m->columns) return cmd_no_memory();
    snprintf(m->columns, size, ",%s,%s", first, second);
    m->values[k].word = m->columns;
    given[(*n)++] = (resida_setting){.name = m->cls->parameters[k].name, .word = m->columns};
    return 0;
}

static int create_model(cmd_model *m, const cmd_settings *s)
{
    resida_setting *given = calloc((size_t)s->n_parameters + 2, sizeof *given);
    m->values = calloc((size_t)m->cls->n_parameters + 1, sizeof *m->values);
    int n = 0;
    int code = !given || !m->values ? cmd_no_memory() : collect_values(m, s, given, &n);
    if (code == 0) code = pass_columns(m, s, given, &n);
    if (code == 0) {
        resida_message why = {""};
        resida_status status = resida_model_create_with(m->cls, n, given, &m->model, &why);
        if (status < 0)
            code = cmd_complain(status == RESIDA_ERR_MEMORY ? CMD_EXIT_FAILED : CMD_EXIT_USAGE, "%s",
                                why.text[0] ? why.text : resida_status_name(status));
    }
    free(given);
    return code;
}

/** Check that a model uses each setting. */
static int check_settings_used(const cmd_model *models, int n, const cmd_settings *s)
{
    for (int i = 0; i < s->n_parameters; i++) {
        if (s->parameter_used[i]) continue;
        const char *names[NAMES_MAX];
        int n_names = 0;
        for (int m = 0; m < n; m++)
            for (int k = 0; k < models[m].cls->n_parameters && n_names < NAMES_MAX; k++)
                names[n_names++] = models[m].cls->parameters[k].name;
        const char *near = cmd_nearest(s->parameter_names[i], names, n_names);
        const char *who = n == 1 ? models[0].cls->name : "none of the models";
        const char *has = n == 1 ? "has no" : "has a";
        for (int k = 0; n == 1 && strchr(s->parameter_names[i], '.') && k < models[0].cls->n_parameters; k++) {
            const resida_parameter *p = &models[0].cls->parameters[k]; /* its description may have the name */
            if (p->text && strstr(p->text, s->parameter_names[i]))
                return cmd_complain(CMD_EXIT_USAGE, "%s has no parameter '%s'; set '%s': %s", who,
                                    s->parameter_names[i], p->name, p->text);
        }
        if (near)
            return cmd_complain(CMD_EXIT_USAGE, "%s %s parameter '%s'; did you mean '%s'?", who, has,
                                s->parameter_names[i], near);
        return cmd_complain(CMD_EXIT_USAGE, "%s %s parameter '%s'; 'resida models %s' lists them", who, has,
                            s->parameter_names[i], n == 1 ? models[0].cls->name : "NAME");
    }
    return 0;
}

int cmd_run_on_model(const cmd_settings *s, int (*work)(cmd_model *model, const cmd_settings *s))
{
    cmd_model model;
    int code = cmd_models_open(&model, 1, (const char *const *)s->words, s);
    if (code != 0) return code;
    code = work(&model, s);
    cmd_models_close(&model, 1);
    return code;
}

int cmd_models_open(cmd_model *models, int n, const char *const *words, const cmd_settings *s)
{
    int code = CMD_EXIT_OK;
    memset(models, 0, (size_t)n * sizeof *models);
    for (int i = 0; i < n && code == 0; i++) code = cmd_class_find(words[i], &models[i].cls, &models[i].plugin);
    if (code == 0) {
        for (int i = 0; i < s->n_parameters; i++) s->parameter_used[i] = 0;
        for (int i = 0; i < n && code == 0; i++) {
            models[i].word = words[i];
            cmd_whereabouts_add(models[i].cls, &models[i].model, words[i]);
            code = create_model(&models[i], s);
        }
    }
    if (code == 0) code = check_settings_used(models, n, s);
    if (code != 0) cmd_models_close(models, n);
    return code;
}

int cmd_model_make(cmd_model *model, const resida_model_class *cls, const char *word, const cmd_settings *s)
{
    *model = (cmd_model){.cls = cls, .word = word};
    for (int i = 0; i < s->n_parameters; i++) s->parameter_used[i] = 0;
    cmd_whereabouts_add(cls, &model->model, word);
    int code = create_model(model, s);
    if (code == 0) code = check_settings_used(model, 1, s);
    if (code != 0) cmd_models_close(model, 1);
    return code;
}

void cmd_models_close(cmd_model *models, int n)
{
    for (int i = 0; i < n; i++) {
        if (models[i].cls) resida_model_destroy(models[i].cls, &models[i].model);
        cmd_whereabouts_remove(&models[i].model);
        free(models[i].values);
        free(models[i].columns);
        resida_plugin_close(models[i].plugin);
        models[i] = (cmd_model){0};
    }
}

int cmd_mechanisms(const char *names[CMD_MECHANISMS_MAX])
{
    const cmd_settings as_they_are = {.n_words = 0};
    int n = 0;
    for (int i = 0; bench_models[i] && n < CMD_MECHANISMS_MAX; i++) {
        cmd_model model;
        if (cmd_models_open(&model, 1, &bench_models[i]->name, &as_they_are) != 0) return -1;
        if (!model.model.is_dae) names[n++] = bench_models[i]->name;
        cmd_models_close(&model, 1);
    }
    return n;
}
