/* free_link.c - what ties free bodies, see free_body.h: with x = r + R point and e = R axis,
 *
 *     meet    g = x_j - x_i            square  g = e_i . e_j            level  g = e_i . (x_j - x_i)
 *
 * x' = v + R (w x point), e' = R (w x axis); w is constant in the body where no velocity changes, so that x'' and e''
 * are those of a steady turn. */
#include "free_body.h"

/* An arrow that turns with a body: itself, its rate, and its rate's where w does not change. */
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

/* From the point of i to that of j. */
static arrow between(const fb_link *l, const fb_pose *pose)
{
    const arrow i = place(pose, l->i, l->point_i), j = place(pose, l->j, l->point_j);
    return (arrow){mb_sub(j.x, i.x), mb_sub(j.rate, i.rate), mb_sub(j.bend, i.bend)};
}

int fb_link_rows(const fb_link *link)
{
    return link->kind == FB_MEET ? 3 : 1;
}

static void put(mb_vec a, double *out)
{
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

void fb_link_value(const fb_link *l, const fb_pose *pose, double *g)
{
    const mb_vec d = between(l, pose).x, e = turning(pose, l->i, l->axis_i).x;
    if (l->kind == FB_MEET)
        put(d, g);
    else
        *g = mb_dot(e, l->kind == FB_LEVEL ? d : turning(pose, l->j, l->axis_j).x);
}

void fb_link_bias(const fb_link *l, const fb_pose *pose, double *bias)
{
    const arrow d = between(l, pose), e = turning(pose, l->i, l->axis_i);
    const arrow other = l->kind == FB_LEVEL ? d : turning(pose, l->j, l->axis_j);
    if (l->kind == FB_MEET)
        put(d.bend, bias);
    else
        *bias = mb_dot(e.bend, other.x) + 2 * mb_dot(e.rate, other.rate) + mb_dot(e.x, other.bend);
}

/* The row that a force f on a point of a body makes. */
static fb_row pull(const fb_pose *pose, int body, mb_vec point, mb_vec f)
{
    if (body == FB_SPACE) return (fb_row){.f = f};
    return (fb_row){f, mb_cross(point, mb_back(&pose[body].R, f))};
}

/* The derivative of (R axis).other along w. */
static fb_row twist(const fb_pose *pose, int body, mb_vec axis, mb_vec other)
{
    if (body == FB_SPACE) return (fb_row){.f = {0, 0, 0}};
    return (fb_row){.m = mb_cross(axis, mb_back(&pose[body].R, other))};
}

void fb_link_matrix(const fb_link *l, const fb_pose *pose, fb_row *on_i, fb_row *on_j)
{
    static const mb_vec unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const mb_vec e = turning(pose, l->i, l->axis_i).x;
    if (l->kind == FB_MEET) {
        for (int k = 0; k < 3; k++) {
            on_i[k] = pull(pose, l->i, l->point_i, mb_scale(-1, unit[k]));
            on_j[k] = pull(pose, l->j, l->point_j, unit[k]);
        }
    } else if (l->kind == FB_SQUARE) {
        *on_i = twist(pose, l->i, l->axis_i, turning(pose, l->j, l->axis_j).x);
        *on_j = twist(pose, l->j, l->axis_j, e);
    } else {
        const fb_row point = pull(pose, l->i, l->point_i, mb_scale(-1, e));
        *on_i = twist(pose, l->i, l->axis_i, between(l, pose).x);
        *on_i = (fb_row){mb_add(on_i->f, point.f), mb_add(on_i->m, point.m)};
        *on_j = pull(pose, l->j, l->point_j, e);
    }
}
