/* adapter.c - the adapter for FMUs and systems of FMUs. */
#include "ssp.h"

/* The class is the first member of its system. */
static void close_class(const resida_model_class *cls)
{
    ssp_close((ssp_system *)(uintptr_t)cls);
}

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {
    RESIDA_ADAPTER_HEAD,
    "fmu",
    "FMUs of FMI 2.0 and 3.0, Model Exchange, FMI-LS-DAE and Co-Simulation, and systems of them (SSP 1.0, 2.0)",
    ssp_open,
    close_class,
};
