/* test_contacts_units.c - results of contacts do not depend on the units of length, time and mass. Each scene runs in
 * SI units and in other units, with the tolerances converted. The events and the last states must agree after their
 * conversion. */
#include "contact_scene.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX_EVENTS = 200, MAX_N = 3 };

#define TOLERANCE 1e-7              /* rtol, and atol in SI units */
#define SAME      (100 * TOLERANCE) /* maximum difference of two runs */

typedef struct units {
    const char *name;
    double length, time, mass; /* one unit in SI units */
} units;

static const units all_units[] = {{"SI", 1, 1, 1},           {"um", 1e-6, 1, 1},        {"mm, g, ms", 1e-3, 1e-3, 1e-3},
                                  {"km", 1e3, 1, 1},         {"Mm", 1e6, 1, 1},         {"us", 1, 1e-6, 1},
                                  {"year", 1, 3.15e7, 1},    {"Gyear", 1, 3.15e16, 1},  {"g", 1, 1, 1e-3},
                                  {"Mt", 1, 1, 1e9},         {"um, us", 1e-6, 1e-6, 1}, {"pm", 1e-12, 1, 1},
                                  {"km, year", 1e3, 3e7, 1}, {"nm, ns", 1e-9, 1e-9, 1}, {"um, year", 1e-6, 3e7, 1}};

/* A scene in SI units, and the same scene in other units. */
typedef struct converted {
    scene own;
    resida_model model;
    resida_model_contacts contacts;
    int is_angle[MAX_N], n_joints;
    double p0[MAX_N], v0[MAX_N], rtol[MOST], atol[MOST];
    units u;
    void (*joint)(const double *p, double *g); /* constraint in SI units before the gaps; NULL: none */
} converted;

static double length_of(const converted *c, int i)
{
    return c->is_angle[i] ? 1 : c->u.length;
}

static double force_of(const converted *c)
{
    return c->u.mass * c->u.length / c->u.time / c->u.time;
}

/* x_i = (unit of coordinate i)/time^power x'_i */
static void to_si(const converted *c, int power, const double *x, double *out)
{
    for (int i = 0; i < c->model.mechanism.n_p; i++) out[i] = x[i] * length_of(c, i) / pow(c->u.time, power);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const converted *c = user;
    double q[MAX_N], w[MAX_N], b[MAX_N];
    to_si(c, 0, p, q), to_si(c, 1, v, w), to_si(c, 2, a, b);
    const int verdict = c->own.model.mechanism.residual(t * c->u.time, q, w, b, e, r, (void *)&c->own);
    for (int i = 0; i < c->model.mechanism.n_v; i++) r[i] *= length_of(c, i) / (force_of(c) * c->u.length);
    return verdict;
}

static void eval_gaps(const converted *c, double t, const double *p, double *out)
{
    double q[MAX_N];
    to_si(c, 0, p, q);
    c->own.gaps(t * c->u.time, q, out);
    for (int i = 0; i < c->contacts.n; i++) out[i] /= c->u.length;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    eval_gaps(user, t, p, out);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const converted *c = user;
    double q[MAX_N];
    to_si(c, 0, p, q);
    if (c->joint) c->joint(q, g), g[0] /= c->u.length;
    eval_gaps(c, t, p, g + c->n_joints);
    return 0;
}

static int sliding_matrix(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    const converted *c = user;
    const int n = c->model.mechanism.n_v;
    double q[MAX_N];
    to_si(c, 0, p, q);
    for (int i = 0; i < c->contacts.n * n; i++) Gh[i] = 0;
    c->own.sliding(q, Gh);
    for (int i = 0; i < c->contacts.n * n; i++) Gh[i] *= length_of(c, i % n) / c->u.length;
    return 0;
}

static void convert(converted *c, units u)
{
    c->u = u;
    c->model = c->own.model;
    c->contacts = c->own.contacts;
    c->n_joints = c->joint != NULL;
    c->contacts.first_g = c->n_joints;
    c->model.contacts = &c->contacts;
    c->model.p0 = c->p0, c->model.v0 = c->v0;
    resida_mechanism *m = &c->model.mechanism;
    m->user = c;
    m->residual = residual, m->acceleration = NULL;
    m->constraint = constraint, m->root = root;
    m->n_g = c->n_joints + c->contacts.n;
    if (c->own.sliding) m->nonholonomic_matrix = sliding_matrix;
    for (int i = 0; i < m->n_p; i++) {
        c->p0[i] = c->own.thing.p0[i] / length_of(c, i);
        c->v0[i] = c->own.thing.v0[i] / length_of(c, i) * u.time;
    }
}

/* Set the tolerances of y to TOLERANCE in SI units. */
static void set_tolerances(converted *c, const resida_layout *l, resida_solver_options *o)
{
    const double length = c->u.length, time = c->u.time;
    for (int i = 0; i < l->n; i++) {
        const int is_v = i >= l->v && i < l->v + l->n_v, is_p = i >= l->p && i < l->p + l->n_p;
        const int is_lam = l->lam >= 0 && i >= l->lam && i < l->lam + l->n_g + l->n_h;
        const double unit = is_p     ? length_of(c, i - l->p)
                            : is_v   ? length_of(c, i - l->v) / time
                            : is_lam ? force_of(c) * (l->rates ? time : 1)
                                     : length / time;
        c->rtol[i] = TOLERANCE, c->atol[i] = TOLERANCE / unit;
    }
    o->rtol_each = c->rtol, o->atol_each = c->atol;
}

/* What came of a run, in SI units. */
typedef struct outcome {
    int n;
    double t[MAX_EVENTS], p[MAX_N], v[MAX_N], lam[MOST];
    resida_contact_change change[MAX_EVENTS];
} outcome;

static outcome fly_in(converted *c, units u, const char *form, double t_end)
{
    outcome out = {.n = 0};
    resida_layout l = {.n = 0};
    resida_solver_options o = test_solver_options();
    resida_problem_options po = test_problem_options();
    resida_status status = RESIDA_OK;
    convert(c, u);
    po.form = form, po.contacts = &c->contacts;
    resida_problem *problem = test_problem(&c->model.mechanism, &po);
    resida_problem_layout(problem, &l);
    set_tolerances(c, &l, &o);
    resida_solver *s = test_solver_of(problem, &o);
    resida_run *run = test_model_run(&c->model, s);
    if (resida_run_start(run, NULL, NULL) < 0) fail_msg("%s, %s: %s", u.name, form, resida_solver_message(s));
    while ((status = resida_run_advance(run, t_end / u.time)) == RESIDA_EVENT) {
        resida_happening what;
        assert_int_equal(resida_run_event(run, &what), RESIDA_OK);
        for (int i = 0; what.contacts && i < c->contacts.n; i++) {
            if (what.contacts[i] == RESIDA_CONTACT_STAYS || out.n == MAX_EVENTS) continue;
            out.t[out.n] = what.t * u.time;
            out.change[out.n++] = what.contacts[i];
        }
    }
    if (status != RESIDA_OK) fail_msg("%s, %s: %s", u.name, form, resida_solver_message(s));
    const resida_state at = test_state(s);
    to_si(c, 0, at.p, out.p), to_si(c, 1, at.v, out.v);
    for (int i = 0; i < l.n_g + l.n_h; i++) out.lam[i] = at.lam[i] * force_of(c);
    return out;
}

static void compare(const char *what, const outcome *a, const outcome *b, int n, int n_lam)
{
    if (a->n != b->n) fail_msg("%s: %d changes of contacts instead of %d", what, b->n, a->n);
    for (int i = 0; i < a->n; i++)
        if (a->change[i] != b->change[i] || !(fabs(a->t[i] - b->t[i]) <= SAME))
            fail_msg("%s: change %d: %d at t = %.12g instead of %d at %.12g", what, i, b->change[i], b->t[i],
                     a->change[i], a->t[i]);
    for (int i = 0; i < n; i++)
        if (!(fabs(a->p[i] - b->p[i]) <= SAME) || !(fabs(a->v[i] - b->v[i]) <= SAME))
            fail_msg("%s: p[%d] = %.12g, v = %.12g instead of %.12g, %.12g", what, i, b->p[i], b->v[i], a->p[i],
                     a->v[i]);
    for (int i = 0; i < n_lam; i++)
        if (!(fabs(a->lam[i] - b->lam[i]) <= 100 * SAME))
            fail_msg("%s: lam[%d] = %.12g instead of %.12g", what, i, b->lam[i], a->lam[i]);
}

static void fly_in_all_units(converted *c, double t_end)
{
    static const char *const forms[] = {"ggl", "index2", "index3", "projected2"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const outcome own = fly_in(c, all_units[0], forms[k], t_end);
        assert_true(own.n > 0);
        for (size_t i = 1; i < sizeof all_units / sizeof *all_units; i++) {
            char what[80];
            const outcome other = fly_in(c, all_units[i], forms[k], t_end);
            snprintf(what, sizeof what, "%s, %s", forms[k], all_units[i].name);
            compare(what, &own, &other, c->model.mechanism.n_p, c->model.mechanism.n_g);
        }
    }
}

static void weight(double t, const double *p, const double *v, double *f)
{
    f[0] = -2 * G;
}

static void floor_gap(double t, const double *p, double *out)
{
    out[0] = p[0];
}

CLAIM(a_ball_bounces_and_comes_to_rest_alike_in_all_units)
{
    converted c = {.own = {.mass = {2}, .forces = weight, .gaps = floor_gap, .thing.p0 = {1}}};
    set_scene(&c.own, 1, 1, 0.5);
    fly_in_all_units(&c, 2);
}

static void block_weight(double t, const double *p, const double *v, double *f)
{
    f[0] = f[2] = 0;
    f[1] = -2 * G;
}

/* A block falls onto the ground, slides and comes to rest. */
CLAIM(a_block_slides_and_sticks_alike_in_all_units)
{
    converted c = {.own = {.mass = {2, 2, 0.5},
                           .forces = block_weight,
                           .gaps = block_gaps,
                           .sliding = block_slides,
                           .mu = {0.1, 0.1},
                           .thing = {.p0 = {0, HALF_H + 0.1, 0}, .v0 = {0.5, 0, 0}}},
                   .is_angle = {0, 0, 1}};
    set_scene(&c.own, 3, 2, 0);
    fly_in_all_units(&c, 2);
}

static void bob_weight(double t, const double *p, const double *v, double *f)
{
    f[0] = 0;
    f[1] = -2 * G;
}

static void wall(double t, const double *p, double *out)
{
    out[0] = p[0] - 0.1;
}

static void rod(const double *p, double *g)
{
    g[0] = hypot(p[0], p[1]) - 1;
}

/* A pendulum falls to a wall, without restitution. */
CLAIM(a_pendulum_comes_to_rest_at_a_wall_alike_in_all_units)
{
    converted c = {.own = {.mass = {2, 2}, .forces = bob_weight, .gaps = wall, .thing.p0 = {0.6, -0.8}}, .joint = rod};
    set_scene(&c.own, 2, 1, 0);
    fly_in_all_units(&c, 2);
}
