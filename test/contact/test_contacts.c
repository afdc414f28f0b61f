/* test_contacts.c - a ball whose model declares its contact, over impacts, against what Newton's law makes of its
 * flights; and what is told where a contact stays closed, or makes no sense. */
#include "contacts_fixture.h"
#include "test/fixtures/solver_fixture.h"

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                    void *user)
{
    r[0] = 2 * (a[0] + G);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *u,
                        double *a, void *user)
{
    a[0] = f[0] / 2 - G;
    return 0;
}

static int gap(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = p[0] - ((const thing *)user)->climb * t;
    return 0;
}

static int gap_matrix(double t, const double *p, const resida_excitation *u, double *out, void *user)
{
    out[0] = ((const thing *)user)->wrong ? 1.01 : 1;
    return ((const thing *)user)->matrix_fails;
}

static int gap_rate(double t, const double *p, const resida_excitation *u, double *out, void *user)
{
    out[0] = -((const thing *)user)->climb;
    return 0;
}

static int says(const resida_model *m, resida_model_event *e)
{
    thing *b = m->user;
    b->asked += e->kind == RESIDA_AT_ROOT;
    if (e->kind == RESIDA_AT_ROOT && b->answers && e->direction[0] < 0) {
        e->yp[0] = 7;
        e->changed = 1;
    }
    return 0;
}

/* A ball of mass 2 falls from 1. */
static resida_model ball(thing *b, resida_model_contacts *c, double e)
{
    *b = (thing){.e = {e}, .p0 = {1}};
    resida_model m = model_of(b, c);
    m.mechanism.n_p = m.mechanism.n_v = m.mechanism.n_root = 1;
    m.mechanism.residual = residual, m.mechanism.acceleration = acceleration, m.mechanism.root = gap;
    return m;
}

/* The k-th impact is at t_0 (1 + 2 sum e^j), and leaves with e^k v_0. */
CLAIM(a_falling_ball_has_the_exact_time_and_speed_of_impact)
{
    const double e = 0.8, t_0 = sqrt(2 / G), v_0 = G * t_0;
    for (int way = 0; way < 4; way++) {
        thing b;
        resida_model_contacts c;
        resida_model m = ball(&b, &c, e);
        if (way & 1) c.matrix = gap_matrix, c.rate = gap_rate;
        flight f = fly(&m, "auto", way & 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
        double t = t_0, v = v_0;
        for (int k = 1; k <= 5; k++) {
            resida_happening what;
            assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
            assert_int_equal(resida_run_event(f.run, &what), RESIDA_OK);
            NEARLY(what.t, t, 1e-6);
            NEARLY(what.push[0], 2 * (1 + e) * v, 1e-5);
            NEARLY(what.energy_change, -(1 - e * e) * v * v, 1e-5);
            v *= e;
            NEARLY(state_of(&f).v[0], v, 1e-6);
            assert_int_equal(what.restarted, 1);
            assert_int_equal(resida_run_advance(f.run, t + v / G), RESIDA_OK); /* highest: e^2k */
            NEARLY(state_of(&f).p[0], pow(e, 2 * k), 1e-6);
            assert_int_equal(resida_run_event(f.run, &what), RESIDA_ERR_STATE); /* that it opens is no event */
            t += 2 * v / G;
        }
    }
}

CLAIM(a_ball_with_vanishing_bounces_ends_the_run_with_a_message)
{
    const double es[] = {0.6, 0.1, 1e-7, 0};
    for (int i = 0; i < 4; i++) {
        thing b;
        resida_model_contacts c;
        resida_happening what;
        resida_model m = ball(&b, &c, es[i]);
        flight f = fly_as_ever(&m);
        assert_int_equal(go(&f, 10), RESIDA_STOP_TIME);
        assert_non_null(strstr(resida_solver_message(f.solver), "contact floor stays closed"));
        NEARLY(state_of(&f).t, sqrt(2 / G) * (1 + es[i]) / (1 - es[i]), 1e-4);
        NEARLY(state_of(&f).p[0], 0, 1e-7);
        assert_int_equal(resida_run_event(f.run, &what), RESIDA_OK);
        assert_true(what.ended == 1 && what.push == NULL);
        assert_int_equal(resida_run_advance(f.run, 11), RESIDA_STOP_TIME); /* and stays so */
    }
}

static int free_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u,
                         double *r, void *user)
{
    r[0] = a[0];
    return 0;
}

/* With a speed that does not change the gap is closed at the very time of an output, to its rounding. */
CLAIM(outputs_at_the_time_of_an_impact_end_no_run)
{
    for (int k = 1; k <= 60; k++) {
        thing b;
        resida_model_contacts c;
        resida_model m = ball(&b, &c, 0.5);
        m.mechanism.residual = free_residual, m.mechanism.acceleration = NULL;
        b.p0[0] = 0.1 * k, b.v0[0] = -0.1;
        flight f = fly_as_ever(&m);
        resida_status status = resida_run_advance(f.run, k);
        assert_true(status == RESIDA_OK || status == RESIDA_EVENT);
        assert_int_equal(go(&f, k + 1), RESIDA_OK);
        NEARLY(state_of(&f).v[0], 0.05, 1e-8);
    }
}

/* Rebounds by less than the tolerances, of which there would be hundreds until sqrt(2 h/G) (1 + e)/(1 - e). */
CLAIM(bounces_below_the_tolerances_are_not_bounces)
{
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 0.99);
    b.p0[0] = 1e-9, b.v0[0] = 1e-9; /* tiny against the flight before */
    m.t0 = -1;
    flight f = fly_as_ever(&m);
    assert_int_equal(go(&f, 1e9), RESIDA_STOP_TIME);
    assert_non_null(strstr(resida_solver_message(f.solver), "contact floor stays closed"));
    assert_true(state_of(&f).t > -1 && state_of(&f).t < -1 + sqrt(2 * 1e-9 / G) * 1.99 / 0.01);
    NEARLY(state_of(&f).p[0], 0, 1e-8);
}

CLAIM(a_ball_with_restitution_1_bounces_without_end)
{
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 1);
    flight f = fly_as_ever(&m);
    int events = 0;
    resida_status status;
    while ((status = resida_run_advance(f.run, 20)) == RESIDA_EVENT) events++;
    assert_int_equal(status, RESIDA_OK);
    assert_int_equal(events, (int)((20 / sqrt(2 / G) + 1) / 2)); /* opening is none */
    const resida_state s = state_of(&f);
    NEARLY(s.v[0] * s.v[0] / 2 + G * s.p[0], G, 1e-5);
}

/* --- two balls between walls at 0 and 1, without forces --- */

static const double pair_mass[] = {1.72885010, 0.11527269};

static int pair_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u,
                         double *r, void *user)
{
    for (int i = 0; i < 2; i++) r[i] = pair_mass[i] * a[i];
    return 0;
}

static int pair_gaps(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = p[0], out[1] = p[1] - p[0], out[2] = 1 - p[1];
    return 0;
}

/* Moves the pair to t_end by its elastic impacts. Returns their number. */
static int move_pair(double *p, double *v, double t_end)
{
    double t = 0;
    for (int n = 0;; n++) {
        const double gap[] = {p[0], p[1] - p[0], 1 - p[1]}, rate[] = {v[0], v[1] - v[0], -v[1]};
        double d = t_end - t;
        int next = -1;
        for (int i = 0; i < 3; i++)
            if (rate[i] < 0 && gap[i] < -rate[i] * d) d = -gap[i] / rate[i], next = i;
        for (int i = 0; i < 2; i++) p[i] += d * v[i];
        t += d;
        if (next < 0) return n;
        const double P = 2 * rate[1] / (1 / pair_mass[0] + 1 / pair_mass[1]);
        if (next == 1)
            v[0] += P / pair_mass[0], v[1] -= P / pair_mass[1];
        else
            v[next / 2] *= -1;
    }
}

/* A gap opens and closes again within one step, while the other contacts have impacts: it does not stay closed. */
CLAIM(two_elastic_balls_between_walls_have_all_their_impacts)
{
    for (int k = 0; k < 12; k++) {
        const double e[] = {1, 1, 1};
        thing b = {.p0 = {0.34699923 - 0.02 * k, 0.98558185 - 0.01 * k},
                   .v0 = {-0.81772512 + 0.03 * k, 0.177656 - 0.1 * k}};
        resida_model_contacts c;
        resida_model m = model_of(&b, &c);
        m.mechanism.n_p = m.mechanism.n_v = 2, m.mechanism.n_root = 3;
        m.mechanism.residual = pair_residual, m.mechanism.root = pair_gaps;
        c.n = 3, c.restitution = e, c.names = NULL;
        double p[] = {b.p0[0], b.p0[1]}, v[] = {b.v0[0], b.v0[1]};
        const int n = move_pair(p, v, 10);
        flight f = fly_as_ever(&m);
        int events = 0;
        resida_status status;
        while ((status = resida_run_advance(f.run, 10)) == RESIDA_EVENT) events++;
        if (status != RESIDA_OK) fail_msg("pair %d, t = %g: %s", k, state_of(&f).t, resida_solver_message(f.solver));
        assert_int_equal(events, n);
        for (int i = 0; i < 2; i++) NEARLY(state_of(&f).p[i], p[i], 1e-5);
    }
}

/* In the frame of a floor that rises with c it falls from 1 with -c. */
CLAIM(the_speed_of_a_moving_floor_enters_the_rebound)
{
    for (int way = 0; way < 2; way++) {
        thing b;
        resida_model_contacts c;
        resida_model m = ball(&b, &c, 0.5);
        b.climb = 0.7;
        if (way) c.rate = gap_rate;
        flight f = fly_as_ever(&m);
        assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
        NEARLY(state_of(&f).t, (-b.climb + sqrt(b.climb * b.climb + 2 * G)) / G, 1e-7);
        NEARLY(state_of(&f).v[0] - b.climb, 0.5 * sqrt(b.climb * b.climb + 2 * G), 1e-7);
    }
}

CLAIM(an_impact_that_the_model_handles_is_not_computed)
{
    thing b;
    resida_model_contacts c;
    resida_happening what;
    resida_model m = ball(&b, &c, 0.5);
    m.event = says;
    flight f = fly_as_ever(&m);
    assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
    NEARLY(state_of(&f).v[0], 0.5 * sqrt(2 * G), 1e-7);
    assert_true(b.asked > 0);
    b.answers = 1;
    do assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
    while (resida_run_event(f.run, &what) == RESIDA_OK && what.direction[0] > 0);
    NEARLY(state_of(&f).v[0], 7, 1e-12);
    assert_true(what.push == NULL && what.energy_change == 0);
}

CLAIM(a_contact_that_is_closed_at_the_start_is_named)
{
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 0.5);
    b.p0[0] = -0.25, b.v0[0] = -1;
    flight f = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(resida_solver_message(f.solver), "contact floor penetrates by 0.25"));
}

/* It leaves the floor from below, without an impact; rounding below 0 is none. */
CLAIM(a_contact_that_is_closed_at_the_start_and_opens_is_a_warning)
{
    static const double gaps[] = {-0.25, -1e-12, 0, 0.1};
    for (int i = 0; i < 4; i++) {
        thing b;
        resida_model_contacts c;
        resida_model m = ball(&b, &c, 0.5);
        b.p0[0] = gaps[i], b.v0[0] = 4;
        flight f = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
        assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK);
        resida_stats stats = test_stats(f.solver);
        assert_int_equal(stats.n_warnings, i == 0);
        if (i == 0) assert_non_null(strstr(stats.warnings[0], "start: contact floor penetrates by 0.25 at t = 0"));
    }
}

CLAIM(a_matrix_that_fails_ends_the_run_with_its_name)
{
    for (int verdict = -1; verdict <= 1; verdict += 2) {
        thing b;
        resida_model_contacts c;
        resida_model m = ball(&b, &c, 0.5);
        c.matrix = gap_matrix;
        b.matrix_fails = verdict;
        flight f = fly_as_ever(&m);
        assert_int_equal(go(&f, 3), RESIDA_ERR_USER);
        assert_non_null(strstr(resida_solver_message(f.solver), "matrix"));
    }
}

CLAIM(a_matrix_that_contradicts_the_gap_is_reported)
{
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 0.5);
    c.matrix = gap_matrix;
    b.wrong = 1;
    flight f = fly_as_ever(&m);
    assert_int_equal(go(&f, 3), RESIDA_ERR_MODEL);
    assert_non_null(strstr(resida_solver_message(f.solver), "contact floor: the gap changes"));
}

/* --- Derivatives, checkpoints --- */

/* Behind the first impact z = e v_0 s - G s^2 / 2, s = t - t_0: dz/de = v_0 s. */
CLAIM(the_derivative_with_respect_to_restitution_has_its_closed_form)
{
    const double delta = 1e-6, t_0 = sqrt(2 / G), t = t_0 + 0.4;
    thing b, b_moved;
    resida_model_contacts c, c_moved;
    resida_model m = ball(&b, &c, 0.8), moved = ball(&b_moved, &c_moved, 0.8 + delta);
    const resida_model *const models[] = {&moved};
    resida_problem *problem = test_problem(&moved.mechanism, NULL);
    flight f = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    resida_sensitivity by;
    resida_sensitivity_init(&by);
    by.name = "e", by.moved = problem, by.delta = delta;
    assert_int_equal(resida_solver_set_sensitivities(f.solver, 1, &by), RESIDA_OK);
    c_moved.first = 7;
    assert_int_equal(resida_run_set_moved(f.run, 1, models), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(resida_solver_message(f.solver), "models[0] has other contacts"));
    moved.contacts = NULL, c_moved.first = 0;
    assert_int_equal(resida_run_set_moved(f.run, 1, models), RESIDA_ERR_ARGUMENT);
    moved.contacts = &c_moved;
    assert_int_equal(resida_run_set_moved(f.run, 1, models), RESIDA_OK);
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_OK);
    assert_int_equal(go(&f, t), RESIDA_OK);
    resida_state ds;
    assert_int_equal(resida_solver_sensitivity(f.solver, 0, &ds), RESIDA_OK);
    NEARLY(ds.p[0], G * t_0 * 0.4, 1e-4);
    NEARLY(ds.v[0], G * t_0, 1e-4);
}

CLAIM(a_run_with_bounces_continues_from_a_checkpoint)
{
    static unsigned char bytes[40000];
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 0.8);
    size_t size;
    flight f = fly_as_ever(&m), g = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    assert_int_equal(go(&f, 1.2), RESIDA_OK);
    assert_int_equal(resida_run_save(f.run, NULL, 0, bytes, sizeof bytes, &size), RESIDA_OK);
    assert_int_equal(resida_run_load(g.run, NULL, bytes, size), RESIDA_OK);
    assert_int_equal(go(&f, 2.5), RESIDA_OK);
    assert_int_equal(go(&g, 2.5), RESIDA_OK);
    NEARLY(state_of(&g).p[0], state_of(&f).p[0], 1e-6);
    NEARLY(state_of(&g).v[0], state_of(&f).v[0], 1e-6);

    b.e[0] = 0; /* behind an impact it is known which contact was struck */
    f = fly_as_ever(&m), g = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
    assert_int_equal(resida_run_save(f.run, NULL, 0, bytes, sizeof bytes, &size), RESIDA_OK);
    assert_int_equal(resida_run_load(g.run, NULL, bytes, size), RESIDA_OK);
    assert_int_equal(go(&g, 3), RESIDA_STOP_TIME);
    assert_non_null(strstr(resida_solver_message(g.solver), "stays closed"));

    m.contacts = NULL;
    g = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_run_load(g.run, NULL, bytes, size), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(resida_solver_message(g.solver), "a model with 1 contacts, this one has 0"));
}

CLAIM(invalid_contacts_are_refused)
{
    thing b;
    resida_model_contacts c;
    resida_model m = ball(&b, &c, 0.5);
    flight f = open_flight(&m, "auto", RESIDA_FORMALISM_AUTO);
    const double e[] = {1.5};
    static const struct {
        const char *says;
        int n, first, size, no_e, odd_e;
    } bad[] = {{"n not", 0, 0, 0, 0, 0},           {"root functions", 2, 0, 0, 0, 0}, {"root functions", 1, 1, 0, 0, 0},
               {"root functions", 1, -1, 0, 0, 0}, {"size", 1, 0, 4, 0, 0},           {"restitution", 1, 0, 0, 1, 0},
               {"restitution", 1, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        resida_message why = {""};
        resida_run *run;
        c = (resida_model_contacts){.size = sizeof c - (size_t)bad[i].size, .n = bad[i].n, .first = bad[i].first};
        c.restitution = bad[i].no_e ? NULL : bad[i].odd_e ? e : b.e;
        assert_int_equal(resida_run_create(&run, &m, f.solver, &why), RESIDA_ERR_ARGUMENT);
        assert_non_null(strstr(why.text, bad[i].says));
        assert_null(run);
    }
}

/* A class whose create() says nonsense of its contacts; 0: of a general DAE, 1: a name that cannot be shown, 2: nothing
 * is wrong. */
static int nonsense;

static int create(const double *values, resida_model *model, resida_message *why)
{
    static thing b;
    static resida_model_contacts c;
    static const char *const odd[] = {"flo\nor"};
    const size_t size = model->size;
    const resida_model_class *cls = model->cls;
    *model = ball(&b, &c, 0.5);
    model->size = size, model->cls = cls;
    if (nonsense == 0) model->is_dae = 1, model->dae.n = 1, model->y0 = b.p0;
    if (nonsense == 1) c.names = odd;
    return 0;
}

CLAIM(a_class_with_invalid_contacts_is_refused)
{
    static const resida_model_class cls = {RESIDA_MODEL_HEAD, "ball", "falls", 0, NULL, create, NULL, NULL};
    static const char *const says[] = {"contacts of a general DAE", "names of contacts"};
    for (nonsense = 0; nonsense < 3; nonsense++) {
        resida_model model;
        resida_message why = {""};
        const resida_status status = resida_model_create(&cls, 0, NULL, NULL, &model, &why);
        assert_int_equal(status, nonsense < 2 ? RESIDA_ERR_MODEL : RESIDA_OK);
        if (nonsense < 2) assert_non_null(strstr(why.text, says[nonsense]));
        resida_model_destroy(&cls, &model);
    }
}
