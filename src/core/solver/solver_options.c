/* solver_options.c - the table of resida_solver_options, and checks that the table does not contain. */
#include "solver_impl.h"

#include "base/linear/linear_solver.h"

#include <math.h>
#include <string.h>

enum { MAX_THREADS = 1024, MAX_PARTS = 1000, MAX_ORDER = 5 }; /* MAX_ORDER: as in IDA */
#define SLOWEST_RATE 0.9                                      /* maximum convergence rate of a Newton iteration */

static const rsd_range share = {"in 0..1", 0, 1, 0, 0};
static const rsd_range positive_share = {"> 0 and <= 1", 0, 1, 1, 0}, any_share = {">= 0 and <= 1", 0, 1, 0, 0};
static const rsd_range upper_half = {">= 1/2 and <= 1", 0.5, 1, 0, 0};
static const rsd_range rate = {"in 0..0.9", 0, SLOWEST_RATE, 0, 0}, order = {"in 1..5", 1, MAX_ORDER, 0, 0};
static const rsd_range min_order_range = {"in 1..2", 1, 2, 0, 0};
static const rsd_range parts = {"in 0..1000", 0, MAX_PARTS, 0, 0}, threads = {"in 1..1024", 1, MAX_THREADS, 0, 0};
static const rsd_range a_time = {"a time, or infinite", -INFINITY, INFINITY, 1, 0};

static const char *const start_ups[] = {"auto", "lower-orders", "radau", NULL};
static const char *const error_tests[] = {"auto", "all", "differential", NULL};
static const char *const call_costs[] = {"assumed", "measured", NULL};

/* Conditions under which an option has an effect. The text `when` of a line of the table describes the condition. */
typedef enum condition {
    ALWAYS,
    NO_RTOL_EACH,
    NO_ATOL_EACH,
    ABOVE_ORDER_1,
    ABOVE_ORDER_LIMIT,
    ADAPTS,
    VARIES,
    HAS_STEP,
    ANOTHER_TEST,
    TO_TOLERANCE,
    UNEQUAL_WEIGHTS,
    RENEWS_J,
    SCALES_LAM,
    HAS_ROOTS,
    WEIGHS_CALLS
} condition;

/* Return 1 if the error test `test` includes other components than the error test "auto". */
static int changes_error_test(const resida_problem *problem, resida_error_test test)
{
    for (int i = 0; i < problem->layout.n; i++) {
        const resida_kind kind = problem->kinds[i];
        if (test == RESIDA_ERROR_TEST_ALL && kind >= RESIDA_ALGEBRAIC_2) return 1;
        if (test == RESIDA_ERROR_TEST_DIFFERENTIAL && kind == RESIDA_ALGEBRAIC) return 1;
    }
    return 0;
}

/* Return 1 if the strategy of J is `name`, or if it may become `name` because it is "auto" or unknown (NULL). */
static int may_be_strategy(const char *strategy, const char *name)
{
    return !strategy || strcmp(strategy, "auto") == 0 || strcmp(strategy, name) == 0;
}

static int is_condition_met(const rsd_option_case *c, int which)
{
    const resida_solver_options *o = c->options;
    const int varies = !(o->step > 0), has_higher_index = changes_error_test(c->problem, RESIDA_ERROR_TEST_ALL);
    const int is_satisfied[] = {
        [ALWAYS] = 1,
        [NO_RTOL_EACH] = !o->rtol_each,
        [NO_ATOL_EACH] = !o->atol_each,
        [ABOVE_ORDER_1] = o->max_order > 1,
        [ABOVE_ORDER_LIMIT] = o->max_order > RSD_STABLE_ORDER,
        [ADAPTS] = o->adaptive || varies,
        [VARIES] = varies,
        [HAS_STEP] = !varies,
        [ANOTHER_TEST] = varies && changes_error_test(c->problem, o->error_test),
        [TO_TOLERANCE] = !o->newton_to_rounding,
        [UNEQUAL_WEIGHTS] = !o->newton_to_rounding && has_higher_index,
        [RENEWS_J] = may_be_strategy(c->strategy, "fresh"),
        [SCALES_LAM] = strcmp(o->scaling, "auto") == 0 || strstr(o->scaling, "lam") != NULL,
        [HAS_ROOTS] = rsd_problem_get_n_root(c->problem) > 0,
        [WEIGHS_CALLS] = varies && may_be_strategy(c->strategy, "user"),
    };
    return is_satisfied[which];
}

/* --- the table of solver options --- */

static const rsd_title titles[] = {
    {RSD_METHOD_FIXED, "steps of a fixed size"}, {RSD_METHOD_MULTISTEP, "methods bdf2 .. bdf6"}, {0, NULL}};
static const rsd_names methods = {"method", resida_method_at, rsd_method_traits, titles};

#define INDEX_3  RSD_FORM_INDEX_3
#define BDF      RSD_METHOD_VARIABLE
#define FIXED    RSD_METHOD_FIXED
#define ADAPTIVE RSD_METHOD_ADAPTIVE
#define VARIABLE (RSD_METHOD_VARIABLE | RSD_METHOD_EMBEDDED)
#define BETA     RSD_METHOD_WITH_BETA

/* First fields of a line: name, type and offset of a member, and the text of a condition besides form and method. */
#define SOLVER(member, type, when)                                                                                     \
    .about = {#member, RESIDA_OPTION_OF_SOLVER, when}, .kind = (type), .offset = offsetof(resida_solver_options, member)

#define NO_STEP      "without step"
#define CHANGES      .may_change = 1

#define WITH_LAM     "with scaling lam, lam+v or two-field-lam"
#define HIGHER_INDEX "with unknowns of index 2 or 3, without newton_to_rounding"
#define OTHER_TEST   "if it tests other components than auto"
#define NOT_USER     "with a jacobian other than user"
#define RENEWED      "with jacobian auto or fresh"
#define WEIGHED      "with jacobian auto or user"

/* clang-format off */
static const rsd_option lines[] = {
    {SOLVER(rtol, RSD_REAL, "without rtol_each"), .usual = 1e-6, .range = &rsd_open_part, .condition = NO_RTOL_EACH,
     CHANGES},
    {SOLVER(atol, RSD_REAL, "without atol_each"), .usual = 1e-6, .range = &rsd_amount, .condition = NO_ATOL_EACH,
     CHANGES},
    {SOLVER(rtol_each, RSD_POINTER, NULL), CHANGES},
    {SOLVER(atol_each, RSD_POINTER, NULL), CHANGES},
    {SOLVER(method, RSD_WORD, NULL), .usual_word = "bdf"},
    {SOLVER(step, RSD_REAL, NULL), .methods = FIXED, .range = &rsd_amount},
    {SOLVER(adaptive, RSD_INT, NULL), .methods = ADAPTIVE, .range = &rsd_on_off},
    {SOLVER(rho_infinity, RSD_REAL, NULL), .methods = RSD_METHOD_WITH_RHO, .usual = 0.8, .range = &share},
    {SOLVER(newmark_beta, RSD_REAL, NULL), .methods = BETA, .usual = 0.25, .range = &positive_share},
    {SOLVER(newmark_gamma, RSD_REAL, NULL), .methods = BETA, .usual = 0.5, .range = &upper_half},
    {SOLVER(start_up, RSD_INT, NULL), .methods = RSD_METHOD_MULTISTEP, .range = &rsd_first_three,
     .value_names = start_ups},
    {SOLVER(newton_to_rounding, RSD_INT, NULL), .methods = FIXED, .range = &rsd_on_off, .condition = HAS_STEP},
    {SOLVER(observer, RSD_POINTER, NULL), .methods = FIXED, .condition = HAS_STEP},
    {SOLVER(observer_user, RSD_POINTER, NULL), .methods = FIXED, .condition = HAS_STEP},
    {SOLVER(min_order, RSD_INT, "with max_order > 1"), .methods = BDF, .usual = 2, .range = &min_order_range,
     .condition = ABOVE_ORDER_1},
    {SOLVER(max_order, RSD_INT, NULL), .methods = BDF, .usual = MAX_ORDER, .range = &order},
    {SOLVER(stability_detection, RSD_INT, "with max_order > 2"), .methods = BDF, .usual = 1, .range = &rsd_on_off,
     .condition = ABOVE_ORDER_LIMIT},
    {SOLVER(h_first, RSD_REAL, NO_STEP), .methods = VARIABLE, .range = &rsd_amount, .condition = VARIES},
    {SOLVER(h_max, RSD_REAL, "with steps that adapt"), .methods = VARIABLE | ADAPTIVE, .usual = INFINITY,
     .range = &rsd_above_0, .condition = ADAPTS, CHANGES},
    {SOLVER(t_stop, RSD_REAL, NULL), .usual = INFINITY, .range = &a_time},
    {SOLVER(max_steps, RSD_LONG, NULL), .usual = 1e9, .range = &rsd_above_0, CHANGES},
    {SOLVER(max_residuals, RSD_LONG, NULL), .usual = 1e12, .range = &rsd_above_0, CHANGES},
    {SOLVER(time_limit_s, RSD_REAL, NULL), .usual = INFINITY, .range = &rsd_above_0, CHANGES},
    {SOLVER(error_test, RSD_INT, OTHER_TEST), .methods = VARIABLE, .range = &rsd_first_three,
     .value_names = error_tests, .condition = ANOTHER_TEST},
    {SOLVER(newton_tolerance, RSD_REAL, "without newton_to_rounding"), .range = &any_share,
     .condition = TO_TOLERANCE},
    {SOLVER(newton_h_weights, RSD_INT, HIGHER_INDEX), .usual = 1, .range = &rsd_on_off, .condition = UNEQUAL_WEIGHTS},
    {SOLVER(jacobian, RSD_WORD, NULL), .usual_word = "auto"},
    {SOLVER(sign_each, RSD_POINTER, NULL), .methods = BDF},
    {SOLVER(slow_rate, RSD_REAL, NO_STEP), .methods = VARIABLE, .range = &rate, .condition = VARIES},
    {SOLVER(max_age, RSD_LONG, NO_STEP), .methods = VARIABLE, .range = &rsd_at_least_0, .condition = VARIES},
    {SOLVER(repair, RSD_INT, RENEWED), .methods = BDF, .usual = 1, .range = &rsd_on_off, .condition = RENEWS_J},
    {SOLVER(scaling, RSD_WORD, NULL), .forms = INDEX_3, .usual_word = "auto"},
    {SOLVER(scaling_mass, RSD_REAL, WITH_LAM), .forms = INDEX_3, .range = &rsd_amount, .condition = SCALES_LAM},
    {SOLVER(scaling_damping, RSD_REAL, WITH_LAM), .forms = INDEX_3, .range = &rsd_amount,
     .condition = SCALES_LAM},
    {SOLVER(scaling_stiffness, RSD_REAL, WITH_LAM), .forms = INDEX_3, .range = &rsd_amount,
     .condition = SCALES_LAM},
    {SOLVER(linear_solver, RSD_WORD, NULL), .usual_word = "auto", .value_names = rsd_linear_kinds},
    {SOLVER(differences, RSD_INT, "where something is differenced"), .range = &rsd_first_two},
    {SOLVER(threads, RSD_INT, NOT_USER), .usual = 1, .range = &threads},
    {SOLVER(event_parts, RSD_INT, "with root functions"), .usual = 1, .range = &parts, .condition = HAS_ROOTS},
    {SOLVER(root_directions, RSD_POINTER, "with root functions"), .condition = HAS_ROOTS, CHANGES},
    {SOLVER(call_cost, RSD_WORD, WEIGHED), .methods = VARIABLE, .usual_word = "assumed", .value_names = call_costs,
     .condition = WEIGHS_CALLS},
    {SOLVER(profile, RSD_INT, NULL), .range = &rsd_on_off},
    {SOLVER(monitor, RSD_POINTER, NULL)},
    {SOLVER(monitor_user, RSD_POINTER, NULL)},
    {SOLVER(accepted, RSD_POINTER, NULL)},
    {SOLVER(accepted_user, RSD_POINTER, NULL)},
};
/* clang-format on */

const rsd_options rsd_solver_table = {lines, sizeof lines / sizeof *lines, &methods, is_condition_met};
_Static_assert(sizeof(resida_error_test) == sizeof(int) && sizeof(resida_start_up) == sizeof(int) &&
                   sizeof(resida_differences) == sizeof(int),
               "an enum is read as an int");

void resida_solver_options_init(resida_solver_options *o)
{
    if (!o) return;
    *o = (resida_solver_options){.size = sizeof *o};
    rsd_option_set_defaults(&rsd_solver_table, o);
}

/* --- checks that are not ranges of a number --- */

/* Check the name of the method and the options that it requires. With variable steps, lam of a form of index 3 has
 * errors of order 1 in the first steps after a start, which would be roots of root_lam. */
static resida_status check_method(const resida_solver_options *o, const resida_problem *problem, resida_message *why)
{
    if (rsd_method_traits(o->method) == 0) {
        rsd_fail(why, RESIDA_ERR_OPTION, "method = %s, must be one of", o->method);
        for (int i = 0; resida_method_at(i); i++) rsd_message_append(why, "%s %s", i ? "," : "", resida_method_at(i));
        return RESIDA_ERR_OPTION;
    }
    const unsigned traits = rsd_method_traits(o->method);
    if ((traits & RSD_METHOD_FIXED) && !(traits & RSD_METHOD_EMBEDDED) && !(o->step > 0))
        return rsd_fail(why, RESIDA_ERR_OPTION, "step = %g, must be > 0 for method %s", o->step, o->method);
    if (problem->o.root_lam && problem->form->level == RSD_POSITION && !(o->step > 0))
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "root_lam: form %s with variable steps has a wrong lam after each start; use form ggl or "
                        "a step",
                        problem->o.form);
    return RESIDA_OK;
}

static resida_status check_array(const char *name, const double *each, int n, resida_message *why)
{
    for (int i = 0; each && i < n; i++)
        if (!(each[i] >= 0) || !isfinite(each[i]))
            return rsd_fail(why, RESIDA_ERR_OPTION, "%s[%d] = %g, must be >= 0 and finite", name, i, each[i]);
    return RESIDA_OK;
}

static resida_status check_integers(const char *name, const int *each, int n, int max, resida_message *why)
{
    for (int i = 0; each && i < n; i++)
        if (each[i] < -max || each[i] > max)
            return rsd_fail(why, RESIDA_ERR_OPTION, "%s[%d] = %d, must be in %d..%d", name, i, each[i], -max, max);
    return RESIDA_OK;
}

resida_status rsd_check_solver_options(const resida_solver_options *o, const resida_problem *problem,
                                       resida_message *why)
{
    RSD_TRY(rsd_check_size("solver options", o->size, sizeof *o, why));
    RSD_TRY(rsd_option_check_ranges(&rsd_solver_table, o, why));
    RSD_TRY(check_method(o, problem, why));
    RSD_TRY(check_array("rtol_each", o->rtol_each, problem->layout.n, why));
    RSD_TRY(check_array("atol_each", o->atol_each, problem->layout.n, why));
    RSD_TRY(check_integers("sign_each", o->sign_each, problem->layout.n, 2, why));
    return check_integers("root_directions", o->root_directions, rsd_problem_get_n_root(problem), 1, why);
}
