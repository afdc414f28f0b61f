/* grow.h - arrays that grow by one object at a time. */
#ifndef CMD_GROW_H
#define CMD_GROW_H

#include <stddef.h>

/** Allocate memory for one more of n objects of `size` bytes. The memory doubles when n fills it. @return the block,
 *  possibly moved; NULL if memory is exhausted, and the old block stays valid */
void *cmd_grow_array(void *block, long n, size_t size);

#endif
