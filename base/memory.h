/* memory.h - all memory of resida goes through one table, resida_allocator. */
#ifndef RSD_MEMORY_H
#define RSD_MEMORY_H

#include <resida/status.h>

/** The table to use: *given, or malloc and free for NULL. */
resida_allocator rsd_allocator(const resida_allocator *given);

/** The blocks of one object, which are freed together; it stays where it is while it has some. For one thread. */
typedef struct rsd_owner {
    resida_allocator from;
    struct rsd_owned *newest;
} rsd_owner;

/** Memory of `from` that `owner` frees, unless it was freed before. */
resida_allocator rsd_owned_by(rsd_owner *owner, const resida_allocator *from);

/** Free what is left. */
void rsd_owner_free(rsd_owner *owner);

/** count objects of `each` bytes, zeroed; NULL without memory, when the product overflows, or for count < 0.
 *  count == 0 gives a valid block. */
void *rsd_calloc(const resida_allocator *a, long count, size_t each);

/** count doubles, zeroed. */
double *rsd_doubles(const resida_allocator *a, long count);

/** Arrays of `count` doubles, or ints, each, zeroed: RSD_DOUBLES(a, n, &x->y, &x->yp). 0: not all of them. */
int rsd_take_doubles(const resida_allocator *a, long count, double **const *arrays, size_t n);
int rsd_take_ints(const resida_allocator *a, long count, int **const *arrays, size_t n);
#define RSD_COUNT(type, ...) (sizeof((type[]){__VA_ARGS__}) / sizeof(type))
#define RSD_DOUBLES(a, count, ...)                                                                                     \
    rsd_take_doubles(a, count, (double **const[]){__VA_ARGS__}, RSD_COUNT(double **const, __VA_ARGS__))
#define RSD_INTS(a, count, ...)                                                                                        \
    rsd_take_ints(a, count, (int **const[]){__VA_ARGS__}, RSD_COUNT(int **const, __VA_ARGS__))

/** rows x cols doubles, zeroed; NULL also when the product overflows. */
double *rsd_matrix(const resida_allocator *a, long rows, long cols);

/** A copy of text; NULL for NULL. */
char *rsd_strdup(const resida_allocator *a, const char *text);

/** Copies of n names, "?" for one that is NULL, and NULL behind them; *to NULL for NULL. 0: no memory. */
int rsd_copy_names(const char *const **to, const char *const *from, int n, const resida_allocator *a);

/** 1 if [a, a + n) and [b, b + m) share memory; not so when a pointer is NULL or a size 0. */
int rsd_overlap(const double *a, long n, const double *b, long m);

/** NULL is fine. RSD_FREE(a, x->y, x->yp): several. */
void rsd_free(const resida_allocator *a, void *block);
void rsd_free_each(const resida_allocator *a, void *const *blocks, size_t n);
#define RSD_FREE(a, ...) rsd_free_each(a, (void *const[]){__VA_ARGS__}, RSD_COUNT(void *const, __VA_ARGS__))

#endif
