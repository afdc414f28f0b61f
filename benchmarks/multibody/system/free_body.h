/* free_body.h - rigid bodies in maximal coordinates: each body has six velocities, and joints are constraints between
 * bodies.
 *
 *     p = (r, q) of each body: centre of mass, and Euler parameters of the rotation from body axes to space axes
 *     v = (r', w): w is the angular velocity in the axes of the body, therefore M is constant and diagonal
 *     r' = r',   q' = B(q) w                      T of resida/mechanism.h
 *
 * R(q) divides by |q|^2. The length of q has no effect, and no constraint prescribes it. */
#ifndef FB_FREE_BODY_H
#define FB_FREE_BODY_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/tree/tree.h"

/** Numbers of coordinates p and v of a body and of its entries of T; maximum number of bodies, as poses are on the
 *  stack. */
enum { FB_P = 7, FB_V = 6, FB_T = 15, FB_MAX = 16 };

/** Index of space instead of a body. */
enum { FB_SPACE = -1 };

typedef struct fb_body {
    double mass;
    mb_vec inertia; /**< principal moments about the centre of mass, in body axes */
} fb_body;

/** Pose and motion of a body. */
typedef struct fb_pose {
    mb_mat R;
    mb_vec r, v;
    mb_vec w, w_space; /**< in body axes, and in space axes */
} fb_pose;

/** Constraints between two bodies. */
typedef enum fb_kind {
    FB_MEET,   /**< 3 rows: a point of i and a point of j coincide */
    FB_SQUARE, /**< 1 row: an axis of i and an axis of j are orthogonal */
    FB_LEVEL,  /**< 1 row: the point of j is in the plane through the point of i normal to the axis of i */
    FB_ROD     /**< 1 row: the distance of a point of i and a point of j is constant */
} fb_kind;

typedef struct fb_link {
    fb_kind kind;
    int i, j;               /**< bodies, or FB_SPACE */
    mb_vec point_i, axis_i; /**< in the axes of body i, from its centre of mass */
    mb_vec point_j, axis_j;
    double length; /**< of a rod */
    int drive;     /**< 0: point_i is fixed on i; k: the point is point_i + u[k - 1] travel */
    mb_vec travel; /**< displacement for u = 1, in the axes of body i */
} fb_link;

/** Callbacks that the mechanism has, for tests with less information. */
typedef enum fb_given {
    FB_ALL,    /**< all callbacks and patterns */
    FB_MATRIX, /**< dg/dp, full; no M, biases and patterns */
    FB_ALONE   /**< only g */
} fb_given;

typedef struct fb_system fb_system;

/** Add the applied forces (and moments about centres of mass) in space axes to load, which contains gravity. */
typedef void fb_forces(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load);

/** Bodies and links belong to the caller and must outlive the system; patterns are created by fb_open(). */
struct fb_system {
    int n_body, n_link;
    const fb_body *body;
    const fb_link *link;
    mb_vec gravity;
    fb_forces *forces; /**< or NULL */
    const void *data;  /**< for forces() */
    /** [n_body] bit j of coupled[i]: forces on body i depend on body j; the bit of the body itself is optional. NULL:
     *  unknown, and Phi has no patterns. */
    const unsigned *coupled;
    fb_given given;
    int n_row;           /**< number of constraints; set by fb_open(), as are the following members */
    resida_pattern G, T; /**< of dg/dp, of T */
    int *pattern;        /**< memory of all patterns */
};

/** Create the patterns and set up a mechanism; user is s.
 *  @return 0; 1 if memory is exhausted, for more than FB_MAX bodies, or for more constraints than velocities, with a
 *  message in `why` */
int fb_open(fb_system *s, resida_mechanism *m, resida_message *why);
void fb_close(fb_system *s);

/** Prefixes of the names of p and v of a body, and of a constraint. */
extern const char *const fb_p_names[FB_P], *const fb_v_names[FB_V], *const fb_g_names[1];

/** Units of p and v of a body. */
extern const char *const fb_p_units[FB_P], *const fb_v_units[FB_V];

/** Compute the poses of all bodies at (p, v); v NULL: at rest. */
void fb_place(const fb_system *s, const double *p, const double *v, fb_pose *pose);

/** Return a point of a body in space, and its velocity. For FB_SPACE the point is returned unchanged. */
mb_vec fb_point(const fb_pose *pose, int body, mb_vec point);
mb_vec fb_point_velocity(const fb_pose *pose, int body, mb_vec point);

/** Add a force in space axes that acts at a point of a body to load. */
void fb_push(const fb_pose *pose, int body, mb_vec point, mb_vec force, mb_wrench *load);

/** Multiply quaternions: R(out) = R(q1) R(q2). */
void fb_turn(const double *q1, const double *q2, double *out);

/* --- of the links, free_link.c --- */

enum { FB_ROWS = 3 }; /**< maximum number of rows of a link */

int fb_link_rows(const fb_link *link);

/** Derivative of a row with respect to the motion of a body: g' = f.v + m.w. */
typedef struct fb_row {
    mb_vec f, m;
} fb_row;

/** Compute g [rows]. Here and below, e is used by driven links only. */
void fb_link_value(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *g);

/** Compute the rows of both bodies; on_i, on_j [rows]. */
void fb_link_matrix(const fb_link *link, const resida_excitation *e, const fb_pose *pose, fb_row *on_i, fb_row *on_j);

/** Compute dg/dt [rows] for v = 0, due to driven points. */
void fb_link_rate(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *rate);

/** Compute g'' [rows] for v' = 0. */
void fb_link_bias(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *bias);

/* --- patterns, free_pattern.c --- */

typedef struct fb_patterns {
    resida_pattern M, T, G, Phi_p, Phi_v; /**< row of Phi_p, Phi_v is NULL without `coupled` */
} fb_patterns;

/** Create the patterns in newly allocated memory, s->pattern. @return 0, or 1 if memory is exhausted */
int fb_find_patterns(fb_system *s, fb_patterns *out);

#endif
