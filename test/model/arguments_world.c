/* arguments_world.c - valid arguments for every public function: a pendulum m x'' = -2 x lam, m y'' = -2 y lam - m g,
 * 0 = x^2 + y^2 - 1, in GGL, its solver at the event t = 0.1; the DAE y0' = y1, 0 = y0 + y1; a class of models. */
#include "arguments.h"
#include "test/fixtures/mechanisms/small.h"

static const char *const out_names[] = {"first"};

static int first(const resida_model *model, const resida_model_point *at, double *out)
{
    out[0] = at->y[0];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    a[0] = f[0];
    a[1] = f[1] - 9.81;
    return 0;
}

static int bell(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = t - 0.1;
    return 0;
}

static int pair_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = y[0] + y[1];
    return 0;
}

/* The same pair as a system: y1 in the first equation is formalism, all else constraint and known. */
static int pair_function(double t, const double *y, const double *yp, double *r, void *user)
{
    return pair_residual(t, y, yp, NULL, r, user);
}

static int pair_formalism(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = -y[1];
    r[1] = 0;
    return 0;
}

static int pair_constraint(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0];
    r[1] = y[0] + y[1];
    return 0;
}

static int pair_known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    dy[0] = dy[1] = 1;
    dyp[0] = 1;
    return 0;
}

static int pair_inputs(double t, double *u, void *user)
{
    u[0] = t;
    return 0;
}

static void pair_move_input(int i, double delta, void *user)
{
}

static int create_model(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    model->mechanism.n_p = model->mechanism.n_v = 2;
    model->mechanism.residual = small_particle;
    model->p0 = p0;
    model->v0 = v0;
    model->t_end = 1;
    model->rtol = model->atol = 1e-6;
    return 0;
}

static void destroy_model(resida_model *model)
{
}

static void fill_models(arg_kept *k)
{
    resida_mechanism_init(&k->m);
    k->m.n_p = k->m.n_v = 2;
    k->m.n_g = k->m.n_root = 1;
    k->m.residual = small_particle;
    k->m.acceleration = acceleration;
    k->m.constraint = small_circle;
    k->m.root = bell;
    resida_dae_init(&k->d);
    k->kinds[1] = RESIDA_ALGEBRAIC;
    k->names[0] = "one";
    k->names[1] = "two";
    k->d.n = 2;
    k->d.kinds = k->kinds;
    k->d.names = k->names;
    k->d.residual = pair_residual;
    resida_products_init(&k->products);
    k->parameters[0] = (resida_parameter){"mass", 1, 0, 10, 0, "kg", "mass", NULL};
    k->parameters[1] = (resida_parameter){"rods", 2, 1, 10, 1, "-", "rods", NULL};
    k->cls = (resida_model_class){
        RESIDA_MODEL_HEAD,           .name = "test",         .text = "a class for a test", .n_parameters = 2,
        .parameters = k->parameters, .create = create_model, .destroy = destroy_model};
    k->set_names[0] = "mass";
    k->set_names[1] = "rods";
    k->set_values[0] = 2;
    k->set_values[1] = 3;
    for (int i = 0; i < 2; i++) k->settings[i] = (resida_setting){k->set_names[i], k->set_values[i], NULL};
}

static void fill_system(arg_kept *k)
{
    resida_system_init(&k->system);
    k->system.n = 2;
    k->system.F = pair_function;
    k->system.formalism = pair_formalism;
    k->system.constraint = pair_constraint;
    k->y_row[0] = k->y_row[1] = 1;
    k->y_column[1] = 1;
    k->columns[1] = RESIDA_COLUMN_FORMALISM;
    k->system.n_y = 2;
    k->system.n_yp = 1;
    k->system.y_row = k->y_row;
    k->system.y_column = k->y_column;
    k->system.yp_row = k->yp_row;
    k->system.yp_column = k->yp_column;
    k->system.known = pair_known;
    k->system.columns = k->columns;
    k->system.n_inputs = 1;
    k->system.inputs = pair_inputs;
    k->system.move_input = pair_move_input;
    resida_jacobian_options_init(&k->jacobian_options);
    k->jacobian_options.strategy = "dense";
}

static void *default_allocate(size_t bytes, void *context)
{
    return malloc(bytes);
}

static void default_free(void *block, void *context)
{
    free(block);
}

static void fill_kept(arg_kept *k)
{
    memset(k, 0, sizeof *k); /* padding too: it is compared byte by byte */
    fill_models(k);
    fill_system(k);
    resida_problem_options_init(&k->problem_options);
    resida_solver_options_init(&k->solver_options);
    resida_start_options_init(&k->start_options);
    resida_equilibrium_options_init(&k->equilibrium_options);
    resida_contacts_init(&k->contacts);
    k->contact_rows[1] = 1;
    k->contact_names[0] = "wall";
    k->contacts.n = 1;
    k->contacts.rows = k->contact_rows;
    k->contacts.rates = k->contact_rates;
    k->contacts.restitution = k->restitution;
    k->contacts.names = k->contact_names;
    k->friction[0] = 0.5, k->slides[1] = 1;
    k->model_contacts =
        (resida_model_contacts){.size = sizeof k->model_contacts, .n = 1, .restitution = k->restitution, .holds = 1};
    k->allocator = (resida_allocator){default_allocate, default_free, NULL};
    for (int i = 0; i < ARG_N; i++) k->rtol_each[i] = k->atol_each[i] = 1e-6;
    k->p0[0] = k->y0[0] = k->y[0] = 1;
    k->y0[1] = k->yp0[0] = -1;
    k->at = (resida_jacobian_point){
        .t = 0, .alpha = 10, .h = 0.1, .y = k->y0, .yp = k->yp0, .F = k->r, .weights = k->weights};
    for (int i = 0; i < ARG_N; i++) k->weights[i] = 1;
    k->stats.size = sizeof k->stats;
}

static int rests(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = ud[0] = udd[0] = 0;
    return 0;
}

/* The general DAE linear, with an excitation. */
static void make_driven(world *w)
{
    resida_dae driven = w->kept.d;
    resida_problem *problem;
    driven.n_u = 1, driven.excitation = rests;
    assert_int_equal(resida_problem_create_dae(&problem, &driven, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_linearize(&w->driven, problem, 0, w->kept.y0, w->kept.yp0, NULL), RESIDA_OK);
    resida_problem_free(problem);
    w->kept.frequency[0] = 1, w->kept.frequency[1] = 2;
}

static int no_rate(const resida_state *at, double *rate, void *user)
{
    rate[0] = 0;
    return 0;
}

static void make_handles(world *w)
{
    arg_kept *k = &w->kept;
    k->moving = (resida_model){.size = sizeof k->moving, .mechanism = k->m, .p0 = k->p0, .v0 = k->v0, .t_end = 1};
    assert_int_equal(resida_problem_create(&w->problem, &k->m, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_problem_create_dae(&w->dae_problem, &k->d, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_problem_create_dae(&w->moved_problem, &k->d, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_create(&w->solver, w->problem, NULL, NULL), RESIDA_OK);
    k->moved = k->moving;
    k->dae =
        (resida_model){.size = sizeof k->dae, .is_dae = 1, .n_outputs = 1, .output_names = out_names, .output = first};
    k->moved_list[0] = &k->moved;
    k->by_counts.size = sizeof k->by_counts;
    resida_sensitivity_init(&k->by);
    k->by.name = "where it begins";
    k->by.moved = w->moved_problem;
    k->by.delta = 1e-7;
    k->by.dy0 = k->rtol_each;
    k->by.dyp0 = k->rtol_each;
    assert_int_equal(resida_solver_create(&w->dae_solver, w->dae_problem, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_jacobian_create(&w->jacobian, &k->system, &k->jacobian_options, NULL), RESIDA_OK);
    resida_jacobian_options sparse = k->jacobian_options;
    sparse.strategy = "sparse";
    assert_int_equal(resida_jacobian_create(&w->sparse, &k->system, &sparse, NULL), RESIDA_OK);
    int current;
    assert_int_equal(resida_jacobian_setup(w->jacobian, RESIDA_SETUP_FIRST, &k->at, &current), 0);
    assert_int_equal(resida_jacobian_setup(w->sparse, RESIDA_SETUP_FIRST, &k->at, &current), 0);
    assert_int_equal(resida_jacobian_prepare(w->sparse, &k->at, 0.1), 0);
    assert_int_equal(resida_solver_set_quadratures(w->solver, 1, no_rate, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start(w->solver, 0, k->p0, k->v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(w->solver, 1), RESIDA_EVENT);
    assert_int_equal(resida_solver_set_sensitivities(w->dae_solver, 1, &k->by), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(w->dae_solver, 0, k->y0, k->yp0), RESIDA_OK);
    assert_int_equal(resida_linearize(&w->linear, w->dae_problem, 0, k->y0, k->yp0, NULL), RESIDA_OK);
    make_driven(w);
    assert_int_equal(resida_run_create(&w->run, &k->moving, w->solver, NULL), RESIDA_OK);
}

/* What stands at the event, saved, and handles that could load it. */
static void make_saved(world *w)
{
    arg_kept *k = &w->kept;
    arg_list *a = &w->a;
    assert_int_equal(resida_problem_create(&w->idle_problem, &k->m, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_create(&w->idle, w->idle_problem, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_run_create(&w->idle_run, &k->moving, w->idle, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_save(w->solver, "note", 4, w->saved, ARG_SAVED, &a->saved_size), RESIDA_OK);
    assert_int_equal(resida_run_save(w->run, "note", 4, w->saved_run, ARG_SAVED, &a->saved_run_size), RESIDA_OK);
    a->idle = w->idle, a->idle_run = w->idle_run;
    a->saved = w->saved, a->saved_run = w->saved_run;
    a->note = "note", a->note_size = 4;
    a->bytes = w->out.bytes, a->room = ARG_SAVED;
    a->size_out = &w->out.saved_size;
    a->note_out = &w->out.note, a->note_size_out = &w->out.note_size;
}

static void no_work(void *context)
{
}

static void list_arrays(arg_list *a, arg_kept *k)
{
    a->p0 = k->p0, a->v0 = k->v0;
    a->p = k->p, a->v = k->v, a->a = k->a, a->lam = k->lam;
    a->y0 = k->y0, a->yp0 = k->yp0;
    a->y = k->y, a->yp = k->yp, a->r = k->r, a->g = k->g, a->gv = k->gv;
    a->direction = k->direction, a->current = &k->current;
    a->work = no_work;
    a->option = resida_option_find("gamma");
    a->name = "gamma", a->form = "ggl", a->method = "bdf";
    a->text = k->text, a->size = sizeof k->text;
    a->set_names = k->set_names, a->set_values = k->set_values, a->settings = k->settings;
}

void world_make(world *w)
{
    arg_kept *k = &w->kept;
    memset(w, 0, sizeof *w);
    fill_kept(k);
    make_handles(w);
    resida_state state;
    assert_int_equal(resida_solver_state(w->solver, &state), RESIDA_OK);
    w->a = (arg_list){.problem_out = &w->out.problem,
                      .solver_out = &w->out.solver,
                      .jacobian_out = &w->out.jacobian,
                      .plugin_out = &w->out.plugin,
                      .cls_out = &w->out.cls,
                      .problem = w->problem,
                      .dae_problem = w->dae_problem,
                      .s = w->solver,
                      .run = w->run,
                      .run_out = &w->out.run,
                      .moving = &k->moving,
                      .happening = &k->happening,
                      .point = &k->at_rest,
                      .happened = &k->happened,
                      .by = &k->by,
                      .by_counts = &k->by_counts,
                      .moved = k->moved_list,
                      .n_by = 1,
                      .rates = no_rate,
                      .rates_user = k,
                      .dae_s = w->dae_solver,
                      .j = w->jacobian,
                      .sparse = w->sparse,
                      .m = &k->m,
                      .d = &k->d,
                      .products = &k->products,
                      .problem_options = &k->problem_options,
                      .solver_options = &k->solver_options,
                      .start_options = &k->start_options,
                      .equilibrium_options = &k->equilibrium_options,
                      .contacts = &k->contacts,
                      .push = k->push,
                      .system = &k->system,
                      .jacobian_options = &k->jacobian_options,
                      .why = &w->out.why,
                      .t_out = 0.2,
                      .tolerance = 0.1,
                      .t_max = 0.2,
                      .t_stop = 1,
                      .t_last = state.t,
                      .report = &w->out.report,
                      .equilibrium_report = &w->out.equilibrium_report,
                      .impact_report = &w->out.impact_report,
                      .layout = &k->layout,
                      .state = &k->state,
                      .stats = &k->stats,
                      .counts = &k->counts,
                      .matrix = &k->matrix,
                      .group = &k->group,
                      .n_groups = &k->n_groups,
                      .at = &k->at,
                      .path = test_environment("RESIDA_PLUGIN"),
                      .n_set = 2,
                      .what = RESIDA_REQUEST_PATTERN,
                      .l = w->linear,
                      .driven = w->driven,
                      .frequency = k->frequency,
                      .response_re = k->response_re,
                      .response_im = k->response_im,
                      .l_out = &w->out.l,
                      .linear = &k->linear,
                      .dae = &k->dae,
                      .modes = &k->modes,
                      .count = 1,
                      .cls = &k->cls,
                      .model = &w->out.model};
    list_arrays(&w->a, k);
    make_saved(w);
}

void world_free(world *w)
{
    resida_linearization_free(w->out.l);
    resida_linearization_free(w->linear);
    resida_linearization_free(w->driven);
    resida_run_free(w->idle_run);
    resida_solver_free(w->idle);
    resida_problem_free(w->idle_problem);
    resida_run_free(w->out.run);
    resida_run_free(w->run);
    resida_solver_free(w->out.solver);
    resida_solver_free(w->solver);
    resida_solver_free(w->dae_solver);
    resida_problem_free(w->out.problem);
    resida_problem_free(w->problem);
    resida_problem_free(w->moved_problem);
    resida_problem_free(w->dae_problem);
    resida_jacobian_free(w->out.jacobian);
    resida_jacobian_free(w->jacobian);
    resida_jacobian_free(w->sparse);
    resida_model_destroy(&w->kept.cls, &w->out.model);
    resida_plugin_close(w->out.plugin);
}

void arg_other_problem(world *w, int way)
{
    w->a.problem = w->dae_problem;
}
