/* arguments_calls.c - every public function, called with the arguments of a world. */
#include "arguments.h"

/* For functions that return no status. */
static resida_status as_it_should(int fine)
{
    return fine ? RESIDA_OK : RESIDA_ERR_INTERNAL;
}

#define CALL(name, expression)                                                                                         \
    static resida_status call_##name(world *w)                                                                         \
    {                                                                                                                  \
        const arg_list *a = &w->a;                                                                                     \
        return (resida_status)(expression);                                                                            \
    }

CALL(problem_create, resida_problem_create(a->problem_out, a->m, a->problem_options, a->why))
CALL(problem_create_dae, resida_problem_create_dae(a->problem_out, a->d, a->problem_options, a->why))
CALL(problem_layout, resida_problem_layout(a->problem, a->layout))
CALL(problem_kinds, as_it_should((resida_problem_kinds(a->problem) == NULL) == (a->problem == NULL)))
CALL(problem_form, as_it_should(strcmp(resida_problem_form(a->problem), a->problem ? "ggl" : "") == 0))
CALL(problem_formalism, as_it_should(strcmp(resida_problem_formalism(a->problem), a->problem ? "residual" : "") == 0))
CALL(problem_component_name, resida_problem_component_name(a->problem, a->i, a->text, a->size))
CALL(problem_residual, resida_problem_residual(a->t, a->y, a->yp, a->r, a->problem))
CALL(problem_constraints, resida_problem_constraints(a->problem, a->t, a->p, a->v, a->g, a->gv))
CALL(problem_invariants, resida_problem_invariants(a->problem, a->t, a->p, a->g))
CALL(problem_start, resida_problem_start(a->problem, a->t, a->p0, a->v0, a->start_options, a->p, a->v, a->a, a->lam,
                                         a->report, a->why))
CALL(problem_equilibrium, resida_problem_equilibrium(a->problem, a->t, a->p0, a->v0, a->equilibrium_options, a->p, a->v,
                                                     a->lam, a->equilibrium_report, a->why))
CALL(problem_impact, resida_problem_impact(a->problem, a->t, a->p0, a->v0, a->contacts, a->start_options, a->v, a->push,
                                           a->lam, a->impact_report, a->why))
CALL(problem_equilibrium_dae, resida_problem_equilibrium_dae(a->dae_problem, a->t, a->y0, a->equilibrium_options, a->y,
                                                             a->equilibrium_report, a->why))
CALL(jacobian_create, resida_jacobian_create(a->jacobian_out, a->system, a->jacobian_options, a->why))
CALL(jacobian_setup, resida_jacobian_setup(a->j, (resida_setup_reason)a->reason, a->at, a->current))
CALL(jacobian_prepare, resida_jacobian_prepare(a->j, a->at, a->tolerance))
CALL(jacobian_solve, resida_jacobian_solve(a->sparse, a->y, a->r))
CALL(jacobian_report, as_it_should((resida_jacobian_report(a->sparse, a->norm) == RESIDA_ITERATION_CONVERGED) ==
                                   (a->sparse != NULL && a->norm == 0)))
CALL(jacobian_get_matrix, resida_jacobian_get_matrix(a->j, a->matrix))
CALL(jacobian_get_groups, resida_jacobian_get_groups(a->sparse, a->group, a->n_groups))
CALL(jacobian_grouping, as_it_should((strlen(resida_jacobian_grouping(a->sparse)) > 0) == (a->sparse != NULL)))
CALL(solver_jacobian, as_it_should((resida_solver_jacobian(a->s) != NULL) == (a->s != NULL)))
CALL(jacobian_request, resida_jacobian_request(a->j, (resida_request)a->what))
CALL(jacobian_reason, as_it_should((strlen(resida_jacobian_reason(a->j)) > 0) == (a->j != NULL)))
CALL(jacobian_is_requested, as_it_should(resida_jacobian_is_requested(a->j) == 0))
CALL(jacobian_strategy, as_it_should(strcmp(resida_jacobian_strategy(a->j), a->j ? "dense" : "") == 0))
CALL(jacobian_get_counts, resida_jacobian_get_counts(a->j, a->counts))
CALL(solver_create, resida_solver_create(a->solver_out, a->problem, a->solver_options, a->why))
CALL(solver_start, resida_solver_start(a->s, a->t0, a->p0, a->v0, a->start_options, a->report))
CALL(solver_start_dae, resida_solver_start_dae(a->dae_s, a->t0, a->y0, a->yp0))
CALL(solver_advance, resida_solver_advance(a->s, a->t_out))
CALL(solver_step, resida_solver_step(a->s, a->t_max))
CALL(solver_state, resida_solver_state(a->s, a->state))
CALL(solver_interpolate, resida_solver_interpolate(a->s, a->t_last, a->y, a->yp))
CALL(solver_event, resida_solver_event(a->s, a->direction))
CALL(solver_set_stop_time, resida_solver_set_stop_time(a->s, a->t_stop))
CALL(solver_change, resida_solver_change(a->s, a->solver_options))
CALL(solver_set_quadratures, resida_solver_set_quadratures(a->s, a->n_by, a->rates, a->rates_user))
CALL(solver_quadratures, resida_solver_quadratures(a->s, a->p))
CALL(solver_request, resida_solver_request(a->s, (resida_request)a->what))
CALL(solver_stats, resida_solver_stats(a->s, a->stats))
CALL(solver_examine, resida_solver_examine(a->s))
CALL(solver_message, as_it_should(resida_solver_message(a->s) != NULL))
CALL(stats_text, resida_stats_text(a->stats, a->text, a->size))
CALL(sundials_version, resida_sundials_version(a->text, a->size))
CALL(model_create, resida_model_create(a->cls, a->n_set, a->set_names, a->set_values, a->model, a->why))
CALL(model_create_with, resida_model_create_with(a->cls, a->n_set, a->settings, a->model, a->why))
CALL(plugin_file, as_it_should(!resida_plugin_file(a->path) == !a->path))
CALL(plugin_open, resida_plugin_open(a->plugin_out, a->path, a->cls_out, a->why))
CALL(model_reference,
     as_it_should(resida_model_reference(a->model, a->t, a->p, a->v, a->lam) == (a->model ? 1 : RESIDA_ERR_ARGUMENT)))
CALL(model_shape, as_it_should(resida_model_shape(a->model, a->t, a->p, a->v) ==
                               (a->model && a->p && a->v ? 1 : RESIDA_ERR_ARGUMENT)))
CALL(model_happens, as_it_should(resida_model_happens(a->moving, a->happening) ==
                                 (a->moving && a->happening ? 0 : RESIDA_ERR_ARGUMENT)))
CALL(model_output, as_it_should(resida_model_output(a->model, a->point, a->v) ==
                                (a->model && a->point && a->v ? 1 : RESIDA_ERR_ARGUMENT)))
CALL(run_create, resida_run_create(a->run_out, a->moving, a->s, a->why))
CALL(run_start, resida_run_start(a->run, a->start_options, a->report))
CALL(run_advance, resida_run_advance(a->run, a->t_out))
CALL(run_restart, resida_run_restart(a->run))
CALL(run_event, as_it_should(resida_run_event(a->run, a->happened) ==
                             (a->run && a->happened ? RESIDA_ERR_STATE : RESIDA_ERR_ARGUMENT)))
CALL(linearize, resida_linearize(a->l_out, a->problem, a->t, a->y, a->yp, a->why))
CALL(linearize_mechanism, resida_linearize_mechanism(a->l_out, a->problem, a->t, a->p0, a->v0, a->a, a->lam, a->why))
CALL(linearization_get, resida_linearization_get(a->l, a->linear))
CALL(linearization_add_outputs, resida_linearization_add_outputs(a->l, a->dae, a->why))
CALL(linearization_modes, resida_linearization_modes(a->l, a->count, a->near, a->modes, a->why))
CALL(linearization_response, resida_linearization_response(a->driven, a->excitation, a->count, a->frequency,
                                                           a->response_re, a->response_im, a->why))
CALL(solver_save, resida_solver_save(a->s, a->note, a->note_size, a->bytes, a->room, a->size_out))
CALL(solver_load, resida_solver_load(a->idle, a->start_options, a->saved, a->saved_size))
CALL(run_save, resida_run_save(a->run, a->note, a->note_size, a->bytes, a->room, a->size_out))
CALL(run_load, resida_run_load(a->idle_run, a->start_options, a->saved_run, a->saved_run_size))
CALL(checkpoint_note, resida_checkpoint_note(a->saved, a->saved_size, a->note_out, a->note_size_out, a->why))
CALL(run_set_moved, resida_run_set_moved(a->run, a->n_moved, a->moved))
CALL(solver_set_sensitivities, resida_solver_set_sensitivities(a->dae_s, a->n_by, a->by))
CALL(solver_sensitivity, resida_solver_sensitivity(a->dae_s, a->i, a->state))
CALL(solver_sensitivity_counts, resida_solver_sensitivity_counts(a->dae_s, a->by_counts))
CALL(catches_exceptions, as_it_should(a->why && (resida_catches_exceptions() | 1) == 1))
CALL(catch, resida_catch(a->work, a->text, a->why))
CALL(status_name,
     as_it_should(strcmp(resida_status_name((resida_status)a->status), a->status ? "unknown" : "RESIDA_OK") == 0))
CALL(form_at, as_it_should((resida_form_at(a->i) != NULL) == (a->i == 0)))
CALL(method_at, as_it_should((resida_method_at(a->i) != NULL) == (a->i == 0)))
CALL(callback_at, as_it_should((resida_callback_at(a->i) != NULL) == (a->i == 0)))
CALL(option_at, as_it_should((resida_option_at(a->i) != NULL) == (a->i == 0)))
CALL(option_find, as_it_should((resida_option_find(a->name) != NULL) == (a->name != NULL)))
CALL(option_fits, as_it_should(resida_option_fits(a->option, a->form, a->method) == (a->option && !a->form)))
CALL(option_text, resida_option_text(a->option, a->text, a->size))
CALL(version, as_it_should(a->why &&strcmp(resida_version(), RESIDA_VERSION) == 0))

/* Functions that return nothing. */
#define DO(name, ...)                                                                                                  \
    static resida_status call_##name(world *w)                                                                         \
    {                                                                                                                  \
        arg_list *a = &w->a;                                                                                           \
        __VA_ARGS__                                                                                                    \
        return RESIDA_OK;                                                                                              \
    }

DO(mechanism_init, resida_mechanism_init(a->m);)
DO(dae_init, resida_dae_init(a->d);)
DO(products_init, resida_products_init(a->products);)
DO(model_init, resida_model_init(a->model);)
DO(problem_options_init, resida_problem_options_init(a->problem_options);)
DO(start_options_init, resida_start_options_init(a->start_options);)
DO(contacts_init, resida_contacts_init(a->contacts);)
DO(equilibrium_options_init, resida_equilibrium_options_init(a->equilibrium_options);)
DO(system_init, resida_system_init(a->system);)
DO(jacobian_options_init, resida_jacobian_options_init(a->jacobian_options);)
DO(solver_options_init, resida_solver_options_init(a->solver_options);)
DO(sensitivity_init, resida_sensitivity_init(a->by);)
DO(problem_free, resida_solver_free(w->dae_solver); w->dae_solver = NULL; resida_problem_free(a->dae_problem);
   if (a->dae_problem) w->dae_problem = NULL;)
DO(jacobian_free, resida_jacobian_free(a->j); if (a->j) w->jacobian = NULL;)
DO(jacobian_reset, resida_jacobian_reset(a->j);)
DO(solver_free, resida_solver_free(a->dae_s); if (a->dae_s) w->dae_solver = NULL;)
DO(run_free, resida_run_free(a->run); if (a->run) w->run = NULL;)
DO(linearization_free, resida_linearization_free(a->l); if (a->l) w->linear = NULL;)
DO(model_destroy, resida_model_destroy(a->cls, a->model);)
DO(plugin_close, resida_plugin_close(a->plugin_out ? *a->plugin_out : NULL);)

#define LINE(name, channel)                                                                                            \
    {                                                                                                                  \
        "resida_" #name, call_##name, channel                                                                          \
    }

const arg_call arg_calls[] = {
    LINE(status_name, SAYS_NOTHING),
    LINE(catches_exceptions, SAYS_NOTHING),
    LINE(catch, SAYS_WHY),
    LINE(version, SAYS_NOTHING),
    LINE(form_at, SAYS_NOTHING),
    LINE(method_at, SAYS_NOTHING),
    LINE(callback_at, SAYS_NOTHING),
    LINE(option_at, SAYS_NOTHING),
    LINE(option_find, SAYS_NOTHING),
    LINE(option_fits, SAYS_NOTHING),
    LINE(option_text, SAYS_NOTHING),
    LINE(mechanism_init, SAYS_NOTHING),
    LINE(dae_init, SAYS_NOTHING),
    LINE(products_init, SAYS_NOTHING),
    LINE(model_init, SAYS_NOTHING),
    LINE(model_create, SAYS_WHY),
    LINE(model_create_with, SAYS_WHY),
    LINE(model_destroy, SAYS_NOTHING),
    LINE(model_reference, SAYS_NOTHING),
    LINE(model_shape, SAYS_NOTHING),
    LINE(model_output, SAYS_NOTHING),
    LINE(plugin_file, SAYS_NOTHING),
    LINE(plugin_open, SAYS_WHY),
    LINE(plugin_close, SAYS_NOTHING),
    LINE(problem_options_init, SAYS_NOTHING),
    LINE(problem_create, SAYS_WHY),
    LINE(problem_create_dae, SAYS_WHY),
    LINE(problem_free, SAYS_NOTHING),
    LINE(problem_layout, SAYS_NOTHING),
    LINE(problem_kinds, SAYS_NOTHING),
    LINE(problem_form, SAYS_NOTHING),
    LINE(problem_formalism, SAYS_NOTHING),
    LINE(problem_component_name, SAYS_NOTHING),
    LINE(problem_residual, SAYS_NOTHING),
    LINE(problem_constraints, SAYS_NOTHING),
    LINE(problem_invariants, SAYS_NOTHING),
    LINE(start_options_init, SAYS_NOTHING),
    LINE(problem_start, SAYS_WHY),
    LINE(contacts_init, SAYS_NOTHING),
    LINE(problem_impact, SAYS_WHY),
    LINE(equilibrium_options_init, SAYS_NOTHING),
    LINE(problem_equilibrium, SAYS_WHY),
    LINE(problem_equilibrium_dae, SAYS_WHY),
    LINE(system_init, SAYS_NOTHING),
    LINE(jacobian_options_init, SAYS_NOTHING),
    LINE(jacobian_create, SAYS_WHY),
    LINE(jacobian_free, SAYS_NOTHING),
    LINE(jacobian_reset, SAYS_NOTHING),
    LINE(jacobian_setup, SAYS_NOTHING),
    LINE(jacobian_prepare, SAYS_NOTHING),
    LINE(jacobian_solve, SAYS_NOTHING),
    LINE(jacobian_report, SAYS_NOTHING),
    LINE(jacobian_get_matrix, SAYS_NOTHING),
    LINE(jacobian_request, SAYS_NOTHING),
    LINE(jacobian_reason, SAYS_NOTHING),
    LINE(jacobian_is_requested, SAYS_NOTHING),
    LINE(jacobian_strategy, SAYS_NOTHING),
    LINE(jacobian_get_groups, SAYS_NOTHING),
    LINE(jacobian_grouping, SAYS_NOTHING),
    LINE(jacobian_get_counts, SAYS_NOTHING),
    LINE(solver_options_init, SAYS_NOTHING),
    LINE(solver_create, SAYS_WHY),
    LINE(solver_free, SAYS_NOTHING),
    LINE(solver_start, SAYS_IN_SOLVER),
    LINE(solver_start_dae, SAYS_IN_DAE_SOLVER),
    LINE(solver_advance, SAYS_IN_SOLVER),
    LINE(solver_step, SAYS_IN_SOLVER),
    LINE(solver_state, SAYS_IN_SOLVER),
    LINE(solver_interpolate, SAYS_IN_SOLVER),
    LINE(solver_event, SAYS_IN_SOLVER),
    LINE(solver_set_stop_time, SAYS_IN_SOLVER),
    LINE(solver_change, SAYS_IN_SOLVER),
    LINE(solver_set_quadratures, SAYS_IN_SOLVER),
    LINE(solver_quadratures, SAYS_IN_SOLVER),
    LINE(solver_request, SAYS_IN_SOLVER),
    LINE(solver_stats, SAYS_IN_SOLVER),
    LINE(solver_set_sensitivities, SAYS_IN_DAE_SOLVER),
    LINE(solver_sensitivity, SAYS_IN_DAE_SOLVER),
    LINE(solver_sensitivity_counts, SAYS_IN_DAE_SOLVER),
    LINE(sensitivity_init, SAYS_NOTHING),
    LINE(solver_examine, SAYS_IN_SOLVER),
    LINE(model_happens, SAYS_NOTHING),
    LINE(run_create, SAYS_WHY),
    LINE(run_free, SAYS_NOTHING),
    LINE(run_start, SAYS_IN_RUN),
    LINE(run_set_moved, SAYS_IN_RUN),
    LINE(run_advance, SAYS_IN_RUN),
    LINE(run_restart, SAYS_IN_RUN),
    LINE(run_event, SAYS_NOTHING),
    LINE(solver_save, SAYS_IN_SOLVER),
    LINE(solver_load, SAYS_IN_IDLE),
    LINE(run_save, SAYS_IN_RUN),
    LINE(run_load, SAYS_IN_IDLE),
    LINE(checkpoint_note, SAYS_WHY),
    LINE(solver_jacobian, SAYS_NOTHING),
    LINE(solver_message, SAYS_NOTHING),
    LINE(sundials_version, SAYS_NOTHING),
    LINE(stats_text, SAYS_NOTHING),
    LINE(linearize, SAYS_WHY),
    LINE(linearize_mechanism, SAYS_WHY),
    LINE(linearization_free, SAYS_NOTHING),
    LINE(linearization_get, SAYS_NOTHING),
    LINE(linearization_add_outputs, SAYS_WHY),
    LINE(linearization_modes, SAYS_WHY),
    LINE(linearization_response, SAYS_WHY),
    {NULL, NULL, SAYS_NOTHING},
};
