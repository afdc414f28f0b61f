/* resida/checkpoint.h - a state of an integration as bytes, from which another process goes on.
 *
 *     resida_run_save(run, NULL, 0, NULL, 0, &size);            how many bytes
 *     resida_run_save(run, NULL, 0, bytes, size, &size);        the state
 *     ...
 *     resida_problem_create(), resida_solver_create(), resida_run_create()  of the same model, with the same options
 *     resida_run_load(run, NULL, bytes, size);                  instead of resida_run_start()
 *
 * What is saved: the time, the state there, counters, what events and budgets count by, and what a run and its model
 * keep of events. What is not: the history of the steps, J, factors, patterns that were learnt. A solver that has
 * loaded begins at order 1, as behind an event, and finds the rest anew. So it gives other bits than the solver that
 * was saved and went on; but any two that have loaded the same bytes give the same ones. A program whose results must
 * not depend on interruptions goes on from what it saved, too: at moments that do not depend on clocks, such as each
 * 10,000 steps, it saves, makes new handles, loads, and frees the old ones. The command `resida solve --checkpoint`
 * does that.
 *
 * The same bits need the same model, options, version of this library and of SUNDIALS, and a processor of the same
 * kind. A model's callbacks have to depend on their arguments alone; what its event() remembers has to be in `state` of
 * resida_model. */
#ifndef RESIDA_CHECKPOINT_H
#define RESIDA_CHECKPOINT_H

#include <resida/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a solver that was started; the solver stays as it is.
 *  @param[in]  note       [note_size] bytes of the caller's own that go with it; NULL with 0
 *  @param[out] bytes      [room] caller's memory; NULL with room 0: only *size is wanted
 *  @param[out] size       bytes that are needed, and were written where there was room
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, also for a room > 0 that is too small, with nothing written;
 *          RESIDA_ERR_STATE before a start; RESIDA_ERR_OPTION with call_cost = "measured", whose runs do not repeat,
 *          and with profile; RESIDA_ERR_MODEL with contacts that hold, which resida_run_save() keeps
 *  Cost: no call; some kB and the state are copied. */
RESIDA_API resida_status resida_solver_save(resida_solver *s, const void *note, size_t note_size, void *bytes,
                                            size_t room, size_t *size);

/** Start a solver that was not started yet from what resida_solver_save() wrote. Budgets of steps and residual calls,
 *  time_limit_s, t_stop, threads, monitor and observer may be other ones, all else that is given to problem and solver
 *  must be the same.
 *  @param[in] o     as in resida_solver_start(): those of the first start; of a general DAE NULL
 *  @param[in] bytes [size]
 *  @return as resida_solver_start(), resida_solver_start_dae(); RESIDA_ERR_STATE: the solver was started before;
 *          RESIDA_ERR_ARGUMENT: the bytes are no checkpoint, cut, damaged, of another machine, version, problem or
 *          option, which is named; RESIDA_ERR_MEMORY. After a failure the solver is not started.
 *  Cost: that of a start. */
RESIDA_API resida_status resida_solver_load(resida_solver *s, const resida_start_options *o, const void *bytes,
                                            size_t size);

/** As resida_solver_save(), of a run, with what it and its model keep of events; reasons are in the solver's message.
 *  @return as resida_solver_save(); RESIDA_ERR_STATE also where the model ended the run, or an event has failed;
 *          RESIDA_ERR_MODEL: the model
 *          has an event() and does not say that its `state` is all that it remembers */
RESIDA_API resida_status resida_run_save(resida_run *run, const void *note, size_t note_size, void *bytes, size_t room,
                                         size_t *size);

/** As resida_solver_load(), of a run: instead of resida_run_start(), and of the same model. Its event() is asked with
 *  RESIDA_AT_START, then its `state` is put back.
 *  @return as resida_solver_load(); RESIDA_ERR_USER: event() failed */
RESIDA_API resida_status resida_run_load(resida_run *run, const resida_start_options *o, const void *bytes,
                                         size_t size);

/** Are the bytes a whole checkpoint of this machine and version? And the caller's note in it.
 *  @param[in]  bytes      [size]
 *  @param[out] note       [note_size] within bytes, which is not aligned; NULL: not wanted
 *  @param[out] note_size  or NULL
 *  @param[out] why        or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT with the reason */
RESIDA_API resida_status resida_checkpoint_note(const void *bytes, size_t size, const void **note, size_t *note_size,
                                                resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
