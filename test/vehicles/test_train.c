/* test_train.c - the train as a model: its track, its equilibrium, how many entries its Jacobian has. Figures in the
 * comments are of an independent computation. Its constraints and patterns against differences:
 * test_command_check_models.c. */
#include "jacobian/pattern/colouring.h"
#include "base/memory.h"
#include <resida/start.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mask_pattern.h"
#include "benchmarks/models/vehicles/train/train_model.h"

enum { N = TRAIN_COORDINATES, N_G = TRAIN_WHEELS };

static void open_train(bench *b, const char *name, double value)
{
    const bench_setting settings[] = {{name, value}, {NULL, 0}};
    bench_open(b, "train", name ? settings : NULL);
}

/* A model as a problem, at a point (y, yp). */
typedef struct place {
    resida_problem *problem;
    resida_layout layout;
    int n;
    double *y, *yp;
} place;

/* The problem of a mechanism at its consistent start. */
static void place_open(place *k, bench *b)
{
    const resida_model *m = &b->model;
    resida_message why = {""};
    k->problem = test_problem(&m->mechanism, NULL);
    assert_int_equal(resida_problem_layout(k->problem, &k->layout), RESIDA_OK);
    const resida_layout *l = &k->layout;
    k->n = l->n;
    k->y = bench_doubles(l->n), k->yp = bench_doubles(l->n);
    double *lam = bench_doubles(l->n_g + l->n_h);
    if (resida_problem_start(k->problem, m->t0, m->p0, m->v0, NULL, k->y + l->p, k->y + l->v, k->yp + l->v, lam, NULL,
                             &why) < 0)
        fail_msg("%s", why.text);
    for (int i = 0; i < l->n_p; i++) k->yp[l->p + i] = k->y[l->v + i];
    for (int i = 0; i < l->n_g; i++) k->y[l->lam + i] = lam[i];
}

static const train *train_of(const bench *b)
{
    return b->model.user;
}

/* z = -0.0929 mm, rates of spin 0.00861 rad/s, loads 54517.46 N; all else is zero. */
CLAIM(equilibrium_is_the_known_one)
{
    bench b;
    open_train(&b, NULL, 0);
    const double *p = b.model.p0, *v = b.model.v0;
    place start;
    place_open(&start, &b); /* finds the loads */
    const mb_tree *tree = &train_of(&b)->system.tree;
    for (int k = 0; k < TRAIN_BODIES; k++)
        for (int which = 0; which < MB_SIX; which++) {
            const int i = mb_coordinate(tree, k, which);
            if (i < 0) continue;
            const int spins = which == MB_THETA && tree->body[k].joint.rotor;
            bench_near(p[i], which == MB_Z ? -0.0929e-3 : 0, which == MB_Z ? 0.5e-7 : 1e-9);
            bench_near(v[i], spins ? 0.00861 : 0, spins ? 5e-6 : 0);
        }
    for (int i = 0; i < N_G; i++) bench_near(start.y[start.layout.lam + i], 54517.46, 0.005);
    bench_all_near(N, start.y, p, 1e-12); /* consistent as it is */
    double out[N_G + 1], kinetic = 0;
    for (int k = 0; k < TRAIN_BODIES; k++) {
        const mb_body *body = &tree->body[k];
        const double spin = body->joint.rotor ? 25 / TRAIN_RADIUS + 0.00861 : 0;
        kinetic += (body->mass * 25 * 25 + body->inertia.y * spin * spin) / 2;
    }
    const resida_model_point point = {.p = p, .v = v, .lam = start.y + start.layout.lam};
    assert_int_equal(b.model.n_outputs, N_G + 1);
    assert_int_equal(resida_model_output(&b.model, &point, out), 0);
    bench_all_near(N_G, out, point.lam, 0);
    bench_near(out[N_G], kinetic, 1e-6 * kinetic);
}

/* Frames in a canted transition: rates against differences, the motion of a frame against that of its parent. */
CLAIM(frames_move_as_they_say)
{
    const double h = 1e-5;
    bench b, ahead, behind;
    open_train(&b, "case", 2), open_train(&ahead, "case", 2), open_train(&behind, "case", 2);
    const train_track *q = &train_of(&b)->track;
    for (double t = 0.3; t < 9; t += 0.71) {
        bench_at(&b, t), bench_at(&ahead, t + h), bench_at(&behind, t - h);
        for (int i = 0; i < TRAIN_BODIES * TRAIN_U; i++) {
            bench_near((ahead.u[i] - behind.u[i]) / (2 * h), b.ud[i],
                       1e-8); /* and the quadrature's own error across seams */
            bench_near((ahead.ud[i] - behind.ud[i]) / (2 * h), b.udd[i], 1e-6); /* kinks of udd near seams: none here */
        }
        for (int k = 1; k < TRAIN_BODIES; k++) {
            const double *u = b.u + TRAIN_U * k, *ud = b.ud + TRAIN_U * k, *udd = b.udd + TRAIN_U * k;
            const double *uP = b.u + TRAIN_U * train_parent(k), *udP = b.ud + TRAIN_U * train_parent(k);
            const double *uddP = b.udd + TRAIN_U * train_parent(k);
            const mb_root own = train_track_root(q, u, ud, udd, 0), parent = train_track_root(q, uP, udP, uddP, 0);
            const mb_relation x = train_track_relation(u, ud, uP, udP);
            const mb_vec turning = mb_sub(mb_turn(&x.R, own.w), mb_add(parent.w, x.w));
            const mb_vec moving = mb_sub(mb_turn(&x.R, own.v), mb_add(parent.v, mb_add(mb_cross(parent.w, x.d), x.dd)));
            const mb_vec falling = mb_sub(own.a, mb_cross(own.w, own.v));
            bench_near(mb_norm(turning), 0, 1e-14);
            bench_near(mb_norm(moving), 0, 1e-12);
            bench_near(mb_norm(falling), 0, 1e-14); /* in its own axes v is constant */
            const double *ua = ahead.u + TRAIN_U * k, *ub = behind.u + TRAIN_U * k;
            const mb_root after = train_track_root(q, ua, ahead.ud + TRAIN_U * k, ahead.udd + TRAIN_U * k, 0);
            const mb_root before = train_track_root(q, ub, behind.ud + TRAIN_U * k, behind.udd + TRAIN_U * k, 0);
            bench_near(mb_norm(mb_sub(mb_scale(1 / (2 * h), mb_sub(after.w, before.w)), own.al)), 0, 1e-9);
        }
    }
    bench_close(&b), bench_close(&ahead), bench_close(&behind);
}

/* The pose of a frame grows as it says wherever the seams of the track are between it and its parent: over 1 mm by
 * 3e-11, what rounding of 26 m makes of it; a quadrature across a seam is wrong by 5e-9. */
CLAIM(poses_grow_as_their_rate_says_across_seams)
{
    const double h = 1e-3, aheads[] = {-TRAIN_PITCH, 9.5, -9.5, 1.28};
    bench b;
    for (int which = 0; which < 3; which++) {
        open_train(&b, "case", which);
        const train_track *q = &train_of(&b)->track;
        for (int k = 0; k < 4; k++)
            for (double s = 20; s < 400; s += 0.437) {
                double u[3][TRAIN_U], ud[3][TRAIN_U], udd[3][TRAIN_U];
                for (int i = 0; i < 3; i++) train_track_frame(q, s + (i - 1) * h, aheads[k], u[i], ud[i], udd[i]);
                for (int i = TRAIN_DX; i < TRAIN_U; i++)
                    bench_near((u[2][i] - u[0][i]) / (2 * h), ud[1][i] / q->v, 1e-10);
            }
    }
}

/* The track ends k0 L^2 beside where it began, in its old direction. */
CLAIM(track_is_shifted_by_4_50_metres)
{
    bench b;
    open_train(&b, NULL, 0);
    const train_track *q = &train_of(&b)->track;
    double u[TRAIN_U], ud[TRAIN_U], udd[TRAIN_U], y = 0;
    train_track_frame(q, 300, 290, u, ud, udd); /* from 10 m on */
    y = u[TRAIN_DY];
    bench_near(y, 4.50, 0.01);
    bench_near(u[TRAIN_DCHI], 0, 1e-15);
    bench_near(u[TRAIN_KAPPA], 0, 0);
    train_track_frame(q, 35 + 37.5 + 10, 0, u, ud, udd);
    bench_near(u[TRAIN_KAPPA], 1 / 1250.0, 1e-18);
}

/* The Jacobian of the form of Gear, Gupta and Leimkuhler, y = (p, v, lam, eta), as the patterns of the model say; G'eta
 * by p, which is zero but for the tolerance, is left out. */
static unsigned char *ggl_mask(const resida_mechanism *m)
{
    const int n = 2 * (m->n_p + m->n_g), v = m->n_p, lam = 2 * m->n_p, eta = lam + m->n_g;
    unsigned char *has = claims_zeros((size_t)n * (size_t)n, 1);
    assert_non_null(has);
#define AT(row, col) has[(size_t)(row) * (size_t)n + (size_t)(col)]
    for (int i = 0; i < m->n_p; i++) {
        AT(i, i) = AT(i, v + i) = 1;
        for (int k = m->Phi_p_pattern.row[i]; k < m->Phi_p_pattern.row[i + 1]; k++)
            AT(v + i, m->Phi_p_pattern.col[k]) = 1;
        for (int k = m->Phi_v_pattern.row[i]; k < m->Phi_v_pattern.row[i + 1]; k++)
            AT(v + i, v + m->Phi_v_pattern.col[k]) = 1;
        for (int k = m->Phi_lam_pattern.row[i]; k < m->Phi_lam_pattern.row[i + 1]; k++)
            AT(v + i, lam + m->Phi_lam_pattern.col[k]) = 1;
    }
    for (int g = 0; g < m->n_g; g++)
        for (int k = m->G_pattern.row[g]; k < m->G_pattern.row[g + 1]; k++) {
            const int j = m->G_pattern.col[k];
            AT(j, eta + g) = AT(v + j, lam + g) = 1;
            AT(lam + g, j) = AT(lam + g, v + j) = AT(eta + g, j) = 1;
        }
#undef AT
    return has;
}

static int groups_of(const unsigned char *has, int n)
{
    const resida_allocator alloc = rsd_allocator(NULL);
    rsd_sparsity s = pattern_of_mask(n, n, has);
    rsd_colouring c;
    assert_int_equal(rsd_colour_columns(&c, &s, NULL, &alloc, NULL), RESIDA_OK);
    const int groups = c.n_groups;
    rsd_colouring_free(&c, &alloc);
    rsd_sparsity_free(&s, &alloc);
    return groups;
}

/* 1620 entries and 46 groups are the figures of the paper for its carriage (section 4.1, figs. 3 and 5); one more
 * carriage adds 1720. */
CLAIM(jacobian_has_the_published_pattern)
{
    static const int carriages[] = {1, 2, 4, 8}, groups[] = {46, 46, 54, 54};
    for (int i = 0; i < 4; i++) {
        bench b;
        open_train(&b, "carriages", carriages[i]);
        const int n = 98 * carriages[i];
        unsigned char *has = ggl_mask(b.m);
        int entries = 0;
        for (int k = 0; k < n * n; k++) entries += has[k];
        assert_int_equal(entries, 1720 * carriages[i] - 100);
        assert_int_equal(groups_of(has, n), groups[i]);
    }
}

/* A longer train stands like one carriage, and the couplings are without force. */
CLAIM(carriages_stand_alike)
{
    enum { CARRIAGES = 2 };
    bench b;
    place k;
    open_train(&b, "carriages", CARRIAGES);
    place_open(&k, &b);
    assert_int_equal(k.n, 98 * CARRIAGES);
    double *r = bench_doubles(k.n);
    assert_int_equal(resida_problem_residual(0, k.y, k.yp, r, k.problem), 0);
    for (int i = 0; i < k.n; i++) bench_near(r[i], 0, 1e-7);
    for (int i = 0; i < CARRIAGES * N; i++) bench_near(k.yp[k.layout.v + i], 0, 1e-9); /* at rest without a push */
    bench_all_near(N, k.y, k.y + N, 1e-12);
    for (int i = 0; i < CARRIAGES * N_G; i++) bench_near(k.y[k.layout.lam + i], 54517.46, 0.005);
    assert_string_equal(b.m->p_names[N], "car.y2");
}
