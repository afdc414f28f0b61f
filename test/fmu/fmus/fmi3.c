/* fmi3.c - the C interface of FMI 3.0 for an FMU of the tests. */
#include "test_fmu.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR };
typedef void log_fn(void *environment, int status, const char *category, const char *message);
typedef test_fmu_instance fmu;
#define API TEST_FMU_EXPORT
#define PLAIN(name)                                                                                                    \
    API int name(fmu *c)                                                                                               \
    {                                                                                                                  \
        return c ? OK : ERROR;                                                                                         \
    }

API fmu *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                      bool logging, void *environment, log_fn *log)
{
    (void)name, (void)resources, (void)visible, (void)logging;
    if (strcmp(token, the_fmu.token) != 0) {
        log(environment, ERROR, "error", "another token");
        return NULL;
    }
    fmu *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    the_fmu.start(c->v);
    c->environment = environment;
    c->log = log;
    c->t_next = INFINITY;
    return c;
}

API fmu *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                     bool logging, bool event_mode, bool early_return, const uint32_t *intermediate,
                                     size_t n, void *environment, log_fn *log, void (*update)(void))
{
    (void)intermediate, (void)n, (void)update;
    fmu *c = fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, log);
    if (c) c->by_steps = event_mode && early_return ? 2 : 1;
    return c;
}

/* With event mode a step ends where an event does; it fails where `breaks` says so. */
API int fmi3DoStep(fmu *c, double t, double h, bool no_return, bool *needs_event, bool *ends, bool *early, double *last)
{
    (void)no_return;
    if (!(h > 0) || t != c->v[0] || c->is_event_mode || test_fmu_is_over(c, t + h)) return ERROR;
    if (the_fmu.fails && the_fmu.fails(c->v)) return DISCARD;
    *needs_event = c->t_next <= t + h;
    *early = c->t_next < t + h;
    test_fmu_integrate(c, *early ? c->t_next : t + h);
    *last = c->v[0];
    *ends = the_fmu.breaks && the_fmu.breaks(c->v);
    return OK;
}

API int fmi3EnterStepMode(fmu *c)
{
    c->is_event_mode = 0;
    return OK;
}

API void fmi3FreeInstance(fmu *c)
{
    free(c);
}

API int fmi3EnterInitializationMode(fmu *c, bool has_tolerance, double tolerance, double t0, bool has_end, double end)
{
    test_fmu_tell(c, has_tolerance ? tolerance : 0, t0, has_end ? end : 0);
    return OK;
}

PLAIN(fmi3ExitInitializationMode)
PLAIN(fmi3EnterConfigurationMode)
PLAIN(fmi3ExitConfigurationMode)

API int fmi3EnterEventMode(fmu *c)
{
    c->is_event_mode = 1;
    return !c->by_steps && the_fmu.event && c->t_step != c->v[0] ? ERROR
                                                                 : OK; /* each step is completed before its event */
}

API int fmi3EnterContinuousTimeMode(fmu *c)
{
    c->is_event_mode = 0;
    return OK;
}

API int fmi3UpdateDiscreteStates(fmu *c, bool *again, bool *ends, bool *nominals, bool *states, bool *has_next,
                                 double *t_next)
{
    test_fmu_event e = {0, 0, INFINITY};
    if (the_fmu.event) the_fmu.event(c->v, &e);
    *again = *nominals = false;
    *ends = e.ends;
    *states = e.has_new_states;
    *has_next = isfinite(e.t_next);
    c->t_next = *t_next = e.t_next;
    if (c->by_steps) *has_next = false; /* a step that returns early tells the time */
    return OK;
}

API int fmi3CompletedIntegratorStep(fmu *c, bool no_return, bool *event, bool *ends)
{
    (void)no_return;
    c->t_step = c->v[0];
    *event = *ends = false;
    return OK;
}

API int fmi3SetTime(fmu *c, double t)
{
    c->v[0] = t;
    return OK;
}

API int fmi3SetContinuousStates(fmu *c, const double *x, size_t n)
{
    if (n != (size_t)the_fmu.n_states || c->is_event_mode) return ERROR;
    for (int k = 0; k < the_fmu.n_states; k++) c->v[test_fmu_state(k)] = x[k];
    return OK;
}

API int fmi3GetContinuousStates(fmu *c, double *x, size_t n)
{
    if (n != (size_t)the_fmu.n_states) return ERROR;
    for (int k = 0; k < the_fmu.n_states; k++) x[k] = c->v[test_fmu_state(k)];
    return OK;
}

API int fmi3GetNominalsOfContinuousStates(fmu *c, double *x, size_t n)
{
    (void)c;
    for (size_t k = 0; k < n; k++) x[k] = 1;
    return OK;
}

API int fmi3GetContinuousStateDerivatives(fmu *c, double *x, size_t n)
{
    if (n != (size_t)the_fmu.n_states) return ERROR;
    if (the_fmu.fails && the_fmu.fails(c->v)) return DISCARD;
    if (the_fmu.breaks && the_fmu.breaks(c->v)) {
        c->log(c->environment, ERROR, "error", "it is broken");
        return ERROR;
    }
    the_fmu.evaluate(c->v);
    for (int k = 0; k < the_fmu.n_states; k++) x[k] = c->v[test_fmu_derivative(k)];
    return OK;
}

API int fmi3GetEventIndicators(fmu *c, double *z, size_t n)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) z[k] = c->v[the_fmu.indicators[k]];
    return OK;
}

API int fmi3GetNumberOfContinuousStates(fmu *c, size_t *n)
{
    (void)c;
    *n = (size_t)the_fmu.n_states;
    return OK;
}

API int fmi3GetNumberOfEventIndicators(fmu *c, size_t *n)
{
    (void)c;
    *n = (size_t)the_fmu.n_indicators;
    return OK;
}

API int fmi3GetFloat64(fmu *c, const uint32_t *references, size_t n, double *values, size_t n_values)
{
    the_fmu.evaluate(c->v);
    if (n == 1 && n_values > 1) { /* an array: its values follow one another */
        memcpy(values, &c->v[references[0]], n_values * sizeof *values);
        return OK;
    }
    for (size_t k = 0; k < n; k++) values[k] = c->v[references[k]];
    return n == n_values ? OK : ERROR;
}

API int fmi3SetFloat64(fmu *c, const uint32_t *references, size_t n, const double *values, size_t n_values)
{
    if (n == 1 && n_values > 1) {
        memcpy(&c->v[references[0]], values, n_values * sizeof *values);
        return OK;
    }
    for (size_t k = 0; k < n; k++) c->v[references[k]] = values[k];
    return n == n_values ? OK : ERROR;
}

API int fmi3SetString(fmu *c, const uint32_t *references, size_t n, const char *const *values, size_t n_values)
{
    (void)references;
    if (n != n_values) return ERROR;
    snprintf(c->text, sizeof c->text, "%s", values[0]);
    c->v[TEST_FMU_VALUES - 1] = strtod(c->text, NULL);
    return OK;
}

/* Setters of the other types, all into the same table. */
#define SET(name, type)                                                                                                \
    API int name(fmu *c, const uint32_t *references, size_t n, const type *values, size_t n_values)                    \
    {                                                                                                                  \
        for (size_t k = 0; k < n; k++) c->v[references[k]] = (double)values[k];                                        \
        return n == n_values ? OK : ERROR;                                                                             \
    }
SET(fmi3SetBoolean, bool)
SET(fmi3SetFloat32, float)
SET(fmi3SetInt8, int8_t)
SET(fmi3SetUInt8, uint8_t)
SET(fmi3SetInt16, int16_t)
SET(fmi3SetUInt16, uint16_t)
SET(fmi3SetInt32, int32_t)
SET(fmi3SetUInt32, uint32_t)

/* From TEST_FMU_WHOLE on whole numbers are kept as they are; enumerations are in the table. */
#define SET_LONG(name, type)                                                                                           \
    API int name(fmu *c, const uint32_t *references, size_t n, const type *values, size_t n_values)                    \
    {                                                                                                                  \
        for (size_t k = 0; k < n_values; k++) c->whole[references[0] + k] = (uint64_t)values[k];                       \
        c->v[references[0]] = (double)values[0];                                                                       \
        return n == 1 ? OK : ERROR;                                                                                    \
    }
SET_LONG(fmi3SetInt64, int64_t)
SET_LONG(fmi3SetUInt64, uint64_t)

#define GET(name, type)                                                                                                \
    API int name(fmu *c, const uint32_t *references, size_t n, type *values, size_t n_values)                          \
    {                                                                                                                  \
        the_fmu.evaluate(c->v);                                                                                        \
        for (size_t k = 0; k < n; k++) values[k] = (type)c->v[references[k]];                                          \
        return n == n_values ? OK : ERROR;                                                                             \
    }
GET(fmi3GetBoolean, bool)
GET(fmi3GetFloat32, float)
GET(fmi3GetInt8, int8_t)
GET(fmi3GetUInt8, uint8_t)
GET(fmi3GetInt16, int16_t)
GET(fmi3GetUInt16, uint16_t)
GET(fmi3GetInt32, int32_t)
GET(fmi3GetUInt32, uint32_t)

#define GET_LONG(name, type)                                                                                           \
    API int name(fmu *c, const uint32_t *references, size_t n, type *values, size_t n_values)                          \
    {                                                                                                                  \
        const uint32_t at = references[0];                                                                             \
        the_fmu.evaluate(c->v);                                                                                        \
        for (size_t k = 0; k < n_values; k++)                                                                          \
            values[k] = at >= TEST_FMU_WHOLE ? (type)c->whole[at - n_values + k] : (type)c->v[at];                     \
        return n == 1 ? OK : ERROR;                                                                                    \
    }
GET_LONG(fmi3GetInt64, int64_t)
GET_LONG(fmi3GetUInt64, uint64_t)

API int fmi3GetString(fmu *c, const uint32_t *references, size_t n, const char **values, size_t n_values)
{
    the_fmu.evaluate(c->v);
    for (size_t k = 0; k < n; k++) values[k] = the_fmu.text ? the_fmu.text(c->v, references[k]) : "";
    if (references[0] == TEST_FMU_ECHO) values[0] = c->text;
    return n == n_values ? OK : ERROR;
}

API int fmi3GetDirectionalDerivative(fmu *c, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                                     size_t n_knowns, const double *seed, size_t n_seed, double *out, size_t n_out)
{
    if (!the_fmu.partial || n_unknowns != n_out || n_knowns != n_seed) return ERROR;
    for (size_t i = 0; i < n_unknowns; i++) {
        out[i] = 0;
        for (size_t k = 0; k < n_knowns; k++) out[i] += the_fmu.partial(c->v, unknowns[i], knowns[k]) * seed[k];
    }
    return OK;
}

/* Its whole state is its memory. */
API int fmi3GetFMUState(fmu *c, void **state)
{
    if (!*state) *state = malloc(sizeof *c);
    if (*state) memcpy(*state, c, sizeof *c);
    return *state ? OK : ERROR;
}

API int fmi3SetFMUState(fmu *c, void *state)
{
    memcpy(c, state, sizeof *c);
    return OK;
}

API int fmi3FreeFMUState(fmu *c, void **state)
{
    free(*state);
    *state = NULL;
    return c ? OK : ERROR;
}
