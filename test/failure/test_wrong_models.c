/* test_wrong_models.c - what a model says wrongly is a warning, in each form; what is right is none. */
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/models/models.h"
#include "whole_body.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static const char *const forms[] = {"ggl",       "index2",     "index1",     "baumgarte",   "index3",
                                    "augmented", "projected1", "projected2", "state-space", "hiller-anantharaman",
                                    NULL};

/** Callbacks that have to be wrong to be seen at all in this formalism. */
static int shows(whole_error error, int is_explicit)
{
    return !is_explicit || (error != WHOLE_PHI_P && error != WHOLE_PHI_V && error != WHOLE_POTENTIAL); /* not used */
}

/** What the warning has to begin with. A jump of g ends the forms that hold g. */
static const char *const blamed[WHOLE_ERRORS] = {
    [WHOLE_G_ENTRY] = "constraint_matrix",
    [WHOLE_G_SIGN] = "constraint_matrix",
    [WHOLE_G_PATTERN] = "constraint_matrix",
    [WHOLE_T_FACTOR] = "kinematic_matrix",
    [WHOLE_T_SIGN] = "kinematic_matrix",
    [WHOLE_T_COLUMN] = "kinematic_matrix",
    [WHOLE_UD] = "excitation",
    [WHOLE_UDD] = "excitation",
    [WHOLE_VELOCITY_BIAS] = "velocity_bias",
    [WHOLE_ACCELERATION_BIAS] = "acceleration_bias",
    [WHOLE_NONHOLONOMIC_BIAS] = "nonholonomic_acceleration_bias",
    [WHOLE_MASS] = "mass_matrix",
    [WHOLE_PHI_P] = "derivatives",
    [WHOLE_PHI_V] = "derivatives",
    [WHOLE_POTENTIAL] = "potential",
    [WHOLE_JUMP] = "g of ",
};

/** The warnings of a run, in one text. */
static void run(const resida_mechanism *k, const whole_body *body, const char *form, int formalism, char *text,
                size_t size)
{
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_stats stats = {.size = sizeof stats};
    po.form = form, po.formalism = (resida_formalism)formalism;
    so.rtol = so.atol = 1e-6, so.max_steps = 2000;
    text[0] = 0;
    resida_solver *s = test_solver(k, &po, &so);
    resida_start_options start = test_start_options();
    start.wrong_matrix = RESIDA_WRONG_MATRIX_WARN;
    if (resida_solver_start(s, 0, body->p0, body->v0, k->n_g > 0 ? &start : NULL, NULL) == RESIDA_OK) {
        resida_status status;
        while ((status = resida_solver_advance(s, 0.5)) == RESIDA_EVENT) continue;
        assert_true(resida_solver_examine(s) == RESIDA_OK);
        stats = test_stats(s);
        for (int i = 0; i < stats.n_warnings; i++) {
            assert_null(strchr(stats.warnings[i], '\n'));
            snprintf(text + strlen(text), size - strlen(text), "%s\n", stats.warnings[i]);
        }
        if (status < 0) snprintf(text + strlen(text), size - strlen(text), "failed: %s\n", resida_solver_message(s));
    } else {
        snprintf(text, size, "no warning, no start: %s\n", resida_solver_message(s));
    }
}

/** Is there a line that begins so? */
static int begins(const char *text, const char *with)
{
    for (const char *line = text, *end; line; line = end ? end + 1 : NULL) {
        if (strncmp(line, with, strlen(with)) == 0) return 1;
        end = strchr(line, '\n');
    }
    return 0;
}

CLAIM(each_planted_error_is_a_warning_in_each_form)
{
    char text[4096];
    int missed = 0;
    for (int error = 1; error < WHOLE_ERRORS; error++)
        for (int form = 0; forms[form]; form++)
            for (int formalism = 1; formalism <= 2; formalism++) {
                whole_body body = {.error = (whole_error)error};
                resida_mechanism k = whole_mechanism(&body, 0);
                if (!blamed[error] || !shows(body.error, formalism == 2)) continue;
                run(&k, &body, forms[form], formalism, text, sizeof text);
                if (begins(text, blamed[error]) ||
                    (error == WHOLE_JUMP && (begins(text, "failed") || begins(text, "G v + gI of"))))
                    continue;
                missed++;
                print_message("error %d, %s, formalism %d: no \"%s\" in: %s\n", error, forms[form], formalism,
                              blamed[error], text);
            }
    assert_int_equal(missed, 0);
}

CLAIM(an_entry_that_the_pattern_lacks_is_a_warning_without_the_matrix_too)
{
    char text[4096];
    for (int form = 0; forms[form]; form++) {
        whole_body body = {.error = WHOLE_G_PATTERN};
        resida_mechanism k = whole_mechanism(&body, 0);
        k.constraint_matrix = NULL; /* differences at the places of the pattern */
        run(&k, &body, forms[form], RESIDA_FORMALISM_RESIDUAL, text, sizeof text);
        if (!begins(text, "G_pattern: the derivative of")) fail_msg("%s: %s", forms[form], text);
    }
}

/* A pendulum that hangs, dg/dx = 2 x is 0 there. user: a factor of it, 1 is right. */
static int hanging_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = *(const double *)user * 2 * p[0], G[1] = 2 * p[1];
    return 0;
}

static void hang(const double *factor, const resida_pattern *pattern, char *text, size_t size)
{
    const whole_body start = {.p0 = {0, -1}, .v0 = {1, 0}};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_g = 1;
    k.residual = small_particle;
    k.constraint = small_circle;
    k.constraint_matrix = factor ? hanging_matrix : NULL;
    k.user = (void *)factor;
    if (pattern) k.G_pattern = *pattern;
    run(&k, &start, "ggl", RESIDA_FORMALISM_RESIDUAL, text, size);
}

CLAIM(entries_that_are_zero_at_the_start_are_compared)
{
    static const int row[] = {0, 1}, col[] = {1};
    const double right = 1, wrong = 1.001;
    char text[4096];
    hang(&right, NULL, text, sizeof text);
    assert_string_equal(text, "");
    hang(&wrong, NULL, text, sizeof text);
    if (!begins(text, "constraint_matrix: d g[0] / d p[0] is ")) fail_msg("a thousandth: %s", text);
    hang(NULL, &(resida_pattern){row, col}, text, sizeof text);
    if (!begins(text, "G_pattern: the derivative of g[0] ")) fail_msg("not in the pattern: %s", text);
}

/* Two bodies on a rope, p0 + p1 = 0. user: M, by rows. */
static int rope_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    const double *M = user;
    for (int i = 0; i < 2; i++) r[i] = M[2 * i] * (a[0] + 9.81) + M[2 * i + 1] * (a[1] + 9.81);
    return 0;
}

static int rope_acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                             double *a, void *user)
{
    const double *M = user, det = M[0] * M[3] - M[1] * M[2];
    a[0] = (M[3] * f[0] - M[1] * f[1]) / det - 9.81;
    a[1] = (M[0] * f[1] - M[2] * f[0]) / det - 9.81;
    return 0;
}

static int rope_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    memcpy(M, user, 4 * sizeof *M);
    return 0;
}

static int rope_length(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] + p[1];
    return 0;
}

CLAIM(an_inertia_below_zero_is_a_warning)
{
    static const struct {
        double M[4];
        const char *residual, *explicitly; /* what the warning begins with */
    } cases[] = {
        {{2, 0, 0, 1}, "", ""},
        {{2, 0, 0, 0}, "", NULL}, /* no mass of its own, which the rope moves: M^-1 is not possible */
        {{2, 0, 0, -1}, "inertia: that of p[1] is -1 at t = 0", "inertia: G M^-1 G' of g[0] is -0.5 at t = 0"},
        /* 2 - 2^2/1; of M^-1 G M^-1 G' alone is known, (2 - 2 - 2 + 1) / (1 * 2 - 2 * 2) = 0.5 */
        {{1, 2, 2, 2}, "inertia: that of p[1] is -2, without the part coupled with others, at t = 0", ""},
    };
    const whole_body start = {.p0 = {0, 0}, .v0 = {0, 0}};
    char text[4096];
    for (int k = 0; k < 4 * 3; k++) {
        const int i = k / 3, is_explicit = k % 3 == 2;
        const char *expected = is_explicit ? cases[i].explicitly : cases[i].residual;
        if (!expected) continue;
        resida_mechanism m = test_mechanism();
        m.n_p = m.n_v = 2, m.n_g = 1;
        m.user = (void *)cases[i].M;
        m.constraint = rope_length;
        m.residual = is_explicit ? NULL : rope_residual;
        m.acceleration = is_explicit ? rope_acceleration : NULL;
        m.mass_matrix = k % 3 == 1 ? rope_mass : NULL;
        run(&m, &start, "ggl", is_explicit ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL, text, sizeof text);
        if (*expected ? !begins(text, expected) : *text) fail_msg("case %d of %d: %s", k % 3, i, text);
    }
}

CLAIM(a_right_model_gives_no_warning_in_any_form)
{
    char text[4096];
    for (int form = 0; forms[form]; form++)
        for (int formalism = 1; formalism <= 2; formalism++)
            for (int left_out = 0; left_out < WHOLE_MASKS;
                 left_out = left_out ? 2 * left_out : WHOLE_CONSTRAINT_MATRIX) {
                whole_body body = {.error = WHOLE_RIGHT};
                if (left_out & (WHOLE_RESIDUAL | WHOLE_ACCELERATION | WHOLE_CONSTRAINT | WHOLE_KINEMATICS | WHOLE_GH |
                                WHOLE_EXCITATION | WHOLE_ROOT))
                    continue;
                resida_mechanism k = whole_mechanism(&body, left_out);
                if (left_out == WHOLE_MASS_MATRIX) k.derivatives = NULL;
                run(&k, &body, forms[form], formalism, text, sizeof text);
                const int moves = left_out == WHOLE_GH_BIAS; /* of v0, which has another spin */
                if (moves != begins(text, "start: v[") || (text[0] && !moves))
                    fail_msg("%s, formalism %d, left out %#x: %s", forms[form], formalism, (unsigned)left_out, text);
            }
}

/* A body of a gram, 1e-7 kg m^2, on its hinge; beside what is wrong in T. What a given impulse makes of it is 1e7 times
 * as fast as it moves. */
CLAIM(light_bodies_are_not_taken_for_wrong_inertia)
{
    static const double light[][2] = {{5e-4, 2e-7}, {1, 2e-7}, {1e-9, 1e-9}, {1e6, 1e-3}, {1e6, 1e6}};
    static const whole_error errors[] = {WHOLE_RIGHT, WHOLE_T_FACTOR, WHOLE_T_SIGN, WHOLE_T_COLUMN};
    char text[4096];
    int wrong = 0;
    for (int k = 0; k < 5 * 4 * 2; k++) {
        whole_body body = {.error = errors[k % 4], .light = {light[k / 8][0], light[k / 8][1]}};
        const resida_mechanism m = whole_mechanism(&body, 0);
        run(&m, &body, "ggl", 1 + k / 4 % 2, text, sizeof text);
        if (body.error == WHOLE_RIGHT ? text[0] == 0 : begins(text, "kinematic_matrix")) continue;
        wrong++;
        print_message("parts %g, %g, error %d, formalism %d: %s\n", body.light[0], body.light[1], (int)body.error,
                      1 + k / 4 % 2, text);
    }
    assert_int_equal(wrong, 0);
}

/* A top on a ball in axes of space, M = A J A', q' = T(q) w: a = A J^-1 A' (f - w x M w). user: a top. */
typedef struct top {
    double J[3], T_factor;
} top;

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* out = A diag(d^power) A' x */
static void in_space(const double *q, const double *d, int power, const double *x, double *out)
{
    double body[3], first[3], second[3];
    const double back[3] = {-q[1], -q[2], -q[3]};
    cross(back, x, first);
    cross(back, first, second);
    for (int i = 0; i < 3; i++) body[i] = (x[i] + 2 * q[0] * first[i] + 2 * second[i]) * pow(d[i], power);
    cross(q + 1, body, first);
    cross(q + 1, first, second);
    for (int i = 0; i < 3; i++) out[i] = body[i] + 2 * q[0] * first[i] + 2 * second[i];
}

static int top_acceleration(double t, const double *q, const double *w, const double *f, const resida_excitation *e,
                            double *a, void *user)
{
    const top *b = user;
    double Mw[3], gyro[3];
    in_space(q, b->J, 1, w, Mw);
    cross(w, Mw, gyro);
    for (int i = 0; i < 3; i++) gyro[i] = f[i] - gyro[i];
    in_space(q, b->J, -1, gyro, a);
    return 0;
}

static int top_kinematics(double t, const double *q, const resida_excitation *e, double *T, void *user)
{
    const double rows[12] = {-q[1], -q[2], -q[3], q[0], q[3], -q[2], -q[3], q[0], q[1], q[2], -q[1], q[0]};
    for (int i = 0; i < 12; i++) T[i] = ((const top *)user)->T_factor / 2 * rows[i];
    return 0;
}

CLAIM(a_light_top_on_a_ball_is_right_in_axes_of_space)
{
    static const double sizes[] = {1e-7, 1e-3, 1, 1e5};
    const whole_body start = {.p0 = {0.8, 0.4, -0.2, 0.4}, .v0 = {0.7, -0.4, 2}};
    char text[4096];
    for (int k = 0; k < 8; k++) {
        top b = {{sizes[k / 2], 2 * sizes[k / 2], 2.5 * sizes[k / 2]}, 1 + k % 2};
        resida_mechanism m = test_mechanism();
        m.n_p = 4, m.n_v = 3, m.user = &b;
        m.acceleration = top_acceleration, m.kinematic_matrix = top_kinematics;
        run(&m, &start, "ode", RESIDA_FORMALISM_EXPLICIT, text, sizeof text);
        if (k % 2 ? !begins(text, "kinematic_matrix") : text[0] != 0) fail_msg("%g: %s", sizes[k / 2], text);
    }
}

/* A mass that is led by a fast excitation, x = u, and y' = u', u = sin(100 t) / 100: what is looked at in one row does
 * not stay moved for the next one. */
static int led_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - e->u[0];
    return 0;
}

static int led_bias(double t, const double *p, const resida_excitation *e, double *bias, void *user)
{
    bias[0] = -e->ud[0];
    return 0;
}

static int led_row(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    Gh[0] = 0, Gh[1] = 1;
    return 0;
}

static int led_second_bias(double t, const double *p, const double *v, const resida_excitation *e, double *gamma,
                           void *user)
{
    gamma[0] = -e->udd[0];
    return 0;
}

static int fast_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.01 * sin(100 * t), ud[0] = cos(100 * t), udd[0] = -100 * sin(100 * t);
    return 0;
}

CLAIM(a_fast_excitation_of_two_kinds_of_rows_gives_no_warning)
{
    char text[4096];
    const whole_body start = {.p0 = {0, 0}, .v0 = {1, 1}};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_g = k.n_h = k.n_u = 1;
    k.residual = small_inert;
    k.constraint = led_constraint;
    k.velocity_bias = led_bias;
    k.nonholonomic_matrix = led_row;
    k.nonholonomic_bias = led_bias;
    k.nonholonomic_acceleration_bias = led_second_bias;
    k.excitation = fast_excitation;
    run(&k, &start, "ggl", RESIDA_FORMALISM_RESIDUAL, text, sizeof text);
    assert_string_equal(text, "");
}

static int failing_potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    V[0] = 0;
    return -1;
}

/* u = sin(t + 1). user: a factor of ud. */
static int wave(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = sin(t + 1), ud[0] = *(const double *)user * cos(t + 1), udd[0] = -sin(t + 1);
    return 0;
}

CLAIM(ud_is_named_where_it_is_wrong_and_udd_right)
{
    const whole_body start = {.p0 = {0, 0}, .v0 = {0, 0}};
    double factor = 1.1;
    char text[4096];
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_u = 1;
    k.residual = small_inert;
    k.excitation = wave;
    k.user = &factor;
    run(&k, &start, "ode", RESIDA_FORMALISM_RESIDUAL, text, sizeof text);
    if (!begins(text, "excitation: ud[0] = 0.594")) fail_msg("%s", text); /* 1.1 cos(1) */
}

/* From t = 0.5 on it refuses, unless *user is 1. */
static int refusing(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = a[0], r[1] = a[1] + 9.81;
    return t > 0.5 && *(const double *)user == 0;
}

static int turned_circle_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = -2 * p[0], G[1] = 2 * p[1];
    return 0;
}

static void open_refusing(resida_problem **problem, resida_solver **s, double *side, resida_position_fn *matrix)
{
    const double p0[2] = {sin(1), -cos(1)}, v0[2] = {0, 0};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_g = 1;
    k.residual = refusing;
    k.constraint = small_circle;
    k.constraint_matrix = matrix;
    k.user = side;
    test_solver_make(problem, s, &k, NULL, NULL);
    resida_start_options o = test_start_options();
    o.wrong_matrix = RESIDA_WRONG_MATRIX_WARN;
    assert_int_equal(resida_solver_start(*s, 0, p0, v0, &o, NULL), RESIDA_OK);
}

CLAIM(a_step_that_fails_names_a_warning_that_is_known)
{
    resida_problem *problem;
    resida_solver *s;
    double side = 1;
    open_refusing(&problem, &s, &side, turned_circle_matrix);
    assert_true(resida_solver_advance(s, 1) < 0);
    if (!strstr(resida_solver_message(s), "; earlier warning: constraint_matrix: "))
        fail_msg("%s", resida_solver_message(s));
}

/* Its energy is kept. */
CLAIM(a_run_continues_after_the_cause_of_a_failed_step_is_removed)
{
    resida_problem *problem;
    resida_solver *s;
    double goes = 0;
    open_refusing(&problem, &s, &goes, NULL);
    assert_int_equal(resida_solver_advance(s, 1), RESIDA_ERR_USER_REPEATED);
    goes = 1;
    if (resida_solver_advance(s, 1) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
    const resida_state x = test_state(s);
    const double energy = (x.v[0] * x.v[0] + x.v[1] * x.v[1]) / 2 + 9.81 * (x.p[1] + cos(1));
    assert_true(fabs(energy) < 1e-3);
}

CLAIM(a_potential_that_fails_is_named)
{
    const double p0[2] = {0, 0}, v0[2] = {0, 0};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2;
    k.residual = small_inert;
    k.potential = failing_potential;
    resida_solver *s = test_solver(&k, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_examine(s), RESIDA_ERR_USER);
    assert_non_null(strstr(resida_solver_message(s), "potential"));
}

/* A pendulum of length 1 whose p0 is `off` too far out, and whose v0 leaves the circle by as much; the warnings. */
static int warnings_of_start(double off, double tol, char *first, char *second)
{
    const double p0[2] = {0, -1 - off}, v0[2] = {1, off};
    resida_mechanism k = test_mechanism();
    resida_solver_options o = test_solver_options();
    k.n_p = k.n_v = 2, k.n_g = 1;
    k.residual = small_inert;
    k.constraint = small_circle;
    o.rtol = o.atol = tol;
    resida_solver *s = test_solver(&k, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    const resida_stats stats = test_stats(s);
    if (stats.n_warnings > 0) strcpy(first, stats.warnings[0]);
    if (stats.n_warnings > 1) strcpy(second, stats.warnings[1]);
    return stats.n_warnings;
}

CLAIM(a_start_that_is_moved_beyond_its_tolerance_is_a_warning)
{
    char p[RESIDA_MESSAGE_SIZE] = "", v[RESIDA_MESSAGE_SIZE] = "";
    assert_int_equal(warnings_of_start(0.1, 1e-6, p, v), 2);
    assert_string_equal(p, "start: p[1] moves by 0.1 from -1.1 at t = 0, to satisfy the constraints");
    assert_string_equal(v, "start: v[1] moves by -0.1 from 0.1 at t = 0, to satisfy the constraints");
    assert_int_equal(warnings_of_start(1e-7, 1e-6, p, v), 0);
    assert_int_equal(warnings_of_start(0, 1e-6, p, v), 0);
}
