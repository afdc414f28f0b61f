/* adapter.c - the adapter for FMUs and systems of FMUs. */
#include "ssp.h"

#include <string.h>

/* Open a system if the name ends with .ssp, else an FMU. */
static int open_class(const char *path, const resida_model_class **cls, resida_message *why)
{
    static const char ending[] = ".ssp";
    const size_t n = strlen(path);
    fmu_file *f = NULL;
    ssp_system *s = NULL;
    if (n > strlen(ending) && strcmp(path + n - strlen(ending), ending) == 0) {
        if (ssp_open(path, &s, why) < 0) return -1;
        *cls = &s->cls;
        return 0;
    }
    if (fmu_file_open(path, &f, why) < 0) return -1;
    *cls = &f->cls;
    return 0;
}

/* The class is the first member of its file or system. */
static void close_class(const resida_model_class *cls)
{
    if (cls->create == ssp_create)
        ssp_close((ssp_system *)(uintptr_t)cls);
    else
        fmu_file_close((fmu_file *)(uintptr_t)cls);
}

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD,
    "fmu",
    "FMUs of FMI 2.0 and 3.0, Model Exchange, FMI-LS-DAE and Co-Simulation, and systems of them (SSP 1.0, 2.0)",
    open_class,
    close_class,
};
