/* free_body.h - rigid bodies that are not put together by joint coordinates: each has its six velocities, and
 * constraints tie them ("maximal coordinates").
 *
 *     p = (r, q) of each body: its centre of mass, and Euler parameters that turn its axes into those of space
 *     v = (r', w): w is the angular velocity in the axes of the body, so that M is constant and diagonal
 *     r' = r',   q' = B(q) w                      T of resida/mechanism.h
 *
 * R(q) divides by |q|^2: a length of q other than 1 changes nothing, and no constraint asks for it. */
#ifndef FB_FREE_BODY_H
#define FB_FREE_BODY_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/tree/tree.h"

/** Coordinates p and v of a body, its entries of T; most bodies: poses are kept on the stack. */
enum { FB_P = 7, FB_V = 6, FB_T = 15, FB_MAX = 16 };

/** A body that does not move: space itself. */
enum { FB_SPACE = -1 };

typedef struct fb_body {
    double mass;
    mb_vec inertia; /**< principal moments about the centre of mass, in its axes */
} fb_body;

/** Where a body is, and how it moves. */
typedef struct fb_pose {
    mb_mat R;
    mb_vec r, v;
    mb_vec w, w_space; /**< in its own axes, and in those of space */
} fb_pose;

/** What ties two bodies. */
typedef enum fb_kind {
    FB_MEET,   /**< 3 rows: a point of i and a point of j are one */
    FB_SQUARE, /**< 1 row: an axis of i and an axis of j are at right angles */
    FB_LEVEL,  /**< 1 row: the point of j is in the plane through the point of i across the axis of i */
    FB_ROD     /**< 1 row: a point of i and a point of j keep their distance */
} fb_kind;

typedef struct fb_link {
    fb_kind kind;
    int i, j;               /**< bodies, or FB_SPACE */
    mb_vec point_i, axis_i; /**< in the axes of body i, from its centre of mass */
    mb_vec point_j, axis_j;
    double length; /**< of a rod */
    int drive;     /**< 0: point_i stays where it is on i; k: it is at point_i + u[k - 1] travel */
    mb_vec travel; /**< for u = 1, in the axes of body i */
} fb_link;

/** How much of the constraints a mechanism is given. */
typedef enum fb_given {
    FB_ALL,    /**< every callback and every pattern that there is */
    FB_MATRIX, /**< dg/dp, full; neither M nor biases nor patterns */
    FB_ALONE   /**< g alone */
} fb_given;

typedef struct fb_system fb_system;

/** Add the applied forces (and moments about the centres of mass) in the axes of space; gravity is there already. */
typedef void fb_forces(const fb_system *s, const resida_excitation *e, const fb_pose *pose, mb_wrench *load);

/** Bodies and links are the caller's and must outlive it; patterns are made by fb_open(). */
struct fb_system {
    int n_body, n_link;
    const fb_body *body;
    const fb_link *link;
    mb_vec gravity;
    fb_forces *forces; /**< or NULL */
    const void *data;  /**< for forces() */
    /** [n_body] bit j of coupled[i]: what acts on body i depends on body j; NULL: not known, Phi has no patterns. A
     *  body's own bit may be left out. */
    const unsigned *coupled;
    fb_given given;
    int n_row;           /**< constraints; set by fb_open(), as what follows */
    resida_pattern G, T; /**< of dg/dp, of T */
    int *pattern;        /**< memory of all patterns */
};

/** Make the patterns, and fill in a mechanism; user is s.
 *  @return 0; 1 without memory, for more than FB_MAX bodies, or for more constraints than they have velocities: then
 *  `why` says so */
int fb_open(fb_system *s, resida_mechanism *m, resida_message *why);
void fb_close(fb_system *s);

/** Prefixes of the names of p and v of a body, and of a row. */
extern const char *const fb_p_names[FB_P], *const fb_v_names[FB_V], *const fb_g_names[1];

/** All bodies at (p, v); v NULL: at rest. */
void fb_place(const fb_system *s, const double *p, const double *v, fb_pose *pose);

/** A point of a body in space, and its velocity. Body FB_SPACE: the point itself. */
mb_vec fb_point(const fb_pose *pose, int body, mb_vec point);
mb_vec fb_point_velocity(const fb_pose *pose, int body, mb_vec point);

/** A force in space on a point of a body. */
void fb_push(const fb_pose *pose, int body, mb_vec point, mb_vec force, mb_wrench *load);

/** q1 after q2: R(out) = R(q1) R(q2). */
void fb_turn(const double *q1, const double *q2, double *out);

/* --- of the links, free_link.c --- */

enum { FB_ROWS = 3 }; /**< most rows of a link */

int fb_link_rows(const fb_link *link);

/** One row's derivative along the motion of a body: g' = f.v + m.w. */
typedef struct fb_row {
    mb_vec f, m;
} fb_row;

/** g [rows]; e here and below: of the driven links, which alone look at it */
void fb_link_value(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *g);

/** on_i, on_j [rows] */
void fb_link_matrix(const fb_link *link, const resida_excitation *e, const fb_pose *pose, fb_row *on_i, fb_row *on_j);

/** dg/dt [rows] where nothing moves but what is driven. */
void fb_link_rate(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *rate);

/** g'' [rows] where no v changes. */
void fb_link_bias(const fb_link *link, const resida_excitation *e, const fb_pose *pose, double *bias);

/* --- patterns, free_pattern.c --- */

typedef struct fb_patterns {
    resida_pattern M, T, G, Phi_p, Phi_v; /**< the last two: row NULL without `coupled` */
} fb_patterns;

/** Make them, in the new memory of s->pattern. @return 0; 1 without memory */
int fb_find_patterns(fb_system *s, fb_patterns *out);

#endif
