/* element.h - functions about elements and loads that the files of this folder share. */
#ifndef BM_ELEMENT_H
#define BM_ELEMENT_H

#include "beam.h"

/** Set C [BM_STRAINS], the stiffness of each strain. */
void bm_stiffness_of(const bm_section *c, double *C);

/** Compute X at a point of an element and the strains relative to the reference strains. */
void bm_look(const bm_element *el, int point, const double *p, bm_fields X, double *strain);

/** Compute X, X' (v NULL: at rest) and length C (strain + tau strain') at point k. */
void bm_stress(const bm_system *s, const bm_element *el, int k, const double *p, const double *v, bm_fields X,
               bm_fields V, double *stress);

/** Return the factor of a load: 1 or u. */
double bm_amplitude(const bm_load *load, const resida_excitation *e);

/** Return row i of M times x. */
double bm_row_of_M(const bm_system *s, int i, const double *x);

#endif
