/* contact.h - force laws of contact and friction at a point of a surface. They depend on the penetration e [m], its
 * rate ed, the slip velocity v [m/s] along one or two directions of the surface, and one bristle deflection z [m] per
 * direction. Bristles are first-order states of the mechanism (n_z of resida/mechanism.h).
 *
 *     N = max(0, k e0 R(e/e0) (1 + mu ed) + c r(e/e0) ed)          r: the ramp of smooth.h, R its integral
 *     z' = r v - r sigma0 |v| z/g(|v|) - (1 - r) z/release         bristles; without contact they decay to 0
 *     f = -N (sigma0 z + sigma1 z' + sigma2 v)
 *     g(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma)
 *
 * N is twice continuously differentiable except where it is cut off at 0. For e > e0 the spring force is k (e - e0/2).
 * c is a parallel damper; its tensile force at separation is cut off. mu is the damping of Hunt and Crossley (J. Appl.
 * Mech. 42 (1975) 440-445), whose force vanishes at separation.
 *
 * Friction is the LuGre model (Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automat. Control 40 (1995)
 * 419-425), with coefficients relative to the normal force. |v| has a kink at 0, which limits the step size whenever
 * the slip velocity changes sign. v_0 > 0 smooths it, |v| = v^2/sqrt(v^2 + v_0^2). The error is of order (v_0/v)^2
 * during sliding, and there is no creep during sticking. */
#ifndef CT_CONTACT_H
#define CT_CONTACT_H

enum { CT_MAX_DIRECTIONS = 2 };

typedef struct ct_normal {
    double k;     /**< stiffness [N/m] */
    double onset; /**< e0 [m], > 0 */
    double mu;    /**< [s/m] */
    double c;     /**< [N s/m] */
} ct_normal;

typedef struct ct_friction {
    double sigma0;         /**< [1/m] */
    double sigma1, sigma2; /**< [s/m] */
    double mu_s, mu_k;     /**< friction coefficients at rest and at large slip velocity */
    double v_s, gamma;     /**< [m/s], [-] of the transition between mu_s and mu_k */
    double v_0;            /**< [m/s] 0: |v| is not smoothed */
    double release;        /**< [s] decay time of bristles without contact */
} ct_friction;

/** Return the normal force N [N] >= 0. */
double ct_normal_force(const ct_normal *x, double e, double ed);

/** Return the energy of the spring [J]; its derivative is N for ed = 0. */
double ct_normal_energy(const ct_normal *x, double e);

/** Return the ramp r: 0 without contact, 1 for e >= e0. */
double ct_closeness(const ct_normal *x, double e);

/** Compute z' [n] of bristles z [n] for the slip velocity v [n]; n directions. */
void ct_bristle_rate(const ct_friction *x, int n, double closeness, const double *v, const double *z, double *zd);

/** Compute the friction force f [n] on the body that slips with v. */
void ct_friction_force(const ct_friction *x, int n, double N, const double *v, const double *z, const double *zd,
                       double *f);

#endif
