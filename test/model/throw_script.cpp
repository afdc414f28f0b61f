/* throw_script.cpp - see throw_script.h. */
#include "throw_script.h"

#include <new>
#include <stdexcept>

namespace throwing {

#define THROWING_NAME(name) #name,
const char *const names[N_CALLBACKS] = {THROWING_OF_MECHANISM(THROWING_NAME) THROWING_OTHERS(THROWING_NAME)};

const char *const said[N_KINDS] = {"threw \"gear 3 is missing\"", "threw an exception that is not a std::exception",
                                   "threw \"std::bad_alloc\""};

[[noreturn]] void throw_one(long kind)
{
    if (kind == WITH_WORDS) throw std::runtime_error("gear 3 is missing");
    if (kind == BAD_ALLOC) throw std::bad_alloc();
    throw 3;
}

script now;

void arm(callback which, long at)
{
    now.which = which;
    now.at = at;
    for (auto &calls : now.calls) calls = 0;
    now.after = 0;
    now.thrown = false;
}

int passes(callback c)
{
    if (now.thrown) now.after++;
    if (++now.calls[c] != now.at || c != now.which) return 0;
    now.thrown = true;
    throw_one(now.at % N_KINDS);
}

} // namespace throwing
