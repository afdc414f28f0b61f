/* train_model.h - the train as its own files share it: a mb_system with track, profiles and wheel loads. */
#ifndef BENCH_TRAIN_MODEL_H
#define BENCH_TRAIN_MODEL_H

#include <resida/model.h>

#include "benchmarks/multibody/system/system.h"
#include "train_irregular.h"
#include "train_recall.h"
#include "train_track.h"

/** A carriage: bodies (and track frames) in this order, coordinates, wheels. */
enum {
    TRAIN_CAR,
    TRAIN_BOGIE_FRONT,
    TRAIN_REAR = 3, /**< from a body of the front bogie to that of the rear one */
    TRAIN_BODIES = 7,
    TRAIN_COORDINATES = 41,
    TRAIN_WHEELSETS = 4,
    TRAIN_WHEELS = 8
};

#define TRAIN_PITCH   26.4 /**< from one carriage to the next [m] */
#define TRAIN_GRAVITY 9.81 /**< [m/s^2] */

typedef struct train {
    mb_system system; /**< first: user of the mechanism */
    train_track track;
    train_profiles profiles;
    train_recall *recall; /**< contacts found lately, the only part that callbacks write to; NULL: none are kept */
    int carriages;
    int rough; /**< 1: dampers that stick, rails that are irregular */
} train;

/** What creep forces look at besides the states of the bodies. */
typedef struct train_loads {
    const double *p, *lam; /**< lam [n_g]: loads of the wheels */
} train_loads;

/** Bodies and force elements of all carriages. @return 0; 1 without memory, then `why` says so */
int train_assemble(train *c, resida_message *why);

/** Body number of wheelset w, counted through all carriages. */
int train_wheelset(int w);

/** Arc length of the frame of a body at t = 0 [m]. */
double train_place(int body);

/** That, from the frame of its parent; 0 when there is none [m]. */
double train_ahead(int body);

/** Number of the body in whose frame that of `body` is described; -1 for the first carriage. */
int train_parent(int body);

/** Number of excitations: TRAIN_U for each frame, and on a rough line TRAIN_IRREGULAR for each wheelset. */
int train_excitations(const train *c);

/** Those of wheelset w besides its frame, in u or its derivatives; only on a rough line. */
const double *train_irregular(const train *c, const double *u, int w);

/** The track under a wheelset (u: excitations). */
train_rail_shape train_shape(const double *u, int wheelset);

/** Contacts of both wheels of wheelset w at p, u; book: of the caller, or NULL. @return as train_contact() */
int train_contacts(const train *c, train_book *book, int w, const double *p, const double *u, train_pair *pair);

/** Creep forces, an `extra` of mb_system; context: a train_loads. */
int train_creep(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                mb_wrench *wrench);

/** The row of G of a wheel, in the order of the coordinates of its wheelset. */
void train_row(const train_touch *touch, double *row);

/** First coordinate of the wheelset of a wheel; wheels 2 w and 2 w + 1 are the left and the right one of wheelset w. */
int train_first(const train *c, int wheel);

/** What it looks like: parts that live as long as the train, which is the memory of a model; NULL without memory. Their
 *  points at t, p. train_shape.c
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
