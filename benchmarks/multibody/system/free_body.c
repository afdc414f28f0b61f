/* free_body.c - see free_body.h. A row of constraints has coefficients (f, m) for each of its two bodies. dg/dp is f
 * for r and 4 B m/|q|^2 for q; w = 4 B'q'/|q|^2, therefore (dg/dp) T is (f, m). Euler's equations in the axes of the
 * body are
 *
 *     m r'' = F + m g,   I w' = R'M - w x I w */
#include "free_body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fb_p_names[FB_P] = {"x", "y", "z", "e0_", "e1_", "e2_", "e3_"};
const char *const fb_v_names[FB_V] = {"x", "y", "z", "wx", "wy", "wz"};
const char *const fb_g_names[1] = {"joint "};
const char *const fb_p_units[FB_P] = {"m", "m", "m", "-", "-", "-", "-"};
const char *const fb_v_units[FB_V] = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};

/* Compute B(q), by rows of 3. */
static void fill_B(const double *q, double B[4][3])
{
    const double h[4][3] = {{-q[1], -q[2], -q[3]}, {q[0], -q[3], q[2]}, {q[3], q[0], -q[1]}, {-q[2], q[1], q[0]}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) B[i][k] = h[i][k] / 2;
}

static double square_of(const double *q)
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static mb_mat rotation(const double *q)
{
    const double s = 2 / square_of(q), w = q[0], x = q[1], y = q[2], z = q[3];
    return (mb_mat){{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                    {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                    {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

void fb_turn(const double *a, const double *b, double *out)
{
    const double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, q, sizeof q);
}

void fb_place(const fb_system *s, const double *p, const double *v, fb_pose *pose)
{
    for (int i = 0; i < s->n_body; i++, p += FB_P) {
        pose[i] = (fb_pose){.R = rotation(p + 3), .r = {p[0], p[1], p[2]}};
        if (!v) continue;
        pose[i].v = (mb_vec){v[0], v[1], v[2]}, pose[i].w = (mb_vec){v[3], v[4], v[5]};
        pose[i].w_space = mb_turn(&pose[i].R, pose[i].w);
        v += FB_V;
    }
}

mb_vec fb_point(const fb_pose *pose, int body, mb_vec point)
{
    return body == FB_SPACE ? point : mb_add(pose[body].r, mb_turn(&pose[body].R, point));
}

mb_vec fb_point_velocity(const fb_pose *pose, int body, mb_vec point)
{
    if (body == FB_SPACE) return (mb_vec){0, 0, 0};
    return mb_add(pose[body].v, mb_cross(pose[body].w_space, mb_turn(&pose[body].R, point)));
}

void fb_push(const fb_pose *pose, int body, mb_vec point, mb_vec force, mb_wrench *load)
{
    if (body == FB_SPACE) return;
    load[body].f = mb_add(load[body].f, force);
    load[body].m = mb_add(load[body].m, mb_cross(mb_turn(&pose[body].R, point), force));
}

/* --- formalisms --- */

/* Compute Psi [n_v]. */
static void fill_forces(const fb_system *s, const double *p, const double *v, const resida_excitation *e, double *psi)
{
    fb_pose pose[FB_MAX];
    mb_wrench load[FB_MAX] = {{{0, 0, 0}, {0, 0, 0}}};
    fb_place(s, p, v, pose);
    if (s->forces) s->forces(s, e, pose, load);
    for (int i = 0; i < s->n_body; i++) {
        const fb_body *b = &s->body[i];
        const mb_vec gyroscopic = mb_cross(pose[i].w, mb_each(b->inertia, pose[i].w));
        psi = mb_put(mb_along(load[i].f, b->mass, s->gravity), psi);
        psi = mb_put(mb_sub(mb_back(&pose[i].R, load[i].m), gyroscopic), psi);
    }
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const fb_system *s = user;
    for (int i = 0; i < s->n_body; i++) {
        const double m = s->body[i].mass;
        M = mb_put(s->body[i].inertia, mb_put((mb_vec){m, m, m}, M));
    }
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const fb_system *s = user;
    double psi[FB_V * FB_MAX], M[FB_V * FB_MAX];
    fill_forces(s, p, v, e, psi);
    mass_matrix(t, p, e, M, user);
    for (int i = 0; i < FB_V * s->n_body; i++) r[i] = M[i] * a[i] - psi[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const fb_system *s = user;
    double psi[FB_V * FB_MAX], M[FB_V * FB_MAX];
    fill_forces(s, p, v, e, psi);
    mass_matrix(t, p, e, M, user);
    for (int i = 0; i < FB_V * s->n_body; i++) a[i] = (psi[i] + f[i]) / M[i];
    return 0;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const fb_system *s = user;
    for (int i = 0; i < s->n_body; i++, T += FB_T) {
        T[0] = T[1] = T[2] = 1;
        fill_B(p + FB_P * i + 3, (double(*)[3])(T + 3));
    }
    return 0;
}

/* --- constraints --- */

/** Evaluates the rows of a link. */
typedef void taker(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *rows);

static int take_links(const fb_system *s, const double *p, const double *v, const resida_excitation *e, taker *take,
                      double *out)
{
    fb_pose pose[FB_MAX];
    fb_place(s, p, v, pose);
    for (int k = 0; k < s->n_link; out += fb_link_rows(&s->link[k++])) take(&s->link[k], e, pose, out);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    return take_links(user, p, NULL, e, fb_link_value, g);
}

/* Put the entries of a row for one body. @return pointer after the entries */
static double *put_row(const double *p, int body, const fb_row *row, double *out)
{
    if (body == FB_SPACE) return out;
    const double *q = p + FB_P * body + 3, factor = 4 / square_of(q);
    double B[4][3];
    fill_B(q, B);
    out = mb_put(row->f, out);
    for (int i = 0; i < 4; i++) *out++ = factor * (B[i][0] * row->m.x + B[i][1] * row->m.y + B[i][2] * row->m.z);
    return out;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const fb_system *s = user;
    fb_pose pose[FB_MAX];
    fb_place(s, p, NULL, pose);
    for (int k = 0; k < s->n_link; k++) {
        const fb_link *l = &s->link[k];
        const int i_first = l->i < l->j;
        fb_row on_i[FB_ROWS], on_j[FB_ROWS];
        fb_link_matrix(l, e, pose, on_i, on_j);
        for (int row = 0; row < fb_link_rows(l); row++) {
            G = put_row(p, i_first ? l->i : l->j, i_first ? &on_i[row] : &on_j[row], G);
            G = put_row(p, i_first ? l->j : l->i, i_first ? &on_j[row] : &on_i[row], G);
        }
    }
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    return take_links(user, p, NULL, e, fb_link_rate, out);
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    return take_links(user, p, v, e, fb_link_bias, out);
}

/* --- full matrices --- */

/* Expand the entries to a full matrix [rows x cols]. */
static void spread(const resida_pattern *pattern, int rows, int cols, const double *entries, double *out)
{
    memset(out, 0, (size_t)rows * (size_t)cols * sizeof *out);
    for (int i = 0; i < rows; i++, out += cols)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) out[pattern->col[k]] = entries[k];
}

static int full_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const fb_system *s = user;
    double entries[2 * FB_P * FB_V * FB_MAX];
    constraint_matrix(t, p, e, entries, user);
    spread(&s->G, s->n_row, FB_P * s->n_body, entries, G);
    return 0;
}

static int full_kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const fb_system *s = user;
    double entries[FB_T * FB_MAX];
    kinematic_matrix(t, p, e, entries, user);
    spread(&s->T, FB_P * s->n_body, FB_V * s->n_body, entries, T);
    return 0;
}

/* --- the mechanism --- */

/* Set the members that do not depend on `given`. */
static void give_min(fb_system *s, resida_mechanism *m)
{
    m->user = s, m->thread_safe = 1;
    m->n_p = FB_P * s->n_body, m->n_v = FB_V * s->n_body, m->n_g = s->n_row;
    m->residual = residual, m->acceleration = acceleration;
    m->kinematic_matrix = full_kinematic_matrix;
    if (s->n_row == 0) return;
    m->constraint = constraint;
    if (s->given != FB_ALONE) m->constraint_matrix = full_constraint_matrix;
}

static void give_all(const fb_system *s, const fb_patterns *x, resida_mechanism *m)
{
    m->mass_matrix = mass_matrix, m->M_pattern = x->M;
    m->kinematic_matrix = kinematic_matrix, m->T_pattern = x->T;
    m->Phi_p_pattern = x->Phi_p, m->Phi_v_pattern = x->Phi_v;
    if (s->n_row == 0) return;
    m->constraint_matrix = constraint_matrix, m->G_pattern = x->G;
    m->velocity_bias = velocity_bias, m->acceleration_bias = acceleration_bias;
}

/* Set the costs of callbacks: instructions counted by valgrind on models of 4 and 7 bodies. */
static void say_costs(resida_mechanism *m)
{
    m->cost.residual = 95.0 * m->n_v;
    m->cost.constraint = 250.0 * m->n_g;
    m->cost.constraint_matrix = 530.0 * m->n_g;
    m->cost.velocity_bias = 70.0 * m->n_g;
    m->cost.mass_matrix = 3.0 * m->n_v;
    m->cost.kinematic_matrix = 5.0 * m->n_p;
}

int fb_open(fb_system *s, resida_mechanism *m, resida_message *why)
{
    fb_patterns x;
    s->n_row = 0, s->pattern = NULL;
    for (int k = 0; k < s->n_link; k++) s->n_row += fb_link_rows(&s->link[k]);
    if (s->n_body > FB_MAX || s->n_row > FB_V * s->n_body || fb_find_patterns(s, &x)) {
        if (why) snprintf(why->text, sizeof why->text, "no memory for %d bodies", s->n_body);
        return 1;
    }
    s->G = x.G, s->T = x.T;
    give_min(s, m);
    if (s->given == FB_ALL) give_all(s, &x, m);
    say_costs(m);
    return 0;
}

void fb_close(fb_system *s)
{
    free(s->pattern);
    s->pattern = NULL;
}
