/* derivatives.c - see derivatives.h. */
#include "derivatives.h"

#include "program/output/json_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_values(const cmd_derivatives *d)
{
    return d->n_p + 2 * d->n_v + d->n_lam + d->n_out;
}

int cmd_derivatives_allocate(cmd_derivatives *d, const resida_model *m, const char *list)
{
    int n = 1;
    for (const char *c = list; *c; c++) n += *c == ',';
    *d = (cmd_derivatives){.is_dae = m->is_dae};
    d->n_p = m->is_dae ? m->dae.n : m->mechanism.n_p;
    d->n_v = m->is_dae ? 0 : m->mechanism.n_v;
    d->n_lam = m->is_dae ? 0 : m->mechanism.n_g + m->mechanism.n_h;
    d->n_out = m->n_outputs, d->out_names = m->output_names;
    const size_t count = (size_t)n * (size_t)count_values(d);
    d->names = calloc((size_t)n, sizeof *d->names);
    d->values = calloc(count + 1, sizeof *d->values);
    if (!d->names || !d->values) return -1;
    for (size_t i = 0; i < count; i++) d->values[i] = NAN;
    for (; d->n < n; d->n++) {
        const size_t length = strcspn(list, ",");
        if (!(d->names[d->n] = strndup(list, length))) return -1;
        list += length + 1;
    }
    return 0;
}

void cmd_derivatives_free(cmd_derivatives *d)
{
    for (int i = 0; d->names && i < d->n; i++) free(d->names[i]);
    free(d->names);
    free(d->values);
    *d = (cmd_derivatives){0};
}

static double *copy_part(double *to, const double *from, int n)
{
    if (from && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
    return to + n;
}

void cmd_derivatives_store(cmd_derivatives *d, const resida_solver *solver)
{
    resida_state s;
    if (!d) return;
    d->counts = (resida_sensitivity_counts){.size = sizeof d->counts};
    (void)resida_solver_sensitivity_counts(solver, &d->counts);
    for (int i = 0; i < d->n; i++) {
        if (resida_solver_sensitivity(solver, i, &s) < 0) return;
        double *to = copy_part(d->values + (size_t)i * (size_t)count_values(d), d->is_dae ? s.y : s.p, d->n_p);
        copy_part(copy_part(copy_part(to, s.v, d->n_v), s.a, d->n_v), s.lam, d->n_lam);
    }
}

double *cmd_derivatives_outputs(cmd_derivatives *d, int by)
{
    return d->values + ((size_t)by + 1) * (size_t)count_values(d) - d->n_out;
}

int cmd_derivatives_get_index(const cmd_derivatives *d, int by, int part, int i)
{
    const int first[] = {0, d->n_p, d->n_p + d->n_v, d->n_p + 2 * d->n_v, 0, -1, count_values(d) - d->n_out};
    if (part < 0 || part >= (int)(sizeof first / sizeof *first) || first[part] < 0) return -1;
    return by * count_values(d) + first[part] + i;
}

static json_t *outputs_json(const cmd_derivatives *d, const double *out)
{
    json_t *object = json_object();
    for (int i = 0; i < d->n_out; i++) object = cmd_json_put(object, d->out_names[i], cmd_json_real(out[i]));
    return object;
}

static json_t *parameter_json(const cmd_derivatives *d, int i)
{
    const double *p = d->values + (size_t)i * (size_t)count_values(d), *v = p + d->n_p, *lam = v + 2 * d->n_v;
    json_t *object = CMD_OBJECT({d->is_dae ? "y" : "p", cmd_json_reals(p, d->n_p, 1)});
    if (!d->is_dae)
        object = CMD_EXTENDED(object, {"v", cmd_json_reals(v, d->n_v, 1)}, {"lam", cmd_json_reals(lam, d->n_lam, 1)});
    return d->n_out > 0 ? cmd_json_put(object, "outputs", outputs_json(d, lam + d->n_lam)) : object;
}

json_t *cmd_derivatives_json(const cmd_derivatives *d)
{
    if (!d || d->n == 0) return json_null();
    json_t *object = json_object();
    for (int i = 0; i < d->n; i++) object = cmd_json_put(object, d->names[i], parameter_json(d, i));
    return object;
}

json_t *cmd_derivatives_counts(const cmd_derivatives *d)
{
    if (!d || d->n == 0) return json_null();
    const resida_sensitivity_counts *c = &d->counts;
    return CMD_OBJECT({"residual_calls", json_integer(c->residual_calls)}, {"iterations", json_integer(c->iterations)},
                      {"setups", json_integer(c->setups)}, {"in_doubt", json_integer(c->in_doubt)},
                      {"error", cmd_json_real(c->error)});
}

void cmd_derivatives_text(const cmd_derivatives *d, FILE *stream)
{
    if (!d || d->n == 0) return;
    const resida_sensitivity_counts *c = &d->counts;
    fprintf(
        stream,
        "  sensitivity  %ld residual calls, %ld iterations, %ld setups of J; error of a step up to %.2g tolerances\n",
        c->residual_calls, c->iterations, c->setups, c->error);
}
