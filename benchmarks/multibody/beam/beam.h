/* beam.h - flexible multibody systems: geometrically exact beams in space, rigid bodies, point masses and joints. Each
 * node has a position and three directors.
 *
 *     p = (r, d1, d2, d3) of each node                           12 coordinates, p' = v
 *     0 = (d_a . d_a - 1)/2,   0 = d_a . d_b                     6 rows of each node: directors are orthonormal
 *     M v' = -dV/dp - D + forces - G'lam
 *     V = sum over points of  C (Gamma, K)^2/2                   C = EA, GA, GJ, EI; Gamma, K of strain.h
 *
 * Advantages of directors: M is constant, V is a polynomial of degree 4, each constraint is a polynomial of degree 2,
 * and there are no singular angles. A rigid body is a node with a mass and an Euler tensor E = int x x' dm in the axes
 * of the directors. A point mass is a node with E = 0. (Betsch, Steinmann: strain.h. The same, Constrained integration
 * of rigid body dynamics, Comp. Meth. Appl. Mech. Engng. 191, 2001.)
 *
 * Elements are Lagrange elements of order 1 to 3. The number of integration points of V equals the order, one fewer
 * than an exact rule requires, to avoid locking. M is integrated exactly. Damping acts on strain rates, stress = C
 * (strain + tau strain'), therefore rigid motions are not damped.
 *
 * A plane cross section has no extent along its normal: E is (rho I2, rho I1, 0). If only such beams contribute to a
 * node, M has no entry for its d3 and is singular, but M is positive definite on the null space of G, because d1' = d2'
 * = 0 implies d3' = 0. This is sufficient for starts and for all methods except "energy-decaying", in which jumps are
 * determined by M alone. A rho_I3 of a tenth of rho_I1 (models: thickness) makes M regular and increases moments of
 * inertia accordingly. There is no explicit formalism. */
#ifndef BM_BEAM_H
#define BM_BEAM_H

#include <resida/mechanism.h>

#include "benchmarks/multibody/tree/vector.h"
#include "strain.h"

/** Index of space instead of a node. */
enum { BM_SPACE = -1 };

/** Number of orthonormality constraints of a node. */
enum { BM_OWN_ROWS = 6 };

typedef struct bm_section {
    double EA, GA1, GA2;   /**< stretch; shear along d1, d2, including shear coefficients [N] */
    double GJ, EI1, EI2;   /**< torsion; bending about d1, d2 [N m^2] */
    double rho_A;          /**< [kg/m] */
    double rho_I1, rho_I2; /**< rotary inertia about d1, d2 [kg m] */
    double rho_I3;         /**< due to thickness, int x3^2 dm per length [kg m]; 0: plane section */
} bm_section;

typedef struct bm_element {
    int order; /**< 1 .. BM_MAX_ORDER */
    int first; /**< index of the first node; the others follow */
    bm_section section;
    bm_point point[BM_MAX_ORDER]; /**< [order]; set by bm_open() */
} bm_element;

/** The nodes first .. last. */
typedef struct bm_range {
    int first, last;
} bm_range;

/** A rigid body whose centre of mass is a node and whose principal axes are the directors. */
typedef struct bm_lump {
    int node;
    double mass;
    double euler[3]; /**< int x_a^2 dm [kg m^2]; (I_b + I_c - I_a)/2 with the principal moments I */
} bm_lump;

typedef enum bm_kind {
    BM_MEET,  /**< 3 rows: points i and j coincide; driven: point i is at_i + u to_i */
    BM_SQUARE /**< 1 row: axes of i and j are orthogonal; driven: axis i is at_i cos u + to_i sin u */
} bm_kind;

typedef struct bm_link {
    bm_kind kind;
    int i, j;                /**< two nodes, or one and BM_SPACE */
    double at_i[3], at_j[3]; /**< components along the directors; from the nodes */
    double to_i[3];
    int drive; /**< 0: u = 0; k: u = u[k - 1] */
} bm_link;

/** A force and a moment on a node, along directions fixed in space. */
typedef struct bm_load {
    int node;
    int drive;        /**< 0: constant; k: multiplied by u[k - 1] */
    double force[3];  /**< [N] */
    double moment[3]; /**< [N m]; not conservative */
} bm_load;

/** A system. bm_begin() initialises it, the functions of build.h add to it, bm_end() frees it. */
typedef struct bm_system {
    int n_node, n_element, n_lump, n_link, n_load;
    double *p0; /**< [BM_P n_node] unstrained configuration */
    bm_element *element;
    bm_lump *lump;
    bm_link *link;
    bm_load *load;
    double damping[BM_STRAINS]; /**< tau of Gamma1 .. 3, K1 .. 3 [s] */
    double gravity[3];
    int no_memory; /**< an allocation failed, reported by bm_open() */

    /* Set by bm_open(). */
    int n_row; /**< number of constraints */
    resida_pattern M_pattern, G_pattern, Phi_p_pattern, Phi_v_pattern;
    bm_range *near; /**< [n_node] nodes that share an element with this node */
    int *pattern;   /**< memory of the patterns */
    double *M;      /**< values in the order of M_pattern */
    double *weight; /**< [BM_P n_node] force of gravity */
} bm_system;

void bm_begin(bm_system *s);
void bm_end(bm_system *s);

/** Integrate M and the reference strains, create the patterns, and set up a mechanism (without excitations); user is s.
 *  @return 0; 1 if memory is exhausted, with a message in `why` */
int bm_open(bm_system *s, resida_mechanism *m, resida_message *why);

/** Return the minimum of |d| over the directors at all integration points. Directors are interpolated between nodes,
 *  where |d| = 1. In the middle of a linear element |d| is cos(half the angle between the nodal directors). @param[out]
 *  element  index of the element, from 0 */
double bm_shortest_director(const bm_system *s, const double *p, int *element);

/** Return the strain energy; the kinetic energy; their sum with the potential of gravity (without loads). */
double bm_strain_energy(const bm_system *s, const double *p);
double bm_kinetic_energy(const bm_system *s, const double *v);
double bm_energy(const bm_system *s, const double *p, const double *v);

/** Compute K [in the order of Phi_p_pattern] = dPhi/dp and D [Phi_v_pattern], or NULL, = dPhi/dv; v NULL: at rest. */
void bm_stiffness(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *K,
                  double *D);

/** Compute psi [BM_P n_node]: all forces except constraint forces; v NULL: at rest. */
void bm_forces(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *psi);

/** Set pointers to the nodes of an element in x [BM_P n_node]. @return number of nodes */
int bm_nodes_of(const bm_element *el, const double *x, const double **node);

/* --- pattern.c --- */

/** Create near, M_pattern, Phi_p_pattern, Phi_v_pattern, G_pattern. @return 0, or 1 if memory is exhausted */
int bm_find_patterns(bm_system *s);

/** Return the index of entry (row, col) of M. */
int bm_place_in_M(const bm_system *s, int row, int col);

#endif
