/* contact.h - contact and friction of a point on a surface, as force laws: what they say depends on the penetration e
 * [m], its rate ed, the slip velocity v [m/s], along one or two directions of the surface, and the bristles z [m], as
 * many, which are first-order states of the mechanism (n_z of resida/mechanism.h).
 *
 *     N = max(0, k e0 R(e/e0) (1 + mu ed) + c r(e/e0) ed)          r: the ramp of smooth.h, R its integral
 *     z' = r v - r sigma0 |v| z/g(|v|) - (1 - r) z/release         bristles; those that touch nothing come to rest
 *     f = -N (sigma0 z + sigma1 z' + sigma2 v)
 *     g(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma)
 *
 * N is twice continuously differentiable where it is not cut off: the onset takes e0, after which N is k (e - e0/2) ..
 * c is a damper in parallel, whose force at separation would be a pull, which is cut off; mu that of Hunt and Crossley
 * (J. Appl. Mech. 42 (1975) 440-445), whose force is none at separation.
 *
 * Friction is LuGre's (Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automat. Control 40 (1995) 419-425),
 * with coefficients of the normal force. |v| has a kink at 0, which holds steps down wherever a motion turns round;
 * v_0 > 0 rounds it, |v| = v^2/sqrt(v^2 + v_0^2), with what is left of order (v_0/v)^2 where it slides and no creep
 * where it sticks. */
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
    double mu_s, mu_k;     /**< at rest, of a fast slip */
    double v_s, gamma;     /**< [m/s], of the way from one to the other */
    double v_0;            /**< [m/s] 0: |v| as it is */
    double release;        /**< [s] in which free bristles go back */
} ct_friction;

/** N [N] >= 0. */
double ct_normal_force(const ct_normal *x, double e, double ed);

/** Energy of the spring [J], of which N is the derivative where nothing moves. */
double ct_normal_energy(const ct_normal *x, double e);

/** r: 0 without contact, 1 from e0 on. */
double ct_closeness(const ct_normal *x, double e);

/** z' [n] of bristles z [n] that slip with v [n], n directions. */
void ct_bristle_rate(const ct_friction *x, int n, double closeness, const double *v, const double *z, double *zd);

/** f [n] on the body that slips with v. */
void ct_friction_force(const ct_friction *x, int n, double N, const double *v, const double *z, const double *zd,
                       double *f);

#endif
