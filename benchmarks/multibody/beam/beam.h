/* beam.h - flexible multibody systems: geometrically exact beams in space, rigid bodies, point masses and joints, all
 * on nodes with a position and three directors.
 *
 *     p = (r, d1, d2, d3) of each node                           12 coordinates, p' = v
 *     0 = (d_a . d_a - 1)/2,   0 = d_a . d_b                     6 rows of each node: directors are orthonormal
 *     M v' = -dV/dp - D + forces - G'lam
 *     V = sum over points of  C (Gamma, K)^2/2                   C = EA, GA, GJ, EI; Gamma, K of strain.h
 *
 * Why directors: M is constant, V a polynomial of fourth degree, every constraint one of second; no angle has a
 * singularity, and a rigid body or a joint needs nothing new. A rigid body is a node with its own mass and Euler
 * tensor, E = int x x' dm along the directors, a point mass one with E = 0. (Betsch, Steinmann: strain.h. The same,
 * Constrained integration of rigid body dynamics, Comp. Meth. Appl. Mech. Engng. 191, 2001.)
 *
 * Elements are Lagrange's of order 1 to 3. V is integrated by as many points as the order has, one less than would be
 * exact, against locking; M exactly. Damping acts on strain rates, stress = C (strain + tau strain'): a rigid motion is
 * not damped.
 *
 * A plane cross section has no extent along its normal: E is (rho I2, rho I1, 0), and M has no entry for the d3 of a
 * node that only such beams hold. M is singular there, and positive definite on what G allows: d1' = d2' = 0 leave d3'
 * no freedom. That is enough for starts and all methods but "energy-decaying", where M alone holds the jumps: a rho_I3
 * of a tenth of rho_I1 (models: thickness) makes M regular, and moments of inertia that much larger. There is no
 * explicit formalism. */
#ifndef BM_BEAM_H
#define BM_BEAM_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/tree/vector.h"
#include "strain.h"

/** No node: space itself. */
enum { BM_SPACE = -1 };

/** Rows of a node. */
enum { BM_OWN_ROWS = 6 };

typedef struct bm_section {
    double EA, GA1, GA2;   /**< stretch; shear along d1, d2, with the shear coefficients [N] */
    double GJ, EI1, EI2;   /**< torsion; bending about d1, d2 [N m^2] */
    double rho_A;          /**< [kg/m] */
    double rho_I1, rho_I2; /**< rotary inertia about d1, d2 [kg m] */
    double rho_I3;         /**< of thickness, int x3^2 dm per length [kg m]; 0: plane */
} bm_section;

typedef struct bm_element {
    int order; /**< 1 .. BM_MAX_ORDER */
    int first; /**< its first node; the others follow it */
    bm_section section;
    bm_point point[BM_MAX_ORDER]; /**< [order]; made by bm_open() */
} bm_element;

/** Nodes first .. last. */
typedef struct bm_range {
    int first, last;
} bm_range;

/** A rigid body with its centre of mass at a node and its principal axes along the directors. */
typedef struct bm_lump {
    int node;
    double mass;
    double euler[3]; /**< int x_a^2 dm [kg m^2]; (I_b + I_c - I_a)/2 with the principal moments I */
} bm_lump;

typedef enum bm_kind {
    BM_MEET,  /**< 3 rows: point i and point j are one; driven: point i is at_i + u to_i */
    BM_SQUARE /**< 1 row: an axis of i and one of j are at right angles; driven: axis i is at_i cos u + to_i sin u */
} bm_kind;

typedef struct bm_link {
    bm_kind kind;
    int i, j;                /**< two nodes, or one and BM_SPACE */
    double at_i[3], at_j[3]; /**< along the directors; from the nodes */
    double to_i[3];
    int drive; /**< 0: u = 0; k: u = u[k - 1] */
} bm_link;

/** A force or a moment on a node, along fixed directions in space. */
typedef struct bm_load {
    int node;
    int drive;        /**< 0: it stays; k: times u[k - 1] */
    double force[3];  /**< [N] */
    double moment[3]; /**< [N m]; has no potential */
} bm_load;

/** Made by bm_begin(), filled by the calls of build.h, given back by bm_end(). */
typedef struct bm_system {
    int n_node, n_element, n_lump, n_link, n_load;
    double *p0; /**< [BM_P n_node] where nothing is strained */
    bm_element *element;
    bm_lump *lump;
    bm_link *link;
    bm_load *load;
    double damping[BM_STRAINS]; /**< tau of Gamma1 .. 3, K1 .. 3 [s] */
    double gravity[3];
    int no_memory; /**< for what was added: bm_open() says so */

    /* Made by bm_open(). */
    int n_row; /**< constraints */
    resida_pattern M_pattern, G_pattern, Phi_p_pattern, Phi_v_pattern;
    bm_range *near; /**< [n_node] nodes that share an element with each */
    int *pattern;   /**< memory of the patterns */
    double *M;      /**< in the order of M_pattern */
    double *weight; /**< [BM_P n_node] force of gravity */
} bm_system;

void bm_begin(bm_system *s);
void bm_end(bm_system *s);

/** Integrate M and the reference strains, make the patterns, and fill in a mechanism (all but excitations); user is s.
 *  @return 0; 1 without memory: then `why` says so */
int bm_open(bm_system *s, resida_mechanism *m, resida_message *why);

/** The least |d| of a director at a point of integration, where it is interpolated between nodes at which it is 1: it
 *  is cos(half the angle between them) in the middle of a linear element. `element`: whose it is, from 0 on. */
double bm_shortest_director(const bm_system *s, const double *p, int *element);

/** Energy of strain; of motion; of all but loads: of both and of gravity. */
double bm_strain_energy(const bm_system *s, const double *p);
double bm_kinetic_energy(const bm_system *s, const double *v);
double bm_energy(const bm_system *s, const double *p, const double *v);

/** K [in the order of Phi_p_pattern] = dPhi/dp, D [Phi_v_pattern] or NULL = dPhi/dv; v NULL: at rest. */
void bm_stiffness(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *K,
                  double *D);

/** psi [BM_P n_node]: all forces but those of constraints; v NULL: at rest. */
void bm_forces(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *psi);

/** Pointers to the nodes of an element in x [BM_P n_node]. @return their number */
int bm_nodes_of(const bm_element *el, const double *x, const double **node);

/* --- pattern.c --- */

/** near, M_pattern, Phi_p_pattern, Phi_v_pattern, G_pattern. @return 0; 1 without memory */
int bm_find_patterns(bm_system *s);

/** Where entry (row, col) of M is. */
int bm_place_in_M(const bm_system *s, int row, int col);

#endif
