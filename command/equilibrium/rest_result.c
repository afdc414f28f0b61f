/* rest_result.c - writes an equilibrium as text and as JSON. */
#include "rest.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/run/quantity.h"

#include <math.h>
#include <string.h>

enum { NAME = 96 };

static const char *const stabilities[] = {"unknown", "decaying", "neutral", "growing"};

/* A list of named numbers. */
typedef struct named {
    const char *title, *key;
    const double *x;
    int n, first; /* index of the first in y; -1 for constraints */
    cmd_quantity quantity;
} named;

static void format_name(const cmd_equilibrium *r, const named *list, int i, char name[NAME])
{
    const resida_mechanism *m = &r->model->model.mechanism;
    name[0] = 0;
    if (list->first >= 0)
        (void)resida_problem_component_name(r->problem, list->first + i, name, NAME);
    else if (m->g_names)
        snprintf(name, NAME, "%s", m->g_names[i]);
    else
        snprintf(name, NAME, i < m->n_g ? "g[%d]" : "gh[%d]", i < m->n_g ? i : i - m->n_g);
}

enum { N_LISTS = 3 };

/* Set the lists: positions (or y), velocities, multipliers. */
static void make_lists(const cmd_equilibrium *r, named lists[N_LISTS])
{
    const resida_layout *l = &r->l;
    const int dae = r->model->model.is_dae;
    lists[0] =
        dae ? (named){"y", "y", r->p, l->n, 0, CMD_OF_Y} : (named){"positions", "p", r->p, l->n_p, l->p, CMD_OF_P};
    lists[1] = (named){"velocities and states", "v", r->v, dae ? 0 : l->n_v, l->v, CMD_OF_V};
    lists[2] = (named){"reactions lam", "lam", r->lam, dae ? 0 : l->n_g + l->n_h, -1, CMD_OF_LAM};
}

static int is_shown(const named *list)
{
    if (strcmp(list->key, "v") != 0) return list->n > 0;
    for (int i = 0; i < list->n; i++)
        if (list->x[i] < 0 || list->x[i] > 0) return 1;
    return 0;
}

static void write_list(const cmd_equilibrium *r, const named *list, FILE *f)
{
    char name[NAME], unit[CMD_UNIT_SIZE];
    if (!is_shown(list)) return;
    fprintf(f, "  %s:\n", list->title);
    for (int i = 0; i < list->n; i++) {
        format_name(r, list, i, name);
        fprintf(f, "    %-20s %s", name, cmd_format_shortest(list->x[i]));
        if (cmd_unit_is_written(cmd_unit_of(&r->model->model, list->quantity, i, unit))) fprintf(f, " %s", unit);
        fputc('\n', f);
    }
}

static const char *get_plural_suffix(long n)
{
    return n == 1 ? "" : "s";
}

int cmd_equilibrium_text(const cmd_equilibrium *r, FILE *f)
{
    named lists[N_LISTS];
    const resida_equilibrium_report *q = &r->report;
    fprintf(f, "%s, t = %s: in equilibrium%s\n", r->model->cls->name, cmd_format_shortest(r->t),
            r->o.steady ? " or steady motion" : "");
    fprintf(
        f, "  %d iteration%s, %ld residual call%s, %d load step%s; residual %.2g of its weight, last correction %.2g\n",
        q->iterations, get_plural_suffix(q->iterations), q->residual_calls, get_plural_suffix(q->residual_calls),
        q->load_steps, get_plural_suffix(q->load_steps), q->residual, q->correction);
    if (q->judged.text[0]) fprintf(f, "  %s\n", q->judged.text);
    if (q->free.text[0]) fprintf(f, "  not determined (the values are near the start): %s\n", q->free.text);
    if (q->redundant.text[0]) fprintf(f, "  dropped: %s\n", q->redundant.text);
    make_lists(r, lists);
    for (int k = 0; k < N_LISTS; k++) write_list(r, &lists[k], f);
    return ferror(f) ? cmd_complain_unwritten(f, "standard output") : 0;
}

static json_t *list_json(const cmd_equilibrium *r, const named *list)
{
    char name[NAME];
    if (r->status != RESIDA_OK || !list->x) return json_null();
    json_t *o = json_object();
    for (int i = 0; i < list->n; i++) {
        format_name(r, list, i, name);
        o = cmd_json_put(o, name, cmd_json_real(list->x[i]));
    }
    return o;
}

static json_t *stability_json(const resida_equilibrium_report *q)
{
    return CMD_OBJECT({"verdict", cmd_json_text(stabilities[q->stability])}, {"text", cmd_json_text(q->judged.text)},
                      {"modes", json_integer(q->n_modes)}, {"growing", json_integer(q->n_growing)},
                      {"lasting", json_integer(q->n_lasting)}, {"growth", cmd_json_real(q->growth)},
                      {"frequency", cmd_json_real(q->frequency)});
}

int cmd_equilibrium_json(const cmd_equilibrium *r, FILE *f)
{
    const resida_equilibrium_report *q = &r->report;
    const char *status = r->status == RESIDA_OK ? "ok" : r->status == RESIDA_INTERRUPTED ? "interrupted" : "failed";
    named lists[N_LISTS];
    json_t *o =
        CMD_OBJECT({"problem", cmd_json_text(r->model->cls->name)}, {"params", cmd_parameters_json(r->model)},
                   {"t", cmd_json_real(r->t)}, {"steady", json_boolean(r->o.steady)}, {"status", cmd_json_text(status)},
                   {"message", cmd_json_text(r->why.text)}, {"iterations", json_integer(q->iterations)},
                   {"load_steps", json_integer(q->load_steps)}, {"residual_calls", json_integer(q->residual_calls)},
                   {"residual", cmd_json_real(q->residual)}, {"correction", cmd_json_real(q->correction)},
                   {"worst", cmd_json_text(q->worst.text)}, {"n_free", json_integer(q->n_free)},
                   {"free", cmd_json_text(q->free.text)}, {"redundant", cmd_json_text(q->redundant.text)},
                   {"stability", stability_json(q)});
    make_lists(r, lists);
    for (int k = 0; k < N_LISTS; k++) o = cmd_json_put(o, lists[k].key, list_json(r, &lists[k]));
    return cmd_json_line(o, f);
}
