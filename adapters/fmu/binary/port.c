/* port.c - loads the binary of an FMU. */
#define _GNU_SOURCE /* dladdr() */
#include "port.h"

#include "adapters/fmu/base/fail.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fmi2Status and fmi3Status have the same values. */
enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR, STATUS_FATAL };

/* Write a message, for example "fmi2GetReal returned fmi2Error: x is 3". */
static void write_call_message(fmu_instance *i, int status, fmu_function function)
{
    static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    Dl_info about = {0};
    void *address = NULL;
    memcpy(&address, &function, sizeof address);
    const char *name = dladdr(address, &about) && about.dli_sname ? about.dli_sname : "fmi function", *heard = "";
    const int is_known = status >= 0 && (size_t)status < sizeof names / sizeof *names;
    if (i->heard.text[0]) heard = i->heard.text;
    if (is_known)
        fmu_fail(&i->said, "%.60s returned %.4s%s%s%.300s", name, name, names[status], *heard ? ": " : "", heard);
    else
        fmu_fail(&i->said, "%.60s returned %d, which is not a status%s%.300s", name, status, *heard ? ": " : "", heard);
    i->heard.text[0] = 0;
}

int fmu_convert_status(fmu_instance *i, int status, fmu_function function)
{
    if (status == STATUS_OK || status == STATUS_WARNING) return 0;
    write_call_message(i, status, function);
    if (status == STATUS_DISCARD) return 1;
    if (status == STATUS_FATAL) i->is_dead = 1;
    return -1;
}

int fmu_prefix_variable(fmu_instance *i, const char *variable, int verdict)
{
    const resida_message said = i->said;
    if (verdict != 0) fmu_fail(&i->said, "%.100s: %.350s", variable, said.text);
    return verdict;
}

void fmu_store_message(fmu_instance *i, int status, const char *message)
{
    if (i && status > STATUS_OK && message) fmu_fail(&i->heard, "%s", message);
}

int fmu_report_missing(fmu_instance *i, const char *name)
{
    return fmu_fail(&i->said, "its binary does not export %s", name);
}

void fmu_release(fmu_instance *i)
{
    if (i->component && !i->is_dead) i->binary->plain.free_instance(i->component);
    i->component = NULL;
    free(i->callbacks);
    i->callbacks = NULL;
}

int fmu_call(fmu_instance *i, int (*function)(void *component))
{
    return i->is_dead ? -1 : fmu_convert_status(i, function(i->component), (fmu_function)function);
}

int fmu_get(fmu_instance *i, int (*function)(void *component, double *x, size_t n), double *x, size_t n)
{
    return i->is_dead ? -1 : fmu_convert_status(i, function(i->component, x, n), (fmu_function)function);
}

int fmu_variable_set(fmu_instance *i, const fmu_variable *v, const double *values)
{
    return i->binary->port.set(i, v->type, &v->reference, 1, values, (size_t)v->size);
}

int fmu_variable_get(fmu_instance *i, const fmu_variable *v, double *values)
{
    return i->binary->port.get(i, v->type, &v->reference, 1, values, (size_t)v->size);
}

int fmu_reals_set(fmu_instance *i, const fmu_references *r, const double *values)
{
    return r->n > 0 ? i->binary->port.set(i, FMU_FLOAT64, r->of, (size_t)r->n, values, (size_t)r->n_values) : 0;
}

int fmu_reals_get(fmu_instance *i, const fmu_references *r, double *values)
{
    return r->n > 0 ? i->binary->port.get(i, FMU_FLOAT64, r->of, (size_t)r->n, values, (size_t)r->n_values) : 0;
}

#define AT(member) offsetof(fmu_plain, member)
static const struct {
    const char *names[2]; /* of FMI 2.0 and 3.0; NULL: none */
    size_t offset;
    fmu_need need;
} plain_symbols[] = {
    {{"fmi2FreeInstance", "fmi3FreeInstance"}, AT(free_instance), FMU_NEEDED},
    {{"fmi2ExitInitializationMode", "fmi3ExitInitializationMode"}, AT(end_initialization), FMU_NEEDED},
    {{NULL, "fmi3EnterEventMode"}, AT(enter_event_mode), FMU_NEEDED},
    {{"fmi2EnterEventMode", NULL}, AT(enter_event_mode), FMU_OF_EXCHANGE},
    {{NULL, "fmi3EnterStepMode"}, AT(enter_step_mode), FMU_OF_STEPS},
    {{"fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode"}, AT(enter_continuous_mode), FMU_OF_EXCHANGE},
    {{"fmi2SetTime", "fmi3SetTime"}, AT(set_time), FMU_OF_EXCHANGE},
    {{"fmi2SetContinuousStates", "fmi3SetContinuousStates"}, AT(set_states), FMU_OF_EXCHANGE},
    {{"fmi2GetContinuousStates", "fmi3GetContinuousStates"}, AT(get_states), FMU_OF_EXCHANGE},
    {{"fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates"}, AT(get_nominals), FMU_OF_EXCHANGE},
    {{"fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives"}, AT(get_derivatives), FMU_OF_EXCHANGE},
    {{"fmi2GetEventIndicators", "fmi3GetEventIndicators"}, AT(get_indicators), FMU_OF_EXCHANGE},
    {{"fmi2GetFMUstate", "fmi3GetFMUState"}, AT(keep), FMU_OPTIONAL},
    {{"fmi2SetFMUstate", "fmi3SetFMUState"}, AT(go_back), FMU_OPTIONAL},
    {{"fmi2FreeFMUstate", "fmi3FreeFMUState"}, AT(forget), FMU_OPTIONAL},
    {{"fmi2SerializedFMUstateSize", "fmi3SerializedFMUStateSize"}, AT(count_bytes), FMU_OPTIONAL},
    {{"fmi2SerializeFMUstate", "fmi3SerializeFMUState"}, AT(write), FMU_OPTIONAL},
    {{"fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"}, AT(read), FMU_OPTIONAL},
};

int fmu_symbols_load(void *handle, const fmu_symbol *symbols, size_t n, void *functions, int by_steps,
                     resida_message *why)
{
    const int own = by_steps ? FMU_OF_STEPS : FMU_OF_EXCHANGE;
    for (size_t k = 0; k < n; k++) {
        void *found = dlsym(handle, symbols[k].name);
        if (!found && (symbols[k].need == FMU_NEEDED || (int)symbols[k].need == own))
            return fmu_fail(why, "its binary does not export %s", symbols[k].name);
        memcpy((char *)functions + symbols[k].offset, &found, sizeof found);
    }
    return 0;
}

int fmu_binary_load(fmu_binary *l, const char *path, int version, int by_steps, resida_message *why)
{
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | fmu_bind_own_symbols(path));
    if (!l->handle) {
        const char *said = dlerror(), *file = said ? strstr(said, path) : NULL;
        if (file) said = file + strlen(path) + strspn(file + strlen(path), ": ");
        return fmu_fail(why, "its binary cannot be loaded: %.300s", said ? said : "no reason given");
    }
    for (size_t k = 0; k < sizeof plain_symbols / sizeof *plain_symbols; k++) {
        const fmu_symbol one = {plain_symbols[k].names[version == 3], plain_symbols[k].offset, plain_symbols[k].need};
        if (one.name && fmu_symbols_load(l->handle, &one, 1, &l->plain, by_steps, why) < 0) return -1;
    }
    fmu_plain *f = &l->plain;
    if (!f->go_back || !f->forget) f->keep = NULL;
    if (!f->count_bytes || !f->write) f->read = NULL;
    return version == 2 ? fmi2_load(l, by_steps, why) : fmi3_load(l, by_steps, why);
}

void fmu_binary_unload(fmu_binary *l)
{
    free(l->functions);
    if (l->handle) dlclose(l->handle);
    *l = (fmu_binary){0};
}
