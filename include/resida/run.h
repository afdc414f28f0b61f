/* resida/run.h - integration of a model over its events: impacts, switches, discrete states.
 *
 *     resida_run_create(&run, &model, solver, &why);
 *     resida_run_start(run, NULL, NULL);
 *     while ((status = resida_run_advance(run, t_end)) == RESIDA_EVENT) note(run);
 *     resida_run_free(run);
 *
 * At an event the run calls event() of resida_model. If event() changes the state, the solver restarts at the event.
 * Otherwise the `contacts` of the model rebound (resida/impact.h). If they hold, they also close and open
 * (doc/contacts.md). */
#ifndef RESIDA_RUN_H
#define RESIDA_RUN_H

#include <resida/model.h>
#include <resida/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Run of a model: its solver and the data of events. */
typedef struct resida_run resida_run;

/** Description of an event. Arrays are owned by the run, valid until its next call. */
typedef struct resida_happening {
    resida_event_kind kind; /**< reason of the event: RESIDA_AT_ROOT, RESIDA_AT_TIME or RESIDA_AT_STEP */
    double t;               /**< time of the event [s] */
    const int *direction;   /**< [n_root] direction of crossings at a root, as in resida_solver_event(); else NULL */
    const double *y;        /**< [n] y before the event; of a mechanism p [n_p] */
    const double *yp;       /**< [n] y' before the event; of a mechanism v [n_v] */
    int restarted;          /**< 1: the state was changed, and the solver restarted */
    int ended;              /**< 1: the model ended the run */
    const double *push;     /**< [n] impulses of the contacts [N s] after an impact; else NULL */
    double energy_change;   /**< change of the kinetic energy by the impulses [J] */
    const double *outputs;  /**< [n_outputs] outputs before the event, NaN: unknown; NULL: none, or kind is
                                 RESIDA_AT_STEP */
    const resida_contact_change *contacts; /**< [n] changes of contacts that hold, after a restart; else NULL */
} resida_happening;

/** Create a run.
 *  @param[in] model   borrowed until the run is freed
 *  @param[in] solver  of a problem made of model->mechanism or model->dae; borrowed until the run is freed; its
 *                     allocator is used */
RESIDA_API resida_status resida_run_create(resida_run **run, const resida_model *model, resida_solver *solver,
                                           resida_message *why);

/** Free a run, before its solver and model. */
RESIDA_API void resida_run_free(resida_run *run);

/** Set the models with perturbed parameters, after each resida_solver_set_sensitivities() and before the start. Their
 *  event() carries the sensitivities over events. If it acts differently from the event() of the model, the run ends
 *  with RESIDA_ERR_USER. Without this call an event that changes the state ends a run with sensitivities.
 *  @param[in] models  [n] in the order of the sensitivities; the moved problems are made of their mechanism or dae;
 *                     borrowed until the run is freed
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also: wrong n or model; RESIDA_ERR_MEMORY: none are set */
RESIDA_API resida_status resida_run_set_moved(resida_run *run, int n, const resida_model *const *models);

/** Start at the model's t0 from its p0, v0 (y0, yp0).
 *  @param[in]  o       options of the starts of a mechanism, also after events; copied
 *  @param[out] report  of the start of a mechanism
 *  @return as resida_solver_start(), resida_solver_start_dae(); RESIDA_ERR_USER: event() failed;
 *          RESIDA_ERR_INCONSISTENT also for a closed contact that closes further */
RESIDA_API resida_status resida_run_start(resida_run *run, const resida_start_options *o, resida_start_report *report);

/** Integrate to t_out or to the first event before it, apply the event, and return after it. After a failure the next
 *  call repeats only the failed part of an event.
 *  @return as resida_solver_advance(), and for contacts as resida_problem_impact(); RESIDA_EVENT also for events by
 *          time, and for steps that changed the state; RESIDA_STOP_TIME also if the model ends the run;
 *          RESIDA_ERR_MODEL: matrix or rate of a contact is wrong; RESIDA_ERR_OPTION: root_directions exclude the
 *          closing of contacts; RESIDA_ERR_INCONSISTENT: a contact closed, or pulls, without an event
 *  Cost, besides the solver: an output() for each event that is not a step; a start for each change of the state. */
RESIDA_API resida_status resida_run_advance(resida_run *run, double t_out);

/** Restart at the time and state reached, after a change of excitations or parameters of the model (doc/events.md).
 *  Cost: a start, of a general DAE without yp0.
 *  @return as the starts of resida_run_start(); RESIDA_ERR_STATE also: after a failed call of
 *          resida_run_advance(), or the model ended the run */
RESIDA_API resida_status resida_run_restart(resida_run *run);

/** Get the event of the last call of resida_run_advance(). The solver has the state after it.
 *  @return RESIDA_OK; RESIDA_ERR_STATE: there was none */
RESIDA_API resida_status resida_run_event(const resida_run *run, resida_happening *what);

#ifdef __cplusplus
}
#endif
#endif
