/* passage.c - see passage.h: without C++, where nothing is caught. */
#include "passage.h"

int das_pass(void (*work)(void *), void *context, das_thrown **thrown)
{
    (void)thrown;
    work(context);
    return 0;
}

void das_throw_on(das_thrown *thrown)
{
    (void)thrown;
}
