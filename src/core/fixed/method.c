/* method.c - the table of methods, and functions that several methods share. */
#include "method.h"

#include <string.h>

/* All methods, in the order in which messages and help list them. */
static const rsd_method *const methods[] = {
    &rsd_method_bdf[0],
    &rsd_method_bdf[1],
    &rsd_method_bdf[2],
    &rsd_method_bdf[3],
    &rsd_method_bdf[4],
    &rsd_method_bdf[5],
    &rsd_method_midpoint,
    &rsd_method_newmark,
    &rsd_method_hht,
    &rsd_method_generalized_alpha,
    &rsd_method_radau_2,
    &rsd_method_radau_3,
    &rsd_method_energy_decaying,
};
enum { N_METHODS = sizeof methods / sizeof *methods };
static const char variable[] = "bdf";

const char *resida_method_at(int i)
{
    if (i == 0) return variable;
    return i > 0 && i <= N_METHODS ? methods[i - 1]->name : NULL;
}

const rsd_method *rsd_method_find(const char *name)
{
    for (int i = 0; i < N_METHODS; i++)
        if (strcmp(methods[i]->name, name) == 0) return methods[i];
    return NULL;
}

unsigned rsd_method_traits(const char *name)
{
    const rsd_method *m = rsd_method_find(name);
    if (!m) return strcmp(name, variable) == 0 ? RSD_METHOD_VARIABLE : 0;
    return RSD_METHOD_FIXED | m->traits | (m->error ? RSD_METHOD_ADAPTIVE : 0) |
           (m->steps > 1 ? RSD_METHOD_MULTISTEP : 0) | (m->collocation ? RSD_METHOD_EMBEDDED : 0);
}

void rsd_stages_set_plain(rsd_stages *st, double d)
{
    *st = (rsd_stages){.s = 1, .c = {1}};
    for (int f = 0; f < RSD_N_FIELDS; f++) {
        st->e[f][0][0] = 1;
        st->d[f][0][0] = d;
    }
}

void rsd_set_end_from_stage(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp,
                            double *yp, double *b)
{
    (void)m, (void)h, (void)b;
    memcpy(yp, Yp + (size_t)(st->s - 1) * (size_t)past->n, (size_t)past->n * sizeof *yp);
}

/* The first step extrapolates y' from t_n and t_n + h/2, later steps from two midpoints, without oscillations. */
void rsd_set_end_from_middle(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st,
                             const double *Yp, double *yp, double *b)
{
    const double *middle = Yp + (size_t)(st->s - 1) * (size_t)past->n;
    int is_first = past->count == 1;
    double part = is_first ? 1 : h / (h + past->h[0]);
    (void)m;
    for (int i = 0; i < past->n; i++) {
        double slope = is_first ? middle[i] - past->yp[i] : middle[i] - b[i];
        yp[i] = middle[i] + part * slope;
        b[i] = middle[i];
    }
}

int rsd_is_plain_motion(const resida_problem *problem)
{
    return problem->mechanism && !problem->mechanism->m.kinematic_matrix;
}
