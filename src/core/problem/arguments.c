/* arguments.c - see arguments.h. */
#include "arguments.h"

#include "base/memory.h"

#include <math.h>

resida_status rsd_check_arrays(const char *call, const rsd_argument *a, int n, resida_message *why)
{
    for (int i = 0; i < n; i++) {
        const int is_read = a[i].use == RSD_READ || a[i].use == RSD_READ_IF_GIVEN;
        if (!a[i].x && a[i].n > 0 && a[i].use < RSD_IF_GIVEN)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: %s is NULL", call, a[i].name);
        for (int j = i + 1; j < n; j++)
            if ((a[j].use == RSD_WRITTEN || a[j].use == RSD_WRITTEN_IF_GIVEN) &&
                rsd_arrays_overlap(a[i].x, a[i].n, a[j].x, a[j].n))
                return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: %s and %s overlap", call, a[i].name, a[j].name);
        for (long c = 0; is_read && a[i].x && c < a[i].n; c++)
            if (!isfinite(a[i].x[c]))
                return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: %s[%ld]%s%s = %g, must be finite", call, a[i].name, c,
                                a[i].names ? ", " : "", a[i].names ? a[i].names[c] : "", a[i].x[c]);
    }
    return RESIDA_OK;
}
