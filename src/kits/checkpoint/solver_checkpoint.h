/* solver_checkpoint.h - a state as bytes, and that of a solver, for those who put more into it: what is written is read
 * by the same function, so that each thing is said once.
 *
 *     head: "resida state\n", numbers of this format and machine, size of all
 *     versions, the caller's note, the parts of the state, each put by rsd_image_put()
 *     hash of all before (FNV-1a, 64 bits): a change of any one byte shows */
#ifndef RSD_SOLVER_CHECKPOINT_H
#define RSD_SOLVER_CHECKPOINT_H

#include "src/core/solver/solver_impl.h"

#include <stddef.h>
#include <stdint.h>

typedef struct rsd_image {
    unsigned char *bytes;      /* of a writer; NULL: the size alone is wanted */
    const unsigned char *from; /* of a reader; NULL: this is a writer */
    size_t size, at;           /* of all; where it is */
    int is_short;              /* a reader found less than it asked for */
    resida_message *why;
} rsd_image;

enum { RSD_IMAGE_WORD = 256 };

/** x [size] to the image, or from it, where it becomes 0 if there is too little. */
void rsd_image_put(rsd_image *m, void *x, size_t size);

/** A word: what is longer is cut. A reader gets that of the image into `read`. 1: both are the same. */
int rsd_image_word(rsd_image *m, const char *word, char read[RSD_IMAGE_WORD]);

/** Begin to write, into bytes [size]; NULL: only to count. */
rsd_image rsd_image_write(void *bytes, size_t size, const void *note, size_t note_size);

/** The end; without bytes: image->at is the size of all then. */
void rsd_image_close(rsd_image *m);

/** Begin to read, after the note, which is returned where wanted. RESIDA_ERR_ARGUMENT: what is wrong with the
 *  bytes. */
resida_status rsd_image_read(rsd_image *m, const void *bytes, size_t size, const void **note, size_t *note_size,
                             resida_message *why);

/** Whose state it is: the first part after the note. A reader refuses another kind. */
resida_status rsd_checkpoint_kind(rsd_image *m, const char *kind);

/** Numbers that have to be the same, [n]. RESIDA_ERR_ARGUMENT: the first one that is not, by its name. */
resida_status rsd_checkpoint_each(rsd_image *m, const char *name, const double *each, int n);

/** May it be saved? RESIDA_ERR_STATE, _OPTION with the solver's message. */
resida_status rsd_checkpoint_allowed(resida_solver *s);

/** Write all that is the solver's. */
void rsd_checkpoint_write(rsd_image *m, resida_solver *s);

/** Read it, and start the solver with it. */
resida_status rsd_checkpoint_read(rsd_image *m, resida_solver *s, const resida_start_options *o);

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
