/* reference.c - computes a reference for models that have none at the end of the interval, none for these parameters,
 * or only an inaccurate one.
 *
 * Different integrators run with a tight tolerance, one after the other, until the end states of two of them agree:
 * resida, a Runge-Kutta method (radau5), other BDF codes (dassl or daspk, which are equal with dense factors), and
 * resida with max. order 4. If no two agree as required, the two that agree best are taken. The end state of the first
 * one is the reference, their difference is its uncertainty. Agreement is no proof. Therefore errors count as known
 * only from CMD_CREDIBLE times the uncertainty (row.h). */
#include "reference.h"

#include "program/base/complain.h"
#include "program/process/signals.h"
#include "run_peer.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/** A method to compute a reference: a peer, or resida if peer is NULL. */
typedef struct way {
    const char *peer;
    long max_order; /**< 0 for the default */
    int make;       /**< methods of the same make have similar errors */
} way;

enum { OURS, RUNGE_KUTTA, DASSL, OURS_OF_ORDER_4 };
static const way ways[] = {
    {NULL, 0, OURS}, {"radau5", 0, RUNGE_KUTTA}, {"dassl", 0, DASSL}, {"daspk", 0, DASSL}, {NULL, 4, OURS_OF_ORDER_4}};

enum { N_WAYS = sizeof ways / sizeof ways[0] };
static const double tightest = 1e-12;

double cmd_scaled_atol(const cmd_model *model, double rtol)
{
    return model->model.atol * (rtol / model->model.rtol);
}

/** resida_model.reference() of the model in a cmd_reference. `user` stays that of the model, for its outputs and
 *  events. */
static int get_end_state(const resida_model *model, double t, double *p, double *v, double *lam)
{
    const void *around = (const char *)model - offsetof(cmd_reference, model.model);
    const cmd_reference *r = around;
    if (t != r->end.t) return 1;
    cmd_run_end_copy(&r->end, p, v, lam);
    return 0;
}

/** Integrate to the end by one of the methods. @param[in,out] why  receives the message of the first run that fails
 *  @return as cmd_run(); CMD_EXIT_FAILED if the peer is not available */
static int compute_end_state(cmd_run_end *e, const cmd_model *model, const cmd_settings *s, double rtol, const way *how,
                             cmd_reference_run_fn *run, resida_message *why)
{
    cmd_settings own = *s;
    cmd_job job;
    cmd_row row;
    const rsd_peer *peer = how->peer ? rsd_peer_find(how->peer) : NULL;
    if (how->peer && !peer) return CMD_EXIT_FAILED;
    own.rtol = rtol;
    own.atol = cmd_scaled_atol(model, rtol);
    own.jacobian = NULL;
    own.max_order = how->max_order;
    own.points = own.repeat = 1;
    int code = cmd_job_make(&job, model, &own, 1);
    if (code != 0) return code;
    if (peer) cmd_job_set_peer(&job, peer);
    job.end = e;
    if (cmd_run_end_allocate(e, &model->model, job.t_end) != 0) return CMD_EXIT_FAILED;
    code = run(&job, &row);
    if (row.outcome == CMD_FAILED && !why->text[0]) snprintf(why->text, sizeof why->text, "%s", row.message);
    return code;
}

/** Return max_i |a_i - b_i| / (1 + scale |b_i|); NaN if no component is known. */
static double compute_difference(const double *a, const double *b, int n, int scale)
{
    double largest = NAN;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i] - b[i]) / (1 + scale * fabs(b[i])));
    return largest;
}

static const char *get_method_name(const way *how)
{
    return how->peer ? how->peer : how->max_order > 0 ? "resida of order 4" : "resida";
}

const cmd_model *cmd_reference_apply(cmd_reference *r, const cmd_model *model)
{
    r->model = *model;
    if (!r->end.p) return &r->model;
    r->model.model.reference = get_end_state;
    r->model.model.reference_source = r->source;
    r->model.model.reference_doubt = r->doubt;
    return &r->model;
}

/** Set the reference to end state i, which agrees with end state k. */
static void accept_pair(cmd_reference *r, cmd_run_end *ends, int i, int k, double rtol)
{
    const cmd_model model = r->model;
    const cmd_run_end *a = &ends[i], *b = &ends[k];
    r->doubt[0] = compute_difference(a->p, b->p, a->n_p, 0);
    r->doubt[1] = compute_difference(a->v, b->v, a->n_v, 0);
    r->doubt[2] = compute_difference(a->lam, b->lam, a->n_lam, 0);
    snprintf(r->source, sizeof r->source, "%s and %s at rtol = %g, whose p differ by %.1e", get_method_name(&ways[i]),
             get_method_name(&ways[k]), rtol, r->doubt[0]);
    r->end = ends[i];
    ends[i] = (cmd_run_end){0};
    (void)cmd_reference_apply(r, &model);
}

/** Two end states and their difference; NaN if there are not two. */
typedef struct pair {
    int first, second;
    double difference;
} pair;

/** Update the best pair with end state k. */
static void update_best_pair(pair *best, const cmd_run_end *ends, int k)
{
    for (int i = 0; i < k; i++) {
        if (!ends[i].p || ways[i].make == ways[k].make) continue;
        const double d = compute_difference(ends[i].p, ends[k].p, ends[k].n_p, 1);
        if (!(d >= best->difference)) *best = (pair){i, k, d};
    }
}

/** Report the failure, and store the reason in r->source. */
static int report_no_reference(cmd_reference *r, double t, double needed, double least, const resida_message *why)
{
    const char *name = r->model.cls->name;
    if (isnan(least))
        snprintf(r->source, sizeof r->source,
                 "%s: no reference at t = %.10g: fewer than two methods reach this time%s%s", name, t,
                 why->text[0] ? ": " : "", why->text);
    else
        snprintf(r->source, sizeof r->source,
                 "%s: no reference at t = %.10g: no two methods agree to better than %.1e, and %.0e is needed", name, t,
                 least, needed);
    r->model = (cmd_model){0};
    return cmd_complain(CMD_EXIT_FAILED, "%s", r->source);
}

static int compute_reference(cmd_reference *r, const cmd_settings *s, const cmd_agreement *wanted, double t,
                             cmd_reference_run_fn *run)
{
    cmd_run_end ends[N_WAYS] = {{0}};
    resida_message why = {""};
    const double rtol = fmax(wanted->tight / 100, tightest);
    pair best = {0, 0, NAN};
    int code = 0;
    for (int k = 0; k < N_WAYS && !(best.difference <= wanted->tight) && code < 128 && code != CMD_EXIT_USAGE; k++) {
        code = compute_end_state(&ends[k], &r->model, s, rtol, &ways[k], run, &why);
        if (code == 0)
            update_best_pair(&best, ends, k);
        else
            cmd_run_end_free(&ends[k]);
    }
    const int is_ended = code >= 128 || code == CMD_EXIT_USAGE, found = !is_ended && best.difference <= wanted->loose;
    if (found) accept_pair(r, ends, best.first, best.second, rtol);
    for (int k = 0; k < N_WAYS; k++) cmd_run_end_free(&ends[k]);
    return found ? 0 : is_ended ? code : report_no_reference(r, t, wanted->loose, best.difference, &why);
}

int cmd_reference_is_of_model(const cmd_model *model, double t, double rtol)
{
    const resida_model *m = &model->model;
    if (m->reference_doubt && m->reference_doubt[0] > rtol) return 0;
    return resida_model_reference(m, t, NULL, NULL, NULL) == 0;
}

int cmd_reference_open(cmd_reference *r, const cmd_model *model, const cmd_settings *s, const cmd_agreement *wanted,
                       cmd_reference_run_fn *run)
{
    const resida_model *m = &model->model;
    double t = cmd_value_or(s->t_end, m->t_end);
    *r = (cmd_reference){.model = *model};
    if (cmd_reference_is_of_model(model, t, wanted->tight)) {
        snprintf(r->source, sizeof r->source, "%s", m->reference_source ? m->reference_source : "the model's");
        return 0;
    }
    return compute_reference(r, s, wanted, t, run);
}

void cmd_reference_free(cmd_reference *r)
{
    cmd_run_end_free(&r->end);
    *r = (cmd_reference){0};
}
