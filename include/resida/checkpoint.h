/* resida/checkpoint.h - the state of an integration as bytes, for continuation in another process.
 *
 * To save, call resida_run_save() or resida_solver_save(). To continue, create the same problem, solver and run, and
 * call resida_run_load() or resida_solver_load() in place of the start (examples/event_loop.c). A loaded solver begins
 * at order 1, without history, J and learnt patterns. All solvers that load the same bytes give the same bits, but not
 * those of the saved solver (doc/checkpoints.md). Callbacks must depend on their arguments only, and event() must have
 * its memory in `state` of resida_model. */
#ifndef RESIDA_CHECKPOINT_H
#define RESIDA_CHECKPOINT_H

#include <resida/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Save a started solver, which does not change. Cost: a copy of the state and some kB.
 *  @param[in]  note   [note_size] bytes of the caller, saved with it; NULL with 0
 *  @param[out] bytes  [room]; NULL with room 0: only *size is returned
 *  @param[out] size   bytes that are needed, and written if room suffices
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also: 0 < room < size, nothing is written;
 *          RESIDA_ERR_OPTION: call_cost = "measured", or profile;
 *          RESIDA_ERR_MODEL: contacts that hold; save the run */
RESIDA_API resida_status resida_solver_save(resida_solver *s, const void *note, size_t note_size, void *bytes,
                                            size_t room, size_t *size);

/** Start a new solver from a checkpoint, at the cost of a start. Options must be the same, except max_steps,
 *  max_residuals, time_limit_s, t_stop, threads, monitor and observer.
 *  @param[in] o      options of the first start; NULL for a general DAE
 *  @param[in] bytes  [size]
 *  @return as resida_solver_start(), resida_solver_start_dae(); RESIDA_ERR_STATE: the solver was started before;
 *          RESIDA_ERR_ARGUMENT: not a checkpoint, damaged, or of another machine, version, problem or option */
RESIDA_API resida_status resida_solver_load(resida_solver *s, const resida_start_options *o, const void *bytes,
                                            size_t size);

/** Save a run, with the data of events; messages are those of the solver.
 *  @return as resida_solver_save(); RESIDA_ERR_STATE also if the model ended the run or an event failed;
 *          RESIDA_ERR_MODEL: the model has an event(), and neither state_is_all nor save() */
RESIDA_API resida_status resida_run_save(resida_run *run, const void *note, size_t note_size, void *bytes, size_t room,
                                         size_t *size);

/** Start a run of the same model from a checkpoint. event() is called with RESIDA_AT_START, then its `state` is
 *  restored.
 *  @return as resida_solver_load(); RESIDA_ERR_USER: event() failed */
RESIDA_API resida_status resida_run_load(resida_run *run, const resida_start_options *o, const void *bytes,
                                         size_t size);

/** Check that bytes are a complete checkpoint of this machine and version, and get its note.
 *  @param[in]  bytes      [size]
 *  @param[out] note       [note_size] within bytes, not aligned; may be NULL
 *  @param[out] note_size  may be NULL */
RESIDA_API resida_status resida_checkpoint_note(const void *bytes, size_t size, const void **note, size_t *note_size,
                                                resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
