/* test_beam_momenta.c - a free beam that is thrown, turns and bends: its momentum and its moment of momentum stay what
 * they were. With w = M v: momentum sum_i w_i over the positions of nodes, moment sum_i q_i x w_i over positions and
 * directors, as a turn of the whole moves both. */
#include "beam_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const bm_section section = {2e3, 1e3, 1e3, 2, 3, 2, 1, 1e-3, 2e-3, 1.5e-3};

/** Momentum, moment of momentum, kinetic and elastic energy. */
typedef struct motion {
    double sum[3], moment[3], kinetic, elastic;
} motion;

static motion look(const beam *b, const double *p, const double *v)
{
    const int n = b->n;
    const resida_pattern *at = &b->m.M_pattern;
    double *M = bench_doubles(at->row[n]), *w = bench_doubles(n);
    motion out = {.kinetic = bm_kinetic_energy(&b->s, v), .elastic = bm_strain_energy(&b->s, p)};
    assert_int_equal(b->m.mass_matrix(0, p, NULL, M, b->m.user), 0);
    for (int i = 0; i < n; i++)
        for (int e = at->row[i]; e < at->row[i + 1]; e++) w[i] += M[e] * v[at->col[e]];
    for (int i = 0; i < n; i += 3)
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            if (i % BM_P == 0) out.sum[k] += w[i + k];
            out.moment[k] += p[i + l] * w[i + m] - p[i + m] * w[i + l];
        }
    return out;
}

static double change(const double *now, const double *before)
{
    double most = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(now[k] - before[k]));
        size = fmax(size, fabs(before[k]));
    }
    return most / size;
}

/* Turning about an axis that is none of its own, and bending. */
static void throw_it(const beam *b, double *v)
{
    const double turn[3] = {1, 2, 3}, flight[3] = {0.5, -0.25, 1};
    for (int i = 0; i < b->n; i += 3)
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            v[i + k] = turn[l] * b->p[i + m] - turn[m] * b->p[i + l] + (i % BM_P == 0 ? flight[k] : 0);
        }
    for (int i = 0; i < b->n; i += BM_P) v[i + 1] += 4 * b->p[i] * (1 - b->p[i]);
}

CLAIM(a_beam_that_is_thrown_keeps_its_momenta)
{
    const double tolerance = 1e-7, end = 1;
    beam b;
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = tolerance;
    beam_begin_line(&b, &section, 2, 4, 1, 0);
    beam_open(&b);
    double *v0 = bench_doubles(b.n), max_elastic = 0;
    throw_it(&b, v0);
    resida_solver *solver = test_solver(&b.m, NULL, &o);
    if (resida_solver_start(solver, 0, b.p, v0, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(solver));
    resida_state now = test_state(solver);
    const motion first = look(&b, now.p, now.v);
    for (int k = 1; k <= 20; k++) {
        if (resida_solver_advance(solver, k * end / 20) < 0) fail_msg("%s", resida_solver_message(solver));
        now = test_state(solver);
        const motion x = look(&b, now.p, now.v);
        max_elastic = fmax(max_elastic, x.elastic);
        if (k == 20)
            print_message("    of %.3g J, %.2g elastic: momentum to %.1e, moment to %.1e, energy to %.1e\n",
                          first.kinetic + first.elastic, max_elastic, change(x.sum, first.sum),
                          change(x.moment, first.moment),
                          fabs(x.kinetic + x.elastic - first.kinetic - first.elastic) / first.kinetic);
        assert_true(change(x.sum, first.sum) <= 1e-9);
        assert_true(change(x.moment, first.moment) <= 0.1 * tolerance);
    }
    assert_true(max_elastic > 0.01 * first.kinetic);
    beam_close(&b);
}
