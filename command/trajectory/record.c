/* record.c - stores rows consecutively in a block whose size doubles. */
#include "record.h"

#include "program/base/complain.h"
#include "program/base/grow.h"

#include <math.h>
#include <stdlib.h>

int cmd_record_width(const cmd_record *record)
{
    return 1 + record->columns->n;
}

double cmd_record_at(const cmd_record *record, long row, int k)
{
    return record->x[row * cmd_record_width(record) + k];
}

static int begin(void *self, const resida_problem *problem)
{
    (void)problem;
    cmd_record *r = self;
    r->rows = 0;
    return 0;
}

static int add_row(cmd_record *r, const resida_state *state, const double *outputs)
{
    double *all = cmd_grow_array(r->x, r->rows, (size_t)cmd_record_width(r) * sizeof *all);
    if (!all) return cmd_complain(CMD_EXIT_FAILED, "no memory for %ld rows", r->rows + 1);
    r->x = all;
    double *x = all + r->rows * cmd_record_width(r);
    x[0] = state->t;
    cmd_columns_values(r->columns, state, outputs, x + 1);
    r->rows++;
    return 0;
}

static int add_output(void *self, const resida_state *state, const double *outputs)
{
    return add_row(self, state, outputs);
}

/** Add a state at an event. Its derivatives are unknown, and its outputs too if outputs is NULL. */
static int add_event_state(cmd_record *r, const resida_state *state, const double *outputs)
{
    const int code = add_row(r, state, outputs);
    for (int i = 0; i < r->columns->n && code == 0; i++)
        if (r->columns->of[i].quantity == CMD_OF_DERIVATIVE)
            r->x[r->rows * cmd_record_width(r) - r->columns->n + i] = NAN;
    return code;
}

/** Add the states before and after an event that changes the state. */
static int add_event(void *self, const resida_happening *what, const resida_state *after)
{
    const resida_state before = {.t = what->t, .y = what->y, .yp = what->yp, .p = what->y, .v = what->yp};
    if (!what->restarted) return 0;
    const int code = add_event_state(self, &before, what->outputs);
    return code == 0 ? add_event_state(self, after, NULL) : code;
}

void cmd_record_sink(cmd_record *record, const cmd_columns *columns, cmd_sink *sink)
{
    *record = (cmd_record){.columns = columns};
    *sink = (cmd_sink){.begin = begin, .output = add_output, .self = record};
}

void cmd_record_curves(cmd_record *record, const cmd_columns *columns, cmd_sink *sink)
{
    cmd_record_sink(record, columns, sink);
    sink->happened = add_event, sink->is_curve = 1;
}

void cmd_record_free(cmd_record *record)
{
    free(record->x);
    *record = (cmd_record){.rows = 0};
}
