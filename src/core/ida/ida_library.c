/* ida_library.c - checks of SUNDIALS, and of the machine, before it is used: its version, and memory. */
#include "ida_library.h"

#include "src/core/events/integrator.h"
#include "sundials_compat.h"

#include <limits.h>

resida_status resida_sundials_version(char *text, size_t size)
{
    if (!text || size == 0) return RESIDA_ERR_ARGUMENT;
    return SUNDIALSGetVersion(text, size < INT_MAX ? (int)size : INT_MAX) == 0 ? RESIDA_OK : RESIDA_ERR_ARGUMENT;
}

resida_status rsd_check_sundials_version(resida_message *why)
{
    int major = 0, minor = 0, patch = 0;
    char label[32] = "";
    RSD_TRY(rsd_check_sundials_origin(why));
    if (SUNDIALSGetVersionNumber(&major, &minor, &patch, label, (int)sizeof label) == 0 &&
        major == SUNDIALS_VERSION_MAJOR && minor == SUNDIALS_VERSION_MINOR)
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_VERSION, "SUNDIALS %d.%d is loaded, resida was compiled against %d.%d", major,
                    minor, SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);
}

int rsd_is_memory_to_spare(void)
{
    enum { FOR_CONTEXT_AND_IDA = 32768 };
    resida_allocator plain = rsd_allocator(NULL); /* SUNDIALS knows malloc only */
    void *block = rsd_calloc(&plain, FOR_CONTEXT_AND_IDA, 1);
    rsd_free(&plain, block);
    return block != NULL;
}
