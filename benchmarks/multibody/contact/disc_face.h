/* disc_face.h - a disc that is fixed to one node of a system of beams touches a flat face of the body of another, in a
 * plane that both keep. Nodes are r, d1, d2, d3 (beam.h); the face has the normal n = d2 and the tangent d3 of its node
 * and lies `height` from it, the disc its centre at its node:
 *
 *     q = r_disc - r_face,   e = height + radius - q.n           penetration
 *     w = d3 . (velocity of the disc at the contact - that of the face)
 *
 * Forces N and F of contact.h, with one bristle, act on the velocities as e' and w depend on them (virtual work): they
 * add no momentum and no moment. */
#ifndef CT_DISC_FACE_H
#define CT_DISC_FACE_H

#include "contact.h"

typedef struct ct_disc_face {
    int disc, face;        /**< nodes */
    double radius, height; /**< [m] */
    ct_normal normal;
    ct_friction friction;
} ct_disc_face;

/** What happens there. */
typedef struct ct_touch {
    double e, rate; /**< penetration [m], [m/s] */
    double slip;    /**< w [m/s] */
    double N, F;    /**< [N] pressure; friction on the disc, along d3 */
    double bristle; /**< z' [m/s] */
} ct_touch;

/** p, v [12 for each node], z [1]. */
ct_touch ct_disc_face_look(const ct_disc_face *c, const double *p, const double *v, const double *z);

/** e alone. */
double ct_disc_face_penetration(const ct_disc_face *c, const double *p);

/** out += s times the forces. */
void ct_disc_face_push(const ct_disc_face *c, const double *p, const ct_touch *touch, double s, double *out);

#endif
