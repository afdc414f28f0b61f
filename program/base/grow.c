/* grow.c - see grow.h. */
#include "grow.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16 }; /* the allocated number is this, or the next power of two */

void *cmd_grow_array(void *block, long n, size_t size)
{
    if (n > 0 && (n < FIRST_ROOM || (n & (n - 1)) != 0)) return block;
    return realloc(block, (size_t)(n == 0 ? FIRST_ROOM : 2 * n) * size);
}
