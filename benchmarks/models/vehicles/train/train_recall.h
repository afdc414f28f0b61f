/* train_recall.h - stores recent contacts of each wheelset to avoid repeated computation.
 *
 * g, G, gI and the creep forces at one state require the same contacts, and a difference quotient perturbs some
 * wheelsets but not the others. Therefore the last contacts of each wheelset are stored with all data on which they
 * depend. They are reused if these data are bitwise equal, thus results do not depend on the reuse.
 *
 * Functions are thread-safe: each thread takes a book for the time of a callback. If no book is available, contacts are
 * computed. */
#ifndef BENCH_TRAIN_RECALL_H
#define BENCH_TRAIN_RECALL_H

#include "train_contact.h"

/** All data that determine the contacts of a wheelset at z = 0; on a straight track x is 0. */
typedef struct train_pose {
    double x, y, phi, psi;
    train_rail_shape shape;
} train_pose;

/** Contacts of the left and of the right wheel. */
typedef struct train_pair {
    train_touch wheel[2];
} train_pair;

typedef struct train_recall train_recall; /**< all books */
typedef struct train_book train_book;     /**< book of one caller */

/** Create books for this number of wheelsets. @return NULL if memory is exhausted, with a message in `why` */
train_recall *train_recall_make(int wheelsets, resida_message *why);
void train_recall_free(train_recall *all);

/** Take a book for exclusive use by the calling thread until it is put back; NULL if none is available. */
train_book *train_book_take(train_recall *all);
void train_book_put(train_book *book);

/** Return the contacts of wheelset w in this pose; NULL if they are not stored or book is NULL. */
const train_pair *train_book_find(const train_book *book, int w, const train_pose *pose);

/** Store contacts, replacing the oldest ones of the wheelset. */
void train_book_keep(train_book *book, int w, const train_pose *pose, const train_pair *pair);

#endif
