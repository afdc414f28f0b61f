/* tree.h - trees of bodies connected by joints to moving frames of reference (roots), and their states.
 *
 * Each root has its own tree. Position, velocity and angular velocity of a body are relative to its root and expressed
 * in the axes of the root. Therefore a root far from the origin (a track frame that follows a curve) causes no loss of
 * digits. The motion of the root causes inertial forces, see mb_inertial(). Bodies of different roots are coupled by
 * force elements, for which the relative pose of the roots is given (force.h).
 *
 * A tree is not modified after its construction, and states are memory of the caller, therefore a tree can be shared by
 * threads. */
#ifndef MB_TREE_H
#define MB_TREE_H

#include <resida/status.h>

#include "joint.h"

/** Maximum number of bodies: states are on the stack, about 2 kB per body. */
enum { MB_MAX_BODIES = 512 };

/** Parent index that means root k. */
#define MB_ROOT(k) (-1 - (k))

typedef struct mb_body {
    int parent;     /**< index of a preceding body, or MB_ROOT(k) */
    int root;       /**< index of the root of its tree */
    double mass;    /**< [kg], 0 for a massless frame between driven joints */
    mb_vec inertia; /**< principal moments about the centre of mass, in its axes [kg m^2] */
    mb_joint joint; /**< to the parent */
    int first, n;   /**< its free coordinates: first .. first + n - 1 of p */
} mb_body;

typedef struct mb_tree {
    int n_body, n_q, n_root, capacity;
    mb_body *body; /**< [n_body], parents before children */
} mb_tree;

/** Create an empty tree with memory for `capacity` bodies.
 *  @return 0; 1 if memory is exhausted, or for more than MB_MAX_BODIES, with a message in `why` */
int mb_tree_open(mb_tree *tree, int capacity, resida_message *why);
void mb_tree_close(mb_tree *tree);

/** Add a body; its free coordinates are the next components of p. @return its index */
int mb_tree_add(mb_tree *tree, int parent, double mass, mb_vec inertia, mb_joint joint);

/** Return the index in p of coordinate `which` (MB_X ...) of a body, or -1 if it is not free. */
int mb_coordinate(const mb_tree *tree, int body, int which);

/** Motion of a root, in its own axes. */
typedef struct mb_root {
    mb_vec v;  /**< velocity of its origin [m/s]; used by force laws only */
    mb_vec w;  /**< angular velocity [rad/s] */
    mb_vec al; /**< angular acceleration [rad/s^2] */
    mb_vec a;  /**< acceleration of its origin minus gravity: (0, 0, g) at rest [m/s^2] */
} mb_root;

/** Prescribed motion: the roots, and values, rates, accelerations of the driven coordinates. */
typedef struct mb_motion {
    const mb_root *root;        /**< [n_root] */
    const double *s, *sd, *sdd; /**< indexed by mb_joint.drive */
} mb_motion;

/** State of a body at (p, v), relative to its root and in the axes of the root. */
typedef struct mb_state {
    mb_mat R;     /**< axes of the body */
    mb_vec r, v;  /**< position and velocity of the centre of mass */
    mb_vec w;     /**< angular velocity; for a rotor without its spin, i.e. of points that do not spin */
    mb_vec spin;  /**< additional angular velocity of a rotor */
    double angle; /**< coordinate theta of a rotor */
    mb_vec arm;   /**< position of the centre of mass relative to that of the parent (or to the origin of the root) */
    int n;
    mb_vec lin[MB_SIX], ang[MB_SIX]; /**< velocity and angular velocity for unit rate of each free coordinate */
    mb_vec lin_bias, ang_bias;       /**< acceleration for v' = 0 and a parent without acceleration */
} mb_state;

/** Compute the states of all bodies.
 *  @param[in]  p, v   [n_q]; v NULL: at rest
 *  @param[out] state  [n_body] */
void mb_place(const mb_tree *tree, const double *p, const double *v, const mb_motion *motion, mb_state *state);

/** Compute the state of body i only.
 *  @param[in]  parent  the state of its parent, or mb_root_state() if the parent is a root
 *  @param[out] state   [1] */
void mb_place_body(const mb_tree *tree, int i, const mb_state *parent, const double *p, const double *v,
                   const mb_motion *motion, mb_state *state);

/** Return the state of a root in its own axes. */
mb_state mb_root_state(void);

/** A force, and a moment about the centre of mass. */
typedef struct mb_wrench {
    mb_vec f, m;
} mb_wrench;

/** Compute the part of acceleration and angular acceleration of a body that is not relative to its root: acceleration
 *  of the root, including gravity and the Coriolis terms. */
void mb_inertial(const mb_root *root, const mb_state *b, mb_vec *lin, mb_vec *ang);

/** Return the absolute angular velocity of a body, including its spin. */
mb_vec mb_turning(const mb_root *root, const mb_state *b);

#endif
