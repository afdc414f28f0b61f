/* memory.c - the allocator table and its checked use. Products of sizes are checked for overflow. Every block is
 * zeroed, so that a partly built object can be freed. */
#include "memory.h"

#include "callback.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(size_t bytes, void *context)
{
    (void)context;
    return malloc(bytes);
}

static void default_free(void *block, void *context)
{
    (void)context;
    free(block);
}

resida_allocator rsd_allocator(const resida_allocator *given)
{
    return given ? *given : (resida_allocator){default_allocate, default_free, NULL};
}

/* Header before each block of memory of an owner. */
typedef struct rsd_owned {
    _Alignas(max_align_t) struct rsd_owned *newer; /* block allocated next; NULL: none */
    struct rsd_owned *older;                       /* block allocated before; NULL: none */
} rsd_owned;

static void *owned_allocate(size_t bytes, void *context)
{
    rsd_owner *owner = context;
    rsd_owned *made = bytes <= PTRDIFF_MAX ? rsd_call_allocate(sizeof *made + bytes, &owner->from) : NULL;
    if (!made) return NULL;
    *made = (rsd_owned){.older = owner->newest};
    if (made->older) made->older->newer = made;
    owner->newest = made;
    return made + 1;
}

static void owned_free(void *block, void *context)
{
    rsd_owner *owner = context;
    rsd_owned *b = (rsd_owned *)block - 1;
    if (b->older) b->older->newer = b->newer;
    *(b->newer ? &b->newer->older : &owner->newest) = b->older;
    rsd_call_free(b, &owner->from);
}

resida_allocator rsd_get_owned_allocator(rsd_owner *owner, const resida_allocator *from)
{
    *owner = (rsd_owner){.from = *from};
    return (resida_allocator){owned_allocate, owned_free, owner};
}

void rsd_owner_free(rsd_owner *owner)
{
    while (owner->newest) owned_free(owner->newest + 1, owner);
}

void *rsd_calloc(const resida_allocator *a, long count, size_t each)
{
    if (count < 0 || (size_t)count > PTRDIFF_MAX / each) return NULL;
    size_t bytes = (size_t)count * each;
    void *block = rsd_call_allocate(bytes ? bytes : 1, a);
    if (block) memset(block, 0, bytes);
    return block;
}

double *rsd_doubles(const resida_allocator *a, long count)
{
    return rsd_calloc(a, count, sizeof(double));
}

int rsd_alloc_doubles(const resida_allocator *a, long count, double **const *arrays, size_t n)
{
    int all = 1;
    for (size_t i = 0; i < n; i++) all &= (*arrays[i] = rsd_doubles(a, count)) != NULL;
    return all;
}

int rsd_alloc_ints(const resida_allocator *a, long count, int **const *arrays, size_t n)
{
    int all = 1;
    for (size_t i = 0; i < n; i++) all &= (*arrays[i] = rsd_calloc(a, count, sizeof(int))) != NULL;
    return all;
}

double *rsd_matrix(const resida_allocator *a, long rows, long cols)
{
    if (rows < 0 || cols < 0 || (cols > 0 && rows > INT64_MAX / cols)) return NULL;
    return rsd_doubles(a, rows * cols);
}

char *rsd_strdup(const resida_allocator *a, const char *text)
{
    if (!text) return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = rsd_call_allocate(bytes, a);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

int rsd_copy_names(const char *const **to, const char *const *from, int n, const resida_allocator *a)
{
    char **names = from ? rsd_calloc(a, n + 1L, sizeof *names) : NULL;
    int all = names || !from;
    *to = (const char *const *)names;
    for (int i = 0; i < n && names && all; i++) all = (names[i] = rsd_strdup(a, from[i] ? from[i] : "?")) != NULL;
    return all;
}

int rsd_arrays_overlap(const double *a, long n, const double *b, long m)
{
    uintptr_t from_a = (uintptr_t)a, from_b = (uintptr_t)b; /* in C only pointers into the same array have an order */
    if (!a || !b || n < 1 || m < 1) return 0;
    return from_a < from_b + (size_t)m * sizeof *b && from_b < from_a + (size_t)n * sizeof *a;
}

void rsd_free(const resida_allocator *a, void *block)
{
    if (block) rsd_call_free(block, a);
}

void rsd_free_each(const resida_allocator *a, void *const *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) rsd_free(a, blocks[i]);
}
