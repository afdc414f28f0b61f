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

#define NEAR (10 * 1e-7) /* ten times the tolerance, of numbers near 1 */

#endif
