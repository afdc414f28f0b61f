/* solver_checkpoint.h - the state of a solver in an image, for those who put more into it. */
#ifndef RSD_SOLVER_CHECKPOINT_H
#define RSD_SOLVER_CHECKPOINT_H

#include "image.h"
#include "solver_impl.h"

/** Whose state it is: what is before all others behind the note. A reader refuses another kind. */
resida_status rsd_checkpoint_kind(rsd_image *m, const char *kind);

/** May it be saved? RESIDA_ERR_STATE, _OPTION with the solver's message. */
resida_status rsd_checkpoint_allowed(resida_solver *s);

/** Write all that is the solver's. */
void rsd_checkpoint_write(rsd_image *m, resida_solver *s);

/** Read it, and start the solver with it. */
resida_status rsd_checkpoint_read(rsd_image *m, resida_solver *s, const resida_start_options *o);

/** Counters from before a load, added to those since. */
void rsd_checkpoint_add(resida_stats *stats, const resida_stats *before);

/** What to write, with `self`. */
typedef void rsd_checkpoint_fn(rsd_image *m, void *self);

/** Where, and with which note: the arguments of resida_solver_save(). */
typedef struct rsd_checkpoint_to {
    const void *note;
    size_t note_size;
    void *bytes;
    size_t room, *size;
} rsd_checkpoint_to;

/** RESIDA_ERR_ARGUMENT: something is missing, or not long enough. */
resida_status rsd_checkpoint_save(const rsd_checkpoint_to *to, rsd_checkpoint_fn *write, void *self,
                                  resida_message *why);

#endif
