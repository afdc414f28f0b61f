/* test_scaling.c - scaling of the iteration matrix of index-3 formulations, and factorisation without pivoting, as a
 * user meets them: solutions do not depend on the scaling, Newton's method gets as far as rounding in the scaled
 * unknowns at any step size (Bottasso, Bauchau, Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414), and the augmented
 * Lagrangian term makes pivots where there are none (Bauchau, Epple, Bottasso, section 7). */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const char *const names[] = {"none", "left", "lam", "lam+v", "two-field", "two-field-left", "two-field-lam"};
enum { N_NAMES = sizeof names / sizeof *names };

/* A model in a form, and the end of its last corrections. */
typedef struct world {
    bench b;
    resida_problem *problem;
    resida_layout l;
    resida_solver_options o;
    double z[3]; /* largest last corrections of p, v, lam */
    long steps;
} world;

static void open_world(world *w, const char *model, const bench_setting *settings, const char *form, double penalty)
{
    resida_problem_options o = test_problem_options();
    *w = (world){.steps = 0};
    bench_open(&w->b, model, settings);
    o.form = form, o.penalty = penalty;
    w->problem = test_problem(w->b.m, &o);
    resida_problem_layout(w->problem, &w->l);
    resida_solver_options_init(&w->o);
}

static void listen(const resida_newton_end *end, void *user)
{
    world *w = user;
    const int from[] = {w->l.p, w->l.v, w->l.lam}, n[] = {w->l.n_p, w->l.n_v, w->l.n_g};
    for (int f = 0; f < 3; f++)
        for (int i = 0; i < n[f]; i++) w->z[f] = fmax(w->z[f], fabs(end->correction[from[f] + i]));
    w->steps++;
}

/* Integrate by t; y [n] at the end, the message of a failure. */
static resida_status run(world *w, double t, double *y, char *message)
{
    resida_state state;
    resida_solver *s = test_solver_of(w->problem, &w->o);
    resida_status status = resida_solver_start(s, w->b.model.t0, w->b.model.p0, w->b.model.v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(s, w->b.model.t0 + t);
    if (message) strcpy(message, resida_solver_message(s));
    if (y && resida_solver_state(s, &state) == RESIDA_OK) memcpy(y, state.y, (size_t)w->l.n * sizeof *y);
    return status;
}

/* --- what is solved --- */

/* Variable steps, with and without scaling. The error test of index 3 sees p alone, so v errs by a tolerance over h at
 * each step and p by that times the time: some 500 tolerances with 500 steps, and what the motion makes of them
 * (Andrews' multiplies by 50). */
CLAIM(index3_integrates_with_variable_steps_with_and_without_scaling)
{
    static const struct {
        const char *model;
        double t;
    } runs[] = {{"pendulum", 2}, {"andrews", 0.03}, {"slider-crank", 0.1}};
    for (int m = 0; m < 3; m++) {
        double reference[40];
        for (int k = -1; k < N_NAMES; k++) {
            world w;
            double y[40], error = 0;
            open_world(&w, runs[m].model, NULL, "index3", 0);
            w.o.rtol = w.o.atol = k < 0 ? 1e-10 : 1e-8;
            if (k >= 0) w.o.scaling = names[k];
            assert_int_equal(run(&w, runs[m].t, k < 0 ? reference : y, NULL), RESIDA_OK);
            for (int i = 0; i < w.l.n_p && k >= 0; i++)
                error = fmax(error, fabs(y[i] - reference[i]) / (1 + fabs(reference[i])));
            if (!(error <= 500 * 50 * 1e-8)) fail_msg("%s, %s: error %g", runs[m].model, names[k], error);
        }
    }
}

/* Steps of a fixed size: the solution is that of the equations, to what corrections can be resolved. */
CLAIM(solutions_do_not_depend_on_the_scaling)
{
    static const char *const methods[] = {"bdf2", "newmark", "generalized-alpha", "midpoint", "radau-iia-3"};
    for (int m = 0; m < 5; m++) {
        double plain[40];
        for (int k = 0; k < N_NAMES; k++) {
            world w;
            double y[40];
            open_world(&w, "andrews", NULL, "index3", 0);
            w.o.method = methods[m], w.o.step = 1e-5, w.o.scaling = names[k];
            w.o.rtol = w.o.atol = 1e-10;
            assert_int_equal(run(&w, 1e-3, k == 0 ? plain : y, NULL), RESIDA_OK);
            for (int i = 0; i < w.l.n_p && k > 0; i++)
                if (!(fabs(y[i] - plain[i]) <= 1e-10 * (1 + fabs(plain[i]))))
                    fail_msg("%s, %s: p[%d] differs by %g", methods[m], names[k], i, y[i] - plain[i]);
        }
    }
}

/* --- as far as rounding --- */

/* 100 steps of BDF2 from 0.5 rad; corrections of u, h v, h^2 lam. */
static void last_corrections(const char *scaling, double h, double scaled[3])
{
    world w;
    const bench_setting settings[] = {{"g", 1}, {"phi0", 0.5}, {NULL, 0}};
    open_world(&w, "pendulum", settings, "index3", 0);
    w.o.method = "bdf2", w.o.step = h, w.o.scaling = scaling, w.o.newton_to_rounding = 1;
    w.o.observer = listen, w.o.observer_user = &w;
    assert_int_equal(run(&w, 100 * h, NULL, NULL), RESIDA_OK);
    assert_true(w.steps >= 99);
    scaled[0] = w.z[0], scaled[1] = h * w.z[1], scaled[2] = h * h * w.z[2];
}

/* (30): nothing grows as h falls. Rounding of g is some 1e-16, and so are corrections; 1e-12 is what is asked for.
 * Without scaling the multipliers' own corrections are 1e-16/h^2, 1e-2 at h = 1e-7 (Figure 1 has 4e-3), and end the
 * iteration. */
CLAIM(scaled_corrections_reach_rounding_at_any_step_size)
{
    double z[3];
    for (double h = 1e-2; h > 5e-9; h /= 10) {
        last_corrections("lam+v", h, z);
        for (int f = 0; f < 3; f++)
            if (!(z[f] <= 1e-12)) fail_msg("h = %g, field %d: %g", h, f, z[f]);
    }
    last_corrections("none", 1e-7, z);
    const double lam = z[2] / 1e-14;
    if (!(lam > 4e-4 && lam < 4e-2)) fail_msg("not scaled, h = 1e-7: lam %g", lam);
}

/* The largest |r_i A_ij c_j| of each row and column, [n] each. */
typedef struct largest {
    double rows[16], columns[16];
    int n, told;
} largest;

static void measure_matrix(const resida_newton_end *end, void *user)
{
    largest *to = user;
    const resida_jacobian_matrix *A = &end->matrix;
    assert_true(A->n <= 16 && end->row_scale && end->column_scale);
    memset(to->rows, 0, sizeof to->rows), memset(to->columns, 0, sizeof to->columns);
    for (int j = 0; j < A->n; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            double size = fabs(end->row_scale[A->row[e]] * A->values[e] * end->column_scale[j]);
            to->rows[A->row[e]] = fmax(to->rows[A->row[e]], size);
            to->columns[j] = fmax(to->columns[j], size);
        }
    to->n = A->n;
    to->told++;
}

/* (30), and s as it is found in J: no row and no column of the matrix grows or vanishes with h or with the mass. */
CLAIM(scaled_matrix_depends_neither_on_h_nor_on_the_mass)
{
    static const double masses[] = {1e-3, 1, 1e3};
    static const char *const methods[] = {"bdf2", "newmark"};
    for (int k = 0; k < 6; k++)
        for (double h = 1e-2; h > 5e-9; h /= 100) {
            world w;
            largest found = {.told = 0};
            const bench_setting settings[] = {{"m", masses[k % 3]}, {"phi0", 0.5}, {NULL, 0}};
            open_world(&w, "pendulum", settings, "index3", 0);
            w.o.method = methods[k / 3], w.o.step = h, w.o.observer = measure_matrix, w.o.observer_user = &found;
            assert_int_equal(run(&w, 5 * h, NULL, NULL), RESIDA_OK);
            assert_true(found.told > 0 && found.n == 5);
            for (int i = 0; i < found.n; i++)
                if (!(fmin(found.rows[i], found.columns[i]) >= 0.1 && fmax(found.rows[i], found.columns[i]) <= 10))
                    fail_msg("m = %g, h = %g: row %d %g, column %g", masses[k % 3], h, i, found.rows[i],
                             found.columns[i]);
        }
}

/* --- without pivoting --- */

/* Problem II with a spring that is (36)'s, and with that of the tables; h so small that h^2 k is no pivot. */
CLAIM(without_pivoting_the_augmented_term_makes_the_pivots)
{
    static const double stiffness[] = {0, 10};
    const double h = 1e-8;
    for (int k = 0; k < 2; k++)
        for (int field = 0; field < 2; field++) {
            const bench_setting settings[] = {{"k", stiffness[k]}, {NULL, 0}};
            double y[2][8];
            char message[RESIDA_MESSAGE_SIZE];
            for (int pivoting = 0; pivoting < 2; pivoting++)
                for (int augmented = 0; augmented < 2; augmented++) {
                    world w;
                    open_world(&w, "pendulum-spring", settings, augmented ? "augmented" : "index3",
                               augmented / (h * h));
                    w.o.method = "bdf2", w.o.step = h, w.o.scaling = field ? "two-field-lam" : "lam+v";
                    w.o.scaling_mass = 1;
                    w.o.linear_solver = pivoting ? "klu" : "klu-diagonal";
                    resida_status status = run(&w, 20 * h, y[pivoting], message);
                    if (pivoting || augmented) {
                        if (status != RESIDA_OK) fail_msg("k = %g, %s: %s", stiffness[k], w.o.scaling, message);
                    } else {
                        assert_int_equal(status, RESIDA_ERR_SINGULAR);
                        /* of v where it is an unknown, else of p: it has been taken out */
                        assert_non_null(strstr(message, field ? "pivot for phi on" : "pivot for phi' on"));
                        assert_non_null(strstr(message, "augmented"));
                    }
                }
            for (int i = 0; i < 3; i++) bench_near(y[0][i], y[1][i], 1e-12);
        }
}
