/* solver_checkpoint.h - a state as bytes, for the checkpoint of a solver and for callers that add parts to it. One
 * function both writes and reads a part, so that the order of parts is defined once.
 *
 *     head: "resida state\n", numbers of this format and machine, size of all
 *     versions, the caller's note, the parts of the state, each put by rsd_image_put()
 *     hash of all before (FNV-1a, 64 bits), which detects a change of any one byte */
#ifndef RSD_SOLVER_CHECKPOINT_H
#define RSD_SOLVER_CHECKPOINT_H

#include "src/core/solver/solver_impl.h"

#include <stddef.h>
#include <stdint.h>

typedef struct rsd_image {
    unsigned char *bytes;      /* of a writer; NULL: only the size is computed */
    const unsigned char *from; /* of a reader; NULL: this is a writer */
    size_t size, at;           /* total size; present position */
    int is_short;              /* 1: a reader requested more bytes than there are */
    resida_message *why;
} rsd_image;

enum { RSD_IMAGE_WORD = 256 };

/** Write x [size] to the image, or read it from there. If too few bytes remain, x becomes 0. */
void rsd_image_put(rsd_image *m, void *x, size_t size);

/** Write a word, truncated to RSD_IMAGE_WORD - 1 letters, or read one. `read` is the word of the image, or of the
 *  writer. Return 1 if it equals `word`. */
int rsd_image_word(rsd_image *m, const char *word, char read[RSD_IMAGE_WORD]);

/** Begin to write into bytes [size]. If bytes is NULL, only the size is computed. */
rsd_image rsd_image_write(void *bytes, size_t size, const void *note, size_t note_size);

/** Write the checksum. Afterwards image->at is the total size. */
void rsd_image_close(rsd_image *m);

/** Check the bytes and begin to read after the note. note and note_size, which may be NULL, are set. Return RESIDA_OK,
 *  or RESIDA_ERR_ARGUMENT with the defect of the bytes. */
resida_status rsd_image_read(rsd_image *m, const void *bytes, size_t size, const void **note, size_t *note_size,
                             resida_message *why);

/** Write the kind of the state, the first part after the note, or check it. A reader fails for another kind. */
resida_status rsd_checkpoint_kind(rsd_image *m, const char *kind);

/** Write n numbers, or check that they are equal to those of the image. Return RESIDA_OK, or RESIDA_ERR_ARGUMENT with
 *  the name of the first one that differs. */
resida_status rsd_checkpoint_each(rsd_image *m, const char *name, const double *each, int n);

/** Check that the solver can be saved. Return RESIDA_OK, RESIDA_ERR_STATE or RESIDA_ERR_OPTION. */
resida_status rsd_checkpoint_allowed(resida_solver *s);

/** Write the state of the solver. */
void rsd_checkpoint_write(rsd_image *m, resida_solver *s);

/** Read the state of a solver, and start the solver with it. */
resida_status rsd_checkpoint_read(rsd_image *m, resida_solver *s, const resida_start_options *o);

/** A function that writes the parts of `self`. */
typedef void rsd_checkpoint_fn(rsd_image *m, void *self);

/** The destination and the note: the arguments of resida_solver_save(). */
typedef struct rsd_checkpoint_to {
    const void *note;
    size_t note_size;
    void *bytes;
    size_t room, *size;
} rsd_checkpoint_to;

/** Save the parts that `write` writes. Return RESIDA_OK, or RESIDA_ERR_ARGUMENT if an argument is NULL or too small. */
resida_status rsd_checkpoint_save(const rsd_checkpoint_to *to, rsd_checkpoint_fn *write, void *self,
                                  resida_message *why);

#endif
