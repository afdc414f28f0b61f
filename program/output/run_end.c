/* run_end.c - see run_end.h. All arrays are in one block, positions first. */
#include "run_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cmd_run_end_allocate(cmd_run_end *e, const resida_model *m, double t)
{
    e->t = t;
    e->reached = NAN;
    e->n_p = m->is_dae ? m->dae.n : m->mechanism.n_p;
    e->n_v = m->is_dae ? 0 : m->mechanism.n_v;
    e->n_lam = m->is_dae ? 0 : m->mechanism.n_g + m->mechanism.n_h;
    size_t n = (size_t)e->n_p + (size_t)e->n_v + (size_t)e->n_lam;
    e->p = calloc(2 * n + 1, sizeof *e->p);
    if (!e->p) return -1;
    e->v = e->p + e->n_p;
    e->lam = e->v + e->n_v;
    e->p_max = e->p + n;
    e->v_max = e->v + n;
    e->lam_max = e->lam + n;
    for (size_t i = 0; i < n; i++) e->p[i] = NAN;
    return 0;
}

static void copy_part(double *to, const double *from, int n)
{
    if (to && from && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static void update_maxima(double *most, const double *x, int n)
{
    for (int i = 0; x && i < n; i++) most[i] = fmax(most[i], fabs(x[i]));
}

void cmd_run_end_store(cmd_run_end *e, const resida_state *state)
{
    const double *p = state->p ? state->p : state->y;
    update_maxima(e->p_max, p, e->n_p);
    update_maxima(e->v_max, state->v, e->n_v);
    update_maxima(e->lam_max, state->lam, e->n_lam);
    if (state->t < e->t) return;
    e->reached = state->t;
    copy_part(e->p, p, e->n_p);
    copy_part(e->v, state->v, e->n_v);
    copy_part(e->lam, state->lam, e->n_lam);
}

void cmd_run_end_copy(const cmd_run_end *e, double *p, double *v, double *lam)
{
    copy_part(p, e->p, e->n_p);
    copy_part(v, e->v, e->n_v);
    copy_part(lam, e->lam, e->n_lam);
}

void cmd_run_end_free(cmd_run_end *e)
{
    free(e->p);
    *e = (cmd_run_end){0};
}
