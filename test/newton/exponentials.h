/* exponentials.h - random DAEs of index 1 whose algebraic equations have exponentials: circuits with diodes and
 * transistors (Ebers, Moll), and kinetics with rates by Arrhenius, Butler and Volmer, and saturations. */
#ifndef RESIDA_TEST_EXPONENTIALS_H
#define RESIDA_TEST_EXPONENTIALS_H

#include <resida/dae.h>

enum { EXPONENTIALS_MAX = 24, EXPONENTIALS_PARTS = 32 };

/** A current between two nodes, 0: ground. */
typedef struct exponentials_part {
    int from, to, base; /* base: of a transistor, from collector to emitter */
    double value;       /* resistance [ohm]; saturation current [A] */
    double thermal;     /* emission coefficient times thermal voltage [V] */
    int current;        /* index of its own unknown; -1: none */
} exponentials_part;

typedef struct exponentials {
    int n, nodes;
    resida_kind kinds[EXPONENTIALS_MAX];
    double y0[EXPONENTIALS_MAX], C[EXPONENTIALS_MAX]; /* C[k]: of node k to ground, 0: none */
    int n_resistors, n_diodes, n_transistors;
    exponentials_part resistors[EXPONENTIALS_PARTS], diodes[EXPONENTIALS_PARTS], transistors[EXPONENTIALS_PARTS];
    double amplitude, omega, inner; /* of the source, which drives node 1 through a resistor */
    double k[8];                    /* parameters of a reactor */
    double t_end;
    resida_dae_residual_fn *residual;
} exponentials;

/** A rectifier, an amplifier or a net of 2 to 8 nodes, for some periods of its source. */
exponentials exponentials_circuit(unsigned seed);

/** A stirred reactor or an electrode whose rates, temperature or potential are algebraic. */
exponentials exponentials_kinetics(unsigned seed);

#endif
