/* model.h - an FMU of a system: an instance, its equations, its start. A single FMU is a system of one FMU. */
#ifndef FMU_MODEL_H
#define FMU_MODEL_H

#include "file.h"
#include "inputs.h"
#include "adapters/fmu/system/system.h"

/** Stored outputs. */
typedef struct fmu_kept {
    double *values;     /**< [n_outputs] */
    const char **words; /**< [n_outputs] */
    double t;           /**< [s] time from which on they apply; INFINITY: never */
} fmu_kept;

/** A variable that is an output, and its name there: its own, or an alias. */
typedef struct fmu_chosen {
    const fmu_variable *variable;
    const char *name;
} fmu_chosen;

/** A saved state of an FMU, and its instance, which lives as long as its states. */
typedef struct fmu_saved {
    fmu_instance instance;
    void *state;
} fmu_saved;

/** Counters of Co-Simulation in a run. */
typedef struct fmu_counts {
    long steps, early, events;
    double t_next; /**< [s] the next communication point */
    int has_held;  /**< 1: outputs have been read between communication points */
    int has_steps; /**< 1: inputs that vary are held during each step */
    double usual;  /**< [s] the communication step, if it is a default that no file gives; else 0 */
    resida_message text;
} fmu_counts;

/** A model. */
typedef struct fmu_model {
    fmu_file *file;
    fmu_pool pool;
    fmu_instance instance;
    uint64_t made; /**< [ns] time at which the model was made, which identifies it in saved runs */
    int n_saved;
    fmu_saved *saved;             /**< [n_saved] states that cannot be written as bytes */
    fmu_system system, lowest;    /**< the equations; those of the lowest index, n = 0: not yet made */
    int takes_dae;                /**< 1: the DAE of the FMU, by its residuals */
    double tolerance;             /**< default relative tolerance */
    double h;                     /**< [s] communication step of Co-Simulation; 0: Model Exchange */
    double set_tolerance, t_stop; /**< Co-Simulation: values set in the instance; 0, INFINITY: undefined */
    int needs_event, ends;        /**< results of the last communication step */
    fmu_kept held, left;          /**< at the last communication point; at the end of a step before its event */
    int n_indicators;
    double *values;     /**< [n_parameters] */
    double *got;        /**< [n_parameters] work: values that are read back */
    const char **words; /**< [n_parameters] NULL: a number */
    double t0;          /**< [s] */
    fmu_inputs inputs;
    double t_next;               /**< [s] of the next event that the FMU has announced; INFINITY: none */
    int n_overdue;               /**< consecutive events that were announced for a past time */
    double *y0;                  /**< [n] work */
    double *indicators;          /**< [n_indicators] */
    int n_chosen, n_declared;    /**< numbers of variables that are outputs, declared ones first */
    fmu_chosen *chosen;          /**< [n_chosen] */
    int n_outputs;               /**< reals.n_values, followed by the values of others */
    fmu_references reals;        /**< outputs of double precision */
    const fmu_variable **others; /**< [n_others] outputs of other types */
    int n_others;
    const char **output_names, **output_units; /**< [n_outputs] */
    const char **output_words, **words_now;    /**< [n_outputs] texts, NULL: a number; of the model; of the instance */
    const char **texts;                        /**< [n_texts] all texts of outputs so far */
    char *was_finite;                          /**< [n_outputs] 1: finite at the last communication point */
    uint64_t *wholes;                          /**< [n_outputs] work */
    int n_texts;
    resida_message doubt; /**< a parameter that the FMU has changed during the start; "": none */
    /** Set inputs that are connected to outputs of other FMUs, at an event. NULL: there are none. @return as port.h */
    int (*connect)(void *self, struct fmu_model *m);
    void *connect_self;
} fmu_model;

/** Create a model without its instance. @param h  as in the model. @param values, words  of the parameters, which the
 *  model uses. @param columns  list of further outputs. @param inputs  of the system
 *  @return NULL on an error, with the reason in `why` */
fmu_model *fmu_model_open(fmu_file *f, double h, double *values, const char **words, const char *columns,
                          const fmu_series *inputs, resida_message *why);
void fmu_model_close(fmu_model *m);

/** Free the instance, unless it has saved states, which fmu_model_close() frees. */
void fmu_instance_leave(fmu_model *m);

/** Return 1 if the state of the FMU can be saved for this model, 2 if it can be written as bytes; 0: it cannot. */
int fmu_instance_saves(const fmu_model *m);

/** Create a new instance with its parameters, and enter initialization mode, in which inputs may be set. The previous
 *  instance is freed. @return 0; -1 with the reason in `why` */
int fmu_instance_begin(fmu_model *m, resida_message *why);

/** Leave initialization mode, and handle the events at the start. @return 0; -1 with the reason in `why` */
int fmu_instance_finish(fmu_model *m, resida_message *why);

/** Get states and algebraic variables from the instance. @return as port.h */
int fmu_states_get(fmu_model *m, double *y);

/** Compute tolerances [n] scaled by nominal values. */
void fmu_tolerances_scale(fmu_model *m, double *atol);

/** Update discrete states until no further update is required, then enter continuous mode, or step mode in
 *  Co-Simulation.
 *  @param[out] u  result of all updates. @return as port.h */
int fmu_instance_update(fmu_instance *i, fmu_update *u);

/** Make y and yp [n] consistent at t. @param[out] is_open  1: the solver computes yp. @return 0, or -1 on an error */
int fmu_start_find(fmu_model *m, double t, double *y, double *yp, int *is_open, resida_message *why);

/** Choose the variables that are outputs: declared outputs, and those of a list. @return 0, or -1 with the reason in
 *  `why` */
int fmu_outputs_choose(fmu_model *m, const char *columns, resida_message *why);

/** Check that each word of the list names a variable of a model [n] or another output [n_others], unless it begins with
 *  a comma. @return 0, or -1 with the reason in `why` */
int fmu_outputs_check(fmu_model *const *models, int n, const char *list, const char *const *others, int n_others,
                      fmu_pool *pool, resida_message *why);

/** Return the variable that is a number by its name, or by that of an element of an array; NULL if there is none. */
const fmu_variable *fmu_number_find(const fmu_description *d, const char *name, int *element);

/** Get the value of a variable of the instance by its name. @param is_at_point  0: the instance is ahead of the run
 *  @return as the callback value() of resida_model */
int fmu_value_get(fmu_model *m, int is_at_point, const char *name, double *value);

/** List the outputs. @param columns  list of further outputs. @return 0, or -1 with the reason in `why` */
int fmu_outputs_find(fmu_model *m, const char *columns, resida_message *why);

/** Return the index of the first value of a variable, which must be an output, in the outputs. */
int fmu_outputs_place(const fmu_model *m, const fmu_variable *v);

/** Get and store the outputs, which apply from t on. A real output that was finite and is not finite any more is a
 *  failure, because the state of the FMU in Co-Simulation is unknown. @return as port.h */
int fmu_outputs_store(fmu_model *m, fmu_kept *kept, double t);

/** Copy the stored values [n_outputs] and texts that apply at t to the outputs of the model, in Co-Simulation. @return
 *  the time from which on they apply */
double fmu_outputs_copy_stored(fmu_model *m, double t, double *out);

/** Warn of the first output that is not finite; "" if all are finite. @param names, values  [n] */
void fmu_outputs_check_finite(int n, const char *const *names, double t, const double *values, resida_message *warning);

/** Return 1 if all indicators of this FMU that crossed zero have their new sign, 0 if one has not, < 0 on a failure. */
int fmu_check_indicators(fmu_model *m, const int *direction);

/** Set the inputs and tunable parameters that apply after t. @return as port.h */
int fmu_event_set_inputs(fmu_model *m, double t);

/** Execute event mode at t, with the inputs that apply after t. The next event time of the FMU is stored in t_next.
 *  @return as port.h */
int fmu_event_execute(fmu_model *m, double t, fmu_update *u);

#endif
