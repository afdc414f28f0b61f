/* model.h - one model of an FMU: an instance, its equations, its start. */
#ifndef FMU_MODEL_H
#define FMU_MODEL_H

#include <resida/products.h>

#include "file.h"
#include "inputs.h"
#include "adapters/fmu/system/system.h"

/** A model. */
typedef struct fmu_model {
    fmu_file *file;
    fmu_pool pool;
    fmu_instance instance;
    fmu_system system;
    resida_products products;
    int takes_dae;                     /**< 1: by its residuals */
    double h;                          /**< [s] communication step of Co-Simulation; 0: Model Exchange */
    double *held;                      /**< [n_outputs] at the last communication point */
    int needs_event, ends, has_failed; /**< what the step to the next one said */
    int n_indicators;
    double *values;     /**< [n_parameters] */
    const char **words; /**< [n_parameters] NULL: a number */
    double t0;          /**< [s] */
    fmu_inputs inputs;
    double t_next;               /**< [s] of the next event that the FMU knows by its time; INFINITY: none */
    int n_overdue;               /**< events in a row that were announced for a time that had passed */
    double *y0, *yp0;            /**< [n] */
    double *atol;                /**< [n] by nominal values */
    double *indicators;          /**< [n_indicators] */
    double *moved;               /**< [n] */
    int n_outputs;               /**< reals.n_values, and the values of others behind them */
    fmu_references reals;        /**< outputs of double precision */
    const fmu_variable **others; /**< [n_others] outputs of other types */
    int n_others;
    const char **output_names, **output_units; /**< [n_outputs] */
    const char **output_words, **words_now;    /**< [n_outputs] of texts, NULL: a number; told; of the instance */
    const char **texts;                        /**< [n_texts] that outputs have had */
    int n_texts;
    int is_used; /**< 1: a run has begun since the instance was made */
} fmu_model;

/** A new instance with its parameters, initialised, in continuous mode; the one before it is freed. The states and
 *  algebraic variables go to y0. @return 0; -1, the reason in `why` */
int fmu_instance_start(fmu_model *m, resida_message *why);

/** Updates of discrete states, until there is no more to do, then continuous mode.
 *  @param[out] u  what they said together. @return as port.h */
int fmu_instance_update(fmu_instance *i, fmu_update *u);

/** y0 and yp0 made consistent. @param[out] is_open  1: yp0 is left to the solver. @return 0; -1 */
int fmu_start_find(fmu_model *m, int *is_open, resida_message *why);

/** Callbacks of a resida_dae, whose user is an fmu_model. */
resida_dae_residual_fn fmu_residual;
resida_dae_jacobian_fn fmu_jacobian;
resida_jacobian_times_fn fmu_jacobian_times;
resida_dae_root_fn fmu_root;
resida_excitation_fn fmu_excitation;

/** Hand t, y and the inputs at t to the instance. @return as port.h */
int fmu_model_set(fmu_model *m, double t, const double *y);

/** Which variables are outputs. @return 0; -1 without memory */
int fmu_outputs_find(fmu_model *m);

/** Values [n_outputs] that the instance has now. @return as port.h */
int fmu_outputs_get(fmu_model *m, double *out);

/** The texts that were got last become those that the model tells. */
void fmu_outputs_say(fmu_model *m);

/** Their values. */
int fmu_output(const resida_model *model, const resida_model_point *at, double *out);

/** What happens at an event. */
int fmu_event(const resida_model *model, resida_model_event *e);

/** The same of Co-Simulation: a communication step, and what held at the point before. */
int fmu_steps_event(const resida_model *model, resida_model_event *e);
int fmu_steps_output(const resida_model *model, const resida_model_point *at, double *out);

#endif
