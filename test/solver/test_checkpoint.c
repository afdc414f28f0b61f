/* test_checkpoint.c - a state saved and loaded through the library: two that load the same bytes give the same bits,
 * counters go on, and what does not fit is refused by name. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

enum { ROOM = 30000, HEAD = 48 };
#define G 9.81

/* Robertson's kinetics. */
static int kinetics(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

static const double p0[] = {1, 0}, v0[] = {0, 0}, y0[] = {1, 0, 0}, yp0[] = {-0.04, 0.04, 0};
static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};

typedef struct made {
    resida_problem *problem;
    resida_solver *solver;
} made;

static made make(int is_dae, const char *form, const resida_solver_options *o)
{
    made x;
    resida_mechanism m = test_mechanism();
    resida_dae d = test_dae();
    resida_problem_options po = test_problem_options();
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_particle, m.constraint = small_rod;
    d.n = 3, d.residual = kinetics, d.kinds = kinds;
    if (form) po.form = form;
    x.problem = is_dae ? test_problem_dae(&d, NULL) : test_problem(&m, &po);
    x.solver = test_solver_of(x.problem, o);
    return x;
}

static resida_solver_options options_of(const char *method, const char *jacobian)
{
    resida_solver_options o = test_solver_options();
    o.method = method;
    if (strcmp(method, "bdf") != 0) o.step = 0.01;
    o.jacobian = jacobian;
    return o;
}

static void begin(made *x, int is_dae)
{
    const resida_status status =
        is_dae ? resida_solver_start_dae(x->solver, 0, y0, yp0) : resida_solver_start(x->solver, 0, p0, v0, NULL, NULL);
    assert_int_equal(status, RESIDA_OK);
}

static void go(resida_solver *s, double t)
{
    const resida_status status = resida_solver_advance(s, t);
    if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
}

static void load(resida_solver *s, const void *bytes, size_t size)
{
    if (resida_solver_load(s, NULL, bytes, size) < 0) fail_msg("%s", resida_solver_message(s));
}

static void expect_same(resida_solver *a, resida_solver *b, int n)
{
    resida_state one, other;
    resida_stats counted = {.size = sizeof counted}, recounted = {.size = sizeof recounted};
    one = test_state(a);
    other = test_state(b);
    assert_true(one.t == other.t);
    assert_memory_equal(one.y, other.y, sizeof(double) * (size_t)n);
    assert_memory_equal(one.yp, other.yp, sizeof(double) * (size_t)n);
    counted = test_stats(a);
    recounted = test_stats(b);
    counted.warnings = recounted.warnings = counted.hints = recounted.hints = NULL; /* each has its own */
    counted.dropped_rows = recounted.dropped_rows = NULL;
    assert_memory_equal(&counted, &recounted, sizeof counted);
}

/* Both load, go on, save, and load again; a third one loads what the second wrote. */
CLAIM(two_that_load_the_same_bytes_have_the_same_bits_and_counters)
{
    static const struct {
        int is_dae, n;
        const char *form, *method, *jacobian;
        double t;
    } cases[] = {
        {0, 6, "ggl", "bdf", "auto", 3},
        {0, 6, "ggl", "bdf", "sparse", 3},
        {0, 6, "ggl", "bdf", "dense+partitioned", 3},
        {0, 5, "index3", "bdf", "dense", 3},
        {0, 6, "ggl", "bdf3", "auto", 1},
        {0, 5, "index3", "generalized-alpha", "auto", 1},
        {0, 6, "ggl", "radau-iia-2", "fresh", 1},
        {1, 3, NULL, "bdf", "auto", 100},
        {1, 3, NULL, "bdf", "sparse", 100},
    };
    unsigned char first[ROOM], second[ROOM], again[ROOM];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const resida_solver_options o = options_of(cases[k].method, cases[k].jacobian);
        const int is_dae = cases[k].is_dae, n = cases[k].n;
        const double t = cases[k].t;
        size_t size = 0, size_2 = 0, size_3 = 0;
        made x = make(is_dae, cases[k].form, &o), a = make(is_dae, cases[k].form, &o),
             b = make(is_dae, cases[k].form, &o);
        begin(&x, is_dae);
        go(x.solver, t);
        assert_int_equal(resida_solver_save(x.solver, NULL, 0, first, ROOM, &size), RESIDA_OK);
        load(a.solver, first, size);
        load(b.solver, first, size);
        expect_same(a.solver, b.solver, n);
        go(a.solver, 2 * t);
        go(b.solver, 2 * t);
        expect_same(a.solver, b.solver, n);
        assert_int_equal(resida_solver_save(a.solver, NULL, 0, second, ROOM, &size_2), RESIDA_OK);
        assert_int_equal(resida_solver_save(b.solver, NULL, 0, again, ROOM, &size_3), RESIDA_OK);
        assert_int_equal(size_2, size_3);
        assert_memory_equal(second, again, size_2);
    }
}

CLAIM(saving_changes_no_result_and_counters_continue)
{
    unsigned char bytes[ROOM];
    size_t size = 0;
    const resida_solver_options o = options_of("bdf", "auto");
    resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    made a = make(0, "ggl", &o), b = make(0, "ggl", &o), c = make(0, "ggl", &o);
    begin(&a, 0);
    begin(&b, 0);
    go(a.solver, 2);
    go(b.solver, 2);
    assert_int_equal(resida_solver_save(a.solver, "mine", 4, bytes, ROOM, &size), RESIDA_OK);
    go(a.solver, 4);
    go(b.solver, 4);
    expect_same(a.solver, b.solver, 6);
    const void *note = NULL;
    size_t note_size = 0;
    assert_int_equal(resida_checkpoint_note(bytes, size, &note, &note_size, NULL), RESIDA_OK);
    assert_int_equal(note_size, 4);
    assert_memory_equal(note, "mine", 4);
    load(c.solver, bytes, size);
    before = test_stats(c.solver);
    assert_true(before.steps > 50 && before.residual_calls.newton > 50 && before.restarts == 0);
    go(c.solver, 4);
    after = test_stats(c.solver);
    assert_true(after.steps > before.steps + 50 && after.setups.first == 2);
    /* the motion is that of the other, within what the tolerances are for */
    resida_state one, other;
    one = test_state(a.solver);
    other = test_state(c.solver);
    for (int i = 0; i < 2; i++) assert_true(fabs(one.p[i] - other.p[i]) < 1e-3);
}

/* Counters are all the words of the struct that are small: pointers and numbers in two halves are large. A load adds to
 * them what a start takes, and loses none, but for what is known of J, which there is none yet. */
/* The default Newton tolerance of Radau IIA depends on rtol, which may change during a run. A solver that is created
 * with the changed rtol reads the checkpoint, and both continue alike. */
CLAIM(a_run_with_changed_tolerances_is_read_by_a_solver_with_these_tolerances)
{
    static const char *const methods[] = {"bdf", "radau-iia-3"};
    unsigned char bytes[ROOM];
    for (int k = 0; k < 2; k++) {
        resida_solver_options o = test_solver_options();
        size_t size = 0;
        o.method = methods[k], o.rtol = 1e-4;
        made x = make(0, "ggl", &o);
        begin(&x, 0);
        go(x.solver, 0.5);
        o.rtol = 1e-9;
        assert_int_equal(resida_solver_change(x.solver, &o), RESIDA_OK);
        go(x.solver, 1);
        if (resida_solver_save(x.solver, NULL, 0, bytes, sizeof bytes, &size) < 0)
            fail_msg("%s", resida_solver_message(x.solver));
        made other = make(0, "ggl", &o);
        load(other.solver, bytes, size);
        go(x.solver, 2), go(other.solver, 2);
        const resida_state one = test_state(x.solver), two = test_state(other.solver);
        for (int i = 0; i < 2; i++) assert_true(fabs(one.p[i] - two.p[i]) < 1e-6);
    }
}

CLAIM(no_counter_is_lost)
{
    enum { WORDS = sizeof(resida_stats) / sizeof(long), LARGE = 1000000000 };
    static const char *const methods[] = {"bdf", "generalized-alpha"}, *const strategies[] = {"auto", "sparse"};
    unsigned char bytes[ROOM];
    int seen = 0;
    for (int k = 0; k < 4; k++) {
        const resida_solver_options o = options_of(methods[k / 2], strategies[k % 2]);
        resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
        size_t size = 0;
        made a = make(0, "ggl", &o), b = make(0, "ggl", &o);
        begin(&a, 0);
        go(a.solver, 3);
        before = test_stats(a.solver);
        assert_int_equal(resida_solver_save(a.solver, NULL, 0, bytes, ROOM, &size), RESIDA_OK);
        load(b.solver, bytes, size);
        after = test_stats(b.solver);
        for (size_t i = 1; i < WORDS; i++) {
            long x, y;
            memcpy(&x, (const char *)&before + i * sizeof x, sizeof x);
            memcpy(&y, (const char *)&after + i * sizeof y, sizeof y);
            if (i == offsetof(resida_stats, nnz) / sizeof x || i == offsetof(resida_stats, groups) / sizeof x ||
                i == offsetof(resida_stats, order) / sizeof x || x <= 0 || x >= LARGE)
                continue;
            if (y < x) fail_msg("case %d: word %zu of the statistics fell from %ld to %ld", k, i, x, y);
            seen++;
        }
    }
    assert_true(seen > 40);
}

CLAIM(a_budget_counts_what_was_before)
{
    unsigned char bytes[ROOM];
    size_t size = 0;
    static const char *const methods[] = {"bdf", "bdf2"};
    for (int k = 0; k < 2; k++) {
        resida_solver_options o = options_of(methods[k], "auto");
        made a = make(0, "ggl", &o);
        begin(&a, 0);
        go(a.solver, 2);
        assert_int_equal(resida_solver_save(a.solver, NULL, 0, bytes, ROOM, &size), RESIDA_OK);
        resida_stats s = test_stats(a.solver);
        o.max_steps = s.steps + 10;
        made b = make(0, "ggl", &o);
        load(b.solver, bytes, size);
        assert_int_equal(resida_solver_advance(b.solver, 10), RESIDA_ERR_LIMIT_STEPS);
        s = test_stats(b.solver);
        assert_int_equal(s.steps, o.max_steps);
        o = options_of(methods[k], "auto");
        o.max_residuals = s.residual_calls.total + 5;
        made c = make(0, "ggl", &o);
        load(c.solver, bytes, size);
        assert_int_equal(resida_solver_advance(c.solver, 10), RESIDA_ERR_LIMIT_RESIDUALS);
    }
}

static void expect_refused(const resida_solver_options *o, int is_dae, const char *form, const unsigned char *bytes,
                           size_t size, const char *words)
{
    made x = make(is_dae, form, o);
    assert_int_equal(resida_solver_load(x.solver, NULL, bytes, size), RESIDA_ERR_ARGUMENT);
    if (!strstr(resida_solver_message(x.solver), words))
        fail_msg("\"%s\" does not say \"%s\"", resida_solver_message(x.solver), words);
    resida_state none;
    assert_int_equal(resida_solver_state(x.solver, &none), RESIDA_ERR_STATE);
    begin(&x, is_dae); /* it can still be started */
}

/* FNV-1a, as the header's end has it: so that one thing alone is wrong. */
static void sign(unsigned char *bytes, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size - sizeof h; i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    memcpy(bytes + size - sizeof h, &h, sizeof h);
}

CLAIM(what_does_not_fit_is_refused_by_name)
{
    unsigned char good[ROOM], bad[ROOM];
    size_t size = 0;
    resida_solver_options o = options_of("bdf", "dense"), other = o;
    const double each[] = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-5};
    made a = make(0, "ggl", &o);
    assert_int_equal(resida_solver_save(a.solver, NULL, 0, good, ROOM, &size), RESIDA_ERR_STATE);
    begin(&a, 0);
    go(a.solver, 1);
    assert_int_equal(resida_solver_save(a.solver, NULL, 0, good, ROOM, &size), RESIDA_OK);
    assert_int_equal(resida_solver_load(a.solver, NULL, good, size), RESIDA_ERR_STATE);
    other.rtol = 1e-7;
    expect_refused(&other, 0, "ggl", good, size, "made with rtol = 1e-06, not 1e-07");
    other = o, other.jacobian = "sparse";
    expect_refused(&other, 0, "ggl", good, size, "made with jacobian = dense, not sparse");
    other = options_of("bdf2", "dense");
    expect_refused(&other, 0, "ggl", good, size, "made with method = bdf, not bdf2");
    other = o, other.max_order = 4;
    expect_refused(&other, 0, "ggl", good, size, "made with max_order = 5, not 4");
    other = o, other.atol = 1e-6, other.atol_each = each;
    expect_refused(&other, 0, "ggl", good, size, "made with atol_each[5] = 1e-06, not 1e-05");
    other = o, other.rtol_each = each;
    expect_refused(&other, 0, "ggl", good, size, "made without rtol_each");
    expect_refused(&o, 0, "index3", good, size, "is of form ggl, the problem of form index3");
    expect_refused(&o, 1, NULL, good, size, "is of form ggl");

    static const struct {
        size_t at;
        unsigned char bytes[4];
        const char *words;
    } changes[] = {
        {0, {'R'}, "not a checkpoint"},
        {16, {1, 2, 3, 4}, "another byte order"},
        {16, {1, 1, 1, 1}, "is damaged"},
        {20, {99}, "has format 99, this version reads format 3"},
        {32, {1, 1, 1, 1}, "another format of numbers"},
        {40, {4}, "another format of numbers"},
        {HEAD + 8, {'9'}, "written by resida 9"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        memcpy(bad, good, size);
        for (int i = 0; i < 4 && changes[k].bytes[i]; i++) bad[changes[k].at + (size_t)i] = changes[k].bytes[i];
        sign(bad, size);
        expect_refused(&o, 0, "ggl", bad, size, changes[k].words);
    }
}

CLAIM(every_truncation_and_every_changed_byte_is_detected)
{
    unsigned char good[ROOM];
    size_t size = 0;
    const resida_solver_options o = options_of("bdf", "auto");
    made a = make(1, NULL, &o);
    begin(&a, 1);
    go(a.solver, 1);
    assert_int_equal(resida_solver_save(a.solver, NULL, 0, good, ROOM, &size), RESIDA_OK);
    for (size_t k = 0; k < size; k++)
        assert_int_equal(resida_checkpoint_note(good, k, NULL, NULL, NULL), RESIDA_ERR_ARGUMENT);
    for (size_t k = 0; k < size; k++) {
        good[k] = (unsigned char)(good[k] ^ 1U << (k % 8));
        assert_int_equal(resida_checkpoint_note(good, size, NULL, NULL, NULL), RESIDA_ERR_ARGUMENT);
        good[k] = (unsigned char)(good[k] ^ 1U << (k % 8));
    }
    assert_int_equal(resida_checkpoint_note(good, size, NULL, NULL, NULL), RESIDA_OK);
}

CLAIM(runs_that_do_not_repeat_are_not_saved)
{
    unsigned char bytes[ROOM];
    size_t size = 0;
    for (int k = 0; k < 2; k++) {
        resida_solver_options o = options_of("bdf", "auto");
        if (k == 0) o.call_cost = "measured";
        if (k == 1) o.profile = 1;
        made a = make(0, "ggl", &o);
        begin(&a, 0);
        assert_int_equal(resida_solver_save(a.solver, NULL, 0, bytes, ROOM, &size), RESIDA_ERR_OPTION);
        assert_non_null(strstr(resida_solver_message(a.solver), k ? "profile" : "call_cost"));
    }
}

/* A falling mass whose velocity is turned each quarter of a second, three times. */
static struct {
    int turns;
} memory;

static int turn(const resida_model *m, resida_model_event *e)
{
    if (e->kind == RESIDA_AT_START) memory.turns = 0;
    memory.turns += e->kind == RESIDA_AT_TIME;
    e->t_next = memory.turns < 3 ? e->t + 0.25 : INFINITY;
    if (e->kind != RESIDA_AT_TIME) return 0;
    e->yp[0] = -e->yp[0];
    e->changed = 1;
    return 0;
}

typedef struct flight {
    made x;
    resida_run *run;
} flight;

static flight fly(const resida_model *m)
{
    flight f;
    test_solver_make(&f.x.problem, &f.x.solver, &m->mechanism, NULL, NULL);
    f.run = test_model_run(m, f.x.solver);
    return f;
}

static void reach(flight *f, double t)
{
    resida_status status;
    while ((status = resida_run_advance(f->run, t)) == RESIDA_EVENT) {
    }
    if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(f->x.solver));
}

static void expect_run_refused(const resida_model *m, const unsigned char *bytes, size_t size, const char *words)
{
    flight f = fly(m);
    assert_int_equal(resida_run_load(f.run, NULL, bytes, size), RESIDA_ERR_ARGUMENT);
    if (!strstr(resida_solver_message(f.x.solver), words)) fail_msg("%s", resida_solver_message(f.x.solver));
}

CLAIM(a_run_goes_on_with_its_events_and_with_what_the_model_remembers)
{
    unsigned char bytes[ROOM];
    size_t size = 0;
    static double elsewhere[] = {2};
    resida_model m = {.size = sizeof m, .t_end = 3, .rtol = 1e-9, .atol = 1e-9, .event = turn};
    resida_mechanism_init(&m.mechanism);
    m.mechanism.n_p = m.mechanism.n_v = 1;
    m.mechanism.residual = small_mass;
    m.mechanism.name = "mass";
    m.p0 = p0, m.v0 = p0 + 1;
    flight a = fly(&m), b;
    assert_int_equal(resida_run_start(a.run, NULL, NULL), RESIDA_OK);
    reach(&a, 0.6);
    assert_int_equal(memory.turns, 2);
    assert_int_equal(resida_run_save(a.run, NULL, 0, bytes, ROOM, &size), RESIDA_ERR_MODEL);
    assert_non_null(strstr(resida_solver_message(a.x.solver), "mass: the run cannot be saved: event() of the model"));
    m.state_is_all = 1, m.state = &memory, m.state_size = sizeof memory;
    assert_int_equal(resida_run_save(a.run, NULL, 0, bytes, ROOM, &size), RESIDA_OK);
    reach(&a, 2);
    resida_state one, other;
    one = test_state(a.x.solver);
    memory.turns = 77;
    b = fly(&m);
    assert_int_equal(resida_run_load(b.run, NULL, bytes, size), RESIDA_OK);
    assert_int_equal(memory.turns, 2);
    reach(&b, 2);
    assert_int_equal(memory.turns, 3);
    other = test_state(b.x.solver);
    assert_true(fabs(one.p[0] - other.p[0]) < 1e-6 && fabs(one.v[0] - other.v[0]) < 1e-6);
    resida_model wrong = m;
    wrong.p0 = elsewhere;
    expect_run_refused(&wrong, bytes, size, "was made with p0[0] = ");
    wrong = m;
    wrong.mechanism.name = "stone";
    expect_run_refused(&wrong, bytes, size, "is of model mass, this is stone");
    wrong = m;
    wrong.state_size = 0;
    expect_run_refused(&wrong, bytes, size, "4 bytes of the model's state, not 0");
    assert_int_equal(resida_solver_save(b.x.solver, NULL, 0, bytes, ROOM, &size), RESIDA_OK);
    expect_run_refused(&m, bytes, size, "is of a solver, not of a run");
}
