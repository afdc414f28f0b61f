/* tuned.c - constants of a build with -Dablation=true: RESIDA_TUNED, "NAME=VALUE", replaces one default value. */
#include <stdlib.h>
#include <string.h>

double rsd_tuned(const char *name, double value)
{
    const char *tuned = getenv("RESIDA_TUNED");
    const size_t n = strlen(name);
    return tuned && strncmp(tuned, name, n) == 0 && tuned[n] == '=' ? atof(tuned + n + 1) : value;
}
