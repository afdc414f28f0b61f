/* dae.c - the plain data of a general DAE. */
#include <resida/dae.h>

void resida_dae_init(resida_dae *d)
{
    if (d) *d = (resida_dae){.size = sizeof *d};
}
