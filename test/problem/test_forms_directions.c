/* test_forms_directions.c - the directions D along which constraints are held, G', M^-1 G' and the caller's own: what
 * they are, that they change no trajectory, and what is refused, fails, or runs in several threads. */
#include "forms_fixture.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

/* Twice G', sheared: G D is regular. [n_v x n_g] */
static int sheared(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cm *c = user;
    double u[CM_MAX];
    cm_point x = cm_at(c, t, p, NULL, u);
    cm_number A[2 * CM_MAX * CM_MAX];
    cm_rows(c, &x, A);
    for (int r = 0; r < c->n_v; r++)
        for (int i = 0; i < c->n_g; i++)
            out[r * c->n_g + i] = 2 * creal(A[i * c->n_v + r]) + (i > 0 ? creal(A[(i - 1) * c->n_v + r]) : 0);
    return 0;
}

static void set_projection(resida_problem_options *o, const char *name)
{
    o->projection = name;
    o->projection_matrix = strcmp(name, "own") == 0 ? sheared : NULL;
}

static const char *const directions[] = {"G", "B", "own"};

CLAIM(every_direction_gives_the_same_trajectory)
{
    static const char *const with_D[] = {"ggl", "projected1", "projected2", "hiller-anantharaman"};
    static const char *const projected[] = {"index2", "index1", "index3"};
    cm c;
    cm_make_rich(&c, 2);
    resida_mechanism m = cm_mechanism(&c, CM_ALL);
    ending ggl, end;
    resida_problem_options o = forms_options("ggl", RESIDA_FORMALISM_AUTO);
    forms_integrate(&m, &o, c.p0, c.v0, "auto", 1, &ggl);
    for (int d = 0; d < 3; d++) {
        for (int f = 0; f < 4; f++) {
            o = forms_options(with_D[f], RESIDA_FORMALISM_AUTO);
            set_projection(&o, directions[d]);
            forms_integrate(&m, &o, c.p0, c.v0, "auto", 1, &end);
            forms_compare(&m, with_D[f], &end, &ggl);
        }
        for (int f = 0; f < 3; f++) {
            o = forms_options(projected[f], RESIDA_FORMALISM_AUTO);
            set_projection(&o, directions[d]);
            o.step_projection = 1;
            forms_integrate(&m, &o, c.p0, c.v0, "auto", 1, &end);
            forms_compare(&m, projected[f], &end, &ggl);
        }
    }
}

/* D [n_v x n_g] by columns, as the header says. */
static void expected_directions(const cm *c, const char *name, double t, const double *p, cm_number *D)
{
    double given[CM_MAX * CM_MAX];
    cm_point x = cm_at(c, t, p, NULL, NULL);
    cm_number A[2 * CM_MAX * CM_MAX], M[CM_MAX * CM_MAX];
    cm_rows(c, &x, A);
    assert_int_equal(sheared(t, p, NULL, given, (void *)(size_t)c), 0);
    for (int i = 0; i < c->n_g; i++) {
        cm_number *column = D + i * c->n_v;
        for (int r = 0; r < c->n_v; r++)
            column[r] = strcmp(name, "own") == 0 ? given[r * c->n_g + i] : A[i * c->n_v + r];
        if (strcmp(name, "B") != 0) continue;
        cm_mass(c, &x, M);
        cm_solve(c->n_v, M, column);
    }
}

/* What eta adds to the kinematic rows: (dg/dp)' eta, or T D eta. */
CLAIM(eta_acts_along_D)
{
    cm c;
    cm_make_rich(&c, 4);
    resida_mechanism m = cm_mechanism(&c, CM_ALL);
    for (int d = 0; d < 3; d++) {
        resida_layout l;
        resida_problem_options o = forms_options("ggl", RESIDA_FORMALISM_RESIDUAL);
        set_projection(&o, directions[d]);
        resida_problem *problem = test_problem(&m, &o);
        assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
        double y[CM_MAX_Y] = {0}, yp[CM_MAX_Y] = {0}, with[CM_MAX_Y], without[CM_MAX_Y], t = 0.3;
        cm_number D[CM_MAX * CM_MAX], T[CM_MAX * CM_MAX], gp[CM_MAX * CM_MAX];
        memcpy(y, c.p0, (size_t)c.n_p * sizeof *y);
        assert_int_equal(resida_problem_residual(t, y, yp, without, problem), 0);
        for (int i = 0; i < c.n_g; i++) y[l.eta + i] = 0.7 + i;
        assert_int_equal(resida_problem_residual(t, y, yp, with, problem), 0);
        cm_point x = cm_at(&c, t, c.p0, NULL, NULL);
        expected_directions(&c, directions[d], t, c.p0, D);
        cm_T(&c, &x, T);
        cm_constraint_matrix(&c, &x, gp);
        for (int r = 0; r < c.n_p; r++) {
            double expected = 0;
            for (int i = 0; i < c.n_g; i++)
                for (int j = 0; d > 0 && j < c.n_v; j++)
                    expected += creal(T[r * c.n_v + j] * D[i * c.n_v + j]) * (0.7 + i);
            for (int i = 0; d == 0 && i < c.n_g; i++) expected += creal(gp[i * c.n_p + r]) * (0.7 + i);
            bench_near(with[r] - without[r], expected, 1e-12 * (1 + fabs(expected)));
        }
    }
}

/* Without projected steps, too. */
static int has_direction(const char *form)
{
    static const char *const held[] = {"ggl", "projected1", "projected2", "hiller-anantharaman"};
    int i = 0;
    while (i < 4 && strcmp(held[i], form) != 0) i++;
    return i < 4;
}

CLAIM(every_form_is_created_whole_or_not_at_all)
{
    cm c;
    cm_make_rich(&c, 7);
    resida_mechanism m = cm_mechanism(&c, CM_ALL);
    int failures = 0;
    for (int f = 0; f < 3 * forms_count(); f++) {
        resida_status status = RESIDA_ERR_MEMORY;
        for (long k = 0; status != RESIDA_OK; k++, failures++) {
            rationed q = {.left = k, .once = 1};
            const resida_allocator allocator = rationed_allocator(&q);
            resida_problem *problem;
            resida_problem_options o = forms_options(forms_name(f % forms_count()), RESIDA_FORMALISM_AUTO);
            const int is_held = has_direction(o.form), is_fit = strcmp(o.form, "state-space") != 0;
            if (is_fit) set_projection(&o, directions[f / forms_count()]);
            o.step_projection = f % 2 || !is_held;
            o.allocator = &allocator;
            status = resida_problem_create(&problem, &m, &o, NULL);
            assert_true(status == RESIDA_OK || (status == RESIDA_ERR_MEMORY && q.left < 0 && !problem));
            resida_problem_free(problem);
            assert_int_equal(q.out, 0);
        }
    }
    print_message("%d allocations failed, one at a time\n", failures);
    assert_true(failures > 1000);
}

CLAIM(B_needs_a_mass_matrix_and_says_so)
{
    cm c;
    cm_make_rich(&c, 7);
    resida_mechanism m = cm_mechanism(&c, CM_ALL & ~CM_M);
    resida_problem *problem;
    resida_message why = {""};
    resida_problem_options o = forms_options("ggl", RESIDA_FORMALISM_AUTO);
    set_projection(&o, "B");
    assert_int_equal(resida_problem_create(&problem, &m, &o, &why), RESIDA_ERR_MODEL);
    assert_non_null(strstr(why.text, "mass_matrix"));
    assert_null(problem);
    o.form = "index2"; /* which has no eta */
    assert_int_equal(resida_problem_create(&problem, &m, &o, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "projection = B has no effect here"));
}

/* A callback that fails is named, and its verdict kept. */
static int refusing(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    if (t > 0.2) return -1;
    return sheared(t, p, e, out, user);
}

CLAIM(a_projection_matrix_that_fails_is_named)
{
    static const char *const names[] = {"ggl", "index2", "projected2"};
    cm c;
    cm_make_rich(&c, 2);
    resida_mechanism m = cm_mechanism(&c, CM_ALL);
    for (int f = 0; f < 3; f++) {
        resida_problem_options o = forms_options(names[f], RESIDA_FORMALISM_AUTO);
        set_projection(&o, "own");
        o.projection_matrix = refusing;
        o.step_projection = 1;
        resida_solver *s = test_solver(&m, &o, NULL);
        assert_int_equal(resida_solver_start(s, 0, c.p0, c.v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, 1), RESIDA_ERR_USER);
        assert_non_null(strstr(resida_solver_message(s), "projection_matrix"));
    }
}

/* Threads have problems of their own, with the same options and the same frozen directions. What they are asked for is
 * the formalism, or all of F where the model leaves M out. */
CLAIM(threads_give_the_same_bits_in_every_form)
{
    cm c;
    cm_make_rich(&c, 6);
    for (int k = 0; k < 2 * forms_count(); k++) {
        resida_mechanism m = cm_mechanism(&c, k % 2 ? CM_ALL : CM_NOTHING);
        ending one, three;
        resida_problem_options o =
            forms_options(forms_name(k / 2), k % 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
        if (has_direction(o.form)) set_projection(&o, "own");
        m.thread_safe = 1;
        forms_integrate(&m, &o, c.p0, c.v0, "dense", 1, &one);
        forms_integrate(&m, &o, c.p0, c.v0, "dense", 3, &three);
        assert_memory_equal(&one, &three, sizeof one);
    }
}
