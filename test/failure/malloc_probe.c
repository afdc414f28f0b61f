/* malloc_probe.c - see malloc_probe.h. The functions defined here are found before those of libc by every library of
 * the process; libc's own are reached under their second names. Blocks are kept in a table with open addressing, which
 * needs no memory of its own making. */
#define _GNU_SOURCE /* dladdr */
#include "malloc_probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

#define SEEN_BY_ALL __attribute__((visibility("default")))

enum { SLOTS = 1 << 16, MAX_SITES = 4096, DEPTH = 12 };

static _Thread_local int watching;
static malloc_probe probe;
static long fail_number;
static int fails_for_ever;
static long budget; /* of bytes; 0: none */
static uintptr_t blocks[SLOTS];
static void *sites[MAX_SITES][DEPTH]; /* return addresses */

static unsigned home(uintptr_t block)
{
    return (unsigned)((block * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
}

static void keep(void *block)
{
    unsigned i = home((uintptr_t)block);
    if (probe.live >= SLOTS / 2) abort();
    probe.bytes += (long)malloc_usable_size(block);
    while (blocks[i]) i = (i + 1) % SLOTS;
    blocks[i] = (uintptr_t)block;
    probe.live++;
}

/* Forget a block if it is known, and close the gap: move up whatever would not be found any more. */
static void forget(void *block)
{
    unsigned i = home((uintptr_t)block);
    while (blocks[i] && blocks[i] != (uintptr_t)block) i = (i + 1) % SLOTS;
    if (!blocks[i]) return;
    blocks[i] = 0;
    probe.live--;
    probe.bytes -= (long)malloc_usable_size(block);
    for (unsigned k = (i + 1) % SLOTS; blocks[k]; k = (k + 1) % SLOTS)
        if ((k - home(blocks[k])) % SLOTS >= (k - i) % SLOTS) {
            blocks[i] = blocks[k];
            blocks[k] = 0;
            i = k;
        }
}

/* Counts an allocation. 1: it is to fail. */
static int is_to_fail(size_t bytes)
{
    long k = probe.allocations++;
    watching = 0; /* backtrace() may allocate */
    if (k < MAX_SITES && backtrace(sites[k], DEPTH) < DEPTH) sites[k][DEPTH - 1] = NULL;
    watching = 1;
    int is_its_turn = k + 1 == fail_number || (fail_number > 0 && k + 1 > fail_number && fails_for_ever);
    if (!is_its_turn && (budget == 0 || (long)bytes <= budget - probe.bytes)) return 0;
    probe.failed++;
    errno = ENOMEM;
    return 1;
}

SEEN_BY_ALL void *malloc(size_t bytes)
{
    if (!watching) return __libc_malloc(bytes);
    void *block = is_to_fail(bytes) ? NULL : __libc_malloc(bytes);
    if (block) keep(memset(block, 0xff, bytes)); /* dirty: what relies on zeros is found out */
    return block;
}

SEEN_BY_ALL void *calloc(size_t count, size_t each)
{
    if (!watching) return __libc_calloc(count, each);
    void *block = is_to_fail(count * each) ? NULL : __libc_calloc(count, each);
    if (block) keep(block);
    return block;
}

SEEN_BY_ALL void *realloc(void *block, size_t bytes)
{
    if (!watching) return __libc_realloc(block, bytes);
    if (is_to_fail(bytes)) return NULL;
    if (block) forget(block);
    void *moved = __libc_realloc(block, bytes);
    if (moved) keep(moved);
    return moved;
}

SEEN_BY_ALL void *aligned_alloc(size_t alignment, size_t bytes)
{
    if (!watching) return __libc_memalign(alignment, bytes);
    void *block = is_to_fail(bytes) ? NULL : __libc_memalign(alignment, bytes);
    if (block) keep(block);
    return block;
}

SEEN_BY_ALL int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *made = aligned_alloc(alignment, bytes);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

SEEN_BY_ALL void free(void *block)
{
    if (watching && block) forget(block);
    __libc_free(block);
}

void malloc_probe_start(long fail_at, int for_ever)
{
    memset(blocks, 0, sizeof blocks);
    memset(sites, 0, sizeof sites);
    probe = (malloc_probe){.allocations = 0};
    fail_number = fail_at;
    fails_for_ever = for_ever;
    budget = 0;
    watching = 1;
}

void malloc_probe_start_with_budget(long bytes)
{
    malloc_probe_start(0, 0);
    budget = bytes;
}

void malloc_probe_site(long k, char *text, size_t size)
{
    const char *last = "";
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < DEPTH && k >= 1 && k <= MAX_SITES && sites[k - 1][i]; i++) {
        Dl_info where;
        if (!dladdr(sites[k - 1][i], &where) || !where.dli_sname || strcmp(where.dli_sname, last) == 0) continue;
        last = where.dli_sname;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " < " : "", last);
        if (used >= size) return;
    }
}

malloc_probe malloc_probe_stop(void)
{
    watching = 0;
    return probe;
}
