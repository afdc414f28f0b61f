/* linear_models.c - see linear_models.h. */
#include "linear_models.h"
#include "test/fixtures/solver_fixture.h"

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const matrices *x = user;
    for (int i = 0; i < x->n; i++) {
        r[i] = 0;
        for (int j = 0, k = i * x->n; j < x->n; j++, k++) r[i] += x->M[k] * a[j] + x->D[k] * v[j] + x->K[k] * p[j];
    }
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const matrices *x = user;
    memcpy(out, x->M, (size_t)x->n * (size_t)x->n * sizeof *out);
    return 0;
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    const matrices *x = user;
    const size_t bytes = (size_t)x->n * (size_t)x->n * sizeof *Phi_p;
    memcpy(Phi_p, x->K, bytes);
    memcpy(Phi_v, x->D, bytes);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const matrices *x = user;
    memcpy(out, x->G, (size_t)x->n_g * (size_t)x->n * sizeof *out);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const matrices *x = user;
    for (int i = 0; i < x->n_g; i++) {
        g[i] = 0;
        for (int j = 0; j < x->n; j++) g[i] += x->G[i * x->n + j] * p[j];
    }
    return 0;
}

matrices matrices_make(int n, int n_g)
{
    matrices x = {n, n_g, NULL, NULL, NULL, NULL};
    double **const all[] = {&x.M, &x.D, &x.K, &x.G};
    for (int i = 0; i < 4; i++) *all[i] = claims_zeros((size_t)n * (size_t)n, sizeof(double));
    for (int i = 0; i < n; i++) x.M[i * n + i] = 1;
    return x;
}

void matrices_open(linear *out, matrices *x, const char *form, int with_derivatives)
{
    double *const zero = claims_zeros((size_t)x->n, sizeof *zero);
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = x->n, m.n_g = x->n_g, m.user = x, m.residual = residual;
    if (x->n_g > 0) m.constraint = constraint, m.constraint_matrix = constraint_matrix;
    if (with_derivatives) m.mass_matrix = mass_matrix, m.derivatives = derivatives;
    if (form)
        linear_open_form(out, &m, form, 0, zero, zero);
    else
        linear_open(out, &m, RESIDA_FORMALISM_RESIDUAL, 0, zero, zero);
}

void matrices_add_spring(matrices *x, int i, int j, double k)
{
    const int n = x->n;
    x->K[i * n + i] += k, x->K[j * n + j] += k;
    x->K[i * n + j] -= k, x->K[j * n + i] -= k;
}

/* Two more sides of a square, and a ball that closes it: three of its rows are redundant. */
static void add_sides(bm_system *s, const strip *o, const bm_section *section, int end)
{
    const mb_vec x = {1, 0, 0}, xy = {1, 1, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const int length = o->order * o->elements;
    const int up = bm_add_line(s, section, o->order, o->elements, x, xy, (mb_vec){-1, 0, 0});
    bm_add_hinge(s, end, up, x, z);
    const int back = bm_add_line(s, section, o->order, o->elements, xy, y, (mb_vec){0, -1, 0});
    bm_add_hinge(s, up + length, back, xy, z);
    bm_add_ball(s, BM_SPACE, back + length, y);
}

void strip_open(bm_system *s, linear *x, const char *form, const strip *o)
{
    const bm_section section = beam_rectangle(0.02, o->height > 0 ? o->height : 0.002, 2.1e11, 0.3, 7850);
    const mb_vec zero = {0, 0, 0}, one = {1, 0, 0}, y = {0, 1, 0};
    resida_mechanism m = test_mechanism();
    resida_message why = {""};
    bm_begin(s);
    const int first = bm_add_line(s, &section, o->order, o->elements, zero, one, y),
              end = first + o->order * o->elements;
    if (o->ends == STRIP_CLAMPED) bm_add_weld(s, BM_SPACE, first, zero);
    if (o->ends >= STRIP_HINGED) bm_add_hinge(s, BM_SPACE, first, zero, y);
    if (o->ends == STRIP_BETWEEN) bm_add_ball(s, BM_SPACE, end, one);
    if (o->ends == STRIP_SQUARE) add_sides(s, o, &section, end);
    for (int k = 0; k < BM_STRAINS; k++) s->damping[k] = o->damping;
    if (o->lump > 0) bm_add_lump(s, end, o->lump, (mb_vec){1e-3, 2e-3, 3e-3});
    if (bm_open(s, &m, &why)) fail_msg("%s", why.text);
    double *const v0 = claims_zeros((size_t)m.n_v, sizeof *v0);
    if (form)
        linear_open_form(x, &m, form, 0, s->p0, v0);
    else
        linear_open(x, &m, RESIDA_FORMALISM_AUTO, 0, s->p0, v0);
}
