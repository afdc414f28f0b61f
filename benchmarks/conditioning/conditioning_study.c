/* conditioning_study.c - measures condition numbers and last Newton corrections of a model over h, and writes them as
 * text or JSON. */
#include "conditioning_study.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/text_table.h"

#include <math.h>

enum { STEPS = 100, FITTED = 3 };

const char *const cmd_run_scalings[CMD_N_RUNS] = {"none",      "left",           "lam",          "lam+v",
                                                  "two-field", "two-field-left", "two-field-lam"};
const char *const cmd_run_methods[CMD_N_RUN_METHODS] = {"bdf2", "newmark"};

void cmd_conditioning_init(cmd_conditioning_work *c, const cmd_job *job)
{
    *c = (cmd_conditioning_work){.job = job, .n_h = CMD_H_MAX, .first_fitted = CMD_H_MAX - FITTED};
    for (int i = 0; i < c->n_h; i++) c->h[i] = pow(10, -1 - i);
}

int cmd_conditioning_matrices(cmd_conditioning_work *c)
{
    cmd_blocks b;
    int code = cmd_blocks_make(&b, c->job);
    for (int s = 0; s < CMD_N_SYSTEMS && code == 0; s++)
        for (int k = 0; k < CMD_N_SCALINGS; k++) {
            double *condition = c->condition[s][k];
            for (int i = 0; i < c->n_h; i++) condition[i] = cmd_condition(&b, s, k, c->h[i]);
            c->exponent[s][k] = cmd_slope(c->h, condition, c->first_fitted, c->n_h);
        }
    cmd_blocks_free(&b);
    return code;
}

int cmd_conditioning_runs(cmd_conditioning_work *c)
{
    resida_message first = {""};
    int n_failed = 0;
    for (int m = 0; m < CMD_N_RUN_METHODS; m++)
        for (int k = 0; k < CMD_N_RUNS; k++)
            for (int i = 0; i < c->n_h; i++) {
                const cmd_rounding_run run = {cmd_run_methods[m], cmd_run_scalings[k], c->h[i], STEPS, 1};
                cmd_corrections *out = &c->corrections[m][k][i];
                resida_message why;
                int code = cmd_corrections_run(out, c->job, &run, &why);
                if (code > 128) return code;
                if (code == 0) continue;
                out->steps = 0; /* a failed run is a result */
                if (n_failed++ == 0) first = why;
            }
    if (n_failed > 0 && !c->job->settings->quiet)
        cmd_complain(0, "%d of %d runs failed (shown as -). First failure: %s", n_failed,
                     CMD_N_RUN_METHODS * CMD_N_RUNS * c->n_h, first.text);
    return 0;
}

static void print_conditions(const cmd_conditioning_work *c, FILE *stream)
{
    cmd_table table;
    cmd_table_begin(&table, "<method\t<unknowns\t<scaling\t1e-1@h\t1e-2@h\t1e-3@h\t1e-4@h\t1e-5@h\t1e-6@h\t1e-7@h\t"
                            "1e-8@h\texponent");
    for (int s = 0; s < CMD_N_SYSTEMS; s++)
        for (int k = 0; k < CMD_N_SCALINGS; k++) {
            if (!cmd_system_has(s, k)) continue;
            cmd_table_cells(&table, "%s\t%s\t%s", cmd_system_method(s), cmd_system_fields(s), cmd_scaling_names[k]);
            for (int i = 0; i < c->n_h; i++) cmd_table_cell(&table, "%.1e", c->condition[s][k][i]);
            cmd_table_cell(&table, "%.2f", c->exponent[s][k]);
        }
    cmd_table_print(&table, 2, stream);
}

static void print_corrections(const cmd_conditioning_work *c, FILE *stream)
{
    cmd_table table;
    cmd_table_begin(&table, "<method\t<scaling\th\tp\tv\tlam\th v\th^2 lam\t|z|");
    for (int m = 0; m < CMD_N_RUN_METHODS; m++)
        for (int k = 0; k < CMD_N_RUNS; k++)
            for (int i = 0; i < c->n_h; i++) {
                const cmd_corrections *z = &c->corrections[m][k][i];
                const double values[] = {z->p, z->v, z->lam, z->scaled_v, z->scaled_lam, z->norm};
                cmd_table_cells(&table, "%s\t%s\t%.0e", cmd_run_methods[m], cmd_run_scalings[k], c->h[i]);
                for (int j = 0; j < 6; j++) cmd_table_cell(&table, z->steps > 0 ? "%.1e" : "-", values[j]);
            }
    cmd_table_print(&table, 2, stream);
}

void cmd_conditioning_text(const cmd_conditioning_work *c, FILE *stream)
{
    fprintf(stream,
            "%s: condition numbers of the iteration matrix at the start, in the 2-norm, over the step size h. The "
            "column\nexponent is fitted from h = %g to %g.\n\n",
            c->job->model->cls->name, c->h[c->first_fitted], c->h[c->n_h - 1]);
    print_conditions(c, stream);
    fprintf(stream,
            "\nLast decreasing corrections when Newton's method iterates to rounding, maximum of %d steps. |z|: 2-norm "
            "in the\nunknowns of the scaled system. -: Newton's method failed in a step. A model at rest does not move "
            "in the smallest\nsteps; use --t-end to measure while the model moves.\n\n",
            STEPS);
    print_corrections(c, stream);
}

/* Create the members that all JSON objects have. */
static json_t *head(const cmd_conditioning_work *c, const char *kind, const char *method, const char *fields,
                    const char *scaling)
{
    return CMD_OBJECT({"kind", cmd_json_text(kind)}, {"problem", cmd_json_text(c->job->model->cls->name)},
                      {"method", cmd_json_text(method)}, {"unknowns", cmd_json_text(fields)},
                      {"scaling", cmd_json_text(scaling)}, {"h", cmd_json_reals(c->h, c->n_h, 1)});
}

static json_t *conditions_json(const cmd_conditioning_work *c, int s, int k)
{
    json_t *o = head(c, "condition", cmd_system_method(s), cmd_system_fields(s), cmd_scaling_names[k]);
    return CMD_EXTENDED(
        o, {"condition", cmd_json_reals(c->condition[s][k], c->n_h, 1)}, {"exponent", cmd_json_real(c->exponent[s][k])},
        {"fitted_from", cmd_json_real(c->h[c->first_fitted])}, {"fitted_to", cmd_json_real(c->h[c->n_h - 1])});
}

static json_t *corrections_json(const cmd_conditioning_work *c, int m, int k)
{
    const cmd_corrections *z = c->corrections[m][k];
    const int each = (int)(sizeof *z / sizeof(double)); /* stride between step sizes, in doubles */
    const char *fields = k < 4 ? "(u,v,lam)" : "(u,lam)";
    json_t *o = head(c, "corrections", cmd_run_methods[m], fields, cmd_run_scalings[k]), *steps = json_array();
    for (int i = 0; i < c->n_h; i++) steps = cmd_json_append(steps, json_integer(z[i].steps));
    return CMD_EXTENDED(o, {"p", cmd_json_reals(&z->p, c->n_h, each)}, {"v", cmd_json_reals(&z->v, c->n_h, each)},
                        {"lam", cmd_json_reals(&z->lam, c->n_h, each)},
                        {"scaled_p", cmd_json_reals(&z->scaled_p, c->n_h, each)},
                        {"scaled_v", cmd_json_reals(&z->scaled_v, c->n_h, each)},
                        {"scaled_lam", cmd_json_reals(&z->scaled_lam, c->n_h, each)},
                        {"norm", cmd_json_reals(&z->norm, c->n_h, each)}, {"steps", steps});
}

int cmd_conditioning_json(const cmd_conditioning_work *c, FILE *stream)
{
    int code = 0;
    for (int s = 0; s < CMD_N_SYSTEMS; s++)
        for (int k = 0; k < CMD_N_SCALINGS && code == 0; k++)
            if (cmd_system_has(s, k)) code = cmd_json_line(conditions_json(c, s, k), stream);
    for (int m = 0; m < CMD_N_RUN_METHODS; m++)
        for (int k = 0; k < CMD_N_RUNS && code == 0; k++) code = cmd_json_line(corrections_json(c, m, k), stream);
    return code;
}
