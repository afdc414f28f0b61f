/* impact_fixture.c - see impact_fixture.h. */
#include "impact_fixture.h"
#include "test/fixtures/solver_fixture.h"

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const body *b = user;
    for (int i = 0; i < b->n_v; i++) {
        r[i] = b->weightless ? 0 : 3 - i; /* forces, which an impact does not see */
        for (int j = 0; j < b->n_v; j++) r[i] += b->M[i * b->n_v + j] * a[j];
    }
    if (b->fails == 2) r[0] = NAN;
    return b->fails == 1 ? -1 : 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const body *b = user;
    for (int i = 0; i < b->n_v; i++) {
        a[i] = 0;
        for (int j = 0; j < b->n_v; j++) a[i] += b->M_inverse[i * b->n_v + j] * (f[j] - (b->weightless ? 0 : 3 - j));
    }
    if (b->fails == 2) a[0] = NAN;
    return b->fails == 1 ? -1 : 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const body *b = user;
    for (int i = 0; i < b->n_g; i++) {
        g[i] = b->gI[i] * t;
        for (int j = 0; j < b->n_v; j++) g[i] += b->G[i * b->n_v + j] * p[j];
    }
    return 0;
}

static int bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const body *b = user;
    memcpy(out, b->gI, (size_t)b->n_g * sizeof *out);
    return 0;
}

static int kinematics(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const body *b = user;
    for (int i = 0; i < b->n_v; i++)
        for (int j = 0; j < b->n_v; j++) out[i * b->n_v + j] = i == j ? b->T[i] : 0;
    return 0;
}

/* Gauss-Jordan, of small matrices that are positive definite. */
static void invert(int n, const double *A, double *inverse)
{
    double W[MOST][2 * MOST] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) W[i][j] = A[i * n + j];
        W[i][n + i] = 1;
    }
    for (int c = 0; c < n; c++) {
        const double pivot = W[c][c];
        for (int j = 0; j < 2 * n; j++) W[c][j] /= pivot;
        for (int r = 0; r < n; r++) {
            const double factor = W[r][c];
            for (int j = 0; j < 2 * n && r != c; j++) W[r][j] -= factor * W[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i * n + j] = W[i][n + j];
}

void open_hit(hit *h, resida_formalism formalism, const resida_allocator *allocator)
{
    resida_mechanism m = test_mechanism();
    resida_problem_options o = test_problem_options();
    invert(h->b.n_v, h->b.M, h->b.M_inverse);
    m.name = "thing", m.n_p = h->b.n_v - h->b.n_z, m.n_v = h->b.n_v, m.n_z = h->b.n_z, m.n_g = h->b.n_g;
    m.residual = residual, m.acceleration = acceleration, m.user = &h->b;
    if (h->b.n_g > 0) m.constraint = constraint, m.velocity_bias = bias;
    if (h->b.T[0] != 0) m.kinematic_matrix = kinematics;
    if (h->b.names[0]) m.g_names = h->b.names;
    o.formalism = formalism, o.allocator = allocator;
    if (resida_problem_create(&h->problem, &m, &o, &h->why) < 0) fail_msg("%s", h->why.text);
}

void strike_open(hit *h)
{
    static const double p[MOST];
    memset(h->after, 0x5a, sizeof h->after);
    h->status = resida_problem_impact(h->problem, 0, p, h->v, &h->contacts, &h->o, h->after, h->push, h->lam,
                                      &h->report, &h->why);
    if (h->status < 0) {
        unsigned char untouched[sizeof h->after];
        memset(untouched, 0x5a, sizeof untouched);
        assert_memory_equal(h->after, untouched, sizeof untouched);
        assert_true(h->why.text[0] != 0);
    }
}

void strike(hit *h, resida_formalism formalism)
{
    open_hit(h, formalism, NULL);
    strike_open(h);
    resida_problem_free(h->problem);
}

hit one(int n_v, int n_g, const double *M, const double *G)
{
    hit h;
    memset(&h, 0, sizeof h);
    h.b.n_v = n_v, h.b.n_g = n_g;
    memcpy(h.b.M, M, (size_t)(n_v * n_v) * sizeof *M);
    if (G) memcpy(h.b.G, G, (size_t)(n_g * n_v) * sizeof *G);
    resida_start_options_init(&h.o);
    resida_contacts_init(&h.contacts);
    return h;
}

void touch(hit *h, int n, const double *rows, const double *e)
{
    h->contacts.n = n, h->contacts.rows = rows, h->contacts.restitution = e;
}
