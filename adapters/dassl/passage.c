/* passage.c - see passage.h. Used in builds without C++: exceptions are not caught. */
#include "passage.h"

int das_call_protected(void (*work)(void *), void *context, das_thrown **thrown)
{
    (void)thrown;
    work(context);
    return 0;
}

void das_rethrow(das_thrown *thrown)
{
    (void)thrown;
}
