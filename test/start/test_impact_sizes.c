/* test_impact_sizes.c - impacts of large mechanisms, by sparse matrices, and of masses that differ by 1e16, in units of
 * their own: against closed forms. */
#include "impact_fixture.h"
#include "test/fixtures/solver_fixture.h"

static void nearly(double x, double y, double tolerance, int line)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("line %d: %.17g, not %.17g", line, x, y);
}

#define NEARLY(x, y, tolerance) nearly(x, y, tolerance, __LINE__)

/* --- N points of mass 1 on a line, the first N_ROW of them held together by bars --- */

enum { N = 60, N_ROW = 41, N_BARS = N_ROW - 1 };

static int line_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    for (int i = 0; i < N; i++) r[i] = a[i] + i;
    return 0;
}

static int line_masses(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    for (int i = 0; i < N; i++) out[i] = 1;
    return 0;
}

/* Bars, and the first one once more where there is one more. */
static int bars(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const int n = *(const int *)user;
    for (int i = 0; i < n; i++) g[i] = i < N_BARS ? p[i + 1] - p[i] : p[1] - p[0];
    return 0;
}

static int bar_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    for (int i = 0; i < *(const int *)user; i++) out[2 * i] = -1, out[2 * i + 1] = 1;
    return 0;
}

CLAIM(large_mechanisms_take_sparse_matrices_and_have_the_same_answers)
{
    static double p[N], v[N], after[N], row[N], lam[N_BARS + 1];
    static int m_row[N + 1], m_col[N], g_row[N_BARS + 2], g_col[2 * N_BARS + 2];
    for (int copies = 0; copies < 2; copies++) {
        int n_g = N_BARS + copies;
        resida_mechanism m = test_mechanism();
        for (int i = 0; i <= N; i++) m_row[i] = i;
        for (int i = 0; i < N; i++) m_col[i] = i, v[i] = i < N_ROW ? -2 : 5;
        for (int i = 0; i < n_g; i++) {
            g_row[i] = 2 * i;
            g_col[2 * i] = i < N_BARS ? i : 0;
            g_col[2 * i + 1] = i < N_BARS ? i + 1 : 1;
        }
        g_row[n_g] = 2 * n_g;
        m.n_p = m.n_v = N, m.n_g = n_g, m.user = &n_g;
        m.residual = line_residual, m.mass_matrix = line_masses, m.constraint = bars, m.constraint_matrix = bar_matrix;
        m.M_pattern = (resida_pattern){m_row, m_col}, m.G_pattern = (resida_pattern){g_row, g_col};
        resida_message why = {""};
        resida_contacts c;
        resida_impact_report report;
        resida_start_options o = test_start_options();
        resida_contacts_init(&c);
        if (copies) o.redundant = RESIDA_REDUNDANT_DROP;
        row[N_ROW - 1] = 1; /* the last one of the row meets something */
        c.n = 1, c.rows = row, c.restitution = (double[]){0.5};
        resida_problem *problem = test_problem(&m, NULL);
        double push;
        const resida_status status = resida_problem_impact(problem, 0, p, v, &c, &o, after, &push, lam, &report, &why);
        if (status < 0) fail_msg("%s", why.text);
        NEARLY(push, N_ROW * 3.0, 1e-9);
        NEARLY(report.energy_change, -0.75 / 2 * 4 * N_ROW, 1e-9);
        for (int i = 0; i < N; i++) NEARLY(after[i], i < N_ROW ? 1 : 5, 1e-10);
        for (int i = copies; i < N_BARS; i++) NEARLY(lam[i], 3.0 * (i + 1), 1e-9); /* bar i moves i + 1 points */
        if (copies) NEARLY(lam[0] + lam[N_BARS], 3, 1e-9);
        assert_int_equal(report.n_redundant, copies);
        assert_int_equal(report.residual_calls, 1);
    }
}

/* Two pairs, each held together; masses of 1, and of 1e-16: nothing is singular in units of their own. */
CLAIM(light_bodies_beside_heavy_ones_rebound_as_well)
{
    const double light = 1e-16, M[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, light, 0, 0, 0, 0, light};
    const double G[] = {1, -1, 0, 0, 0, 0, 1, -1};
    for (int f = 0; f < 2; f++) {
        hit h = one(4, 2, M, G);
        h.b.weightless = 1; /* differences cannot tell so light a mass beside its weight */
        touch(&h, 2, (double[]){1, 0, 0, 0, 0, 0, 1, 0}, (double[]){0.5, 0.25});
        for (int i = 0; i < 4; i++) h.v[i] = i < 2 ? -2 : -4;
        strike(&h, formalisms[f]);
        if (h.status < 0) fail_msg("%s", h.why.text);
        for (int i = 0; i < 4; i++) NEARLY(h.after[i], 1, 1e-6);
        NEARLY(h.push[0], 6, 1e-6);
        NEARLY(h.push[1] / light, 10, 1e-5);
        NEARLY(h.lam[0], 3, 1e-6); /* what the second one takes: 1 (1 + 2) */
        NEARLY(h.lam[1] / light, 5, 1e-5);
    }
}
