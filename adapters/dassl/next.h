/* next.h - finds the routines that the program would call without this library. The dynamic linker finds them next, for
 * example under LD_PRELOAD. */
#ifndef DAS_NEXT_H
#define DAS_NEXT_H

#include "arguments.h"

/** A function of unknown type. */
typedef void das_function(void);

/** Return the next routine of this name, or NULL if there is none. */
das_function *das_find_next_routine(das_routine routine);

#endif
