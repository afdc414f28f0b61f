/* next.h - the routines that the program would call without this library: those that the dynamic linker finds next,
 * for example under LD_PRELOAD. */
#ifndef DAS_NEXT_H
#define DAS_NEXT_H

#include "arguments.h"

/** A function of unknown type. */
typedef void das_function(void);

/** Return the next ddassl_, ddaspk_ or ddasrt_, or NULL if there is none. */
das_function *das_next(das_routine routine);

#endif
