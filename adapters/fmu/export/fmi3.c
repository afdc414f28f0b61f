/* fmi3.c - the functions of FMI 3.0 for Co-Simulation (fmi-standard.org, FMI 3.0.1, sections 2.2 and 4.2) that differ
 * from those of FMI 2.0. There is no event mode and no early return. Inputs are held during a step: FMI 3.0 has no
 * derivatives of inputs. */
#include "interface.h"

#include <math.h>
#include <stdbool.h>

typedef void logger_fn(void *environment, int status, const char *category, const char *message);

static void report(const fmu *f, int status, const char *category, const char *text)
{
    ((logger_fn *)f->logger)(f->environment, status, category, text);
}

FMI const char *fmi3GetVersion(void)
{
    return "3.0";
}

FMI fmu *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                     bool logs, bool event_mode, bool early_return, const unsigned *intermediate,
                                     size_t n_intermediate, void *environment, logger_fn *logger, void (*update)(void))
{
    (void)visible, (void)event_mode, (void)early_return, (void)intermediate, (void)n_intermediate, (void)update;
    return fmu_make((fmu){NULL, report, (void (*)(void))logger, environment, (char *)name, logs}, resources, token, 1);
}

/** Interfaces that the description does not declare. */
FMI fmu *fmi3InstantiateModelExchange(void)
{
    return NULL;
}
fmu *fmi3InstantiateScheduledExecution(void) ALSO("fmi3InstantiateModelExchange");

FMI int fmi3EnterInitializationMode(fmu *f, bool has_tolerance, double tolerance, double t0, bool has_stop,
                                    double t_stop)
{
    if (f->c->at.phase != COMPONENT_MADE) return fmu_refuse(f, "fmi3EnterInitializationMode");
    const int result = component_experiment(f->c, t0, has_tolerance ? tolerance : 0, has_stop ? t_stop : INFINITY);
    if (result == 0) f->c->at.phase = COMPONENT_INITIALIZING;
    return fmu_result(f, result);
}

FMI int fmi3GetDirectionalDerivative(fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                                     size_t n_knowns, const double *seed, size_t n_seed, double *sensitivity)
{
    (void)n_seed; /* all variables are scalars */
    return fmu_derivative(f, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

FMI int fmi3DoStep(fmu *f, double t, double h, bool no_return, bool *needs_event, bool *ends, bool *is_early,
                   double *t_reached)
{
    (void)no_return;
    const int is_phase = f->c->at.phase == COMPONENT_STEPPING;
    const int status = is_phase ? fmu_result(f, component_step(f->c, t, h)) : fmu_refuse(f, "fmi3DoStep");
    *needs_event = *is_early = false;
    *ends = f->c->has_ended;
    *t_reached = f->c->at.t;
    return status;
}

/** Functions that no variable of the description needs. */
static int refuse(const fmu *f)
{
    return fmu_refuse(f, "the description excludes this function");
}
#define EXCLUDED(name)          int fmi3##name(const fmu *f) ALSO("refuse");
#define EXCLUDED_3(a, b, c)     EXCLUDED(a) EXCLUDED(b) EXCLUDED(c)
#define EXCLUDED_TYPES(a, b, c) EXCLUDED_3(Get##a, Get##b, Get##c) EXCLUDED_3(Set##a, Set##b, Set##c)
EXCLUDED_TYPES(Float32, Int8, UInt8)
EXCLUDED_TYPES(Int16, UInt16, UInt32)
EXCLUDED_TYPES(Int64, UInt64, Boolean)
EXCLUDED_TYPES(Binary, Clock, IntervalDecimal)
EXCLUDED_TYPES(IntervalFraction, ShiftDecimal, ShiftFraction)
EXCLUDED_3(EnterEventMode, EnterStepMode, EnterConfigurationMode)
EXCLUDED_3(ExitConfigurationMode, EvaluateDiscreteStates, UpdateDiscreteStates)
EXCLUDED_3(GetNumberOfVariableDependencies, GetVariableDependencies, GetAdjointDerivative)
EXCLUDED(GetOutputDerivatives)

/** Functions of the other interfaces. Some importers load all. */
EXCLUDED_3(EnterContinuousTimeMode, CompletedIntegratorStep, SetTime)
EXCLUDED_3(SetContinuousStates, GetContinuousStateDerivatives, GetEventIndicators)
EXCLUDED_3(GetContinuousStates, GetNominalsOfContinuousStates, GetNumberOfEventIndicators)
EXCLUDED(GetNumberOfContinuousStates)
EXCLUDED(ActivateModelPartition)
