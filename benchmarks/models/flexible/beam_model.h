/* beam_model.h - what models of beams share: their parameters, names of coordinates, memory. */
#ifndef BENCH_BEAM_MODEL_H
#define BENCH_BEAM_MODEL_H

#include "benchmarks/multibody/beam/build.h"
#include "benchmarks/util/model_util.h"

/** Parameters that each of them has first; and how they are declared. */
enum { BEAM_ELEMENTS, BEAM_ORDER, BEAM_DAMPING, BEAM_THICKNESS, BEAM_PARAMETERS };
#define BEAM_PARAMETER_LIST(elements, order, damping)                                                                  \
    [BEAM_ELEMENTS] = {"elements", elements, 1, 1000, 1, "-", "of the beam", NULL},                                    \
    [BEAM_ORDER] =                                                                                                     \
        {"order", order, 1, BM_MOST_ORDER, 1, "-", "of the elements: 1 linear, 2 quadratic, 3 cubic", NULL},           \
    [BEAM_DAMPING] = {"damping", damping, 0, 10, 0, "s", "tau of stress = C (strain + tau strain')", NULL},            \
    [BEAM_THICKNESS] = {"thickness", 0, 0, 1, 0, "-", "added rho I3 of sections over the larger of rho I1, rho I2",    \
                        NULL}

/** The first member of the memory of each; model->user points to it, mechanism.user to its system. */
typedef struct beam_model {
    bm_system s;
    double *v0; /**< [n_v] at rest */
    const char **p_names, **v_names, **g_names;
    resida_part *parts;     /**< what it looks like */
    resida_message warning; /**< of the state at the last output */
} beam_model;

/** What a model of beams alone is made by. */
typedef struct beam_kind {
    const char *name;
    size_t size;                                           /**< of its memory */
    void (*assemble)(beam_model *b, const double *values); /**< nodes, elements, joints, loads */
    resida_excitation_fn *excitation;
    int n_u;
    double rtol, atol;
    int end; /**< which parameter is the end of the interval */
} beam_kind;

/** create() of such a model. */
int beam_model_create(const beam_kind *kind, const double *values, resida_model *model, resida_message *why);

/** Set the damping, make the mechanism, its names, the start at rest in p0. @return 0; 1: destroy it, `why` says why */
int beam_model_open(beam_model *b, const double *values, resida_model *model, resida_message *why);

/** What it looks like, beam_shape.c; done by beam_model_open(). @return 0; 1 without memory */
int beam_shape_open(beam_model *b, resida_model *model, resida_message *why);

/** output() of all of them, the first of their outputs: the energy; warns of elements that are too coarse for the
 *  state. */
int beam_model_output(const resida_model *model, const resida_model_point *at, double *out);

/** destroy() of all of them. */
void beam_model_destroy(resida_model *model);

/** Section of a rectangle: `width` along d1, `height` along d2; E [Pa], nu, density [kg/m^3]. */
bm_section beam_rectangle(double width, double height, double E, double nu, double density);

/** Section of a tube. */
bm_section beam_tube(double outer, double inner, double E, double nu, double density);

#endif
