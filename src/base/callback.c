/* callback.c - calls callbacks in a library that is built without C++, where nothing can be caught. This file is
 * compiled without tables for unwinding and without jumps in the place of returns: whoever throws finds no way past it,
 * and std::terminate() is called where the exception was thrown, before anything has been unwound. */
#include "callback.h"

const int rsd_callbacks_are_caught = 0;

#define RSD_RESULT(thrown, call)                                                                                       \
    (void)thrown;                                                                                                      \
    return call;
#define RSD_DONE(thrown, call)                                                                                         \
    (void)thrown;                                                                                                      \
    call;                                                                                                              \
    return 0;
#define RSD_BLOCK(call) return call;
#define RSD_FREED(call) call;

#include "callback_calls.h"
