/* linearize_energy.c - computes the distribution of the kinetic energy of a mode. The share of each velocity coordinate
 * follows from v of the mode shape. The share of a body is the sum over its coordinates, which have names
 * BODY.COORDINATE.
 *
 *     share_i = Re(conj(v_i) (M v)_i)/(v* M v),  M v = Phi(a = v) - Phi(a = 0) */
#include "linearize.h"

#include "program/base/complain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Evaluate the residual r [n_v] at v = 0 and lam = 0. Its part linear in a does not depend on them. */
static int evaluate_residual(const cmd_linear *l, const double *a, double *r)
{
    const resida_mechanism *m = &l->job->model->model.mechanism;
    const size_t n_u = (size_t)m->n_u;
    double *const u = calloc(3 * n_u + (size_t)m->n_v + (size_t)m->n_g + (size_t)m->n_h, sizeof *u);
    if (!u) return -1;
    double *const v = u + 3 * n_u, *const lam = v + m->n_v, t = l->model.t;
    const resida_excitation e = {u, u + n_u, u + 2 * n_u};
    int code = m->n_u > 0 ? m->excitation(t, u, u + n_u, u + 2 * n_u, m->user) : 0;
    if (code == 0)
        code = m->residual ? m->residual(t, l->base, v, a, &e, r, m->user)
                           : m->residual_lam(t, l->base, v, a, lam, &e, r, m->user);
    free(u);
    return code;
}

/* Add v_i (M v)_i to share [n_v]. r [2 n_v] is work. */
static int add_energy_shares(const cmd_linear *l, const double *v, double *share, double *r)
{
    const int n = l->job->model->model.mechanism.n_v, n_w = n - l->job->model->model.mechanism.n_z;
    double *const zero = calloc((size_t)n, sizeof *zero);
    int code = zero ? evaluate_residual(l, zero, r) : -1;
    if (code == 0) code = evaluate_residual(l, v, r + n);
    for (int i = 0; i < n_w && code == 0; i++) share[i] += v[i] * (r[n + i] - r[i]);
    free(zero);
    return code;
}

/* Write the name of the body of velocity i, or of its position coordinate if no body has it. */
static void get_body_name(const cmd_linear *l, int i, char *name, size_t size)
{
    snprintf(name, size, "%s", l->model.outputs[l->n_parts + i]);
    char *const dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
    else
        name[strcspn(name, "'")] = 0;
}

static void sum_by_body(const cmd_linear *l, const double *share, double all, cmd_energy *e)
{
    const int n = l->job->model->model.mechanism.n_v - l->job->model->model.mechanism.n_z;
    for (int i = 0; i < n; i++) {
        char name[CMD_BODY];
        int k = 0;
        get_body_name(l, i, name, sizeof name);
        while (k < e->n && strcmp(e->names[k], name) != 0) k++;
        if (k == e->n) snprintf(e->names[e->n++], CMD_BODY, "%s", name);
        e->share[k] += share[i] / all;
    }
}

int cmd_linear_energy(const cmd_linear *l, int k, cmd_energy *e)
{
    const int n = l->job->model->model.mechanism.n_v, n_w = n - l->job->model->model.mechanism.n_z;
    const long first = (long)k * l->model.n_outputs + l->n_parts;
    double *const share = calloc(3 * (size_t)n, sizeof *share), all = 0;
    *e = (cmd_energy){.names = calloc((size_t)n, sizeof *e->names), .share = calloc((size_t)n, sizeof *e->share)};
    int code = share && e->names && e->share ? 0 : cmd_no_memory();
    if (code == 0 && (add_energy_shares(l, l->modes.shape_re + first, share, share + n) != 0 ||
                      add_energy_shares(l, l->modes.shape_im + first, share, share + n) != 0))
        code = cmd_complain_model(CMD_EXIT_FAILED, l->job->model->cls->name,
                                  "--energy: the evaluation of the residual failed");
    for (int i = 0; i < n_w && code == 0; i++) all += share[i];
    if (code == 0 && all > 0) sum_by_body(l, share, all, e);
    free(share);
    return code;
}

void cmd_energy_free(cmd_energy *e)
{
    free(e->names), free(e->share);
    *e = (cmd_energy){0};
}

int cmd_energy_check(const cmd_model *model)
{
    if (!model->model.is_dae && (model->model.mechanism.residual || model->model.mechanism.residual_lam)) return 0;
    return cmd_complain(CMD_EXIT_USAGE, "--energy: model %s is %s", model->cls->name,
                        model->model.is_dae ? "a general DAE, without a mass matrix"
                                            : "not given as a residual of its accelerations");
}

int cmd_energy_text(const cmd_linear *l, FILE *f)
{
    enum { PARTS = 4 };
    const double least = 0.005; /* smaller shares are omitted */
    int code = 0;
    fputs("  kinetic energy\n", f);
    for (int k = 0; k < l->modes.n && code == 0; k++) {
        cmd_energy e;
        code = cmd_linear_energy(l, k, &e);
        if (code == 0) fprintf(f, "  %4d  ", k + 1);
        for (int part = 0; part < PARTS && code == 0; part++) {
            int best = -1;
            for (int i = 0; i < e.n; i++)
                if (e.share[i] > (best < 0 ? least : e.share[best])) best = i;
            if (best < 0) break;
            fprintf(f, "%s%s %.0f %%", part > 0 ? ", " : "", e.names[best], 100 * e.share[best]);
            e.share[best] = 0;
        }
        if (code == 0) fputc('\n', f);
        cmd_energy_free(&e);
    }
    return code;
}

json_t *cmd_energy_json(const cmd_linear *l, int k)
{
    cmd_energy e;
    json_t *object = cmd_linear_energy(l, k, &e) == 0 ? json_object() : NULL;
    for (int i = 0; i < e.n && object; i++) json_object_set_new(object, e.names[i], json_real(e.share[i]));
    cmd_energy_free(&e);
    return object;
}
