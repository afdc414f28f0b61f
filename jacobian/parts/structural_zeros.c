/* structural_zeros.c - see structural_zeros.h. */
#include "structural_zeros.h"

#include <string.h>

#include "base/memory.h"

int rsd_structural_zeros_create(rsd_structural_zeros *z, const unsigned char *may_be_zero, int n,
                                const resida_allocator *a)
{
    if (!may_be_zero) return 1;
    z->is_zero = rsd_calloc(a, n, 1);
    if (!z->is_zero || !RSD_INTS(a, n, &z->list)) return 0;
    rsd_structural_zeros_reset(z, may_be_zero, n);
    return 1;
}

void rsd_structural_zeros_reset(rsd_structural_zeros *z, const unsigned char *may_be_zero, int n)
{
    if (z->is_zero) memcpy(z->is_zero, may_be_zero, (size_t)n);
}

void rsd_structural_zeros_find_positions(rsd_structural_zeros *z, int n, const int *row, const int *column,
                                         const rsd_sparsity *s, int *at)
{
    z->n = 0;
    for (int k = 0; k < n; k++) {
        at[k] = rsd_sparsity_find(s, row[k], column[k]);
        if (at[k] >= 0 || !z->is_zero) continue;
        at[k] = s->nnz;
        z->list[z->n++] = k;
    }
}

int rsd_structural_zeros_activate(rsd_structural_zeros *z, const double *values)
{
    int activated = 0;
    for (int i = 0; i < z->n; i++)
        if (values[z->list[i]] != 0) z->is_zero[z->list[i]] = 0, activated++;
    return activated;
}
