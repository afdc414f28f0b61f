/* test_exact.c - small DAEs with closed-form solutions, of index 1 to 3: Arevalo and Loetstedt's circle, the knife
 * edge (Bloch, Nonholonomic Mechanics and Control, section 1.6), Jay (1993), two of Kvaerno (1990), Brenan, Campbell,
 * Petzold (chapter 4). The error at the end is at most `allowed` tolerances, and falls with them. */
#include "test/fixtures/claims.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = 6 };

/* A DAE with its exact solution. */
typedef struct exact_dae {
    const char *name;
    int n;
    resida_kind kinds[MOST];
    resida_dae_residual_fn *F;
    void (*solution)(double t, double *y, double *yp); /* both [n] */
    double t0, t_end;
    int judged; /* leading components that are compared */
    double allowed;
} exact_dae;

/* x' = u + x mu, y' = v + y mu, u' = 2 y + x lam, v' = -2 x + y lam, 0 = x u + y v, 0 = x^2 + y^2 - 1 */
static int circle(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    double lam = y[4], mu = y[5];
    r[0] = yp[0] - y[2] - y[0] * mu;
    r[1] = yp[1] - y[3] - y[1] * mu;
    r[2] = yp[2] - 2 * y[1] - y[0] * lam;
    r[3] = yp[3] + 2 * y[0] - y[1] * lam;
    r[4] = y[0] * y[2] + y[1] * y[3];
    r[5] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

static void circle_solution(double t, double *y, double *yp)
{
    double s = sin(t * t), c = cos(t * t);
    memcpy(y, (double[]){s, c, 2 * t * c, -2 * t * s, -4 * t * t, 0}, 6 * sizeof *y);
    memcpy(yp, (double[]){2 * t * c, -2 * t * s, 2 * c - 4 * t * t * s, -2 * s - 4 * t * t * c, -8 * t, 0},
           6 * sizeof *yp);
}

/* y1' = y1 y2^2 z^2, y2' = y1^2 y2^2 - 3 y2^2 z, 0 = y1^2 y2 - 1 */
static int jay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[0] * y[1] * y[1] * y[2] * y[2];
    r[1] = yp[1] - y[0] * y[0] * y[1] * y[1] + 3 * y[1] * y[1] * y[2];
    r[2] = y[0] * y[0] * y[1] - 1;
    return 0;
}

/* The same solution with z linear: y1' = y1 y2 z. */
static int jay_linear(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    int verdict = jay(t, y, yp, e, r, user);
    r[0] = yp[0] - y[0] * y[1] * y[2];
    return verdict;
}

static void jay_solution(double t, double *y, double *yp)
{
    memcpy(y, (double[]){exp(t), exp(-2 * t), exp(2 * t)}, 3 * sizeof *y);
    memcpy(yp, (double[]){exp(t), -2 * exp(-2 * t), 2 * exp(2 * t)}, 3 * sizeof *yp);
}

/* Fully implicit, linear in y'. */
static int kvaerno_a(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[2] * yp[1] - (y[1] + 1) * yp[2] + y[0] - 1 - sin(t);
    r[1] = (y[2] + 1) * yp[0] + y[0] * yp[1] + exp(-t);
    r[2] = y[0] * y[1] * y[2] - 0.5 * exp(-t) * sin(2 * t);
    return 0;
}

static void kvaerno_a_solution(double t, double *y, double *yp)
{
    memcpy(y, (double[]){exp(-t), sin(t), cos(t)}, 3 * sizeof *y);
    memcpy(yp, (double[]){-exp(-t), cos(t), -sin(t)}, 3 * sizeof *yp);
}

/* Fully implicit, nonlinear in y'. */
static int kvaerno_b(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    double s = sin(yp[0]), c = cos(y[1]), sum = y[0] + y[1];
    r[0] = (s * s + c * c) * yp[1] * yp[1] - (t - 6) * (t - 6) * (t - 2) * (t - 2) * y[0] * exp(-t);
    r[1] = (4 - t) * sum * sum * sum - 64 * t * t * exp(-t) * y[0] * y[1];
    return 0;
}

static void kvaerno_b_solution(double t, double *y, double *yp)
{
    double t3 = t * t * t, e = exp(-t);
    memcpy(y, (double[]){t3 * t * e, (4 - t) * t3 * e}, 2 * sizeof *y);
    memcpy(yp, (double[]){(4 - t) * t3 * e, (t - 2) * (t - 6) * t * t * e}, 2 * sizeof *yp);
}

/* y1' - t y2' + y1 - (1 + t) y2 = 0, y2 = sin t */
static int brenan(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - t * yp[1] + y[0] - (1 + t) * y[1];
    r[1] = y[1] - sin(t);
    return 0;
}

static void brenan_solution(double t, double *y, double *yp)
{
    memcpy(y, (double[]){exp(-t) + t * sin(t), sin(t)}, 2 * sizeof *y);
    memcpy(yp, (double[]){-exp(-t) + sin(t) + t * cos(t), cos(t)}, 2 * sizeof *yp);
}

static const exact_dae daes[] = {
    {"circle", 6, {0, 0, 0, 0, RESIDA_ALGEBRAIC_2, RESIDA_ALGEBRAIC_2}, circle, circle_solution, 1, 5, 4, 2000},
    {"jay linear", 3, {0, 0, RESIDA_ALGEBRAIC_2}, jay_linear, jay_solution, 0, 1, 2, 2000},
    /* With z squared IDA hardly leaves order 1 (stock IDA: 2,337 steps, 957 failed iterations, error 7e-5 at 1e-8). */
    {"jay", 3, {0, 0, RESIDA_ALGEBRAIC_2}, jay, jay_solution, 0, 1, 2, 10000},
    {"kvaerno a", 3, {0}, kvaerno_a, kvaerno_a_solution, -1, 1, 3, 200},
    {"kvaerno b", 2, {0}, kvaerno_b, kvaerno_b_solution, 0.5, 1, 2, 200},
    {"brenan", 2, {0}, brenan, brenan_solution, 0, 10, 2, 200},
};

static double error_of_dae(const exact_dae *x, double tolerance)
{
    resida_dae dae = test_dae();
    resida_solver_options options = test_solver_options();
    double y[MOST], yp[MOST], error = 0;
    dae.name = x->name;
    dae.n = x->n;
    dae.kinds = x->kinds;
    dae.residual = x->F;
    options.rtol = options.atol = tolerance;
    options.t_stop = x->t_end;
    resida_solver *solver = test_solver_dae(&dae, NULL, &options);
    x->solution(x->t0, y, yp);
    assert_int_equal(resida_solver_start_dae(solver, x->t0, y, yp), RESIDA_OK);
    if (resida_solver_advance(solver, x->t_end) < 0) fail_msg("%s: %s", x->name, resida_solver_message(solver));
    resida_state state = test_state(solver);
    x->solution(x->t_end, y, yp);
    for (int i = 0; i < x->judged; i++) error = fmax(error, fabs(state.y[i] - y[i]) / (1 + fabs(y[i])));
    return error;
}

CLAIM(closed_forms_are_met_and_errors_fall)
{
    for (size_t i = 0; i < sizeof daes / sizeof daes[0]; i++) {
        double coarse = error_of_dae(&daes[i], 1e-4), fine = error_of_dae(&daes[i], 1e-8);
        print_message("%-10s error %.1e at 1e-4, %.1e at 1e-8\n", daes[i].name, coarse, fine);
        assert_true(fine <= daes[i].allowed * 1e-8);
        assert_true(fine < 0.1 * coarse);
    }
}

/* Knife edge on an inclined plane: p = (x, y, phi), one velocity constraint that no position constraint stands
 * behind. */
static const double mass = 1.25, inertia = 0.13, gravity = 9.81, rate = 1.0471975511965977462,
                    slope = 0.78539816339744830962;

static int edge_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    r[0] = mass * a[0] - mass * gravity * sin(slope);
    r[1] = mass * a[1];
    r[2] = inertia * a[2];
    return 0;
}

static int edge_matrix(double t, const double *p, const resida_excitation *e, double *Gh, void *user)
{
    Gh[0] = sin(p[2]);
    Gh[1] = -cos(p[2]);
    Gh[2] = 0;
    return 0;
}

CLAIM(knife_edge_follows_its_closed_form)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options options = test_solver_options();
    resida_state state;
    m.name = "knife edge";
    m.n_p = m.n_v = 3;
    m.n_h = 1;
    m.residual = edge_residual;
    m.nonholonomic_matrix = edge_matrix;
    resida_problem *problem = test_problem(&m, NULL);
    assert_string_equal(resida_problem_form(problem), "ggl");
    options.rtol = options.atol = 1e-8;
    resida_solver *solver = test_solver_of(problem, &options);
    assert_int_equal(resida_solver_start(solver, 0, (double[]){0, 0, 0}, (double[]){0, 0, rate}, NULL, NULL),
                     RESIDA_OK);
    double gs = gravity * sin(slope), worst = 0, worst_force = 0;
    for (int k = 1; k <= 100; k++) {
        double t = 0.1 * k, s = sin(rate * t), c = cos(rate * t);
        if (resida_solver_advance(solver, t) < 0) fail_msg("%s", resida_solver_message(solver));
        state = test_state(solver);
        double exact[3] = {gs / (2 * rate * rate) * s * s, gs / (2 * rate * rate) * (rate * t - s * c), rate * t};
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(state.p[i] - exact[i]));
        worst_force = fmax(worst_force, fabs(state.lam[0] - 2 * mass * gs * s)); /* -lambda of the source */
    }
    print_message("knife edge: error %.1e in positions, %.1e in the force\n", worst, worst_force);
    assert_true(worst < 5e-6);
    assert_true(worst_force < 1e-4);
}
