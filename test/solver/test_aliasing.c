/* test_aliasing.c - what is kept is copied: after each call everything handed over is overwritten and freed, and the
 * run has the same bits. The solver's own state may be where it starts again. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

static const double tol = 1e-6, t_end = 1;

/* Memory of the caller, which is spoilt and freed when the call is over; a sanitizer sees who looks at it later. */
static void *lent[64];
static size_t lent_bytes[64];
static int n_lent;

static void *lend(const void *what, size_t bytes)
{
    assert_true(n_lent < 64);
    void *copy = malloc(bytes);
    assert_non_null(copy);
    lent_bytes[n_lent] = bytes;
    lent[n_lent++] = memcpy(copy, what, bytes);
    return copy;
}

static const char *lend_text(const char *text)
{
    return lend(text, strlen(text) + 1);
}

static const char *const *lend_names(const char *a, const char *b, const char *c)
{
    const char *const names[3] = {lend_text(a), lend_text(b), lend_text(c)};
    return lend(names, sizeof names);
}

static void take_back(int spoil)
{
    while (n_lent > 0) {
        n_lent--;
        if (spoil) memset(lent[n_lent], 0xff, lent_bytes[n_lent]); /* NaN, -1, text without end */
        free(lent[n_lent]);
    }
}

static void *allocate(size_t bytes, void *context)
{
    ++*(long *)context;
    return malloc(bytes);
}

static void release(void *block, void *context)
{
    free(block);
}

static resida_problem *make_problem(scripted *s, long *allocations)
{
    resida_mechanism m;
    resida_problem_options o = test_problem_options();
    resida_problem *problem;
    scripted_pendulum(&m, s, 0);
    m.name = lend_text("lent");
    m.G_pattern.row = lend((int[]){0, 3}, 2 * sizeof(int));
    m.G_pattern.col = lend((int[]){0, 1, 2}, 3 * sizeof(int));
    m.M_pattern.row = lend((int[]){0, 3, 6, 9}, 4 * sizeof(int));
    m.M_pattern.col = lend((int[]){0, 1, 2, 0, 1, 2, 0, 1, 2}, 9 * sizeof(int));
    m.p_names = lend_names("x", "y", "z");
    m.v_names = lend_names("x'", "y'", "z'");
    m.g_names = lend_names("rod", "", "");
    const resida_allocator table = {allocate, release, allocations};
    o.form = lend_text("ggl");
    o.allocator = lend(&table, sizeof table);
    assert_int_equal(resida_problem_create(&problem, lend(&m, sizeof m), lend(&o, sizeof o), NULL), RESIDA_OK);
    take_back(1);
    return problem;
}

static resida_solver *make_solver(resida_problem *problem, int n)
{
    resida_solver_options o = test_solver_options();
    resida_solver *s;
    double atol[PENDULUM_N];
    for (int i = 0; i < n; i++) atol[i] = tol * (1 + 0.1 * i);
    o.rtol = tol;
    o.atol_each = lend(atol, (size_t)n * sizeof *atol);
    o.jacobian = lend_text("auto");
    assert_int_equal(resida_solver_create(&s, problem, lend(&o, sizeof o), NULL), RESIDA_OK);
    take_back(1);
    return s;
}

static void start_pendulum(resida_solver *s)
{
    resida_start_options o = test_start_options();
    const double *p0 = lend(pendulum_p0, sizeof pendulum_p0), *v0 = lend(pendulum_v0, sizeof pendulum_v0);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, lend(&o, sizeof o), NULL), RESIDA_OK);
    take_back(1);
}

static unsigned long long digest_of(const resida_solver *s, int n)
{
    resida_state at;
    size_t bytes = (size_t)n * sizeof(double);
    assert_int_equal(resida_solver_state(s, &at), RESIDA_OK);
    return fnv(fnv(fnv(FNV_BEGIN, &at.t, sizeof at.t), at.y, bytes), at.yp, bytes);
}

/* The same run with everything where it belongs, in static memory. */
static unsigned long long untouched_pendulum(void)
{
    static scripted script;
    static resida_mechanism m;
    static resida_solver_options o;
    static double atol[PENDULUM_N];
    resida_problem *problem;
    resida_solver *s;
    static const int rows[] = {0, 3, 6, 9}, cols[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    scripted_pendulum(&m, &script, 0);
    m.G_pattern = m.M_pattern = (resida_pattern){rows, cols};
    resida_solver_options_init(&o);
    for (int i = 0; i < PENDULUM_N; i++) atol[i] = tol * (1 + 0.1 * i);
    o.rtol = tol;
    o.atol_each = atol;
    test_solver_make(&problem, &s, &m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, pendulum_p0, pendulum_v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    unsigned long long digest = digest_of(s, PENDULUM_N);
    test_solver_free(s, problem);
    return digest;
}

CLAIM(a_mechanism_and_its_options_may_be_overwritten)
{
    static const char *const names[PENDULUM_N] = {"x", "y", "z", "x'", "y'", "z'", "lam[0]", "eta[0]"};
    scripted script = {.total = 0};
    long allocations = 0;
    char name[20];
    resida_problem *problem = make_problem(&script, &allocations);
    resida_solver *s = make_solver(problem, PENDULUM_N);
    start_pendulum(s);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    assert_true(digest_of(s, PENDULUM_N) == untouched_pendulum());
    for (int i = 0; i < PENDULUM_N; i++) {
        assert_int_equal(resida_problem_component_name(problem, i, name, sizeof name), RESIDA_OK);
        assert_string_equal(name, names[i]);
    }
    assert_true(allocations > 0);
    test_solver_free(s, problem);
}

static resida_problem *make_dae(scripted *s)
{
    resida_dae d;
    resida_problem_options o = test_problem_options();
    resida_problem *problem;
    scripted_dae(&d, s);
    d.name = lend_text("lent");
    d.kinds = lend(d.kinds, SCRIPTED_DAE_N * sizeof *d.kinds);
    d.names = lend_names("cosine", "slope", "force");
    o.form = lend_text("auto");
    assert_int_equal(resida_problem_create_dae(&problem, lend(&d, sizeof d), lend(&o, sizeof o), NULL), RESIDA_OK);
    take_back(1);
    return problem;
}

CLAIM(a_dae_its_options_and_its_start_may_be_overwritten)
{
    const double y0[] = {1, 0, 1}, yp0[] = {0, -1, 0};
    unsigned long long digest[2];
    char name[20];
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        scripted script = {.total = 0};
        resida_problem *problem;
        if (spoilt) {
            problem = make_dae(&script);
        } else {
            resida_dae d;
            scripted_dae(&d, &script);
            assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, NULL), RESIDA_OK);
        }
        resida_solver *s = make_solver(problem, SCRIPTED_DAE_N);
        const double *y = lend(y0, sizeof y0), *yp = lend(yp0, sizeof yp0);
        assert_int_equal(resida_solver_start_dae(s, 0, y, yp), RESIDA_OK);
        take_back(spoilt);
        assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
        digest[spoilt] = digest_of(s, SCRIPTED_DAE_N);
        assert_int_equal(resida_problem_component_name(problem, 2, name, sizeof name), RESIDA_OK);
        assert_string_equal(name, spoilt ? "force" : "y[2]");
        test_solver_free(s, problem);
    }
    assert_true(digest[0] == digest[1]);
}

CLAIM(the_solver_may_start_again_from_its_own_state)
{
    unsigned long long digest[2][2];
    for (int dae = 0; dae < 2; dae++)
        for (int copied = 0; copied < 2; copied++) {
            scripted_run r;
            resida_state at;
            double y[PENDULUM_N], yp[PENDULUM_N];
            (dae ? scripted_open_dae : scripted_open)(&r, NULL, tol);
            int n = dae ? SCRIPTED_DAE_N : PENDULUM_N;
            assert_int_equal(scripted_start(&r), RESIDA_OK);
            assert_int_equal(resida_solver_advance(r.solver, 0.4), RESIDA_OK);
            assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_OK);
            memcpy(y, at.y, (size_t)n * sizeof *y);
            memcpy(yp, at.yp, (size_t)n * sizeof *yp);
            const double *from = copied ? y : at.y, *slope = copied ? yp : at.yp;
            resida_status status = dae ? resida_solver_start_dae(r.solver, at.t, from, slope)
                                       : resida_solver_start(r.solver, at.t, from, from + 3, NULL, NULL);
            assert_int_equal(status, RESIDA_OK);
            assert_int_equal(resida_solver_advance(r.solver, t_end), RESIDA_OK);
            assert_true(scripted_error(&r, t_end) < 100 * tol);
            digest[dae][copied] = scripted_digest(&r);
        }
    assert_true(digest[0][0] == digest[0][1] && digest[1][0] == digest[1][1]);
}
