/* interface.c - the functions that FMI 2.0 and 3.0 share, under both names. FMI 3.0 passes the number of values too,
 * which for scalars is the number of references. */
#include "interface.h"

#include <stdlib.h>
#include <string.h>

int fmu_report(const fmu *f, int status, const char *text)
{
    static const char *const categories[] = {"", "logStatusWarning", "logStatusDiscard", "logStatusError"};
    if (f->logger) f->report(f, status, categories[status], text);
    return status;
}

int fmu_result(const fmu *f, int result)
{
    return result < 0 ? fmu_report(f, FMU_ERROR, f->c->said.text) : FMU_OK;
}

int fmu_refuse(const fmu *f, const char *function)
{
    static const char *const phases[] = {"before the initialization", "in initialization", "between steps",
                                         "after the end"};
    resida_message text;
    snprintf(text.text, sizeof text.text, "%s is not possible %s", function, phases[f->c->at.phase]);
    return fmu_report(f, FMU_ERROR, text.text);
}

int fmu_derivative(fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns, size_t n_knowns,
                   const double *seed, double *sensitivity)
{
    const int result = component_derivative(f->c, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
    return result < 0 ? fmu_report(f, FMU_DISCARD, f->c->said.text) : FMU_OK;
}

fmu *fmu_make(fmu about, const char *resources, const char *token, int is_possible)
{
    resida_message why = {"the FMU is for Co-Simulation only"};
    fmu *f = calloc(1, sizeof *f);
    about.name = strdup(about.name ? about.name : "");
    if (f && about.name && is_possible) about.c = component_open(resources, token, &why);
    if (about.c) {
        *f = about;
        return f;
    }
    fmu_report(&about, FMU_ERROR, why.text);
    free(about.name);
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
void fmi3FreeInstance(fmu *f) ALSO("fmi2FreeInstance");

FMI int fmi2SetDebugLogging(fmu *f, int on)
{
    f->logs = on & 1;
    return FMU_OK;
}
int fmi3SetDebugLogging(fmu *f, int on) ALSO("fmi2SetDebugLogging");

/** Start, and report the warnings of the start. */
FMI int fmi2ExitInitializationMode(fmu *f)
{
    resida_stats stats = {.size = sizeof stats};
    if (f->c->at.phase != COMPONENT_INITIALIZING) return fmu_refuse(f, "ExitInitializationMode");
    const int status = fmu_result(f, component_begin(f->c));
    if (status != FMU_OK || !f->logs || resida_solver_stats(f->c->solver, &stats) < 0) return status;
    for (int i = 0; i < stats.n_warnings; i++) fmu_report(f, FMU_WARNING, stats.warnings[i]);
    return status;
}
int fmi3ExitInitializationMode(fmu *f) ALSO("fmi2ExitInitializationMode");

FMI int fmi2Terminate(fmu *f)
{
    f->c->at.phase = COMPONENT_ENDED;
    return FMU_OK;
}
int fmi3Terminate(fmu *f) ALSO("fmi2Terminate");

FMI int fmi2Reset(fmu *f)
{
    return fmu_result(f, component_reset(f->c));
}
int fmi3Reset(fmu *f) ALSO("fmi2Reset");

/** Set and get the values of a type that is a number in `component`. */
#define ACCESS(name, name_3, type)                                                                                     \
    FMI int fmi2Get##name(fmu *f, const unsigned *references, size_t n, type *values)                                  \
    {                                                                                                                  \
        double value = 0;                                                                                              \
        int result = 0;                                                                                                \
        for (size_t k = 0; k < n && result == 0; k++) {                                                                \
            result = component_get(f->c, references[k], &value);                                                       \
            if (result == 0) values[k] = (type)value;                                                                  \
        }                                                                                                              \
        return fmu_result(f, result);                                                                                  \
    }                                                                                                                  \
    FMI int fmi2Set##name(fmu *f, const unsigned *references, size_t n, const type *values)                            \
    {                                                                                                                  \
        int result = 0;                                                                                                \
        for (size_t k = 0; k < n && result == 0; k++) result = component_set(f->c, references[k], (double)values[k]);  \
        return fmu_result(f, result);                                                                                  \
    }                                                                                                                  \
    int fmi3Get##name_3(fmu *f, const unsigned *references, size_t n, type *values) ALSO("fmi2Get" #name);             \
    int fmi3Set##name_3(fmu *f, const unsigned *references, size_t n, const type *values) ALSO("fmi2Set" #name);
ACCESS(Real, Float64, double)
ACCESS(Integer, Int32, int)

FMI int fmi2GetString(fmu *f, const unsigned *references, size_t n, const char **values)
{
    int result = 0;
    for (size_t k = 0; k < n && result == 0; k++) result = component_get_text(f->c, references[k], &values[k]);
    return fmu_result(f, result);
}
int fmi3GetString(fmu *f, const unsigned *references, size_t n, const char **values) ALSO("fmi2GetString");

FMI int fmi2SetString(fmu *f, const unsigned *references, size_t n, const char *const *values)
{
    int result = 0;
    for (size_t k = 0; k < n && result == 0; k++) result = component_set_text(f->c, references[k], values[k]);
    return fmu_result(f, result);
}
int fmi3SetString(fmu *f, const unsigned *references, size_t n, const char *const *values) ALSO("fmi2SetString");

FMI int fmi2GetFMUstate(fmu *f, component_bytes **state)
{
    return fmu_result(f, component_save(f->c, state));
}
int fmi3GetFMUState(fmu *f, component_bytes **state) ALSO("fmi2GetFMUstate");

FMI int fmi2SetFMUstate(fmu *f, const component_bytes *state)
{
    return fmu_result(f, component_load(f->c, state));
}
int fmi3SetFMUState(fmu *f, const component_bytes *state) ALSO("fmi2SetFMUstate");

FMI int fmi2FreeFMUstate(fmu *f, component_bytes **state)
{
    (void)f;
    free(*state);
    *state = NULL;
    return FMU_OK;
}
int fmi3FreeFMUState(fmu *f, component_bytes **state) ALSO("fmi2FreeFMUstate");

FMI int fmi2SerializedFMUstateSize(fmu *f, const component_bytes *state, size_t *size)
{
    (void)f;
    *size = state->size;
    return FMU_OK;
}
int fmi3SerializedFMUStateSize(fmu *f, const component_bytes *state, size_t *size) ALSO("fmi2SerializedFMUstateSize");

FMI int fmi2SerializeFMUstate(fmu *f, const component_bytes *state, unsigned char *bytes, size_t size)
{
    if (size < state->size) return fmu_refuse(f, "SerializeFMUstate: the buffer is too small");
    memcpy(bytes, state->bytes, state->size);
    return FMU_OK;
}
int fmi3SerializeFMUState(fmu *f, const component_bytes *state, unsigned char *bytes, size_t size)
    ALSO("fmi2SerializeFMUstate");

FMI int fmi2DeSerializeFMUstate(fmu *f, const unsigned char *bytes, size_t size, component_bytes **state)
{
    component_bytes *made = component_bytes_make(size);
    if (!made) return fmu_refuse(f, "DeSerializeFMUstate without memory");
    memcpy(made->bytes, bytes, size);
    *state = made;
    return FMU_OK;
}
int fmi3DeserializeFMUState(fmu *f, const unsigned char *bytes, size_t size, component_bytes **state)
    ALSO("fmi2DeSerializeFMUstate");
