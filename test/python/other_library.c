/* other_library.c - what the Python package has to refuse: a library of another version (VERSION), or one whose structs
 * have other sizes than its headers say. */
#include <resida/dae.h>
#include <resida/impact.h>

#ifndef VERSION
#define VERSION RESIDA_VERSION
#endif

const char *resida_version(void)
{
    return VERSION;
}

void resida_dae_init(resida_dae *d)
{
    d->size = 8;
}

void resida_contacts_init(resida_contacts *c)
{
    c->size = sizeof *c;
}
