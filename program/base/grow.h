/* grow.h - arrays that grow by one object at a time. */
#ifndef CMD_GROW_H
#define CMD_GROW_H

#include <stddef.h>

/** Allocate memory for one more of n objects of `size` bytes each. The memory doubles when it is full, which is
 *  determined from n. @return the block, possibly moved; NULL without memory, and the old block stays valid */
void *cmd_grow(void *block, long n, size_t size);

#endif
