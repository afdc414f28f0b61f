/* contact_mechanism.c - see contact_mechanism.h. */
#include "contact_mechanism.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define DAMPED 1e-5 /* depth at which the damper is fully there */

static double between(uint64_t *seed, double least, double most)
{
    return least + 0.5 * (1 + bench_random(seed)) * (most - least);
}

static void add_spring(contact *c, int i, int j, uint64_t *seed)
{
    assert_true(c->n_springs < CONTACT_MAX_SPRINGS);
    c->springs[c->n_springs++] =
        (contact_spring){i, j, between(seed, 20, 60), between(seed, 5, 20), between(seed, 0.05, 0.2)};
}

/* Mass 0 has no spring; 1 .. n - 1 are a chain that hangs on the ground at both ends, with some springs across. */
void contact_make(contact *c, int n, uint64_t seed, int with_constraint)
{
    assert_true(n >= 5 && n <= CONTACT_MAX);
    *c = (contact){.n = n,
                   .with_constraint = with_constraint,
                   .stiffness = 1e5,
                   .damping = 1e3,
                   .drive = 0.3,
                   .mass_factor = 1,
                   .t_contact = 7,
                   .first_contact = NAN};
    for (int i = 0; i < n; i++) c->m[i] = between(&seed, 0.5, 2);
    add_spring(c, 1, -1, &seed);
    for (int i = 1; i + 1 < n; i++) add_spring(c, i + 1, i, &seed);
    add_spring(c, n - 1, -1, &seed);
    for (int k = 0; k < n / 4; k++) {
        int i = 1 + (int)between(&seed, 0, n - 4.0);
        add_spring(c, i + 2, i, &seed);
    }
    c->target = 3 + (int)between(&seed, 0, n - 3.0);
    if (c->target >= n) c->target = n - 1;
    c->p0[0] = -0.5 * c->drive / c->m[0] * c->t_contact * c->t_contact;
    for (int i = 3; i < n; i++) c->v0[i] = between(&seed, -0.5, 0.5);
}

static double contact_force(contact *c, double t, const double *p, const double *v)
{
    const double depth = p[0] - p[c->target], rate = v[0] - v[c->target];
    if (!(depth > 0)) return 0;
    if (isnan(c->first_contact)) c->first_contact = t;
    if (c->solver && !c->told) {
        c->told = 1;
        assert_int_equal(resida_solver_request(c->solver, RESIDA_REQUEST_PATTERN), RESIDA_OK);
    }
    return fmax(0, c->stiffness * depth + c->damping * rate * fmin(1, depth / DAMPED));
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    contact *c = user;
    for (int i = 0; i < c->n; i++) r[i] = c->m[i] * a[i];
    for (int k = 0; k < c->n_springs; k++) {
        const contact_spring *s = &c->springs[k];
        const double x = p[s->i] - (s->j < 0 ? 0 : p[s->j]), rate = v[s->i] - (s->j < 0 ? 0 : v[s->j]);
        const double force = s->k * x + s->c * x * x * x + s->d * rate;
        r[s->i] += force;
        if (s->j >= 0) r[s->j] -= force;
    }
    const double force = contact_force(c, t, p, v);
    r[0] += force - c->drive;
    r[c->target] -= force;
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const contact *c = user;
    for (int i = 0; i < c->n; i++) M[i] = c->mass_factor * c->m[i];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[2] - p[1] - 0.1 * p[1] * p[1];
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = -1 - 0.2 * p[1];
    G[1] = 1;
    return 0;
}

static int is_contact(const contact *c, int row, int col)
{
    return (row == 0 || row == c->target) && (col == 0 || col == c->target);
}

static int has_spring(const contact *c, int row, int col)
{
    for (int k = 0; k < c->n_springs; k++) {
        const contact_spring *s = &c->springs[k];
        if ((row == s->i || row == s->j) && (col == s->i || col == s->j)) return 1;
    }
    return 0;
}

static int is_new(const contact *c, int row, int col)
{
    return is_contact(c, row, col) && !has_spring(c, row, col);
}

int contact_is_kept(const contact *c, const resida_jacobian *engine)
{
    resida_jacobian_matrix J;
    int found = 0, wanted = 0;
    assert_int_equal(resida_jacobian_get_matrix(engine, &J), RESIDA_OK);
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->n; k++) {
            wanted += is_new(c, i, k);
            for (int e = J.start[k]; e < J.start[k + 1]; e++) found += J.row[e] == c->n + i && is_new(c, i, k);
        }
    assert_true(wanted >= 3); /* (0, 0), (0, target), (target, 0) */
    return found == wanted;
}

static void fill_pattern(contact *c, int with_contact)
{
    int *row = c->row[0], *col = c->col[0];
    for (int i = row[0] = 0; i < c->n; i++) {
        row[i + 1] = row[i];
        for (int k = 0; k < c->n; k++)
            if (has_spring(c, i, k) || (with_contact && is_contact(c, i, k))) col[row[i + 1]++] = k;
    }
}

static void fill_constant_patterns(contact *c)
{
    for (int i = 0; i <= c->n; i++) c->row[1][i] = i;
    for (int i = 0; i < c->n; i++) c->col[1][i] = i;
    c->row[2][1] = 2;
    c->col[2][0] = 1, c->col[2][1] = 2;
}

resida_mechanism contact_mechanism(contact *c, contact_pattern given)
{
    resida_mechanism m = test_mechanism();
    fill_constant_patterns(c);
    m.name = "contact";
    m.n_p = m.n_v = c->n;
    m.user = c;
    m.residual = residual;
    m.mass_matrix = mass_matrix;
    m.M_pattern = (resida_pattern){c->row[1], c->col[1]};
    if (c->with_constraint) {
        m.n_g = 1;
        m.constraint = constraint;
        m.constraint_matrix = constraint_matrix;
        m.G_pattern = (resida_pattern){c->row[2], c->col[2]};
    }
    if (given == CONTACT_NO_PATTERN) return m;
    fill_pattern(c, given == CONTACT_PATTERN_WITH);
    m.Phi_p_pattern = m.Phi_v_pattern = (resida_pattern){c->row[0], c->col[0]};
    return m;
}
