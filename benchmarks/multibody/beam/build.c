/* build.c - see build.h. */
#include "build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bm_begin(bm_system *s)
{
    *s = (bm_system){.n_node = 0};
}

void bm_end(bm_system *s)
{
    free(s->p0), free(s->element), free(s->lump), free(s->link), free(s->load);
    free(s->near), free(s->pattern), free(s->M), free(s->weight);
    bm_begin(s);
}

/* Enlarge an array by one element after `count`. @return 0, or 1 if memory is exhausted */
static int grow(bm_system *s, void **array, int count, size_t each)
{
    void *more = realloc(*array, (size_t)(count + 1) * each);
    if (more) *array = more;
    s->no_memory |= !more;
    return !more;
}

int bm_add_node(bm_system *s, mb_vec r, mb_mat axes)
{
    const mb_vec all[] = {r, axes.x, axes.y, axes.z};
    void *array = s->p0;
    const int failed = grow(s, &array, s->n_node, BM_P * sizeof *s->p0);
    s->p0 = array;
    if (failed) return 0;
    double *q = s->p0 + BM_P * s->n_node;
    for (int k = 0; k < 4; k++) q[3 * k] = all[k].x, q[3 * k + 1] = all[k].y, q[3 * k + 2] = all[k].z;
    return s->n_node++;
}

static void add_element(bm_system *s, const bm_section *section, int order, int first)
{
    void *array = s->element;
    const int failed = grow(s, &array, s->n_element, sizeof *s->element);
    s->element = array;
    if (failed) return;
    bm_element *el = &s->element[s->n_element++];
    memset(el, 0, sizeof *el);
    el->order = order, el->first = first, el->section = *section;
}

int bm_add_curve(bm_system *s, const bm_section *section, int order, int elements, bm_curve *curve, const void *data)
{
    const int first = s->n_node, n = order * elements;
    for (int i = 0; i <= n && !s->no_memory; i++) {
        mb_vec r;
        mb_mat axes;
        curve((double)i / n, data, &r, &axes);
        (void)bm_add_node(s, r, axes);
    }
    for (int k = 0; k < elements && !s->no_memory; k++) add_element(s, section, order, first + k * order);
    return first;
}

typedef struct line {
    mb_vec from, to, d1;
} line;

static void straight(double x, const void *data, mb_vec *r, mb_mat *axes)
{
    const line *l = data;
    const mb_vec way = mb_sub(l->to, l->from);
    axes->z = mb_scale(1 / mb_norm(way), way);
    axes->x = l->d1;
    axes->y = mb_cross(axes->z, axes->x);
    *r = mb_along(l->from, x, way);
}

int bm_add_line(bm_system *s, const bm_section *section, int order, int elements, mb_vec from, mb_vec to, mb_vec d1)
{
    const line l = {from, to, mb_scale(1 / mb_norm(d1), d1)};
    return bm_add_curve(s, section, order, elements, straight, &l);
}

void bm_add_lump(bm_system *s, int node, double mass, mb_vec moments)
{
    const double half = (moments.x + moments.y + moments.z) / 2;
    void *array = s->lump;
    const int failed = grow(s, &array, s->n_lump, sizeof *s->lump);
    s->lump = array;
    if (failed) return;
    s->lump[s->n_lump++] = (bm_lump){node, mass, {half - moments.x, half - moments.y, half - moments.z}};
}

void bm_add_load(bm_system *s, int node, mb_vec force, mb_vec moment, int drive)
{
    void *array = s->load;
    const int failed = grow(s, &array, s->n_load, sizeof *s->load);
    s->load = array;
    if (failed) return;
    s->load[s->n_load++] = (bm_load){node, drive, {force.x, force.y, force.z}, {moment.x, moment.y, moment.z}};
}

/* --- joints --- */

static mb_vec part(const bm_system *s, int node, int which)
{
    const double *q = s->p0 + BM_P * node + 3 * which;
    return (mb_vec){q[0], q[1], q[2]};
}

/* Compute the components of a direction along the directors of a node; components within rounding of 0 are set to 0. */
static void in_axes(const bm_system *s, int node, mb_vec x, double *out)
{
    const mb_mat axes =
        node == BM_SPACE ? mb_identity() : (mb_mat){part(s, node, 1), part(s, node, 2), part(s, node, 3)};
    const mb_vec along = mb_back(&axes, x);
    const double all[] = {along.x, along.y, along.z}, least = 1e-14 * mb_norm(x);
    for (int a = 0; a < 3; a++) out[a] = fabs(all[a]) > least ? all[a] : 0;
}

static void point_in_axes(const bm_system *s, int node, mb_vec point, double *out)
{
    in_axes(s, node, node == BM_SPACE ? point : mb_sub(point, part(s, node, 0)), out);
}

static void add_link(bm_system *s, const bm_link *link)
{
    void *array = s->link;
    const int failed = grow(s, &array, s->n_link, sizeof *s->link);
    s->link = array;
    if (!failed) s->link[s->n_link++] = *link;
}

static void add_meeting(bm_system *s, int i, int j, mb_vec point, const mb_vec *travel, int drive)
{
    bm_link l = {.kind = BM_MEET, .i = i, .j = j, .drive = drive};
    if (s->no_memory) return;
    point_in_axes(s, i, point, l.at_i), point_in_axes(s, j, point, l.at_j);
    if (travel) in_axes(s, i, *travel, l.to_i);
    add_link(s, &l);
}

void bm_add_ball(bm_system *s, int i, int j, mb_vec point)
{
    add_meeting(s, i, j, point, NULL, 0);
}

void bm_add_slide(bm_system *s, int i, int j, mb_vec point, mb_vec travel, int drive)
{
    add_meeting(s, i, j, point, &travel, drive);
}

static void add_square(bm_system *s, int i, int j, mb_vec of_i, mb_vec of_j, const mb_vec *turned, int drive)
{
    bm_link l = {.kind = BM_SQUARE, .i = i, .j = j, .drive = drive};
    if (s->no_memory) return;
    in_axes(s, i, of_i, l.at_i), in_axes(s, j, of_j, l.at_j);
    if (turned) in_axes(s, i, *turned, l.to_i);
    add_link(s, &l);
}

/* Compute two unit vectors that form a right-handed frame with the axis. */
static void across(mb_vec axis, mb_vec *first, mb_vec *second)
{
    const mb_vec n = mb_scale(1 / mb_norm(axis), axis);
    const mb_vec other = fabs(n.x) < 0.5 ? (mb_vec){1, 0, 0} : (mb_vec){0, 1, 0}; /* not near the axis */
    const mb_vec up = mb_cross(n, other);
    *second = mb_scale(1 / mb_norm(up), up);
    *first = mb_cross(*second, n);
}

void bm_add_hinge(bm_system *s, int i, int j, mb_vec point, mb_vec axis)
{
    mb_vec a, b;
    across(axis, &a, &b);
    bm_add_ball(s, i, j, point);
    add_square(s, i, j, a, axis, NULL, 0);
    add_square(s, i, j, b, axis, NULL, 0);
}

/* a cos u + b sin u of i is orthogonal to b of j, which has rotated to b cos u - a sin u. */
void bm_add_turn(bm_system *s, int i, int j, mb_vec axis, int drive)
{
    mb_vec a, b;
    across(axis, &a, &b);
    add_square(s, i, j, a, b, &b, drive);
}

void bm_add_weld(bm_system *s, int i, int j, mb_vec point)
{
    mb_vec a, b;
    const mb_vec axis = {0, 0, 1};
    across(axis, &a, &b);
    bm_add_hinge(s, i, j, point, axis);
    bm_add_turn(s, i, j, axis, 0);
}
