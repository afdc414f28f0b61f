/* test_profile.c - where the time goes: with a clock of the test's own, which moves on by a microsecond at each look,
 * so that the time of a callback is the number of its calls; without the option nobody looks. */
#define _DEFAULT_SOURCE
#include <time.h>

#include "test/failure/whole_body.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/counted.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

static long looks;

/* The library's looks at a clock end here. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t which, struct timespec *t)
{
    looks++;
    *t = (struct timespec){looks / 1000000, looks % 1000000 * 1000};
    return 0;
}

typedef struct run {
    whole_body body;
    counted counted;
    resida_problem *problem;
    resida_solver *solver;
    resida_stats stats;
} run;

static void make(run *r, resida_formalism formalism, const char *method, int threads, int profile)
{
    resida_problem_options p = test_problem_options();
    resida_solver_options o = test_solver_options();
    memset(r, 0, sizeof *r);
    resida_mechanism m = whole_mechanism(&r->body, WHOLE_DERIVATIVES | WHOLE_CONSTRAINT_MATRIX), counting;
    m.thread_safe = 1;
    counting = counted_mechanism(&r->counted, &m);
    p.formalism = formalism;
    o.threads = threads;
    o.profile = profile;
    if (method) o.method = method, o.step = 0.01;
    test_solver_make(&r->problem, &r->solver, &counting, &p, &o);
}

static void integrate(run *r)
{
    assert_int_equal(resida_solver_start(r->solver, 0, r->body.p0, r->body.v0, NULL, NULL), RESIDA_OK);
    for (int i = 1; i <= 5; i++)
        while (resida_solver_advance(r->solver, 0.1 * i) == RESIDA_EVENT) continue;
    r->stats = (resida_stats){.size = sizeof r->stats};
    assert_int_equal(resida_solver_stats(r->solver, &r->stats), RESIDA_OK);
}

/* Callbacks and activities together. */
static double sum_of_parts(const resida_profile *p)
{
    double part[sizeof p->callbacks / sizeof(double)], sum = 0;
    memcpy(part, &p->callbacks, sizeof part);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) sum += part[i];
    return sum + p->start + p->steps + p->iteration + p->rows + p->differences + p->assembly + p->factors +
           p->solutions + p->rest;
}

static const resida_formalism formalisms[] = {RESIDA_FORMALISM_RESIDUAL, RESIDA_FORMALISM_EXPLICIT};

CLAIM(no_clock_is_read_without_the_option)
{
    run r;
    make(&r, RESIDA_FORMALISM_RESIDUAL, NULL, 1, 0);
    looks = 0;
    integrate(&r);
    assert_int_equal(looks, 0);
    assert_true(r.stats.profile.total == 0 && sum_of_parts(&r.stats.profile) == 0);
}

CLAIM(the_parts_add_up_to_the_whole)
{
    static const char *const methods[] = {NULL, "radau-iia-2"};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            run r;
            make(&r, formalisms[i], methods[k], 1, 1);
            looks = 0;
            integrate(&r);
            const resida_profile *p = &r.stats.profile;
            assert_true(fabs(sum_of_parts(p) - p->total) < 1e-9);
            assert_true(p->total > 0.9e-6 * (double)looks && p->total < 1e-6 * (double)looks);
            assert_true(p->start > 0 && p->steps > 0 && p->iteration > 0 && p->rows > 0 && p->differences > 0);
            assert_true(p->assembly > 0 && p->factors > 0 && p->solutions > 0);
        }
}

CLAIM(a_callback_has_the_time_of_its_calls)
{
    for (int i = 0; i < 2; i++) {
        run r;
        make(&r, formalisms[i], NULL, 1, 1);
        integrate(&r);
        long calls[COUNTED_CALLBACKS];
        double seconds[COUNTED_CALLBACKS];
        memcpy(calls, &r.stats.callback_calls, sizeof calls);
        memcpy(seconds, &r.stats.profile.callbacks, sizeof seconds);
        counted_check(&r.counted, &r.stats.callback_calls, "with a profile");
        for (int k = 0; k < COUNTED_CALLBACKS; k++)
            if (fabs(seconds[k] - 1e-6 * (double)calls[k]) > 1e-12)
                fail_msg("%s: %g s in %ld calls", resida_callback_at(k), seconds[k], calls[k]);
    }
}

CLAIM(results_are_the_same_with_it)
{
    for (int i = 0; i < 2; i++) {
        run with, without;
        resida_state a, b;
        make(&with, formalisms[i], NULL, 1, 1);
        make(&without, formalisms[i], NULL, 1, 0);
        integrate(&with);
        integrate(&without);
        a = test_state(with.solver);
        b = test_state(without.solver);
        assert_memory_equal(a.p, b.p, 7 * sizeof *a.p);
        assert_memory_equal(a.v, b.v, 6 * sizeof *a.v);
        assert_memory_equal(&with.stats.callback_calls, &without.stats.callback_calls, sizeof(resida_callback_calls));
    }
}

/* What several threads take at once is a part of the differences, and no more than the whole. */
CLAIM(the_parts_add_up_with_threads)
{
    run r;
    make(&r, RESIDA_FORMALISM_RESIDUAL, NULL, 3, 1);
    integrate(&r);
    const resida_profile *p = &r.stats.profile;
    assert_true(fabs(sum_of_parts(p) - p->total) < 1e-9);
    assert_true(p->differences >= 0 && p->callbacks.residual > 0);
    counted_check(&r.counted, &r.stats.callback_calls, "threads with a profile");
}
