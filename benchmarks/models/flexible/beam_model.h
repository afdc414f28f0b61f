/* beam_model.h - functions shared by models of beams: parameters, names of coordinates, memory. */
#ifndef BENCH_BEAM_MODEL_H
#define BENCH_BEAM_MODEL_H

#include "benchmarks/multibody/beam/build.h"
#include "benchmarks/util/model_kind.h"

/** The first parameters of each model, and their declaration. */
enum { BEAM_ELEMENTS, BEAM_ORDER, BEAM_DAMPING, BEAM_THICKNESS, BEAM_PARAMETERS };
#define BEAM_PARAMETER_LIST(elements, order, damping)                                                                  \
    [BEAM_ELEMENTS] = {"elements", elements, 1, 1000, 1, "-", "number of elements of the beam", NULL},                 \
    [BEAM_ORDER] = {"order", order, 1, BM_MAX_ORDER, 1, "-", "order of the elements: 1 linear, 2 quadratic, 3 cubic",  \
                    NULL},                                                                                             \
    [BEAM_DAMPING] =                                                                                                   \
        {"damping", damping, 0, 10, 0, "s", "time constant tau of the damping: stress = C (strain + tau strain')",     \
         NULL},                                                                                                        \
    [BEAM_THICKNESS] = {                                                                                               \
        "thickness", 0, 0, 1, 0, "-", "additional rho I3 of the sections, divided by the larger of rho I1 and rho I2", \
        NULL}

/** The first member of the memory of each model; model->user points to it, mechanism.user to its system. */
typedef struct beam_model {
    bm_system s;
    resida_message warning; /**< about the state at the last output */
} beam_model;

/** Set the damping, create the mechanism and its names, and set the start at rest in p0; must be the last call of a
 *  set(). @return 0, or 1 with the reason in `why` */
int beam_model_open(beam_model *b, const double *values, resida_model *model, resida_message *why);

/** Set parts and shape() (beam_shape.c); called by beam_model_open(). */
void beam_shape_open(beam_model *b, resida_model *model);

/** output() of all models. The first output is the energy. Warns if elements are too coarse for the state. */
int beam_model_output(const resida_model *model, const resida_model_point *at, double *out);

/** end() of all models. */
void beam_model_end(void *memory);

/** Return the section of a rectangle: `width` along d1, `height` along d2; E [Pa], nu, density [kg/m^3]. */
bm_section beam_rectangle(double width, double height, double E, double nu, double density);

/** Return the section of a tube. */
bm_section beam_tube(double outer, double inner, double E, double nu, double density);

#endif
