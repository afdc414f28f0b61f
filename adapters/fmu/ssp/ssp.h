/* ssp.h - several FMUs, of which outputs are inputs of others (SSP 1.0), as one model.
 *
 * Model Exchange: y = (x_1, .., x_n), x_i' = f_i(t, x_i, u_i), and u = outputs, from one to the other in an order in
 *                 which none is needed before it is known; without states y = time
 * Co-Simulation:  y = time; inputs are handed over at a communication point, all FMUs step to the next (Jacobi) */
#ifndef SSP_SSP_H
#define SSP_SSP_H

#include "adapters/fmu/model.h"
#include "ssd.h"

/** An FMU of a system. */
typedef struct ssp_component {
    const char *name;
    fmu_file *file;
    double *values;     /**< [n_parameters of the file] as the system binds them */
    const char **words; /**< the same of texts; NULL: a number */
} ssp_component;

/** An output that is an input. */
typedef struct ssp_link {
    int from, to; /**< components */
    const fmu_variable *source, *target;
    double factor, offset;
    int first;         /**< place among the values of all links */
    int is_continuous; /**< 0: it changes at events alone */
} ssp_link;

/** Parameter of the system: that of a component. */
typedef struct ssp_target {
    int component; /**< -1: the communication step */
    int parameter;
} ssp_target;

/** A class of models of a system. All memory but that of files is of the pool. */
typedef struct ssp_system {
    resida_model_class cls; /**< first: its address is that of the system */
    fmu_pool pool;
    fmu_scratch scratch; /**< the FMUs of the archive */
    ssd_structure about;
    int n;
    ssp_component *components; /**< [n] */
    int n_links, n_values;
    ssp_link *links;     /**< [n_links] in the order in which they are known */
    resida_message loop; /**< outputs that depend on each other, in words; "": none */
    resida_parameter *parameters;
    ssp_target *targets; /**< both [cls.n_parameters] */
    int by_steps;        /**< 1: Co-Simulation alone */
    const char *sampled; /**< continuous outputs that Model Exchange samples at events, in words; "": none */
} ssp_system;

/** An input that no output gives. */
typedef struct ssp_input {
    int part, place; /**< among the continuous inputs of that part */
} ssp_input;

/** One model of it. */
typedef struct ssp_model {
    ssp_system *system;
    fmu_pool pool;
    fmu_model **parts; /**< [n] */
    double h;          /**< [s] communication step; 0: Model Exchange */
    double t0;
    int n_x, n; /**< states; unknowns */
    int n_root, n_outputs;
    double *y0, *yp0, *atol; /**< [n] */
    double *moved, *rate;    /**< [n] work */
    double *given;           /**< [n_values] that were handed over last */
    double *before;          /**< [n_values] the same, for the last communication step */
    double *got;             /**< [n_values] work */
    int *is_pending;         /**< [n parts] 1: it has an event now */
    void **kept;             /**< [n parts] states at the last communication point */
    fmu_step *steps;         /**< [n parts] what they said */
    fmu_counts counts;       /**< of Co-Simulation */
    int n_inputs;
    ssp_input *inputs;                                         /**< [n_inputs] continuous ones */
    const char **input_names;                                  /**< [n_inputs] */
    int n_breaks;                                              /**< of inputs over time */
    double *breaks;                                            /**< [n_breaks] [s] */
    const char **names, **units;                               /**< [n] */
    const char **output_names, **output_units, **output_words; /**< [n_outputs] */
    int is_used, ends, has_failed;
    resida_message said, warning;
} ssp_model;

/** Read a system. @return 0; -1, the reason in `why`, nothing is left behind */
int ssp_open(const char *path, ssp_system **system, resida_message *why);
void ssp_close(ssp_system *s);

/** Its connections, sorted. @return 0; -1, the reason in `why` */
int ssp_links_make(ssp_system *s, resida_message *why);

/** Is a variable of a component an input that another one gives? */
int ssp_is_given(const ssp_system *s, int component, const fmu_variable *v);

/** Connections that are sampled, as a discrete input changes at events alone. @return in words; NULL without memory */
const char *ssp_links_sampled(ssp_system *s);

/** Parameters of the class. @return 0; -1 */
int ssp_table_make(ssp_system *s, resida_message *why);

/** Make a model, and free it. */
int ssp_create(const double *values, resida_model *model, resida_message *why);
void ssp_destroy(resida_model *model);

/** A verdict on component i, which is kept in words when it is < 0. @return the verdict */
int ssp_judge(ssp_model *m, int i, int verdict);

/** Hand over a link, if it has another value than before. @param[out] changed  1: it has; or NULL.
 *  @return as port.h */
int ssp_link_give(ssp_model *m, int link, int *changed);

/** Values of a link to the FMU that has them as an input. @return as port.h */
int ssp_link_set(ssp_model *m, int link, const double *values);

/** Does a link need no event mode? */
int ssp_link_is_plain(const ssp_model *m, int link);

/** Hand over all links in their order, or those that need no event mode. @return as port.h */
int ssp_links_give(ssp_model *m, int are_all);

/** New instances, initialised together, behind the events at the start. @return 0; -1, the reason in `why` */
int ssp_start(ssp_model *m, resida_message *why);

/** List inputs and breakpoints. @return 0; -1 without memory */
int ssp_inputs_make(ssp_model *m);

/** Inputs of all parts at t. @param u  [n_inputs] in the place of those at t; or NULL */
void ssp_inputs_at(ssp_model *m, double t, const double *u);

/** Callback of a resida_dae, whose user is an ssp_model. */
resida_excitation_fn ssp_excitation;

/** Hand t, the states y, inputs and all continuous links to the instances. @param u  as above. @return as port.h */
int ssp_set(ssp_model *m, double t, const double *y, const double *u);

/** x' where the instances are now, into rate. @return as port.h */
int ssp_rates(ssp_model *m, double *rate);

/** The FMUs that are pending go through event mode, and those whose inputs have changed with that, until there is no
 *  more to do. @return as port.h */
int ssp_settle(ssp_model *m, double t);

/** What happens at an event, of both kinds; outputs of Co-Simulation. */
int ssp_event(const resida_model *model, resida_model_event *e);
int ssp_steps_event(const resida_model *model, resida_model_event *e);

/** Keep, and forget, what lets a component go back to a communication point. */
void ssp_steps_forget(ssp_model *m);

#endif
