/* callback.cpp - calls callbacks and catches their exceptions. Catching costs a few instructions per call.
 *
 * If a thread is cancelled in a callback (pthread_cancel), its stack is also unwound by an exception. This exception
 * must not be caught. The handles that the thread used can then only be freed. */
#include "callback.h"

#include <cxxabi.h>
#include <exception>

extern "C" {
#include "message.h"

extern const int rsd_callbacks_are_caught;
const int rsd_callbacks_are_caught = 1;
}

/* Store the text of the present exception. @return RESIDA_ERR_USER */
static int caught(rsd_thrown *thrown) noexcept
{
    rsd_thrown unwanted, *kept = thrown ? thrown : &unwanted;
    kept->is_new = 1;
    try {
        throw;
    } catch (const std::exception &e) {
        rsd_write(kept->text, sizeof kept->text, "\"%s\"", e.what());
    } catch (...) {
        rsd_write(kept->text, sizeof kept->text, "an exception that is not a std::exception");
    }
    return RESIDA_ERR_USER;
}

#ifdef __GLIBCXX__
#define RSD_CANCELLED                                                                                                  \
    catch (const abi::__forced_unwind &)                                                                               \
    {                                                                                                                  \
        throw;                                                                                                         \
    }
#else
#define RSD_CANCELLED
#endif

#define RSD_TRY_OR(call, otherwise)                                                                                    \
    try {                                                                                                              \
        call;                                                                                                          \
    }                                                                                                                  \
    RSD_CANCELLED catch (...)                                                                                          \
    {                                                                                                                  \
        otherwise;                                                                                                     \
    }

#define RSD_CALL(name, parameters, which, n, call)                                                                     \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const int back = rsd_calls_begin(c, which, out, n);                                                            \
        int verdict;                                                                                                   \
        RSD_TRY_OR(verdict = call, verdict = caught(&c->fault.thrown))                                                 \
        return rsd_calls_end(c, which, back, t, verdict, out, n);                                                      \
    }
#define RSD_RESULT(name, parameters, call)                                                                             \
    int name parameters                                                                                                \
    {                                                                                                                  \
        RSD_TRY_OR(return call, return caught(thrown))                                                                 \
    }
#define RSD_DONE(name, parameters, call) RSD_RESULT(name, parameters, (call, 0))
#include "callback_calls.h"

void *rsd_call_allocate(size_t bytes, const resida_allocator *a)
{
    RSD_TRY_OR(return a->allocate(bytes, a->context), caught(nullptr); return nullptr)
}

void rsd_call_free(void *block, const resida_allocator *a)
{
    RSD_TRY_OR(a->free(block, a->context), caught(nullptr))
}
