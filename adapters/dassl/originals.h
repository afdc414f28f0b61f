/* originals.h - the original routines, and the functions that a program may replace in them: DDANRM, "optionally
 * replaceable norm routine" in the texts of DASSL and DASRT, DDWNRM of DASPK, and DDAWTS, the replaceable weights of
 * DASKR. Such a function of the program is not called. This library uses the weighted root mean square norm and the
 * weights RTOL |Y| + ATOL, as the original routines do. */
#ifndef DAS_ORIGINALS_H
#define DAS_ORIGINALS_H

#include "arguments.h"

/** A function of unknown type. */
typedef void das_function(void);

/** Return the routine of this name that the program would call without this library, or NULL if there is none. The
 *  dynamic linker finds it next, for example under LD_PRELOAD. */
das_function *das_find_next_routine(das_routine routine);

/** Print a message once on stderr if the program has its own norm or weights. */
void das_warn_of_norm(das_routine routine);

#endif
