/* memory.h - memory allocation. All memory of resida is allocated by a resida_allocator. */
#ifndef RSD_MEMORY_H
#define RSD_MEMORY_H

#include <resida/status.h>

/** Return *given, or an allocator that uses malloc and free if given is NULL. */
resida_allocator rsd_allocator(const resida_allocator *given);

/** The list of the memory blocks of one object, which are freed together. The address of the list must not change while
 *  it has blocks. Only one thread may use it at a time. */
typedef struct rsd_owner {
    resida_allocator from;    /* allocator that provides the blocks */
    struct rsd_owned *newest; /* head of the list of blocks, the block allocated last; NULL: no blocks */
} rsd_owner;

/** Return an allocator whose blocks `owner` lists and frees with rsd_owner_free(). `from` provides the memory. */
resida_allocator rsd_get_owned_allocator(rsd_owner *owner, const resida_allocator *from);

/** Free all blocks of an object that were not freed before. */
void rsd_owner_free(rsd_owner *owner);

/** Allocate count objects of `each` bytes, zeroed. Return NULL if there is no memory, if the product overflows, or if
 *  count < 0. count == 0 gives a valid block. */
void *rsd_calloc(const resida_allocator *a, long count, size_t each);

/** Allocate an array of count doubles, zeroed. Return NULL in the cases of rsd_calloc(). */
double *rsd_doubles(const resida_allocator *a, long count);

/** Allocate several zeroed arrays of `count` doubles or ints each, as in RSD_DOUBLES(a, n, &x->y, &x->yp).
 *  @return 1; 0 if an allocation failed */
int rsd_alloc_doubles(const resida_allocator *a, long count, double **const *arrays, size_t n);
int rsd_alloc_ints(const resida_allocator *a, long count, int **const *arrays, size_t n);
#define RSD_COUNT(type, ...) (sizeof((type[]){__VA_ARGS__}) / sizeof(type))
#define RSD_DOUBLES(a, count, ...)                                                                                     \
    rsd_alloc_doubles(a, count, (double **const[]){__VA_ARGS__}, RSD_COUNT(double **const, __VA_ARGS__))
#define RSD_INTS(a, count, ...)                                                                                        \
    rsd_alloc_ints(a, count, (int **const[]){__VA_ARGS__}, RSD_COUNT(int **const, __VA_ARGS__))

/** Allocate a matrix of rows x cols doubles, zeroed. Return NULL also if the product overflows. */
double *rsd_matrix(const resida_allocator *a, long rows, long cols);

/** Return a copy of text; NULL if text is NULL or there is no memory. */
char *rsd_strdup(const resida_allocator *a, const char *text);

/** Copy n names into *to, with "?" for NULL, and a final NULL. *to is NULL if from is NULL. @return 1; 0 if there is no
 *  memory */
int rsd_copy_names(const char *const **to, const char *const *from, int n, const resida_allocator *a);

/** Return 1 if [a, a + n) and [b, b + m) share memory; 0 if a pointer is NULL or a size is 0. */
int rsd_arrays_overlap(const double *a, long n, const double *b, long m);

/** Free a block; NULL is ignored. RSD_FREE(a, x->y, x->yp) frees several blocks. */
void rsd_free(const resida_allocator *a, void *block);
void rsd_free_each(const resida_allocator *a, void *const *blocks, size_t n);
#define RSD_FREE(a, ...) rsd_free_each(a, (void *const[]){__VA_ARGS__}, RSD_COUNT(void *const, __VA_ARGS__))

#endif
