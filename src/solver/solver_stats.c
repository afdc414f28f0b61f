/* solver_stats.c - resida_solver_stats(): the counts of all parts of a solver. */
#include "solver_checkpoint.h"

static void take_calls(const resida_solver *s, const resida_jacobian_counts *counts, resida_stats *stats)
{
    const long *calls = s->guard.calls, pattern = s->before.residual_calls.pattern + counts->pattern_calls;
    stats->residual_calls.newton = calls[RSD_NEWTON];
    stats->residual_calls.pattern = pattern < calls[RSD_JACOBIAN] ? pattern : calls[RSD_JACOBIAN];
    stats->residual_calls.jacobian = calls[RSD_JACOBIAN] - stats->residual_calls.pattern;
    stats->residual_calls.start = calls[RSD_START];
    for (int c = 0; c < RSD_N_CAUSES; c++) stats->residual_calls.total += calls[c];
}

static void take_jacobian(const resida_solver *s, const resida_jacobian_counts *counts, resida_stats *stats)
{
    stats->nnz = counts->nnz;
    stats->jacobian = resida_jacobian_strategy(s->engine);
    stats->jacobian_reason = resida_jacobian_reason(s->engine);
    stats->pattern_updates = counts->pattern_updates;
    stats->kinks = counts->kinks;
    stats->groups = counts->groups;
    stats->groups_bound = counts->groups_bound;
    stats->jacobian_evaluations.dense = counts->evaluations_dense;
    stats->jacobian_evaluations.coloured = counts->evaluations_coloured;
    stats->jacobian_evaluations.user = counts->evaluations_user;
    stats->jacobian_evaluations.partial = counts->evaluations_partial;
    stats->repairs = counts->repairs;
    stats->repair_calls = counts->repair_calls;
    stats->jacobian_updates.alpha = counts->updates_alpha;
    stats->jacobian_updates.excitation = counts->updates_excitation;
    stats->jacobian_updates.blocks = counts->updates_blocks;
}

resida_status resida_solver_stats(const resida_solver *s, resida_stats *stats)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!stats) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_stats: stats is NULL");
    if (stats->size != sizeof *stats)
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_stats: stats.size is not sizeof(resida_stats)");
    resida_jacobian_counts counts;
    RSD_TRY(resida_jacobian_get_counts(s->engine, &counts));
    const rsd_active_rows *rows = &s->problem->active_rows;
    *stats = (resida_stats){.size = sizeof *stats,
                            .restarts = s->starts > 0 ? s->starts - 1 : 0,
                            .events = s->events,
                            .root_calls = s->guard.root_calls,
                            .profile = rsd_profile_told(s->guard.tally.profile),
                            .callback_calls = rsd_tally_calls(&s->guard.tally),
                            .callback_costs = rsd_call_costs_told(&s->call_costs),
                            .product_cost = rsd_call_costs_of_product(&s->call_costs),
                            .coordinate_changes = s->problem->rows ? s->problem->rows->D.changes : 0,
                            .row_changes = rows->changes,
                            .row_looks = rows->checks,
                            .dropped_rows = rows->dropped_text.text,
                            .nonfinite = s->guard.nonfinite,
                            .recoverable = s->guard.recoverable,
                            .n = s->problem->layout.n,
                            .n_warnings = s->warnings.n,
                            .warnings = s->warnings.line};
    take_calls(s, &counts, stats);
    take_jacobian(s, &counts, stats);
    s->integrator->stats(s->integration, stats);
    if (s->o.profile) rsd_limits_tell(&s->limits, stats);
    rsd_checkpoint_add(stats, &s->before);
    return RESIDA_OK;
}
