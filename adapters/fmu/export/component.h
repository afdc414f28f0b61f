/* component.h - an instance of an exported model, independent of the version of FMI: parameters and inputs, an
 * integration from one communication point to the next, outputs at the point reached, its state as bytes.
 *
 * Functions return 0, or -1 with the reason in `said`. */
#ifndef FMU_COMPONENT_H
#define FMU_COMPONENT_H

#include <resida/run.h>

#include "packed.h"

/** Groups of variables. A value reference is group * FMU_GROUP + index. */
typedef enum fmu_group {
    FMU_GROUP_PARAMETER,
    FMU_GROUP_INPUT,
    FMU_GROUP_P,
    FMU_GROUP_V,
    FMU_GROUP_A,
    FMU_GROUP_LAM,
    FMU_GROUP_Y,
    FMU_GROUP_YP,
    FMU_GROUP_OUT,
    FMU_GROUP_TIME,
    FMU_GROUPS
} fmu_group;
#define FMU_GROUP 0x1000000u

/** Phase of an instance. */
typedef enum component_phase {
    COMPONENT_MADE,         /**< parameters may be set */
    COMPONENT_INITIALIZING, /**< inputs too, and outputs are those of the start */
    COMPONENT_STEPPING,     /**< communication steps */
    COMPONENT_ENDED         /**< terminated */
} component_phase;

enum { COMPONENT_ORDERS = 3 };

/** An input, added to the excitation of the model: u = x[0] + x[1] (t - t_x) + x[2] (t - t_x)^2 / 2. */
typedef struct component_input {
    double t;                   /**< [s] t_x */
    double x[COMPONENT_ORDERS]; /**< value and derivatives at t_x */
} component_input;

/** The numbers of an instance that its state has, besides the run. */
typedef struct component_progress {
    component_phase phase;
    double t0, t_stop, tolerance; /**< experiment; INFINITY and 0: undefined */
    double t;                     /**< [s] communication point */
    int has_set;                  /**< 1: an input was set since the last step */
} component_progress;

/** An instance. */
typedef struct component {
    fmu_packed packed;
    char *resources; /**< folder, with a slash at its end */
    resida_plugin_handle *plugin;
    const resida_model_class *cls;
    component_progress at;
    double *values;                 /**< [n_parameters] */
    char (*texts)[FMU_PACKED_TEXT]; /**< [n_parameters] */
    component_input *inputs, *set;  /**< [n_u] in use; set by the importer */
    int needs_restart;              /**< 1: inputs have changed since the last step */
    int had_kink;                   /**< 1: an input had a kink at the last communication point */
    double point;                   /**< [s] communication point at which the last step ends; INFINITY: unknown */
    int has_ended;                  /**< 1: the model ended the run */
    int is_started;                 /**< 1: the handles below exist, and the run has started */
    resida_model model;
    resida_excitation_fn *excitation; /**< of the model */
    resida_problem *problem;
    resida_solver *solver;
    resida_run *run;
    double *outputs, *u; /**< [n_outputs], [3 n_u] at the communication point */
    int has_outputs;     /**< 1: they are computed */
    double *direct;      /**< [(p, v, a, lam, outputs) x n_u] derivatives by inputs at the communication point */
    int has_direct;      /**< 1: they are computed */
    resida_message said;
} component;

/** Open an instance. @param resources  URI or path of the folder; @param token  of the description. @return NULL on a
 *  failure, with the reason in `why` */
component *component_open(const char *resources, const char *token, resida_message *why);
void component_close(component *c);

/** Return to the state after component_open(). */
int component_reset(component *c);

/** Set and get the value of a number, and of a text, which is valid until it is set again. */
int component_set(component *c, unsigned reference, double value);
int component_get(component *c, unsigned reference, double *value);
int component_set_text(component *c, unsigned reference, const char *text);
int component_get_text(component *c, unsigned reference, const char **text);

/** Set a derivative of an input at the communication point. A value sets the derivatives to 0. */
int component_set_rate(component *c, unsigned reference, int order, double value);

/** Compute directional derivatives of outputs by inputs, sensitivity [n_unknowns] = d(unknowns)/d(knowns) seed
 *  [n_knowns]. The derivatives of all outputs are computed once at each communication point. */
int component_derivative(component *c, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                         size_t n_knowns, const double *seed, double *sensitivity);

/** Return the index of a variable in its group, or -1. */
int component_find(component *c, unsigned reference, fmu_group *group);

/** Set the experiment. @param tolerance  0: default. @param t_stop  INFINITY: undefined */
int component_experiment(component *c, double t0, double tolerance, double t_stop);

/** Leave initialization: start, unless this was done for outputs. */
int component_begin(component *c);

/** Integrate from the communication point t to t + h. If the model ends the run before, `has_ended` is set and `t` is
 *  the time reached. After a failure, a step with the same inputs continues. */
int component_step(component *c, double t, double h);

/** A state as bytes, to be freed by free(). */
typedef struct component_bytes {
    size_t size;
    unsigned char bytes[]; /**< [size] */
} component_bytes;

int component_save(component *c, component_bytes **state);
int component_load(component *c, const component_bytes *state);

/** Return a state of `size` bytes, NULL without memory. */
component_bytes *component_bytes_make(size_t size);

/** @name start.c
 *  @{ */
/** Create the model and its run, without a start. */
int component_make(component *c);
/** Start the run, unless it has started. */
int component_start(component *c);
/** Free the model and its run. */
void component_drop(component *c);
/** How inputs differ from those in use. */
typedef enum component_change { COMPONENT_SAME, COMPONENT_KINK, COMPONENT_JUMP } component_change;

/** Use the inputs that were set. @return the largest change; a kink is one of the derivatives alone */
component_change component_take_inputs(component *c);
/** Let callbacks of the model in this thread use the inputs of this instance. */
void component_enter(component *c);
/** Set `said` to the message of the solver. @return -1 */
int component_fail(component *c, resida_status status);
/** @} */

#endif
