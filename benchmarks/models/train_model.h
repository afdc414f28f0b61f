/* train_model.h - the train as its own files share it: a mb_system with track, profiles and wheel loads. */
#ifndef BENCH_TRAIN_MODEL_H
#define BENCH_TRAIN_MODEL_H

#include "system.h"
#include "train_contact.h"
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
    int carriages;
    double static_load; /**< of a wheel, by which forces creep without lam [N] */
} train;

/** What a call of the formalism takes and gives besides. */
typedef struct train_call {
    const double *lam;  /**< [n_g] wheel loads; NULL: the static ones */
    train_touch *touch; /**< [n_g] the contacts that were found on the way, or NULL */
} train_call;

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

/** The contacts of all wheels at the states of the bodies. u: excitations.
 *  @return 0; 1 when a wheel has lost the rail */
int train_touches(const train *c, const double *u, const mb_state *state, train_touch *touch);

/** Creep forces, an `extra` of mb_system; context: train_call or NULL. */
int train_creep(const mb_system *s, const mb_motion *motion, const mb_state *state, void *context, mb_wrench *wrench);

/** The row of G of a wheel, in the order of the coordinates of its wheelset. */
void train_row(const train_touch *touch, double *row);

/** First coordinate of the wheelset of a wheel. */
int train_first(const train *c, int wheel);

/** Part of g that moves with the track: gI of a wheel. ud: excitations. */
double train_rate(const train_touch *touch, int wheel, const double *ud);

/** @name Callbacks of a resida_mechanism @{ */
int train_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user);
int train_constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user);
int train_velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user);
/** @} */

/** The whole in the form of Gear, Gupta and Leimkuhler, a callback of a resida_dae: y = (p, v, lam, eta). */
int train_ggl(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user);

/** The pattern of its Jacobian. @return 0; 1 without memory, then `why` says so; to be freed in both cases */
int train_pattern(const train *c, mb_pattern *pattern, resida_message *why);

/** Equilibrium of one carriage on straight track: p, v [41] and wheel loads lam [8].
 *  @return 0; 1 when none is found, or no memory: then `why` says so */
int train_settle(train *c, double *p, double *v, double *lam, resida_message *why);

#endif
