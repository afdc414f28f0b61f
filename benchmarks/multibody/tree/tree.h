/* tree.h - bodies that hang on joints, down from moving frames of reference (roots), and where they are.
 *
 * Every root has its own tree, and all that is said of a body is said in the axes of its root and relative to it:
 * position, velocity, angular velocity. A root far from everything (a track frame that runs through a curve) costs no
 * digits that way. Its motion enters as inertial forces, see mb_inertial(). Bodies of different roots meet in force
 * elements that are given the pose of one root in the other (force.h).
 *
 * A tree is built once and then only read; states are memory of the caller. So one tree serves any number of
 * threads. */
#ifndef MB_TREE_H
#define MB_TREE_H

#include <resida/status.h>

#include "joint.h"

/** No tree is larger: states are kept on the stack, some 2 kB for each body. */
enum { MB_MAX_BODIES = 512 };

/** A parent that is root number k. */
#define MB_ROOT(k) (-1 - (k))

typedef struct mb_body {
    int parent;     /**< number of a body before it, or MB_ROOT(k) */
    int root;       /**< number of the root it hangs on in the end */
    double mass;    /**< [kg], 0 for a massless frame between driven joints */
    mb_vec inertia; /**< principal moments about the centre of mass, in its axes [kg m^2] */
    mb_joint joint; /**< to the parent */
    int first, n;   /**< its free coordinates: first .. first + n - 1 of p */
} mb_body;

typedef struct mb_tree {
    int n_body, n_q, n_root, capacity;
    mb_body *body; /**< [n_body], parents before children */
} mb_tree;

/** An empty tree with room for `capacity` bodies.
 *  @return 0; 1 without memory, or for more than MB_MAX_BODIES: then `why` says so */
int mb_tree_open(mb_tree *tree, int capacity, resida_message *why);
void mb_tree_close(mb_tree *tree);

/** Add a body; its free coordinates are the next ones of p. @return its number */
int mb_tree_add(mb_tree *tree, int parent, double mass, mb_vec inertia, mb_joint joint);

/** The number of coordinate `which` (MB_X ...) of a body in p; -1 when it is not free. */
int mb_coordinate(const mb_tree *tree, int body, int which);

/** How a root moves, in its own axes. */
typedef struct mb_root {
    mb_vec v;  /**< velocity of its origin [m/s]; only force laws look at it */
    mb_vec w;  /**< angular velocity [rad/s] */
    mb_vec al; /**< angular acceleration [rad/s^2] */
    mb_vec a;  /**< acceleration of its origin minus gravity: (0, 0, g) at rest [m/s^2] */
} mb_root;

/** What is given by time: the roots, and values, rates, accelerations of the driven coordinates. */
typedef struct mb_motion {
    const mb_root *root;        /**< [n_root] */
    const double *s, *sd, *sdd; /**< by the numbers of mb_joint.drive */
} mb_motion;

/** A body at (p, v), all in the axes of its root and relative to it. */
typedef struct mb_state {
    mb_mat R;     /**< its axes */
    mb_vec r, v;  /**< its centre of mass */
    mb_vec w;     /**< its angular velocity; of a rotor without its spin: that of the points which do not spin */
    mb_vec spin;  /**< what a rotor has besides */
    double angle; /**< of a rotor: its coordinate theta */
    mb_vec arm;   /**< its centre of mass from that of the parent (or from the origin of the root) */
    int n;
    mb_vec lin[MB_SIX], ang[MB_SIX]; /**< velocity and angular velocity for each free coordinate at rate 1 */
    mb_vec lin_bias,
        ang_bias; /**< acceleration that free coordinates at v' = 0 and a parent without acceleration leave */
} mb_state;

/** @param[in]  p, v   [n_q]; v NULL: at rest
 *  @param[out] state  [n_body] */
void mb_place(const mb_tree *tree, const double *p, const double *v, const mb_motion *motion, mb_state *state);

/** The same of body i alone.
 *  @param[in]  parent  the state of its parent; mb_root_state() when it hangs on a root
 *  @param[out] state   [1] */
void mb_place_body(const mb_tree *tree, int i, const mb_state *parent, const double *p, const double *v,
                   const mb_motion *motion, mb_state *state);

/** A root in its own axes. */
mb_state mb_root_state(void);

/** Force and moment about the centre of mass. */
typedef struct mb_wrench {
    mb_vec f, m;
} mb_wrench;

/** Acceleration and angular acceleration of a body besides those relative to its root: what the root adds, gravity
 *  included, with the Coriolis terms. */
void mb_inertial(const mb_root *root, const mb_state *b, mb_vec *lin, mb_vec *ang);

/** Angular velocity of a body, absolute and with its spin. */
mb_vec mb_turning(const mb_root *root, const mb_state *b);

#endif
