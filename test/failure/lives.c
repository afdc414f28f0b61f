/* lives.c - see lives.h.
 *
 * The mechanism is a skate on an inclined plane that is lifted by u(t) = 0.01 sin t: p = (x, y, z, c, s), where (c, s)
 * is the direction of the blade, v = (x', y', z', turn),
 *
 *     g = z - x/10 - u = 0          the blade stays on the plane
 *     -s x' + c y' = 0              and does not slip sideways
 *     c' = -s turn,  s' = c turn    four velocities, five positions
 *
 * The DAE is y0' = y1 - y0, 0 = y0 + y1 - u(t), with u = cos t. The contacts are those of a ball, x, y and its angle,
 * that bounces on a floor and comes to roll, and of a second one above it. */
#include "lives.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RESIDA_ERR_MEMORY; but a class of models has its own words for it, and so has the loader of shared objects. */
static int is_want_of_memory(const char *call, resida_status status)
{
    return status == RESIDA_ERR_MEMORY || (status == RESIDA_ERR_MODEL && strcmp(call, "resida_model_create") == 0) ||
           (status == RESIDA_ERR_PLUGIN && strcmp(call, "resida_plugin_open") == 0);
}

/* Takes down the first failure. 1: the call is to be made once more. */
static int once_more(life *l, const char *call, resida_status status, const char *message)
{
    if (status >= 0 || l->status < 0) return 0;
    l->status = status;
    snprintf(l->call, sizeof l->call, "%s", call);
    snprintf(l->message, sizeof l->message, "%s", message);
    l->starved = is_want_of_memory(call, status);
    return l->again && l->starved;
}

static int lift(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.01 * sin(t);
    ud[0] = 0.01 * cos(t);
    udd[0] = -0.01 * sin(t);
    return 0;
}

static int skate_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    r[0] = 2 * a[0];
    r[1] = 2 * a[1];
    r[2] = 2 * (a[2] + 9.81);
    r[3] = 0.1 * a[3];
    return 0;
}

static int skate_mass(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    memcpy(out, (double[]){2, 2, 2, 0.1}, 4 * sizeof *out);
    return 0;
}

static int plane(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[2] - 0.1 * p[0] - e->u[0];
    return 0;
}

static int plane_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = -0.1;
    out[1] = 1;
    return 0;
}

static int turn_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    memcpy(out, (double[]){1, 1, 1, -p[4], p[3]}, 5 * sizeof *out);
    return 0;
}

static int blade(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = -p[4];
    out[1] = p[3];
    return 0;
}

/* x = 0.05 is an event. */
static int mark(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0] - 0.05;
    return 0;
}

static resida_mechanism skate(void)
{
    static const int row_G[] = {0, 2}, col_G[] = {0, 2}, row_Gh[] = {0, 2}, col_Gh[] = {0, 1};
    static const int row_T[] = {0, 1, 2, 3, 4, 5}, col_T[] = {0, 1, 2, 3, 3};
    static const int row_M[] = {0, 1, 2, 3, 4}, col_M[] = {0, 1, 2, 3};
    static const char *const p_names[] = {"x", "y", "z", "c", "s"}, *const v_names[] = {"x'", "y'", "z'", "turn"},
                             *const g_names[] = {"plane", "blade"};
    resida_mechanism m = test_mechanism();
    m.name = "skate";
    m.n_p = 5;
    m.n_v = 4;
    m.n_g = m.n_h = m.n_u = m.n_root = 1;
    m.residual = skate_residual;
    m.mass_matrix = skate_mass;
    m.M_pattern = (resida_pattern){row_M, col_M};
    m.constraint = plane;
    m.constraint_matrix = plane_matrix;
    m.G_pattern = (resida_pattern){row_G, col_G};
    m.kinematic_matrix = turn_matrix;
    m.T_pattern = (resida_pattern){row_T, col_T};
    m.nonholonomic_matrix = blade;
    m.Gh_pattern = (resida_pattern){row_Gh, col_Gh};
    m.excitation = lift;
    m.root = mark;
    m.p_names = p_names;
    m.v_names = v_names;
    m.g_names = g_names;
    return m;
}

static resida_status create_solver(life *l, resida_problem *q, resida_solver **s)
{
    resida_message why = {""};
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-5;
    resida_status status;
    do {
        status = resida_solver_create(s, q, &o, &why);
    } while (once_more(l, "resida_solver_create", status, why.text));
    return status;
}

static resida_status advance(life *l, resida_solver *s, double t)
{
    resida_status status;
    do {
        status = resida_solver_advance(s, t);
    } while (once_more(l, "resida_solver_advance", status, resida_solver_message(s)));
    return status;
}

static resida_status start(life *l, resida_solver *s, double t, const double *p, const double *v)
{
    resida_status status;
    resida_start_report report;
    do {
        status = resida_solver_start(s, t, p, v, NULL, &report);
    } while (once_more(l, "resida_solver_start", status, resida_solver_message(s)));
    return status;
}

/* Interpolate, read counters, and take the end. */
static void finish(life *l, resida_solver *s)
{
    resida_state state;
    resida_stats stats = {.size = sizeof stats};
    double yp[LIFE_MAX_N];
    resida_status status = resida_solver_stats(s, &stats);
    once_more(l, "resida_solver_stats", status, "");
    if (status >= 0) once_more(l, "resida_solver_state", status = resida_solver_state(s, &state), "");
    if (status >= 0 && stats.n <= LIFE_MAX_N) {
        status = resida_solver_interpolate(s, state.t, l->y, yp);
        once_more(l, "resida_solver_interpolate", status, resida_solver_message(s));
        l->n = stats.n;
        l->finished = status >= 0;
    }
}

static int speed(const resida_state *at, double *rate, void *user)
{
    rate[0] = at->v[0];
    return 0;
}

static resida_status set_quadratures(life *l, resida_solver *s)
{
    resida_status status;
    do {
        status = resida_solver_set_quadratures(s, 1, speed, NULL);
    } while (once_more(l, "resida_solver_set_quadratures", status, resida_solver_message(s)));
    return status;
}

static void skate_along(life *l, resida_problem *q, resida_solver *s)
{
    const double p0[] = {0, 0, 0, 1, 0}, v0[] = {1, 0, 0.11, 0.5};
    double p[5], v[4], g[1], gv[2];
    int direction[1];
    resida_state state;
    if (set_quadratures(l, s) < 0 || start(l, s, 0, p0, v0) < 0 || advance(l, s, 1) != RESIDA_EVENT) return;
    if (resida_solver_event(s, direction) < 0 || resida_solver_state(s, &state) < 0) return;
    double t = state.t;
    memcpy(p, state.p, sizeof p);
    memcpy(v, state.v, sizeof v);
    if (resida_problem_constraints(q, t, p, v, g, gv) < 0 || start(l, s, t, p, v) < 0) return;
    if (advance(l, s, 0.1) < 0 || resida_solver_set_stop_time(s, 0.2) < 0) return;
    if (advance(l, s, 1) == RESIDA_STOP_TIME) finish(l, s);
}

void life_of_a_mechanism(life *l)
{
    resida_mechanism m = skate();
    resida_problem_options o = test_problem_options();
    o.form = "ggl";
    o.allocator = l->allocator;
    resida_message why = {""};
    resida_problem *q = NULL;
    resida_solver *s = NULL;
    resida_status status;
    do {
        status = resida_problem_create(&q, &m, &o, &why);
    } while (once_more(l, "resida_problem_create", status, why.text));
    if (status >= 0 && create_solver(l, q, &s) >= 0) skate_along(l, q, s);
    resida_solver_free(s);
    resida_problem_free(q);
}

static int ball_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    const double mass[] = {2, 2, 0.2, 1};
    for (int i = 0; i < 4; i++) r[i] = mass[i] * (a[i] + (i % 2 ? 9.81 : 0));
    return 0;
}

static int ball_gaps(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[1] - 0.5;
    g[1] = p[3] - p[1] - 1;
    return 0;
}

static int ball_roots(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    return ball_gaps(t, p, e, out, user);
}

static int ball_slides(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    memcpy(Gh, (double[]){1, 0, -0.5, 0, 0, 0, 0, 0}, 8 * sizeof *Gh);
    return 0;
}

static void roll(life *l, resida_run *run, resida_solver *s)
{
    resida_status status;
    do {
        status = resida_run_start(run, NULL, NULL);
    } while (once_more(l, "resida_run_start", status, resida_solver_message(s)));
    while (status >= 0) {
        status = resida_run_advance(run, 3);
        if (once_more(l, "resida_run_advance", status, resida_solver_message(s))) status = RESIDA_EVENT;
        if (status == RESIDA_OK) break;
    }
    if (status == RESIDA_OK) finish(l, s);
}

void life_of_contacts(life *l)
{
    static const double e[] = {0.4, 0}, mu[] = {0.1, 0}, p0[] = {0, 1, 0, 2.1}, v0[] = {1, 0, 0, 0};
    const resida_model_contacts c = {.size = sizeof c, .n = 2, .restitution = e, .holds = 1, .friction = mu};
    resida_model model = {.size = sizeof model, .t_end = 3, .p0 = p0, .v0 = v0, .contacts = &c};
    resida_mechanism *m = &model.mechanism;
    resida_problem_options o = test_problem_options();
    resida_message why = {""};
    resida_problem *q = NULL;
    resida_solver *s = NULL;
    resida_run *run = NULL;
    resida_status status;
    resida_mechanism_init(m);
    m->n_p = m->n_v = 4, m->n_g = m->n_h = m->n_root = 2;
    m->residual = ball_residual, m->constraint = ball_gaps, m->root = ball_roots, m->nonholonomic_matrix = ball_slides;
    o.allocator = l->allocator, o.contacts = &c;
    do {
        status = resida_problem_create(&q, m, &o, &why);
    } while (once_more(l, "resida_problem_create", status, why.text));
    if (status >= 0) status = create_solver(l, q, &s);
    if (status >= 0) do {
            status = resida_run_create(&run, &model, s, &why);
        } while (once_more(l, "resida_run_create", status, why.text));
    if (status >= 0) roll(l, run, s);
    resida_run_free(run);
    resida_solver_free(s);
    resida_problem_free(q);
}

static int cosine(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = cos(t);
    ud[0] = -sin(t);
    udd[0] = -cos(t);
    return 0;
}

static int pair_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - (y[1] - y[0]);
    r[1] = y[0] + y[1] - e->u[0];
    return 0;
}

static int pair_root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    out[0] = y[0] - 0.5;
    return 0;
}

static void integrate_pair(life *l, resida_solver *s)
{
    const double y0[] = {1, 0.5};
    resida_status status;
    do {
        status = resida_solver_start_dae(s, 0, y0, NULL);
    } while (once_more(l, "resida_solver_start_dae", status, resida_solver_message(s)));
    if (status < 0 || advance(l, s, 5) != RESIDA_EVENT) return;
    if (advance(l, s, 1) >= 0) finish(l, s);
}

void life_of_a_dae(life *l)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const char *const names[] = {"slow", "fast"};
    resida_dae d = test_dae();
    d.name = "pair";
    d.n = 2;
    d.n_u = d.n_root = 1;
    d.kinds = kinds;
    d.names = names;
    d.residual = pair_residual;
    d.excitation = cosine;
    d.root = pair_root;
    resida_problem_options o = test_problem_options();
    o.allocator = l->allocator;
    resida_message why = {""};
    resida_problem *q = NULL;
    resida_solver *s = NULL;
    resida_status status;
    do {
        status = resida_problem_create_dae(&q, &d, &o, &why);
    } while (once_more(l, "resida_problem_create_dae", status, why.text));
    if (status >= 0 && create_solver(l, q, &s) >= 0) integrate_pair(l, s);
    resida_solver_free(s);
    resida_problem_free(q);
}

static void integrate_model(life *l, const resida_model *model)
{
    resida_problem_options o = test_problem_options();
    o.allocator = l->allocator;
    resida_message why = {""};
    resida_problem *q = NULL;
    resida_solver *s = NULL;
    resida_status status;
    do {
        status = resida_problem_create(&q, &model->mechanism, &o, &why);
    } while (once_more(l, "resida_problem_create", status, why.text));
    if (status >= 0 && create_solver(l, q, &s) >= 0 && start(l, s, model->t0, model->p0, model->v0) >= 0 &&
        advance(l, s, 0.1) >= 0)
        finish(l, s);
    resida_solver_free(s);
    resida_problem_free(q);
}

void life_of_a_plugin(life *l)
{
    const char *const names[] = {"omega"};
    const double values[] = {1.5};
    resida_message why = {""};
    resida_plugin_handle *plugin = NULL;
    const resida_model_class *cls = NULL;
    resida_model model;
    resida_status status;
    do {
        status = resida_plugin_open(&plugin, getenv("RESIDA_PLUGIN"), &cls, &why);
    } while (once_more(l, "resida_plugin_open", status, why.text));
    if (status < 0) return;
    do {
        status = resida_model_create(cls, 1, names, values, &model, &why);
    } while (once_more(l, "resida_model_create", status, why.text));
    if (status >= 0) integrate_model(l, &model);
    resida_model_destroy(cls, &model);
    resida_plugin_close(plugin);
}

static int square(double t, const double *y, const double *yp, double *r, void *user)
{
    for (int i = 0; i < 3; i++) r[i] = yp[i] + y[i] * y[(i + 1) % 3];
    return 0;
}

void life_of_a_jacobian(life *l)
{
    const double y[] = {1, 2, 3}, yp[] = {0, 0, 0}, F[] = {2, 6, 3};
    resida_jacobian *j = NULL;
    resida_message why = {""};
    resida_status status;
    resida_system system;
    resida_jacobian_options options;
    resida_jacobian_matrix J;
    resida_system_init(&system);
    system.n = 3;
    system.F = square;
    resida_jacobian_options_init(&options);
    options.strategy = "dense";
    options.allocator = l->allocator;
    do {
        status = resida_jacobian_create(&j, &system, &options, &why);
    } while (once_more(l, "resida_jacobian_create", status, why.text));
    if (status < 0) return;
    int current = 0;
    resida_jacobian_point at = {.t = 0, .alpha = 10, .h = 0.1, .y = y, .yp = yp, .F = F};
    l->finished = resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current) == 0;
    l->n = 9;
    if (l->finished && resida_jacobian_get_matrix(j, &J) >= 0) memcpy(l->y, J.values, 9 * sizeof *l->y);
    resida_jacobian_free(j);
}
