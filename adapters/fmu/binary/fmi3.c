/* fmi3.c - the C interface of FMI 3.0, Model Exchange and Co-Simulation (sections 2.2, 3.2, 4.2 of the standard). */
#include "port.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef void *instance;
typedef void log_fn(void *environment, int status, const char *category, const char *message);
typedef int count_fn(instance i, size_t *n);
#define SETTER(type) int (*)(instance, const uint32_t *, size_t, const type *, size_t)
#define GETTER(type) int (*)(instance, const uint32_t *, size_t, type *, size_t)

typedef struct functions {
    instance (*instantiate)(const char *name, const char *token, const char *resources, bool visible, bool logging,
                            void *environment, log_fn *log);
    instance (*instantiate_steps)(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early_return, const uint32_t *intermediate,
                                  size_t n_intermediate, void *environment, log_fn *log, void (*update)(void));
    int (*enter_initialization)(instance i, bool has_tolerance, double tolerance, double t0, bool has_end, double end);
    int (*enter_configuration)(instance i), (*exit_configuration)(instance i);
    int (*update)(instance i, bool *again, bool *ends, bool *new_nominals, bool *new_states, bool *has_next,
                  double *t_next);
    int (*step_done)(instance i, bool no_return, bool *has_event, bool *ends);
    int (*step)(instance i, double t, double h, bool no_return, bool *needs_event, bool *ends, bool *is_early,
                double *t_reached);
    count_fn *count_states, *count_indicators;
    int (*get_float64)(instance i, const uint32_t *references, size_t n, double *values, size_t n_values);
    int (*set_float64)(instance i, const uint32_t *references, size_t n, const double *values, size_t n_values);
    int (*set_string)(instance i, const uint32_t *references, size_t n, const char *const *values, size_t n_values);
    int (*get_string)(instance i, const uint32_t *references, size_t n, const char **values, size_t n_values);
    void (*set_converted[FMU_STRING])(void); /* setters and getters of the types of FMU_CONVERTED */
    void (*get_converted[FMU_STRING])(void);
    int (*derivative)(instance i, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns, size_t n_knowns,
                      const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity);
} functions;

#define AT(member) offsetof(functions, member)
static const fmu_symbol symbols[] = {{"fmi3InstantiateModelExchange", AT(instantiate), FMU_OF_EXCHANGE},
                                     {"fmi3InstantiateCoSimulation", AT(instantiate_steps), FMU_OF_STEPS},
                                     {"fmi3DoStep", AT(step), FMU_OF_STEPS},
                                     {"fmi3EnterInitializationMode", AT(enter_initialization), 0},
                                     {"fmi3EnterConfigurationMode", AT(enter_configuration), 1},
                                     {"fmi3ExitConfigurationMode", AT(exit_configuration), 1},
                                     {"fmi3UpdateDiscreteStates", AT(update), 0},
                                     {"fmi3CompletedIntegratorStep", AT(step_done), FMU_OF_EXCHANGE},
                                     {"fmi3GetNumberOfContinuousStates", AT(count_states), FMU_OF_EXCHANGE},
                                     {"fmi3GetNumberOfEventIndicators", AT(count_indicators), FMU_OF_EXCHANGE},
                                     {"fmi3GetFloat64", AT(get_float64), 0},
                                     {"fmi3SetFloat64", AT(set_float64), 0},
                                     {"fmi3SetString", AT(set_string), 0},
                                     {"fmi3GetString", AT(get_string), 1},
                                     {"fmi3GetDirectionalDerivative", AT(derivative), 1},
#define SYMBOLS(constant, name, ...)                                                                                   \
    {"fmi3Set" #name, AT(set_converted[constant]), 0}, {"fmi3Get" #name, AT(get_converted[constant]), 1},
                                     FMU_CONVERTED(SYMBOLS)};

static const functions *get_functions(const fmu_instance *i)
{
    return i->binary->functions;
}

#define CALL(i, member, ...) FMU_CALL(i, get_functions(i), member, __VA_ARGS__)

static void on_log(void *environment, int status, const char *category, const char *message)
{
    (void)category;
    fmu_store_message(environment, status, message);
}

static int make(fmu_instance *i, const char *name, const char *token, const char *resources, fmu_mode mode)
{
    i->mode = mode;
    if (mode != FMU_EXCHANGE)
        i->component =
            get_functions(i)->instantiate_steps(name, token, resources, false, false, mode == FMU_STEPS_OF_EVENTS,
                                                mode == FMU_STEPS_OF_EVENTS, NULL, 0, i, on_log, NULL);
    else
        i->component = get_functions(i)->instantiate(name, token, resources, false, false, i, on_log);
    return i->component ? 0 : fmu_fail(&i->said, "%s", i->heard.text);
}

/* Return the largest double of a type: 2^63 and 2^64, to which the largest integers are rounded, exceed the types. */
static double get_largest_value(fmu_type type)
{
    const double two_63 = 9223372036854775808.0;
    return type == FMU_INT64 ? nextafter(two_63, 0) : type == FMU_UINT64 ? nextafter(2 * two_63, 0) : INFINITY;
}

/* Set values from an array, or get them to one. */
#define ACCESS(constant, name, type, least, largest)                                                                   \
    case constant: {                                                                                                   \
        void (*set)(void) = get_functions(i)->set_converted[constant];                                                 \
        void (*get)(void) = get_functions(i)->get_converted[constant];                                                 \
        if (to && !get) return fmu_report_missing(i, "fmi3Get" #name);                                                 \
        type *x = room;                                                                                                \
        for (size_t k = 0; k < n && !to; k++) x[k] = (type)fmin(from[k], get_largest_value(constant));                 \
        const int verdict = to ? fmu_convert_status(i, ((GETTER(type))get)(i->component, &reference, 1, x, n), get)    \
                               : fmu_convert_status(i, ((SETTER(type))set)(i->component, &reference, 1, x, n), set);   \
        for (size_t k = 0; k < n && to; k++) to[k] = (double)x[k];                                                     \
        return verdict;                                                                                                \
    }

static int convert(fmu_instance *i, fmu_type type, uint32_t reference, const double *from, double *to, size_t n,
                   void *room)
{
    switch (type) {
        FMU_CONVERTED(ACCESS)
    default:
        return -1;
    }
}

static int access_values(fmu_instance *i, fmu_type type, uint32_t reference, const double *from, double *to, size_t n)
{
    if (i->is_dead) return -1;
    void *room = calloc(n ? n : 1, sizeof(double)); /* room for the largest type */
    const int verdict = room ? convert(i, type, reference, from, to, n, room) : -1;
    free(room);
    return verdict;
}

static int set(fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, const double *values,
               size_t n_values)
{
    return type == FMU_FLOAT64 ? CALL(i, set_float64, references, n, values, n_values)
                               : access_values(i, type, *references, values, NULL, n_values);
}

static int get(fmu_instance *i, fmu_type type, const uint32_t *references, size_t n, double *values, size_t n_values)
{
    return type == FMU_FLOAT64 ? CALL(i, get_float64, references, n, values, n_values)
                               : access_values(i, type, *references, NULL, values, n_values);
}

static int enable(fmu_instance *i, uint32_t reference)
{
    if (!get_functions(i)->enter_configuration || !get_functions(i)->exit_configuration)
        return fmu_fail(&i->said, "its binary has no configuration mode");
    int verdict = fmu_call(i, get_functions(i)->enter_configuration);
    if (verdict == 0) verdict = set(i, FMU_BOOLEAN, &reference, 1, &(double){1}, 1);
    return verdict == 0 ? fmu_call(i, get_functions(i)->exit_configuration) : verdict;
}

static int set_whole(fmu_instance *i, fmu_type type, uint32_t reference, const uint64_t *values, size_t n)
{
    void (*setter)(void) = get_functions(i)->set_converted[type];
    if (i->is_dead) return -1;
    return fmu_convert_status(i,
                              type == FMU_UINT64
                                  ? ((SETTER(uint64_t))setter)(i->component, &reference, 1, values, n)
                                  : ((SETTER(int64_t))setter)(i->component, &reference, 1, (const int64_t *)values, n),
                              setter);
}

static int get_whole(fmu_instance *i, fmu_type type, uint32_t reference, uint64_t *values, size_t n)
{
    void (*getter)(void) = get_functions(i)->get_converted[type];
    if (!getter) return fmu_report_missing(i, type == FMU_UINT64 ? "fmi3GetUInt64" : "fmi3GetInt64");
    if (i->is_dead) return -1;
    return fmu_convert_status(i,
                              type == FMU_UINT64
                                  ? ((GETTER(uint64_t))getter)(i->component, &reference, 1, values, n)
                                  : ((GETTER(int64_t))getter)(i->component, &reference, 1, (int64_t *)values, n),
                              getter);
}

static int get_text(fmu_instance *i, uint32_t reference, const char **text)
{
    return get_functions(i)->get_string ? CALL(i, get_string, &reference, 1, text, 1)
                                        : fmu_report_missing(i, "fmi3GetString");
}

static int set_text(fmu_instance *i, uint32_t reference, const char *text)
{
    return CALL(i, set_string, &reference, 1, &text, 1);
}

static int begin_initialization(fmu_instance *i, double t0, double tolerance, double t_stop)
{
    const bool has_end = t_stop < INFINITY;
    return CALL(i, enter_initialization, tolerance > 0, tolerance, t0, has_end, has_end ? t_stop : 0);
}

static int update(fmu_instance *i, fmu_update *u)
{
    bool again = false, ends = false, new_nominals = false, new_states = false, has_next = false;
    double t_next = INFINITY;
    const int verdict = CALL(i, update, &again, &ends, &new_nominals, &new_states, &has_next, &t_next);
    *u = (fmu_update){again, ends, new_states, has_next, t_next};
    return verdict;
}

static int step_done(fmu_instance *i, int *has_event, int *ends)
{
    bool event = false, end = false;
    const int verdict = CALL(i, step_done, true, &event, &end);
    *has_event = event;
    *ends = end;
    return verdict;
}

static int step(fmu_instance *i, double t, double h, fmu_step *step)
{
    bool needs_event = false, ends = false, is_early = false;
    double t_reached = t + h;
    const int verdict = CALL(i, step, t, h, true, &needs_event, &ends, &is_early, &t_reached);
    *step = (fmu_step){needs_event, ends, is_early || ends ? t_reached : t + h};
    return verdict;
}

static int derivative(fmu_instance *i, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                      size_t n_knowns, const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity)
{
    return CALL(i, derivative, unknowns, n_unknowns, knowns, n_knowns, seed, n_seed, sensitivity, n_sensitivity);
}

static int count(fmu_instance *i, size_t *n_states, size_t *n_indicators)
{
    const int verdict = CALL(i, count_states, n_states);
    return verdict == 0 ? CALL(i, count_indicators, n_indicators) : verdict;
}

int fmi3_load(fmu_binary *l, int by_steps, resida_message *why)
{
    functions *f = l->functions = calloc(1, sizeof *f);
    if (!f) return fmu_no_memory(why);
    if (fmu_symbols_load(l->handle, symbols, sizeof symbols / sizeof *symbols, f, by_steps, why) < 0) return -1;
    l->port = (fmu_port){
        .make = make,
        .enable = enable,
        .set = set,
        .set_text = set_text,
        .get = get,
        .get_text = get_text,
        .set_whole = set_whole,
        .get_whole = get_whole,
        .begin_initialization = begin_initialization,
        .update = update,
        .step_done = step_done,
        .step = step,
        .derivative = f->derivative ? derivative : NULL,
        .count = count,
    };
    return 0;
}
