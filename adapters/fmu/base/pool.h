/* pool.h - memory of one file's description, freed as a whole. */
#ifndef FMU_POOL_H
#define FMU_POOL_H

#include <stddef.h>

/** Blocks, newest first. Zeroed: empty. */
typedef struct fmu_pool {
    struct fmu_block *blocks;
} fmu_pool;

/** `count` zeroed objects; NULL without memory, or when their size overflows. */
void *fmu_pool_get(fmu_pool *pool, size_t count, size_t size);

/** A copy of a text; control characters become blanks. NULL for NULL and without memory. */
char *fmu_pool_text(fmu_pool *pool, const char *text);

/** A text made as by printf(); NULL without memory. Control characters become blanks. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
char *
fmu_pool_format(fmu_pool *pool, const char *format, ...);

/** Room for one more in an array of `n` objects, which may move. @return the array; NULL without memory */
void *fmu_pool_grow(fmu_pool *pool, void *array, size_t n, size_t size);

void fmu_pool_free(fmu_pool *pool);

#endif
