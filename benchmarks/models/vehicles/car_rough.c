/* car_rough.c - see car_rough.h. All data are chosen: every 12 m a kerb, rising and falling over 0.25 m each,
 * alternating between the left and the right side, and waves
 *
 *     z(s) = h [S(x/l) - S((x - w)/l)] + sum_k A (L_k/L_1) sin(2 pi s/L_k + phi_k),   x = s - (begin of the kerb)
 *
 * Force on the rack, with y its displacement to the left: k (u - y) + c (u' - y') - F tanh(y'/v0). */
#include "car_rough.h"

#include <math.h>

#include "benchmarks/multibody/system/force.h"
#include "benchmarks/multibody/system/smooth.h"

enum { WAVES = 12 };

static const double kerb = 0.03, slant = 0.25, width = 1, every = 12; /* [m] */
static const double first_kerb = 8;                                   /* distance from the car at the start [m] */
static const double wave = 4e-3, longest = 10, shorter = 0.77;        /* [m]; [m], ratio of successive wave lengths */
static const double fade = 0.5;                                       /* onset time of the waves [s] */
static const double steer_k = 4e5, steer_c = 800;                     /* [N/m], [N s/m] */
static const double rack_friction = 150, sticking = 1e-3;             /* [N]; viscous below this speed [m/s] */

/* Add z and its derivatives with respect to s. */
static void add_kerb(double s, int right, double z[3])
{
    const double number = floor((s - first_kerb) / every);
    if (number < 0 || ((int)number % 2 == 1) != right) return;
    const double x = s - first_kerb - every * number, up = x / slant, down = (x - width) / slant;
    z[0] += kerb * (mb_ramp(up) - mb_ramp(down));
    z[1] += kerb / slant * (mb_ramp1(up) - mb_ramp1(down));
    z[2] += kerb / (slant * slant) * (mb_ramp2(up) - mb_ramp2(down));
}

static void add_waves(double s, int right, double z[3])
{
    for (int k = 0; k < WAVES; k++) {
        const double part = pow(shorter, k), number = 4 * acos(0.0) / (longest * part), a = wave * part;
        const double angle = number * s + 2.4 * (k + 1) * (right + 1);
        z[0] += a * sin(angle), z[1] += a * number * cos(angle), z[2] -= a * number * number * sin(angle);
    }
}

void car_road(double s0, int right, double v, double t, double z[3])
{
    const double S = mb_ramp(t / fade), S1 = mb_ramp1(t / fade) / fade, S2 = mb_ramp2(t / fade) / (fade * fade);
    double w[3] = {0, 0, 0}, k[3] = {0, 0, 0};
    add_waves(s0 + v * t, right, w);
    add_kerb(s0 + v * t, right, k);
    z[0] = S * w[0] + k[0];
    z[1] = S1 * w[0] + v * (S * w[1] + k[1]);
    z[2] = S2 * w[0] + 2 * S1 * v * w[1] + v * v * (S * w[2] + k[2]);
}

void car_steer(const mb_state *chassis, const mb_state *rack, double u, double ud, mb_wrench *on_chassis,
               mb_wrench *on_rack)
{
    const mb_vec aside = chassis->R.y;
    const double y = mb_dot(aside, rack->arm);
    const double yd = mb_dot(aside, mb_sub(mb_sub(rack->v, chassis->v), mb_cross(chassis->w, rack->arm)));
    const double force = steer_k * (u - y) + steer_c * (ud - yd) - rack_friction * tanh(yd / sticking);
    const mb_vec none = {0, 0, 0};
    mb_push(on_rack, none, mb_scale(force, aside));
    mb_push(on_chassis, rack->arm, mb_scale(-force, aside));
}
