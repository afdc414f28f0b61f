/* spectrum_near.c - see linearize_impl.h. */
#include "linearize_impl.h"

int rsd_spectrum_has_near(void)
{
    return 0;
}

resida_status rsd_spectrum_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                resida_message *why)
{
    (void)l, (void)count, (void)near;
    *s = (rsd_spectrum){.n = 0};
    return rsd_fail(why, RESIDA_ERR_STATE, "the library was built without ARPACK");
}
