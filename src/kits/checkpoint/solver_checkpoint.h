/* solver_checkpoint.h - the state of a solver as bytes. A caller may add data of its own. Each function both writes and
 * reads, so that the order of the data is defined once.
 *
 *     header: "resida state\n", numbers that identify format and machine, total size
 *     versions, the caller's note, the data, written by rsd_image_transfer()
 *     FNV-1a hash (64 bits) of all bytes before, which detects any single changed byte */
#ifndef RSD_SOLVER_CHECKPOINT_H
#define RSD_SOLVER_CHECKPOINT_H

#include "src/core/solver/solver_impl.h"

#include <stddef.h>
#include <stdint.h>

typedef struct rsd_image {
    unsigned char *bytes;      /* memory of a written image; NULL: only the size is computed */
    const unsigned char *from; /* memory of a read image; NULL: the image is written */
    size_t size, at;           /* size of the image; position of the next datum [bytes] */
    int is_short;              /* 1: more bytes were read than the image has */
    resida_message *why;       /* message of a failure */
} rsd_image;

enum { RSD_IMAGE_WORD = 256 }; /* maximum size of a text in an image */

/** Write x [size] to the image, or read it. If too few bytes remain, x is set to 0. */
void rsd_image_transfer(rsd_image *m, void *x, size_t size);

/** Write a word of at most RSD_IMAGE_WORD - 1 letters, or read one. `read` receives the word in the image. Return 1 if
 *  it equals `word`. */
int rsd_image_transfer_word(rsd_image *m, const char *word, char read[RSD_IMAGE_WORD]);

/** Begin to write an image to bytes [size], with the head and the note. If bytes is NULL, only the size is computed. */
rsd_image rsd_image_write(void *bytes, size_t size, const void *note, size_t note_size);

/** Write the checksum of an image. Afterwards image->at is the total size in bytes. */
void rsd_image_close(rsd_image *m);

/** Check the bytes and start reading after the note. note and note_size may be NULL. Return RESIDA_OK, or
 *  RESIDA_ERR_ARGUMENT with the reason. */
resida_status rsd_image_read(rsd_image *m, const void *bytes, size_t size, const void **note, size_t *note_size,
                             resida_message *why);

/** Write the kind of the state as the first word after the note, or check that it equals the kind in the image. */
resida_status rsd_checkpoint_transfer_kind(rsd_image *m, const char *kind);

/** Write n numbers, or check that they equal the numbers of the image. Return RESIDA_OK, or RESIDA_ERR_ARGUMENT with
 *  the name of the first number that differs. */
resida_status rsd_checkpoint_transfer_array(rsd_image *m, const char *name, const double *each, int n);

/** Check that the solver can be saved. Return RESIDA_OK, RESIDA_ERR_STATE or RESIDA_ERR_OPTION. */
resida_status rsd_checkpoint_check_solver(resida_solver *s);

void rsd_checkpoint_write(rsd_image *m, resida_solver *s);

/** Read the state of a solver from an image, and start the solver at the state read. */
resida_status rsd_checkpoint_read(rsd_image *m, resida_solver *s, const resida_start_options *o);

/** A function that writes the data of `self` to an image. */
typedef void rsd_checkpoint_fn(rsd_image *m, void *self);

/** Arguments of resida_solver_save(): destination and note of the image. */
typedef struct rsd_checkpoint_to {
    const void *note;   /* bytes of the caller, saved in the image; may be NULL */
    size_t note_size;   /* size of the note [bytes] */
    void *bytes;        /* memory for the image; NULL: only the size is computed */
    size_t room, *size; /* size of `bytes`; output: size of the image [bytes] */
} rsd_checkpoint_to;

/** Write an image with the data that `write` adds. Return RESIDA_OK, or RESIDA_ERR_ARGUMENT if an argument is NULL or
 *  too small. */
resida_status rsd_checkpoint_save(const rsd_checkpoint_to *to, rsd_checkpoint_fn *write, void *self,
                                  resida_message *why);

#endif
