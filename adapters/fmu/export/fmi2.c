/* fmi2.c - the functions of FMI 2.0 for Co-Simulation (fmi-standard.org, FMI 2.0.4, sections 2.1 and 4.2) that differ
 * from those of FMI 3.0. */
#include "interface.h"

#include <math.h>

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

/* The message is a format. Some importers do not read further arguments. */
static void report(const fmu *f, int status, const char *category, const char *text)
{
    char format[2 * RESIDA_MESSAGE_SIZE];
    size_t n = 0;
    for (; *text && n + 2 < sizeof format; text++) {
        if (*text == '%') format[n++] = '%';
        format[n++] = *text;
    }
    format[n] = 0;
    ((logger_fn *)f->logger)(f->environment, f->name, status, category, format);
}

FMI const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

FMI const char *fmi2GetVersion(void)
{
    return "2.0";
}

FMI fmu *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const callbacks *calls,
                         int visible, int logs)
{
    (void)visible;
    return fmu_make((fmu){NULL, report, (void (*)(void))calls->logger, calls->environment, (char *)name, logs},
                    resources, guid, type == CO_SIMULATION);
}

FMI int fmi2SetupExperiment(fmu *f, int has_tolerance, double tolerance, double t0, int has_stop, double t_stop)
{
    if (f->c->at.phase != COMPONENT_MADE) return fmu_refuse(f, "fmi2SetupExperiment");
    return fmu_result(f, component_experiment(f->c, t0, has_tolerance ? tolerance : 0, has_stop ? t_stop : INFINITY));
}

FMI int fmi2EnterInitializationMode(fmu *f)
{
    if (f->c->at.phase != COMPONENT_MADE) return fmu_refuse(f, "fmi2EnterInitializationMode");
    f->c->at.phase = COMPONENT_INITIALIZING;
    return FMU_OK;
}

FMI int fmi2SetRealInputDerivatives(fmu *f, const unsigned *references, size_t n, const int *orders,
                                    const double *values)
{
    int result = 0;
    for (size_t k = 0; k < n && result == 0; k++)
        result = component_set_rate(f->c, references[k], orders[k], values[k]);
    return fmu_result(f, result);
}

FMI int fmi2GetDirectionalDerivative(fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                                     size_t n_knowns, const double *seed, double *sensitivity)
{
    return fmu_derivative(f, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

FMI int fmi2DoStep(fmu *f, double t, double h)
{
    if (f->c->at.phase != COMPONENT_STEPPING) return fmu_refuse(f, "fmi2DoStep");
    const int status = fmu_result(f, component_step(f->c, t, h));
    return status == FMU_OK && f->c->has_ended ? fmu_report(f, FMU_DISCARD, f->c->said.text) : status;
}

FMI int fmi2GetRealStatus(fmu *f, int kind, double *value)
{
    if (kind == LAST_SUCCESSFUL_TIME) *value = f->c->at.t;
    return kind == LAST_SUCCESSFUL_TIME ? FMU_OK : FMU_DISCARD;
}

FMI int fmi2GetBooleanStatus(fmu *f, int kind, int *value)
{
    if (kind == TERMINATED) *value = f->c->has_ended;
    return kind == TERMINATED ? FMU_OK : FMU_DISCARD;
}

/** Statuses of asynchronous steps, which do not exist. */
FMI int fmi2GetStatus(const fmu *f)
{
    (void)f;
    return FMU_DISCARD;
}
int fmi2GetIntegerStatus(const fmu *f) ALSO("fmi2GetStatus");
int fmi2GetStringStatus(const fmu *f) ALSO("fmi2GetStatus");

MISSING(fmi2GetBoolean)
MISSING(fmi2SetBoolean)
MISSING(fmi2GetRealOutputDerivatives)
MISSING(fmi2CancelStep)
