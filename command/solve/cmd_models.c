/* cmd_models.c - what is built in: sizes with default parameters; for named models (plugins too) all parameters. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/run/formalism.h"
#include "command/output/json_line.h"
#include "command/cli/model_arg.h"
#include "benchmarks/models/models.h"
#include "command/base/number.h"
#include "command/output/text_table.h"

#include <math.h>

static const bench_column overview[] = {
    {"name", 1, NULL, NULL}, {"n_p", 0, NULL, NULL}, {"n_v", 0, NULL, NULL},  {"n_g", 0, NULL, NULL},
    {"n_u", 0, NULL, NULL},  {"t", 0, NULL, NULL},   {"text", 1, NULL, NULL},
};

static const bench_column details[] = {
    {"parameter", 1, NULL, NULL}, {"default", 0, NULL, NULL}, {"min", 0, NULL, NULL},
    {"max", 0, NULL, NULL},       {"unit", 1, NULL, NULL},    {"text", 1, NULL, NULL},
};

enum { N_OVERVIEW = sizeof overview / sizeof overview[0], N_DETAILS = sizeof details / sizeof details[0] };

static json_t *parameter_json(const resida_parameter *p)
{
    return BENCH_OBJECT({"name", bench_json_text(p->name)},
                        {"default", p->word ? bench_json_text(p->word) : bench_json_real(p->value)},
                        {"min", p->word ? json_null() : bench_json_real(p->min)},
                        {"max", p->word ? json_null() : bench_json_real(p->max)}, {"whole", json_boolean(p->whole)},
                        {"unit", bench_json_text(p->unit)}, {"text", bench_json_text(p->text)});
}

static json_t *formalisms_json(const resida_model *m)
{
    json_t *list = json_array();
    if (!m->is_dae && bench_has_residual(&m->mechanism)) list = bench_json_append(list, bench_json_text("residual"));
    if (!m->is_dae && bench_has_explicit(&m->mechanism)) list = bench_json_append(list, bench_json_text("explicit"));
    return list;
}

static json_t *outputs_json(const resida_model *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->n_outputs; i++)
        list = bench_json_append(list,
                                 BENCH_OBJECT({"name", bench_json_text(m->output_names[i])},
                                              {"unit", bench_json_text(m->output_units ? m->output_units[i] : NULL)}));
    return list;
}

/** A size that a general DAE does not have. */
static json_t *size_json(const resida_model *m, int size)
{
    return m->is_dae ? json_null() : json_integer(size);
}

static int print_json(const bench_model *b)
{
    const resida_model *m = &b->model;
    const resida_mechanism *k = &m->mechanism;
    json_t *parameters = json_array();
    for (int i = 0; i < b->cls->n_parameters; i++)
        parameters = bench_json_append(parameters, parameter_json(&b->cls->parameters[i]));
    json_t *o = BENCH_OBJECT(
        {"name", bench_json_text(b->cls->name)}, {"text", bench_json_text(b->cls->text)},
        {"kind", bench_json_text(m->is_dae ? "dae" : "mechanism")},
        {"n", m->is_dae ? json_integer(m->dae.n) : json_null()}, {"n_p", size_json(m, k->n_p)},
        {"n_v", size_json(m, k->n_v)}, {"n_z", size_json(m, k->n_z)}, {"n_g", size_json(m, k->n_g)},
        {"n_h", size_json(m, k->n_h)}, {"n_u", json_integer(m->is_dae ? m->dae.n_u : k->n_u)},
        {"formalisms", formalisms_json(m)}, {"t0", bench_json_real(m->t0)}, {"t_end", bench_json_real(m->t_end)},
        {"rtol", bench_json_real(m->rtol)}, {"atol", bench_json_real(m->atol)},
        {"reference", bench_json_text(m->reference_source)}, {"parameters", parameters}, {"outputs", outputs_json(m)});
    return bench_json_line(o, stdout);
}

static const char *size_text(const resida_model *m, int size)
{
    return m->is_dae ? "-" : bench_number("%d", size);
}

static void add_overview(bench_table *table, const bench_model *b)
{
    const resida_model *m = &b->model;
    bench_table_cells(table, "%s\t%d\t%s\t%s\t%d\t%s..%s\t%s", b->cls->name, m->is_dae ? m->dae.n : m->mechanism.n_p,
                      size_text(m, m->mechanism.n_v), size_text(m, m->mechanism.n_g + m->mechanism.n_h),
                      m->is_dae ? m->dae.n_u : m->mechanism.n_u, bench_shortest(m->t0), bench_shortest(m->t_end),
                      b->cls->text);
}

static void print_outputs(const resida_model *m)
{
    for (int i = 0; i < m->n_outputs; i++) {
        const char *unit = m->output_units ? m->output_units[i] : NULL;
        printf("%s%s", i == 0 ? "  outputs: " : ", ", m->output_names[i]);
        if (unit) printf(" [%s]", unit);
    }
    if (m->n_outputs > 0) printf("\n");
}

static void print_details(const bench_model *b)
{
    const resida_model *m = &b->model;
    printf("%s: %s\n", b->cls->name, b->cls->text);
    if (m->is_dae)
        printf("  general DAE, n = %d, n_u = %d\n", m->dae.n, m->dae.n_u);
    else
        printf("  mechanism, n_p = %d, n_v = %d, n_z = %d, n_g = %d, n_h = %d, n_u = %d; formalism: %s%s%s\n",
               m->mechanism.n_p, m->mechanism.n_v, m->mechanism.n_z, m->mechanism.n_g, m->mechanism.n_h,
               m->mechanism.n_u, bench_has_residual(&m->mechanism) ? "residual" : "",
               bench_has_residual(&m->mechanism) && bench_has_explicit(&m->mechanism) ? " and " : "",
               bench_has_explicit(&m->mechanism) ? "explicit" : "");
    printf("  t = %s .. %s s, rtol = %s, atol = %s\n", bench_shortest(m->t0), bench_shortest(m->t_end),
           bench_shortest(m->rtol), bench_shortest(m->atol));
    if (m->reference_source) printf("  reference: %s\n", m->reference_source);
    print_outputs(m);
    if (b->cls->n_parameters == 0) return;
    bench_table table;
    bench_table_init(&table, details, N_DETAILS);
    for (int k = 0; k < b->cls->n_parameters; k++) {
        const resida_parameter *p = &b->cls->parameters[k];
        bench_table_cells(&table, "%s\t%s\t%s\t%s\t%s\t%s", p->name, p->word ? p->word : bench_shortest(p->value),
                          p->word ? "" : bench_shortest(p->min), p->word ? "" : bench_shortest(p->max),
                          p->unit ? p->unit : "", p->text ? p->text : "");
    }
    bench_table_print(&table, 2, stdout);
}

/** One model by its name; the row of the overview, or its details. */
static int show(const char *word, const bench_settings *s, bench_table *rows)
{
    bench_model model;
    int code = bench_models_open(&model, 1, &word, s);
    if (code != 0) return code;
    if (s->format == BENCH_JSON)
        code = print_json(&model);
    else if (rows)
        add_overview(rows, &model);
    else
        print_details(&model);
    bench_models_close(&model, 1);
    return code;
}

int bench_cmd_models(const bench_settings *s)
{
    int code = 0;
    for (int i = 0; i < s->n_words && code == 0; i++) code = show(s->words[i], s, NULL);
    if (s->n_words > 0) return code;
    bench_table rows;
    bench_table_init(&rows, overview, N_OVERVIEW);
    for (int i = 0; bench_models[i] && code == 0; i++) code = show(bench_models[i]->name, s, &rows);
    if (code == 0 && s->format == BENCH_TEXT) bench_table_print(&rows, 0, stdout);
    bench_table_free(&rows);
    return code;
}
