/* beam_fixture.h - systems of beams for tests, and what they are compared with. */
#ifndef RESIDA_TEST_BEAM_FIXTURE_H
#define RESIDA_TEST_BEAM_FIXTURE_H

#include "benchmarks/multibody/beam/build.h"
#include "benchmarks/multibody/beam/constraint.h"
#include "test/fixtures/bench_fixture.h"

/** A system with its mechanism; every call ends the test where it fails. */
typedef struct beam {
    bm_system s;
    resida_mechanism m;
    int n, rows;     /**< coordinates, constraints; after beam_open() */
    int last;        /**< node at the end of a cantilever */
    double *p, *lam; /**< [n], [rows]: undeformed at first */
} beam;

/** Begin, add to b->s, then open. */
void beam_begin(beam *b);
void beam_open(beam *b);
void beam_close(beam *b);

/** Begin a straight beam from 0 along x, d1 along y; is_clamped: at node 0. */
void beam_begin_line(beam *b, const bm_section *section, int order, int elements, double length, int is_clamped);

/** Go to the equilibrium at u[0] = load in so many steps, from p. */
void beam_settle(beam *b, double load, int steps);

/** Stiffness dPhi/dp + d(G'lam)/dp, and M, of all motions that leave directors orthonormal: node by node 3
 *  displacements and 3 rotations; the first `held` nodes stay. K, M [6 (n_node - held)]^2, by rows. M may be NULL. */
void beam_reduce(const beam *b, double load, int held, double *K, double *M);

/** Eigenvalues of K x = value M x, rising, into value [n]; M NULL: 1. K and M are overwritten. */
void beam_eigenvalues(int n, double *K, double *M, double *value);

#endif
