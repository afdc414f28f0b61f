/* latent.c - see latent.h. */
#include "latent.h"

#include <string.h>

#include "src/base/memory.h"

int rsd_latent_create(rsd_latent *x, const unsigned char *latent, int n, const resida_allocator *a)
{
    if (!latent) return 1;
    x->sleeps = rsd_calloc(a, n, 1);
    x->list = rsd_calloc(a, n, sizeof(int));
    if (!x->sleeps || !x->list) return 0;
    rsd_latent_reset(x, latent, n);
    return 1;
}

void rsd_latent_reset(rsd_latent *x, const unsigned char *latent, int n)
{
    if (x->sleeps) memcpy(x->sleeps, latent, (size_t)n);
}

int rsd_latent_pattern(const rsd_latent *x, int n, const int *row, const int *column, const rsd_frame *f,
                       rsd_sparsity *s)
{
    if (!x->sleeps) return rsd_sparsity_from_pairs(s, f->n, f->n, n, row, column, &f->alloc, NULL);
    *s = (rsd_sparsity){.rows = 0};
    int *i = rsd_calloc(&f->alloc, n, sizeof(int)), *j = rsd_calloc(&f->alloc, n, sizeof(int)), kept = 0;
    for (int k = 0; k < n && i && j; k++)
        if (!x->sleeps[k]) i[kept] = row[k], j[kept++] = column[k];
    int status = i && j ? rsd_sparsity_from_pairs(s, f->n, f->n, kept, i, j, &f->alloc, NULL) : RESIDA_ERR_MEMORY;
    rsd_free(&f->alloc, i);
    rsd_free(&f->alloc, j);
    return status;
}

void rsd_latent_place(rsd_latent *x, int n, const int *row, const int *column, const rsd_sparsity *s, int *at)
{
    x->n = 0;
    for (int k = 0; k < n; k++) {
        at[k] = rsd_sparsity_find(s, row[k], column[k]);
        if (at[k] >= 0 || !x->sleeps) continue;
        at[k] = s->nnz;
        x->list[x->n++] = k;
    }
}

int rsd_latent_wake(rsd_latent *x, const double *values)
{
    int awake = 0;
    for (int i = 0; i < x->n; i++)
        if (values[x->list[i]] != 0) x->sleeps[x->list[i]] = 0, awake++;
    return awake;
}
