/* arguments_rows_problem.c - bad arguments of problem.h, start.h, jacobian.h. */
#include "arguments.h"

static int any_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    return -1;
}

/* Given exactly for "own". */
static void matrix_or_own_alone(world *w, int way)
{
    w->kept.problem_options.projection = way == 0 ? "own" : way == 1 ? "G" : "B";
    w->kept.problem_options.projection_matrix = way == 0 ? NULL : any_matrix;
}

static void give_allocator(world *w, int way)
{
    w->kept.problem_options.allocator = w->kept.jacobian_options.allocator = &w->kept.allocator;
}

static void r_overlaps(world *w, int way)
{
    w->a.r = way == 0 ? w->a.y : way == 1 ? w->a.yp : way == 2 ? w->a.y + ARG_N - 1 : w->a.yp - 1;
}

static void g_and_gv_overlap(world *w, int way)
{
    if (way == 0) w->a.g = w->a.gv;
    if (way == 1) w->a.g = w->a.p + 1;
    if (way == 2) w->a.gv = w->a.v;
}

/* Each output of the start on each input and each other output, whole or by one number: lam has no more. */
static void start_overlaps(world *w, int way)
{
    double **const arrays[] = {&w->a.p0, &w->a.v0, &w->a.p, &w->a.v, &w->a.a, &w->a.lam};
    int out = 2, in = way / 3, shift = way % 3 - 1;
    for (; in >= out; out++) in -= out;
    if (out == 5 && shift < 0) shift = 0;
    *arrays[out] = *arrays[in] + shift;
}

static void known_of_no_part(world *w, int way)
{
    w->kept.system.formalism = w->kept.system.constraint = NULL;
}

static void curved_of_no_part(world *w, int way)
{
    w->kept.system.curvature = w->kept.system.constraint;
    w->kept.system.formalism = w->kept.system.constraint = NULL;
    w->kept.system.n_y = 0;
}

/* One place each of the formalism and of the constraint part. */
static void give_places(world *w, int way)
{
    resida_system *s = &w->kept.system;
    s->n_formalism = s->n_constraint = 1;
    s->formalism_row = w->kept.place, s->formalism_column = w->kept.place + 1;
    s->constraint_row = w->kept.place + 2, s->constraint_column = w->kept.place + 3;
}

static void places_of_no_cheap_part(world *w, int way)
{
    give_places(w, 0);
    w->kept.system.formalism = w->kept.system.constraint = NULL;
    w->kept.system.n_y = 0;
}

static int some_derivative(double t, double alpha, const double *y, const double *yp, double *values, void *user)
{
    return 0;
}

static void derivative_without_places(world *w, int way)
{
    w->kept.system.derivative = some_derivative;
}

static void no_such_bit(world *w, int way)
{
    w->kept.columns[way] = way ? 255 : 16;
}

static void no_groups(world *w, int way)
{
    w->a.sparse = w->jacobian; /* "dense" */
}

static void no_setup_yet(world *w, int way)
{
    assert_int_equal(resida_jacobian_create(&w->out.jacobian, &w->kept.system, NULL, NULL), RESIDA_OK);
    w->a.j = w->out.jacobian;
}

static int some_roots(double t, const double *p, const double *v, const double *lam, const resida_excitation *e,
                      double *out, void *user)
{
    out[0] = lam[0] + 1000;
    return 0;
}

static void roots_in_place(world *w, int way)
{
    w->kept.problem_options.root_lam = some_roots;
    w->kept.m.root = NULL;
}

static void roots_twice_or_without_number(world *w, int way)
{
    w->kept.problem_options.root_lam = some_roots;
    if (way) w->kept.m.root = NULL, w->kept.m.n_root = 0;
}

static void roots_without_multipliers(world *w, int way)
{
    roots_in_place(w, way);
    w->kept.m.n_g = 0;
    w->kept.m.constraint = NULL;
}

#define O(field)      kept.problem_options.field
#define SYSTEM(field) kept.system.field
#define JO(field)     kept.jacobian_options.field

/* A member of an allocator that is NULL. */
#define ALLOCATOR(function, member, S)                                                                                 \
    GIVEN(function, "o.allocator." #member, NULL, give_allocator, ARG_POINTER, kept.allocator.member, S, 0)

/* A list of places that is missing, or points outside. */
#define PLACES(list, i)                                                                                                \
    GIVEN("resida_jacobian_create", "s." #list, NULL, give_places, ARG_POINTER, SYSTEM(list), ARGUMENT, 0),            \
        GIVEN("resida_jacobian_create", "s." #list, NULL, give_places, ARG_INT, kept.place[i], ARGUMENT, 2, -1)

/* What mechanisms and general DAEs have in common. */
#define CREATE(function)                                                                                               \
    NULLED(function, "problem", a.problem_out, ARGUMENT), NULLED(function, "why", a.why, OK),                          \
        NULLED(function, "o", a.problem_options, OK),                                                                  \
        WRONG_SIZES(function, "o.size", O(size), resida_problem_options), NULLED(function, "o.form", O(form), OPTION), \
        TEXTS(function, "o.form", O(form), OPTION, "", "GGL", "ggl ", "no such form"),                                 \
        INTS(function, "o.formalism", O(formalism), OPTION, -1, 3, INT_MAX, INT_MIN),                                  \
        REALS(function, "o.gamma", O(gamma), OPTION, -1, NOT_FINITE),                                                  \
        REALS(function, "o.penalty", O(penalty), OPTION, -1, NOT_FINITE),                                              \
        NULLED(function, "o.projection", O(projection), OPTION),                                                       \
        TEXTS(function, "o.projection", O(projection), OPTION, "", "g", "G ", "frozen"),                               \
        WAYS(function, "o.projection_matrix", 3, matrix_or_own_alone, OPTION),                                         \
        INTS(function, "o.step_projection", O(step_projection), OPTION, -1, 2, INT_MAX, INT_MIN),                      \
        NULLED(function, "o.allocator", O(allocator), OK), ALLOCATOR(function, allocate, OPTION),                      \
        ALLOCATOR(function, free, OPTION)

const arg_row arg_rows_problem[] = {
    NULLED("resida_problem_options_init", "o", a.problem_options, OK),
    CREATE("resida_problem_create"),
    WAYS("resida_problem_create", "o.root_lam", 1, roots_in_place, OK),
    WAYS("resida_problem_create", "o.root_lam", 2, roots_twice_or_without_number, MODEL),
    WAYS("resida_problem_create", "o.root_lam", 1, roots_without_multipliers, OPTION),
    CREATE("resida_problem_create_dae"),
    WAYS("resida_problem_create_dae", "o.root_lam", 1, roots_in_place, OPTION),
    NULLED("resida_problem_free", "problem", a.dae_problem, OK),
    NULLED("resida_problem_layout", "problem", a.problem, ARGUMENT),
    NULLED("resida_problem_layout", "layout", a.layout, ARGUMENT),
    NULLED("resida_problem_kinds", "problem", a.problem, OK),
    NULLED("resida_problem_form", "problem", a.problem, OK),
    NULLED("resida_problem_formalism", "problem", a.problem, OK),
    NULLED("resida_problem_component_name", "problem", a.problem, ARGUMENT),
    INTS("resida_problem_component_name", "i", a.i, ARGUMENT, -1, ARG_N, INT_MAX, INT_MIN),
    NULLED("resida_problem_component_name", "text", a.text, ARGUMENT),
    SIZES("resida_problem_component_name", "size", a.size, ARGUMENT, 0),
    SIZES("resida_problem_component_name", "size", a.size, OK, 1),
    REALS("resida_problem_residual", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_residual", "y", a.y, ARGUMENT),
    NULLED("resida_problem_residual", "yp", a.yp, ARGUMENT),
    NULLED("resida_problem_residual", "r", a.r, ARGUMENT),
    NULLED("resida_problem_residual", "problem", a.problem, ARGUMENT),
    WAYS("resida_problem_residual", "r", 4, r_overlaps, ARGUMENT),
    NULLED("resida_problem_constraints", "problem", a.problem, ARGUMENT),
    WAYS("resida_problem_constraints", "problem", 1, arg_other_problem, ARGUMENT),
    REALS("resida_problem_constraints", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_constraints", "p", a.p, ARGUMENT),
    NULLED("resida_problem_constraints", "v", a.v, ARGUMENT),
    NULLED("resida_problem_constraints", "g", a.g, OK),
    NULLED("resida_problem_constraints", "gv", a.gv, OK),
    WAYS("resida_problem_constraints", "g", 3, g_and_gv_overlap, ARGUMENT),

    NULLED("resida_problem_invariants", "problem", a.problem, ARGUMENT),
    WAYS("resida_problem_invariants", "problem", 1, arg_other_problem, ARGUMENT),
    REALS("resida_problem_invariants", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_invariants", "p", a.p, ARGUMENT),
    NULLED("resida_problem_invariants", "k", a.g, OK), /* the problem has none */

    NULLED("resida_start_options_init", "o", a.start_options, OK),
    NULLED("resida_problem_start", "problem", a.problem, ARGUMENT),
    WAYS_SAYING("resida_problem_start", "problem", "DAE", 1, arg_other_problem, ARGUMENT),
    REALS("resida_problem_start", "t", a.t, ARGUMENT, NOT_FINITE),
    START("resida_problem_start", "p0", "v0"),
    START_OPTIONS("resida_problem_start"),
    NULLED("resida_problem_start", "p", a.p, ARGUMENT),
    NULLED("resida_problem_start", "v", a.v, ARGUMENT),
    NULLED("resida_problem_start", "a", a.a, ARGUMENT),
    NULLED("resida_problem_start", "lam", a.lam, ARGUMENT),
    WAYS_SAYING("resida_problem_start", "p", "overlap", 42, start_overlaps, ARGUMENT),
    NULLED("resida_problem_start", "report", a.report, OK),
    NULLED("resida_problem_start", "why", a.why, OK),

    NULLED("resida_system_init", "s", a.system, OK),
    NULLED("resida_jacobian_options_init", "o", a.jacobian_options, OK),
    NULLED("resida_jacobian_create", "j", a.jacobian_out, ARGUMENT),
    NULLED("resida_jacobian_create", "s", a.system, ARGUMENT),
    NULLED("resida_jacobian_create", "o", a.jacobian_options, OK),
    NULLED("resida_jacobian_create", "why", a.why, OK),
    WRONG_SIZES("resida_jacobian_create", "s.size", SYSTEM(size), resida_system),
    INTS("resida_jacobian_create", "s.n", SYSTEM(n), ARGUMENT, 0, -1, INT_MIN, INT_MAX),
    NULLED("resida_jacobian_create", "s.user", SYSTEM(user), OK),
    NULLED("resida_jacobian_create", "s.F", SYSTEM(F), ARGUMENT),
    NULLED("resida_jacobian_create", "s.formalism", SYSTEM(formalism), ARGUMENT),
    NULLED("resida_jacobian_create", "s.constraint", SYSTEM(constraint), ARGUMENT),
    WAYS("resida_jacobian_create", "s.curvature", 1, curved_of_no_part, ARGUMENT),
    INTS("resida_jacobian_create", "s.n_y", SYSTEM(n_y), ARGUMENT, -1, 5, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.n_y", SYSTEM(n_y), OK, 0, 1),
    WAYS("resida_jacobian_create", "s.n_y", 1, known_of_no_part, ARGUMENT),
    INTS("resida_jacobian_create", "s.n_yp", SYSTEM(n_yp), ARGUMENT, -1, 5, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.n_yp", SYSTEM(n_yp), OK, 0),
    NULLED("resida_jacobian_create", "s.around", SYSTEM(around), OK),
    NULLED("resida_jacobian_create", "s.y_latent", SYSTEM(y_latent), OK),
    NULLED("resida_jacobian_create", "s.yp_latent", SYSTEM(yp_latent), OK),
    NULLED("resida_jacobian_create", "s.y_row", SYSTEM(y_row), ARGUMENT),
    NULLED("resida_jacobian_create", "s.y_column", SYSTEM(y_column), ARGUMENT),
    NULLED("resida_jacobian_create", "s.yp_row", SYSTEM(yp_row), ARGUMENT),
    NULLED("resida_jacobian_create", "s.yp_column", SYSTEM(yp_column), ARGUMENT),
    INTS("resida_jacobian_create", "s.y_row", kept.y_row[1], ARGUMENT, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.y_column", kept.y_column[1], ARGUMENT, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.yp_row", kept.yp_row[0], ARGUMENT, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.yp_column", kept.yp_column[0], ARGUMENT, -1, 2, INT_MAX, INT_MIN),
    REALS("resida_jacobian_create", "s.cost_F", SYSTEM(cost_F), ARGUMENT, -1, NAN, INFINITY),
    REALS("resida_jacobian_create", "s.cost_constraint", SYSTEM(cost_constraint), ARGUMENT, -1, NAN, INFINITY),
    REALS("resida_jacobian_create", "s.cost_known", SYSTEM(cost_known), ARGUMENT, -1, NAN, INFINITY),
    REALS("resida_jacobian_create", "s.cost_derivative", SYSTEM(cost_derivative), ARGUMENT, -1, NAN, INFINITY),
    REALS("resida_jacobian_create", "s.cost_times", SYSTEM(cost_times), ARGUMENT, -1, NAN, INFINITY),
    REALS("resida_jacobian_create", "s.constraint_rounding", SYSTEM(constraint_rounding), ARGUMENT, -1e-20, NAN, 1),
    NULLED("resida_jacobian_create", "s.times", SYSTEM(times), OK),
    REALS("resida_jacobian_create", "s.cost_F", SYSTEM(cost_F), OK, 0, 1e300),
    REALS("resida_jacobian_create", "s.cost_constraint", SYSTEM(cost_constraint), OK, 0, 1e300),
    REALS("resida_jacobian_create", "s.cost_known", SYSTEM(cost_known), OK, 0, 1e300),
    REALS("resida_jacobian_create", "s.cost_derivative", SYSTEM(cost_derivative), OK, 0, 1e300),
    NULLED("resida_jacobian_create", "s.known", SYSTEM(known), ARGUMENT),
    NULLED("resida_jacobian_create", "s.columns", SYSTEM(columns), OK),
    WAYS("resida_jacobian_create", "s.columns", 2, no_such_bit, ARGUMENT),
    INTS("resida_jacobian_create", "s.n_formalism", SYSTEM(n_formalism), ARGUMENT, -2, 5, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.n_formalism", SYSTEM(n_formalism), OK, 0),
    PLACES(formalism_row, 0),
    PLACES(formalism_column, 1),
    INTS("resida_jacobian_create", "s.n_constraint", SYSTEM(n_constraint), ARGUMENT, -2, 5, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "s.n_constraint", SYSTEM(n_constraint), OK, 0),
    WAYS_SAYING("resida_jacobian_create", "s.n_constraint", "n_constraint", 1, places_of_no_cheap_part, ARGUMENT),
    PLACES(constraint_row, 2),
    PLACES(constraint_column, 3),
    WAYS("resida_jacobian_create", "s.derivative", 1, derivative_without_places, ARGUMENT),
    INTS("resida_jacobian_create", "s.n_inputs", SYSTEM(n_inputs), ARGUMENT, -1, INT_MIN),
    INTS("resida_jacobian_create", "s.n_inputs", SYSTEM(n_inputs), OK, 0),
    NULLED("resida_jacobian_create", "s.inputs", SYSTEM(inputs), ARGUMENT),
    NULLED("resida_jacobian_create", "s.move_input", SYSTEM(move_input), ARGUMENT),
    INTS("resida_jacobian_create", "s.n_workers", SYSTEM(n_workers), ARGUMENT, -1, 1, INT_MIN, INT_MAX),
    NULLED("resida_jacobian_create", "s.worker", SYSTEM(worker), OK),
    NULLED("resida_jacobian_create", "s.begin_workers", SYSTEM(begin_workers), OK),
    NULLED("resida_jacobian_create", "s.end_workers", SYSTEM(end_workers), OK),
    WRONG_SIZES("resida_jacobian_create", "o.size", JO(size), resida_jacobian_options),
    NULLED("resida_jacobian_create", "o.strategy", JO(strategy), OPTION),
    TEXTS("resida_jacobian_create", "o.strategy", JO(strategy), OPTION, "", "no such strategy"),
    INTS("resida_jacobian_create", "o.differences", JO(differences), OPTION, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_jacobian_create", "o.threads", JO(threads), OPTION, 0, -1, 2, INT_MAX, INT_MIN),
    NULLED("resida_jacobian_create", "o.allocator", JO(allocator), OK),
    ALLOCATOR("resida_jacobian_create", allocate, OPTION),
    ALLOCATOR("resida_jacobian_create", free, OPTION),
    ALLOCATOR("resida_jacobian_create", context, OK),
    NULLED("resida_jacobian_free", "j", a.j, OK),
    NULLED("resida_jacobian_reset", "j", a.j, OK),
    NULLED("resida_jacobian_setup", "j", a.j, ARGUMENT),
    INTS("resida_jacobian_setup", "reason", a.reason, ARGUMENT, -1, 6, INT_MAX, INT_MIN),
    INTS("resida_jacobian_setup", "reason", a.reason, OK, 0, 1, 2, 3, 4, RESIDA_SETUP_AGE),
    NULLED("resida_jacobian_setup", "at", a.at, ARGUMENT),
    REALS("resida_jacobian_setup", "at.t", kept.at.t, ARGUMENT, NOT_FINITE),
    REALS("resida_jacobian_setup", "at.alpha", kept.at.alpha, ARGUMENT, NOT_FINITE),
    REALS("resida_jacobian_setup", "at.h", kept.at.h, ARGUMENT, NOT_FINITE),
    REALS("resida_jacobian_setup", "at.since", kept.at.since, ARGUMENT, NOT_FINITE),
    NULLED("resida_jacobian_setup", "at.y", kept.at.y, ARGUMENT),
    NULLED("resida_jacobian_setup", "at.yp", kept.at.yp, ARGUMENT),
    NULLED("resida_jacobian_setup", "at.F", kept.at.F, ARGUMENT),
    NULLED("resida_jacobian_setup", "at.weights", kept.at.weights, OK),
    NULLED("resida_jacobian_setup", "current", a.current, ARGUMENT),
    NULLED("resida_jacobian_prepare", "j", a.j, ARGUMENT),
    NULLED("resida_jacobian_prepare", "at", a.at, ARGUMENT),
    REALS("resida_jacobian_prepare", "at.t", kept.at.t, ARGUMENT, NOT_FINITE),
    REALS("resida_jacobian_prepare", "at.alpha", kept.at.alpha, ARGUMENT, NOT_FINITE),
    NULLED("resida_jacobian_prepare", "at.y", kept.at.y, ARGUMENT),
    NULLED("resida_jacobian_prepare", "at.F", kept.at.F, ARGUMENT),
    NULLED("resida_jacobian_prepare", "at.weights", kept.at.weights, ARGUMENT),
    REALS("resida_jacobian_prepare", "tolerance", a.tolerance, ARGUMENT, NOT_FINITE, 0, -1),
    NULLED("resida_jacobian_solve", "j", a.sparse, ARGUMENT),
    WAYS("resida_jacobian_solve", "j", 1, no_groups, RESIDA_ERR_STATE), /* not prepared */
    NULLED("resida_jacobian_solve", "F", a.y, ARGUMENT),
    NULLED("resida_jacobian_solve", "delta", a.r, ARGUMENT),
    NULLED("resida_jacobian_report", "j", a.sparse, OK),
    REALS("resida_jacobian_report", "norm", a.norm, OK, NOT_FINITE),
    NULLED("resida_jacobian_get_matrix", "j", a.j, ARGUMENT),
    WAYS("resida_jacobian_get_matrix", "j", 1, no_setup_yet, RESIDA_ERR_STATE),
    NULLED("resida_jacobian_get_matrix", "J", a.matrix, ARGUMENT),
    NULLED("resida_jacobian_get_groups", "j", a.sparse, ARGUMENT),
    WAYS("resida_jacobian_get_groups", "j", 1, no_groups, RESIDA_ERR_STATE),
    NULLED("resida_jacobian_get_groups", "group", a.group, ARGUMENT),
    NULLED("resida_jacobian_get_groups", "n_groups", a.n_groups, ARGUMENT),
    NULLED("resida_jacobian_grouping", "j", a.sparse, OK),
    NULLED("resida_jacobian_request", "j", a.j, ARGUMENT),
    INTS("resida_jacobian_request", "what", a.what, ARGUMENT, 0, 2, 4, -1, INT_MAX, INT_MIN),
    NULLED("resida_jacobian_reason", "j", a.j, OK),
    NULLED("resida_jacobian_is_requested", "j", a.j, OK),
    NULLED("resida_jacobian_strategy", "j", a.j, OK),
    NULLED("resida_jacobian_get_counts", "j", a.j, ARGUMENT),
    NULLED("resida_jacobian_get_counts", "counts", a.counts, ARGUMENT),
    END_OF_ROWS,
};
