/* test_parallel.c - solvers in eight threads at once, and in a child of fork(), have the bits of one after the other:
 * nothing that is written to is shared by two solvers. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

enum { THREADS = 8, LIVES = 60, OUTPUTS = 40, MODELS = 3, DAE = 2, STRATEGIES = 5, KINDS = MODELS * STRATEGIES };

static const double t_end = 2;

/* A whole life of a solver, from create to free; `which` says of what kind, 0 .. KINDS - 1. */
typedef struct life {
    int which;
    resida_status status;
    unsigned long long digest;
} life;

/* No assertion: it may be another thread's. */
static resida_status open_run(scripted_run *r, int which)
{
    static const char *const strategies[STRATEGIES] = {"auto", "dense", "sparse", "sparse+partitioned",
                                                       "dense+extended"};
    resida_mechanism m;
    resida_dae d;
    resida_solver_options o = test_solver_options();
    resida_status status;
    const int model = which % MODELS;
    *r = (scripted_run){.is_dae = model == DAE};
    o.jacobian = strategies[which / MODELS];
    if (r->is_dae) {
        scripted_dae(&d, &r->script);
        status = resida_problem_create_dae(&r->problem, &d, NULL, NULL);
    } else {
        scripted_pendulum(&m, &r->script, model);
        status = resida_problem_create(&r->problem, &m, NULL, NULL);
    }
    return status < 0 ? status : resida_solver_create(&r->solver, r->problem, &o, NULL);
}

/* Outputs number `from` to `to`, t_end is that of number OUTPUTS. */
static resida_status go_on(scripted_run *r, int from, int to, unsigned long long *digest)
{
    resida_status status = RESIDA_OK;
    for (int i = from; i <= to && status >= 0; i++) {
        status = resida_solver_advance(r->solver, t_end * i / OUTPUTS);
        const unsigned long long now = scripted_digest(r);
        *digest = fnv(*digest, &now, sizeof now);
    }
    return status;
}

static void live(life *l)
{
    scripted_run r;
    l->digest = FNV_BEGIN;
    l->status = open_run(&r, l->which);
    if (l->status >= 0) l->status = scripted_start(&r);
    if (l->status >= 0) l->status = go_on(&r, 1, OUTPUTS, &l->digest);
    scripted_close(&r);
}

/* Lives that a thread has one after the other; all threads begin together. */
typedef struct career {
    pthread_barrier_t *begin;
    life lives[LIVES];
} career;

static void *live_all(void *context)
{
    career *c = context;
    pthread_barrier_wait(c->begin);
    for (int i = 0; i < LIVES; i++) live(&c->lives[i]);
    return NULL;
}

CLAIM(eight_threads_have_the_bits_of_one)
{
    static career careers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t begin;
    life alone[KINDS];
    for (int k = 0; k < KINDS; k++) {
        alone[k] = (life){.which = k};
        live(&alone[k]);
        assert_int_equal(alone[k].status, RESIDA_OK);
    }
    assert_true(alone[0].digest != alone[1].digest && alone[0].digest != alone[DAE].digest);
    assert_int_equal(pthread_barrier_init(&begin, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) careers[i].begin = &begin;
    for (int i = 0; i < THREADS * LIVES; i++) careers[i % THREADS].lives[i / THREADS].which = i % KINDS;
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, live_all, &careers[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&begin);
    for (int i = 0; i < THREADS * LIVES; i++) {
        const life *l = &careers[i % THREADS].lives[i / THREADS];
        assert_int_equal(l->status, RESIDA_OK);
        if (l->digest != alone[l->which].digest) fail_msg("kind %d: other bits in thread %d", l->which, i % THREADS);
    }
    print_message("%d lives in %d threads: same bits\n", THREADS * LIVES, THREADS);
}

/* The digest that the child comes to, which goes on from the middle of the run. */
static unsigned long long digest_of_a_child(scripted_run *r, unsigned long long digest)
{
    int ends[2], status = -1;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (go_on(r, OUTPUTS / 2 + 1, OUTPUTS, &digest) < 0) _exit(1);
        _exit(write(ends[1], &digest, sizeof digest) != (ssize_t)sizeof digest);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &digest, sizeof digest), sizeof digest);
    close(ends[0]);
    close(ends[1]);
    return digest;
}

CLAIM(runs_continued_after_fork_have_the_bits_of_a_run_without_fork)
{
    for (int k = 0; k < KINDS; k++) {
        scripted_run r;
        life alone = {.which = k};
        live(&alone);
        unsigned long long digest = FNV_BEGIN;
        assert_int_equal(open_run(&r, k), RESIDA_OK);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        assert_int_equal(go_on(&r, 1, OUTPUTS / 2, &digest), RESIDA_OK);
        assert_true(digest_of_a_child(&r, digest) == alone.digest);
        assert_int_equal(go_on(&r, OUTPUTS / 2 + 1, OUTPUTS, &digest), RESIDA_OK);
        assert_true(digest == alone.digest);
        scripted_close(&r);
    }
    print_message("%d runs forked half-way: same bits in both\n", KINDS);
}
