/* test_accepted.c - the option `accepted`: each step is told once, in order, with its end, size, order and state, and
 * is the one that is taken untold; who is told may stop the run, which goes on later as if nothing had been; what
 * fails, or calls the solver, ends it in words. (What throws: test/model/test_exceptions.cpp.) */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

enum { MOST = 4000, OUTPUTS = 600, N = 6 };
static const double t_end = 3;

/* What was told, and what is answered at which step, from 1 on. */
typedef struct witness {
    int n, answer_at, answer;
    double t[MOST], h[MOST];
    int order[MOST];
    resida_solver *intrudes; /* called at that step; NULL: not */
    resida_status refused;   /* what it said */
    double last[N];          /* y of the last step */
} witness;

static int accepted(const resida_step *step, void *user)
{
    witness *w = user;
    assert_true(w->n < MOST);
    assert_true(step->at.t == step->t && step->at.p == step->at.y && step->at.v == step->at.y + 2 && step->at.lam);
    w->t[w->n] = step->t, w->h[w->n] = step->h, w->order[w->n++] = step->order;
    memcpy(w->last, step->at.y, sizeof w->last);
    if (w->n != w->answer_at) return 0;
    if (w->intrudes) w->refused = resida_solver_advance(w->intrudes, t_end + 1);
    return w->answer;
}

typedef struct pair {
    resida_problem *problem;
    resida_solver *solver;
} pair;

/* w NULL: nobody is told. */
/* A pendulum in Cartesian coordinates, and a switch where it passes below its support. */
static pair open_pendulum(witness *w, const char *method, int has_root)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_problem_options of_problem = test_problem_options();
    resida_solver_options o = test_solver_options();
    pair x;
    m.n_p = m.n_v = 2, m.n_g = 1;
    m.residual = small_particle, m.constraint = small_circle;
    if (has_root) m.n_root = 1, m.root = small_p0;
    x.problem = test_problem(&m, &of_problem);
    o.method = method;
    o.step = strcmp(method, "bdf") == 0 ? 0 : 0.013;
    o.rtol = o.atol = 1e-6;
    o.accepted = w ? accepted : NULL;
    o.accepted_user = w;
    x.solver = test_solver_of(x.problem, &o);
    assert_int_equal(resida_solver_start(x.solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
    return x;
}

/* To the end over a grid of outputs, all of which go into `seen`; what comes between is counted. */
static void run(pair *x, double (*seen)[N], int *events, int *stops)
{
    *events = *stops = 0;
    for (int k = 1; k <= OUTPUTS; k++) {
        const double t = k < OUTPUTS ? t_end * k / OUTPUTS : t_end;
        resida_status status;
        while ((status = resida_solver_advance(x->solver, t)) == RESIDA_EVENT || status == RESIDA_INTERRUPTED)
            *(status == RESIDA_EVENT ? events : stops) += 1;
        if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(x->solver));
        resida_state at = test_state(x->solver);
        assert_true(at.t == t);
        memcpy(seen[k - 1], at.y, sizeof seen[0]);
    }
}

static const char *const methods[] = {"bdf", "bdf2", "radau-iia-3"};
enum { METHODS = sizeof methods / sizeof *methods };

CLAIM(each_step_is_reported_once_and_not_changed)
{
    for (int m = 0; m < METHODS; m++)
        for (int has_root = 0; has_root < 2; has_root++) {
            static double seen[2][OUTPUTS][N];
            static witness w;
            int events[2], stops[2];
            memset(&w, 0, sizeof w);
            pair told = open_pendulum(&w, methods[m], has_root), alone = open_pendulum(NULL, methods[m], has_root);
            run(&told, seen[0], &events[0], &stops[0]);
            run(&alone, seen[1], &events[1], &stops[1]);
            for (int k = 0; k < OUTPUTS; k++) /* interpolated in another order */
                for (int i = 0; i < N; i++) bench_near(seen[0][k][i], seen[1][k][i], 1e-11);
            assert_int_equal(events[0], events[1]);
            assert_true(!has_root || events[0] >= 2);
            const resida_stats stats = test_stats(told.solver);
            assert_int_equal(w.n, stats.steps);
            assert_int_equal(stats.residual_calls.total, test_stats(alone.solver).residual_calls.total);
            double t = 0;
            for (int i = 0; i < w.n; t = w.t[i++]) {
                assert_true(fabs(t + w.h[i] - w.t[i]) < 1e-12 && w.h[i] > 0);
                assert_true(w.order[i] >= 1 && w.order[i] <= 5);
            }
            assert_true(w.t[w.n - 1] >= t_end && (w.n < 2 || w.t[w.n - 2] < t_end));
            assert_true(w.h[w.n - 1] == stats.h && w.order[w.n - 1] == stats.order);
        }
}

/* By single steps, and again after a start: none twice, none left out. */
CLAIM(single_steps_are_reported)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    for (int m = 0; m < METHODS; m++) {
        static witness w;
        memset(&w, 0, sizeof w);
        pair x = open_pendulum(&w, methods[m], 0);
        for (int begin = 0; begin < 2; begin++) {
            const int before = w.n;
            resida_state at;
            for (int k = 1; k <= 10; k++) {
                assert_int_equal(resida_solver_step(x.solver, t_end), RESIDA_OK);
                assert_int_equal(w.n, before + k);
                at = test_state(x.solver);
                assert_true(at.t == w.t[w.n - 1]);
                for (int i = 0; i < N; i++) bench_near(at.y[i], w.last[i], 1e-9); /* interpolated at the same place */
            }
            assert_int_equal(resida_solver_start(x.solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
        }
        assert_int_equal(w.n, test_stats(x.solver).steps);
    }
}

/* At every step of a run in turn, also at those that hold an event, which comes first. */
CLAIM(the_step_callback_may_stop_a_run_that_then_continues)
{
    for (int m = 0; m < METHODS; m++) {
        static double seen[OUTPUTS][N], alone[OUTPUTS][N];
        static witness w;
        int events, stops, events_alone;
        memset(&w, 0, sizeof w);
        pair x = open_pendulum(&w, methods[m], 1);
        run(&x, alone, &events_alone, &stops);
        const int n = w.n;
        for (int at = 1; at <= n; at += 3) {
            memset(&w, 0, sizeof w);
            w.answer_at = at, w.answer = 1;
            x = open_pendulum(&w, methods[m], 1);
            run(&x, seen, &events, &stops);
            if (stops != 1 && !(stops == 0 && at == n)) fail_msg("%s: step %d stopped %d times", methods[m], at, stops);
            assert_int_equal(events, events_alone);
            assert_int_equal(w.n, n);
            assert_memory_equal(seen, alone, sizeof seen);
        }
    }
}

static void expect_failure(witness *w, const char *says)
{
    for (int m = 0; m < METHODS; m++) {
        const witness fresh = *w;
        pair x = open_pendulum(w, methods[m], 0);
        if (w->intrudes) w->intrudes = x.solver;
        assert_int_equal(resida_solver_advance(x.solver, t_end), RESIDA_ERR_USER);
        print_message("  %s\n", resida_solver_message(x.solver));
        assert_non_null(strstr(resida_solver_message(x.solver), says));
        assert_int_equal(w->n, w->answer_at);
        if (w->intrudes) assert_int_equal(w->refused, RESIDA_ERR_STATE);
        assert_true(test_state(x.solver).t == w->t[w->n - 1]);
        *w = fresh;
    }
}

CLAIM(a_failing_step_callback_ends_the_run_with_a_message)
{
    static witness w;
    memset(&w, 0, sizeof w);
    w.answer_at = 7, w.answer = -3;
    expect_failure(&w, "callback accepted returned -3 at t = ");
}

CLAIM(a_step_callback_that_calls_the_solver_is_refused_with_a_message)
{
    static witness w;
    resida_solver *some = (resida_solver *)(void *)&w; /* to be replaced by the solver of each run */
    memset(&w, 0, sizeof w);
    w.answer_at = 5, w.intrudes = some;
    expect_failure(&w, "callback accepted called the solver at t = ");
    w.answer = -1;
    expect_failure(&w, "it called the solver, which is not allowed");
}
