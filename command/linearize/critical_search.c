/* critical_search.c - finds the values of a parameter at which modes begin or cease to grow. If a mode grows at one of
 * two adjacent points, bisection finds the value between them. If no mode grows at either, golden section search finds
 * the maximum of the largest real part, because growth may begin and end between two points. */
#include "critical.h"
#include "program/base/complain.h"

#include <math.h>
#include <stdlib.h>

#define BRACKET 1e-10                               /* fraction of the range at which bisection ends */
#define GOLDEN  0.38196601125010515                 /* (3 - sqrt 5)/2 */
#define JUMP    0.1                                 /* min. growth rate at a jump, relative to that at the point */
enum { SECTIONS = 16, MAX_CHANGES_OF_A_POINT = 3 }; /* sections locate a maximum to 1e-3 of the two steps around it */

typedef int is_so_fn(const cmd_locus_point *x);

static int has_growing_mode(const cmd_locus_point *x)
{
    return x->grows;
}

static int has_undecaying_mode(const cmd_locus_point *x)
{
    return !x->decays;
}

static double get_growth(const cmd_locus_point *x)
{
    return x->rightmost < 0 ? -INFINITY : x->re[x->rightmost];
}

/* Find the value between `from` and `to` at which a property changes, by bisection, and store it in *near. If a mode
 * grows close to it, store the mode with the largest real part in *out. */
static int bisect_change(cmd_critical *c, is_so_fn *is_so, double from, double to, int begins, double *near,
                         cmd_critical_change *out)
{
    int code = 0;
    while (code == 0 && fabs(to - from) > BRACKET * fabs(c->high - c->low)) {
        cmd_locus_point middle;
        const double at = (from + to) / 2;
        code = cmd_locus_compute(c, at, &middle);
        if (code == 0 && is_so(&middle) == begins)
            to = at;
        else
            from = at;
        if (code == 0 && out && middle.grows)
            out->re = middle.re[middle.rightmost], out->im = middle.im[middle.rightmost];
        cmd_locus_free(&middle);
    }
    *near = begins ? to : from;
    return code;
}

/* Add the change between two points, one of which has a growing mode. */
static int add_change(cmd_critical *c, const cmd_locus_point *a, const cmd_locus_point *b)
{
    cmd_critical_change *x = &c->changes[c->n_changes++];
    const cmd_locus_point *growing = a->grows ? a : b;
    *x = (cmd_critical_change){
        .from = NAN, .begins = b->grows, .re = growing->re[growing->rightmost], .im = growing->im[growing->rightmost]};
    const double growth = x->re;
    int code = bisect_change(c, has_growing_mode, a->value, b->value, x->begins, &x->value, x);
    x->jumps = x->re > JUMP * growth;
    if (code == 0 && x->begins && a->decays)
        code = bisect_change(c, has_undecaying_mode, a->value, x->value, 1, &x->from, NULL);
    return code;
}

/* Find the maximum of the largest real part between a and b. *top receives it, or any point at which a mode grows. */
static int find_maximum(cmd_critical *c, double a, double b, cmd_locus_point *top)
{
    cmd_locus_point other = {0};
    int code = cmd_locus_compute(c, a + GOLDEN * (b - a), top);
    for (int k = 0; k < SECTIONS && code == 0 && !top->grows; k++) {
        const double at = a + b - top->value; /* the mirror image of one golden section is the other one */
        code = cmd_locus_compute(c, at, &other);
        const int is_better = code == 0 && get_growth(&other) > get_growth(top);
        const double worse = is_better ? top->value : at, better = is_better ? at : top->value;
        if ((worse < better) == (a < b))
            a = worse;
        else
            b = worse;
        cmd_locus_free(is_better ? top : &other);
        if (is_better) *top = other;
        other = (cmd_locus_point){0};
    }
    return code;
}

/* Search for growth around point k, a local maximum at which all modes decay. */
static int search_around_point(cmd_critical *c, int k)
{
    const cmd_locus_point *p = &c->points[k];
    cmd_locus_point top = {0};
    int code = find_maximum(c, p[-1].value, p[1].value, &top);
    if (code == 0 && top.grows) {
        const int is_before = fabs(top.value - p[-1].value) < fabs(p[0].value - p[-1].value);
        code = add_change(c, is_before ? &p[-1] : &p[0], &top);
        if (code == 0) code = add_change(c, &top, is_before ? &p[0] : &p[1]);
    }
    cmd_locus_free(&top);
    return code;
}

static int is_local_maximum(const cmd_critical *c, int k)
{
    const cmd_locus_point *p = &c->points[k];
    if (k + 1 >= c->n || !p[-1].decays || !p[0].decays || !p[1].decays) return 0;
    return get_growth(&p[0]) >= get_growth(&p[-1]) && get_growth(&p[0]) > get_growth(&p[1]);
}

int cmd_critical_search(cmd_critical *c)
{
    int code = 0;
    c->changes = calloc(MAX_CHANGES_OF_A_POINT * (size_t)c->n, sizeof *c->changes);
    if (!c->changes) return cmd_no_memory();
    for (int k = 1; k < c->n && code == 0; k++) {
        if (c->points[k - 1].grows != c->points[k].grows) code = add_change(c, &c->points[k - 1], &c->points[k]);
        if (code == 0 && is_local_maximum(c, k)) code = search_around_point(c, k);
    }
    return code;
}

const cmd_critical_change *cmd_critical_first(const cmd_critical *c)
{
    for (int i = 0; i < c->n_changes; i++)
        if (c->changes[i].begins) return &c->changes[i];
    return NULL;
}
