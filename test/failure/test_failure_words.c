/* test_failure_words.c - a failed integration names the component that it was lost by, and says what to try; no code of
 * IDA reaches the user as a number. */
#include "src/core/ida/ida_impl.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/claims.h"

enum { N = 3 };

static const char *const names[N] = {"calm", "wild", "warm"};

/* y_i' = -y_i, but for "wild" from some time on. */
typedef struct wild {
    int (*F)(double t, double y, double yp, double *r);
    double from, h_first;
} wild;

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = yp[i] + y[i];
    const wild *w = user;
    return t <= w->from ? 0 : w->F(t, y[1], yp[1], &r[1]);
}

static int rough(double t, double y, double yp, double *r)
{
    *r = yp - 1e8 * sin(1e9 * t);
    return 0;
}

static int leaps(double t, double y, double yp, double *r)
{
    *r = yp - 1e13;
    return 0;
}

static int sticks(double t, double y, double yp, double *r)
{
    *r = yp + (y > 0.3 ? 1 : -1);
    return 0;
}

/* The status and the words that it ends with, by one method. */
static resida_status fails(const wild *w, const char *method, const char *jacobian, char *words)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    const double y0[N] = {1, 1, 1}, yp0[N] = {-1, -1, -1};
    d.n = N;
    d.names = names;
    d.residual = residual;
    d.user = (void *)(size_t)w;
    o.max_residuals = 100000;
    o.jacobian = jacobian;
    o.method = method;
    if (strcmp(method, "bdf") == 0) o.h_first = w->h_first;
    o.step = strcmp(method, "bdf") == 0 ? 0 : 0.01;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
    resida_status status = resida_solver_advance(s, 10);
    strcpy(words, resida_solver_message(s));
    return status;
}

CLAIM(failures_name_the_component_and_what_to_try)
{
    static const wild kinds[] = {{rough, 0, 0.1}, {leaps, 1, 0}, {sticks, 1, 0}};
    static const char *const jacobians[] = {"auto", "dense"}, *const methods[] = {"bdf", "bdf2", "radau-iia-2"};
    char words[RESIDA_MESSAGE_SIZE];
    int failed = 0;
    for (int m = 0; m < 3; m++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 3; i++) {
                resida_status status = fails(&kinds[i], methods[m], jacobians[j], words);
                print_message("%s, %s, %d: %s %s\n", methods[m], jacobians[j], i, resida_status_name(status), words);
                if (status >= 0 || status == RESIDA_ERR_LIMIT_RESIDUALS) continue;
                failed++;
                assert_non_null(strstr(words, "wild"));
                assert_null(strstr(words, "warm"));
                assert_non_null(strstr(words, "t = "));
                assert_true(status == RESIDA_ERR_SINGULAR || strstr(words, "root function"));
            }
    assert_true(failed >= 8);
}

/* A problem, and an iteration that knows nothing of IDA. */
typedef struct bare {
    resida_problem *problem;
    resida_solver_options o;
    rsd_guard guard;
    rsd_ida ida;
    rsd_factors factors;
    resida_message why;
    double y[2 * N], atol[2 * N];
} bare;

/* y = (p, v, lam, eta) of the pendulum. */
static void open_bare(bare *b, int has_matrix)
{
    static const char *const g_names[] = {"rod"};
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.residual = small_particle;
    m.constraint = small_rod;
    m.constraint_matrix = has_matrix ? small_rod_matrix : NULL;
    m.g_names = g_names;
    memset(b, 0, sizeof *b);
    resida_solver_options_init(&b->o);
    for (int i = 0; i < 2 * N; i++) b->atol[i] = 1e-6;
    b->o.atol_each = b->atol;
    b->problem = test_problem(&m, NULL);
    b->guard = (rsd_guard){.problem = b->problem, .message = &b->why};
    b->ida = (rsd_ida){.base = {.o = &b->o, .guard = &b->guard, .problem = b->problem, .n = 2 * N, .y = b->y},
                       .signs = {.wrong = -1},
                       .newton = {.factors = &b->factors}};
}

CLAIM(every_return_code_of_IDA_has_a_message)
{
    bare b;
    open_bare(&b, 1);
    for (int flag = -1; flag >= -120; flag--) {
        if (flag == IDA_ERR_FAIL) continue; /* asks IDA, and is provoked above */
        resida_status status = rsd_ida_report_failure(&b.ida, flag, 1.5);
        const char *number = claims_text("%d", flag);
        assert_true(status < 0);
        assert_non_null(strstr(b.why.text, "t = 1.5"));
        assert_null(strstr(b.why.text, number));
        assert_null(strstr(b.why.text, "IDA"));
        assert_true(strlen(b.why.text) > 20);
    }
}

CLAIM(differences_of_g_are_blamed_where_velocities_are_large)
{
    for (int has_matrix = 0; has_matrix < 2; has_matrix++)
        for (int is_fast = 0; is_fast < 2; is_fast++) {
            bare b;
            open_bare(&b, has_matrix);
            const double x[2 * N] = {0, 0, 0, 1e-3, 7, 0}, w[2 * N] = {1, 1, 1, 1, 1, 1};
            b.y[0] = 1, b.y[2] = is_fast ? 1e4 : 1; /* where G has full rank */
            for (int k = 0; k < 4; k++) rsd_blame_record(&b.ida.newton.blame, rsd_find_max_component(2 * N, x, w));
            assert_int_equal(rsd_ida_report_failure(&b.ida, IDA_CONV_FAIL, 1.5), RESIDA_ERR_NEWTON);
            assert_non_null(strstr(b.why.text, "lam[0] of rod (4 of 4)"));
            assert_int_equal(strstr(b.why.text, "give constraint_matrix") != NULL, is_fast && !has_matrix);
        }
}

/* atol = 1e-6; a tolerance of 1e-5 is mostly rtol |y|. */
CLAIM(the_atol_that_a_failure_suggests_is_smaller_than_the_present_one)
{
    double w[2 * N] = {1e5, 1e6};
    for (int i = 0; i < 2; i++) {
        bare b;
        open_bare(&b, 1);
        b.ida.newton.residual.has_algebraic = 1, b.ida.newton.w = w;
        rsd_blame_record(&b.ida.newton.blame, i);
        assert_int_equal(rsd_ida_report_failure(&b.ida, IDA_CONV_FAIL, 1.5), RESIDA_ERR_NEWTON);
        if (!strstr(b.why.text, i ? "1e-06: try an atol of 1e-07" : "1e-05: try a smaller rtol"))
            fail_msg("%s", b.why.text);
    }
}

CLAIM(the_components_of_failed_attempts_are_named_by_how_often)
{
    bare b;
    rsd_blame blame = {.count = 0};
    char text[RSD_BLAME_TEXT];
    const double w[2 * N] = {1, 1, 1, 1, 1, 1};
    open_bare(&b, 1);
    rsd_blame_text(&blame, b.problem, text);
    assert_string_equal(text, "");
    for (int k = 0; k < 25; k++) { /* the last ten count: 15 .. 24 */
        double x[2 * N] = {0};
        x[k < 15 ? 5 : k % 3 == 0 ? 3 : 0] = k == 20 ? NAN : -1;
        rsd_blame_record(&blame, rsd_find_max_component(2 * N, x, w));
    }
    rsd_blame_text(&blame, b.problem, text);
    assert_string_equal(text, "p[0] (6 of 10), v[1] (4 of 10)");
}
