/* constraint.c - see constraint.h. A link depends on the two vectors
 *
 *     x_i = (r_i +) sum_a c_a(u) d_a,i,   x_j = (r_j +) sum_a at_j,a d_a,j        r for points only
 *
 * BM_MEET: x_i - x_j = 0;   BM_SQUARE: x_i . x_j = 0. With c' = dc/du, and x(c, p), x(c, v) linear in both arguments,
 *
 *     BM_MEET:    gI = ud x_i(c', p),          g'' = f
 *     BM_SQUARE:  gI = ud x_i(c', p) . x_j,    g'' = f . x_j + 2 (x_i(c, v) + ud x_i(c', p)) . x_j(v)
 *     f = udd x_i(c', p) + ud^2 x_i(c'', p) + 2 ud x_i(c', v)
 *
 * The acceleration constraint is 0 = G a + g''. */
#include "constraint.h"

#include <math.h>
#include <string.h>

static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

static const double *director(const double *node, int a)
{
    return node + 3 + 3 * a;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int bm_link_rows(const bm_link *link)
{
    return link->kind == BM_MEET ? 3 : 1;
}

/* Compute c, c', c'' of a link at the value u of its drive. */
static void place(const bm_link *l, const resida_excitation *e, double c[3][3])
{
    const double u = l->drive ? e->u[l->drive - 1] : 0, co = cos(u), si = sin(u);
    for (int a = 0; a < 3; a++) {
        const double at = l->at_i[a], to = l->to_i[a];
        c[0][a] = l->kind == BM_MEET ? at + u * to : at * co + to * si;
        c[1][a] = l->kind == BM_MEET ? to : -at * si + to * co;
        c[2][a] = l->kind == BM_MEET ? 0 : -at * co - to * si;
    }
}

/* Compute sum_a c_a d_a of a node from x (p or v). For space, directors are unit vectors and rates are 0. */
static void along(const double *x, int node, int is_rate, const double *c, double *out)
{
    if (node == BM_SPACE) {
        for (int k = 0; k < 3; k++) out[k] = is_rate ? 0 : c[k];
        return;
    }
    const double *q = x + BM_P * node;
    for (int k = 0; k < 3; k++) out[k] = c[0] * q[3 + k] + c[1] * q[6 + k] + c[2] * q[9 + k];
}

static double origin(const double *x, int node, int k)
{
    return node == BM_SPACE ? 0 : x[BM_P * node + k];
}

/* --- g --- */

int bm_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const bm_system *s = user;
    for (int i = 0; i < s->n_node; i++, g += BM_OWN_ROWS) {
        const double *q = p + BM_P * i;
        for (int a = 0; a < 3; a++) {
            g[a] = (dot(director(q, a), director(q, a)) - 1) / 2;
            g[3 + a] = dot(director(q, pairs[a][0]), director(q, pairs[a][1]));
        }
    }
    for (const bm_link *l = s->link; l && l < s->link + s->n_link; g += bm_link_rows(l++)) {
        double c[3][3], x_i[3], x_j[3];
        place(l, e, c);
        along(p, l->i, 0, c[0], x_i), along(p, l->j, 0, l->at_j, x_j);
        if (l->kind == BM_SQUARE) g[0] = dot(x_i, x_j);
        for (int k = 0; k < 3 && l->kind == BM_MEET; k++)
            g[k] = origin(p, l->i, k) + x_i[k] - origin(p, l->j, k) - x_j[k];
    }
    return 0;
}

/* --- dg/dp --- */

/* Destination of entries. */
typedef struct sink {
    int *row, *col;
    double *value;
    int n, n_row;
} sink;

static void put(sink *to, int col, double value)
{
    if (to->col) to->col[to->n] = col;
    if (to->value) to->value[to->n] = value;
    to->n++;
}

static void put_vector(sink *to, int first, double factor, const double *value)
{
    for (int k = 0; k < 3; k++) put(to, first + k, factor * value[k]);
}

static void end_row(sink *to)
{
    to->n_row++;
    if (to->row) to->row[to->n_row] = to->n;
}

static void put_own(sink *to, const double *q, int node)
{
    const int first = BM_P * node + 3;
    for (int a = 0; a < 3; a++, end_row(to)) put_vector(to, first + 3 * a, 1, director(q, a));
    for (int k = 0; k < 3; k++, end_row(to)) {
        const int a = pairs[k][0], b = pairs[k][1];
        put_vector(to, first + 3 * a, 1, director(q, b));
        put_vector(to, first + 3 * b, 1, director(q, a));
    }
}

/* Put the entries of one node in row k of BM_MEET. Directors whose coefficient is zero for all u have no entry. */
static void put_point(sink *to, int node, int k, double sign, const double *c, const double *at, const double *travel)
{
    if (node == BM_SPACE) return;
    put(to, BM_P * node + k, sign);
    for (int a = 0; a < 3; a++)
        if (fabs(at[a]) > 0 || fabs(travel[a]) > 0) put(to, BM_P * node + 3 + 3 * a + k, sign * c[a]);
}

/* Put the entries of one node in the row of BM_SQUARE. */
static void put_axis(sink *to, int node, const double *other, const double *c, const double *at, const double *turned)
{
    if (node == BM_SPACE) return;
    for (int a = 0; a < 3; a++)
        if (fabs(at[a]) > 0 || fabs(turned[a]) > 0) put_vector(to, BM_P * node + 3 + 3 * a, c[a], other);
}

static void put_link(sink *to, const bm_link *l, const double *p, const resida_excitation *e)
{
    const double none[3] = {0, 0, 0};
    double c[3][3], x_i[3], x_j[3];
    place(l, e, c);
    along(p, l->i, 0, c[0], x_i), along(p, l->j, 0, l->at_j, x_j);
    for (int k = 0; k < bm_link_rows(l); k++, end_row(to))
        for (int pass = 0; pass < 2; pass++) {
            const int is_i = (l->i < l->j) == (pass == 0);
            const double *at = is_i ? l->at_i : l->at_j, *more = is_i && l->drive ? l->to_i : none;
            if (l->kind == BM_MEET)
                put_point(to, is_i ? l->i : l->j, k, is_i ? 1 : -1, is_i ? c[0] : at, at, more);
            else
                put_axis(to, is_i ? l->i : l->j, is_i ? x_j : x_i, is_i ? c[0] : at, at, more);
        }
}

int bm_rows(const bm_system *s, const double *p, const resida_excitation *e, int *row, int *col, double *value)
{
    sink to = {row, col, value, 0, 0};
    if (row) row[0] = 0;
    for (int i = 0; i < s->n_node; i++) put_own(&to, p + BM_P * i, i);
    for (int k = 0; k < s->n_link; k++) put_link(&to, &s->link[k], p, e);
    return to.n;
}

int bm_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)bm_rows(user, p, e, NULL, NULL, G);
    return 0;
}

/* --- biases --- */

int bm_velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bm_system *s = user;
    memset(out, 0, (size_t)s->n_row * sizeof *out);
    out += BM_OWN_ROWS * s->n_node;
    for (const bm_link *l = s->link; l && l < s->link + s->n_link; out += bm_link_rows(l++)) {
        double c[3][3], x_i[3], x_j[3];
        if (!l->drive) continue;
        const double ud = e->ud[l->drive - 1];
        place(l, e, c);
        along(p, l->i, 0, c[1], x_i), along(p, l->j, 0, l->at_j, x_j);
        if (l->kind == BM_SQUARE) out[0] = ud * dot(x_i, x_j);
        for (int k = 0; k < 3 && l->kind == BM_MEET; k++) out[k] = ud * x_i[k];
    }
    return 0;
}

static void link_bias(const bm_link *l, const double *p, const double *v, const resida_excitation *e, double *out)
{
    const double ud = l->drive ? e->ud[l->drive - 1] : 0, udd = l->drive ? e->udd[l->drive - 1] : 0;
    double c[3][3], first[3], second[3], x_j[3], v_i[3], mixed[3], v_j[3], force[3];
    place(l, e, c);
    along(p, l->i, 0, c[1], first), along(p, l->i, 0, c[2], second), along(p, l->j, 0, l->at_j, x_j);
    along(v, l->i, 1, c[0], v_i), along(v, l->i, 1, c[1], mixed), along(v, l->j, 1, l->at_j, v_j);
    for (int k = 0; k < 3; k++) {
        force[k] = udd * first[k] + ud * ud * second[k] + 2 * ud * mixed[k];
        v_i[k] += ud * first[k];
    }
    if (l->kind == BM_SQUARE) out[0] = dot(force, x_j) + 2 * dot(v_i, v_j);
    for (int k = 0; k < 3 && l->kind == BM_MEET; k++) out[k] = force[k];
}

int bm_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                         void *user)
{
    const bm_system *s = user;
    for (int i = 0; i < s->n_node; i++, out += BM_OWN_ROWS) {
        const double *w = v + BM_P * i;
        for (int a = 0; a < 3; a++) {
            out[a] = dot(director(w, a), director(w, a));
            out[3 + a] = 2 * dot(director(w, pairs[a][0]), director(w, pairs[a][1]));
        }
    }
    for (const bm_link *l = s->link; l && l < s->link + s->n_link; out += bm_link_rows(l++)) link_bias(l, p, v, e, out);
    return 0;
}
