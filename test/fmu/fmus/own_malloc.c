/* own_malloc.c - a malloc() in the place of that of the libc, as an allocator that is loaded before a program. */
#include <stddef.h>

void *__libc_malloc(size_t n);
__attribute__((visibility("default"))) void *malloc(size_t n);
void *malloc(size_t n)
{
    return __libc_malloc(n);
}
