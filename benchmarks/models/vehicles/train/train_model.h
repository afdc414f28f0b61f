/* train_model.h - the train for its own files: a mb_system with track, profiles and wheel loads. */
#ifndef BENCH_TRAIN_MODEL_H
#define BENCH_TRAIN_MODEL_H

#include <resida/model.h>

#include "benchmarks/multibody/system/system.h"
#include "train_irregular.h"
#include "train_recall.h"
#include "train_track.h"

/** Constants of a carriage: indices of bodies (and track frames), numbers of coordinates and wheels. */
enum {
    TRAIN_CAR,
    TRAIN_BOGIE_FRONT,
    TRAIN_REAR = 3, /**< offset from a body of the front bogie to that of the rear one */
    TRAIN_BODIES = 7,
    TRAIN_COORDINATES = 41,
    TRAIN_WHEELSETS = 4,
    TRAIN_WHEELS = 8
};

#define TRAIN_PITCH   26.4 /**< distance of successive carriages [m] */
#define TRAIN_GRAVITY 9.81 /**< [m/s^2] */

typedef struct train {
    mb_system system; /**< first: user of the mechanism */
    train_track track;
    train_profiles profiles;
    train_recall *recall; /**< recent contacts, the only member that callbacks modify; NULL: none are stored */
    int carriages;
    int rough; /**< 1: dampers with dry friction, irregular rails */
} train;

/** Data for creep forces in addition to the states of the bodies. */
typedef struct train_loads {
    const double *p, *lam; /**< lam [n_g]: loads of the wheels */
} train_loads;

/** Create bodies and force elements of all carriages. @return 0; 1 if memory is exhausted, with a message in `why` */
int train_assemble(train *c, resida_message *why);

/** Return the body index of wheelset w, counted through all carriages. */
int train_wheelset(int w);

/** Return the arc length of the frame of a body at t = 0 [m]. */
double train_place(int body);

/** Return the arc length from the frame of the parent to that of a body; 0 without parent [m]. */
double train_ahead(int body);

/** Return the index of the body whose frame is the parent of the frame of `body`; -1 for the first carriage. */
int train_parent(int body);

/** Return the number of excitations: TRAIN_U for each frame, and on a rough line TRAIN_IRREGULAR for each wheelset. */
int train_excitations(const train *c);

/** Return the irregularities of wheelset w in u or its derivatives; on a rough line only. */
const double *train_irregular(const train *c, const double *u, int w);

/** Return the track under a wheelset (u: excitations). */
train_rail_shape train_shape(const double *u, int wheelset);

/** Compute the contacts of both wheels of wheelset w at p, u; book: the caller's, or NULL. @return as
 *  train_contact() */
int train_contacts(const train *c, train_book *book, int w, const double *p, const double *u, train_pair *pair);

/** Add the creep forces, an `extra` of mb_system; context: a train_loads. */
int train_creep(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                mb_wrench *wrench);

/** Compute the row of G of a wheel, in the order of the coordinates of its wheelset. */
void train_row(const train_touch *touch, double *row);

/** Return the first coordinate of the wheelset of a wheel; wheels 2 w, 2 w + 1: left and right wheel of wheelset w. */
int train_first(const train *c, int wheel);

/** Create the parts of the drawing, which are freed with the model; NULL if memory is exhausted. Compute their points
 *  at t, p. Defined in train_shape.c.
 *  @param[in] loads  names of the outputs of the wheels [n_g] */
resida_part *train_parts(train *c, const char *const *loads, int *n);
int train_points(const train *c, double t, const double *p, double *xyz);

/** @name Callbacks of a resida_mechanism @{ */
resida_residual_lam_fn train_residual;
resida_acceleration_lam_fn train_acceleration;
resida_position_fn train_constraint, train_constraint_matrix, train_velocity_bias;
resida_excitation_fn train_excitation;
/** @} */

#endif
