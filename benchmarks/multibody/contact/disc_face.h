/* disc_face.h - contact between a disc fixed to one node of a system of beams and a flat face fixed to another node;
 * both move in a common plane. Nodes are r, d1, d2, d3 (beam.h). The face has the normal n = d2 and the tangent d3 of
 * its node, at the distance `height`. The centre of the disc is its node:
 *
 *     q = r_disc - r_face,   e = height + radius - q.n           penetration
 *     w = d3 . (velocity of the disc at the contact - velocity of the face at the contact)
 *
 * Forces N and F of contact.h, with one bristle, are applied by virtual work through e' and w, therefore the resultant
 * force and moment are zero. */
#ifndef CT_DISC_FACE_H
#define CT_DISC_FACE_H

#include "contact.h"

typedef struct ct_disc_face {
    int disc, face;        /**< nodes */
    double radius, height; /**< [m] */
    ct_normal normal;
    ct_friction friction;
} ct_disc_face;

/** State of the contact. */
typedef struct ct_touch {
    double e, rate; /**< penetration [m], [m/s] */
    double slip;    /**< w [m/s] */
    double N, F;    /**< [N] normal force; friction on the disc, along d3 */
    double bristle; /**< z' [m/s] */
} ct_touch;

/** Evaluate the contact. p, v [12 for each node], z [1]. */
ct_touch ct_disc_face_look(const ct_disc_face *c, const double *p, const double *v, const double *z);

/** Return the penetration e. */
double ct_disc_face_penetration(const ct_disc_face *c, const double *p);

/** Add s times the generalised forces to out. */
void ct_disc_face_push(const ct_disc_face *c, const double *p, const ct_touch *touch, double s, double *out);

#endif
