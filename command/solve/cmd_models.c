/* cmd_models.c - lists built-in models with their default sizes; for models given by name also their parameters. */
#include "command/cli/commands.h"

#include "program/base/complain.h"
#include "command/cli/formalism.h"
#include "program/output/json_line.h"
#include "program/cli/model_arg.h"
#include "program/builtin/models.h"
#include "program/base/number.h"
#include "program/output/text_table.h"

#include <math.h>

static json_t *parameter_json(const resida_model_class *cls, int k)
{
    const resida_parameter *p = &cls->parameters[k];
    return CMD_OBJECT(
        {"name", cmd_json_text(p->name)}, {"default", p->word ? cmd_json_text(p->word) : cmd_json_real(p->value)},
        {"min", p->word ? json_null() : cmd_json_real(p->min)}, {"max", p->word ? json_null() : cmd_json_real(p->max)},
        {"whole", json_boolean(p->whole)}, {"unit", cmd_json_text(p->unit)}, {"text", cmd_json_text(p->text)},
        {"option", cmd_json_text(cls->options ? cls->options[k] : NULL)});
}

static json_t *formalisms_json(const resida_model *m)
{
    json_t *list = json_array();
    if (!m->is_dae && cmd_has_residual(&m->mechanism)) list = cmd_json_append(list, cmd_json_text("residual"));
    if (!m->is_dae && cmd_has_explicit(&m->mechanism)) list = cmd_json_append(list, cmd_json_text("explicit"));
    return list;
}

static json_t *outputs_json(const resida_model *m)
{
    json_t *list = json_array();
    for (int i = 0; i < m->n_outputs; i++)
        list = cmd_json_append(list, CMD_OBJECT({"name", cmd_json_text(m->output_names[i])},
                                                {"unit", cmd_json_text(m->output_units ? m->output_units[i] : NULL)}));
    return list;
}

/** Return a size; null for a general DAE, which has no such sizes. */
static json_t *size_json(const resida_model *m, int size)
{
    return m->is_dae ? json_null() : json_integer(size);
}

static int print_json(const cmd_model *b)
{
    const resida_model *m = &b->model;
    const resida_mechanism *k = &m->mechanism;
    json_t *parameters = json_array();
    for (int i = 0; i < b->cls->n_parameters; i++) parameters = cmd_json_append(parameters, parameter_json(b->cls, i));
    json_t *o = CMD_OBJECT({"name", cmd_json_text(b->cls->name)}, {"text", cmd_json_text(b->cls->text)},
                           {"kind", cmd_json_text(m->is_dae ? "dae" : "mechanism")},
                           {"n", m->is_dae ? json_integer(m->dae.n) : json_null()}, {"n_p", size_json(m, k->n_p)},
                           {"n_v", size_json(m, k->n_v)}, {"n_z", size_json(m, k->n_z)}, {"n_g", size_json(m, k->n_g)},
                           {"n_h", size_json(m, k->n_h)}, {"n_u", json_integer(m->is_dae ? m->dae.n_u : k->n_u)},
                           {"formalisms", formalisms_json(m)}, {"t0", cmd_json_real(m->t0)},
                           {"t_end", cmd_json_real(m->t_end)}, {"rtol", cmd_json_real(m->rtol)},
                           {"atol", cmd_json_real(m->atol)}, {"reference", cmd_json_text(m->reference_source)},
                           {"parameters", parameters}, {"outputs", outputs_json(m)});
    return cmd_json_line(o, stdout);
}

static const char *size_text(const resida_model *m, int size)
{
    return m->is_dae ? "-" : cmd_number("%d", size);
}

static void add_overview(cmd_table *table, const cmd_model *b)
{
    const resida_model *m = &b->model;
    cmd_table_cells(table, "%s\t%d\t%s\t%s\t%d\t%s..%s\t%s", b->cls->name, m->is_dae ? m->dae.n : m->mechanism.n_p,
                    size_text(m, m->mechanism.n_v), size_text(m, m->mechanism.n_g + m->mechanism.n_h),
                    m->is_dae ? m->dae.n_u : m->mechanism.n_u, cmd_format_shortest(m->t0),
                    cmd_format_shortest(m->t_end), b->cls->text);
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

static void print_details(const cmd_model *b)
{
    const resida_model *m = &b->model;
    printf("%s: %s\n", b->cls->name, b->cls->text);
    if (m->is_dae)
        printf("  general DAE, n = %d, n_u = %d\n", m->dae.n, m->dae.n_u);
    else
        printf("  mechanism, n_p = %d, n_v = %d, n_z = %d, n_g = %d, n_h = %d, n_u = %d; formalism: %s%s%s\n",
               m->mechanism.n_p, m->mechanism.n_v, m->mechanism.n_z, m->mechanism.n_g, m->mechanism.n_h,
               m->mechanism.n_u, cmd_has_residual(&m->mechanism) ? "residual" : "",
               cmd_has_residual(&m->mechanism) && cmd_has_explicit(&m->mechanism) ? " and " : "",
               cmd_has_explicit(&m->mechanism) ? "explicit" : "");
    printf("  t = %s .. %s s, rtol = %s, atol = %s\n", cmd_format_shortest(m->t0), cmd_format_shortest(m->t_end),
           cmd_format_shortest(m->rtol), cmd_format_shortest(m->atol));
    if (m->reference_source) printf("  reference: %s\n", m->reference_source);
    print_outputs(m);
    if (b->cls->n_parameters == 0) return;
    cmd_table table;
    cmd_table_begin(&table, "<parameter\tdefault\tmin\tmax\t<unit\t<text");
    for (int k = 0; k < b->cls->n_parameters; k++) {
        const resida_parameter *p = &b->cls->parameters[k];
        const char *option = b->cls->options ? b->cls->options[k] : NULL;
        cmd_table_cells(&table, "%s\t%s\t%s\t%s\t%s\t%s%s%s%s", p->name,
                        p->word ? p->word : cmd_format_shortest(p->value), p->word ? "" : cmd_format_shortest(p->min),
                        p->word ? "" : cmd_format_shortest(p->max), p->unit ? p->unit : "", option ? "--" : "",
                        option ? option : "", option ? ": " : "", p->text ? p->text : "");
    }
    cmd_table_print(&table, 2, stdout);
}

/** Show one model by its name: as a row of the overview if `rows` is given, else in detail. */
static int show(const char *word, const cmd_settings *s, cmd_table *rows)
{
    cmd_model model;
    int code = cmd_models_open(&model, 1, &word, s);
    if (code != 0) return code;
    if (s->format == CMD_JSON)
        code = print_json(&model);
    else if (rows)
        add_overview(rows, &model);
    else
        print_details(&model);
    cmd_models_close(&model, 1);
    return code;
}

int cmd_cmd_models(const cmd_settings *s)
{
    int code = 0;
    for (int i = 0; i < s->n_words && code == 0; i++) code = show(s->words[i], s, NULL);
    if (s->n_words > 0) return code;
    cmd_table rows;
    cmd_table_begin(&rows, "<name\tn_p\tn_v\tn_g\tn_u\tt\t<text");
    for (int i = 0; bench_models[i] && code == 0; i++) code = show(bench_models[i]->name, s, &rows);
    if (code == 0 && s->format == CMD_TEXT) cmd_table_print(&rows, 0, stdout);
    cmd_table_free(&rows);
    return code;
}
