/* adapter.c - the adapter for FMUs and systems of FMUs. */
#include "ssp.h"

static int open_class(const char *path, const resida_model_class **cls, resida_message *why)
{
    ssp_system *s = NULL;
    if (ssp_open(path, &s, why) < 0) return -1;
    *cls = &s->cls;
    return 0;
}

/* The class is the first member of its system. */
static void close_class(const resida_model_class *cls)
{
    ssp_close((ssp_system *)(uintptr_t)cls);
}

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD,
    "fmu",
    "FMUs of FMI 2.0 and 3.0, Model Exchange, FMI-LS-DAE and Co-Simulation, and systems of them (SSP 1.0, 2.0)",
    open_class,
    close_class,
};
