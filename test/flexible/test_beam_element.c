/* test_beam_element.c - callbacks of systems of beams (benchmarks/multibody/beam) against differences, and what they
 * keep whatever the elements are: rigid motions, momenta.
 *
 * Central differences over s = 1e-5 of polynomials of fourth degree with values of order 10 err by s^2 and by eps/s:
 * some 1e-9. Second differences over s = 1e-3 err by s^2 and eps/s^2. */
#include "beam_fixture.h"
#include "benchmarks/multibody/beam/element.h"

#define S1     1e-5
#define FIRST  1e-7
#define S2     1e-3
#define SECOND 1e-3

enum { N_U = 3, STATES = 6, U_TURN = 1, U_SLIDE, U_LOAD };

static const bm_section thick = {5, 2, 3, 1.5, 2.5, 3.5, 1.2, 0.3, 0.2, 0};
static const bm_section deep = {4, 3, 2, 2.5, 1.5, 0.5, 0.7, 0.1, 0.4, 0.05};

/** Beams of all orders, a rigid body, every joint, every load; and a motion of it. */
typedef struct world {
    beam b;
    uint64_t seed;
    double *p, *v, u[N_U], ud[N_U], udd[N_U];
    double *p0, u0[N_U], ud0[N_U];
    resida_excitation e;
} world;

static void bow(double x, const void *data, mb_vec *r, mb_mat *axes)
{
    *r = (mb_vec){sin(x), 1 - cos(x), 0.2};
    axes->z = (mb_vec){cos(x), sin(x), 0};
    axes->x = (mb_vec){-sin(x), cos(x), 0};
    axes->y = (mb_vec){0, 0, 1};
}

static void world_build(bm_system *s)
{
    const mb_vec far = {3, 0.1, 0.3}, none = {0, 0, 0};
    const int a = bm_add_curve(s, &thick, 3, 2, bow, NULL),
              b = bm_add_line(s, &deep, 2, 2, far, none, (mb_vec){0, 0, 1});
    const int c = bm_add_line(s, &thick, 1, 2, none, far, (mb_vec){0, 0, 1});
    const int d = bm_add_node(s, (mb_vec){1, 2, 3}, mb_identity());
    bm_add_lump(s, d, 2, (mb_vec){1, 1.5, 2});
    bm_add_lump(s, c + 1, 0.5, none);
    bm_add_hinge(s, BM_SPACE, a, (mb_vec){0, 0.3, 0.1}, (mb_vec){1, 2, 3});
    bm_add_turn(s, BM_SPACE, a, (mb_vec){1, 2, 3}, U_TURN);
    bm_add_weld(s, a + 6, b, (mb_vec){1, 1, 0});
    bm_add_ball(s, c, b + 4, (mb_vec){0.1, 0, 0.2});
    bm_add_turn(s, d, c + 2, (mb_vec){0.3, -1, 0.2}, U_TURN);
    bm_add_slide(s, d, c + 2, far, (mb_vec){0.5, -1, 0.3}, U_SLIDE);
    bm_add_load(s, c + 1, (mb_vec){1, -2, 3}, (mb_vec){0.5, 0.4, -1}, U_LOAD);
    bm_add_load(s, a + 2, (mb_vec){-1, 0, 2}, none, 0);
    for (int k = 0; k < BM_STRAINS; k++) s->damping[k] = 0.1 + 0.05 * k;
    s->gravity[0] = 0.3, s->gravity[2] = -2;
}

static void world_open(world *w)
{
    memset(w, 0, sizeof *w);
    w->seed = 12345;
    beam_begin(&w->b);
    world_build(&w->b.s);
    beam_open(&w->b);
    w->p = bench_doubles(w->b.n), w->v = bench_doubles(w->b.n), w->p0 = bench_doubles(w->b.n);
    w->e = (resida_excitation){w->u, w->ud, w->udd};
}

static void world_close(world *w)
{
    beam_close(&w->b);
}

/* Along p' = v at constant v, and u of second degree. */
static void world_at(world *w, double s)
{
    bench_along(w->b.n, w->p0, s, w->v, w->p);
    for (int k = 0; k < N_U; k++) {
        w->u[k] = w->u0[k] + s * (w->ud0[k] + s * w->udd[k] / 2);
        w->ud[k] = w->ud0[k] + s * w->udd[k];
    }
}

static void world_move(world *w)
{
    for (int i = 0; i < w->b.n; i++) w->p0[i] = w->b.s.p0[i] + 0.3 * bench_random(&w->seed);
    for (int i = 0; i < w->b.n; i++) w->v[i] = bench_random(&w->seed);
    for (int k = 0; k < N_U; k++)
        w->u0[k] = bench_random(&w->seed), w->ud0[k] = bench_random(&w->seed), w->udd[k] = bench_random(&w->seed);
    world_at(w, 0);
}

static void for_all(void (*claim)(world *w))
{
    world w;
    world_open(&w);
    for (int k = 0; k < STATES; k++) {
        world_move(&w);
        claim(&w);
    }
    world_close(&w);
}

/* The matrix of a pattern, full [rows x n]. */
static double *in_full(const resida_pattern *pattern, int rows, int n, const double *value)
{
    double *A = bench_doubles((long)rows * n);
    for (int i = 0; i < rows; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            assert_true(k == pattern->row[i] || pattern->col[k] > pattern->col[k - 1]);
            A[(long)i * n + pattern->col[k]] = value[k];
        }
    return A;
}

/* What a callback gives, [rows]. */
typedef void evaluation(world *w, double *out);

/* A [rows x n] is the derivative of f with respect to x. */
static void is_derivative(world *w, evaluation *f, int rows, double *x, const double *A)
{
    double *ahead = bench_doubles(rows), *behind = bench_doubles(rows);
    for (int j = 0; j < w->b.n; j++) {
        const double at = x[j];
        x[j] = at + S1, f(w, ahead);
        x[j] = at - S1, f(w, behind);
        x[j] = at;
        for (int i = 0; i < rows; i++) bench_near(A[(long)i * w->b.n + j], (ahead[i] - behind[i]) / (2 * S1), FIRST);
    }
}

static void residual_at_rest(world *w, double *r)
{
    double *a = bench_doubles(w->b.n);
    assert_int_equal(w->b.m.residual(0, w->p, w->v, a, &w->e, r, w->b.m.user), 0);
}

static void derivatives_match(world *w)
{
    const int n = w->b.n;
    const resida_mechanism *m = &w->b.m;
    double *K = bench_doubles(m->Phi_p_pattern.row[n]), *D = bench_doubles(m->Phi_v_pattern.row[n]);
    assert_int_equal(m->derivatives(0, w->p, w->v, NULL, NULL, &w->e, K, D, NULL, m->user), 0);
    double *A = in_full(&m->Phi_p_pattern, n, n, K), *B = in_full(&m->Phi_v_pattern, n, n, D);
    is_derivative(w, residual_at_rest, n, w->p, A);
    is_derivative(w, residual_at_rest, n, w->v, B);
}

CLAIM(derivatives_are_those_of_the_residual)
{
    for_all(derivatives_match);
}

static void constraints(world *w, double *g)
{
    assert_int_equal(w->b.m.constraint(0, w->p, &w->e, g, w->b.m.user), 0);
}

static double *constraint_matrix(world *w)
{
    const resida_mechanism *m = &w->b.m;
    double *values = bench_doubles(m->G_pattern.row[m->n_g]);
    assert_int_equal(m->constraint_matrix(0, w->p, &w->e, values, m->user), 0);
    double *G = in_full(&m->G_pattern, m->n_g, w->b.n, values);
    return G;
}

/* Along the motion g' = G v + gI, and g'' is the bias. */
static void biases_match(world *w)
{
    const int rows = w->b.rows, n = w->b.n;
    double *ahead = bench_doubles(rows), *behind = bench_doubles(rows), *here = bench_doubles(rows);
    double *rate = bench_doubles(rows), *bias = bench_doubles(rows), *G = constraint_matrix(w);
    assert_int_equal(w->b.m.velocity_bias(0, w->p, &w->e, rate, w->b.m.user), 0);
    assert_int_equal(w->b.m.acceleration_bias(0, w->p, w->v, &w->e, bias, w->b.m.user), 0);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) rate[i] += G[(long)i * n + j] * w->v[j];
    constraints(w, here);
    world_at(w, S1), constraints(w, ahead), world_at(w, -S1), constraints(w, behind);
    for (int i = 0; i < rows; i++) bench_near(rate[i], (ahead[i] - behind[i]) / (2 * S1), FIRST);
    world_at(w, S2), constraints(w, ahead), world_at(w, -S2), constraints(w, behind);
    for (int i = 0; i < rows; i++) bench_near(bias[i], (ahead[i] - 2 * here[i] + behind[i]) / (S2 * S2), SECOND);
}

CLAIM(biases_are_the_time_derivatives_of_the_constraints)
{
    for_all(biases_match);
}

/* --- what is kept --- */

static mb_vec vec(const double *x)
{
    return (mb_vec){x[0], x[1], x[2]};
}

/* Elements alone, damped, without loads. */
static void open_free(beam *b)
{
    beam_begin(b);
    world_build(&b->s);
    b->s.n_load = b->s.n_link = b->s.n_lump = 0;
    memset(b->s.gravity, 0, sizeof b->s.gravity);
    beam_open(b);
}

/* Inner forces have no resultant and no moment, at any state: momenta stay. */
CLAIM(inner_forces_leave_momenta_alone)
{
    const double tolerance = 1000 * DBL_EPSILON; /* some hundred terms of order 10 */
    uint64_t seed = 7;
    beam b;
    open_free(&b);
    double *v = bench_doubles(b.n), *psi = bench_doubles(b.n);
    for (int k = 0; k < STATES; k++) {
        mb_vec force = {0, 0, 0}, moment = {0, 0, 0};
        for (int i = 0; i < b.n; i++) b.p[i] = b.s.p0[i] + 0.3 * bench_random(&seed), v[i] = bench_random(&seed);
        bm_forces(&b.s, b.p, v, NULL, psi);
        for (int i = 0; i < b.n; i += 3) {
            if (i % BM_P == 0) force = mb_add(force, vec(psi + i));
            moment = mb_add(moment, mb_cross(vec(b.p + i), vec(psi + i)));
        }
        assert_true(mb_norm(force) < tolerance);
        assert_true(mb_norm(moment) < 10 * tolerance);
    }
    beam_close(&b);
}

CLAIM(rigid_motions_leave_strains_at_rounding)
{
    mb_mat R = mb_identity();
    beam b;
    open_free(&b);
    for (int turns = 0; turns < STATES; turns++) {
        mb_roll(&R, 1.1), mb_pitch(&R, 0.7), mb_yaw(&R, -2.3);
        for (int i = 0; i < b.n; i += 3) {
            mb_vec x = mb_turn(&R, vec(b.s.p0 + i));
            if (i % BM_P == 0) x = mb_add(x, (mb_vec){3, -2, 5});
            b.p[i] = x.x, b.p[i + 1] = x.y, b.p[i + 2] = x.z;
        }
        for (int el = 0; el < b.s.n_element; el++)
            for (int k = 0; k < b.s.element[el].order; k++) {
                double strain[BM_STRAINS];
                bm_fields X;
                bm_look(&b.s.element[el], k, b.p, X, strain);
                for (int c = 0; c < BM_STRAINS; c++) assert_true(fabs(strain[c]) < 100 * DBL_EPSILON);
            }
    }
    beam_close(&b);
}

/* The principal moments of a rigid body come back from its Euler tensor. */
CLAIM(a_lump_has_the_moments_that_it_was_given)
{
    const double moments[] = {1, 1.5, 2};
    const mb_vec axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    beam b;
    beam_begin(&b);
    (void)bm_add_node(&b.s, (mb_vec){1, 2, 3}, mb_identity());
    bm_add_lump(&b.s, 0, 3, (mb_vec){1, 1.5, 2});
    beam_open(&b);
    for (int k = 0; k < 3; k++) {
        double v[BM_P] = {0};
        for (int a = 0; a < 3; a++) {
            const mb_vec x = mb_cross(axes[k], axes[a]);
            v[3 + 3 * a] = x.x, v[4 + 3 * a] = x.y, v[5 + 3 * a] = x.z;
        }
        bench_near(bm_kinetic_energy(&b.s, v), moments[k] / 2, 1e-15);
    }
    beam_close(&b);
}

/* d2 and d3 of the last node are turned by `angle` about d1: in the middle of a linear element their length is
 * cos(angle/2). */
CLAIM(the_shortest_director_is_that_of_the_element_that_is_bent)
{
    beam b;
    const double angle = 0.8;
    int element = -1;
    beam_begin(&b);
    const int first = bm_add_line(&b.s, &thick, 1, 3, (mb_vec){0, 0, 0}, (mb_vec){3, 0, 0}, (mb_vec){0, 1, 0});
    beam_open(&b);
    bench_near(bm_shortest_director(&b.s, b.s.p0, &element), 1, 1e-15);
    double *d = b.s.p0 + (ptrdiff_t)BM_P * (first + 3) + 6;
    for (int k = 0; k < 3; k++) {
        const double d2 = d[k], d3 = d[3 + k];
        d[k] = cos(angle) * d2 + sin(angle) * d3;
        d[3 + k] = cos(angle) * d3 - sin(angle) * d2;
    }
    bench_near(bm_shortest_director(&b.s, b.s.p0, &element), cos(angle / 2), 1e-15);
    assert_int_equal(element, 2);
    beam_close(&b);
}
