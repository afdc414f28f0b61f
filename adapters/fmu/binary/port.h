/* port.h - the functions of an FMU's binary, in one form for FMI 2.0 and 3.0.
 *
 * Calls return 0 on success, 1 if the call is not possible at this state, but may be with another step size
 * (fmiDiscard), and -1 on failure, with the message of the FMU in `said`. The caller guarantees valid value references;
 * lengths are those of the description. */
#ifndef FMU_PORT_H
#define FMU_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <resida/status.h>

#include "adapters/fmu/description/description.h"

struct fmu_instance;

/** Result of an update of discrete states. */
typedef struct fmu_update {
    int again;          /**< 1: another update is needed */
    int ends;           /**< 1: the model requests the end of the run */
    int has_new_states; /**< 1: continuous states were changed */
    int has_next;       /**< 1: the next event is at t_next */
    double t_next;      /**< [s] */
} fmu_update;

/** Mode of an instance. */
typedef enum fmu_mode {
    FMU_EXCHANGE,       /**< Model Exchange */
    FMU_STEPS,          /**< Co-Simulation */
    FMU_STEPS_OF_EVENTS /**< Co-Simulation with event mode; only FMI 3.0 */
} fmu_mode;

/** Result of a communication step. */
typedef struct fmu_step {
    int needs_event;  /**< 1: event mode must follow */
    int ends;         /**< 1: the model requests the end of the run at t_reached */
    double t_reached; /**< [s] end of the step, or an earlier time */
} fmu_step;

/** Real variables for one call. An array has one reference, and the number of its values. */
typedef struct fmu_references {
    int n; /**< references */
    int n_values;
    uint32_t *of; /**< [n] */
} fmu_references;

/** The calls. */
typedef struct fmu_port {
    int (*make)(struct fmu_instance *i, const char *name, const char *token, const char *resources, fmu_mode mode);
    /** Set a structural parameter of type Boolean to true, in configuration mode. NULL in FMI 2.0. */
    int (*enable)(struct fmu_instance *i, uint32_t reference);
    /** Set the values [n_values] of n real variables, or of one of any type, from numbers. */
    int (*set)(struct fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, const double *values,
               size_t n_values);
    int (*set_text)(struct fmu_instance *i, uint32_t reference, const char *text);
    /** Set the first derivative of an input for the next communication step. NULL: not available; also in FMI 3.0. */
    int (*set_rate)(struct fmu_instance *i, uint32_t reference, double rate);
    /** Get values as numbers, as set(); get a text, which is valid until the next call. */
    int (*get)(struct fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, double *values,
               size_t n_values);
    int (*get_text)(struct fmu_instance *i, uint32_t reference, const char **text);
    /** Set and get 64-bit integers exactly, as the bits of int64_t or uint64_t. NULL in FMI 2.0. */
    int (*set_whole)(struct fmu_instance *i, fmu_type type, uint32_t reference, const uint64_t *values, size_t n);
    int (*get_whole)(struct fmu_instance *i, fmu_type type, uint32_t reference, uint64_t *values, size_t n);
    /** Set the experiment, before variables are set: some binaries reset parameters to their start values in this call.
     *  @param tolerance  0: undefined. @param t_stop  [s] INFINITY: undefined. NULL in FMI 3.0 */
    int (*set_experiment)(struct fmu_instance *i, double t0, double tolerance, double t_stop);
    /** Enter initialization mode. The arguments are those of set_experiment(); FMI 2.0 ignores them. */
    int (*begin_initialization)(struct fmu_instance *i, double t0, double tolerance, double t_stop);
    int (*update)(struct fmu_instance *i, fmu_update *update);
    int (*step_done)(struct fmu_instance *i, int *has_event, int *ends);
    /** Take a communication step from t to t + h. */
    int (*step)(struct fmu_instance *i, double t, double h, fmu_step *step);
    /** Compute sensitivity [n_sensitivity] = d(unknowns)/d(knowns) seed [n_seed]. NULL: not available. */
    int (*derivative)(struct fmu_instance *i, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                      size_t n_knowns, const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity);
    /** Get the numbers of states and indicators of the binary. NULL in FMI 2.0, which has no such function. */
    int (*count)(struct fmu_instance *i, size_t *n_states, size_t *n_indicators);
} fmu_port;

/** Functions of the binary with the same form in both versions. */
typedef struct fmu_plain {
    void (*free_instance)(void *component);
    int (*end_initialization)(void *component); /**< enters event mode */
    int (*enter_event_mode)(void *component);
    int (*enter_continuous_mode)(void *component);
    int (*enter_step_mode)(void *component); /**< NULL in FMI 2.0 */
    int (*set_time)(void *component, double t);
    int (*set_states)(void *component, const double *x, size_t n);
    int (*get_states)(void *component, double *x, size_t n);
    int (*get_nominals)(void *component, double *x, size_t n);
    int (*get_derivatives)(void *component, double *xp, size_t n);
    int (*get_indicators)(void *component, double *z, size_t n);
    int (*keep)(void *component,
                void **state); /**< saves the whole state; NULL: the binary cannot go back to a state */
    int (*go_back)(void *component, void *state);
    int (*forget)(void *component, void **state);
    int (*count_bytes)(void *component, void *state, size_t *size);
    int (*write)(void *component, void *state, char *bytes, size_t size);
    int (*read)(void *component, const char *bytes, size_t size, void **state); /**< NULL: it cannot write a state */
} fmu_plain;

/** A loaded binary. */
typedef struct fmu_binary {
    void *handle;    /**< of dlopen(); NULL: none */
    void *functions; /**< those of fmi2.c or fmi3.c */
    fmu_plain plain;
    fmu_port port;
} fmu_binary;

/** An instance of an FMU. */
typedef struct fmu_instance {
    const fmu_binary *binary;
    fmu_mode mode;
    void *component;      /**< NULL: none */
    int is_dead;          /**< 1: after a fatal status no function may be called */
    void *callbacks;      /**< of FMI 2.0 */
    resida_message heard; /**< the last message of the FMU */
    resida_message said;  /**< reason of the last failure */
} fmu_instance;

/** Load the functions for Model Exchange or Co-Simulation. Call fmu_binary_unload() also after a failure.
 *  @return 0, or -1 with the reason in `why` */
int fmu_binary_load(fmu_binary *l, const char *path, int version, int by_steps, resida_message *why);
void fmu_binary_unload(fmu_binary *l);

/** Free an instance, unless it is dead. */
void fmu_release(fmu_instance *i);

/** Return flags of dlopen() with which a library and its dependencies are searched before the process. Return 0 if the
 *  library was modified for this purpose. */
int fmu_bind_own_symbols(const char *path);

/** Call a function of fmu_plain, or one of the same form. @return as the functions of fmu_port */
int fmu_call(fmu_instance *i, int (*function)(void *component));
int fmu_get(fmu_instance *i, int (*function)(void *component, double *x, size_t n), double *x, size_t n);

/** Set and get the values of a variable of any type as numbers, and those of real variables. @return as fmu_port */
int fmu_variable_set(fmu_instance *i, const fmu_variable *v, const double *values);
int fmu_variable_get(fmu_instance *i, const fmu_variable *v, double *values);
int fmu_reals_set(fmu_instance *i, const fmu_references *r, const double *values);
int fmu_reals_get(fmu_instance *i, const fmu_references *r, double *values);

/** Report that the binary lacks an optional function that is required here. @return -1 */
int fmu_report_missing(fmu_instance *i, const char *name);

/** Any function of a binary. */
typedef void (*fmu_function)(void);

/** Convert an FMI status to the return value of fmu_port. If it is not OK, write the name of the function and the last
 *  message to `said`. */
int fmu_convert_status(fmu_instance *i, int status, fmu_function function);

/** Call a function of a binary from a struct of them. @return as the functions of fmu_port */
#define FMU_CALL(i, from, member, ...)                                                                                 \
    ((i)->is_dead                                                                                                      \
         ? -1                                                                                                          \
         : fmu_convert_status((i), (from)->member((i)->component, __VA_ARGS__), (fmu_function)(from)->member))

/** If a call failed, prefix the message in `said` with the name of a variable. @return the verdict */
int fmu_prefix_variable(fmu_instance *i, const char *variable, int verdict);

/** Store a message of the FMU unless its status is OK. */
void fmu_store_message(fmu_instance *i, int status, const char *message);

/** The interfaces that need a function. */
typedef enum fmu_need { FMU_NEEDED = 0, FMU_OPTIONAL = 1, FMU_OF_EXCHANGE, FMU_OF_STEPS } fmu_need;

/** A function of a binary, and the place of its address. */
typedef struct fmu_symbol {
    const char *name;
    size_t offset; /**< in the struct of functions */
    fmu_need need;
} fmu_symbol;

/** Load functions. @return 0, or -1 if a required function is missing */
int fmu_symbols_load(void *handle, const fmu_symbol *symbols, size_t n, void *functions, int by_steps,
                     resida_message *why);

/** Load the functions of a version, and set the port. @return 0, or -1 on an error */
int fmi2_load(fmu_binary *l, int by_steps, resida_message *why);
int fmi3_load(fmu_binary *l, int by_steps, resida_message *why);

#endif
