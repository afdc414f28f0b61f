/* conditioning_study.c - condition numbers and last Newton corrections of a model over h, measured and shown as text or
 * JSON. */
#include "conditioning_study.h"

#include "command/base/complain.h"
#include "command/output/json_line.h"
#include "command/output/text_table.h"

#include <math.h>

enum { STEPS = 100, FITTED = 3 };

const char *const bench_run_scalings[BENCH_N_RUNS] = {"none",      "left",           "lam",          "lam+v",
                                                      "two-field", "two-field-left", "two-field-lam"};
const char *const bench_run_methods[BENCH_N_RUN_METHODS] = {"bdf2", "newmark"};

void bench_conditioning_init(bench_conditioning *c, const bench_job *job)
{
    *c = (bench_conditioning){.job = job, .n_h = BENCH_H_MOST, .first_fitted = BENCH_H_MOST - FITTED};
    for (int i = 0; i < c->n_h; i++) c->h[i] = pow(10, -1 - i);
}

int bench_conditioning_matrices(bench_conditioning *c)
{
    bench_blocks b;
    int code = bench_blocks_make(&b, c->job);
    for (int s = 0; s < BENCH_N_SYSTEMS && code == 0; s++)
        for (int k = 0; k < BENCH_N_SCALINGS; k++) {
            double *condition = c->condition[s][k];
            for (int i = 0; i < c->n_h; i++) condition[i] = bench_condition(&b, s, k, c->h[i]);
            c->exponent[s][k] = bench_slope(c->h, condition, c->first_fitted, c->n_h);
        }
    bench_blocks_free(&b);
    return code;
}

int bench_conditioning_runs(bench_conditioning *c)
{
    for (int m = 0; m < BENCH_N_RUN_METHODS; m++)
        for (int k = 0; k < BENCH_N_RUNS; k++)
            for (int i = 0; i < c->n_h; i++) {
                const bench_rounding_run run = {bench_run_methods[m], bench_run_scalings[k], c->h[i], STEPS, 1};
                bench_corrections *out = &c->corrections[m][k][i];
                resida_message why;
                int code = bench_corrections_run(out, c->job, &run, &why);
                if (code > 128) return code;
                if (code != 0) out->steps = 0; /* a result, too */
                if (code != 0 && !c->job->settings->quiet) bench_complain(code, "%s", why.text);
            }
    return 0;
}

static void print_conditions(const bench_conditioning *c, FILE *stream)
{
    static const bench_column columns[] = {
        {"method", 1, NULL, NULL}, {"unknowns", 1, NULL, NULL}, {"scaling", 1, NULL, NULL}, {"1e-1", 0, NULL, "h"},
        {"1e-2", 0, NULL, "h"},    {"1e-3", 0, NULL, "h"},      {"1e-4", 0, NULL, "h"},     {"1e-5", 0, NULL, "h"},
        {"1e-6", 0, NULL, "h"},    {"1e-7", 0, NULL, "h"},      {"1e-8", 0, NULL, "h"},     {"exponent", 0, NULL, NULL},
    };
    bench_table table;
    bench_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int s = 0; s < BENCH_N_SYSTEMS; s++)
        for (int k = 0; k < BENCH_N_SCALINGS; k++) {
            if (!bench_system_has(s, k)) continue;
            bench_table_cells(&table, "%s\t%s\t%s", bench_system_method(s), bench_system_fields(s),
                              bench_scaling_names[k]);
            for (int i = 0; i < c->n_h; i++) bench_table_cell(&table, "%.1e", c->condition[s][k][i]);
            bench_table_cell(&table, "%.2f", c->exponent[s][k]);
        }
    bench_table_print(&table, 2, stream);
}

static void print_corrections(const bench_conditioning *c, FILE *stream)
{
    static const bench_column columns[] = {
        {"method", 1, NULL, NULL}, {"scaling", 1, NULL, NULL}, {"h", 0, NULL, NULL},
        {"p", 0, NULL, NULL},      {"v", 0, NULL, NULL},       {"lam", 0, NULL, NULL},
        {"h v", 0, NULL, NULL},    {"h^2 lam", 0, NULL, NULL}, {"|z|", 0, NULL, NULL},
    };
    bench_table table;
    bench_table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int m = 0; m < BENCH_N_RUN_METHODS; m++)
        for (int k = 0; k < BENCH_N_RUNS; k++)
            for (int i = 0; i < c->n_h; i++) {
                const bench_corrections *z = &c->corrections[m][k][i];
                const double values[] = {z->p, z->v, z->lam, z->scaled_v, z->scaled_lam, z->norm};
                bench_table_cells(&table, "%s\t%s\t%.0e", bench_run_methods[m], bench_run_scalings[k], c->h[i]);
                for (int j = 0; j < 6; j++) bench_table_cell(&table, z->steps > 0 ? "%.1e" : "-", values[j]);
            }
    bench_table_print(&table, 2, stream);
}

void bench_conditioning_text(const bench_conditioning *c, FILE *stream)
{
    fprintf(
        stream,
        "%s: condition numbers of the iteration matrix at the start, in the 2-norm, over the step size h. exponent: "
        "fitted from\nh = %g to %g.\n\n",
        c->job->model->cls->name, c->h[c->first_fitted], c->h[c->n_h - 1]);
    print_conditions(c, stream);
    fprintf(stream,
            "\nLast decreasing corrections of Newton's method to rounding, largest of %d steps; |z|: 2-norm in the "
            "unknowns\nof the scaled system. -: a step could not be solved. From rest nothing moves in the smallest "
            "steps: --t-end has\nit measured where the model moves.\n\n",
            STEPS);
    print_corrections(c, stream);
}

/* The beginning of all objects. */
static json_t *head(const bench_conditioning *c, const char *kind, const char *method, const char *fields,
                    const char *scaling)
{
    return BENCH_OBJECT({"kind", bench_json_text(kind)}, {"problem", bench_json_text(c->job->model->cls->name)},
                        {"method", bench_json_text(method)}, {"unknowns", bench_json_text(fields)},
                        {"scaling", bench_json_text(scaling)}, {"h", bench_json_reals(c->h, c->n_h, 1)});
}

static json_t *conditions_json(const bench_conditioning *c, int s, int k)
{
    json_t *o = head(c, "condition", bench_system_method(s), bench_system_fields(s), bench_scaling_names[k]);
    return BENCH_EXTENDED(o, {"condition", bench_json_reals(c->condition[s][k], c->n_h, 1)},
                          {"exponent", bench_json_real(c->exponent[s][k])},
                          {"fitted_from", bench_json_real(c->h[c->first_fitted])},
                          {"fitted_to", bench_json_real(c->h[c->n_h - 1])});
}

static json_t *corrections_json(const bench_conditioning *c, int m, int k)
{
    const bench_corrections *z = c->corrections[m][k];
    const int each = (int)(sizeof *z / sizeof(double)); /* from one step size to the next */
    const char *fields = k < 4 ? "(u,v,lam)" : "(u,lam)";
    json_t *o = head(c, "corrections", bench_run_methods[m], fields, bench_run_scalings[k]), *steps = json_array();
    for (int i = 0; i < c->n_h; i++) steps = bench_json_append(steps, json_integer(z[i].steps));
    return BENCH_EXTENDED(o, {"p", bench_json_reals(&z->p, c->n_h, each)}, {"v", bench_json_reals(&z->v, c->n_h, each)},
                          {"lam", bench_json_reals(&z->lam, c->n_h, each)},
                          {"scaled_p", bench_json_reals(&z->scaled_p, c->n_h, each)},
                          {"scaled_v", bench_json_reals(&z->scaled_v, c->n_h, each)},
                          {"scaled_lam", bench_json_reals(&z->scaled_lam, c->n_h, each)},
                          {"norm", bench_json_reals(&z->norm, c->n_h, each)}, {"steps", steps});
}

int bench_conditioning_json(const bench_conditioning *c, FILE *stream)
{
    int code = 0;
    for (int s = 0; s < BENCH_N_SYSTEMS; s++)
        for (int k = 0; k < BENCH_N_SCALINGS && code == 0; k++)
            if (bench_system_has(s, k)) code = bench_json_line(conditions_json(c, s, k), stream);
    for (int m = 0; m < BENCH_N_RUN_METHODS; m++)
        for (int k = 0; k < BENCH_N_RUNS && code == 0; k++) code = bench_json_line(corrections_json(c, m, k), stream);
    return code;
}
