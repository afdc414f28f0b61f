/* catch.c - whether exceptions of C++ are caught, and the same for work of the caller's own. */
#include "callback.h"

#include "message.h"

int resida_catches_exceptions(void)
{
    return rsd_callbacks_are_caught;
}

resida_status resida_catch(void (*work)(void *context), void *context, resida_message *why)
{
    rsd_thrown thrown = {0, ""};
    if (!work) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_catch: work is NULL");
    if (!rsd_call_work(context, &thrown, work)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_USER, "threw %s", thrown.text);
}
