/* test_faint_rows.c - loops of planar linkages that are closed in space: across the plane their constraint is rounding
 * alone, or what a description with seven digits leaves. They must move as with the two constraints in the plane.
 *
 * Two arms of rods hang on two pivots, and their ends are one point; or the second arm is a block on a rail. q are the
 * angles of the rods in the plane, and the place of the block,
 *
 *     g = R'(R (x_a - x_b)),   R: the attitude of the plane, so that g_2 = 0 is a sum of three terms that cancel. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { SPACE = 3, RODS = 4, LINKAGES = 24 };
static const double gravity = 9.81, t_end = 0.5;

typedef struct linkage {
    int n_a, n, has_block, n_g; /* rods of the first arm, of both; rows: 2 in the plane, 3 in space */
    double length[RODS], mass[RODS], q0[RODS], pivot[2], rail[2];
    double R[SPACE][SPACE];
    double offset, tilt; /* g_2 = offset + tilt (q_0 + 2 q_1) besides: of an inexact description */
    resida_mechanism m;
} linkage;

static double between(double from, double to)
{
    return from + (to - from) * rand() / RAND_MAX;
}

static int is_block(const linkage *k, int i)
{
    return k->has_block && i == k->n - 1;
}

/* The end of an arm from its pivot, and its derivatives. */
static void find_apart(const linkage *k, const double *q, double x[2], double dx[RODS][2])
{
    x[0] = -k->pivot[0], x[1] = -k->pivot[1];
    for (int i = 0; i < k->n; i++) {
        const double side = i < k->n_a ? 1 : -1, l = k->length[i];
        const int on_rail = is_block(k, i);
        x[0] += side * (on_rail ? q[i] * k->rail[0] : l * cos(q[i]));
        x[1] += side * (on_rail ? q[i] * k->rail[1] : l * sin(q[i]));
        dx[i][0] = side * (on_rail ? k->rail[0] : -l * sin(q[i]));
        dx[i][1] = side * (on_rail ? k->rail[1] : l * cos(q[i]));
    }
}

/* Into space and back; in the plane alone x as it is. */
static void turn(const linkage *k, const double x[2], double *out, int step)
{
    for (int j = 0; j < k->n_g; j++) {
        volatile double sum = 0;
        for (int i = 0; i < SPACE && k->n_g == SPACE; i++) {
            const volatile double world = k->R[i][0] * x[0] + k->R[i][1] * x[1];
            sum += k->R[i][j] * world;
        }
        out[j * step] = k->n_g == SPACE ? sum : x[j];
    }
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const linkage *k = user;
    double x[2], dx[RODS][2];
    find_apart(k, p, x, dx);
    turn(k, x, g, 1);
    if (k->n_g == SPACE) g[2] += k->offset + k->tilt * (p[0] + 2 * p[1]);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const linkage *k = user;
    double x[2], dx[RODS][2];
    find_apart(k, p, x, dx);
    for (int i = 0; i < k->n; i++) turn(k, dx[i], G + i, k->n);
    if (k->n_g == SPACE) G[2 * k->n] += k->tilt, G[2 * k->n + 1] += 2 * k->tilt;
    return 0;
}

/* From the centre of rod j back along its arm: c is the way from joint i on. */
static double way(const linkage *k, int i, int j)
{
    return i == j ? k->length[i] / 2 : k->length[i];
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const linkage *k = user;
    for (int i = 0; i < k->n; i++)
        r[i] = is_block(k, i) ? k->mass[i] * (a[i] + gravity * k->rail[1])
                              : k->mass[i] * k->length[i] * k->length[i] / 12 * a[i];
    for (int j = 0; j < k->n; j++) {
        const int first = j < k->n_a ? 0 : k->n_a;
        double ax = 0, ay = gravity;
        if (is_block(k, j)) continue;
        for (int i = first; i <= j; i++) {
            ax += way(k, i, j) * (-sin(p[i]) * a[i] - cos(p[i]) * v[i] * v[i]);
            ay += way(k, i, j) * (cos(p[i]) * a[i] - sin(p[i]) * v[i] * v[i]);
        }
        for (int i = first; i <= j; i++) r[i] += k->mass[j] * way(k, i, j) * (cos(p[i]) * ay - sin(p[i]) * ax);
    }
    return 0;
}

/* A four-bar, a five-bar, or a slider crank, in a plane of any attitude or that of two axes. */
static void make(linkage *k, unsigned seed)
{
    static const int kinds[][3] = {{2, 3, 0}, {2, 4, 0}, {2, 3, 1}};
    double x[2], dx[RODS][2];
    *k = (linkage){.n_a = kinds[seed % 3][0], .n = kinds[seed % 3][1], .has_block = kinds[seed % 3][2], .n_g = SPACE};
    srand(seed + 1);
    for (int i = 0; i < k->n; i++)
        k->length[i] = between(0.4, 1), k->mass[i] = between(0.5, 2), k->q0[i] = between(-2.5, -0.5);
    const double rise = between(-0.5, 0.5), quarter = acos(-1) / 2;
    const double yaw = seed % 4 == 3 ? 0 : between(-3, 3), roll = seed % 4 == 3 ? quarter : between(-3, 3);
    const double R[SPACE][SPACE] = {{cos(yaw), -sin(yaw) * cos(roll), sin(yaw) * sin(roll)},
                                    {sin(yaw), cos(yaw) * cos(roll), -cos(yaw) * sin(roll)},
                                    {0, sin(roll), cos(roll)}};
    memcpy(k->R, R, sizeof R);
    k->rail[0] = cos(rise), k->rail[1] = sin(rise);
    find_apart(k, k->q0, x, dx);
    k->pivot[0] = x[0], k->pivot[1] = x[1];
    resida_mechanism_init(&k->m);
}

typedef struct outcome {
    resida_status status;
    double p[RODS];
    char message[256], dropped[256];
} outcome;

typedef struct order {
    const char *form, *method;
    int has_matrix, n_g;
    resida_redundant redundant;
    double rank_tolerance;
} order;

static const order in_space = {"ggl", "bdf", 1, SPACE, RESIDA_REDUNDANT_REFUSE, 1e-8};

static void set_up(linkage *k, const order *o)
{
    static const char *const names[SPACE] = {"x", "y", "across"};
    k->n_g = o->n_g;
    k->m.n_p = k->m.n_v = k->n, k->m.n_g = o->n_g, k->m.user = k, k->m.g_names = names;
    k->m.residual = residual, k->m.constraint = constraint;
    k->m.constraint_matrix = o->has_matrix ? constraint_matrix : NULL;
}

static outcome move(linkage *k, const order *o)
{
    static const double v0[RODS] = {0};
    outcome out = {.p = {0}};
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_start_options start = test_start_options();
    resida_state at;
    resida_stats stats = {.size = sizeof stats};
    set_up(k, o);
    po.form = o->form, so.method = o->method, so.rtol = so.atol = 1e-9, so.t_stop = t_end;
    if (strcmp(o->method, "bdf") != 0) so.step = 1e-3;
    start.redundant = o->redundant, start.rank_tolerance = o->rank_tolerance;
    resida_solver *s = test_solver(&k->m, &po, &so);
    out.status = resida_solver_start(s, 0, k->q0, v0, &start, NULL);
    if (out.status >= 0) out.status = resida_solver_advance(s, t_end);
    snprintf(out.message, sizeof out.message, "%s", resida_solver_message(s));
    if (out.status >= 0 && resida_solver_state(s, &at) >= 0 && resida_solver_stats(s, &stats) >= 0) {
        memcpy(out.p, at.p, (size_t)k->n * sizeof *out.p);
        snprintf(out.dropped, sizeof out.dropped, "%s", stats.dropped_rows ? stats.dropped_rows : "");
    }
    return out;
}

/* Fail unless a linkage moves in space as in its plane. */
static void check_same(unsigned seed, const order *o, double offset, double tilt, double tolerance)
{
    linkage k;
    make(&k, seed);
    order in_plane = *o;
    in_plane.n_g = 2, in_plane.redundant = RESIDA_REDUNDANT_REFUSE, in_plane.rank_tolerance = 1e-8;
    const outcome plane = move(&k, &in_plane);
    k.offset = offset, k.tilt = tilt;
    const outcome space = move(&k, o);
    if (plane.status < 0) fail_msg("linkage %u, %s, in the plane: %s", seed, o->form, plane.message);
    if (space.status < 0) fail_msg("linkage %u, %s, %s: %s", seed, o->form, o->method, space.message);
    assert_string_equal(space.dropped, "across");
    for (int i = 0; i < k.n; i++)
        if (!(fabs(space.p[i] - plane.p[i]) <= tolerance))
            fail_msg("linkage %u, %s, %s: q[%d] is %.3g off", seed, o->form, o->method, i, space.p[i] - plane.p[i]);
}

/* Errors of both runs are some 100 tolerances. */
CLAIM(a_loop_closed_in_space_moves_as_in_its_plane)
{
    order o = in_space;
    for (unsigned seed = 0; seed < LINKAGES; seed++)
        for (o.has_matrix = 0; o.has_matrix < 2; o.has_matrix++) check_same(seed, &o, 0, 0, 1e-6);
}

CLAIM(a_loop_closed_in_space_moves_in_its_plane_in_each_form_and_by_fixed_steps)
{
    static const char *const of[][2] = {{"index2", "bdf"},
                                        {"index3", "bdf"},
                                        {"index1", "bdf"},
                                        {"baumgarte", "bdf"},
                                        {"projected1", "bdf"},
                                        {"ggl", "radau-iia-3"},
                                        {"index3", "generalized-alpha"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (unsigned seed = 0; seed < 6; seed++) {
            order o = in_space;
            o.form = of[i][0], o.method = of[i][1];
            check_same(seed, &o, 0, 0, 1e-4);
        }
}

/* What the description is off by moves a linkage by as much, times what it turns. */
CLAIM(rows_that_contradict_within_the_accuracy_are_left_out_where_it_is_given)
{
    order o = in_space;
    o.redundant = RESIDA_REDUNDANT_DROP, o.rank_tolerance = 1e-5;
    for (unsigned seed = 0; seed < LINKAGES; seed++) check_same(seed, &o, 7e-7, 1e-6 * (1 + seed % 3), 1e-6);
}

CLAIM(without_it_the_message_names_the_row_and_the_option)
{
    for (unsigned seed = 0; seed < 6; seed++) {
        linkage k;
        make(&k, seed);
        k.offset = 3e-3, k.tilt = 1e-5;
        const outcome r = move(&k, &in_space);
        print_message("  %s\n", r.message);
        assert_true(r.status < 0);
        assert_non_null(strstr(r.message, "across"));
        assert_non_null(strstr(r.message, "rank_tolerance"));
    }
}

enum { MAX_MODES = 2 * RODS };

/* The modes at the start, which is no equilibrium, at [n]. @return how many */
static int find_modes(linkage *k, const order *o, double *re, double *im)
{
    static const double v0[RODS] = {0};
    double p[RODS], v[RODS], a[RODS], lam[SPACE];
    resida_linearization *l = NULL;
    resida_start_options start = test_start_options();
    resida_linear_model model;
    resida_modes modes;
    resida_message why = {""};
    set_up(k, o);
    start.redundant = o->redundant, start.rank_tolerance = o->rank_tolerance;
    resida_problem *problem = test_problem(&k->m, NULL);
    if (resida_problem_start(problem, 0, k->q0, v0, &start, p, v, a, lam, NULL, &why) < 0 ||
        resida_linearize_mechanism(&l, problem, 0, p, v, a, lam, &why) < 0 ||
        resida_linearization_modes(l, 0, 0, &modes, &why) < 0)
        fail_msg("%s", why.text);
    assert_int_equal(resida_linearization_get(l, &model), RESIDA_OK);
    assert_int_equal(model.n_q, k->n - 2);
    assert_int_equal(model.n_redundant, o->n_g - 2);
    assert_int_equal(modes.n_zero, 0);
    assert_true(modes.n <= MAX_MODES);
    memcpy(re, modes.re, (size_t)modes.n * sizeof *re);
    memcpy(im, modes.im, (size_t)modes.n * sizeof *im);
    const int n = modes.n;
    resida_linearization_free(l);
    return n;
}

static void has_same_modes(unsigned seed, const order *o, double offset, double tilt, double part)
{
    double re[2][MAX_MODES], im[2][MAX_MODES];
    linkage k;
    order in_plane = *o;
    in_plane.n_g = 2;
    make(&k, seed);
    const int n = find_modes(&k, &in_plane, re[0], im[0]);
    k.offset = offset, k.tilt = tilt;
    assert_int_equal(find_modes(&k, o, re[1], im[1]), n);
    for (int i = 0; i < n; i++) {
        double off = INFINITY;
        for (int j = 0; j < n; j++) off = fmin(off, hypot(re[1][j] - re[0][i], im[1][j] - im[0][i]));
        if (!(off <= part * hypot(re[0][i], im[0][i])))
            fail_msg("linkage %u: a mode in its plane, %.9g %+.9gi, is %.3g off", seed, re[0][i], im[0][i], off);
    }
}

/* Second derivatives of g by differences of differences are right within 1e-7 of their terms. */
CLAIM(a_loop_closed_in_space_has_the_modes_of_its_plane)
{
    order o = in_space;
    for (unsigned seed = 0; seed < LINKAGES; seed++)
        for (o.has_matrix = 0; o.has_matrix < 2; o.has_matrix++) has_same_modes(seed, &o, 0, 0, 1e-5);
    o.redundant = RESIDA_REDUNDANT_DROP, o.rank_tolerance = 1e-5;
    for (unsigned seed = 0; seed < LINKAGES; seed++) has_same_modes(seed, &o, 7e-7, 1e-6 * (1 + seed % 3), 1e-5);
}

/* d(q)/d(length of the first rod) at t_end, the start made consistent by q0: dq [n] */
static void differentiate(unsigned seed, const order *o, double *dq)
{
    static const double v0[RODS] = {0}, delta = 1e-7;
    linkage k[2];
    resida_problem *problem[2];
    resida_solver_options so = test_solver_options();
    resida_start_options start = test_start_options();
    resida_sensitivity by;
    resida_state at;
    resida_sensitivity_init(&by);
    so.rtol = so.atol = 1e-9, so.t_stop = t_end, start.redundant = o->redundant;
    for (int i = 0; i < 2; i++) {
        make(&k[i], seed);
        k[i].length[0] += i * delta;
        set_up(&k[i], o);
        problem[i] = test_problem(&k[i].m, NULL);
    }
    by.moved = problem[1], by.delta = delta;
    resida_solver *s = test_solver_of(problem[0], &so);
    if (resida_solver_set_sensitivities(s, 1, &by) < 0 || resida_solver_start(s, 0, k[0].q0, v0, &start, NULL) < 0 ||
        resida_solver_advance(s, t_end) < 0 || resida_solver_sensitivity(s, 0, &at) < 0)
        fail_msg("linkage %u: %s", seed, resida_solver_message(s));
    memcpy(dq, at.p, (size_t)k[0].n * sizeof *dq);
}

/* Both by differences of 1e-7, whose rounding is 1e-5 of 1, with errors of the run of some 100 tolerances beside. */
CLAIM(a_loop_closed_in_space_has_the_sensitivities_of_its_plane)
{
    for (unsigned seed = 0; seed < LINKAGES; seed++) {
        double plane[RODS], space[RODS];
        order o = in_space;
        linkage k;
        make(&k, seed);
        differentiate(seed, &o, space);
        o.n_g = 2;
        differentiate(seed, &o, plane);
        for (int i = 0; i < k.n; i++)
            if (!(fabs(space[i] - plane[i]) <= 1e-4 * (1 + fabs(plane[i]))))
                fail_msg("linkage %u: d(q[%d]) %.9g, in its plane %.9g", seed, i, space[i], plane[i]);
    }
}
