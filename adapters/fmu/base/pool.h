/* pool.h - memory of the description of a file, freed as a whole. */
#ifndef FMU_POOL_H
#define FMU_POOL_H

#include <stddef.h>

/** List of blocks, the newest first. All members are zero if it is empty. */
typedef struct fmu_pool {
    struct fmu_block *blocks;
} fmu_pool;

/** Return memory for `count` zeroed objects, or NULL if there is no memory, or the size overflows. */
void *fmu_pool_get(fmu_pool *pool, size_t count, size_t size);

/** Return a copy of a text, with blanks for control characters; NULL for NULL, or if there is no memory. */
char *fmu_pool_text(fmu_pool *pool, const char *text);

/** Return a text formatted as by printf(), with blanks for control characters; NULL if there is no memory. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
char *
fmu_pool_format(fmu_pool *pool, const char *format, ...);

/** Make room for another element in an array of `n` objects. @return the array, which may move, or NULL without
 *  memory */
void *fmu_pool_grow(fmu_pool *pool, void *array, size_t n, size_t size);

/** Append a zeroed element to an array of `n` objects. @return the element, or NULL without memory */
#define FMU_POOL_ADD(pool, array, n)                                                                                   \
    (((array) = fmu_pool_grow((pool), (array), (size_t)(n), sizeof *(array))) ? &(array)[(n)++] : NULL)

/** Return "; did you mean 'NAME'?" with the name that is similar to a word, or "".
 *  @param names  [n] an entry may be NULL */
const char *fmu_pool_suggest(fmu_pool *pool, const char *word, const char *const *names, int n);

void fmu_pool_free(fmu_pool *pool);

#endif
