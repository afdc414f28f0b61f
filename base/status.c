/* status.c - names of the status codes, and the version. */
#include <resida/status.h>

const char *resida_status_name(resida_status status)
{
#define NAME(code)                                                                                                     \
    case code:                                                                                                         \
        return #code
    switch (status) {
        NAME(RESIDA_OK);
        NAME(RESIDA_STOP_TIME);
        NAME(RESIDA_EVENT);
        NAME(RESIDA_INTERRUPTED);
        NAME(RESIDA_ERR_ARGUMENT);
        NAME(RESIDA_ERR_OPTION);
        NAME(RESIDA_ERR_MEMORY);
        NAME(RESIDA_ERR_MODEL);
        NAME(RESIDA_ERR_USER);
        NAME(RESIDA_ERR_USER_REPEATED);
        NAME(RESIDA_ERR_NONFINITE);
        NAME(RESIDA_ERR_INCONSISTENT);
        NAME(RESIDA_ERR_REDUNDANT);
        NAME(RESIDA_ERR_SINGULAR);
        NAME(RESIDA_ERR_NEWTON);
        NAME(RESIDA_ERR_ERROR_TEST);
        NAME(RESIDA_ERR_STEP_TOO_SMALL);
        NAME(RESIDA_ERR_TOLERANCE);
        NAME(RESIDA_ERR_LIMIT_STEPS);
        NAME(RESIDA_ERR_LIMIT_RESIDUALS);
        NAME(RESIDA_ERR_LIMIT_TIME);
        NAME(RESIDA_ERR_STATE);
        NAME(RESIDA_ERR_PLUGIN);
        NAME(RESIDA_ERR_VERSION);
        NAME(RESIDA_ERR_CHATTERING);
        NAME(RESIDA_ERR_SIGN);
        NAME(RESIDA_ERR_INTERNAL);
    }
#undef NAME
    return "unknown";
}

const char *resida_version(void)
{
    return RESIDA_VERSION;
}
