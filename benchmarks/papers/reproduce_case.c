/* reproduce_case.c - opens a model with the parameters of a table of the paper; makes a figure. */
#include "reproduce.h"

#include "program/output/json_line.h"

#include <math.h>
#include <string.h>

const double cmd_omega[CMD_READINGS] = {0.3141592653589793, 0.05};
const char *const cmd_omega_name[CMD_READINGS] = {"2 pi 0.05", "0.05"};

int cmd_case_open(cmd_open_case *open, const cmd_settings *s, const cmd_case *c)
{
    *open = (cmd_open_case){.settings = *s};
    cmd_settings *own = &open->settings;
    own->n_parameters = 0;
    for (int k = 0; c->parameter_names[k]; k++) {
        snprintf(open->names[k], sizeof open->names[k], "%s", c->parameter_names[k]);
        open->name_list[k] = open->names[k];
        open->word_list[k] = open->words[k];
        snprintf(open->words[k], sizeof open->words[k], "%s", cmd_format_shortest(c->values[k]));
        own->n_parameters++;
    }
    own->parameter_names = open->name_list;
    own->parameter_words = open->word_list;
    own->parameter_used = open->used;
    own->rtol = c->rtol;
    own->atol = c->atol;
    own->t_end = c->t_end;
    own->formalism = (int)c->formalism;
    const int code = cmd_models_open(&open->model, 1, &c->model, own);
    return code == 0 ? cmd_job_make(&open->job, &open->model, own, 1) : code;
}

void cmd_case_close(cmd_open_case *open)
{
    cmd_models_close(&open->model, 1);
}

int cmd_places_find(const resida_mechanism *m, int n, const char *const *names, int *at)
{
    for (int k = 0; k < n; k++) {
        at[k] = 0;
        while (at[k] < m->n_p && strcmp(m->p_names[at[k]], names[k]) != 0) at[k]++;
        if (at[k] == m->n_p) return -1;
    }
    return 0;
}

int cmd_drawing_make(const cmd_drawing *figure, void *measured, const cmd_settings *s)
{
    char own[40];
    cmd_picture picture = {0};
    snprintf(own, sizeof own, "%s.svg", s->words[0]);
    const char *path = s->out ? s->out : own;
    int code = cmd_picture_open(&picture, path, figure->width, figure->height);
    if (code == 0) code = figure->measure(measured, s);
    if (code == 0) {
        figure->draw(measured, &picture);
        code = cmd_picture_commit(&picture);
    }
    cmd_picture_abort(&picture);
    if (code == 0 && s->format == CMD_TEXT) figure->print(measured, path);
    for (int i = 0; i < figure->n_lines && s->format == CMD_JSON && code == 0; i++)
        code = cmd_json_line(figure->line(measured, i), stdout);
    return code;
}
