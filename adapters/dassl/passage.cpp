/* passage.cpp - see passage.h. The cancellation of a thread is also an exception; it is passed on unchanged. */
#include "passage.h"

#include <cxxabi.h>
#include <exception>
#include <new>

struct das_thrown {
    std::exception_ptr what;
};

extern "C" int das_call_protected(void (*work)(void *), void *context, das_thrown **thrown)
{
    try {
        work(context);
        return 0;
    }
#ifdef __GLIBCXX__
    catch (const abi::__forced_unwind &) {
        throw;
    }
#endif
    catch (...) {
        delete *thrown;
        *thrown = new das_thrown{std::current_exception()};
        return 1;
    }
}

extern "C" void das_rethrow(das_thrown *thrown)
{
    const std::exception_ptr what = thrown->what;
    delete thrown;
    std::rethrow_exception(what);
}
