/* train_recall.h - the contacts of a wheelset, recalled where they were found lately.
 *
 * g, G, gI and the creep forces at one state need the same contacts, and a difference quotient moves some wheelsets and
 * leaves the others where they are. So the last contacts of each wheelset are kept, with all that they depend on, and
 * are recalled when it is the same bit by bit: whether recalled or computed, they are the same bits.
 *
 * Any number of threads may call: each takes a book of its own for the time of a callback, and goes without when none
 * is left. */
#ifndef BENCH_TRAIN_RECALL_H
#define BENCH_TRAIN_RECALL_H

#include "train_contact.h"

/** All that the contacts of a wheelset at z = 0 depend on; x on a straight track: 0. */
typedef struct train_pose {
    double x, y, phi, psi;
    train_rail_shape shape;
} train_pose;

/** Contacts of the left and of the right wheel. */
typedef struct train_pair {
    train_touch wheel[2];
} train_pair;

typedef struct train_recall train_recall; /**< all books */
typedef struct train_book train_book;     /**< of one caller */

/** Books for so many wheelsets. @return NULL without memory, then `why` says so */
train_recall *train_recall_make(int wheelsets, resida_message *why);
void train_recall_free(train_recall *all);

/** A book for the calling thread alone, until it is put back; NULL when none is left, or there are none at all. */
train_book *train_book_take(train_recall *all);
void train_book_put(train_book *book);

/** What wheelset w had in this pose; NULL when it is not in the book, or without one. */
const train_pair *train_book_find(const train_book *book, int w, const train_pose *pose);

/** Keep it, in the place of the oldest of the wheelset. */
void train_book_keep(train_book *book, int w, const train_pose *pose, const train_pair *pair);

#endif
