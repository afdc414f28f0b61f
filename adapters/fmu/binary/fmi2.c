/* fmi2.c - the C interface of FMI 2.0, Model Exchange and Co-Simulation, by sections 2.1, 3.2 and 4.2 of the
 * standard. Asynchronous steps (fmi2Pending) are not supported. */
#include "port.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODEL_EXCHANGE = 0, CO_SIMULATION = 1 };
enum { STATUS_DISCARD = 2, STATUS_PENDING = 5, LAST_TIME = 2, TERMINATED = 3 };

typedef void *component;
typedef unsigned reference_2;

typedef struct callbacks {
    void (*log)(void *environment, const char *instance, int status, const char *category, const char *message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*free)(void *block);
    void (*step_finished)(void *environment, int status);
    void *environment;
} callbacks;

typedef struct event_info {
    int again, ends, new_nominals, new_states, has_next;
    double t_next;
} event_info;

typedef struct functions {
    component (*instantiate)(const char *name, int kind, const char *guid, const char *resources, const callbacks *c,
                             int visible, int logging);
    int (*setup)(component c, int has_tolerance, double tolerance, double t0, int has_end, double end);
    int (*enter_initialization)(component c);
    int (*update)(component c, event_info *info);
    int (*step_done)(component c, int no_return, int *has_event, int *ends);
    int (*step)(component c, double t, double h, int no_return);
    int (*real_status)(component c, int kind, double *value);
    int (*boolean_status)(component c, int kind, int *value);
    int (*get_real)(component c, const reference_2 *references, size_t n, double *values);
    int (*set_real)(component c, const reference_2 *references, size_t n, const double *values);
    int (*set_rates)(component c, const reference_2 *references, size_t n, const int *orders, const double *rates);
    int (*set_integer)(component c, const reference_2 *references, size_t n, const int *values);
    int (*set_boolean)(component c, const reference_2 *references, size_t n, const int *values);
    int (*set_string)(component c, const reference_2 *references, size_t n, const char *const *values);
    int (*get_integer)(component c, const reference_2 *references, size_t n, int *values);
    int (*get_boolean)(component c, const reference_2 *references, size_t n, int *values);
    int (*get_string)(component c, const reference_2 *references, size_t n, const char **values);
    int (*derivative)(component c, const reference_2 *unknowns, size_t n_unknowns, const reference_2 *knowns,
                      size_t n_knowns, const double *seed, double *sensitivity);
} functions;

#define AT(member) offsetof(functions, member)
static const fmu_symbol symbols[] = {
    {"fmi2Instantiate", AT(instantiate), 0},
    {"fmi2SetupExperiment", AT(setup), 0},
    {"fmi2EnterInitializationMode", AT(enter_initialization), 0},
    {"fmi2NewDiscreteStates", AT(update), FMU_OF_EXCHANGE},
    {"fmi2CompletedIntegratorStep", AT(step_done), FMU_OF_EXCHANGE},
    {"fmi2GetReal", AT(get_real), 0},
    {"fmi2SetReal", AT(set_real), 0},
    {"fmi2SetInteger", AT(set_integer), 0},
    {"fmi2SetBoolean", AT(set_boolean), 0},
    {"fmi2SetString", AT(set_string), 0},
    {"fmi2SetRealInputDerivatives", AT(set_rates), 1},
    {"fmi2GetDirectionalDerivative", AT(derivative), 1},
    {"fmi2GetInteger", AT(get_integer), 1},
    {"fmi2GetBoolean", AT(get_boolean), 1},
    {"fmi2GetString", AT(get_string), 1},
    {"fmi2DoStep", AT(step), FMU_OF_STEPS},
    {"fmi2GetRealStatus", AT(real_status), 1},
    {"fmi2GetBooleanStatus", AT(boolean_status), 1},
};

static const functions *get_functions(const fmu_instance *i)
{
    return i->binary->functions;
}

#define CALL(i, member, ...) FMU_CALL(i, get_functions(i), member, __VA_ARGS__)

/* The message is a format with further arguments. */
static void on_log(void *environment, const char *name, int status, const char *category, const char *message, ...)
{
    char line[RESIDA_MESSAGE_SIZE];
    va_list rest;
    (void)name, (void)category;
    if (!message) return;
    va_start(rest, message);
    vsnprintf(line, sizeof line, message, rest);
    va_end(rest);
    fmu_store_message(environment, status, line);
}

static int make(fmu_instance *i, const char *name, const char *token, const char *resources, fmu_mode mode)
{
    i->mode = mode;
    callbacks *c = i->callbacks = calloc(1, sizeof *c);
    if (!c) return -1;
    *c = (callbacks){on_log, calloc, free, NULL, i};
    i->component = get_functions(i)->instantiate(name, mode == FMU_EXCHANGE ? MODEL_EXCHANGE : CO_SIMULATION, token,
                                                 resources, c, 0, 0);
    return i->component ? 0 : fmu_fail(&i->said, "%s", i->heard.text);
}

static int set(fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, const double *values,
               size_t n_values)
{
    const int whole = type == FMU_FLOAT64 ? 0 : (int)values[0];
    (void)n_values; /* FMI 2.0 has no arrays */
    if (type == FMU_FLOAT64) return CALL(i, set_real, references, n, values);
    return type == FMU_BOOLEAN ? CALL(i, set_boolean, references, 1, &whole)
                               : CALL(i, set_integer, references, 1, &whole);
}

static int set_text(fmu_instance *i, uint32_t reference, const char *text)
{
    return CALL(i, set_string, &reference, 1, &text);
}

static int set_rate(fmu_instance *i, uint32_t reference, double rate)
{
    const int order = 1;
    return CALL(i, set_rates, &reference, 1, &order, &rate);
}

static int get(fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, double *values, size_t n_values)
{
    int whole = 0;
    (void)n_values;
    if (type == FMU_FLOAT64) return CALL(i, get_real, references, n, values);
    if (!get_functions(i)->get_integer || !get_functions(i)->get_boolean)
        return fmu_report_missing(i, "fmi2GetInteger or fmi2GetBoolean");
    const int verdict =
        type == FMU_BOOLEAN ? CALL(i, get_boolean, references, 1, &whole) : CALL(i, get_integer, references, 1, &whole);
    values[0] = whole;
    return verdict;
}

static int get_text(fmu_instance *i, uint32_t reference, const char **text)
{
    return get_functions(i)->get_string ? CALL(i, get_string, &reference, 1, text)
                                        : fmu_report_missing(i, "fmi2GetString");
}

static int set_experiment(fmu_instance *i, double t0, double tolerance, double t_stop)
{
    const int has_end = t_stop < INFINITY;
    return CALL(i, setup, tolerance > 0, tolerance, t0, has_end, has_end ? t_stop : 0);
}

static int begin_initialization(fmu_instance *i, double t0, double tolerance, double t_stop)
{
    (void)t0, (void)tolerance, (void)t_stop;
    return fmu_call(i, get_functions(i)->enter_initialization);
}

static int update(fmu_instance *i, fmu_update *u)
{
    event_info info = {.t_next = INFINITY};
    const int verdict = CALL(i, update, &info);
    *u = (fmu_update){info.again, info.ends, info.new_states, info.has_next, info.t_next};
    return verdict;
}

static int step_done(fmu_instance *i, int *has_event, int *ends)
{
    *has_event = *ends = 0;
    return CALL(i, step_done, 1, has_event, ends);
}

/* A step that ends early returns fmi2Discard, and the time reached is available from a status function. */
static int step(fmu_instance *i, double t, double h, fmu_step *step)
{
    const functions *f = get_functions(i);
    *step = (fmu_step){.t_reached = t + h};
    if (i->is_dead) return -1;
    const int status = f->step(i->component, t, h, 1);
    if (status == STATUS_PENDING) return fmu_fail(&i->said, "its step is asynchronous, which is not supported");
    if (status != STATUS_DISCARD || !f->real_status || !f->boolean_status)
        return fmu_convert_status(i, status, (fmu_function)f->step);
    int verdict =
        fmu_convert_status(i, f->real_status(i->component, LAST_TIME, &step->t_reached), (fmu_function)f->real_status);
    if (verdict == 0)
        verdict = fmu_convert_status(i, f->boolean_status(i->component, TERMINATED, &step->ends),
                                     (fmu_function)f->boolean_status);
    const resida_message said = i->said;
    if (verdict != 0) fmu_fail(&i->said, "fmi2DoStep returned fmi2Discard, then %.400s", said.text);
    return verdict;
}

static int derivative(fmu_instance *i, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                      size_t n_knowns, const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity)
{
    (void)n_seed, (void)n_sensitivity;
    return CALL(i, derivative, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

int fmi2_load(fmu_binary *l, int by_steps, resida_message *why)
{
    functions *f = l->functions = calloc(1, sizeof *f);
    if (!f) return fmu_no_memory(why);
    if (fmu_symbols_load(l->handle, symbols, sizeof symbols / sizeof *symbols, f, by_steps, why) < 0) return -1;
    l->port = (fmu_port){
        .make = make,
        .set = set,
        .set_text = set_text,
        .set_rate = f->set_rates ? set_rate : NULL,
        .get = get,
        .get_text = get_text,
        .set_experiment = set_experiment,
        .begin_initialization = begin_initialization,
        .update = update,
        .step_done = step_done,
        .step = step,
        .derivative = f->derivative ? derivative : NULL,
    };
    return 0;
}
