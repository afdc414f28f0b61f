/* free_link.c - constraints between free bodies, see free_body.h: with x = r + R point and e = R axis,
 *
 *     meet    g = x_j - x_i            square  g = e_i . e_j            level  g = e_i . (x_j - x_i)
 *     rod     g = (|x_j - x_i|^2 - L^2)/(2 L)
 *
 * x' = v + R (w x point), e' = R (w x axis). For v' = 0, w is constant in body axes, and x'' and e'' are those of a
 * steady rotation. */
#include "free_body.h"

#include <string.h>

/* A vector that rotates with a body, its rate, and its second derivative for w' = 0. */
typedef struct arrow {
    mb_vec x, rate, bend;
} arrow;

static arrow turning(const fb_pose *pose, int body, mb_vec a)
{
    if (body == FB_SPACE) return (arrow){.x = a};
    arrow e = {.x = mb_turn(&pose[body].R, a)};
    e.rate = mb_cross(pose[body].w_space, e.x);
    e.bend = mb_cross(pose[body].w_space, e.rate);
    return e;
}

static arrow place(const fb_pose *pose, int body, mb_vec point)
{
    arrow x = turning(pose, body, point);
    if (body == FB_SPACE) return x;
    x.x = mb_add(x.x, pose[body].r);
    x.rate = mb_add(x.rate, pose[body].v);
    return x;
}

/* Return point_i, displaced by its drive. */
static mb_vec point_of_i(const fb_link *l, const resida_excitation *e)
{
    return l->drive == 0 ? l->point_i : mb_along(l->point_i, e->u[l->drive - 1], l->travel);
}

/* Return x_i of a driven point; the displacement rotates with the body. */
static arrow place_i(const fb_link *l, const resida_excitation *e, const fb_pose *pose)
{
    arrow x = place(pose, l->i, point_of_i(l, e));
    if (l->drive == 0) return x;
    const arrow way = turning(pose, l->i, l->travel);
    const double ud = e->ud[l->drive - 1], udd = e->udd[l->drive - 1];
    x.rate = mb_along(x.rate, ud, way.x);
    x.bend = mb_along(mb_along(x.bend, 2 * ud, way.rate), udd, way.x);
    return x;
}

/* Return the vector from the point of i to that of j, with its derivatives. */
static arrow between(const fb_link *l, const resida_excitation *e, const fb_pose *pose)
{
    const arrow i = place_i(l, e, pose), j = place(pose, l->j, l->point_j);
    return (arrow){mb_sub(j.x, i.x), mb_sub(j.rate, i.rate), mb_sub(j.bend, i.bend)};
}

int fb_link_rows(const fb_link *link)
{
    return link->kind == FB_MEET ? 3 : 1;
}

void fb_link_value(const fb_link *l, const resida_excitation *e, const fb_pose *pose, double *g)
{
    const mb_vec d = between(l, e, pose).x, axis = turning(pose, l->i, l->axis_i).x;
    if (l->kind == FB_MEET)
        mb_put(d, g);
    else if (l->kind == FB_ROD)
        *g = (mb_dot(d, d) - l->length * l->length) / (2 * l->length);
    else
        *g = mb_dot(axis, l->kind == FB_LEVEL ? d : turning(pose, l->j, l->axis_j).x);
}

void fb_link_rate(const fb_link *l, const resida_excitation *e, const fb_pose *pose, double *rate)
{
    if (l->drive == 0) {
        memset(rate, 0, (size_t)fb_link_rows(l) * sizeof *rate);
        return;
    }
    const arrow d = between(l, e, pose);
    if (l->kind == FB_MEET)
        mb_put(d.rate, rate);
    else if (l->kind == FB_ROD)
        *rate = mb_dot(d.x, d.rate) / l->length;
    else
        *rate = l->kind == FB_LEVEL ? mb_dot(turning(pose, l->i, l->axis_i).x, d.rate) : 0;
}

void fb_link_bias(const fb_link *l, const resida_excitation *e, const fb_pose *pose, double *bias)
{
    const arrow d = between(l, e, pose), axis = turning(pose, l->i, l->axis_i);
    const arrow other = l->kind == FB_LEVEL ? d : turning(pose, l->j, l->axis_j);
    if (l->kind == FB_MEET)
        mb_put(d.bend, bias);
    else if (l->kind == FB_ROD)
        *bias = (mb_dot(d.rate, d.rate) + mb_dot(d.x, d.bend)) / l->length;
    else
        *bias = mb_dot(axis.bend, other.x) + 2 * mb_dot(axis.rate, other.rate) + mb_dot(axis.x, other.bend);
}

/* Return the row of a force f at a point of a body. */
static fb_row pull(const fb_pose *pose, int body, mb_vec point, mb_vec f)
{
    if (body == FB_SPACE) return (fb_row){.f = f};
    return (fb_row){f, mb_cross(point, mb_back(&pose[body].R, f))};
}

/* Return the derivative of (R axis).other with respect to w. */
static fb_row twist(const fb_pose *pose, int body, mb_vec axis, mb_vec other)
{
    if (body == FB_SPACE) return (fb_row){.f = {0, 0, 0}};
    return (fb_row){.m = mb_cross(axis, mb_back(&pose[body].R, other))};
}

static void rod_matrix(const fb_link *l, const resida_excitation *e, const fb_pose *pose, fb_row *on_i, fb_row *on_j)
{
    const mb_vec n = mb_scale(1 / l->length, between(l, e, pose).x);
    *on_i = pull(pose, l->i, point_of_i(l, e), mb_scale(-1, n));
    *on_j = pull(pose, l->j, l->point_j, n);
}

void fb_link_matrix(const fb_link *l, const resida_excitation *e, const fb_pose *pose, fb_row *on_i, fb_row *on_j)
{
    static const mb_vec unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const mb_vec axis = turning(pose, l->i, l->axis_i).x, at = point_of_i(l, e);
    if (l->kind == FB_MEET) {
        for (int k = 0; k < 3; k++) {
            on_i[k] = pull(pose, l->i, at, mb_scale(-1, unit[k]));
            on_j[k] = pull(pose, l->j, l->point_j, unit[k]);
        }
    } else if (l->kind == FB_SQUARE) {
        *on_i = twist(pose, l->i, l->axis_i, turning(pose, l->j, l->axis_j).x);
        *on_j = twist(pose, l->j, l->axis_j, axis);
    } else if (l->kind == FB_ROD) {
        rod_matrix(l, e, pose, on_i, on_j);
    } else {
        const fb_row point = pull(pose, l->i, at, mb_scale(-1, axis));
        *on_i = twist(pose, l->i, l->axis_i, between(l, e, pose).x);
        *on_i = (fb_row){mb_add(on_i->f, point.f), mb_add(on_i->m, point.m)};
        *on_j = pull(pose, l->j, l->point_j, axis);
    }
}
