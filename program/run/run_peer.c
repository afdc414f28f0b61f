/* run_peer.c - passes a started problem to a peer, and its outputs to the run. The number of residual calls includes
 * those of the start, which resida computes. */
#include "run_peer.h"

#include "program/base/complain.h"
#include "program/cli/fits.h"
#include "program/cli/list.h"
#include "program/base/suggest.h"

#include <math.h>
#include <resida_features.h>
#include <string.h>

enum { NAMES_MAX = 16 };

void cmd_job_set_peer(cmd_job *job, const rsd_peer *peer)
{
    const resida_model *m = &job->model->model;
    const int has_explicit = !m->is_dae && (m->mechanism.acceleration || m->mechanism.acceleration_lam);
    job->peer = peer;
    if (rsd_peer_prefers_explicit(peer) && has_explicit && job->settings->formalism == RESIDA_FORMALISM_AUTO)
        job->formalism = RESIDA_FORMALISM_EXPLICIT;
}

int cmd_job_find_peer(cmd_job *job, const char *name)
{
    const char *names[NAMES_MAX] = {"resida"};
    char all[256] = "resida";
    int n = 1;
    if (strcmp(name, names[0]) == 0) return 0;
    const rsd_peer *peer = rsd_peer_find(name);
    if (peer) {
        cmd_job_set_peer(job, peer);
        return cmd_check_peer_options(job->settings, peer);
    }
    for (; n <= rsd_peer_count() && n < NAMES_MAX; n++) {
        names[n] = rsd_peer_name(rsd_peer_at(n - 1));
        strncat(strncat(all, ", ", sizeof all - strlen(all) - 1), names[n], sizeof all - strlen(all) - 3);
    }
    const rsd_feature *f = rsd_feature_of(name);
    if (!f->is_built && strcmp(f->name, name) == 0) return cmd_complain_missing(CMD_EXIT_USAGE, "--solver", name);
    const char *near = cmd_nearest(name, names, n);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "--solver %s: did you mean '%s'?", name, near);
    return cmd_complain(CMD_EXIT_USAGE, "--solver %s: unknown; solvers are %s", name, all);
}

static int is_peer_selected(const cmd_settings *s, const rsd_peer *peer)
{
    return s->peers && (!s->peer_names || cmd_list_has(s->peer_names, rsd_peer_name(peer)));
}

const rsd_peer *cmd_peers_get(const cmd_settings *s, int k)
{
    for (int i = 0; i < rsd_peer_count(); i++)
        if (is_peer_selected(s, rsd_peer_at(i)) && k-- == 0) return rsd_peer_at(i);
    return NULL;
}

void cmd_peers_report_missing(const cmd_settings *s)
{
    static const char *const modules[] = {"dassl", "daspk", "radau5", "petsc-bdf"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules && s->peers && !s->quiet; i++)
        if (!s->peer_names && !rsd_feature_of(modules[i])->is_built) cmd_complain_missing(0, "--peers", modules[i]);
}

int cmd_peers_count(const cmd_settings *s)
{
    int n = 0;
    while (cmd_peers_get(s, n)) n++;
    return n;
}

typedef struct handover {
    const cmd_job *job;
    resida_layout layout;
    cmd_take_fn *take;
    void *user;
} handover;

static double get_output_time(long k, void *user)
{
    const handover *h = user;
    return cmd_grid_time(&h->job->grid, k);
}

/** Return a part of y, or NULL if there is none. */
static const double *get_part(const double *y, int offset)
{
    return offset < 0 ? NULL : y + offset;
}

static int pass_peer_output(double t, const double *y, const double *yp, void *user)
{
    const handover *h = user;
    const resida_layout *l = &h->layout;
    resida_state state = {.t = t, .y = y, .yp = yp};
    if (!h->job->model->model.is_dae) {
        state.p = get_part(y, l->p);
        state.v = get_part(y, l->v);
        state.a = l->a < 0 ? get_part(yp, l->v) : y + l->a;
        state.lam = get_part(l->rates ? yp : y, l->lam);
        state.eta = get_part(l->rates ? yp : y, l->eta);
    }
    return h->take(&state, h->user);
}

resida_status cmd_peer_integrate(const cmd_job *job, const cmd_handles *handles, const resida_solver_options *o,
                                 cmd_take_fn *take, void *user, rsd_peer_result *result)
{
    handover h = {.job = job, .take = take, .user = user};
    resida_stats start = {.size = sizeof start};
    resida_state state;
    resida_status status = resida_problem_layout(handles->problem, &h.layout);
    if (status >= 0) status = resida_solver_state(handles->solver, &state);
    if (status >= 0) status = resida_solver_stats(handles->solver, &start);
    *result = (rsd_peer_result){.status = status};
    if (status < 0) return status;
    rsd_peer_task task = {.problem = handles->problem, .options = o, .t0 = state.t, .y0 = state.y, .yp0 = state.yp};
    task.n_outputs = job->grid.n;
    task.output_time = get_output_time;
    task.output = pass_peer_output;
    task.user = &h;
    status = rsd_peer_solve(job->peer, &task, result);
    result->stats.residual_calls.start = start.residual_calls.total;
    result->stats.residual_calls.total += start.residual_calls.total;
    return status;
}
