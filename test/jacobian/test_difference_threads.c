/* test_difference_threads.c - differences by several threads: bit for bit what one thread finds, with the same counters
 * and the same verdicts, whatever OMP_NUM_THREADS says; by the caller's thread alone unless a model allows more. */
#include <stdatomic.h>
#include <time.h>

#include "test/fixtures/bench_fixture.h"
#include "jacobian_fixture.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 40, WORKERS = 8, MAX_THREADS_SEEN = 64, FINE = -1 };

static const int thread_counts[] = {1, 2, 8};
enum { COUNTS = 3 };

/* --- which threads call --- */

static _Thread_local char here;
static _Atomic(char *) seen[MAX_THREADS_SEEN];

static void note_thread(void)
{
    for (int i = 0; i < MAX_THREADS_SEEN; i++) {
        char *empty = NULL;
        if (atomic_load(&seen[i]) == &here || atomic_compare_exchange_strong(&seen[i], &empty, &here)) return;
    }
}

/* A call is over so soon that one thread may make them all before another one has begun: it waits for that, a while. */
static void meet(int threads)
{
    const struct timespec moment = {0, 1000 * 1000};
    for (int k = 0; k < 200; k++) {
        int n = 0;
        for (int i = 0; i < MAX_THREADS_SEEN; i++) n += atomic_load(&seen[i]) != NULL;
        if (n >= threads) return;
        nanosleep(&moment, NULL);
    }
}

static int threads_seen(void)
{
    int n = 0;
    for (int i = 0; i < MAX_THREADS_SEEN; i++) {
        n += atomic_load(&seen[i]) != NULL;
        atomic_store(&seen[i], NULL);
    }
    return n;
}

/* --- a band of N equations for the engine alone --- */

/* Answers `verdict` when component `column` is above (side 1) or below (-1) the base, or moved at all (0). */
typedef struct band {
    double base[N];
    int column, side, verdict;
    int together;           /* threads that have to meet in the calls away from the base */
    atomic_int calls, late; /* `late`: calls that began after a fatal one had answered */
    atomic_int fatal;
} band;

static int answer(band *b, const double *y)
{
    if (b->column == FINE) return 0;
    double delta = y[b->column] - b->base[b->column];
    return delta != 0 && delta * b->side >= 0 ? b->verdict : 0;
}

/* That a call was fatal is known here before the call returns, and its thread may lose the processor in between:
 * another thread makes one call more in that time, not all that are left. */
static void wait_for_verdict(void)
{
    const struct timespec moment = {0, 300 * 1000 * 1000};
    nanosleep(&moment, NULL);
}

static int band_F(double t, const double *y, const double *yp, double *r, void *user)
{
    band *b = user;
    note_thread();
    if (b->together > 0 && memcmp(y, b->base, sizeof b->base) != 0) meet(b->together);
    atomic_fetch_add(&b->calls, 1);
    if (atomic_load(&b->fatal)) {
        atomic_fetch_add(&b->late, 1);
        wait_for_verdict();
    }
    for (int i = 0; i < N; i++) {
        double before = i > 0 ? y[i - 1] : 0, after = i + 1 < N ? y[i + 1] : 0;
        r[i] = yp[i] * (1 + 0.1 * before * before) - sin(before) * exp(0.3 * y[i]) + after * y[i] + t;
    }
    int verdict = answer(b, y);
    if (verdict < 0) atomic_store(&b->fatal, 1);
    return verdict;
}

/* A setup of an engine by so many threads. */
typedef struct outcome {
    int verdict, has_J;
    resida_jacobian_counts counts;
    double J[N * N];
} outcome;

static resida_jacobian *open_band(band *b, const char *strategy, resida_differences differences, int threads,
                                  void *const *workers)
{
    resida_system s;
    resida_jacobian *j;
    resida_jacobian_options o;
    resida_message why = {""};
    resida_system_init(&s);
    s.n = N, s.F = band_F, s.user = b, s.n_workers = WORKERS, s.worker = workers;
    resida_jacobian_options_init(&o);
    o.strategy = strategy, o.differences = differences, o.threads = threads;
    if (resida_jacobian_create(&j, &s, &o, &why) != RESIDA_OK) fail_msg("%s", why.text);
    return j;
}

/* One good setup, then one with the band's answers. */
static outcome set_up(band *b, const char *strategy, resida_differences differences, int threads)
{
    void *workers[WORKERS];
    double yp[N], F[N];
    int current, column = b->column;
    outcome out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < WORKERS; i++) workers[i] = b;
    for (int i = 0; i < N; i++) b->base[i] = 1 + 0.5 * sin(i), yp[i] = cos(i);
    atomic_store(&b->fatal, 0);
    atomic_store(&b->late, 0);
    b->column = FINE;
    resida_jacobian *j = open_band(b, strategy, differences, threads, workers);
    assert_int_equal(band_F(0.2, b->base, yp, F, b), 0);
    resida_jacobian_point at = {.t = 0.2, .alpha = 50, .h = 0.02, .y = b->base, .yp = yp, .F = F};
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
    b->column = column;
    atomic_store(&b->calls, 0);
    out.verdict = resida_jacobian_setup(j, RESIDA_SETUP_OTHER, &at, &current);
    assert_int_equal(resida_jacobian_get_counts(j, &out.counts), RESIDA_OK);
    out.has_J = has_matrix(j);
    if (out.has_J) get_full(j, N, out.J);
    resida_jacobian_free(j);
    return out;
}

static const char *const strategies[] = {"dense", "sparse", "dense+partitioned", "sparse+partitioned", "fresh"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static void each_is_the_same(band *b, int expected)
{
    for (int s = 0; s < STRATEGIES; s++)
        for (int central = 0; central < 2; central++) {
            outcome one = set_up(b, strategies[s], (resida_differences)central, 1);
            assert_int_equal(one.verdict, expected);
            for (int k = 1; k < COUNTS; k++) {
                outcome many = set_up(b, strategies[s], (resida_differences)central, thread_counts[k]);
                if (memcmp(&one, &many, sizeof one) != 0)
                    fail_msg("%s, %s, %d threads: verdict %d (%d), %ld calls (%ld)", strategies[s],
                             central ? "central" : "forward", thread_counts[k], many.verdict, one.verdict,
                             many.counts.residual_calls, one.counts.residual_calls);
            }
        }
}

CLAIM(J_and_counters_do_not_depend_on_the_threads)
{
    band b = {.column = FINE};
    each_is_the_same(&b, 0);
}

CLAIM(a_column_that_is_refused_on_one_side_is_found_on_the_other)
{
    for (int column = 0; column < N; column += 13) {
        band b = {.column = column, .side = 1, .verdict = 1};
        each_is_the_same(&b, 0);
        b.side = -1;
        each_is_the_same(&b, 0);
    }
}

CLAIM(a_column_that_is_refused_on_both_sides_is_a_verdict)
{
    band b = {.column = 17, .side = 0, .verdict = 3};
    each_is_the_same(&b, 3);
}

CLAIM(after_a_fatal_verdict_no_call_begins)
{
    for (int s = 0; s < STRATEGIES; s++)
        for (int k = 0; k < COUNTS; k++) {
            band b = {.column = 5, .side = 0, .verdict = -7};
            outcome out = set_up(&b, strategies[s], RESIDA_DIFFERENCES_FORWARD, thread_counts[k]);
            assert_int_equal(out.verdict, -7);
            assert_false(out.has_J);
            assert_true(atomic_load(&b.late) < thread_counts[k]);
        }
}

/* --- who calls --- */

CLAIM(several_threads_call_when_requested_and_one_otherwise)
{
    band b = {.column = FINE};
    threads_seen();
    set_up(&b, "dense", RESIDA_DIFFERENCES_FORWARD, 1);
    assert_int_equal(threads_seen(), 1);
#ifdef RESIDA_TEST_OPENMP
    b.together = 2;
#endif
    set_up(&b, "dense", RESIDA_DIFFERENCES_FORWARD, 2);
    int n = threads_seen();
    assert_int_equal(n, b.together > 0 ? 2 : 1);
}

/* --- solvers --- */

/* A run, and what a test compares of it. */
typedef struct run {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE];
    double t, y[4 * N];
    resida_stats stats;
} run;

static resida_status open_solver(const bench *b, const resida_solver_options *o, resida_problem **problem,
                                 resida_solver **solver, resida_message *why)
{
    resida_status status = b->model.is_dae ? resida_problem_create_dae(problem, &b->model.dae, NULL, why)
                                           : resida_problem_create(problem, b->m, NULL, why);
    assert_int_equal(status, RESIDA_OK);
    return resida_solver_create(solver, *problem, o, why);
}

/* Runs are compared byte by byte: what lies between a member and the next one is nothing. */
#define CLEAR_BETWEEN(type, x, member, next)                                                                           \
    memset((char *)&(x)->member + sizeof(x)->member, 0,                                                                \
           offsetof(type, next) - offsetof(type, member) - sizeof(x)->member)

static void clear_between(resida_stats *s)
{
    CLEAR_BETWEEN(resida_stats, s, n_limits, limits);
    CLEAR_BETWEEN(resida_stats, s, order, h);
    CLEAR_BETWEEN(resida_stats, s, n, nnz);
    CLEAR_BETWEEN(resida_stats, s, n_warnings, warnings);
    CLEAR_BETWEEN(resida_stats, s, min_order, repairs);
    const size_t end = offsetof(resida_stats, repair_calls) + sizeof s->repair_calls;
    memset((char *)s + end, 0, sizeof *s - end);
    for (int i = 0; i < RESIDA_LIMITS; i++) CLEAR_BETWEEN(resida_limit, &s->limits[i], component, steps);
}

static void integrate(const bench *b, const resida_solver_options *o, double t_end, run *out)
{
    resida_problem *problem;
    resida_solver *s;
    resida_message why = {""};
    resida_state state;
    memset(out, 0, sizeof *out);
    if (open_solver(b, o, &problem, &s, &why) != RESIDA_OK) fail_msg("%s", why.text);
    resida_status started = b->model.is_dae ? resida_solver_start_dae(s, 0, b->model.y0, b->model.yp0)
                                            : resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL);
    assert_int_equal(started, RESIDA_OK);
    out->status = resida_solver_advance(s, t_end);
    snprintf(out->message, sizeof out->message, "%s", resida_solver_message(s));
    assert_int_equal(resida_solver_state(s, &state), RESIDA_OK);
    out->stats.size = sizeof out->stats;
    assert_int_equal(resida_solver_stats(s, &out->stats), RESIDA_OK);
    assert_int_equal(out->stats.n_warnings, 0);
    out->stats.dropped_rows = NULL, out->stats.warnings = NULL; /* memory of the solver */
    clear_between(&out->stats);
    out->t = state.t;
    assert_true(out->stats.n <= 4 * N);
    memcpy(out->y, state.y, (size_t)out->stats.n * sizeof *out->y);
    test_solver_free(s, problem);
}

static resida_solver_options options_of(const char *strategy, int threads)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = strategy, o.threads = threads;
    return o;
}

static const bench_setting chain_of_six[] = {{"n", 6}, {"omega", 3}, {"alpha0", 1}, {NULL, 0}};

CLAIM(a_run_does_not_depend_on_the_threads)
{
    static const char *const models[] = {"chain-cartesian", "andrews", "akzo", "car-axis"};
    static const double t_end[] = {0.3, 0.003, 5, 0.2};
    static const char *const how[] = {"fresh", "sparse", "sparse+extended"};
    for (int m = 0; m < 4; m++)
        for (int q = 0; q < 3; q++) {
            bench *b = bench_make(models[m], m == 0 ? chain_of_six : NULL);
            resida_solver_options o = options_of(how[q], 1);
            run one;
            integrate(b, &o, t_end[m], &one);
            assert_int_equal(one.status, RESIDA_OK);
            for (int k = 1; k < COUNTS; k++) {
                o.threads = thread_counts[k];
                run many;
                integrate(b, &o, t_end[m], &many);
                if (memcmp(&one, &many, sizeof one) != 0)
                    fail_msg("%s, %s, %d threads: %ld calls (%ld), y[0] = %.17g (%.17g)", models[m], how[q], o.threads,
                             many.stats.residual_calls.total, one.stats.residual_calls.total, many.y[0], one.y[0]);
            }
        }
}

CLAIM(a_budget_ends_where_it_ends_with_one_thread)
{
    bench *b = bench_make("chain-cartesian", chain_of_six);
    for (long most = 2; most < 90; most += 2) {
        resida_solver_options o = options_of("dense", 1);
        o.max_residuals = most;
        run one;
        integrate(b, &o, 0.3, &one);
        assert_int_equal(one.status, RESIDA_ERR_LIMIT_RESIDUALS);
        assert_int_equal(one.stats.residual_calls.total, most);
        o.threads = 2;
        run two;
        integrate(b, &o, 0.3, &two);
        assert_string_equal(one.message, two.message);
        assert_memory_equal(&one, &two, sizeof one);
    }
}

/* --- a general DAE whose callback misbehaves near t_bad --- */

typedef struct trouble {
    int what; /* 0 nothing; 1 refuses, 2 is not finite, 3 stops: where component 3 is above `above` */
    double above;
} trouble;

static int trouble_F(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const trouble *q = user;
    for (int i = 0; i < 6; i++) r[i] = yp[i] + (i + 1) * (y[i] - cos(t)) + 0.1 * y[(i + 1) % 6] * y[i];
    if (q->what == 0 || t < 0.05 || y[3] <= q->above) return 0;
    if (q->what == 2) r[2] = NAN;
    return q->what == 1 ? 1 : q->what == 3 ? -4 : 0;
}

CLAIM(verdicts_of_callbacks_end_a_run_as_with_one_thread)
{
    static const double y0[6] = {1, 1, 1, 1, 1, 1}, yp0[6] = {-0.1, -0.1, -0.1, -0.1, -0.1, -0.1};
    static const double above[] = {0.9, 0.985, 0.99, 0.995};
    int failed = 0, passed = 0;
    for (int what = 1; what <= 3; what++)
        for (int a = 0; a < 4; a++) {
            trouble q = {what, above[a]};
            bench b = {.model.is_dae = 1, .model.y0 = y0, .model.yp0 = yp0};
            resida_dae_init(&b.model.dae);
            b.model.dae.n = 6, b.model.dae.residual = trouble_F, b.model.dae.user = &q, b.model.dae.thread_safe = 1;
            resida_solver_options o = options_of("dense", 1);
            run one;
            integrate(&b, &o, 1, &one);
            o.threads = 2;
            run two;
            integrate(&b, &o, 1, &two);
            assert_string_equal(one.message, two.message);
            assert_memory_equal(&one, &two, sizeof one);
            failed += one.status < 0, passed += one.status == RESIDA_OK;
        }
    assert_true(failed >= 4);
    print_message("%d runs failed, %d passed\n", failed, passed);
}

/* --- memory runs out --- */

static resida_status make_and_free(const bench *b, rationed *m)
{
    const resida_allocator table = rationed_allocator(m);
    resida_problem *problem;
    resida_solver *s = NULL;
    resida_message why = {""};
    resida_problem_options po = test_problem_options();
    resida_solver_options o = options_of("sparse", 2);
    po.allocator = &table;
    resida_status status = resida_problem_create(&problem, b->m, &po, &why);
    if (status == RESIDA_OK) status = resida_solver_create(&s, problem, &o, &why);
    test_solver_free(s, problem);
    return status;
}

CLAIM(a_solver_with_threads_survives_every_failed_allocation)
{
    resida_status status = RESIDA_ERR_MEMORY;
    bench *b = bench_make("chain-cartesian", chain_of_six);
    long k = 0;
    for (; status != RESIDA_OK && k < 10000; k++) {
        rationed m = {.left = k, .once = 1};
        status = make_and_free(b, &m);
        assert_true(status == RESIDA_OK || status == RESIDA_ERR_MEMORY);
        assert_int_equal(m.out, 0);
    }
    assert_true(status == RESIDA_OK && k > 100);
}

int main(void)
{
    setenv("OMP_NUM_THREADS", "1", 1); /* it does not matter */
    return claims_run(NULL, NULL);
}
