/* arguments_rows_model.c - bad arguments of mechanism.h, dae.h, model.h, status.h. */
#include "arguments.h"

/* A pattern for a matrix with two rows and two columns, wrong in one of six ways. */
static resida_pattern wrong_pattern(world *w, int way)
{
    static const int rows[6][3] = {{1, 2, 3}, {0, 2, 1}, {0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1 << 20, 1 << 20}};
    static const int cols[6][3] = {{0, 1, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 2, 0}, {1, 0, 0}, {0, 1, 2}};
    for (int i = 0; i < 3; i++) {
        w->kept.row[i] = rows[way][i];
        w->kept.col[i] = cols[way][i];
    }
    return (resida_pattern){w->kept.row, w->kept.col};
}

/* Ways 6: no columns. */
static resida_pattern pattern(world *w, int way)
{
    if (way < 6) return wrong_pattern(w, way);
    w->kept.row[1] = w->kept.row[2] = 1;
    return (resida_pattern){w->kept.row, NULL};
}

static int some_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    return 0;
}

static int some_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    return 0;
}

static void spoil_G(world *w, int way)
{
    w->kept.m.n_g = 2;
    w->kept.m.G_pattern = pattern(w, way);
}

static void spoil_M(world *w, int way)
{
    w->kept.m.mass_matrix = some_matrix;
    w->kept.m.M_pattern = pattern(w, way);
}

static void spoil_T(world *w, int way)
{
    w->kept.m.kinematic_matrix = some_matrix;
    w->kept.m.T_pattern = pattern(w, way);
}

/* Two invariants of four positions: those of the ways that are wrong for four columns, too. */
static void spoil_K(world *w, int way)
{
    static const int ways[5] = {0, 1, 2, 4, 6};
    w->kept.m.n_p = 4;
    w->kept.m.n_k = 2;
    w->kept.m.kinematic_matrix = w->kept.m.invariant = some_matrix;
    w->kept.m.K_pattern = pattern(w, ways[way]);
}

static void invariant_without_n_k(world *w, int way)
{
    w->kept.m.n_p = way == 2 ? 3 : 2;
    w->kept.m.n_k = way == 2;
    w->kept.m.kinematic_matrix = some_matrix;
    w->kept.m.invariant = way == 0 ? some_matrix : NULL;
    w->kept.m.invariant_matrix = way == 1 ? some_matrix : NULL;
}

static void spoil_Gh(world *w, int way)
{
    w->kept.m.n_h = 2;
    w->kept.m.nonholonomic_matrix = some_matrix;
    w->kept.m.Gh_pattern = pattern(w, way);
}

static int some_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                            const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    return 0;
}

static int some_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                         double *J, void *user)
{
    return 0;
}

/* The last way: one of the two alone. */
static void spoil_Phi_p(world *w, int way)
{
    static const int row[] = {0, 1, 2}, col[] = {0, 1};
    if (way < 7) w->kept.m.Phi_v_pattern = (resida_pattern){row, col};
    w->kept.m.Phi_p_pattern = way < 7 ? pattern(w, way) : (resida_pattern){row, col};
}

static void spoil_Phi_v(world *w, int way)
{
    static const int row[] = {0, 1, 2}, col[] = {0, 1};
    if (way < 7) w->kept.m.Phi_p_pattern = (resida_pattern){row, col};
    w->kept.m.Phi_v_pattern = way < 7 ? pattern(w, way) : (resida_pattern){row, col};
}

static int some_residual_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                             const resida_excitation *e, double *r, void *user)
{
    return 0;
}

/* The last way: alone. */
static void spoil_Phi_lam(world *w, int way)
{
    static const int row[] = {0, 1, 2}, col[] = {0, 1};
    w->kept.m.residual = NULL;
    w->kept.m.acceleration = NULL;
    w->kept.m.residual_lam = some_residual_lam;
    w->kept.m.n_g = 2;
    if (way < 7) w->kept.m.Phi_p_pattern = w->kept.m.Phi_v_pattern = (resida_pattern){row, col};
    w->kept.m.Phi_lam_pattern = way < 7 ? pattern(w, way) : (resida_pattern){row, col};
}

/* Beside the formalisms that do not look at lam: beside the same one, beside the other one; or without constraints. */
static void one_too_many(world *w, int way, int is_residual)
{
    resida_mechanism *m = &w->kept.m;
    if (is_residual)
        m->residual_lam = some_residual_lam;
    else
        m->acceleration_lam = some_residual_lam; /* of the same type */
    if (way > 0 && is_residual) m->residual = NULL;
    if (way > 0 && !is_residual) m->acceleration = NULL;
    if (way < 2) return;
    m->residual = NULL, m->acceleration = NULL, m->constraint = NULL;
    m->n_g = 0;
}

/* Products with dg/dp: both or none. */
static int some_product(double t, const double *p, const double *x, const resida_excitation *e, double *out, void *user)
{
    return -1;
}

static void force_product_alone(world *w, int way)
{
    w->kept.m.constraint_force = some_product;
}

static void velocity_product_alone(world *w, int way)
{
    w->kept.m.constraint_velocity = some_product;
}

static void residual_lam_too_many(world *w, int way)
{
    one_too_many(w, way, 1);
}

static void acceleration_lam_too_many(world *w, int way)
{
    one_too_many(w, way, 0);
}

static void derivatives_without_mass(world *w, int way)
{
    w->kept.m.derivatives = some_derivatives;
    w->kept.m.mass_matrix = way ? some_matrix : NULL;
    if (way) w->kept.m.residual = NULL;
}

static void spoil_J(world *w, int way)
{
    w->kept.d.J_pattern = pattern(w, way);
}

static void give_jacobian(world *w, int way)
{
    w->kept.d.jacobian = some_jacobian;
}

static void no_formalism(world *w, int way)
{
    w->kept.m.residual = NULL;
    w->kept.m.acceleration = NULL;
}

static void nonholonomic_by_half(world *w, int way)
{
    w->kept.m.n_h = way;
    w->kept.m.nonholonomic_matrix = way ? NULL : some_matrix;
}

static void excitation_by_half(world *w, int way)
{
    w->kept.m.n_u = w->kept.d.n_u = way;
    w->kept.m.excitation = w->kept.d.excitation = way ? NULL : some_excitation;
}

/* Another mistake has to be made, for the name to be told. */
static void name_in_two_lines(world *w, int way)
{
    w->kept.m.name = "bad\nname";
    w->kept.m.n_p = 0;
}

static void a_name_is_null(world *w, int way)
{
    w->kept.names[1] = NULL;
    w->kept.m.p_names = way == 0 ? w->kept.names : NULL;
    w->kept.m.v_names = way == 1 ? w->kept.names : NULL;
    w->kept.m.g_names = way == 2 ? w->kept.names + 1 : NULL;
}

static void odd_option(world *w, int way)
{
    static const char *const odd[][2] = {{"", NULL}, {NULL, "Rods"}, {NULL, "-"}};
    w->kept.cls.options = odd[way];
}

#define M(field)                          kept.m.field
#define D(field)                          kept.d.field
#define C(field)                          kept.cls.field
#define P(field)                          kept.parameters[0].field
#define MEMORY                            RESIDA_ERR_MEMORY
#define SAYING(argument, says, T, F, ...) GIVEN("resida_model_create", argument, says, NULL, T, F, MODEL, __VA_ARGS__)

const arg_row arg_rows_model[] = {
    INTS("resida_status_name", "status", a.status, OK, -98, 4, INT_MAX, INT_MIN),
    NULLED("resida_catch", "work", a.work, ARGUMENT),
    NULLED("resida_catch", "context", a.text, OK),
    INTS("resida_form_at", "i", a.i, OK, -1, 1000, INT_MAX, INT_MIN),
    INTS("resida_method_at", "i", a.i, OK, -1, 1000, INT_MAX, INT_MIN),
    INTS("resida_callback_at", "i", a.i, OK, -1, 1000, INT_MAX, INT_MIN),
    INTS("resida_option_at", "i", a.i, OK, -1, 1000, INT_MAX, INT_MIN),
    NULLED("resida_option_find", "name", a.name, OK),
    NULLED("resida_option_fits", "option", a.option, OK),
    NULLED("resida_option_fits", "form", a.form, OK),
    NULLED("resida_option_fits", "method", a.method, OK),
    NULLED("resida_option_text", "option", a.option, ARGUMENT),
    NULLED("resida_option_text", "text", a.text, ARGUMENT),
    SIZES("resida_option_text", "size", a.size, ARGUMENT, 0),
    SIZES("resida_option_text", "size", a.size, OK, 1),
    NULLED("resida_mechanism_init", "m", a.m, OK),
    NULLED("resida_dae_init", "d", a.d, OK),

    NULLED("resida_problem_create", "m", a.m, ARGUMENT),
    WRONG_SIZES("resida_problem_create", "m.size", M(size), resida_mechanism),
    NULLED("resida_problem_create", "m.name", M(name), OK),
    WAYS_SAYING("resida_problem_create", "m.name", "bad name", 1, name_in_two_lines, MODEL),
    INTS("resida_problem_create", "m.n_p", M(n_p), MODEL, 0, -1, INT_MIN, 1),
    INTS("resida_problem_create", "m.n_p", M(n_p), MEMORY, INT_MAX),
    INTS("resida_problem_create", "m.n_v", M(n_v), MODEL, 0, -1, INT_MIN, 3, INT_MAX),
    INTS("resida_problem_create", "m.n_z", M(n_z), MODEL, -1, INT_MIN, 1, 2, INT_MAX),
    INTS("resida_problem_create", "m.n_g", M(n_g), MODEL, -1, INT_MIN, 0),
    INTS("resida_problem_create", "m.n_g", M(n_g), MEMORY, INT_MAX),
    INTS("resida_problem_create", "m.n_h", M(n_h), MODEL, -1, INT_MIN, 1),
    INTS("resida_problem_create", "m.n_h", M(n_h), MEMORY, INT_MAX),
    INTS("resida_problem_create", "m.n_k", M(n_k), MODEL, -1, INT_MIN, 1, INT_MAX),
    INTS("resida_problem_create", "m.n_u", M(n_u), MODEL, -1, INT_MIN, 1),
    INTS("resida_problem_create", "m.n_u", M(n_u), MEMORY, INT_MAX),
    INTS("resida_problem_create", "m.n_root", M(n_root), MODEL, -1, INT_MIN, 0),
    INTS("resida_problem_create", "m.thread_safe", M(thread_safe), MODEL, -1, 2, INT_MIN, INT_MAX),
    INTS("resida_problem_create", "m.thread_safe", M(thread_safe), OK, 1),
    NULLED("resida_problem_create", "m.user", M(user), OK),
    NULLED("resida_problem_create", "m.residual", M(residual), OK),
    NULLED("resida_problem_create", "m.acceleration", M(acceleration), OK),
    WAYS("resida_problem_create", "m.residual", 1, no_formalism, MODEL),
    WAYS("resida_problem_create", "m.acceleration", 1, no_formalism, MODEL),
    WAYS("resida_problem_create", "m.residual_lam", 3, residual_lam_too_many, MODEL),
    WAYS("resida_problem_create", "m.acceleration_lam", 3, acceleration_lam_too_many, MODEL),
    NULLED("resida_problem_create", "m.constraint", M(constraint), MODEL),
    NULLED("resida_problem_create", "m.constraint_matrix", M(constraint_matrix), OK),
    WAYS("resida_problem_create", "m.constraint_force", 1, force_product_alone, MODEL),
    WAYS("resida_problem_create", "m.constraint_velocity", 1, velocity_product_alone, MODEL),
    NULLED("resida_problem_create", "m.velocity_bias", M(velocity_bias), OK),
    NULLED("resida_problem_create", "m.acceleration_bias", M(acceleration_bias), OK),
    NULLED("resida_problem_create", "m.mass_matrix", M(mass_matrix), OK),
    NULLED("resida_problem_create", "m.potential", M(potential), OK),
    WAYS("resida_problem_create", "m.G_pattern", 7, spoil_G, MODEL),
    WAYS("resida_problem_create", "m.M_pattern", 7, spoil_M, MODEL),
    WAYS("resida_problem_create", "m.T_pattern", 7, spoil_T, MODEL),
    WAYS("resida_problem_create", "m.Gh_pattern", 7, spoil_Gh, MODEL),
    WAYS("resida_problem_create", "m.Phi_p_pattern", 8, spoil_Phi_p, MODEL),
    WAYS("resida_problem_create", "m.Phi_v_pattern", 8, spoil_Phi_v, MODEL),
    WAYS("resida_problem_create", "m.Phi_lam_pattern", 8, spoil_Phi_lam, MODEL),
    WAYS("resida_problem_create", "m.derivatives", 2, derivatives_without_mass, MODEL),
    INTS("resida_problem_create", "m.kinematic_matrix", M(n_p), MODEL, 3),
    WAYS_SAYING("resida_problem_create", "m.invariant", "invariant", 3, invariant_without_n_k, MODEL),
    WAYS_SAYING("resida_problem_create", "m.invariant_matrix", "invariant", 3, invariant_without_n_k, MODEL),
    WAYS("resida_problem_create", "m.K_pattern", 5, spoil_K, MODEL),
    WAYS_SAYING("resida_problem_create", "m.nonholonomic_matrix", "n_h", 2, nonholonomic_by_half, MODEL),
    NULLED("resida_problem_create", "m.nonholonomic_bias", M(nonholonomic_bias), OK),
    NULLED("resida_problem_create", "m.nonholonomic_acceleration_bias", M(nonholonomic_acceleration_bias), OK),
    WAYS("resida_problem_create", "m.excitation", 2, excitation_by_half, MODEL),
    NULLED("resida_problem_create", "m.root", M(root), MODEL),
    WAYS("resida_problem_create", "m.p_names", 3, a_name_is_null, OK),
    NULLED("resida_problem_create", "m.v_names", M(v_names), OK),
    NULLED("resida_problem_create", "m.g_names", M(g_names), OK),

    NULLED("resida_problem_create_dae", "d", a.d, ARGUMENT),
    WRONG_SIZES("resida_problem_create_dae", "d.size", D(size), resida_dae),
    NULLED("resida_problem_create_dae", "d.name", D(name), OK),
    INTS("resida_problem_create_dae", "d.n", D(n), MODEL, 0, -1, INT_MIN, INT_MAX),
    INTS("resida_problem_create_dae", "d.n_u", D(n_u), MODEL, -1, INT_MIN, 1),
    INTS("resida_problem_create_dae", "d.n_u", D(n_u), MEMORY, INT_MAX),
    INTS("resida_problem_create_dae", "d.n_root", D(n_root), MODEL, -1, INT_MIN, 1),
    INTS("resida_problem_create_dae", "d.n_root", D(n_root), MEMORY, INT_MAX),
    NULLED("resida_problem_create_dae", "d.user", D(user), OK),
    INTS("resida_problem_create_dae", "d.thread_safe", D(thread_safe), MODEL, -1, 2, INT_MIN, INT_MAX),
    INTS("resida_problem_create_dae", "d.thread_safe", D(thread_safe), OK, 1),
    NULLED("resida_problem_create_dae", "d.kinds", D(kinds), OK),
    INTS("resida_problem_create_dae", "d.kinds", kept.kinds[1], MODEL, 5, -1),
    NULLED("resida_problem_create_dae", "d.residual", D(residual), MODEL),
    WAYS("resida_problem_create_dae", "d.J_pattern", 7, spoil_J, MODEL),
    WAYS("resida_problem_create_dae", "d.jacobian", 1, give_jacobian, OK),
    WAYS("resida_problem_create_dae", "d.excitation", 2, excitation_by_half, MODEL),
    INTS("resida_problem_create_dae", "d.root", D(n_root), MODEL, 1),
    NULLED("resida_problem_create_dae", "d.names", D(names), OK),

    NULLED("resida_model_create", "cls", a.cls, ARGUMENT),
    INTS("resida_model_create", "n", a.n_set, ARGUMENT, -1, INT_MIN),
    INTS("resida_model_create", "n", a.n_set, OK, 0),
    NULLED("resida_model_create", "names", a.set_names, ARGUMENT),
    NULLED("resida_model_create", "names", kept.set_names[0], ARGUMENT),
    NULLED("resida_model_create", "names", kept.set_names[1], ARGUMENT),
    TEXTS_SAYING("resida_model_create", "names", "parameter", kept.set_names[1], ARGUMENT, "", "no such"),
    TEXTS_SAYING("resida_model_create", "names", "mass", kept.set_names[1], ARGUMENT, "mass"),
    NULLED("resida_model_create", "values", a.set_values, ARGUMENT),
    GIVEN("resida_model_create", "values", "rods", NULL, ARG_REAL, kept.set_values[1], ARGUMENT, NOT_FINITE, 0, -1, 11,
          1.5),
    NULLED("resida_model_create", "model", a.model, ARGUMENT),
    INTS("resida_model_create", "cls.magic", C(magic), MODEL, 0, RESIDA_PLUGIN_MAGIC + 1),
    SAYING("cls.abi", "ABI", ARG_INT, C(abi), 0, RESIDA_PLUGIN_ABI + 1),
    SAYING("cls.class_size", "resida_model_class", ARG_SIZE, C(class_size), 0, 8, sizeof(resida_model_class) + 8.0),
    SAYING("cls.model_size", "resida_model", ARG_SIZE, C(model_size), 0, 8, sizeof(resida_model) + 8.0),
    SAYING("cls.parameter_size", "resida_parameter", ARG_SIZE, C(parameter_size), 0, 8, sizeof(resida_parameter) + 8.0),
    NULLED("resida_model_create", "cls.name", C(name), MODEL),
    NULLED("resida_model_create", "cls.text", C(text), MODEL),
    INTS("resida_model_create", "cls.n_parameters", C(n_parameters), MODEL, -1, INT_MIN),
    NULLED("resida_model_create", "cls.parameters", C(parameters), MODEL),
    NULLED("resida_model_create", "cls.create", C(create), MODEL),
    NULLED("resida_model_create", "cls.destroy", C(destroy), OK),
    NULLED("resida_model_create", "cls.parameters.name", P(name), MODEL),
    TEXTS_SAYING("resida_model_create", "cls.parameters.name", "mass", kept.parameters[1].name, MODEL, "mass"),
    SAYING("cls.parameters.value", "default", ARG_REAL, P(value), NAN, INFINITY, -INFINITY, -1, 11),
    SAYING("cls.parameters.min", "range", ARG_REAL, P(min), NAN, INFINITY, 5),
    SAYING("cls.parameters.max", "range", ARG_REAL, P(max), NAN, -INFINITY, 0.5),
    REALS("resida_model_create", "cls.parameters.whole", kept.parameters[1].value, MODEL, 1.5),
    NULLED("resida_model_create", "cls.parameters.unit", P(unit), MODEL),
    NULLED("resida_model_create", "cls.parameters.text", P(text), MODEL),

    TEXTS_SAYING("resida_model_create", "cls.parameters.word", "the word of a parameter", P(word), MODEL, "\001"),
    WAYS_SAYING("resida_model_create", "cls.options", "option", 3, odd_option, MODEL),

    NULLED("resida_model_create_with", "cls", a.cls, ARGUMENT),
    INTS("resida_model_create_with", "n", a.n_set, ARGUMENT, -1, INT_MIN),
    NULLED("resida_model_create_with", "settings", a.settings, ARGUMENT),
    NULLED("resida_model_create_with", "settings", kept.settings[0].name, ARGUMENT),
    NULLED("resida_model_create_with", "settings", kept.settings[1].name, ARGUMENT),
    TEXTS_SAYING("resida_model_create_with", "settings", "is a number, not a text", kept.settings[0].word, ARGUMENT,
                 "1"),
    NULLED("resida_model_create_with", "model", a.model, ARGUMENT),
    NULLED("resida_model_create_with", "why", a.why, OK),

    NULLED("resida_plugin_file", "word", a.path, OK),

    NULLED("resida_model_init", "model", a.model, OK),
    NULLED("resida_model_destroy", "cls", a.cls, OK),
    NULLED("resida_model_destroy", "model", a.model, OK),

    NULLED("resida_model_reference", "model", a.model, OK),
    NULLED("resida_model_reference", "p", a.p, OK),
    NULLED("resida_model_reference", "v", a.v, OK),
    NULLED("resida_model_reference", "lam", a.lam, OK),
    REALS("resida_model_reference", "t", a.t, OK, NAN, INFINITY),

    NULLED("resida_model_shape", "model", a.model, OK),
    NULLED("resida_model_shape", "p", a.p, OK),
    NULLED("resida_model_shape", "xyz", a.v, OK),
    REALS("resida_model_shape", "t", a.t, OK, NAN, INFINITY),

    NULLED("resida_model_output", "model", a.model, OK),
    NULLED("resida_model_output", "at", a.point, OK),
    NULLED("resida_model_output", "out", a.v, OK),

    NULLED("resida_plugin_open", "plugin", a.plugin_out, ARGUMENT),
    NULLED("resida_plugin_open", "path", a.path, ARGUMENT),
    TEXTS("resida_plugin_open", "path", a.path, ARGUMENT, ""),
    TEXTS_SAYING("resida_plugin_open", "path", "nowhere", a.path, RESIDA_ERR_PLUGIN, "/nowhere.so"),
    NULLED("resida_plugin_open", "cls", a.cls_out, ARGUMENT),
    NULLED("resida_plugin_close", "plugin", a.plugin_out, OK),
    END_OF_ROWS,
};
