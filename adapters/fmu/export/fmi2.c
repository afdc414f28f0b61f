/* fmi2.c - the functions of FMI 2.0 for Co-Simulation (fmi-standard.org, FMI 2.0.4, sections 2.1 and 4.2). */
#include "interface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR };
enum { LAST_SUCCESSFUL_TIME = 2, TERMINATED = 3, CO_SIMULATION = 1 };

typedef void logger_fn(void *environment, const char *instance, int status, const char *category, const char *message,
                       ...);

/** fmi2CallbackFunctions. */
typedef struct callbacks {
    logger_fn *logger;
    void *(*allocate)(size_t n, size_t size);
    void (*free)(void *block);
    void (*step_finished)(void *environment, int status);
    void *environment;
} callbacks;

/** An instance of the importer. */
typedef struct fmu {
    component *c;
    callbacks calls;
    char *name;
    int logs; /**< 1: warnings are reported too */
} fmu;

static void report(const callbacks *calls, const char *name, int status, const char *text)
{
    static const char *const categories[] = {"", "logStatusWarning", "logStatusDiscard", "logStatusError"};
    if (calls->logger) calls->logger(calls->environment, name, status, categories[status], "%s", text);
}

static int fail(const fmu *f)
{
    report(&f->calls, f->name, ERROR, f->c->said.text);
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

FMI const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

FMI const char *fmi2GetVersion(void)
{
    return "2.0";
}

FMI int fmi2SetDebugLogging(fmu *f, int on, size_t n, const char *const *categories)
{
    (void)n, (void)categories;
    f->logs = on;
    return OK;
}

FMI fmu *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const callbacks *calls,
                         int visible, int logs)
{
    (void)visible;
    resida_message why = {""};
    char *path = component_path(resources);
    fmu *f = path ? calloc(1, sizeof *f) : NULL;
    if (f) *f = (fmu){.calls = *calls, .name = strdup(name ? name : ""), .logs = logs};
    if (f && f->name && type == CO_SIMULATION) f->c = component_open(path, guid, &why);
    free(path);
    if (f && f->c) return f;
    const char *reason = type != CO_SIMULATION ? "the FMU is for Co-Simulation only"
                         : !f                  ? "no memory, or no path of the resources"
                                               : why.text;
    report(calls, name, ERROR, reason);
    if (f) free(f->name);
    free(f);
    return NULL;
}

FMI void fmi2FreeInstance(fmu *f)
{
    if (!f) return;
    component_close(f->c);
    free(f->name);
    free(f);
}

FMI int fmi2SetupExperiment(fmu *f, int has_tolerance, double tolerance, double t0, int has_stop, double t_stop)
{
    if (f->c->phase != COMPONENT_MADE) return refuse(f, "fmi2SetupExperiment");
    return verdict(f, component_experiment(f->c, t0, has_tolerance ? tolerance : 0, has_stop ? t_stop : INFINITY));
}

FMI int fmi2EnterInitializationMode(fmu *f)
{
    if (f->c->phase != COMPONENT_MADE) return refuse(f, "fmi2EnterInitializationMode");
    f->c->phase = COMPONENT_INITIALIZING;
    return OK;
}

static void report_warning(void *self, const char *text)
{
    const fmu *f = self;
    report(&f->calls, f->name, WARNING, text);
}

FMI int fmi2ExitInitializationMode(fmu *f)
{
    if (f->c->phase != COMPONENT_INITIALIZING) return refuse(f, "fmi2ExitInitializationMode");
    if (component_begin(f->c) < 0) return fail(f);
    if (f->logs) component_warnings(f->c, report_warning, f);
    return OK;
}

FMI int fmi2Terminate(fmu *f)
{
    f->c->phase = COMPONENT_ENDED;
    return OK;
}

FMI int fmi2Reset(fmu *f)
{
    return verdict(f, component_reset(f->c));
}

/** Set or get the values of a type that is a number in `component`. */
#define ACCESS(name, type)                                                                                             \
    FMI int fmi2Get##name(fmu *f, const unsigned *references, size_t n, type *values)                                  \
    {                                                                                                                  \
        double value = 0;                                                                                              \
        for (size_t k = 0; k < n; k++) {                                                                               \
            if (component_get(f->c, references[k], &value) < 0) return fail(f);                                        \
            values[k] = (type)value;                                                                                   \
        }                                                                                                              \
        return OK;                                                                                                     \
    }                                                                                                                  \
    FMI int fmi2Set##name(fmu *f, const unsigned *references, size_t n, const type *values)                            \
    {                                                                                                                  \
        for (size_t k = 0; k < n; k++)                                                                                 \
            if (component_set(f->c, references[k], (double)values[k]) < 0) return fail(f);                             \
        return OK;                                                                                                     \
    }
ACCESS(Real, double)
ACCESS(Integer, int)
ACCESS(Boolean, int)

FMI int fmi2GetString(fmu *f, const unsigned *references, size_t n, const char **values)
{
    for (size_t k = 0; k < n; k++)
        if (component_get_text(f->c, references[k], &values[k]) < 0) return fail(f);
    return OK;
}

FMI int fmi2SetString(fmu *f, const unsigned *references, size_t n, const char *const *values)
{
    for (size_t k = 0; k < n; k++)
        if (component_set_text(f->c, references[k], values[k]) < 0) return fail(f);
    return OK;
}

FMI int fmi2SetRealInputDerivatives(fmu *f, const unsigned *references, size_t n, const int *orders,
                                    const double *values)
{
    for (size_t k = 0; k < n; k++)
        if (component_set_rate(f->c, references[k], orders[k], values[k]) < 0) return fail(f);
    return OK;
}

FMI int fmi2DoStep(fmu *f, double t, double h, int no_return)
{
    (void)no_return;
    if (f->c->phase != COMPONENT_STEPPING) return refuse(f, "fmi2DoStep");
    if (component_step(f->c, t, h) < 0) return fail(f);
    if (!f->c->has_ended) return OK;
    report(&f->calls, f->name, DISCARD, f->c->said.text);
    return DISCARD;
}

FMI int fmi2GetRealStatus(fmu *f, int kind, double *value)
{
    if (kind != LAST_SUCCESSFUL_TIME) return DISCARD;
    *value = f->c->t;
    return OK;
}

FMI int fmi2GetBooleanStatus(fmu *f, int kind, int *value)
{
    if (kind != TERMINATED) return DISCARD;
    *value = f->c->has_ended;
    return OK;
}

FMI int fmi2GetFMUstate(fmu *f, component_bytes **state)
{
    component_bytes *saved = NULL;
    if (component_save(f->c, &saved) < 0) return fail(f);
    free(*state);
    *state = saved;
    return OK;
}

FMI int fmi2SetFMUstate(fmu *f, const component_bytes *state)
{
    return verdict(f, component_load(f->c, state));
}

FMI int fmi2FreeFMUstate(fmu *f, component_bytes **state)
{
    (void)f;
    free(*state);
    *state = NULL;
    return OK;
}

FMI int fmi2SerializedFMUstateSize(fmu *f, const component_bytes *state, size_t *size)
{
    (void)f;
    *size = state->size;
    return OK;
}

FMI int fmi2SerializeFMUstate(fmu *f, const component_bytes *state, unsigned char *bytes, size_t size)
{
    if (size < state->size) return refuse(f, "fmi2SerializeFMUstate with too little memory");
    memcpy(bytes, state->bytes, state->size);
    return OK;
}

FMI int fmi2DeSerializeFMUstate(fmu *f, const unsigned char *bytes, size_t size, component_bytes **state)
{
    *state = component_bytes_of(bytes, size);
    return *state ? OK : refuse(f, "fmi2DeSerializeFMUstate without memory");
}

/** Functions that the description declares as missing. */
FMI int fmi2GetDirectionalDerivative(fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                                     size_t n_knowns, const double *seed, double *product)
{
    (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns, (void)seed, (void)product;
    return refuse(f, "fmi2GetDirectionalDerivative");
}

FMI int fmi2GetRealOutputDerivatives(fmu *f, const unsigned *references, size_t n, const int *orders, double *values)
{
    (void)references, (void)n, (void)orders, (void)values;
    return refuse(f, "fmi2GetRealOutputDerivatives");
}

FMI int fmi2CancelStep(fmu *f)
{
    return refuse(f, "fmi2CancelStep");
}

/** Statuses of asynchronous steps, which do not exist. */
FMI int fmi2GetStatus(fmu *f, int kind, int *value)
{
    (void)f, (void)kind, (void)value;
    return DISCARD;
}

FMI int fmi2GetIntegerStatus(fmu *f, int kind, int *value)
{
    (void)f, (void)kind, (void)value;
    return DISCARD;
}

FMI int fmi2GetStringStatus(fmu *f, int kind, const char **value)
{
    (void)f, (void)kind, (void)value;
    return DISCARD;
}
