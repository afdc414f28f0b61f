/* arguments_rows_solver.c - bad arguments of solver.h and stats.h. */
#include "arguments.h"

static void give_arrays(world *w, int way)
{
    arg_kept *k = &w->kept;
    k->solver_options.rtol_each = k->rtol_each, k->solver_options.atol_each = k->atol_each;
    k->solver_options.sign_each = k->sign_each, k->solver_options.root_directions = k->root_directions;
}

static void dy0_not_finite(world *w, int way)
{
    w->kept.by.dy0 = way % 2 ? w->kept.p0 : NULL;
    w->kept.by.dyp0 = way % 2 ? NULL : w->kept.p0;
    w->kept.p0[way % 2] = (const double[]){NOT_FINITE}[way / 2];
}

static void wrong_kind_of_solver(world *w, int way)
{
    resida_solver *s = w->a.s;
    w->a.s = w->a.dae_s;
    w->a.dae_s = s;
}

static void y_and_yp_overlap(world *w, int way)
{
    w->a.y = way == 0 ? w->a.yp : way == 1 ? w->a.yp + ARG_N - 1 : w->a.yp - 1;
}

static void no_event(world *w, int way)
{
    w->a.s = w->dae_solver;
}

#define O(field) kept.solver_options.field

/* Bytes of a checkpoint that are not there. */
#define CUT(function, argument, F)                                                                                     \
    GIVEN(function, argument, "checkpoint", NULL, ARG_SIZE, F, ARGUMENT, 0, 13, 20, 100, 1000)

/* Numbers that an array may not contain; it may be given, and be NULL. */
#define ARRAY(field, components, T, ...)                                                                               \
    ARG_ROW("resida_solver_create", "o." #field, NULL, OPTION, .spoil = give_arrays, ARG_IN(T, kept.field[0]),         \
            .each = components, ARG_LIST(__VA_ARGS__)),                                                                \
        WAYS("resida_solver_create", "o." #field, 1, give_arrays, OK),                                                 \
        GIVEN("resida_solver_create", "o." #field, NULL, give_arrays, ARG_POINTER, O(field), OK, 0)

const arg_row arg_rows_solver[] = {
    NULLED("resida_solver_options_init", "o", a.solver_options, OK),
    NULLED("resida_solver_create", "s", a.solver_out, ARGUMENT),
    NULLED("resida_solver_create", "problem", a.problem, ARGUMENT),
    NULLED("resida_solver_create", "o", a.solver_options, OK),
    NULLED("resida_solver_create", "why", a.why, OK),
    WRONG_SIZES("resida_solver_create", "o.size", O(size), resida_solver_options),
    REALS("resida_solver_create", "o.rtol", O(rtol), OPTION, NOT_FINITE, 0, -1, -1e-300),
    REALS("resida_solver_create", "o.atol", O(atol), OPTION, NOT_FINITE, -1, -1e-300),
    REALS("resida_solver_create", "o.atol", O(atol), OK, 0),
    ARRAY(rtol_each, ARG_N, ARG_REAL, NOT_FINITE, -1),
    ARRAY(atol_each, ARG_N, ARG_REAL, NOT_FINITE, -1),
    ARRAY(sign_each, ARG_N, ARG_INT, 3, -3, INT_MAX, INT_MIN),
    ARRAY(root_directions, 1, ARG_INT, 2, -2, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.repair", O(repair), OPTION, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.min_order", O(min_order), OPTION, 0, 3, -1, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.max_order", O(max_order), OPTION, 0, 6, -1, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.event_parts", O(event_parts), OPTION, -1, 1001, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.profile", O(profile), OPTION, -1, 2, INT_MAX, INT_MIN),
    REALS("resida_solver_create", "o.h_first", O(h_first), OPTION, NOT_FINITE, -1),
    REALS("resida_solver_create", "o.h_max", O(h_max), OPTION, NAN, -INFINITY, 0, -1),
    REALS("resida_solver_create", "o.h_max", O(h_max), OK, INFINITY),
    REALS("resida_solver_create", "o.t_stop", O(t_stop), OPTION, NAN, -INFINITY),
    LONGS("resida_solver_create", "o.max_steps", O(max_steps), OPTION, 0, -1, (double)LONG_MIN),
    LONGS("resida_solver_create", "o.max_residuals", O(max_residuals), OPTION, 0, -1, (double)LONG_MIN),
    REALS("resida_solver_create", "o.time_limit_s", O(time_limit_s), OPTION, NAN, -INFINITY, 0, -1),
    INTS("resida_solver_create", "o.error_test", O(error_test), OPTION, -1, 3, INT_MAX, INT_MIN),
    REALS("resida_solver_create", "o.newton_tolerance", O(newton_tolerance), OPTION, NOT_FINITE, -1, 1.0001),
    INTS("resida_solver_create", "o.stability_detection", O(stability_detection), OPTION, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.newton_h_weights", O(newton_h_weights), OPTION, -1, 2, INT_MAX, INT_MIN),
    REALS("resida_solver_create", "o.slow_rate", O(slow_rate), OPTION, NOT_FINITE, -1, 0.95),
    LONGS("resida_solver_create", "o.max_age", O(max_age), OPTION, -1, (double)LONG_MIN),
    INTS("resida_solver_create", "o.differences", O(differences), OPTION, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.threads", O(threads), OPTION, 0, -1, 2, 1025, INT_MAX, INT_MIN),
    GIVEN("resida_solver_create", "o.threads", "thread_safe", NULL, ARG_INT, O(threads), OPTION, 2),
    NULLED("resida_solver_create", "o.method", O(method), OPTION),
    TEXTS("resida_solver_create", "o.method", O(method), OPTION, "", "bdf7"),
    REALS("resida_solver_create", "o.step", O(step), OPTION, NOT_FINITE, -1, 0.1),
    INTS("resida_solver_create", "o.adaptive", O(adaptive), OPTION, -1, 1, 2, INT_MAX, INT_MIN),
    REALS("resida_solver_create", "o.rho_infinity", O(rho_infinity), OPTION, NOT_FINITE, -1, 1.1),
    REALS("resida_solver_create", "o.newmark_beta", O(newmark_beta), OPTION, NOT_FINITE, 0, -1, 1.1),
    REALS("resida_solver_create", "o.newmark_gamma", O(newmark_gamma), OPTION, NOT_FINITE, 0, -1, 0.49, 1.1),
    INTS("resida_solver_create", "o.start_up", O(start_up), OPTION, -1, 3, INT_MAX, INT_MIN),
    INTS("resida_solver_create", "o.newton_to_rounding", O(newton_to_rounding), OPTION, -1, 1, 2, INT_MAX, INT_MIN),
    NULLED("resida_solver_create", "o.observer", O(observer), OK),
    NULLED("resida_solver_create", "o.observer_user", O(observer_user), OK),
    NULLED("resida_solver_create", "o.scaling", O(scaling), OPTION),
    TEXTS("resida_solver_create", "o.scaling", O(scaling), OPTION, "", "right"),
    REALS("resida_solver_create", "o.scaling_mass", O(scaling_mass), OPTION, NOT_FINITE, -1),
    REALS("resida_solver_create", "o.scaling_damping", O(scaling_damping), OPTION, NOT_FINITE, -1),
    REALS("resida_solver_create", "o.scaling_stiffness", O(scaling_stiffness), OPTION, NOT_FINITE, -1),
    NULLED("resida_solver_create", "o.linear_solver", O(linear_solver), OPTION),
    TEXTS("resida_solver_create", "o.linear_solver", O(linear_solver), OPTION, "", "umfpack"),
    NULLED("resida_solver_create", "o.jacobian", O(jacobian), OPTION),
    TEXTS_SAYING("resida_solver_create", "o.jacobian", "Jacobian", O(jacobian), OPTION, "", "no such strategy"),
    NULLED("resida_solver_create", "o.call_cost", O(call_cost), OPTION),
    TEXTS("resida_solver_create", "o.call_cost", O(call_cost), OPTION, "", "guessed"),
    NULLED("resida_solver_create", "o.monitor", O(monitor), OK),
    NULLED("resida_solver_create", "o.monitor_user", O(monitor_user), OK),
    NULLED("resida_solver_create", "o.accepted", O(accepted), OK),
    NULLED("resida_solver_create", "o.accepted_user", O(accepted_user), OK),
    NULLED("resida_solver_free", "s", a.dae_s, OK),

    NULLED("resida_model_happens", "model", a.moving, OK),
    NULLED("resida_model_happens", "event", a.happening, OK),
    NULLED("resida_run_create", "run", a.run_out, ARGUMENT),
    NULLED("resida_run_create", "model", a.moving, ARGUMENT),
    NULLED("resida_run_create", "solver", a.s, ARGUMENT),
    NULLED("resida_run_create", "why", a.why, OK),
    NULLED("resida_run_free", "run", a.run, OK),
    NULLED("resida_run_start", "run", a.run, ARGUMENT),
    NULLED("resida_run_start", "o", a.start_options, OK),
    NULLED("resida_run_start", "report", a.report, OK),
    NULLED("resida_run_restart", "run", a.run, ARGUMENT),
    NULLED("resida_run_event", "run", a.run, OK),
    NULLED("resida_run_event", "what", a.happened, OK),
    NULLED("resida_run_set_moved", "run", a.run, ARGUMENT),
    NULLED("resida_run_set_moved", "models", a.moved, OK),
    INTS("resida_run_set_moved", "n", a.n_moved, ARGUMENT, -1, 2, INT_MAX, INT_MIN),
    NULLED("resida_sensitivity_init", "x", a.by, OK),
    NULLED("resida_solver_set_sensitivities", "s", a.dae_s, ARGUMENT),
    NULLED("resida_solver_set_sensitivities", "x", a.by, ARGUMENT),
    INTS("resida_solver_set_sensitivities", "n", a.n_by, ARGUMENT, -1, INT_MIN),
    INTS("resida_solver_set_sensitivities", "n", a.n_by, OK, 0),
    WRONG_SIZES("resida_solver_set_sensitivities", "x.size", kept.by.size, resida_sensitivity),
    NULLED("resida_solver_set_sensitivities", "x.name", kept.by.name, OK),
    NULLED("resida_solver_set_sensitivities", "x.moved", kept.by.moved, ARGUMENT),
    REALS("resida_solver_set_sensitivities", "x.delta", kept.by.delta, ARGUMENT, NOT_FINITE, 0),
    REALS("resida_solver_set_sensitivities", "x.scale", kept.by.scale, ARGUMENT, NOT_FINITE, 0, -1),
    NULLED("resida_solver_set_sensitivities", "x.dy0", kept.by.dy0, OK),
    NULLED("resida_solver_set_sensitivities", "x.dyp0", kept.by.dyp0, OK),
    WAYS("resida_solver_set_sensitivities", "x.dy0", 6, dy0_not_finite, ARGUMENT),
    NULLED("resida_solver_sensitivity", "s", a.dae_s, ARGUMENT),
    INTS("resida_solver_sensitivity", "i", a.i, ARGUMENT, -1, 1, INT_MAX, INT_MIN),
    NULLED("resida_solver_sensitivity", "state", a.state, ARGUMENT),
    NULLED("resida_solver_sensitivity_counts", "s", a.dae_s, ARGUMENT),
    NULLED("resida_solver_sensitivity_counts", "counts", a.by_counts, ARGUMENT),
    WRONG_SIZES("resida_solver_sensitivity_counts", "counts.size", kept.by_counts.size, resida_sensitivity_counts),
    NULLED("resida_run_advance", "run", a.run, ARGUMENT),
    REALS("resida_run_advance", "t_out", a.t_out, ARGUMENT, NOT_FINITE, 0, -1, 0.0999),

    NULLED("resida_solver_save", "s", a.s, ARGUMENT),
    NULLED("resida_solver_save", "note", a.note, ARGUMENT),
    NULLED("resida_solver_save", "bytes", a.bytes, ARGUMENT),
    NULLED("resida_solver_save", "size", a.size_out, ARGUMENT),
    SIZES("resida_solver_save", "room", a.room, ARGUMENT, 1, 100),
    SIZES("resida_solver_save", "note_size", a.note_size, ARGUMENT, (double)(SIZE_MAX / 2), (double)(SIZE_MAX / 4 * 3)),
    NULLED("resida_solver_load", "s", a.idle, ARGUMENT),
    NULLED("resida_solver_load", "o", a.start_options, OK),
    NULLED("resida_solver_load", "bytes", a.saved, ARGUMENT),
    CUT("resida_solver_load", "size", a.saved_size),
    NULLED("resida_run_save", "run", a.run, ARGUMENT),
    NULLED("resida_run_save", "note", a.note, ARGUMENT),
    NULLED("resida_run_save", "bytes", a.bytes, ARGUMENT),
    NULLED("resida_run_save", "size", a.size_out, ARGUMENT),
    SIZES("resida_run_save", "room", a.room, ARGUMENT, 1, 100),
    SIZES("resida_run_save", "note_size", a.note_size, ARGUMENT, (double)(SIZE_MAX / 2), (double)(SIZE_MAX / 4 * 3)),
    NULLED("resida_run_load", "run", a.idle_run, ARGUMENT),
    NULLED("resida_run_load", "o", a.start_options, OK),
    NULLED("resida_run_load", "bytes", a.saved_run, ARGUMENT),
    CUT("resida_run_load", "size", a.saved_run_size),
    NULLED("resida_checkpoint_note", "bytes", a.saved, ARGUMENT),
    CUT("resida_checkpoint_note", "size", a.saved_size),
    NULLED("resida_checkpoint_note", "note", a.note_out, OK),
    NULLED("resida_checkpoint_note", "note_size", a.note_size_out, OK),
    NULLED("resida_checkpoint_note", "why", a.why, OK),

    NULLED("resida_solver_start", "s", a.s, ARGUMENT),
    WAYS_SAYING("resida_solver_start", "s", "resida_solver_start_dae", 1, wrong_kind_of_solver, RESIDA_ERR_STATE),
    REALS("resida_solver_start", "t0", a.t0, ARGUMENT, NOT_FINITE),
    START("resida_solver_start", "p0", "v0"),
    START_OPTIONS("resida_solver_start"),
    NULLED("resida_solver_start", "report", a.report, OK),
    NULLED("resida_solver_start_dae", "s", a.dae_s, ARGUMENT),
    WAYS_SAYING("resida_solver_start_dae", "s", "resida_solver_start", 1, wrong_kind_of_solver, RESIDA_ERR_STATE),
    REALS("resida_solver_start_dae", "t0", a.t0, ARGUMENT, NOT_FINITE),
    NULLED("resida_solver_start_dae", "y0", a.y0, ARGUMENT),
    EACH("resida_solver_start_dae", "y0", 2, kept.y0[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_solver_start_dae", "yp0", a.yp0, OK),
    EACH("resida_solver_start_dae", "yp0", 2, kept.yp0[0], ARGUMENT, NOT_FINITE),

    NULLED("resida_solver_advance", "s", a.s, ARGUMENT),
    REALS("resida_solver_advance", "t_out", a.t_out, ARGUMENT, NOT_FINITE, 0, -1, 0.0999),
    NULLED("resida_solver_step", "s", a.s, ARGUMENT),
    REALS("resida_solver_step", "t_max", a.t_max, ARGUMENT, NOT_FINITE, 0, -1, 0.0999),
    NULLED("resida_solver_state", "s", a.s, ARGUMENT),
    NULLED("resida_solver_state", "state", a.state, ARGUMENT),
    NULLED("resida_solver_interpolate", "s", a.s, ARGUMENT),
    REALS("resida_solver_interpolate", "t", a.t_last, ARGUMENT, NOT_FINITE, -1, 1e9),
    NULLED("resida_solver_interpolate", "y", a.y, ARGUMENT),
    NULLED("resida_solver_interpolate", "yp", a.yp, ARGUMENT),
    WAYS("resida_solver_interpolate", "y", 3, y_and_yp_overlap, ARGUMENT),
    NULLED("resida_solver_event", "s", a.s, ARGUMENT),
    NULLED("resida_solver_event", "direction", a.direction, ARGUMENT),
    WAYS_SAYING("resida_solver_event", "s", "", 1, no_event, RESIDA_ERR_STATE),
    NULLED("resida_solver_set_stop_time", "s", a.s, ARGUMENT),
    REALS("resida_solver_set_stop_time", "t_stop", a.t_stop, ARGUMENT, NAN, -INFINITY, 0, -1, 0.0999),
    REALS("resida_solver_set_stop_time", "t_stop", a.t_stop, OK, INFINITY),
    NULLED("resida_solver_change", "s", a.s, ARGUMENT),
    NULLED("resida_solver_change", "o", a.solver_options, ARGUMENT),
    WRONG_SIZES("resida_solver_change", "o.size", O(size), resida_solver_options),
    REALS("resida_solver_change", "o.rtol", O(rtol), OPTION, NOT_FINITE, 0, -1, -1e-300),
    REALS("resida_solver_change", "o.h_max", O(h_max), OPTION, NAN, -INFINITY, 0, -1),
    REALS("resida_solver_change", "o.h_max", O(h_max), OK, 1e-3, INFINITY),
    LONGS("resida_solver_change", "o.max_steps", O(max_steps), OPTION, 0, -1, (double)LONG_MIN),
    NULLED("resida_solver_change", "o.method", O(method), OPTION),
    NULLED("resida_solver_set_quadratures", "s", a.s, ARGUMENT),
    INTS("resida_solver_set_quadratures", "n", a.n_by, ARGUMENT, -1, INT_MIN, INT_MAX, (1 << 20) + 1),
    INTS("resida_solver_set_quadratures", "n", a.n_by, OK, 0),
    NULLED("resida_solver_set_quadratures", "f", a.rates, ARGUMENT),
    NULLED("resida_solver_set_quadratures", "user", a.rates_user, OK),
    NULLED("resida_solver_quadratures", "s", a.s, ARGUMENT),
    NULLED("resida_solver_quadratures", "q", a.p, ARGUMENT),
    NULLED("resida_solver_request", "s", a.s, ARGUMENT),
    INTS("resida_solver_request", "what", a.what, ARGUMENT, 0, 2, 4, -1, INT_MAX, INT_MIN),
    NULLED("resida_solver_examine", "s", a.s, ARGUMENT),
    NULLED("resida_solver_stats", "s", a.s, ARGUMENT),
    NULLED("resida_solver_stats", "stats", a.stats, ARGUMENT),
    WRONG_SIZES("resida_solver_stats", "stats.size", kept.stats.size, resida_stats),
    NULLED("resida_solver_jacobian", "s", a.s, OK),
    NULLED("resida_solver_message", "s", a.s, OK),
    NULLED("resida_sundials_version", "text", a.text, ARGUMENT),
    SIZES("resida_sundials_version", "size", a.size, ARGUMENT, 0),
    NULLED("resida_stats_text", "stats", a.stats, ARGUMENT),
    NULLED("resida_stats_text", "text", a.text, ARGUMENT),
    SIZES("resida_stats_text", "size", a.size, ARGUMENT, 0, 20),
    WRONG_SIZES("resida_stats_text", "stats.size", kept.stats.size, resida_stats),
    END_OF_ROWS,
};
