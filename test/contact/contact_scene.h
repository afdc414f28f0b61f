/* contact_scene.h - for tests of contacts that hold: masses, forces, gaps. */
#ifndef RESIDA_TEST_CONTACT_SCENE_H
#define RESIDA_TEST_CONTACT_SCENE_H

#include "contacts_fixture.h"

/** Masses of its coordinates, their forces, gaps, and rows of the speeds of sliding. */
typedef struct scene {
    thing thing;
    resida_model_contacts contacts;
    resida_model model;
    double mass[MOST];
    void (*forces)(double t, const double *p, const double *v, double *f);
    void (*gaps)(double t, const double *p, double *out);
    void (*sliding)(const double *p, double *rows); /* [n_contacts x n], 0 before; NULL: no friction */
    double mu[MOST];
} scene;

/** n coordinates, contacts that hold with the coefficient e; callbacks, start and mu were set before. The scene is not
 *  moved. */
void set_scene(scene *s, int n, int n_contacts, double e);

/** To the next event at which contact i does that; its time. */
double when(flight *f, int i, resida_contact_change change);

/** A block in the plane, p = x, y, angle of its middle; half of its breadth and height [m]. */
#define HALF_B 0.2
#define HALF_H 0.8

/** Lower corner i, from the middle; the heights of both above y = 0; the rows of their speeds along it [2 x 3]. */
void block_corner(const double *p, int i, double *at);
void block_gaps(double t, const double *p, double *out);
void block_slides(const double *p, double *rows);

#define NEAR (10 * 1e-7) /* ten times the tolerance, of numbers near 1 */

#endif
