/* fmi2.c - the C interface of FMI 2.0 for an FMU of the tests. */
#include "test_fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR };
typedef test_fmu_instance fmu;
#define API TEST_FMU_EXPORT

typedef struct callbacks {
    void (*log)(void *environment, const char *instance, int status, const char *category, const char *message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*free)(void *block);
    void (*step_finished)(void *environment, int status);
    void *environment;
} callbacks;

typedef struct event_info {
    int again, ends, nominals, states, has_next;
    double t_next;
} event_info;

#define PLAIN(name)                                                                                                    \
    API int name(fmu *c)                                                                                               \
    {                                                                                                                  \
        return c ? OK : ERROR;                                                                                         \
    }

API fmu *fmi2Instantiate(const char *name, int kind, const char *guid, const char *resources, const callbacks *c,
                         int visible, int logging)
{
    (void)resources, (void)visible, (void)logging;
    if (strcmp(guid, the_fmu.token) != 0) {
        c->log(c->environment, name, ERROR, "error", "%s: another guid than %s", name, the_fmu.token);
        return NULL;
    }
    fmu *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    the_fmu.start(made->v);
    made->by_steps = kind;
    made->t_next = INFINITY;
    return made;
}

API void fmi2FreeInstance(fmu *c)
{
    free(c);
}

API int fmi2SetupExperiment(fmu *c, int has_tolerance, double tolerance, double t0, int has_end, double end)
{
    test_fmu_tell(c, has_tolerance ? tolerance : 0, t0, has_end ? end : 0);
    if (the_fmu.experiment) the_fmu.experiment(c->v);
    return OK;
}

PLAIN(fmi2EnterInitializationMode)

/* In Co-Simulation it handles its events itself. */
static void happen(fmu *c)
{
    test_fmu_event e = {0, 0, INFINITY};
    if (the_fmu.event) the_fmu.event(c->v, &e);
    c->t_next = e.t_next;
}

API int fmi2ExitInitializationMode(fmu *c)
{
    if (c->by_steps) happen(c);
    return OK;
}

/* A step is discarded where `fails` says so; it ends the run half way where `breaks` does. */
API int fmi2DoStep(fmu *c, double t, double h, int no_return)
{
    (void)no_return;
    if (!(h > 0) || t != c->v[0] || test_fmu_is_over(c, t + h)) return ERROR;
    if (the_fmu.fails && the_fmu.fails(c->v)) return DISCARD;
    if (the_fmu.breaks && the_fmu.breaks(c->v)) {
        test_fmu_integrate(c, t + h / 2);
        return DISCARD;
    }
    if (the_fmu.step) {
        the_fmu.step(c->v, h);
        c->v[0] = t + h;
        return OK;
    }
    for (; c->t_next <= t + h; happen(c)) test_fmu_integrate(c, c->t_next);
    test_fmu_integrate(c, t + h);
    return OK;
}

API int fmi2GetRealStatus(fmu *c, int kind, double *value)
{
    *value = c->v[0];
    return kind == 2 && !(the_fmu.fails && the_fmu.fails(c->v)) ? OK : ERROR;
}

API int fmi2GetBooleanStatus(fmu *c, int kind, int *value)
{
    *value = c != NULL;
    return kind == 3 ? OK : ERROR;
}
PLAIN(fmi2EnterContinuousTimeMode)

API int fmi2EnterEventMode(fmu *c)
{
    return the_fmu.event && c->t_step != c->v[0] ? ERROR : OK; /* each step is completed before its event */
}

API int fmi2NewDiscreteStates(fmu *c, event_info *info)
{
    test_fmu_event e = {0, 0, INFINITY};
    if (the_fmu.event) the_fmu.event(c->v, &e);
    *info = (event_info){0, e.ends, 0, e.has_new_states, isfinite(e.t_next), e.t_next};
    return OK;
}

API int fmi2CompletedIntegratorStep(fmu *c, int no_return, int *event, int *ends)
{
    (void)no_return;
    c->t_step = c->v[0];
    *event = *ends = 0;
    return OK;
}

API int fmi2SetTime(fmu *c, double t)
{
    c->v[0] = t;
    return OK;
}

API int fmi2SetContinuousStates(fmu *c, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) c->v[test_fmu_state((int)k)] = x[k];
    return OK;
}

API int fmi2GetContinuousStates(fmu *c, double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) x[k] = c->v[test_fmu_state((int)k)];
    return OK;
}

API int fmi2GetNominalsOfContinuousStates(fmu *c, double *x, size_t n)
{
    (void)c;
    for (size_t k = 0; k < n; k++) x[k] = 1;
    return OK;
}

API int fmi2GetDerivatives(fmu *c, double *x, size_t n)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) x[k] = c->v[test_fmu_derivative((int)k)];
    return OK;
}

API int fmi2GetEventIndicators(fmu *c, double *z, size_t n)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) z[k] = c->v[the_fmu.indicators[k]];
    return OK;
}

API int fmi2GetReal(fmu *c, const unsigned *references, size_t n, double *values)
{
    the_fmu.evaluate(c->v);
    if (the_fmu.read) the_fmu.read(c->v);
    for (size_t k = 0; k < n; k++) values[k] = c->v[references[k]];
    return OK;
}

static void set_value(fmu *c, unsigned reference, double value)
{
    if (the_fmu.set) the_fmu.set(c->v, reference, value);
    c->v[reference] = value;
}

API int fmi2SetReal(fmu *c, const unsigned *references, size_t n, const double *values)
{
    for (size_t k = 0; k < n; k++) set_value(c, references[k], values[k]);
    return OK;
}

/* Each type has references of its own: here they follow those of real numbers. */
enum { FIRST_INTEGER = 100, FIRST_BOOLEAN = 200 };

API int fmi2GetInteger(fmu *c, const unsigned *references, size_t n, int *values)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) values[k] = (int)c->v[FIRST_INTEGER + references[k]];
    return OK;
}

API int fmi2GetBoolean(fmu *c, const unsigned *references, size_t n, int *values)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) values[k] = c->v[FIRST_BOOLEAN + references[k]] != 0;
    return OK;
}

API int fmi2GetString(fmu *c, const unsigned *references, size_t n, const char **values)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) values[k] = the_fmu.text ? the_fmu.text(c->v, references[k]) : "";
    return OK;
}

API int fmi2SetInteger(fmu *c, const unsigned *references, size_t n, const int *values)
{
    for (size_t k = 0; k < n; k++) set_value(c, FIRST_INTEGER + references[k], values[k]);
    return OK;
}

API int fmi2SetBoolean(fmu *c, const unsigned *references, size_t n, const int *values)
{
    for (size_t k = 0; k < n; k++) c->v[FIRST_BOOLEAN + references[k]] = values[k];
    return OK;
}

API int fmi2SetString(fmu *c, const unsigned *references, size_t n, const char *const *values)
{
    (void)c, (void)references, (void)n, (void)values;
    return OK;
}

/* Its whole state is its memory. */
API int fmi2GetFMUstate(fmu *c, void **state)
{
    if (!*state) *state = malloc(sizeof *c);
    if (*state) memcpy(*state, c, sizeof *c);
    return *state ? OK : ERROR;
}

API int fmi2SetFMUstate(fmu *c, void *state)
{
    memcpy(c, state, sizeof *c);
    return OK;
}

API int fmi2FreeFMUstate(fmu *c, void **state)
{
    free(*state);
    *state = NULL;
    return c ? OK : ERROR;
}
