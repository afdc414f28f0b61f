/* conditioning_blocks.c - extracts M, X, Y and G at the initial state of a model from dF/dy and dF/dyp of its index-3
 * form, which are computed by central differences. */
#include "conditioning.h"

#include "program/base/complain.h"

#include <stdlib.h>
#include <string.h>

void cmd_blocks_free(cmd_blocks *b)
{
    free(b->M);
    free(b->X);
    free(b->Y);
    free(b->G);
    *b = (cmd_blocks){0};
}

static int make_room(cmd_blocks *b)
{
    size_t square = (size_t)b->n * (size_t)b->n, wide = (size_t)b->m * (size_t)b->n;
    b->M = calloc(square, sizeof(double));
    b->X = calloc(square, sizeof(double));
    b->Y = calloc(square, sizeof(double));
    b->G = calloc(wide + 1, sizeof(double));
    return b->M && b->X && b->Y && b->G ? 0 : cmd_no_memory();
}

/* Add the entries of J, multiplied by factor, to the blocks. If of_yp is nonzero, J contributes to M only. */
static void take_apart(cmd_blocks *b, const resida_jacobian_matrix *J, const resida_layout *l, double factor, int of_yp)
{
    for (int j = 0; j < J->n; j++)
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            int i = J->row[e], row = i - l->v, column = j < l->v ? j : j - l->v;
            double value = factor * J->values[e];
            int dynamic = row >= 0 && row < b->n;
            if (dynamic && j >= l->v && j < l->lam) (of_yp ? b->M : b->Y)[column * b->n + row] += value;
            if (dynamic && j < l->v && !of_yp) b->X[column * b->n + row] += value;
            if (i >= l->lam && j < l->v && !of_yp) b->G[column * b->m + i - l->lam] += value;
        }
}

/* Evaluate J at alpha = 0 and 1 at one state, and accumulate the blocks. */
static int difference(cmd_blocks *b, resida_problem *problem, const resida_layout *l, const resida_jacobian_point *at)
{
    static const double factor[] = {1, -1, 1};
    static const int of_yp[] = {0, 1, 1}; /* M: J(1) - J(0) */
    resida_system system;
    resida_jacobian_options options;
    resida_jacobian *engine = NULL;
    resida_system_init(&system);
    resida_jacobian_options_init(&options);
    system.n = l->n, system.user = problem, system.F = resida_problem_residual;
    options.strategy = "dense", options.differences = RESIDA_DIFFERENCES_CENTRAL;
    resida_status status = resida_jacobian_create(&engine, &system, &options, NULL);
    int current, verdict = status < 0;
    for (int k = 0; k < 3 && !verdict; k++) {
        resida_jacobian_matrix J;
        resida_jacobian_point here = *at;
        here.alpha = k == 2 ? 1 : 0;
        verdict = resida_jacobian_setup(engine, RESIDA_SETUP_FAILURE, &here, &current);
        if (!verdict && resida_jacobian_get_matrix(engine, &J) == RESIDA_OK) take_apart(b, &J, l, factor[k], of_yp[k]);
    }
    resida_jacobian_free(engine);
    return verdict ? cmd_complain(CMD_EXIT_FAILED, "the Jacobian at the start cannot be evaluated") : 0;
}

/* Allocate and evaluate y, yp, F [n each] of the initial state in one array. Return NULL after one error message. */
static double *start(resida_problem *problem, const resida_layout *l, const cmd_job *job)
{
    const resida_model *m = &job->model->model;
    double *y = calloc(3 * (size_t)l->n, sizeof *y), *yp = y ? y + l->n : NULL;
    resida_message why = {""};
    if (!y) {
        cmd_no_memory();
        return NULL;
    }
    memcpy(y, m->p0, (size_t)l->n_p * sizeof *y);
    if (m->v0) memcpy(y + l->v, m->v0, (size_t)l->n_v * sizeof *y);
    resida_status status =
        resida_problem_start(problem, m->t0, m->p0, m->v0, NULL, y, y + l->v, yp + l->v, y + l->lam, NULL, &why);
    memcpy(yp, y + l->v, (size_t)l->n_v * sizeof *y);
    if (status >= 0 && resida_problem_residual(m->t0, y, yp, y + 2 * l->n, problem) == 0) return y;
    cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
    free(y);
    return NULL;
}

static int make(cmd_blocks *b, resida_problem *problem, const cmd_job *job)
{
    resida_layout l;
    resida_problem_layout(problem, &l);
    b->n = l.n_v, b->m = l.n_g;
    int code = make_room(b);
    if (code != 0) return code;
    double *y = start(problem, &l, job);
    if (!y) return CMD_EXIT_FAILED;
    const resida_jacobian_point at = {
        .t = job->model->model.t0, .h = 1e-6, .y = y, .yp = y + l.n, .F = y + 2 * l.n, .weights = NULL};
    code = difference(b, problem, &l, &at);
    free(y);
    return code;
}

int cmd_blocks_make(cmd_blocks *b, const cmd_job *job)
{
    resida_problem *problem;
    resida_message why = {""};
    const resida_model *m = &job->model->model;
    *b = (cmd_blocks){0};
    if (m->is_dae || m->mechanism.n_g == 0 || m->mechanism.n_h > 0 || m->mechanism.kinematic_matrix ||
        m->mechanism.n_z > 0)
        return cmd_complain(CMD_EXIT_USAGE,
                            "%s: must be a mechanism with p' = v, position constraints only, and no first-order states",
                            job->model->cls->name);
    resida_status status = cmd_problem_open(job, &problem, &why);
    if (status < 0) return cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
    int code = make(b, problem, job);
    resida_problem_free(problem);
    return code;
}
