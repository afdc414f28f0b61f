/* model.h - one model of an FMU: an instance, its equations, its start. */
#ifndef FMU_MODEL_H
#define FMU_MODEL_H

#include <resida/products.h>

#include "file.h"
#include "inputs.h"
#include "adapters/fmu/system/system.h"

/** Outputs that are kept. */
typedef struct fmu_kept {
    double *values;     /**< [n_outputs] */
    const char **words; /**< [n_outputs] */
    double t;           /**< [s] from when on they hold; INFINITY: never */
} fmu_kept;

/** What Co-Simulation did in a run. */
typedef struct fmu_counts {
    long steps, early, events;
    resida_message text;
} fmu_counts;

/** A model. */
typedef struct fmu_model {
    fmu_file *file;
    fmu_pool pool;
    fmu_instance instance;
    fmu_system system, lowest; /**< the equations; those of the lowest index, n = 0: not made */
    resida_products products;
    int takes_dae;                     /**< 1: by its residuals */
    double tolerance;                  /**< relative, usual */
    double h;                          /**< [s] communication step of Co-Simulation; 0: Model Exchange */
    double set_tolerance, t_stop;      /**< of Co-Simulation, as its instance has them; 0, INFINITY: it has none */
    int needs_event, ends, has_failed; /**< what the step to the next one said */
    fmu_kept held, left;               /**< at the last communication point; at the end of a step before its event */
    fmu_counts counts;
    int n_indicators;
    double *values;     /**< [n_parameters] */
    double *got;        /**< [n_parameters] as they were read back; work */
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
    uint64_t *wholes;                          /**< [n_outputs] work */
    int n_texts;
    resida_message warning; /**< of the last outputs */
    resida_message doubt;   /**< a value that was set, and is another one after the start; "": none */
    int is_used;            /**< 1: a run has begun since the instance was made */
    /** Hands over inputs that other FMUs have as outputs, at an event. NULL: there are none. @return as port.h */
    int (*connect)(void *self, struct fmu_model *m);
    void *connect_self;
} fmu_model;

/** What an FMU needs besides its instance. @param h  as in the model. @return NULL: the reason is in `why` */
fmu_model *fmu_model_open(fmu_file *f, double h, int takes_dae, const double *values, const char *const *words,
                          resida_message *why);
void fmu_model_close(fmu_model *m);

/** A new instance with its parameters, initialised, in continuous mode; the one before it is freed. The states and
 *  algebraic variables go to y0. @return 0; -1, the reason in `why` */
int fmu_instance_start(fmu_model *m, resida_message *why);

/** The two halves of it: until initialization mode, where inputs may be set, and behind it. */
int fmu_instance_begin(fmu_model *m, resida_message *why);
int fmu_instance_finish(fmu_model *m, resida_message *why);

/** atol by nominal values. */
void fmu_tolerances_scale(fmu_model *m);

/** Updates of discrete states, until there is no more to do, then continuous mode.
 *  @param[out] u  what they said together. @return as port.h */
int fmu_instance_update(fmu_instance *i, fmu_update *u);

/** y and yp [n] at t made consistent. @param[out] is_open  1: yp is left to the solver. @return 0; -1 */
int fmu_start_find(fmu_model *m, double t, double *y, double *yp, int *is_open, resida_message *why);

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

/** The same, kept: they hold from t on. @return as port.h */
int fmu_outputs_keep(fmu_model *m, fmu_kept *kept, double t);

/** The texts that were got last become those that the model tells. */
void fmu_outputs_say(fmu_model *m);

/** Values [n_outputs] and texts that hold at t in Co-Simulation become those that the model tells. */
void fmu_outputs_tell(fmu_model *m, double t, double *out);

/** The first output that is not finite, in words; "" where all are. @param names, values  [n] */
void fmu_outputs_judge(int n, const char *const *names, double t, const double *values, resida_message *warning);

/** The warning of outputs [n_outputs] of a model at t: theirs, else that of the start. */
void fmu_outputs_warn(fmu_model *m, double t, const double *values);

/** Their values. */
int fmu_output(const resida_model *model, const resida_model_point *at, double *out);

/** What happens at an event. */
int fmu_event(const resida_model *model, resida_model_event *e);

/** 1: every indicator that crossed is behind zero; 0: one is not; < 0: unknown. @param self  of fmu_event_behind() */
typedef int fmu_is_behind_fn(void *self, double t, const double *y, const int *direction);

/** Hand over the state behind a crossing: that of the event, or one that lies some roundings on along y' of the first
 *  n_x unknowns. @param moved  [n] work. @return 0; else it failed */
int fmu_event_behind(const resida_model_event *e, double *moved, int n, int n_x, fmu_is_behind_fn *is_behind,
                     void *self);

/** Do the indicators of this FMU that crossed have their new sign? @return as fmu_is_behind_fn */
int fmu_indicators_behind(fmu_model *m, const int *direction);

/** Through event mode at t, with the inputs behind it; t_next is that of the FMU then. @return as port.h */
int fmu_event_pass(fmu_model *m, double t, fmu_update *u);

/** The same of Co-Simulation: a communication step, and what held at the point before. */
int fmu_steps_event(const resida_model *model, resida_model_event *e);
int fmu_steps_output(const resida_model *model, const resida_model_point *at, double *out);

/** Inputs behind t at a communication point; discrete states where the FMU, or a row of the file, asks for it.
 *  @return 1: there was an event; 0; -1 */
int fmu_steps_update(fmu_model *m, double t);

/** Before a step from t, when outputs have been read: the inputs again (inputs.h). @return as port.h */
int fmu_steps_repeat(fmu_model *m, double t);

/** 1: event mode follows a step that has ended at t. */
int fmu_steps_has_event(const fmu_model *m, double t);

/** A step was taken, or an event has happened: the counts and their text. */
void fmu_steps_count(fmu_counts *c, int steps, int early, int events);

/** Set the stop time [s] and the tolerance of the experiment, before a run. @param rtol  0: that of the description.
 *  @return 1: only a new instance can take them; 0 */
int fmu_steps_set_experiment(fmu_model *m, double t_stop, double rtol);

/** Does the communication step lead to t_stop? @param takes_any  1: steps may differ. @return 0; -1, the reason in
 *  `why` */
int fmu_steps_check(const fmu_model *m, int takes_any, resida_message *why);

/** The communication point behind t, at t_stop the last one. @param takes_any  as above */
double fmu_steps_next(const fmu_model *m, double t, int takes_any);

/** The time of the event at which a step from t that has failed is reported, behind what is kept at t. */
double fmu_steps_soon(const fmu_model *m, double t);

#endif
