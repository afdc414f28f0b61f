/* grow.h - arrays that grow by one object at a time. */
#ifndef CMD_GROW_H
#define CMD_GROW_H

#include <stddef.h>

/** Room for one more of n objects of `size` bytes each: it doubles where it is used up, which follows from n.
 *  @return the block, which may have moved; NULL without memory, and the old one stays */
void *cmd_grow(void *block, long n, size_t size);

#endif
