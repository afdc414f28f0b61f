/* option_effect.c - what is set: what differs from its default. */
#include "option_effect.h"

#include <math.h>
#include <resida/option.h>
#include <stdio.h>
#include <string.h>

/** An option as it was handed over. */
typedef struct told {
    const char *name;
    int is_set;
    double value;
    const char *word; /* in place of the value, or NULL */
    int is_idle;      /* what the table says in `when` does not hold */
} told;

static const char *form_of(const resida_problem *problem)
{
    return problem->form ? problem->form->name : "dae";
}

static resida_status refuse(const told *o, const resida_option *option, const char *with, const char *name,
                            resida_message *why)
{
    char text[160], value[32];
    resida_option_text(option, text, sizeof text);
    snprintf(value, sizeof value, "%.6g", o->value);
    return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %s has no effect %s%s: it is for %s", o->name,
                    o->word ? o->word : value, with, name, text);
}

static resida_status check(const told *all, size_t n, const char *form, const char *method, resida_message *why)
{
    for (size_t i = 0; i < n; i++) {
        const resida_option *option = resida_option_find(all[i].name);
        if (!all[i].is_set) continue;
        if (!resida_option_fits(option, form, NULL)) return refuse(&all[i], option, "with form ", form, why);
        if (method && !resida_option_fits(option, NULL, method))
            return refuse(&all[i], option, "with method ", method, why);
        if (all[i].is_idle) return refuse(&all[i], option, "here", "", why);
    }
    return RESIDA_OK;
}

resida_status rsd_check_problem_effects(const resida_problem *problem, const resida_problem_options *o,
                                        resida_message *why)
{
    const resida_layout *l = &problem->layout;
    const int is_directed = l->eta >= 0 || l->tau >= 0 || o->step_projection;
    const char *formalism = o->formalism == RESIDA_FORMALISM_EXPLICIT ? "explicit" : "residual";
    const told all[] = {
        {"formalism", o->formalism != RESIDA_FORMALISM_AUTO, 0, formalism, 0},
        {"gamma", o->gamma != 0, o->gamma, NULL, 0},
        {"penalty", o->penalty != 0, o->penalty, NULL, 0},
        {"projection", strcmp(o->projection, "G") != 0, 0, o->projection, !is_directed},
        {"step_projection", o->step_projection, o->step_projection, NULL, 0},
    };
    return check(all, sizeof all / sizeof *all, form_of(problem), NULL, why);
}

resida_status rsd_check_start_effects(const resida_problem *problem, const resida_start_options *o, resida_message *why)
{
    resida_start_options usual;
    resida_start_options_init(&usual);
    const told all[] = {
        {"redundant", o->redundant != usual.redundant, 0, "drop", 0},
        {"rank_tolerance", o->rank_tolerance != usual.rank_tolerance, o->rank_tolerance, NULL, 0},
        {"max_change", o->max_change != usual.max_change, o->max_change, NULL, 0},
    };
    return check(all, sizeof all / sizeof *all, form_of(problem), NULL, why);
}

/* Does the error test differ from what "auto" makes of it? */
static int moves_test(const resida_problem *problem, resida_error_test test)
{
    for (int i = 0; i < problem->layout.n; i++) {
        const resida_kind kind = problem->kinds[i];
        if (test == RESIDA_ERROR_TEST_ALL && kind >= RESIDA_ALGEBRAIC_2) return 1;
        if (test == RESIDA_ERROR_TEST_DIFFERENTIAL && kind == RESIDA_ALGEBRAIC) return 1;
    }
    return 0;
}

static int has_higher_index(const resida_problem *problem)
{
    return moves_test(problem, RESIDA_ERROR_TEST_ALL);
}

static int scales_multipliers(const char *scaling)
{
    return strcmp(scaling, "auto") == 0 || strstr(scaling, "lam") != NULL;
}

/* How steps are taken. */
static resida_status check_steps(const char *form, const resida_problem *problem, const resida_solver_options *o,
                                 const resida_solver_options *usual, resida_message *why)
{
    const int is_fixed = strcmp(o->method, "bdf") != 0 && !o->adaptive;
    const told all[] = {
        {"step", o->step > 0, o->step, NULL, 0},
        {"adaptive", o->adaptive, o->adaptive, NULL, 0},
        {"rho_infinity", o->rho_infinity != usual->rho_infinity, o->rho_infinity, NULL, 0},
        {"newmark_beta", o->newmark_beta != usual->newmark_beta, o->newmark_beta, NULL, 0},
        {"newmark_gamma", o->newmark_gamma != usual->newmark_gamma, o->newmark_gamma, NULL, 0},
        {"start_up", o->start_up != usual->start_up, 0, "radau", 0},
        {"max_order", o->max_order != usual->max_order, o->max_order, NULL, 0},
        {"stability_detection", !o->stability_detection, 0, NULL, o->max_order <= RSD_ORDER_LIMIT},
        {"h_first", o->h_first > 0, o->h_first, NULL, 0},
        {"h_max", o->h_max < INFINITY, o->h_max, NULL, is_fixed},
        {"error_test", o->error_test != RESIDA_ERROR_TEST_AUTO, 0,
         o->error_test == RESIDA_ERROR_TEST_ALL ? "all" : "differential", !moves_test(problem, o->error_test)},
    };
    return check(all, sizeof all / sizeof *all, form, o->method, why);
}

/* How they are solved. */
static resida_status check_newton(const char *form, const resida_problem *problem, const resida_solver_options *o,
                                  const resida_solver_options *usual, resida_message *why)
{
    const int is_unscaled = !scales_multipliers(o->scaling);
    const told all[] = {
        {"atol", o->atol != usual->atol, o->atol, NULL, o->atol_each != NULL},
        {"newton_to_rounding", o->newton_to_rounding, o->newton_to_rounding, NULL, 0},
        {"observer", o->observer != NULL, 0, "given", 0},
        {"observer_user", o->observer_user != NULL, 0, "given", 0},
        {"newton_tolerance", o->newton_tolerance > 0, o->newton_tolerance, NULL, o->newton_to_rounding},
        {"newton_h_weights", !o->newton_h_weights, 0, NULL, o->newton_to_rounding || !has_higher_index(problem)},
        {"event_parts", o->event_parts != usual->event_parts, o->event_parts, NULL, rsd_problem_n_root(problem) == 0},
        {"slow_rate", o->slow_rate > 0, o->slow_rate, NULL, 0},
        {"scaling", strcmp(o->scaling, usual->scaling) != 0, 0, o->scaling, 0},
        {"scaling_mass", o->scaling_mass > 0, o->scaling_mass, NULL, is_unscaled},
        {"scaling_damping", o->scaling_damping > 0, o->scaling_damping, NULL, is_unscaled},
        {"scaling_stiffness", o->scaling_stiffness > 0, o->scaling_stiffness, NULL, is_unscaled},
    };
    return check(all, sizeof all / sizeof *all, form, o->method, why);
}

resida_status rsd_check_solver_effects(const resida_problem *problem, const resida_solver_options *o,
                                       resida_message *why)
{
    resida_solver_options usual;
    const char *form = form_of(problem);
    resida_solver_options_init(&usual);
    RSD_TRY(check_steps(form, problem, o, &usual, why));
    return check_newton(form, problem, o, &usual, why);
}

resida_status rsd_check_strategy_effects(const char *strategy, const resida_problem *problem,
                                         const resida_solver_options *o, resida_message *why)
{
    const told all[] = {{"max_age", o->max_age > 0, (double)o->max_age, NULL, strcmp(strategy, "user") == 0}};
    return check(all, 1, form_of(problem), o->method, why);
}
