/* equilibrium.c - resida_problem_equilibrium(): arguments, the start, the search, what is said of the result. */
#include "rest.h"

#include "src/problem/arguments.h"

#include <math.h>
#include <string.h>

#define MOVES     1e-9 /* of 1: a velocity that nonholonomic constraints ask for */
#define ROW_HOLDS 1e-7 /* of 1 and the size of p: what a dropped row may be off, as at the start */

void resida_equilibrium_options_init(resida_equilibrium_options *o)
{
    if (!o) return;
    *o = (resida_equilibrium_options){.size = sizeof *o,
                                      .tolerance = 1e-10,
                                      .max_step = 0.5,
                                      .max_iterations = 500,
                                      .stability = 1,
                                      .from = NAN,
                                      .max_residuals = 1000000000000L,
                                      .time_limit_s = INFINITY};
}

static resida_status refuse(resida_message *why, const char *name, double value, const char *must)
{
    return rsd_fail(why, RESIDA_ERR_OPTION, "%s = %g, must be %s", name, value, must);
}

static resida_status check_options(const resida_equilibrium_options *o, resida_message *why)
{
    RSD_TRY(rsd_check_size("equilibrium options", o->size, sizeof *o, why));
    if (o->steady != 0 && o->steady != 1) return refuse(why, "steady", o->steady, "0 or 1");
    if ((int)o->redundant != 0 && (int)o->redundant != 1) return refuse(why, "redundant", (int)o->redundant, "0 or 1");
    if (!(o->tolerance > 0 && o->tolerance < 1)) return refuse(why, "tolerance", o->tolerance, "> 0 and < 1");
    if (!(o->max_step > 0)) return refuse(why, "max_step", o->max_step, "> 0");
    if (o->max_iterations < 1) return refuse(why, "max_iterations", o->max_iterations, "> 0");
    if (o->load_steps < 0) return refuse(why, "load_steps", o->load_steps, ">= 0");
    if (isinf(o->from)) return refuse(why, "from", o->from, "finite, or NaN");
    if (o->stability != 0 && o->stability != 1) return refuse(why, "stability", o->stability, "0 or 1");
    if (o->max_residuals < 1) return refuse(why, "max_residuals", (double)o->max_residuals, "> 0");
    if (!(o->time_limit_s > 0)) return refuse(why, "time_limit_s", o->time_limit_s, "> 0");
    return RESIDA_OK;
}

/* The message of the own solver becomes the caller's, unless there is one. */
static resida_status said(rsd_rest *x, resida_status status)
{
    if (status < 0 && x->why->text[0] == 0) *x->why = x->s->message;
    return status;
}

resida_status rsd_rest_begin(rsd_rest *x)
{
    const resida_layout *l = &x->q->layout;
    const int n_w = l->n_v - l->n_z;
    double *v = x->y1;
    resida_start_report report;
    if (!x->q->mechanism) {
        memcpy(x->y, x->p0, (size_t)x->n * sizeof *x->y);
        return RESIDA_OK;
    }
    for (int i = 0; i < l->n_v; i++) v[i] = i < n_w && !x->o->steady ? 0 : x->v0[i];
    resida_status status = rsd_rest_start(x, x->p0, v, &report);
    if (status == RESIDA_OK && report.n_redundant > 0) x->report->redundant = *x->why;
    if (status >= 0) x->why->text[0] = 0;
    for (int i = 0; i < n_w && status == RESIDA_OK && !x->o->steady; i++)
        if (fabs(x->y[l->v + i]) > MOVES)
            return rsd_fail(x->why, RESIDA_ERR_INCONSISTENT,
                            "there is no rest at t = %g: constraints on velocities ask for v[%d] = %g", x->t, i,
                            x->y[l->v + i]);
    for (int i = 0; i < n_w; i++)
        if (x->o->steady) x->yp[l->p + i] = x->y[l->v + i];
    return status;
}

/* Rows that were dropped were redundant at the start: they have to hold here. */
static resida_status check_dropped(rsd_rest *x)
{
    const rsd_mechanism *k = x->q->mechanism;
    const resida_layout *l = &x->q->layout;
    char name[RSD_ROW_NAME];
    double size = 1;
    if (x->report->redundant.text[0] == 0) return RESIDA_OK;
    if (resida_problem_constraints(x->q, x->t, x->y + l->p, x->y + l->v, x->F1, NULL) < 0) return rsd_rest_stopped(x);
    for (int i = 0; i < l->n_p; i++) size = fmax(size, fabs(x->y[l->p + i]));
    for (int i = 0; i < l->n_g; i++)
        if (k->dropped[i] && !(fabs(x->F1[i]) <= ROW_HOLDS * size))
            return rsd_fail(x->why, RESIDA_ERR_REDUNDANT,
                            "constraint %s, which was redundant at the start, does not hold in the equilibrium: g = %g",
                            rsd_row_name(k, i, name, sizeof name), x->F1[i]);
    return RESIDA_OK;
}

static resida_status find_steady(rsd_rest *x)
{
    resida_jacobian_matrix J;
    if (!x->o->steady) return RESIDA_OK;
    if (rsd_rest_evaluate(x, 0) || rsd_rest_linearize(x, &J)) return rsd_rest_stopped(x);
    rsd_rest_find_steady(x);
    return RESIDA_OK;
}

static resida_status finish(rsd_rest *x)
{
    resida_jacobian_matrix J;
    if (rsd_rest_evaluate(x, 0) || rsd_rest_linearize(x, &J)) return rsd_rest_stopped(x);
    x->report->residual = rsd_rest_residual(x, x->F);
    rsd_rest_name_worst(x);
    RSD_TRY(rsd_rest_find_free(x, &J));
    if (x->q->choice.kkt) rsd_message_append(&x->report->redundant, "; dropped: %s", x->q->choice.story.text);
    return x->o->stability ? rsd_rest_judge(x) : RESIDA_OK;
}

/* From y, made of the guess. */
static resida_status find(rsd_rest *x)
{
    RSD_TRY(rsd_rest_number(x));
    RSD_TRY(find_steady(x));
    resida_status status = rsd_rest_search(x);
    if (status != RESIDA_OK) return status;
    if (x->q->mechanism) RSD_TRY(check_dropped(x));
    return finish(x);
}

static resida_status work(rsd_rest *x)
{
    RSD_TRY(rsd_solver_enter(x->s));
    resida_status status = rsd_rest_begin(x);
    if (status == RESIDA_OK) status = find(x);
    for (int c = 0; c < RSD_N_CAUSES; c++) x->report->residual_calls += x->s->guard.calls[c];
    return rsd_solver_leave(x->s, said(x, status));
}

/* From the guess and the options that x has, with arguments that are fine so far. */
static resida_status run(rsd_rest *x, const resida_problem *problem, double t, const rsd_argument *arrays, int n,
                         resida_equilibrium_report *report, resida_message *why)
{
    resida_equilibrium_report unread;
    resida_message unsaid;
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "equilibrium: t = %g, must be finite", t);
    RSD_TRY(rsd_check_arrays("equilibrium", arrays, n, why));
    x->report = report ? report : &unread;
    *x->report = (resida_equilibrium_report){.growth = NAN, .frequency = NAN};
    x->why = why ? why : &unsaid;
    x->why->text[0] = 0;
    resida_status status = rsd_rest_create(x, problem, t);
    return status < 0 ? status : work(x);
}

static resida_status check_mechanism(const resida_problem *q, const resida_equilibrium_options *o, resida_message *why)
{
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_equilibrium: problem is NULL");
    if (!q->mechanism)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT,
                        "resida_problem_equilibrium: a general DAE is for resida_problem_equilibrium_dae");
    if (o->steady && q->mechanism->m.kinematic_matrix)
        return rsd_fail(why, RESIDA_ERR_OPTION, "steady = 1 is for mechanisms with p' = v, %s has a kinematic matrix",
                        q->mechanism->m.name);
    return RESIDA_OK;
}

resida_status resida_problem_equilibrium(resida_problem *problem, double t, const double *p0, const double *v0,
                                         const resida_equilibrium_options *o, double *p, double *v, double *lam,
                                         resida_equilibrium_report *report, resida_message *why)
{
    resida_equilibrium_options defaults;
    resida_equilibrium_options_init(&defaults);
    rsd_rest x = {.o = o ? o : &defaults, .p0 = p0, .v0 = v0};
    RSD_TRY(check_options(x.o, why));
    RSD_TRY(check_mechanism(problem, x.o, why));
    const rsd_mechanism *k = problem->mechanism;
    const rsd_argument arrays[] = {{"p0", p0, k->m.n_p, RSD_READ},
                                   {"v0", v0, k->m.n_v, RSD_READ},
                                   {"p", p, k->m.n_p, RSD_WRITTEN},
                                   {"v", v, k->m.n_v, RSD_WRITTEN},
                                   {"lam", lam, k->n_l, RSD_WRITTEN}};
    const resida_status status = run(&x, problem, t, arrays, sizeof arrays / sizeof *arrays, report, why);
    if (status == RESIDA_OK) {
        const resida_layout *l = &x.q->layout;
        memcpy(p, x.y + l->p, (size_t)l->n_p * sizeof *p);
        memcpy(v, x.y + l->v, (size_t)l->n_v * sizeof *v);
        if (lam && l->lam >= 0) memcpy(lam, x.y + l->lam, (size_t)k->n_l * sizeof *lam);
    }
    rsd_rest_free(&x);
    return status;
}

static resida_status check_dae(const resida_problem *q, const resida_equilibrium_options *o, resida_message *why)
{
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_equilibrium_dae: problem is NULL");
    if (q->mechanism)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT,
                        "resida_problem_equilibrium_dae: a mechanism is for resida_problem_equilibrium");
    if (o->steady || o->redundant != RESIDA_REDUNDANT_REFUSE)
        return rsd_fail(why, RESIDA_ERR_OPTION, "%s has no effect with a general DAE: it is for mechanisms",
                        o->steady ? "steady = 1" : "redundant = drop");
    return RESIDA_OK;
}

resida_status resida_problem_equilibrium_dae(resida_problem *problem, double t, const double *y0,
                                             const resida_equilibrium_options *o, double *y,
                                             resida_equilibrium_report *report, resida_message *why)
{
    resida_equilibrium_options defaults;
    resida_equilibrium_options_init(&defaults);
    rsd_rest x = {.o = o ? o : &defaults, .p0 = y0};
    RSD_TRY(check_options(x.o, why));
    RSD_TRY(check_dae(problem, x.o, why));
    const rsd_argument arrays[] = {{"y0", y0, problem->layout.n, RSD_READ}, {"y", y, problem->layout.n, RSD_WRITTEN}};
    const resida_status status = run(&x, problem, t, arrays, sizeof arrays / sizeof *arrays, report, why);
    if (status == RESIDA_OK) memcpy(y, x.y, (size_t)x.n * sizeof *y);
    rsd_rest_free(&x);
    return status;
}
