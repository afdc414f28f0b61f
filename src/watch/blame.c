/* blame.c - names for what failed, and what is known of the causes. */
#include "blame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3, NAME = 60 };
#define DIFFERENCE_ERROR 1e-10 /* of dg/dp by central differences, coordinates of order one */
#define TOLERANCE_SHARE  1e-2  /* of the tolerance, that it may take up times v */

int rsd_largest(int n, const double *x, const double *w)
{
    int at = 0;
    double most = -1;
    for (int i = 0; i < n; i++) {
        double part = fabs(x[i] * w[i]);
        if (!isfinite(part)) return i;
        if (part > most) most = part, at = i;
    }
    return at;
}

void rsd_blame_note(rsd_blame *b, int n, const double *x, const double *w)
{
    rsd_blame_component(b, rsd_largest(n, x, w));
}

void rsd_blame_component(rsd_blame *b, int component)
{
    if (component >= 0) b->component[b->count++ % RSD_BLAMED] = component;
}

void rsd_blame_name(const resida_problem *q, int component, char *text, size_t size)
{
    const resida_layout *l = &q->layout;
    const int row = component - l->lam, n_rows = l->n_g + l->n_h;
    if (resida_problem_component_name(q, component, text, size) < 0) text[0] = 0;
    size_t used = strlen(text);
    if (q->mechanism && q->mechanism->m.g_names && l->lam >= 0 && row >= 0 && row < n_rows)
        snprintf(text + used, size - used, " of %s", q->mechanism->m.g_names[row]);
}

void rsd_blame_text(const rsd_blame *b, const resida_problem *q, char *text)
{
    const int all = b->count < RSD_BLAMED ? b->count : RSD_BLAMED;
    int is_named[RSD_BLAMED] = {0};
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < NAMED; k++) {
        int most = 0, first = 0;
        char name[NAME];
        for (int i = 0; i < all; i++) {
            int same = 0;
            for (int j = 0; j < all; j++) same += b->component[j] == b->component[i];
            if (!is_named[i] && same > most) most = same, first = i;
        }
        if (most == 0) return;
        for (int j = 0; j < all; j++) is_named[j] |= b->component[j] == b->component[first];
        rsd_blame_name(q, b->component[first], name, sizeof name);
        int written = snprintf(text + used, RSD_BLAME_TEXT - used, "%s%s (%d of %d)", k ? ", " : "", name, most, all);
        if (written < 0 || (used += (size_t)written) >= RSD_BLAME_TEXT) return;
    }
}

/* Differences of g leave errors of G v that are not small beside the tolerances. */
static int is_fast_for_differences(const resida_problem *q, const resida_solver_options *o, const double *y)
{
    const resida_layout *l = &q->layout;
    if (!q->mechanism || l->n_g == 0 || q->mechanism->m.constraint_matrix || l->v < 0) return 0;
    for (int i = l->v; i < l->v + l->n_v - l->n_z; i++)
        if (DIFFERENCE_ERROR * fabs(y[i]) > TOLERANCE_SHARE * o->atol_each[i]) return 1;
    return 0;
}

const char *rsd_likely_cause(const resida_problem *q, const resida_solver_options *o, const double *y)
{
    if (is_fast_for_differences(q, o, y))
        return "dg/dp is found by differences, which is too coarse for such velocities: give constraint_matrix";
    if (!q->mechanism && !q->dae.kinds)
        return "is the index above 1? then give kinds; does F jump? then give a root function";
    return "does a force jump there? then give a root function";
}
