/* solver_stats.c - resida_solver_stats(): collects the counters of all parts of a solver. */
#include "solver_impl.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Counters that continue after a checkpoint. A line is the first and last of contiguous members of type long. */
static const size_t ranges[][2] = {{offsetof(resida_stats, steps), offsetof(resida_stats, newton_fails)},
                                   {offsetof(resida_stats, coordinate_changes), offsetof(resida_stats, row_looks)},
                                   {offsetof(resida_stats, jumps), offsetof(resida_stats, jumps)},
                                   {offsetof(resida_stats, events_in_doubt), offsetof(resida_stats, events_in_doubt)},
                                   {offsetof(resida_stats, jacobian_evaluations), offsetof(resida_stats, solves)},
                                   {offsetof(resida_stats, repairs), offsetof(resida_stats, repair_calls)}};

static void add_counters(resida_stats *stats, const resida_stats *before)
{
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        for (size_t at = ranges[k][0]; at <= ranges[k][1]; at += sizeof(long))
            *(long *)(void *)((char *)stats + at) += *(const long *)(const void *)((const char *)before + at);
    stats->last_correction.norm = fmax(stats->last_correction.norm, before->last_correction.norm);
    stats->last_correction.p = fmax(stats->last_correction.p, before->last_correction.p);
    stats->last_correction.v = fmax(stats->last_correction.v, before->last_correction.v);
    stats->last_correction.lam = fmax(stats->last_correction.lam, before->last_correction.lam);
}

resida_status resida_solver_stats(const resida_solver *s, resida_stats *stats)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!stats) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_stats: stats is NULL");
    if (stats->size != sizeof *stats)
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_stats: stats.size is not sizeof(resida_stats)");
    resida_jacobian_counts J;
    RSD_TRY(resida_jacobian_get_counts(s->engine, &J));
    const rsd_active_rows *rows = &s->problem->active_rows;
    const long *calls = s->guard.calls, newton = calls[RSD_FOR_NEWTON], of_J = calls[RSD_FOR_JACOBIAN];
    const long start = s->guard.all_calls - newton - of_J - calls[RSD_FOR_SENSITIVITY];
    const long found = s->before.residual_calls.pattern + J.pattern_calls, pattern = found < of_J ? found : of_J;
    *stats = (resida_stats){.size = sizeof *stats,
                            .residual_calls = {.total = s->guard.all_calls,
                                               .newton = newton,
                                               .pattern = pattern,
                                               .jacobian = of_J - pattern,
                                               .start = start},
                            .restarts = s->starts > 0 ? s->starts - 1 : 0,
                            .events = s->events,
                            .root_calls = s->guard.root_calls,
                            .profile = rsd_profile_get_times(s->guard.tally.profile),
                            .product_cost = s->call_costs.of[RSD_CALL_JACOBIAN_TIMES] +
                                            s->call_costs.of[RSD_CALL_RESIDUAL_TIMES], /* one of them is 0 */
                            .coordinate_changes = s->problem->rows ? s->problem->rows->D.changes : 0,
                            .row_changes = rows->changes,
                            .row_looks = rows->checks,
                            .dropped_rows = rows->dropped_text.text,
                            .nonfinite = s->guard.nonfinite,
                            .recoverable = s->guard.recoverable,
                            .n = s->problem->layout.n,
                            .n_warnings = s->warnings.n,
                            .warnings = s->warnings.line,
                            .n_hints = s->hints.n,
                            .hints = s->hints.line,
                            .nnz = J.nnz,
                            .jacobian = resida_jacobian_strategy(s->engine),
                            .jacobian_reason = resida_jacobian_reason(s->engine),
                            .pattern_updates = J.pattern_updates,
                            .kinks = J.kinks,
                            .groups = J.groups,
                            .groups_bound = J.groups_bound,
                            .jacobian_evaluations = {J.evaluations_dense, J.evaluations_coloured, J.evaluations_user,
                                                     J.evaluations_partial},
                            .repairs = J.repairs,
                            .repair_calls = J.repair_calls,
                            .jacobian_updates = {J.updates_alpha, J.updates_excitation, J.updates_blocks}};
    memcpy(&stats->callback_calls, s->guard.tally.calls, sizeof stats->callback_calls);
    memcpy(&stats->callback_costs, s->call_costs.of, sizeof stats->callback_costs);
    s->integration->ops->stats(s->integration, stats);
    if (s->o.profile) rsd_limits_report(&s->limits, stats);
    add_counters(stats, &s->before);
    return RESIDA_OK;
}

resida_status resida_stats_text(const resida_stats *x, char *text, size_t size)
{
    if (!x || !text || x->size != sizeof *x) return RESIDA_ERR_ARGUMENT;
    char all[800 + RESIDA_MESSAGE_SIZE], warnings[40 + RESIDA_MESSAGE_SIZE] = "";
    if (x->n_warnings > 0)
        snprintf(warnings, sizeof warnings, "warnings   %d, the first: %s\n", x->n_warnings, x->warnings[0]);
    const int n = snprintf(
        all, sizeof all,
        "steps      %ld, %ld error test failures; order %d, h = %.3g s\n"
        "Newton     %ld iterations, %ld failures\n"
        "residuals  %ld = Newton %ld + Jacobian %ld + pattern %ld + start %ld\n"
        "Jacobian   %ld evaluations, %ld updates, %ld factorisations; %d unknowns, %ld entries\n"
        "events     %ld, %ld restarts\n"
        "%s",
        x->steps, x->error_test_fails, x->order, x->h, x->newton_iterations, x->newton_fails, x->residual_calls.total,
        x->residual_calls.newton, x->residual_calls.jacobian, x->residual_calls.pattern, x->residual_calls.start,
        x->jacobian_evaluations.dense + x->jacobian_evaluations.coloured + x->jacobian_evaluations.user,
        x->jacobian_updates.alpha, x->factorisations, x->n, x->nnz, x->events, x->restarts, warnings);
    if (n < 0 || (size_t)n >= sizeof all || (size_t)n >= size) return RESIDA_ERR_ARGUMENT;
    memcpy(text, all, (size_t)n + 1);
    return RESIDA_OK;
}
