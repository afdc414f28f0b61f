/* test_callback_calls.c - the calls of each callback that the statistics tell are those that a model counts itself, to
 * the last one: with every callback of the library, both formalisms, every form that takes the model, every strategy,
 * through starts, events, interpolation and examination, by several threads and through refused calls. What a user
 * evaluates beside the solver is not among them. */
#include "test/failure/whole_body.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "test/fixtures/mechanisms/counted.h"
#include "test/fixtures/file_util.h"
#include "test/models/gyro.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX_P = 8, MAX_Y = 64, TEXT = 200, OUTPUTS = 6, REFUSES = 97 };
#define T_END 0.3

/* A model that counts, and a start of it. */
typedef struct subject {
    const char *name;
    counted counted;
    resida_mechanism m;
    resida_dae d;
    int is_dae;
    double p0[MAX_P], v0[MAX_P];
    whole_body body;
    cm random;
    gyro top;
} subject;

/* --- subjects --- */

static void add_whole(subject *s, int left_out)
{
    s->name = "whole body";
    resida_mechanism m = whole_mechanism(&s->body, left_out);
    m.thread_safe = 1;
    s->m = counted_mechanism(&s->counted, &m);
    memcpy(s->p0, s->body.p0, sizeof s->body.p0);
    memcpy(s->v0, s->body.v0, sizeof s->body.v0);
}

static void add_random(subject *s, double friction, int given)
{
    s->name = friction > 0 ? "random, with friction" : "random";
    cm_make_rich(&s->random, 7);
    s->random.friction = friction;
    const resida_mechanism m = cm_mechanism(&s->random, given);
    s->m = counted_mechanism(&s->counted, &m);
    memcpy(s->p0, s->random.p0, sizeof s->p0);
    memcpy(s->v0, s->random.v0, sizeof s->v0);
}

static void add_top(subject *s, int by_differences)
{
    s->name = "joint with an invariant";
    s->top = (gyro){.is_joint = 1, .n_k = 1, .by_differences = by_differences};
    const resida_mechanism m = gyro_mechanism(&s->top);
    s->m = counted_mechanism(&s->counted, &m);
    gyro_start(&s->top, s->p0, s->v0);
}

/* y0' = -y0 + y1, y1 = u, u = sin 9 t, with the root y1 - 0.5. */
static int relaxation(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] - e->u[0];
    return 0;
}

static int relaxation_J(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                        double *J, void *user)
{
    J[0] = alpha + 1, J[1] = -1, J[2] = 0, J[3] = 1;
    return 0;
}

static int wave(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = sin(9 * t), ud[0] = 9 * cos(9 * t), udd[0] = -81 * sin(9 * t);
    return 0;
}

static int half(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    out[0] = y[1] - 0.5;
    return 0;
}

static void add_dae(subject *s, int with_jacobian)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    resida_dae d = test_dae();
    d.n = 2, d.n_u = d.n_root = d.thread_safe = 1;
    d.kinds = kinds;
    d.residual = relaxation, d.excitation = wave, d.root = half;
    if (with_jacobian) d.jacobian = relaxation_J;
    s->name = "general DAE";
    s->is_dae = 1;
    s->d = counted_dae(&s->counted, &d);
}

/* --- runs --- */

/* How a subject is run. */
typedef struct way {
    const char *form, *jacobian, *method;
    resida_formalism formalism;
    int threads, projects; /* projects: along D of the user's */
} way;

static resida_status make_problem(subject *s, const way *w, resida_problem **problem)
{
    resida_problem_options o = test_problem_options();
    if (w->form) o.form = w->form;
    if (w->projects) o.projection = "own", o.projection_matrix = counted_projection_matrix;
    o.formalism = w->formalism;
    return s->is_dae ? resida_problem_create_dae(problem, &s->d, NULL, NULL)
                     : resida_problem_create(problem, &s->m, &o, NULL);
}

static resida_status make_solver(const way *w, resida_problem *problem, resida_solver **solver)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = 1e-5;
    if (w->jacobian) o.jacobian = w->jacobian;
    if (w->method) o.method = w->method, o.step = 0.01;
    o.threads = w->threads > 0 ? w->threads : 1;
    return resida_solver_create(solver, problem, &o, NULL);
}

static resida_status start(const subject *s, resida_solver *solver, double t)
{
    static const double y0[2] = {1, 0};
    resida_start_options o = test_start_options();
    if (s->is_dae) return resida_solver_start_dae(solver, t, y0, NULL);
    return resida_solver_start(solver, t, s->p0, s->v0, &o, NULL);
}

static void check(const subject *s, const resida_solver *solver, const char *what)
{
    resida_stats stats = test_stats(solver);
    counted_check(&s->counted, &stats.callback_calls, what);
}

/* What is evaluated beside the solver is forgotten: it must not be in the statistics. */
static void evaluate_besides(subject *s, resida_problem *problem, const resida_solver *solver)
{
    const resida_callback_calls before = counted_calls(&s->counted);
    resida_state at;
    double r[MAX_Y];
    if (resida_solver_state(solver, &at) < 0) return;
    (void)resida_problem_residual(at.t + 1e-3, at.y, at.yp, r, problem);
    counted_forget_since(&s->counted, &before);
}

static resida_status integrate(subject *s, resida_problem *problem, resida_solver *solver, const char *what)
{
    double y[MAX_Y], yp[MAX_Y];
    resida_status status = start(s, solver, 0);
    for (int i = 1; i <= OUTPUTS && status >= 0; i++) {
        check(s, solver, what);
        evaluate_besides(s, problem, solver);
        if (i == OUTPUTS / 2) status = start(s, solver, T_END * (i - 1) / OUTPUTS);
        while (status >= 0 && (status = resida_solver_advance(solver, T_END * i / OUTPUTS)) == RESIDA_EVENT) continue;
        resida_state at;
        if (status >= 0 && resida_solver_state(solver, &at) >= 0) (void)resida_solver_interpolate(solver, at.t, y, yp);
    }
    if (status >= 0) (void)resida_solver_examine(solver);
    return status;
}

/* @return 1 if it could be run */
static int run(subject *s, const way *w)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    const char *what = claims_text("%s, formalism %d, form %s, %s, %s, %d threads", s->name, (int)w->formalism,
                                   w->form ? w->form : "-", w->jacobian ? w->jacobian : "-",
                                   w->method ? w->method : "bdf", w->threads);
    for (int i = 0; i < COUNTED_CALLBACKS; i++) atomic_store(&s->counted.calls[i], 0);
    const int is_made = make_problem(s, w, &problem) >= 0 && make_solver(w, problem, &solver) >= 0;
    test_own_problem(problem);
    test_own_solver(solver);
    const resida_status status = is_made ? integrate(s, problem, solver, what) : RESIDA_ERR_OPTION;
    if (is_made) check(s, solver, what);
    return is_made && (status >= 0 || s->counted.refuse_each > 0);
}

static const resida_formalism formalisms[] = {RESIDA_FORMALISM_RESIDUAL, RESIDA_FORMALISM_EXPLICIT};

/* --- the claims --- */

CLAIM(every_form_reports_the_calls_that_the_model_counts)
{
    long runs = 0;
    for (int i = 0; i < 2; i++)
        for (int left_out = 0; left_out < 4; left_out++)
            for (const char *const *form = (const char *[]){"ggl", "index1", "index2", "index3", "projected", "ode",
                                                            "state-space", "baumgarte", NULL};
                 *form; form++) {
                subject s = {.is_dae = 0};
                const int masks[] = {0, WHOLE_CONSTRAINT_MATRIX, WHOLE_GI | WHOLE_GAMMA | WHOLE_GH_GAMMA,
                                     WHOLE_DERIVATIVES};
                add_whole(&s, masks[left_out]);
                runs += run(&s, &(way){.form = *form, .formalism = formalisms[i]});
            }
    print_message("  %ld runs\n", runs);
    assert_true(runs >= 32);
}

CLAIM(every_strategy_reports_the_calls_that_the_model_counts)
{
    static const char *const strategies[] = {"auto",
                                             "fresh",
                                             "dense",
                                             "sparse",
                                             "dense+extended",
                                             "sparse+extended",
                                             "user",
                                             "dense+partitioned",
                                             "sparse+partitioned"};
    for (size_t j = 0; j < sizeof strategies / sizeof *strategies; j++)
        for (int i = 0; i < 2; i++) {
            subject s = {.is_dae = 0};
            const int is_user = strcmp(strategies[j], "user") == 0;
            add_whole(&s, is_user ? 0 : WHOLE_DERIVATIVES);
            assert_true(run(&s, &(way){.jacobian = strategies[j], .formalism = formalisms[is_user ? 0 : i]}));
        }
}

CLAIM(every_method_reports_the_calls_that_the_model_counts)
{
    const char *method;
    int i, runs = 0;
    for (i = 0; (method = resida_method_at(i)); i++) {
        subject s = {.is_dae = 0};
        add_whole(&s, WHOLE_ROOT);
        s.m.n_root = 0;
        runs += run(&s, &(way){.method = method, .form = "index3"});
        runs += run(&s, &(way){.method = method, .form = "ggl"});
    }
    assert_true(runs >= i);
}

CLAIM(forces_of_constraints_invariants_and_directions_are_counted)
{
    for (int i = 0; i < 2; i++)
        for (int given = 0; given < 2; given++) {
            subject with_lam = {.is_dae = 0}, top = {.is_dae = 0};
            add_random(&with_lam, 0.1, given ? CM_ALL : CM_NOTHING);
            assert_true(run(&with_lam, &(way){.formalism = formalisms[i]}));
            const resida_callback_calls calls = counted_calls(&with_lam.counted);
            assert_true(calls.residual_lam + calls.acceleration_lam > 0);
            add_top(&top, given);
            assert_true(run(&top, &(way){.formalism = formalisms[i]}));
            assert_true(counted_calls(&top.counted).invariant > 0);
        }
}

/* Some D [n_v x n_g] of full rank. */
static int directions(double t, const double *p, const resida_excitation *e, double *D, void *user)
{
    for (int i = 0; i < 6 * 3; i++) D[i] = i % 4 == 0;
    return 0;
}

CLAIM(directions_of_the_users_are_counted)
{
    subject s = {.is_dae = 0};
    add_whole(&s, 0);
    s.counted.along = directions;
    assert_true(run(&s, &(way){.form = "ggl", .projects = 1}));
    assert_true(counted_calls(&s.counted).projection_matrix > 0);
}

CLAIM(a_general_dae_reports_the_calls_that_it_counts)
{
    for (int with_jacobian = 0; with_jacobian < 2; with_jacobian++)
        for (int threads = 1; threads < 3; threads++) {
            subject s = {.is_dae = 0};
            add_dae(&s, with_jacobian);
            assert_true(run(&s, &(way){.threads = with_jacobian ? 1 : threads}));
            assert_true(counted_calls(&s.counted).root > 0);
            assert_int_equal(counted_calls(&s.counted).jacobian > 0, with_jacobian);
        }
}

/* Refused calls are made again by one thread: those in vain were calls, too. */
CLAIM(calls_of_all_threads_count_refused_ones_too)
{
    for (int i = 0; i < 2; i++)
        for (int refuses = 0; refuses < 2; refuses++) {
            subject s = {.is_dae = 0};
            add_whole(&s, WHOLE_DERIVATIVES | WHOLE_CONSTRAINT_MATRIX);
            s.counted.refuse_each = refuses ? REFUSES : 0;
            assert_true(run(&s, &(way){.threads = 3, .formalism = formalisms[i], .jacobian = "dense"}));
        }
}

CLAIM(each_callback_has_a_name)
{
    for (int i = 0; i < COUNTED_CALLBACKS; i++) assert_non_null(resida_callback_at(i));
    assert_null(resida_callback_at(COUNTED_CALLBACKS));
    assert_null(resida_callback_at(-1));
    const size_t each = sizeof(long);
    assert_string_equal(resida_callback_at((int)(offsetof(resida_callback_calls, potential) / each)), "potential");
    assert_string_equal(resida_callback_at((int)(offsetof(resida_callback_calls, root) / each)), "root");
}
