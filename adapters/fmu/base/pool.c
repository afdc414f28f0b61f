/* pool.c - memory blocks that are freed together: a description contains thousands of short texts. */
#include "pool.h"

#include "program/base/suggest.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 }; /* elements of an array that grows by doubling */

typedef struct fmu_block {
    struct fmu_block *next;
    max_align_t data[];
} fmu_block;

void *fmu_pool_get(fmu_pool *pool, size_t count, size_t size)
{
    if (count == 0) count = 1;
    if (size > 0 && count > (SIZE_MAX - sizeof(fmu_block)) / size) return NULL;
    fmu_block *block = calloc(1, sizeof *block + count * size);
    if (!block) return NULL;
    block->next = pool->blocks;
    pool->blocks = block;
    return block->data;
}

static void blank_controls(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) *text = ' ';
}

char *fmu_pool_text(fmu_pool *pool, const char *text)
{
    if (!text) return NULL;
    const size_t room = strlen(text) + 1;
    char *copy = fmu_pool_get(pool, room, 1);
    if (copy) blank_controls(memcpy(copy, text, room));
    return copy;
}

char *fmu_pool_format(fmu_pool *pool, const char *format, ...)
{
    va_list rest, again;
    va_start(rest, format);
    va_copy(again, rest);
    const int n = vsnprintf(NULL, 0, format, rest);
    char *text = n < 0 ? NULL : fmu_pool_get(pool, (size_t)n + 1, 1);
    if (text) {
        vsnprintf(text, (size_t)n + 1, format, again);
        blank_controls(text);
    }
    va_end(rest);
    va_end(again);
    return text;
}

/* The capacity of an array follows from its length. It doubles at each power of two from FIRST_ROOM on. */
void *fmu_pool_grow(fmu_pool *pool, void *array, size_t n, size_t size)
{
    if (n > 0 && (n < FIRST_ROOM || (n & (n - 1)) != 0)) return array;
    void *larger = fmu_pool_get(pool, n == 0 ? FIRST_ROOM : 2 * n, size);
    if (larger && n > 0) memcpy(larger, array, n * size);
    return larger;
}

const char *fmu_pool_suggest(fmu_pool *pool, const char *word, const char *const *names, int n)
{
    const char *near = cmd_nearest(word, names, n);
    const char *text = near ? fmu_pool_format(pool, "; did you mean '%.60s'?", near) : NULL;
    return text ? text : "";
}

void fmu_pool_free(fmu_pool *pool)
{
    while (pool->blocks) {
        fmu_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
}
