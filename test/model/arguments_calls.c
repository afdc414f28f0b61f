/* arguments_calls.c - every public function, called with the arguments of a world. */
#include "arguments.h"

/* CALL: a function and its status; TELL: where it leaves the reason, too; TRUE: one without a status, and what it
 * should give; DO: one that returns nothing. */
#define FUNCTIONS(CALL, TELL, TRUE, DO)                                                                                \
    TELL(problem_create, SAYS_WHY, resida_problem_create(a->problem_out, a->m, a->problem_options, a->why))            \
    TELL(problem_create_dae, SAYS_WHY, resida_problem_create_dae(a->problem_out, a->d, a->problem_options, a->why))    \
    CALL(problem_layout, resida_problem_layout(a->problem, a->layout))                                                 \
    TRUE(problem_kinds, (resida_problem_kinds(a->problem) == NULL) == (a->problem == NULL))                            \
    TRUE(problem_form, strcmp(resida_problem_form(a->problem), a->problem ? "ggl" : "") == 0)                          \
    TRUE(problem_formalism, strcmp(resida_problem_formalism(a->problem), a->problem ? "residual" : "") == 0)           \
    CALL(problem_component_name, resida_problem_component_name(a->problem, a->i, a->text, a->size))                    \
    CALL(problem_residual, resida_problem_residual(a->t, a->y, a->yp, a->r, a->problem))                               \
    CALL(problem_constraints, resida_problem_constraints(a->problem, a->t, a->p, a->v, a->g, a->gv))                   \
    CALL(problem_invariants, resida_problem_invariants(a->problem, a->t, a->p, a->g))                                  \
    TELL(problem_start, SAYS_WHY,                                                                                      \
         resida_problem_start(a->problem, a->t, a->p0, a->v0, a->start_options, a->p, a->v, a->a, a->lam, a->report,   \
                              a->why))                                                                                 \
    TELL(problem_equilibrium, SAYS_WHY,                                                                                \
         resida_problem_equilibrium(a->problem, a->t, a->p0, a->v0, a->equilibrium_options, a->p, a->v, a->lam,        \
                                    a->equilibrium_report, a->why))                                                    \
    TELL(problem_impact, SAYS_WHY,                                                                                     \
         resida_problem_impact(a->problem, a->t, a->p0, a->v0, a->contacts, a->start_options, a->v, a->push, a->lam,   \
                               a->impact_report, a->why))                                                              \
    TELL(problem_equilibrium_dae, SAYS_WHY,                                                                            \
         resida_problem_equilibrium_dae(a->dae_problem, a->t, a->y0, a->equilibrium_options, a->y,                     \
                                        a->equilibrium_report, a->why))                                                \
    TELL(jacobian_create, SAYS_WHY, resida_jacobian_create(a->jacobian_out, a->system, a->jacobian_options, a->why))   \
    CALL(jacobian_setup, resida_jacobian_setup(a->j, (resida_setup_reason)a->reason, a->at, a->current))               \
    CALL(jacobian_prepare, resida_jacobian_prepare(a->j, a->at, a->tolerance))                                         \
    CALL(jacobian_solve, resida_jacobian_solve(a->sparse, a->y, a->r))                                                 \
    TRUE(jacobian_report, (resida_jacobian_report(a->sparse, a->norm) == RESIDA_ITERATION_CONVERGED) ==                \
                              (a->sparse != NULL && a->norm == 0))                                                     \
    CALL(jacobian_get_matrix, resida_jacobian_get_matrix(a->j, a->matrix))                                             \
    CALL(jacobian_get_groups, resida_jacobian_get_groups(a->sparse, a->group, a->n_groups))                            \
    TRUE(jacobian_grouping, (strlen(resida_jacobian_grouping(a->sparse)) > 0) == (a->sparse != NULL))                  \
    TRUE(solver_jacobian, (resida_solver_jacobian(a->s) != NULL) == (a->s != NULL))                                    \
    CALL(jacobian_request, resida_jacobian_request(a->j, (resida_request)a->what))                                     \
    TRUE(jacobian_reason, (strlen(resida_jacobian_reason(a->j)) > 0) == (a->j != NULL))                                \
    TRUE(jacobian_is_requested, resida_jacobian_is_requested(a->j) == 0)                                               \
    TRUE(jacobian_strategy, strcmp(resida_jacobian_strategy(a->j), a->j ? "dense" : "") == 0)                          \
    CALL(jacobian_get_counts, resida_jacobian_get_counts(a->j, a->counts))                                             \
    TELL(solver_create, SAYS_WHY, resida_solver_create(a->solver_out, a->problem, a->solver_options, a->why))          \
    TELL(solver_start, SAYS_IN_SOLVER, resida_solver_start(a->s, a->t0, a->p0, a->v0, a->start_options, a->report))    \
    TELL(solver_start_dae, SAYS_IN_DAE_SOLVER, resida_solver_start_dae(a->dae_s, a->t0, a->y0, a->yp0))                \
    TELL(solver_advance, SAYS_IN_SOLVER, resida_solver_advance(a->s, a->t_out))                                        \
    TELL(solver_step, SAYS_IN_SOLVER, resida_solver_step(a->s, a->t_max))                                              \
    TELL(solver_state, SAYS_IN_SOLVER, resida_solver_state(a->s, a->state))                                            \
    TELL(solver_interpolate, SAYS_IN_SOLVER, resida_solver_interpolate(a->s, a->t_last, a->y, a->yp))                  \
    TELL(solver_event, SAYS_IN_SOLVER, resida_solver_event(a->s, a->direction))                                        \
    TELL(solver_set_stop_time, SAYS_IN_SOLVER, resida_solver_set_stop_time(a->s, a->t_stop))                           \
    TELL(solver_change, SAYS_IN_SOLVER, resida_solver_change(a->s, a->solver_options))                                 \
    TELL(solver_set_quadratures, SAYS_IN_SOLVER,                                                                       \
         resida_solver_set_quadratures(a->s, a->n_by, a->rates, a->rates_user))                                        \
    TELL(solver_quadratures, SAYS_IN_SOLVER, resida_solver_quadratures(a->s, a->p))                                    \
    TELL(solver_request, SAYS_IN_SOLVER, resida_solver_request(a->s, (resida_request)a->what))                         \
    TELL(solver_stats, SAYS_IN_SOLVER, resida_solver_stats(a->s, a->stats))                                            \
    TELL(solver_examine, SAYS_IN_SOLVER, resida_solver_examine(a->s))                                                  \
    TRUE(solver_message, resida_solver_message(a->s) != NULL)                                                          \
    CALL(stats_text, resida_stats_text(a->stats, a->text, a->size))                                                    \
    CALL(sundials_version, resida_sundials_version(a->text, a->size))                                                  \
    TELL(model_create, SAYS_WHY, resida_model_create(a->cls, a->n_set, a->set_names, a->set_values, a->model, a->why)) \
    TELL(model_create_with, SAYS_WHY, resida_model_create_with(a->cls, a->n_set, a->settings, a->model, a->why))       \
    TRUE(plugin_file, !resida_plugin_file(a->path) == !a->path)                                                        \
    TELL(plugin_open, SAYS_WHY, resida_plugin_open(a->plugin_out, a->path, a->cls_out, a->why))                        \
    TRUE(model_reference,                                                                                              \
         resida_model_reference(a->model, a->t, a->p, a->v, a->lam) == (a->model ? 1 : RESIDA_ERR_ARGUMENT))           \
    TRUE(model_shape,                                                                                                  \
         resida_model_shape(a->model, a->t, a->p, a->v) == (a->model && a->p && a->v ? 1 : RESIDA_ERR_ARGUMENT))       \
    TRUE(model_happens,                                                                                                \
         resida_model_happens(a->moving, a->happening) == (a->moving && a->happening ? 0 : RESIDA_ERR_ARGUMENT))       \
    TRUE(model_output,                                                                                                 \
         resida_model_output(a->model, a->point, a->v) == (a->model && a->point && a->v ? 1 : RESIDA_ERR_ARGUMENT))    \
    TELL(run_create, SAYS_WHY, resida_run_create(a->run_out, a->moving, a->s, a->why))                                 \
    TELL(run_start, SAYS_IN_RUN, resida_run_start(a->run, a->start_options, a->report))                                \
    TELL(run_advance, SAYS_IN_RUN, resida_run_advance(a->run, a->t_out))                                               \
    TELL(run_restart, SAYS_IN_RUN, resida_run_restart(a->run))                                                         \
    TRUE(run_event,                                                                                                    \
         resida_run_event(a->run, a->happened) == (a->run && a->happened ? RESIDA_ERR_STATE : RESIDA_ERR_ARGUMENT))    \
    TELL(linearize, SAYS_WHY, resida_linearize(a->l_out, a->problem, a->t, a->y, a->yp, a->why))                       \
    TELL(linearize_mechanism, SAYS_WHY,                                                                                \
         resida_linearize_mechanism(a->l_out, a->problem, a->t, a->p0, a->v0, a->a, a->lam, a->why))                   \
    CALL(linearization_get, resida_linearization_get(a->l, a->linear))                                                 \
    TELL(linearization_add_outputs, SAYS_WHY, resida_linearization_add_outputs(a->l, a->dae, a->why))                  \
    TELL(linearization_modes, SAYS_WHY, resida_linearization_modes(a->l, a->count, a->near, a->modes, a->why))         \
    TELL(linearization_response, SAYS_WHY,                                                                             \
         resida_linearization_response(a->driven, a->excitation, a->count, a->frequency, a->response_re,               \
                                       a->response_im, a->why))                                                        \
    TELL(solver_save, SAYS_IN_SOLVER, resida_solver_save(a->s, a->note, a->note_size, a->bytes, a->room, a->size_out)) \
    TELL(solver_load, SAYS_IN_IDLE, resida_solver_load(a->idle, a->start_options, a->saved, a->saved_size))            \
    TELL(run_save, SAYS_IN_RUN, resida_run_save(a->run, a->note, a->note_size, a->bytes, a->room, a->size_out))        \
    TELL(run_load, SAYS_IN_IDLE, resida_run_load(a->idle_run, a->start_options, a->saved_run, a->saved_run_size))      \
    TELL(checkpoint_note, SAYS_WHY,                                                                                    \
         resida_checkpoint_note(a->saved, a->saved_size, a->note_out, a->note_size_out, a->why))                       \
    TELL(run_set_moved, SAYS_IN_RUN, resida_run_set_moved(a->run, a->n_moved, a->moved))                               \
    TELL(solver_set_sensitivities, SAYS_IN_DAE_SOLVER, resida_solver_set_sensitivities(a->dae_s, a->n_by, a->by))      \
    TELL(solver_sensitivity, SAYS_IN_DAE_SOLVER, resida_solver_sensitivity(a->dae_s, a->i, a->state))                  \
    TELL(solver_sensitivity_counts, SAYS_IN_DAE_SOLVER, resida_solver_sensitivity_counts(a->dae_s, a->by_counts))      \
    TRUE(catches_exceptions, a->why && (resida_catches_exceptions() | 1) == 1)                                         \
    TELL(catch, SAYS_WHY, resida_catch(a->work, a->text, a->why))                                                      \
    TRUE(status_name, strcmp(resida_status_name((resida_status)a->status), a->status ? "unknown" : "RESIDA_OK") == 0)  \
    TRUE(form_at, (resida_form_at(a->i) != NULL) == (a->i == 0))                                                       \
    TRUE(method_at, (resida_method_at(a->i) != NULL) == (a->i == 0))                                                   \
    TRUE(callback_at, (resida_callback_at(a->i) != NULL) == (a->i == 0))                                               \
    TRUE(option_at, (resida_option_at(a->i) != NULL) == (a->i == 0))                                                   \
    TRUE(option_find, (resida_option_find(a->name) != NULL) == (a->name != NULL))                                      \
    TRUE(option_fits, resida_option_fits(a->option, a->form, a->method) == (a->option && !a->form))                    \
    CALL(option_text, resida_option_text(a->option, a->text, a->size))                                                 \
    TRUE(version, a->why &&strcmp(resida_version(), RESIDA_VERSION) == 0)                                              \
    DO(mechanism_init, resida_mechanism_init(a->m);)                                                                   \
    DO(dae_init, resida_dae_init(a->d);)                                                                               \
    DO(products_init, resida_products_init(a->products);)                                                              \
    DO(model_init, resida_model_init(a->model);)                                                                       \
    DO(problem_options_init, resida_problem_options_init(a->problem_options);)                                         \
    DO(start_options_init, resida_start_options_init(a->start_options);)                                               \
    DO(contacts_init, resida_contacts_init(a->contacts);)                                                              \
    DO(equilibrium_options_init, resida_equilibrium_options_init(a->equilibrium_options);)                             \
    DO(system_init, resida_system_init(a->system);)                                                                    \
    DO(jacobian_options_init, resida_jacobian_options_init(a->jacobian_options);)                                      \
    DO(solver_options_init, resida_solver_options_init(a->solver_options);)                                            \
    DO(sensitivity_init, resida_sensitivity_init(a->by);)                                                              \
    DO(problem_free, resida_solver_free(w->dae_solver); w->dae_solver = NULL; resida_problem_free(a->dae_problem);     \
       if (a->dae_problem) w->dae_problem = NULL;)                                                                     \
    DO(jacobian_free, resida_jacobian_free(a->j); if (a->j) w->jacobian = NULL;)                                       \
    DO(jacobian_reset, resida_jacobian_reset(a->j);)                                                                   \
    DO(solver_free, resida_solver_free(a->dae_s); if (a->dae_s) w->dae_solver = NULL;)                                 \
    DO(run_free, resida_run_free(a->run); if (a->run) w->run = NULL;)                                                  \
    DO(linearization_free, resida_linearization_free(a->l); if (a->l) w->linear = NULL;)                               \
    DO(model_destroy, resida_model_destroy(a->cls, a->model);)                                                         \
    DO(plugin_close, resida_plugin_close(a->plugin_out ? *a->plugin_out : NULL);)

#define DO(name, ...)                                                                                                  \
    static resida_status call_##name(world *w)                                                                         \
    {                                                                                                                  \
        arg_list *a = &w->a;                                                                                           \
        __VA_ARGS__                                                                                                    \
        return RESIDA_OK;                                                                                              \
    }
#define CALL(name, ...)          DO(name, return (resida_status)(__VA_ARGS__);)
#define TELL(name, channel, ...) CALL(name, __VA_ARGS__)
#define TRUE(name, ...)          DO(name, if (!(__VA_ARGS__)) return RESIDA_ERR_INTERNAL;)
FUNCTIONS(CALL, TELL, TRUE, DO)

#define QUIET(name, ...)            {"resida_" #name, call_##name, SAYS_NOTHING},
#define TELLING(name, channel, ...) {"resida_" #name, call_##name, channel},

const arg_call arg_calls[] = {FUNCTIONS(QUIET, TELLING, QUIET, QUIET){NULL, NULL, SAYS_NOTHING}};
