/* ground.h - three bodies in a plane, p = (x, y, th), that touch the ground with the normal force N = -lam, several of
 * them side by side; applied forces depend on N:
 *
 *     block   g = y - h(t)          on a ground that moves up and down, h = H sin(W t); friction
 *                                   -mu N tanh((x' - B)/S)
 *     wheel   g = y - R             creep force F = -C N (x' - R th'), moment -R F
 *     rod     g = y - L cos(th)     leans on its tip; friction -mu |N| tanh(tip/S) there, tip = x' + L cos(th) th' */
#ifndef RESIDA_TEST_GROUND_H
#define RESIDA_TEST_GROUND_H

#include <resida/mechanism.h>

enum { MOST = 40, SIZE = 3 * MOST };

typedef enum kind { BLOCK, WHEEL, ROD } kind;

/** Which callbacks and patterns are given. */
typedef enum given { BARE, MATRICES, PATTERNS, DERIVATIVES } given;

typedef struct ground {
    kind kind;
    int bodies, rows; /* bodies side by side; constraints of each: 2: the same one twice */
    double mu;
    long calls;
    double Phi_v[9], Phi_lam[3]; /* the last ones handed over */
    int row[SIZE + 1], col[3 * SIZE], lam_row[SIZE + 1], lam_col[2 * SIZE];
} ground;

static const double MASS = 2, INERTIA = 0.5, GRAV = 9.81, H = 0.3, W = 4, B = 0.4, S = 0.5, C = 0.15, R = 0.3, L = 0.6;

/** Multipliers of body b; N of a body with these multipliers. */
const double *body_lam(const ground *k, const double *lam, int b);
double normal_force(const ground *k, const double *lam);

/** The bodies as a mechanism; of which kind, how many, mu are set before. */
resida_mechanism ground_mechanism(ground *k, given what);

#endif
