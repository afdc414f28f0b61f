/* next.h - the routines that a program would have without this library: those of the next one that the dynamic linker
 * finds, as under LD_PRELOAD. */
#ifndef DAS_NEXT_H
#define DAS_NEXT_H

#include "arguments.h"

/** A function as the linker knows it. */
typedef void das_function(void);

/** The next ddassl_, ddaspk_ or ddasrt_; NULL: there is none. */
das_function *das_next(das_routine routine);

#endif
