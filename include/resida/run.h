/* resida/run.h - a model integrated over its events: impacts, switches, discrete states.
 *
 *     resida_run_create(&run, &model, solver, &why);
 *     resida_run_start(run, NULL, NULL);
 *     while ((status = resida_run_advance(run, t_end)) == RESIDA_EVENT) note(run);
 *     resida_run_free(run);
 *
 * The model says what an event does (`event` of resida_model). Where it changes the state, the solver is started again
 * from there; steps, J and what was learnt of it stay. A model without `event` goes as by the solver alone, but that a
 * step ends at each of its `breakpoints`.
 *
 * Contacts that the model declares (`contacts`) rebound by themselves, as resida/impact.h says, with the options of the
 * start for redundant joints. At a root function that falls the model's event() is asked first; where it changes the
 * state, or ends the run, contacts are left alone. All meet that are closed then, or would be within a millionth of the
 * last step. A contact that opens is no event, unless the model has event(), which is called then. Those that hold
 * (resida/contact.h) close and open, each with a start. Of others one that closes on behind its impact (without
 * restitution, or when it has rebounded until nothing was left of its speed) ends the run, as a model does, and the
 * message names it; one that is closed without having been seen to close is RESIDA_ERR_INCONSISTENT. */
#ifndef RESIDA_RUN_H
#define RESIDA_RUN_H

#include <resida/model.h>
#include <resida/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model and a solver of it. */
typedef struct resida_run resida_run;

/** What has happened. Arrays are the run's, valid until its next call. */
typedef struct resida_happening {
    resida_event_kind kind; /**< RESIDA_AT_ROOT, RESIDA_AT_TIME, RESIDA_AT_STEP */
    double t;               /**< [s] */
    const int *direction;   /**< at a root: [n_root] as resida_solver_event() has them; else NULL */
    const double *y;        /**< the state before, [n]; of a mechanism p [n_p] */
    const double *yp;       /**< its derivative before, [n]; of a mechanism v [n_v] */
    int restarted;          /**< 1: the model changed the state, and the solver was started again from there */
    int ended;              /**< 1: the model ended the run */
    const double *push;     /**< [n] impulses of the model's contacts [N s], where they have met; else NULL */
    double energy_change;   /**< [J] of the kinetic energy by them */
    const double *outputs;  /**< [n_outputs] of the model before, NaN: not known; NULL: it has none, or kind is
                                 RESIDA_AT_STEP */
    const resida_contact_change *contacts; /**< [n] what became of the model's contacts that hold, where the solver was
                                                started again; else NULL */
} resida_happening;

/** Put both together.
 *  @param[out] run     new handle, NULL on failure
 *  @param[in]  model   borrowed until the run is freed
 *  @param[in]  solver  of a problem made of model->mechanism or model->dae; borrowed; its allocator is used
 *  @param[out] why     or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_MEMORY */
RESIDA_API resida_status resida_run_create(resida_run **run, const resida_model *model, resida_solver *solver,
                                           resida_message *why);

/** Free a run; NULL is fine. As a solver, not within a callback of its model. */
RESIDA_API void resida_run_free(resida_run *run);

/** The model with each of the parameters moved that the solver has sensitivities of (resida/sensitivity.h), before the
 *  start: from these the sensitivities begin, in place of dy0 and dyp0, which are added; and at an event the moved
 *  model is asked what it does there, with the state moved, too. Where it does another thing (ends, changes the state
 *  or not) the run fails with RESIDA_ERR_USER. It comes behind resida_solver_set_sensitivities(): where these are set
 *  anew, starts and events fail with RESIDA_ERR_STATE until it has come again. Without this call an event that changes
 *  the state ends a run that has sensitivities.
 *  @param[in] models  [n] for the sensitivities in their order: those of whose mechanism or dae the moved problems are
 *                     made; another one each, borrowed until the run is freed
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (n is not the number of sensitivities; the run's own model; contacts that are
 *          others);
 *          RESIDA_ERR_MEMORY with none set. The solver's message says more */
RESIDA_API resida_status resida_run_set_moved(resida_run *run, int n, const resida_model *const *models);

/** Start at the model's t0 from its p0, v0 (y0, yp0), which may point to what resida_problem_equilibrium() has found.
 *  @param[in]  o       options of starts of a mechanism, also of those after its events, copied; NULL: defaults
 *  @param[out] report  of a mechanism's start; or NULL
 *  @return as resida_solver_start(), resida_solver_start_dae(); RESIDA_ERR_USER: event() failed, or gave what is not
 *          finite, in the solver's message; RESIDA_ERR_INCONSISTENT also for a contact that is closed and closes on */
RESIDA_API resida_status resida_run_start(resida_run *run, const resida_start_options *o, resida_start_report *report);

/** Integrate to t_out, or to the first event before, do what the model says of it, and return behind it. The solver's
 *  option t_stop holds; resida_solver_set_stop_time() is for this function alone meanwhile.
 *  @return as resida_solver_advance(), of contacts as resida_problem_impact(), and RESIDA_ERR_MODEL where their matrix
 *          or rate is not that of the gap, RESIDA_ERR_OPTION where root_directions leave out that one closes,
 *          RESIDA_ERR_INCONSISTENT where one has closed, or pulls, and was not seen to; RESIDA_EVENT also for events by
 *          time, and for steps that changed the state; RESIDA_STOP_TIME also where the model ends the run: the solver's
 *          message says which it was. After a failure the next call begins with the part of the event that has failed:
 *          output(), event() from the state before it, those of moved models, impacts, the start. Parts that were done
 *          are not repeated
 *  Cost: that of the solver. An event that changes the state costs a start: of a general DAE no residual call, with
 *  find_yp as many as resida_solver_start_dae() says, of a mechanism those of resida_solver_start(); J stays until a
 *  renewal costs less than the iterations that it saves. At each event except a step, output() is called once if
 *  the model has outputs; its verdict < 0 gives RESIDA_ERR_USER. */
RESIDA_API resida_status resida_run_advance(resida_run *run, double t_out);

/** The event that the last call of resida_run_advance() came to: after RESIDA_EVENT, after RESIDA_STOP_TIME where the
 *  model ended the run, and after a failure of what the model or the start made of it. The state after it is that of
 *  the solver.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: it came to none */
RESIDA_API resida_status resida_run_event(const resida_run *run, resida_happening *what);

#ifdef __cplusplus
}
#endif
#endif
