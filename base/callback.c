/* callback.c - calls callbacks in a library that is built without C++, where no exception can be caught. This file is
 * compiled without unwind tables and without tail calls. Therefore an exception cannot pass through its functions:
 * std::terminate() is called where the exception was thrown, before the stack is unwound. */
#include "callback.h"

const int rsd_callbacks_are_caught = 0;

#define RSD_CALL(name, parameters, which, n, call)                                                                     \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const int back = rsd_calls_begin(c, which, out, n);                                                            \
        return rsd_calls_end(c, which, back, t, call, out, n);                                                         \
    }
#define RSD_RESULT(name, parameters, call)                                                                             \
    int name parameters                                                                                                \
    {                                                                                                                  \
        (void)thrown;                                                                                                  \
        return call;                                                                                                   \
    }
#define RSD_DONE(name, parameters, call) RSD_RESULT(name, parameters, (call, 0))
#include "callback_calls.h"

void *rsd_call_allocate(size_t bytes, const resida_allocator *a)
{
    return a->allocate(bytes, a->context);
}

void rsd_call_free(void *block, const resida_allocator *a)
{
    a->free(block, a->context);
}
