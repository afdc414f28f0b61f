/* result.c - the result of a case, and the names of its columns. */
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const statuses[CMD_CASE_STATUSES] = {"ok", "failed", "time limit", "crashed", "refused"};
static const char *const counters[CMD_CASE_COUNTERS] = {
    "steps",          "step_attempts",        "error_test_fails", "newton_iterations", "newton_fails",
    "residual_calls", "jacobian_evaluations", "factorisations",   "restarts",          "events",
    "warnings"};

const char *cmd_case_status_name(int status)
{
    return status >= 0 && status < CMD_CASE_STATUSES ? statuses[status] : "unknown";
}

const char *cmd_case_counter_name(int i)
{
    return i >= 0 && i < CMD_CASE_COUNTERS ? counters[i] : NULL;
}

void cmd_case_clear(cmd_sweep_case *c, long number)
{
    memset(&c->head, 0, sizeof c->head); /* including padding, because the bytes are sent */
    c->head.number = number;
    c->head.t = NAN;
    for (int i = 0; i < CMD_CASE_COUNTERS; i++) c->head.counters[i] = -1;
}

int cmd_case_reserve(cmd_sweep_case *c, int n_outputs, int n_state)
{
    const size_t n = (size_t)n_outputs + (size_t)n_state;
    if (n > c->room) {
        double *more = realloc(c->values, n * sizeof *more);
        if (!more) return -1;
        c->values = more;
        c->room = n;
    }
    c->head.n_outputs = n_outputs;
    c->head.n_state = n_state;
    return 0;
}

void cmd_case_free(cmd_sweep_case *c)
{
    free(c->values);
    *c = (cmd_sweep_case){0};
}

static const char *const kinds[] = {"end.", "min.", "max."}; /* order of cmd_kept */
enum { N_KINDS = sizeof kinds / sizeof *kinds };

const char *cmd_output_name(const cmd_output *o, char *text, size_t size)
{
    snprintf(text, size, "%s%s", kinds[o->kept], o->component);
    return text;
}

cmd_output cmd_output_at_end(const char *component)
{
    cmd_output o = {.kept = CMD_END};
    snprintf(o.component, sizeof o.component, "%s", component);
    return o;
}

cmd_output cmd_output_parse(const char *word)
{
    cmd_kept kept = CMD_END;
    for (int i = 0; i < N_KINDS; i++)
        if (strncmp(word, kinds[i], strlen(kinds[i])) == 0) {
            kept = (cmd_kept)i;
            word += strlen(kinds[i]);
            break;
        }
    cmd_output o = cmd_output_at_end(word);
    o.kept = kept;
    return o;
}
