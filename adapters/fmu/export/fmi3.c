/* fmi3.c - the functions of FMI 3.0 for Co-Simulation (fmi-standard.org, FMI 3.0.1, sections 2.2 and 4.2), without event
 * mode and early return. Inputs are held during a step: FMI 3.0 has no derivatives of inputs. */
#include "interface.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR };

typedef void logger_fn(void *environment, int status, const char *category, const char *message);

/** An instance of the importer. */
typedef struct fmu {
    component *c;
    logger_fn *logger;
    void *environment;
    int logs; /**< 1: warnings are reported too */
} fmu;

static void report(logger_fn *logger, void *environment, int status, const char *text)
{
    static const char *const categories[] = {"", "logStatusWarning", "logStatusDiscard", "logStatusError"};
    if (logger) logger(environment, status, categories[status], text);
}

static int fail(const fmu *f)
{
    report(f->logger, f->environment, ERROR, f->c->said.text);
    return ERROR;
}

static int verdict(const fmu *f, int result)
{
    return result < 0 ? fail(f) : OK;
}

/** Refuse a call in a wrong phase. */
static int refuse(const fmu *f, const char *function)
{
    component_refuse(f->c, function);
    return fail(f);
}

FMI const char *fmi3GetVersion(void)
{
    return "3.0";
}

FMI int fmi3SetDebugLogging(fmu *f, bool on, size_t n, const char *const *categories)
{
    (void)n, (void)categories;
    f->logs = on;
    return OK;
}

FMI fmu *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                     bool logs, bool event_mode, bool early_return, const uint32_t *intermediate,
                                     size_t n_intermediate, void *environment, logger_fn *logger, void (*update)(void))
{
    (void)name, (void)visible, (void)event_mode, (void)early_return, (void)intermediate, (void)n_intermediate;
    (void)update;
    resida_message why = {"no memory, or no path of the resources"};
    char *path = component_path(resources);
    fmu *f = path ? calloc(1, sizeof *f) : NULL;
    if (f) *f = (fmu){component_open(path, token, &why), logger, environment, logs};
    free(path);
    if (f && f->c) return f;
    report(logger, environment, ERROR, why.text);
    free(f);
    return NULL;
}

FMI void fmi3FreeInstance(fmu *f)
{
    if (!f) return;
    component_close(f->c);
    free(f);
}

FMI int fmi3EnterInitializationMode(fmu *f, bool has_tolerance, double tolerance, double t0, bool has_stop,
                                    double t_stop)
{
    if (f->c->phase != COMPONENT_MADE) return refuse(f, "fmi3EnterInitializationMode");
    if (component_experiment(f->c, t0, has_tolerance ? tolerance : 0, has_stop ? t_stop : INFINITY) < 0) return fail(f);
    f->c->phase = COMPONENT_INITIALIZING;
    return OK;
}

static void report_warning(void *self, const char *text)
{
    const fmu *f = self;
    report(f->logger, f->environment, WARNING, text);
}

FMI int fmi3ExitInitializationMode(fmu *f)
{
    if (f->c->phase != COMPONENT_INITIALIZING) return refuse(f, "fmi3ExitInitializationMode");
    if (component_begin(f->c) < 0) return fail(f);
    if (f->logs) component_warnings(f->c, report_warning, f);
    return OK;
}

FMI int fmi3Terminate(fmu *f)
{
    f->c->phase = COMPONENT_ENDED;
    return OK;
}

FMI int fmi3Reset(fmu *f)
{
    return verdict(f, component_reset(f->c));
}

/** Set and get the values of a type that is a number in `component`. */
#define ACCESS(name, type)                                                                                             \
    FMI int fmi3Get##name(fmu *f, const uint32_t *references, size_t n, type *values, size_t n_values)                 \
    {                                                                                                                  \
        double value = 0;                                                                                              \
        for (size_t k = 0; k < n && k < n_values; k++) {                                                               \
            if (component_get(f->c, references[k], &value) < 0) return fail(f);                                        \
            values[k] = (type)value;                                                                                   \
        }                                                                                                              \
        return OK;                                                                                                     \
    }                                                                                                                  \
    FMI int fmi3Set##name(fmu *f, const uint32_t *references, size_t n, const type *values, size_t n_values)           \
    {                                                                                                                  \
        for (size_t k = 0; k < n && k < n_values; k++)                                                                 \
            if (component_set(f->c, references[k], (double)values[k]) < 0) return fail(f);                             \
        return OK;                                                                                                     \
    }
ACCESS(Float64, double)
ACCESS(Int32, int32_t)

FMI int fmi3GetString(fmu *f, const uint32_t *references, size_t n, const char **values, size_t n_values)
{
    for (size_t k = 0; k < n && k < n_values; k++)
        if (component_get_text(f->c, references[k], &values[k]) < 0) return fail(f);
    return OK;
}

FMI int fmi3SetString(fmu *f, const uint32_t *references, size_t n, const char *const *values, size_t n_values)
{
    for (size_t k = 0; k < n && k < n_values; k++)
        if (component_set_text(f->c, references[k], values[k]) < 0) return fail(f);
    return OK;
}

FMI int fmi3DoStep(fmu *f, double t, double h, bool no_return, bool *needs_event, bool *ends, bool *is_early,
                   double *t_reached)
{
    (void)no_return;
    *needs_event = *ends = *is_early = false;
    *t_reached = f->c->t;
    if (f->c->phase != COMPONENT_STEPPING) return refuse(f, "fmi3DoStep");
    if (component_step(f->c, t, h) < 0) return fail(f);
    *ends = f->c->has_ended;
    *t_reached = f->c->t;
    if (*ends) report_warning(f, f->c->said.text);
    return OK;
}

FMI int fmi3GetFMUState(fmu *f, component_bytes **state)
{
    component_bytes *saved = NULL;
    if (component_save(f->c, &saved) < 0) return fail(f);
    free(*state);
    *state = saved;
    return OK;
}

FMI int fmi3SetFMUState(fmu *f, const component_bytes *state)
{
    return verdict(f, component_load(f->c, state));
}

FMI int fmi3FreeFMUState(fmu *f, component_bytes **state)
{
    (void)f;
    free(*state);
    *state = NULL;
    return OK;
}

FMI int fmi3SerializedFMUStateSize(fmu *f, const component_bytes *state, size_t *size)
{
    (void)f;
    *size = state->size;
    return OK;
}

FMI int fmi3SerializeFMUState(fmu *f, const component_bytes *state, unsigned char *bytes, size_t size)
{
    if (size < state->size) return refuse(f, "fmi3SerializeFMUState with too little memory");
    memcpy(bytes, state->bytes, state->size);
    return OK;
}

FMI int fmi3DeserializeFMUState(fmu *f, const unsigned char *bytes, size_t size, component_bytes **state)
{
    *state = component_bytes_of(bytes, size);
    return *state ? OK : refuse(f, "fmi3DeserializeFMUState without memory");
}

/** Interfaces that the description does not declare. */
FMI fmu *fmi3InstantiateModelExchange(void)
{
    return NULL;
}

FMI fmu *fmi3InstantiateScheduledExecution(void)
{
    return NULL;
}

/** Functions that no variable of the description needs. Their further arguments are not read. */
#define MISSING(name)                                                                                                  \
    FMI int name(fmu *f)                                                                                               \
    {                                                                                                                  \
        return refuse(f, #name);                                                                                       \
    }
#define MISSING_TYPE(name) MISSING(fmi3Get##name) MISSING(fmi3Set##name)
MISSING_TYPE(Float32)
MISSING_TYPE(Int8)
MISSING_TYPE(UInt8)
MISSING_TYPE(Int16)
MISSING_TYPE(UInt16)
MISSING_TYPE(UInt32)
MISSING_TYPE(Int64)
MISSING_TYPE(UInt64)
MISSING_TYPE(Boolean)
MISSING_TYPE(Binary)
MISSING_TYPE(Clock)
MISSING_TYPE(IntervalDecimal)
MISSING_TYPE(IntervalFraction)
MISSING_TYPE(ShiftDecimal)
MISSING_TYPE(ShiftFraction)
MISSING(fmi3EnterEventMode)
MISSING(fmi3EnterStepMode)
MISSING(fmi3EnterConfigurationMode)
MISSING(fmi3ExitConfigurationMode)
MISSING(fmi3EvaluateDiscreteStates)
MISSING(fmi3UpdateDiscreteStates)
MISSING(fmi3GetNumberOfVariableDependencies)
MISSING(fmi3GetVariableDependencies)
MISSING(fmi3GetDirectionalDerivative)
MISSING(fmi3GetAdjointDerivative)
MISSING(fmi3GetOutputDerivatives)
MISSING(fmi3EnterContinuousTimeMode)
MISSING(fmi3CompletedIntegratorStep)
MISSING(fmi3SetTime)
MISSING(fmi3SetContinuousStates)
MISSING(fmi3GetContinuousStateDerivatives)
MISSING(fmi3GetEventIndicators)
MISSING(fmi3GetContinuousStates)
MISSING(fmi3GetNominalsOfContinuousStates)
MISSING(fmi3GetNumberOfEventIndicators)
MISSING(fmi3GetNumberOfContinuousStates)
MISSING(fmi3ActivateModelPartition)
