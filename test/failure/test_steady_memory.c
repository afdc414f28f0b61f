/* test_steady_memory.c - memory is taken by create and given back by free, and by nobody else: a long integration
 * allocates nothing, not even in SUNDIALS or libc, and 100,000 solvers one after the other leave no trace. */
#include <malloc.h>
#include <unistd.h>

#include "test/fixtures/bench_fixture.h"
#include "malloc_probe.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX_N = 256, CYCLES = 100000, WARM_UP = 1000, MAX_GROWTH = 65536 };

/* A problem and a solver on it. */
typedef struct pair {
    resida_problem *problem;
    resida_solver *solver;
} pair;

static pair make(const resida_mechanism *m, resida_formalism formalism)
{
    pair made;
    resida_problem_options o = test_problem_options();
    o.form = "ggl";
    o.formalism = formalism;
    test_solver_make(&made.problem, &made.solver, m, &o, NULL);
    return made;
}

/* Everything that can be asked at an output. */
static resida_status ask(const pair *made, resida_stats *stats)
{
    resida_state state;
    double y[MAX_N], yp[MAX_N], g[MAX_N], gv[MAX_N];
    char name[80];
    *stats = (resida_stats){.size = sizeof *stats};
    resida_status status = resida_solver_state(made->solver, &state);
    if (status >= 0) status = resida_solver_stats(made->solver, stats);
    if (status >= 0 && stats->n > MAX_N) return RESIDA_ERR_ARGUMENT;
    if (status >= 0) status = resida_solver_interpolate(made->solver, state.t, y, yp);
    if (status >= 0 && state.p) status = resida_problem_constraints(made->problem, state.t, state.p, state.v, g, gv);
    if (status >= 0) status = resida_problem_component_name(made->problem, 0, name, sizeof name);
    return status;
}

/* Start again from where an event ended the last call. */
static resida_status go_on(const pair *made)
{
    resida_state state;
    resida_layout l;
    double p[MAX_N], v[MAX_N];
    int direction[1];
    resida_status status = resida_solver_event(made->solver, direction);
    if (status >= 0) status = resida_solver_state(made->solver, &state);
    if (status >= 0) status = resida_problem_layout(made->problem, &l);
    if (status < 0) return status;
    memcpy(p, state.p, (size_t)l.n_p * sizeof *p);
    memcpy(v, state.v, (size_t)l.n_v * sizeof *v);
    return resida_solver_start(made->solver, state.t, p, v, NULL, NULL);
}

/* Integrate with outputs every dt. No assertion: they allocate, and the probe is at work. */
static resida_status integrate(const pair *made, double t_end, double dt, resida_stats *stats)
{
    resida_status status = RESIDA_OK;
    for (int i = 1; i * dt <= t_end && status >= 0;) {
        status = resida_solver_advance(made->solver, i * dt);
        if (status == RESIDA_EVENT)
            status = go_on(made);
        else
            i++;
        if (status >= 0) status = ask(made, stats);
    }
    return status;
}

/* The first coordinate turns back. */
static int turning(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = v[0];
    return 0;
}

static resida_status start(const pair *made, const bench *b)
{
    return b->model.is_dae ? resida_solver_start_dae(made->solver, b->model.t0, b->model.y0, NULL)
                           : resida_solver_start(made->solver, b->model.t0, b->model.p0, b->model.v0, NULL, NULL);
}

/* The pattern of J is found, and the linear solver laid out on it, by the first evaluations: what comes after allocates
 * nothing. */
static void warm_up(pair *made, const bench *b, double t_end, double dt)
{
    resida_stats stats;
    assert_int_equal(start(made, b), RESIDA_OK);
    assert_true(integrate(made, t_end, dt, &stats) >= 0);
}

static void check_long_run(const char *model, const bench_setting *settings, double t_end, resida_formalism formalism,
                           long events)
{
    bench *b = bench_make(model, settings);
    resida_mechanism m = *b->m;
    m.n_root = events > 0;
    m.root = events > 0 ? turning : NULL;
    pair made = make(&m, formalism);
    resida_stats stats;
    warm_up(&made, b, t_end / 10, 0.01);

    malloc_probe_start(0, 0);
    resida_status status = start(&made, b);
    if (status >= 0) status = integrate(&made, t_end, 0.01, &stats);
    malloc_probe probe = malloc_probe_stop();

    if (status < 0) fail_msg("%s: %s", model, resida_solver_message(made.solver));
    print_message("%s, %s: %ld steps, %ld events, %ld starts: %ld allocations\n", model,
                  resida_problem_formalism(made.problem), stats.steps, stats.events, stats.restarts + 1,
                  probe.allocations);
    assert_true(stats.steps > 1000);
    assert_true(stats.events >= events && stats.restarts >= stats.events + 1);
    assert_int_equal(probe.allocations, 0);
    test_solver_free(made.solver, made.problem);
    bench_close(b);
}

CLAIM(the_probe_sees_the_allocations_of_every_library)
{
    bench *b = bench_make("pendulum", NULL);
    resida_message why;
    resida_problem_options o = test_problem_options();
    o.form = "ggl";
    pair made;
    malloc_probe_start(0, 0);
    const resida_status created = resida_problem_create(&made.problem, b->m, &o, &why); /* SUNDIALS has no part in it */
    const malloc_probe own = malloc_probe_stop();
    assert_int_equal(created, RESIDA_OK);
    malloc_probe_start(0, 0);
    const resida_status completed = resida_solver_create(&made.solver, made.problem, NULL, &why);
    const malloc_probe full = malloc_probe_stop();
    assert_int_equal(completed, RESIDA_OK);
    char site[256];
    int sundials = 0;
    for (long k = 1; k <= full.allocations; k++) {
        malloc_probe_site(k, site, sizeof site);
        sundials += strstr(site, "IDACreate") != NULL || strstr(site, "SUNContext_Create") != NULL;
    }
    test_solver_free(made.solver, made.problem);
    bench_close(b);
    assert_true(full.live > 0 && full.live <= full.allocations);
    assert_true(sundials > 0);
    assert_true(own.live > 0 && own.live <= own.allocations);
}

CLAIM(a_long_ggl_solve_with_events_and_restarts_allocates_nothing)
{
    const bench_setting falling[] = {{"n", 3}, {"alpha0", 1.5}, {NULL, 0}};
    check_long_run("chain-cartesian", falling, 10, RESIDA_FORMALISM_RESIDUAL, 5);
    check_long_run("pendulum", NULL, 20, RESIDA_FORMALISM_EXPLICIT, 10);
}

CLAIM(a_long_solve_of_a_dae_allocates_nothing)
{
    pair made;
    bench *b = bench_make("akzo", NULL);
    test_solver_make_dae(&made.problem, &made.solver, &b->model.dae, NULL, NULL);
    resida_stats stats;
    warm_up(&made, b, 180, 0.5);

    malloc_probe_start(0, 0);
    resida_status status = start(&made, b);
    if (status >= 0) status = integrate(&made, 180, 0.5, &stats);
    malloc_probe probe = malloc_probe_stop();

    if (status < 0) fail_msg("%s", resida_solver_message(made.solver));
    print_message("akzo: %ld steps: %ld allocations\n", stats.steps, probe.allocations);
    assert_true(stats.steps > 50);
    assert_int_equal(probe.allocations, 0);
    test_solver_free(made.solver, made.problem);
    bench_close(b);
}

CLAIM(failing_calls_and_messages_allocate_nothing)
{
    bench *b = bench_make("pendulum", NULL);
    pair made = make(b->m, RESIDA_FORMALISM_AUTO);
    const double nowhere[] = {NAN, 0};
    resida_status statuses[6];
    warm_up(&made, b, 1, 0.1);
    malloc_probe_start(0, 0);
    statuses[0] = resida_solver_advance(made.solver, -1);
    statuses[1] = resida_solver_start(made.solver, 0, nowhere, b->model.v0, NULL, NULL);
    statuses[2] = resida_solver_start(made.solver, 0, b->model.p0, b->model.v0, NULL, NULL);
    statuses[3] = resida_solver_set_stop_time(made.solver, 0.5);
    statuses[4] = resida_solver_advance(made.solver, 1);
    statuses[5] = resida_solver_advance(made.solver, -1);
    malloc_probe probe = malloc_probe_stop();
    const resida_status expected[] = {RESIDA_ERR_ARGUMENT, RESIDA_ERR_ARGUMENT, RESIDA_OK,
                                      RESIDA_OK,           RESIDA_STOP_TIME,    RESIDA_ERR_ARGUMENT};
    for (int i = 0; i < 6; i++) assert_int_equal(statuses[i], expected[i]);
    assert_int_equal(probe.allocations, 0);
    test_solver_free(made.solver, made.problem);
    bench_close(b);
}

/* Memory of this process alone; without the pages of programs and libraries, which appear when they are first used. */
static long resident_bytes(void)
{
    long size = 0, resident = 0, of_files = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    assert_non_null(stream);
    assert_int_equal(fscanf(stream, "%ld %ld %ld", &size, &resident, &of_files), 3);
    fclose(stream);
    return (resident - of_files) * sysconf(_SC_PAGESIZE);
}

static void live_shortly(const bench *b)
{
    pair made = make(b->m, RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_solver_start(made.solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_step(made.solver, 1), RESIDA_OK);
    assert_int_equal(resida_solver_advance(made.solver, 1e-4), RESIDA_OK);
    test_solver_free(made.solver, made.problem);
}

CLAIM(many_solvers_leave_memory_as_it_was)
{
    const long cycles = CYCLES / claims_one_of();
    bench *b = bench_make("pendulum", NULL);
    for (int i = 0; i < WARM_UP; i++) live_shortly(b);
    long resident = resident_bytes();
    size_t in_use = mallinfo2().uordblks;
    for (long i = 0; i < cycles; i++) live_shortly(b);
    long growth = resident_bytes() - resident;
    long lost = (long)(mallinfo2().uordblks - in_use);
    print_message("%ld solvers: resident memory grew by %ld bytes, memory in use by %ld bytes\n", cycles, growth, lost);
    bench_close(b);
    assert_true(growth < MAX_GROWTH);
    assert_true(lost < cycles / 2); /* less than half a byte each: none was lost */
}
