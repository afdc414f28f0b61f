/* reproduce_case.c - opens a model with what a table of the paper says of it. */
#include "reproduce.h"

#include <math.h>

const double bench_omega[BENCH_READINGS] = {0.3141592653589793, 0.05};
const char *const bench_omega_name[BENCH_READINGS] = {"2 pi 0.05", "0.05"};

int bench_case_open(bench_open_case *open, const bench_settings *s, const bench_case *c)
{
    *open = (bench_open_case){.settings = *s};
    bench_settings *own = &open->settings;
    own->n_parameters = 0;
    for (int k = 0; c->parameter_names[k]; k++) {
        snprintf(open->names[k], sizeof open->names[k], "%s", c->parameter_names[k]);
        open->name_list[k] = open->names[k];
        open->word_list[k] = open->words[k];
        snprintf(open->words[k], sizeof open->words[k], "%s", bench_shortest(c->values[k]));
        own->n_parameters++;
    }
    own->parameter_names = open->name_list;
    own->parameter_words = open->word_list;
    own->parameter_used = open->used;
    own->rtol = c->rtol;
    own->atol = c->atol;
    own->t_end = c->t_end;
    own->formalism = (int)c->formalism;
    return bench_models_open(&open->model, 1, &c->model, own);
}

void bench_case_close(bench_open_case *open)
{
    bench_models_close(&open->model, 1);
}
