/* test_linearize_failures.c - what cannot be linearised is refused, with the reason in words; nothing is left
 * allocated. */
#include "linear_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* --- p'' = -p, which can be made to fail --- */

typedef struct sick {
    int verdict; /* of calls */
    int is_nan;
    int from; /* the first call that is ill */
    int calls;
} sick;

static int spring(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    sick *s = user;
    r[0] = a[0] + p[0];
    if (++s->calls <= s->from) return 0;
    if (s->is_nan) r[0] = NAN;
    return s->verdict;
}

static resida_problem *spring_problem(sick *s, const resida_allocator *alloc)
{
    resida_mechanism m = test_mechanism();
    resida_problem *problem;
    resida_problem_options o = test_problem_options();
    o.allocator = alloc;
    m.n_p = m.n_v = 1, m.residual = spring, m.user = s;
    return resida_problem_create(&problem, &m, &o, NULL) == RESIDA_OK ? problem : NULL;
}

static const double at_rest[] = {0};

static resida_status linearize(resida_problem *problem, resida_message *why)
{
    resida_linearization *l = (resida_linearization *)(size_t)1;
    resida_status status = resida_linearize_mechanism(&l, problem, 0, at_rest, at_rest, at_rest, NULL, why);
    if (status < 0) assert_null(l);
    resida_linearization_free(l);
    return status;
}

CLAIM(a_model_that_fails_near_the_state_is_named)
{
    for (int from = 0; from < 6; from++) {
        sick stops = {.verdict = -1, .from = from}, refuses = {.verdict = 1, .from = from},
             is_nan = {.is_nan = 1, .from = from};
        sick *const all[] = {&stops, &refuses, &is_nan};
        const resida_status said[] = {RESIDA_ERR_USER, RESIDA_ERR_USER_REPEATED, RESIDA_ERR_NONFINITE};
        for (int i = 0; i < 3; i++) {
            resida_message why = {""};
            resida_problem *problem = spring_problem(all[i], NULL);
            const resida_status status = linearize(problem, &why);
            if (all[i]->calls > from) {
                assert_int_equal(status, said[i]);
                assert_true(strlen(why.text) > 0);
            } else {
                assert_int_equal(status, RESIDA_OK);
            }
            resida_problem_free(problem);
        }
    }
}

/* --- memory: the k-th allocation fails --- */

static int place(const resida_model *model, const resida_model_point *at, double *out)
{
    out[0] = 2 * at->p[0];
    return 0;
}

typedef struct ration {
    long left, held;
} ration;

static void *take(size_t bytes, void *context)
{
    ration *r = context;
    if (r->left-- <= 0) return NULL;
    void *block = malloc(bytes);
    r->held += block != NULL;
    return block;
}

static void give_back(void *block, void *context)
{
    ration *r = context;
    r->held -= block != NULL;
    free(block);
}

CLAIM(lack_of_memory_is_reported_and_nothing_leaks)
{
    ration r = {.left = 1000000};
    const resida_allocator alloc = {take, give_back, &r};
    sick healthy = {.from = 1000000};
    resida_problem *problem = spring_problem(&healthy, &alloc);
    assert_non_null(problem);
    const long before = r.held;
    static const char *const names[] = {"place"};
    const resida_model model = {.size = sizeof model, .n_outputs = 1, .output_names = names, .output = place};
    resida_status status = RESIDA_ERR_MEMORY;
    long k = 0;
    for (; status == RESIDA_ERR_MEMORY && k < 5000; k++) {
        resida_message why = {""};
        resida_linearization *l = NULL;
        resida_modes modes;
        resida_linear_model linear_model = {.n_outputs = 0};
        r.left = k;
        status = resida_linearize_mechanism(&l, problem, 0, at_rest, at_rest, at_rest, NULL, &why);
        const int is_made = status >= 0;
        if (is_made) status = resida_linearization_add_outputs(l, &model, &why);
        if (is_made) assert_int_equal(resida_linearization_get(l, &linear_model), RESIDA_OK);
        assert_int_equal(linear_model.n_outputs, !is_made ? 0 : status < 0 ? 2 : 3);
        if (status >= 0) status = resida_linearization_modes(l, 0, 0, &modes, &why);
        if (status < 0) {
            assert_int_equal(status, RESIDA_ERR_MEMORY);
            assert_true(strlen(why.text) > 0);
        }
        resida_linearization_free(l);
        r.left = 1000000;
        if (status == RESIDA_ERR_MEMORY && k > 0) assert_true(r.held >= before);
    }
    assert_int_equal(status, RESIDA_OK);
    assert_true(k > 50);
    resida_problem_free(problem);
    assert_int_equal(r.held, 0);
}

/* --- too large for full matrices: y_i' = -y_i --- */

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const int *n = user;
    for (int i = 0; i < *n; i++) r[i] = yp[i] + y[i];
    return 0;
}

static int decay_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                          double *J, void *user)
{
    const int *n = user;
    for (int i = 0; i < *n; i++) J[i] = 1 + alpha;
    return 0;
}

CLAIM(all_eigenvalues_of_a_large_model_are_refused)
{
    enum { N = 2001 };
    static int row[N + 1], column[N], n = N;
    static double y[N];
    resida_dae d = test_dae();
    resida_linearization *l;
    resida_modes modes;
    resida_message why = {""};
    for (int i = 0; i <= N; i++) row[i] = i;
    for (int i = 0; i < N; i++) column[i] = i;
    d.n = N, d.user = &n, d.residual = decay, d.jacobian = decay_jacobian;
    d.J_pattern = (resida_pattern){row, column};
    resida_problem *problem = test_problem_dae(&d, NULL);
    assert_int_equal(resida_linearize(&l, problem, 0, y, y, &why), RESIDA_OK);
    assert_int_equal(resida_linearization_modes(l, 0, 0, &modes, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "2001 unknowns"));
    resida_linearization_free(l);
    assert_int_equal(resida_linearize_mechanism(&l, problem, 0, y, y, y, NULL, &why), RESIDA_ERR_STATE);
    assert_null(l);
}

/* --- friction that balances the constraint force: Phi = a + lam, G = (1, 0) with G' lam besides, Phi_lam = -1 --- */

static int jammed(double t, const double *p, const double *v, const double *a, const double *lam,
                  const resida_excitation *e, double *r, void *user)
{
    r[0] = a[0] - lam[0];
    r[1] = a[1] + 4 * p[1];
    return 0;
}

static int wall(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0];
    return 0;
}

CLAIM(forces_that_balance_the_constraint_forces_are_refused)
{
    static const double zero[] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_linearization *l;
    resida_message why = {""};
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual_lam = jammed, m.constraint = wall;
    resida_problem *problem = test_problem(&m, NULL);
    assert_int_equal(resida_linearize_mechanism(&l, problem, 0, zero, zero, zero, zero, &why), RESIDA_ERR_SINGULAR);
    assert_null(l);
    assert_non_null(strstr(why.text, "compensate the constraint forces"));
    assert_int_equal(resida_linearize_mechanism(&l, problem, 0, zero, zero, zero, NULL, &why), RESIDA_ERR_ARGUMENT);
}
