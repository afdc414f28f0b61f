/* ssp.h - a system of FMUs as one model: several connected FMUs (SSP 1.0 and 2.0), or a single FMU, whose name is "".
 *
 * Model Exchange: y = (x_1, .., x_n), x_i' = f_i(t, x_i, u_i); outputs are copied to the inputs u_i in an order in
 *                 which each output is known before it is needed; without states y = time; of a single FMU y and F
 *                 are those of system.h
 * Co-Simulation:  y = time; at a communication point inputs are set, and all FMUs step to the next point (Jacobi) */
#ifndef SSP_SSP_H
#define SSP_SSP_H

#include <resida/products.h>

#include "adapters/fmu/model.h"
#include "ssd.h"

/** An FMU of a system. */
typedef struct ssp_component {
    const char *name; /**< "": the only one */
    ssd_kind kind;
    fmu_file *file;
    double *values;     /**< [n_parameters of the file] with the bindings of the system */
    const char **words; /**< the same for texts; NULL: a number */
} ssp_component;

/** A connection of an output to an input. */
typedef struct ssp_link {
    int from, to; /**< components */
    const fmu_variable *source, *target;
    double factor, offset;
    int first;         /**< index in the values of all connections */
    int is_continuous; /**< 0: it changes only at events */
} ssp_link;

/** A connector of a system without a source: its value is a parameter. */
typedef struct ssp_open_connector {
    const char *name, *unit; /**< hierarchical name; unit, or NULL */
    int is_bound;            /**< 1: the system gives its value */
    double value;
} ssp_open_connector;

/** An input or a parameter of a component that has the value of an open connector: factor value + offset. */
typedef struct ssp_feed {
    int open, component;
    const fmu_variable *target;
    double factor, offset;
} ssp_feed;

/** An output of the system: factor output + offset of a component. */
typedef struct ssp_export {
    const char *name, *unit;
    int component;
    const fmu_variable *source;
    double factor, offset;
} ssp_export;

/** A parameter of the system itself; open connectors follow. */
typedef enum ssp_own { SSP_STEP, SSP_OUTPUTS, SSP_INPUTS, SSP_HOLD, SSP_OPEN } ssp_own;

/** A parameter of the system: its own, or a parameter of a component. */
typedef struct ssp_target {
    int component; /**< -1: of the system */
    int parameter; /**< of a component; of the system: an ssp_own, SSP_OPEN + index of an open connector */
} ssp_target;

/** A class of models of a system. The memory belongs to the pool, except that of the FMUs. */
typedef struct ssp_system {
    resida_model_class cls; /**< first: its address is that of the system */
    fmu_pool pool;
    fmu_scratch scratch; /**< the FMUs of the archive */
    ssd_structure about;
    int n;
    ssp_component *components; /**< [n] */
    int n_links, n_values;
    ssp_link *links; /**< [n_links] in the order of evaluation */
    int n_open, n_feeds, n_exports;
    ssp_open_connector *open; /**< [n_open] */
    ssp_feed *feeds;          /**< [n_feeds] */
    ssp_export *exports;      /**< [n_exports] */
    resida_message loop;      /**< message on outputs that depend on each other; "": none */
    resida_parameter *parameters;
    ssp_target *targets; /**< both [cls.n_parameters] */
    int by_steps;        /**< 1: a component requires Co-Simulation */
    const char *sampled; /**< message on continuous outputs that Model Exchange samples at events; "": none */
} ssp_system;

/** An input that is not connected, or a tunable parameter. */
typedef struct ssp_input {
    int part, place;      /**< index in inputs.set of the part; part -1: an open connector */
    const ssp_feed *feed; /**< of an open connector, whose value applies if it has none of its own; NULL: none */
} ssp_input;

/** A model of a system. */
typedef struct ssp_model {
    ssp_system *system;
    fmu_pool pool;
    fmu_model **parts; /**< [n] */
    double h;          /**< [s] communication step; 0: Model Exchange */
    double t0;
    int n_x, n;  /**< number of states; of unknowns */
    int is_open; /**< 1: the solver computes yp at the start */
    resida_products products;
    int n_root, n_outputs, n_own; /**< the first n_own outputs are those of components */
    int *exported;                /**< [n_outputs - n_own] the output of a component that an output of the system is */
    const ssp_export **exports;   /**< [n_outputs - n_own] */
    const double *values;         /**< [n_open] values of open connectors: the outputs of a system without components */
    double *y0, *yp0, *atol;      /**< [n] */
    double *moved;                /**< [n] work */
    double *given;                /**< [n_values] last values of the connections */
    double *before;               /**< [n_values] their values in the last communication step */
    double *got;                  /**< [n_values] work */
    int *is_pending;              /**< [n parts] 1: an event is pending */
    void **kept;                  /**< [n parts] saved states of the last communication point */
    fmu_step *steps;              /**< [n parts] results of the last step */
    fmu_counts counts;            /**< of Co-Simulation */
    int n_inputs, n_tuned;
    ssp_input *inputs; /**< [n_inputs] continuous ones, then [n_tuned] values that may be set at events */
    const char **input_names, **input_units; /**< [n_inputs + n_tuned]; of tuned ones the open connectors are last */
    double *set;    /**< [n_inputs + n_tuned] values that replace them; NAN: none (resida_model.state) */
    int *settable;  /**< [n_open] index of an open connector in `set`; -1: it feeds a value that is fixed */
    int n_breaks;   /**< number of breakpoints of the inputs */
    double *breaks; /**< [n_breaks] [s] */
    const char **names, **units;                               /**< [n] */
    const char **output_names, **output_units, **output_words; /**< [n_outputs] */
    int is_used, ends, has_failed;
    double t_ended;  /**< [s] where Model Exchange has ended; NAN: not */
    int is_at_point; /**< 1: the instances are at a communication point */
    resida_message said, warning;
} ssp_model;

/** Create the connections, sorted in the order of evaluation. @return 0; -1 with the reason in `why` */
int ssp_links_make(ssp_system *s, resida_message *why);

/** Return NAME of "ELEMENT.NAME", or NULL for another element. The element at the top is "". */
const char *ssp_name_within(const char *name, const char *element);

/** Return "a real number", "an integer", "a Boolean", "a text", or that the type of a variable is not supported. */
const char *ssp_kind_name(const fmu_variable *v);

/** Return the connection to an element's connector, or NULL if there is none. */
const ssd_connection *ssp_connection_find(const ssp_system *s, const char *element, const char *connector);

/** Return 1 if a variable of a component is a connected input. */
int ssp_is_connected(const ssp_system *s, int component, const fmu_variable *v);

/** Return the index of an open connector, which is added if it is not known; -1 on an error. */
int ssp_open_connector_find(ssp_system *s, const char *element, const char *connector, resida_message *why);

/** Return the feed of a variable that has the value of an open connector, or NULL. */
const ssp_feed *ssp_feed_find(const ssp_system *s, int component, const fmu_variable *v);

/** Set the inputs and parameters of a component that an open connector feeds. @param values  [n_parameters of its
 *  file] */
void ssp_feed_value(const ssp_system *s, int open, int component, double value, double *values);

/** Return a text about connections to discrete inputs, which change only at events; "" if there are none; NULL if
 *  memory is exhausted. */
const char *ssp_links_list_sampled(ssp_system *s);

/** Make the parameters of the class. @return 0, or -1 on an error */
int ssp_table_make(ssp_system *s, resida_message *why);

/** Create and destroy a model. */
int ssp_create(const double *values, resida_model *model, resida_message *why);
void ssp_destroy(resida_model *model);

/** If a call of component i failed, verdict < 0, store its message. @return the verdict */
int ssp_store_failure(ssp_model *m, int i, int verdict);

/** Copy the output of a connection to its input. If `changed` is not NULL, only compare: *changed = 1 if the value
 *  differs from the last one.
 *  @return as port.h */
int ssp_link_copy(ssp_model *m, int link, int *changed);

/** Set the input of a connection to these values. @return as port.h */
int ssp_link_set(ssp_model *m, int link, const double *values);

/** Return 1 if a connection can be set without event mode. */
int ssp_link_needs_no_event(const ssp_model *m, int link);

/** Copy the outputs of all connections, or of those without event mode, to their inputs in the order of evaluation.
 *  @return as port.h */
int ssp_links_copy(ssp_model *m, int are_all);

/** Create and initialise new instances, and handle the events at the start. @return 0; -1 with the reason in `why` */
int ssp_start(ssp_model *m, resida_message *why);

/** List inputs and breakpoints. @return 0, or -1 if there is no memory */
int ssp_inputs_make(ssp_model *m);

/** A column of the inputs of a system is an input of a component, or an open connector. @return as in fmu_series */
int ssp_is_column(const fmu_series *series, const char *column, int parameter, double *factor, double *offset);

/** Check that each column of the file gives a part its value. @return 0, or -1 with the reason in `why` */
int ssp_inputs_check(const ssp_model *m, const char *path, resida_message *why);

/** Compute the inputs of all parts at t. @param u  [n_inputs] replaces the values at t; may be NULL */
void ssp_inputs_at(ssp_model *m, double t, const double *u);

/** Callback of a resida_dae. `user` is an ssp_model. */
resida_excitation_fn ssp_excitation;

/** Set t, the states y, inputs and all connections that need no event mode. @param yp  sets also x' that are inputs of
 *  an FMU; may be NULL. @param u  as above. @return as port.h */
int ssp_set_state(ssp_model *m, double t, const double *y, const double *yp, const double *u);

/** Get the states of all instances, one after another. @return as port.h */
int ssp_get_states(ssp_model *m, double *y);

/** Make y and yp [n] consistent at the state that is set. @param[out] is_open  1: the solver computes yp. @return 0, or
 *  -1 with the reason in `why` */
int ssp_find_rates(ssp_model *m, double t, double *y, double *yp, int *is_open, resida_message *why);

/** Return the time of the next event of an FMU, or of its inputs; INFINITY: none. */
double ssp_next_time(const ssp_model *m);

/** Execute event mode of pending FMUs, and of those whose inputs change as a consequence, until no input changes.
 *  @return as port.h */
int ssp_iterate_events(ssp_model *m, double t);

/** Event callbacks of Model Exchange and Co-Simulation. */
int ssp_event(const resida_model *model, resida_model_event *e);
int ssp_steps_event(const resida_model *model, resida_model_event *e);

/** Callbacks save() and load() of a resida_model. */
int ssp_save(const resida_model *model, void *bytes, size_t *size);
int ssp_load(const resida_model *model, const void *bytes, size_t size);

/** Return 1 if a run can be saved as bytes that another process can load. */
int ssp_saves_bytes(const ssp_model *m);

/** Add to the counters of Co-Simulation, and update their text. */
void ssp_steps_count(fmu_counts *c, int steps, int early, int events);

/** Free the states of the parts at the last communication point. */
void ssp_steps_free_states(ssp_model *m);

#endif
