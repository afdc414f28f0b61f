/* events_file.c - writes events. A root function is identified by its number from 0, and by its name if it has one. If
 * several functions cross zero simultaneously, each has a row. If the model has contacts, each row has the impulse of
 * its own contact. Outputs are those of the model before and after the event function is called. */
#define _POSIX_C_SOURCE 200809L /* open_memstream() */

#include "events_file.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/run/run.h"
#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IN_JSON = 1000 };

static const char *const kinds[] = {"start", "root", "time", "step"}; /* order of resida_event_kind */

static void put_names(const cmd_events *e, const char *when, FILE *f)
{
    char name[300];
    for (int i = 0; e->columns && i < e->columns->n; i++) {
        snprintf(name, sizeof name, "%s %s", when, e->columns->names[i]);
        cmd_csv_name(f, name);
    }
}

/** Return 0, or the exit code of a complaint about a failed write. */
static int check_stream(const cmd_events *e)
{
    return e->out->stream && ferror(e->out->stream) ? cmd_out_fail(e->out) : 0;
}

static int write_header(void *self, const resida_problem *problem)
{
    (void)problem;
    cmd_events *e = self;
    if (!e->out->stream) return 0;
    fputs("t,kind,root,direction,restarted,ended", e->out->stream);
    if (e->contacts) fputs(",push,energy_change", e->out->stream);
    if (e->hold) fputs(",contact", e->out->stream);
    if (e->names) fputs(",name", e->out->stream);
    put_names(e, "before", e->out->stream);
    put_names(e, "after", e->out->stream);
    fputc('\n', e->out->stream);
    return check_stream(e);
}

/** Return a state and its outputs as fields, to be freed; NULL without memory. */
static char *state_text(const cmd_events *e, const resida_state *state, const double *outputs)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    cmd_columns_values(e->columns, state, outputs, e->x);
    for (int i = 0; i < e->columns->n; i++) cmd_csv_value(f, e->columns, i, e->x[i]);
    return fclose(f) == 0 ? text : NULL;
}

/** Return the outputs at a state; NaN if unknown. */
static const double *evaluate_outputs(const cmd_events *e, const resida_state *state)
{
    const resida_model *m = e->columns->model;
    const resida_model_point at = cmd_model_point(m, state);
    if (m->n_outputs == 0) return NULL;
    const int verdict = resida_model_output(m, &at, e->outputs);
    for (int i = 0; i < m->n_outputs && verdict != 0; i++) e->outputs[i] = NAN;
    return e->outputs;
}

/** Write the impulse of the contact of the root and the energy change; empty fields without an impact. */
static void put_impact(const cmd_events *e, const resida_happening *h, int root, FILE *f)
{
    const resida_model_contacts *c = e->contacts;
    if (!c) return;
    const int i = root - c->first;
    if (h->push && root >= 0 && i >= 0 && i < c->n)
        cmd_csv_number(f, h->push[i]);
    else
        fputc(',', f);
    if (h->push)
        cmd_csv_number(f, h->energy_change);
    else
        fputc(',', f);
    if (e->hold) fprintf(f, ",%s", h->contacts && i >= 0 && i < c->n ? cmd_contact_words[h->contacts[i]] : "");
}

/** Return 1 if the root function crossed zero, or if its contact changed at another event. */
static int has_row(const cmd_events *e, const resida_happening *h, int root)
{
    const int i = e->contacts ? root - e->contacts->first : -1;
    return h->direction[root] != 0 || (h->contacts && i >= 0 && i < e->contacts->n && h->contacts[i] != 0);
}

/** Write one row. root < 0: no root. before, after: the states as fields */
static void put_row(const cmd_events *e, const resida_happening *h, int root, const char *before, const char *after)
{
    FILE *f = e->out->stream;
    fprintf(f, "%.17g,%s,", h->t, kinds[h->kind]);
    if (root >= 0)
        fprintf(f, "%d,%d", root, h->direction[root]);
    else
        fputc(',', f);
    fprintf(f, ",%d,%d", h->restarted, h->ended);
    put_impact(e, h, root, f);
    if (e->names) cmd_csv_name(f, root >= 0 ? e->names[root] : "");
    fputs(before, f);
    fputs(after, f);
    fputc('\n', f);
}

/** Write a row for each root, or one row without a root. Texts of outputs are written before the model is called
 *  again. */
static int put_rows(const cmd_events *e, const resida_happening *h, const resida_state *after)
{
    const resida_state at = {.t = h->t, .y = h->y, .yp = h->yp, .p = h->y, .v = h->yp};
    char *before = e->columns ? state_text(e, &at, h->outputs) : strdup("");
    char *behind = e->columns ? state_text(e, after, evaluate_outputs(e, after)) : strdup("");
    if (before && behind && !h->direction) put_row(e, h, -1, before, behind);
    for (int i = 0; before && behind && h->direction && i < e->n_root; i++)
        if (has_row(e, h, i)) put_row(e, h, i, before, behind);
    const int code = before && behind ? check_stream(e) : cmd_no_memory();
    free(before);
    free(behind);
    return code;
}

/** Return the roots with their directions; null for other events. */
static json_t *roots_json(const cmd_events *e, const resida_happening *h)
{
    if (!h->direction) return json_null();
    json_t *list = json_array();
    for (int i = 0; i < e->n_root; i++) {
        if (h->direction[i] == 0) continue;
        json_t *one = CMD_OBJECT({"root", json_integer(i)}, {"direction", json_integer(h->direction[i])},
                                 {"name", e->names ? cmd_json_text(e->names[i]) : json_null()});
        list = cmd_json_append(list, one);
    }
    return list;
}

/** Return the impulses of all contacts; null without an impact. */
static json_t *impulses_json(const cmd_events *e, const resida_happening *h)
{
    return h->push && e->contacts ? cmd_json_reals(h->push, e->contacts->n, 1) : json_null();
}

/** Return the changes of contacts that are constraints; null without a restart. */
static json_t *changes_json(const cmd_events *e, const resida_happening *h)
{
    if (!h->contacts) return json_null();
    json_t *list = json_array();
    for (int i = 0; i < e->contacts->n; i++)
        list = cmd_json_append(list, cmd_json_text(cmd_contact_words[h->contacts[i]]));
    return list;
}

static void store_event(const cmd_events *e, const resida_happening *h)
{
    json_t *one = CMD_OBJECT(
        {"t", cmd_json_real(h->t)}, {"kind", cmd_json_text(kinds[h->kind])}, {"roots", roots_json(e, h)},
        {"restarted", json_boolean(h->restarted)}, {"ended", json_boolean(h->ended)}, {"push", impulses_json(e, h)},
        {"energy_change", h->push ? cmd_json_real(h->energy_change) : json_null()}, {"contacts", changes_json(e, h)});
    json_array_append_new(e->list, one);
}

static int record_event(void *self, const resida_happening *h, const resida_state *after)
{
    cmd_events *e = self;
    if (e->rows++ < MAX_IN_JSON) store_event(e, h);
    return e->out->stream ? put_rows(e, h, after) : 0;
}

int cmd_events_make(cmd_events *events, cmd_out *out, const cmd_columns *columns, const resida_model *model)
{
    *events = (cmd_events){.out = out, .columns = columns};
    events->contacts = model->is_dae ? NULL : model->contacts;
    events->hold = events->contacts && events->contacts->size >= sizeof *events->contacts && events->contacts->holds;
    events->names = model->root_names;
    events->n_root = model->is_dae ? model->dae.n_root : model->mechanism.n_root;
    events->x = calloc((size_t)(columns ? columns->n : 0) + 1, sizeof *events->x);
    events->outputs = calloc((size_t)model->n_outputs + 1, sizeof *events->outputs);
    events->list = json_array();
    return events->x && events->outputs && events->list ? 0 : cmd_no_memory();
}

void cmd_events_free(cmd_events *events)
{
    free(events->x);
    free(events->outputs);
    json_decref(events->list);
    *events = (cmd_events){.n_root = 0};
}

void cmd_events_sink(cmd_events *events, cmd_sink *sink)
{
    *sink = (cmd_sink){.begin = write_header, .happened = record_event, .self = events};
}
