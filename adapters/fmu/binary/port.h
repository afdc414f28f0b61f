/* port.h - the functions of an FMU's binary, FMI 2.0 and 3.0 in one form.
 *
 * Calls return 0; 1: not possible here, another step size may do (fmiDiscard); -1: failed, what the FMU said about it
 * is in `said`. Value references are the caller's; lengths are those of the description. */
#ifndef FMU_PORT_H
#define FMU_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <resida/status.h>

#include "adapters/fmu/description/description.h"

struct fmu_instance;

/** What an update of discrete states says. */
typedef struct fmu_update {
    int again;          /**< 1: another update is needed */
    int ends;           /**< 1: the model wants the run to end */
    int has_new_states; /**< 1: continuous states were changed */
    int has_next;       /**< 1: the next event is at t_next */
    double t_next;      /**< [s] */
} fmu_update;

/** How an instance is used. */
typedef enum fmu_mode {
    FMU_EXCHANGE,       /**< Model Exchange */
    FMU_STEPS,          /**< Co-Simulation */
    FMU_STEPS_OF_EVENTS /**< Co-Simulation with event mode; FMI 3.0 alone */
} fmu_mode;

/** What a communication step says. */
typedef struct fmu_step {
    int needs_event;  /**< 1: event mode has to follow */
    int ends;         /**< 1: the model wants the run to end at t_reached */
    double t_reached; /**< [s] the end of the step, or before it */
} fmu_step;

/** The calls. References of arrays count once, their values one by one. */
typedef struct fmu_port {
    int (*make)(struct fmu_instance *i, const char *name, const char *token, const char *resources, fmu_mode mode);
    void (*release)(struct fmu_instance *i);
    /** In configuration mode: a structural parameter, Boolean, becomes true. NULL in FMI 2.0. */
    int (*enable)(struct fmu_instance *i, uint32_t reference);
    int (*set)(struct fmu_instance *i, fmu_type type, uint32_t reference, const double *values, size_t n);
    int (*set_text)(struct fmu_instance *i, uint32_t reference, const char *text);
    /** Values [n] of a variable as numbers, whatever its type; a text, valid until the next call. */
    int (*get)(struct fmu_instance *i, fmu_type type, uint32_t reference, double *values, size_t n);
    int (*get_text)(struct fmu_instance *i, uint32_t reference, const char **text);
    /** The same of whole numbers of 64 bit, exactly: the bits of int64_t or uint64_t. NULL in FMI 2.0. */
    int (*set_whole)(struct fmu_instance *i, fmu_type type, uint32_t reference, const uint64_t *values, size_t n);
    int (*get_whole)(struct fmu_instance *i, fmu_type type, uint32_t reference, uint64_t *values, size_t n);
    /** The experiment, before variables are set: some binaries put parameters back to their start values in it.
     *  @param tolerance  0: undefined. @param t_stop  [s] INFINITY: undefined. NULL in FMI 3.0 */
    int (*set_experiment)(struct fmu_instance *i, double t0, double tolerance, double t_stop);
    /** With the same arguments, which FMI 2.0 has by then. */
    int (*begin_initialization)(struct fmu_instance *i, double t0, double tolerance, double t_stop);
    int (*update)(struct fmu_instance *i, fmu_update *update);
    int (*step_done)(struct fmu_instance *i, int *has_event, int *ends);
    /** A communication step from t to t + h. */
    int (*step)(struct fmu_instance *i, double t, double h, fmu_step *step);
    int (*get_reals)(struct fmu_instance *i, const uint32_t *references, size_t n, double *values, size_t n_values);
    int (*set_reals)(struct fmu_instance *i, const uint32_t *references, size_t n, const double *values,
                     size_t n_values);
    /** sensitivity [n_sensitivity] = d(unknowns)/d(knowns) seed [n_seed]; NULL: the binary has no such function. */
    int (*derivative)(struct fmu_instance *i, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                      size_t n_knowns, const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity);
    /** How many states and indicators the binary has; NULL in FMI 2.0, where it does not say. */
    int (*count)(struct fmu_instance *i, size_t *n_states, size_t *n_indicators);
} fmu_port;

/** Functions whose form is the same in both, of the binary. */
typedef struct fmu_plain {
    int (*end_initialization)(void *component); /**< into event mode */
    int (*enter_event_mode)(void *component);
    int (*enter_continuous_mode)(void *component);
    int (*enter_step_mode)(void *component); /**< NULL in FMI 2.0 */
    int (*set_time)(void *component, double t);
    int (*set_states)(void *component, const double *x, size_t n);
    int (*get_states)(void *component, double *x, size_t n);
    int (*get_nominals)(void *component, double *x, size_t n);
    int (*get_derivatives)(void *component, double *xp, size_t n);
    int (*get_indicators)(void *component, double *z, size_t n);
    int (*keep)(void *component, void **state); /**< its whole state; NULL: the binary has no such function */
    int (*go_back)(void *component, void *state);
    int (*forget)(void *component, void **state);
} fmu_plain;

/** A loaded binary. */
typedef struct fmu_binary {
    void *handle;    /**< of dlopen(); NULL: none */
    void *functions; /**< of fmi2.c or fmi3.c */
    fmu_plain plain;
    fmu_port port;
} fmu_binary;

/** One instance of it. */
typedef struct fmu_instance {
    const fmu_binary *binary;
    fmu_mode mode;
    void *component;      /**< NULL: none */
    int is_dead;          /**< 1: after a fatal status nothing may be called any more */
    void *callbacks;      /**< of FMI 2.0 */
    resida_message heard; /**< the last message of the FMU */
    resida_message said;  /**< why a call failed last */
} fmu_instance;

/** Load what Model Exchange needs, or Co-Simulation.
 *  @return 0; -1, the reason in `why`; unload in both cases */
int fmu_binary_load(fmu_binary *l, const char *path, int version, int by_steps, resida_message *why);
void fmu_binary_unload(fmu_binary *l);

/** Call a function of fmu_plain, or one like it. @return as those of fmu_port */
int fmu_call(fmu_instance *i, int (*function)(void *component));
int fmu_get(fmu_instance *i, int (*function)(void *component, double *x, size_t n), double *x, size_t n);
int fmu_set_time(fmu_instance *i, double t);
int fmu_set_states(fmu_instance *i, const double *x, size_t n);

/** A function that only some FMUs need is missing: that is said. @return -1 */
int fmu_lacks(fmu_instance *i, const char *name);

/** Any function of a binary. */
typedef void (*fmu_function)(void);

/** What the status that a function has returned says to those who call. One that is not OK is in `said`, with the
 *  function and what was heard. */
int fmu_verdict(fmu_instance *i, int status, fmu_function function);

/** Put the name of the variable before what is said, where a call has failed. @return the verdict */
int fmu_verdict_on(fmu_instance *i, const char *variable, int verdict);

/** A message of the FMU, which is kept when its status is not OK. */
void fmu_hear(fmu_instance *i, int status, const char *message);

/** A function of a binary, and where its address goes. */
typedef struct fmu_symbol {
    const char *name;
    size_t offset;                                                                 /**< in the struct of functions */
    enum { FMU_NEEDED = 0, FMU_OPTIONAL = 1, FMU_OF_EXCHANGE, FMU_OF_STEPS } need; /**< of both, of none, of one */
} fmu_symbol;

/** @return 0; -1: one that is needed is missing */
int fmu_symbols_load(void *handle, const fmu_symbol *symbols, size_t n, void *functions, int by_steps,
                     resida_message *why);

/** Load the functions of a version, and set the port. @return 0; -1 */
int fmi2_load(fmu_binary *l, int by_steps, resida_message *why);
int fmi3_load(fmu_binary *l, int by_steps, resida_message *why);

#endif
