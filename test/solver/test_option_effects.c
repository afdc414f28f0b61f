/* test_option_effects.c - every option with every formulation and method, on the smallest models: where the table of
 * resida/option.h says so it changes what comes out, or what is counted; where not, it is refused by name. */
#include "test/fixtures/check_contract.h"
#include "small_world.h"
#include "test/fixtures/solver_fixture.h"

#define T_END 0.1
#define STEP  0.01

/* All of the library, and "dae" of a general DAE. */
enum { MOST = 40 };
static const char *forms[MOST], *methods[MOST];
static int n_forms, n_methods;

static int list_names(void **state)
{
    while (n_forms < MOST - 1 && (forms[n_forms] = resida_form_at(n_forms))) n_forms++;
    while (n_methods < MOST && (methods[n_methods] = resida_method_at(n_methods))) n_methods++;
    assert_true(n_forms < MOST - 1 && n_methods < MOST);
    forms[n_forms++] = "dae";
    return 0;
}

/** The options of a run. */
typedef struct told {
    resida_problem_options problem;
    resida_solver_options solver;
    resida_start_options start;
} told;

static long observed;

static void observe(const resida_newton_end *end, void *user)
{
    if (!user) observed++;
}

/** What a member of `told` becomes. */
typedef struct change {
    size_t offset;
    enum { CHANGE_REAL, CHANGE_INT, CHANGE_LONG, CHANGE_WORD } type;
    double number;
    const char *word;
    void (*set)(told *o); /**< in their place; or NULL */
} change;

static void apply(const change *c, told *o)
{
    char *member = (char *)o + c->offset;
    if (c->set)
        c->set(o);
    else if (c->type == CHANGE_REAL)
        *(double *)(void *)member = c->number;
    else if (c->type == CHANGE_INT)
        *(int *)(void *)member = (int)c->number;
    else if (c->type == CHANGE_LONG)
        *(long *)(void *)member = (long)c->number;
    else
        *(const char **)(void *)member = c->word;
}

static void set_observer(told *o)
{
    o->solver.observer = observe;
}

static void set_each_atol(told *o)
{
    static const double each[16] = {1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5};
    o->solver.atol_each = each;
}

/* The one that "auto" does not take. */
static void set_other_start_up(told *o)
{
    o->solver.start_up = strcmp(o->solver.method, "bdf2") == 0 ? RESIDA_START_UP_RADAU : RESIDA_START_UP_LOWER_ORDERS;
}

static void set_adaptive_where_it_is_one(told *o)
{
    if (resida_option_fits(resida_option_find("adaptive"), NULL, o->solver.method)) o->solver.adaptive = 1;
    if (strcmp(o->solver.method, "radau-iia-3") == 0) o->solver.step = 0;
}

static void set_no_step(told *o)
{
    if (strcmp(o->solver.method, "radau-iia-3") == 0) o->solver.step = 0;
}

#define REAL(member, value)                                                                                            \
    {                                                                                                                  \
        offsetof(told, member), CHANGE_REAL, value, NULL, NULL                                                         \
    }
#define INT(member, value)                                                                                             \
    {                                                                                                                  \
        offsetof(told, member), CHANGE_INT, value, NULL, NULL                                                          \
    }
#define LONG(member, value)                                                                                            \
    {                                                                                                                  \
        offsetof(told, member), CHANGE_LONG, value, NULL, NULL                                                         \
    }
#define WORD(member, value)                                                                                            \
    {                                                                                                                  \
        offsetof(told, member), CHANGE_WORD, 0, value, NULL                                                            \
    }
static const change gamma_ = REAL(problem.gamma, 5);
static const change penalty = REAL(problem.penalty, 1e3);
static const change projection = WORD(problem.projection, "B");
static const change step_projection = INT(problem.step_projection, 1);
static const change formalism = INT(problem.formalism, RESIDA_FORMALISM_EXPLICIT);
static const change adaptive = INT(solver.adaptive, 1);
static const change rho_infinity = REAL(solver.rho_infinity, 0.6);
static const change newmark_beta = REAL(solver.newmark_beta, 0.4);
static const change newmark_gamma = REAL(solver.newmark_gamma, 0.7);
static const change newton_to_rounding = INT(solver.newton_to_rounding, 1);
static const change max_order = INT(solver.max_order, 1);
static const change stability_detection = INT(solver.stability_detection, 0);
static const change h_first = REAL(solver.h_first, 1e-5);
static const change h_max = REAL(solver.h_max, 1e-3);
static const change error_test = INT(solver.error_test, RESIDA_ERROR_TEST_ALL);
static const change newton_tolerance = REAL(solver.newton_tolerance, 1e-6);
static const change newton_h_weights = INT(solver.newton_h_weights, 0);
static const change slow_rate = REAL(solver.slow_rate, 1e-9);
static const change max_age = LONG(solver.max_age, 1);
static const change scaling = WORD(solver.scaling, "none");
static const change scaling_mass = REAL(solver.scaling_mass, 700);
static const change scaling_damping = REAL(solver.scaling_damping, 700);
static const change scaling_stiffness = REAL(solver.scaling_stiffness, 700);
static const change differences = INT(solver.differences, RESIDA_DIFFERENCES_CENTRAL);
static const change call_cost = WORD(solver.call_cost, "measured");
static const change step = REAL(solver.step, STEP / 2);
static const change linear_solver = WORD(solver.linear_solver, "klu");
static const change jacobian = WORD(solver.jacobian, "dense");
static const change rtol = REAL(solver.rtol, 1e-9);
static const change absolute = REAL(solver.atol, 1e-9);
static const change max_steps = LONG(solver.max_steps, 2);
static const change max_residuals = LONG(solver.max_residuals, 7);
static const change t_stop = REAL(solver.t_stop, T_END / 2);
static const change event_parts = INT(solver.event_parts, 3);
static const change redundant = INT(start.redundant, RESIDA_REDUNDANT_DROP);
static const change rank_tolerance = REAL(start.rank_tolerance, 1e-3);
static const change wrong_matrix = INT(start.wrong_matrix, RESIDA_WRONG_MATRIX_WARN);
static const change max_change = REAL(start.max_change, 1e-30);
static const change differential_test = INT(solver.error_test, RESIDA_ERROR_TEST_DIFFERENTIAL);
static const change left = WORD(solver.scaling, "left");
static const change two_field = WORD(solver.scaling, "two-field");
static const change by_calls = WORD(solver.jacobian, "fresh");
static const change observer = {.set = set_observer}, each_atol = {.set = set_each_atol},
                    start_up = {.set = set_other_start_up}, adapts = {.set = set_adaptive_where_it_is_one},
                    varies = {.set = set_no_step};

#define SETTING(option)                                                                                                \
    {                                                                                                                  \
#option, &option, NULL, 0                                                                                      \
    }
static const struct {
    const char *name;
    const change *change;
    const change *prepare; /* before both runs; or NULL */
    int is_quiet;          /* no effect on these models */
} settings[] = {
    {"gamma", &gamma_, NULL, 0},
    SETTING(penalty),
    {"projection", &projection, &step_projection, 0},
    SETTING(step_projection),
    SETTING(formalism),
    SETTING(adaptive),
    SETTING(rho_infinity),
    SETTING(newmark_beta),
    SETTING(newmark_gamma),
    SETTING(start_up),
    SETTING(newton_to_rounding),
    SETTING(observer),
    SETTING(max_order),
    {"stability_detection", &stability_detection, NULL, 1},
    {"h_first", &h_first, &varies, 0},
    {"h_max", &h_max, &adapts, 0},
    {"error_test", &error_test, &varies, 0},
    SETTING(newton_tolerance),
    SETTING(newton_h_weights),
    {"slow_rate", &slow_rate, &varies, 0},
    {"max_age", &max_age, &varies, 0},
    SETTING(scaling),
    SETTING(scaling_mass),
    SETTING(scaling_damping),
    SETTING(scaling_stiffness),
    SETTING(differences),
    {"call_cost", &call_cost, &varies, 0},
    SETTING(step),
    SETTING(linear_solver),
    SETTING(jacobian),
    SETTING(rtol),
    {"atol", &absolute, NULL, 0},
    SETTING(max_steps),
    SETTING(max_residuals),
    SETTING(t_stop),
    {"redundant", &redundant, NULL, 1},
    {"rank_tolerance", &rank_tolerance, NULL, 1},
    SETTING(max_change),
    {"wrong_matrix", &wrong_matrix, NULL, 1},
};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

/** What came out. */
typedef struct outcome {
    resida_status created, status;
    resida_message why;
    double y[16];
    resida_stats stats;
    long observed;
} outcome;

static const small_model *model_of(const char *form)
{
    const char *name = strcmp(form, "ode") == 0   ? "no constraint"
                       : strcmp(form, "dae") == 0 ? "a DAE"
                                                  : "no force of velocities";
    int i = 0;
    while (strcmp(small_models[i].name, name) != 0) i++;
    return &small_models[i];
}

static told usual(const char *form, const char *method)
{
    told o;
    resida_problem_options_init(&o.problem);
    resida_solver_options_init(&o.solver);
    resida_start_options_init(&o.start);
    if (strcmp(form, "dae") != 0) o.problem.form = form;
    o.solver.method = method;
    o.solver.rtol = o.solver.atol = 1e-5;
    if (strcmp(method, "bdf") != 0) o.solver.step = STEP;
    if (strcmp(method, "newmark") == 0) o.solver.newmark_gamma = 0.6, o.solver.newmark_beta = 0.3025;
    return o;
}

static void integrate(const small_model *m, resida_solver *s, const told *o, outcome *out)
{
    const double v0[] = {0.1, 0.2};
    resida_state end;
    const int is_set = o->start.redundant || o->start.rank_tolerance != 1e-8 || o->start.max_change < INFINITY ||
                       o->start.wrong_matrix;
    out->stats.size = sizeof out->stats;
    out->status = m->is_dae ? resida_solver_start_dae(s, 0, m->p0, m->v0)
                            : resida_solver_start(s, 0, m->p0, m->n_g ? v0 : m->v0, is_set ? &o->start : NULL, NULL);
    if (out->status == RESIDA_ERR_OPTION) out->created = RESIDA_ERR_OPTION;
    if (out->status >= 0) out->status = resida_solver_advance(s, T_END);
    snprintf(out->why.text, sizeof out->why.text, "%s", resida_solver_message(s));
    if (out->status < 0) return;
    resida_solver_state(s, &end);
    resida_solver_stats(s, &out->stats);
    memcpy(out->y, end.y, (size_t)out->stats.n * sizeof *end.y);
}

static outcome run(const char *form, const told *o)
{
    outcome out = {.status = RESIDA_OK};
    const small_model *m = model_of(form);
    resida_problem *problem = NULL;
    resida_solver *s = NULL;
    observed = 0;
    out.created = small_problem(&problem, m, &o->problem, &out.why);
    if (out.created == RESIDA_OK) out.created = resida_solver_create(&s, problem, &o->solver, &out.why);
    if (out.created == RESIDA_OK) integrate(m, s, o, &out);
    out.observed = observed;
    test_solver_free(s, problem);
    return out;
}

static int differs(const outcome *x, const outcome *y)
{
    const resida_stats *a = &x->stats, *b = &y->stats;
    return x->status != y->status || x->observed != y->observed || memcmp(x->y, y->y, sizeof x->y) != 0 ||
           a->steps != b->steps || a->residual_calls.total != b->residual_calls.total ||
           a->newton_iterations != b->newton_iterations || a->factorisations != b->factorisations ||
           (a->linear_solver && b->linear_solver && strcmp(a->linear_solver, b->linear_solver) != 0) ||
           (a->jacobian && b->jacobian && strcmp(a->jacobian, b->jacobian) != 0);
}

/* Refused, and the message says what and with what. */
static void expect_refusal(const char *name, const char *with, const char *what, const outcome *x)
{
    char use[200];
    resida_option_text(resida_option_find(name), use, sizeof use);
    const char *words = claims_text(" has no effect with %s %s: it is for ", with, what);
    const char *reason = strstr(x->why.text, words);
    if (x->created != RESIDA_ERR_OPTION || strncmp(x->why.text, name, strlen(name)) != 0 || !reason)
        fail_msg("%s, %s %s: not refused by name: %s", name, with, what, x->why.text);
    assert_string_equal(reason + strlen(words), use);
}

/* 1: an effect. -1: this combination is not possible at all. */
static int try(int i, const char *form, const char *method)
{
    const resida_option *option = resida_option_find(settings[i].name);
    told o = usual(form, method);
    const outcome plain = run(form, &o);
    if (plain.created != RESIDA_OK) return -1;
    assert_int_equal(plain.status, RESIDA_OK);
    const int has_form = resida_option_fits(option, form, NULL), has_method = resida_option_fits(option, NULL, method);
    if (settings[i].prepare && has_form && has_method) apply(settings[i].prepare, &o);
    const outcome without = run(form, &o);
    apply(settings[i].change, &o);
    const outcome with = run(form, &o);
    if (!has_form && !(option->place == RESIDA_OPTION_OF_START && strcmp(form, "dae") == 0))
        expect_refusal(settings[i].name, "form", form, &with);
    else if (!has_method)
        expect_refusal(settings[i].name, "method", method, &with);
    else if (with.created != RESIDA_OK)
        assert_true(with.created == RESIDA_ERR_OPTION && strstr(with.why.text, "no effect with") == NULL);
    return with.created == RESIDA_OK && differs(&without, &with);
}

/* Is there a form, a method, with which it has none? */
static int is_for_some_forms(const resida_option *option)
{
    for (int f = 0; f < n_forms; f++)
        if (!resida_option_fits(option, forms[f], NULL)) return 1;
    return 0;
}

static int is_for_some_methods(const resida_option *option)
{
    for (int k = 0; k < n_methods; k++)
        if (!resida_option_fits(option, NULL, methods[k])) return 1;
    return 0;
}

/* With each form and each method that the table names there is an effect: with some method, with some form. */
static void check_named(int i, int effects[MOST][MOST])
{
    const resida_option *option = resida_option_find(settings[i].name);
    int all = 0;
    for (int f = 0; f < n_forms; f++) {
        int seen = 0;
        for (int k = 0; k < n_methods; k++) seen += effects[f][k] == 1;
        all += seen;
        if (is_for_some_forms(option) && !seen && resida_option_fits(option, forms[f], NULL) && !settings[i].is_quiet)
            fail_msg("%s has no effect with form %s", option->name, forms[f]);
    }
    for (int k = 0; k < n_methods; k++) {
        int seen = 0;
        for (int f = 0; f < n_forms; f++) seen += effects[f][k] == 1;
        if (is_for_some_methods(option) && !seen && resida_option_fits(option, NULL, methods[k]) &&
            !settings[i].is_quiet)
            fail_msg("%s has no effect with method %s", option->name, methods[k]);
    }
    if (all == 0 && !settings[i].is_quiet) fail_msg("%s has no effect", option->name);
}

CLAIM(an_option_has_an_effect_where_the_table_says_so_and_is_refused_where_not)
{
    int effects[MOST][MOST], tried = 0;
    for (int i = 0; i < N_SETTINGS; i++) {
        for (int f = 0; f < n_forms; f++)
            for (int k = 0; k < n_methods; k++) tried += (effects[f][k] = try(i, forms[f], methods[k])) >= 0;
        check_named(i, effects);
    }
    print_message("%d options, %d combinations\n", N_SETTINGS, tried);
    assert_true(tried > 5000);
}

/* Every option that the table limits is tried above. */
CLAIM(no_limited_option_is_left_out)
{
    static const char *const aside[] = {"projection_matrix", "observer_user", "threads",         "event_parts",
                                        "min_order",         "repair",        "root_directions", "sign_each",
                                        "contacts",          "root_lam"};
    for (int j = 0; resida_option_at(j); j++) {
        const resida_option *option = resida_option_at(j);
        int is_tried = !is_for_some_forms(option) && !is_for_some_methods(option) && !option->when;
        for (int i = 0; i < N_SETTINGS; i++) is_tried |= strcmp(settings[i].name, option->name) == 0;
        for (size_t i = 0; i < sizeof aside / sizeof *aside; i++) is_tried |= strcmp(aside[i], option->name) == 0;
        if (!is_tried) fail_msg("%s is not tried", option->name);
    }
}

/* What the table says in words: an option, and what takes its effect away. */
CLAIM(conditions_that_do_not_hold_are_refused_by_name)
{
    static const struct {
        const char *form, *method;
        const change *set, *against;
        const char *says;
    } cases[] = {
        {"index3", "bdf", &projection, NULL, "projection = B has no effect here"},
        {"ggl", "bdf", &absolute, &each_atol, "atol = 1e-09 has no effect here"},
        {"ggl", "bdf", &stability_detection, &max_order, "stability_detection = 0 has no effect here"},
        {"index3", "newmark", &h_max, NULL, "h_max = 0.001 has no effect here"},
        {"ode", "bdf", &error_test, NULL, "error_test = all has no effect here"},
        {"hiller-anantharaman", "bdf", &error_test, NULL, "error_test = all has no effect here"},
        {"dae", "bdf", &error_test, NULL, "error_test = all has no effect here"},
        {"ggl", "bdf", &differential_test, NULL, "error_test = differential has no effect here"},
        {"ggl", "bdf2", &newton_tolerance, &newton_to_rounding, "newton_tolerance = 1e-06 has no effect here"},
        {"ggl", "bdf2", &newton_h_weights, &newton_to_rounding, "newton_h_weights = 0 has no effect here"},
        {"ode", "bdf", &newton_h_weights, NULL, "newton_h_weights = 0 has no effect here"},
        {"ggl", "bdf", &call_cost, &by_calls, "call_cost = measured has no effect here"},
        {"ggl", "radau-iia-3", &newton_to_rounding, &varies, "newton_to_rounding = 1 has no effect here"},
        {"ggl", "radau-iia-3", &h_first, NULL, "h_first = 1e-05 has no effect here"},
        {"ggl", "bdf", &left, NULL, "scaling = left has no effect with form ggl"},
        {"ggl", "bdf", &event_parts, NULL, "event_parts = 3 has no effect here"},
        {"index3", "bdf", &scaling_mass, &scaling, "scaling_mass = 700 has no effect here"},
        {"index3", "bdf", &scaling_damping, &left, "scaling_damping = 700 has no effect here"},
        {"index3", "bdf", &scaling_stiffness, &two_field, "scaling_stiffness = 700 has no effect here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told o = usual(cases[i].form, cases[i].method);
        apply(cases[i].set, &o);
        if (cases[i].against) apply(cases[i].against, &o);
        const outcome x = run(cases[i].form, &o);
        if (x.created != RESIDA_ERR_OPTION || strncmp(x.why.text, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("%s: %s", cases[i].says, x.why.text);
    }
}

int main(void)
{
    return claims_run(list_names, NULL);
}
