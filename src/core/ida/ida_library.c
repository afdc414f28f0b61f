/* ida_library.c - checks before SUNDIALS is used: the origin of its functions, its version, and memory.
 *
 * A program may contain another library with its own copy of these functions under the same names. If the dynamic
 * linker finds that copy first, the library's calls would reach it with structs of another version. The origin is
 * therefore checked before any of the functions is called. A resida built with -Disolated=true contains its own
 * SUNDIALS. */
#include "ida_impl.h"

#include "base/message.h"
#include "base/origin.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef void function(void);

/* A function of each source of SUNDIALS that is used. Another library contains all functions of a source, or none. */
static const struct {
    const char *name;
    function *address;
} used[] = {
#define USED(name)                                                                                                     \
    {                                                                                                                  \
#name, (function *)name                                                                                        \
    }
    USED(SUNDIALSGetVersionNumber), USED(SUNContext_Create), USED(N_VDestroy), USED(IDASolve), USED(IDASetId),
    USED(IDASetNonlinearSolver),
#undef USED
};

/* Return 1 if the address is in the file loaded at `here`, or in a file with the name of a SUNDIALS library. */
static int is_sundials(uintptr_t address, const void *here, const char **file)
{
    static const char name[] = "libsundials_";
    void *there;
    *file = rsd_find_file(address, &there);
    const char *slash = strrchr(*file, '/');
    return there == here || !there || strncmp(slash ? slash + 1 : *file, name, sizeof name - 1) == 0;
}

/* Return RESIDA_OK, or RESIDA_ERR_VERSION if a SUNDIALS function is in another library. The message names that
 * library. */
static resida_status check_origin(resida_message *why)
{
    static atomic_int is_known; /* addresses do not change; the query takes as long as 200 steps of a small model */
    if (atomic_load_explicit(&is_known, memory_order_relaxed)) return RESIDA_OK;
    void *here; /* file that contains check_origin(): the library or a program */
    rsd_find_file((uintptr_t)rsd_check_sundials_version, &here);
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        const char *file, *ignored;
        if (is_sundials((uintptr_t)used[i].address, here, &file)) continue;
        /* If the program takes the address of the function, it has its own entry that leads to the function. */
        if (is_sundials(rsd_find_symbol_address(used[i].name), here, &ignored)) continue;
        return rsd_fail(why, RESIDA_ERR_VERSION,
                        "function %s is from %.150s, not from SUNDIALS: use a library of resida that was built with "
                        "-Disolated=true",
                        used[i].name, file);
    }
    atomic_store_explicit(&is_known, 1, memory_order_relaxed);
    return RESIDA_OK;
}

resida_status resida_sundials_version(char *text, size_t size)
{
    if (!text || size == 0) return RESIDA_ERR_ARGUMENT;
    return SUNDIALSGetVersion(text, size < INT_MAX ? (int)size : INT_MAX) == 0 ? RESIDA_OK : RESIDA_ERR_ARGUMENT;
}

resida_status rsd_check_sundials_version(resida_message *why)
{
    int major = 0, minor = 0, patch = 0;
    char label[32] = "";
    RSD_TRY(check_origin(why));
    if (SUNDIALSGetVersionNumber(&major, &minor, &patch, label, (int)sizeof label) == 0 &&
        major == SUNDIALS_VERSION_MAJOR && minor == SUNDIALS_VERSION_MINOR)
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_VERSION, "SUNDIALS %d.%d is loaded, resida was compiled against %d.%d", major,
                    minor, SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);
}

int rsd_is_memory_sufficient(void)
{
    enum { FOR_CONTEXT_AND_IDA = 32768 };
    resida_allocator plain = rsd_allocator(NULL); /* SUNDIALS allocates by malloc */
    void *block = rsd_call_allocate(FOR_CONTEXT_AND_IDA, &plain);
    rsd_free(&plain, block);
    return block != NULL;
}
