/* timeline.c - integrates in single steps and reads the counters after each step. The cost of a failed attempt counts
 * for the step that follows from it. */
#include "timeline.h"

#include "program/base/complain.h"
#include "program/base/grow.h"
#include "program/process/signals.h"

#include <stdlib.h>
#include <string.h>

void cmd_timeline_free(cmd_timeline *line)
{
    free(line->evaluations.t);
    free(line->updates.t);
    line->evaluations = line->updates = (cmd_times){0};
}

/** Append the time t until there are n times. @return 0, or -1 if memory is exhausted */
static int fill_up(cmd_times *times, long n, double t)
{
    while (times->n < n) {
        double *more = cmd_grow_array(times->t, times->n, sizeof *more);
        if (!more) return -1;
        times->t = more;
        more[times->n++] = t;
    }
    return 0;
}

static resida_status look(cmd_timeline *line, const resida_solver *solver)
{
    resida_state state;
    resida_status status = resida_solver_stats(solver, &line->stats);
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status < 0) return status;
    const resida_stats *s = &line->stats;
    line->t_reached = state.t;
    if (fill_up(&line->evaluations, s->jacobian_evaluations.dense + s->jacobian_evaluations.coloured, state.t) != 0 ||
        fill_up(&line->updates, s->jacobian_updates.alpha, state.t) != 0)
        return RESIDA_ERR_MEMORY;
    return RESIDA_OK;
}

static resida_status run(cmd_timeline *line, const cmd_handles *h, const cmd_job *job)
{
    resida_status status = cmd_handles_start(h, job);
    if (status >= 0) status = look(line, h->solver);
    while (status >= 0 && line->t_reached < job->t_end) {
        if (cmd_signal_caught()) return RESIDA_INTERRUPTED;
        status = resida_solver_step(h->solver, job->t_end);
        if (status >= 0) status = look(line, h->solver);
    }
    return status < 0 ? status : RESIDA_OK;
}

int cmd_timeline_run(cmd_timeline *line, const cmd_job *job)
{
    cmd_handles h;
    resida_message why = {""};
    *line = (cmd_timeline){.stats.size = sizeof line->stats};
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    const char *reason = why.text;
    if (status >= 0) {
        status = run(line, &h, job);
        reason = resida_solver_message(h.solver);
    }
    if (status < 0)
        snprintf(line->message, sizeof line->message, "%s", reason[0] ? reason : resida_status_name(status));
    cmd_handles_close(&h);
    if (status == RESIDA_INTERRUPTED) return 128 + cmd_signal_caught();
    return status < 0 ? CMD_EXIT_FAILED : 0;
}
