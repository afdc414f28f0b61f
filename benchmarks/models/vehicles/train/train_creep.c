/* train_creep.c - creep forces between wheels and rails, and the formalisms that include them: Kalker's linear law with
 * the saturation of Shen, Hedrick and Elkins (1983), without the spin moment.
 *
 *     N = lam sqrt(1 + zs^2),  r = N/N0,   xi, eta: creepages along and across, spin: about the normal, all by the
 *     speed Tx = -f11 r^(2/3) xi,  Ty = -f22 r^(2/3) eta - f23 r spin,  tau = |T|/(mu N)
 *     force = (1 - tau/3 + tau^2/27) T for tau < 3, else T/tau
 *
 * f11 = G a b C11, f22 = G a b C22, f23 = G (a b)^1.5 C23 with the ellipse of Hertz at N0 (curvatures 1/(2 0.46 m) and
 * 1/(2 0.3 m), E = 2.1e11 N/m^2, nu = 0.28: a = 5.876 mm, b = 4.420 mm, G = 8.203e10 N/m^2), and Kalker's coefficients
 * for nu = 0.25, b/a = 0.752: 4.446, 4.095, 1.846 (table E.3 of his book, as in the sources of CONTACT). */
#include "benchmarks/multibody/system/smooth.h"
#include "train_model.h"

static const double f11 = 9.474e6, f22 = 8.726e6, f23 = 2.0043e4; /* [N], [N], [N m] */
static const double mu = 0.3, N0 = 54550;                         /* friction [-], load of these coefficients [N] */

/* Return the creep force on a wheel with the load lam. */
static mb_vec creep_force(double v, double lam, const train_touch *x, const mb_root *root, const mb_state *s)
{
    const double slant = sqrt(1 + x->slope * x->slope), N = mb_positive(lam * slant, 100);
    const mb_vec ex = {1, 0, 0}, across = {0, 1 / slant, x->slope / slant}, normal = {0, -x->slope / slant, 1 / slant};
    const mb_vec w = mb_turning(root, s), centre = mb_add(root->v, mb_add(mb_cross(root->w, s->r), s->v));
    const mb_vec at = mb_add(centre, mb_cross(w, mb_sub(x->P, s->r)));
    const double r = N / N0, r23 = cbrt(r * r);
    const double Tx = -f11 * r23 * at.x / v, Ty = -(f22 * r23 * mb_dot(at, across) + f23 * r * mb_dot(w, normal)) / v;
    const double tau = sqrt(Tx * Tx + Ty * Ty + 1e-6) / (mu * N);
    const double part = tau < 3 ? 1 - tau / 3 + tau * tau / 27 : 1 / tau;
    return mb_along(mb_scale(part * Tx, ex), part * Ty, across);
}

/* Add the creep forces of both wheels of wheelset w. */
static void roll(const train *c, int w, const train_pair *pair, const double *lam, const mb_root *root,
                 const mb_state *state, mb_wrench *wrench)
{
    for (int i = 0; i < 2; i++) {
        const mb_vec f = creep_force(c->track.v, lam[2 * w + i], &pair->wheel[i], root, state);
        mb_push(wrench, mb_sub(pair->wheel[i].P, state->r), f);
    }
}

int train_creep(const mb_system *s, const mb_motion *motion, const mb_state *state, const void *context,
                mb_wrench *wrench)
{
    const train *c = (const train *)s;
    const train_loads *loads = context;
    train_book *book = train_book_take(c->recall);
    train_pair pair;
    int failed = 0;
    for (int w = 0; w < TRAIN_WHEELSETS * c->carriages && !failed; w++) {
        const int b = train_wheelset(w);
        failed = train_contacts(c, book, w, loads->p, motion->s, &pair);
        if (!failed) roll(c, w, &pair, loads->lam, &motion->root[b], &state[b], &wrench[b]);
    }
    train_book_put(book);
    return failed;
}

int train_residual(double t, const double *p, const double *v, const double *a, const double *lam,
                   const resida_excitation *e, double *r, void *user)
{
    return mb_system_inverse(user, p, v, a, e, &(train_loads){p, lam}, r);
}

int train_acceleration(double t, const double *p, const double *v, const double *f, const double *lam,
                       const resida_excitation *e, double *a, void *user)
{
    return mb_system_forward(user, p, v, f, e, &(train_loads){p, lam}, a);
}
