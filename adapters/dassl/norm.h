/* norm.h - DDANRM, "optionally replaceable norm routine" in the texts of DASSL and DASRT, DDWNRM of DASPK, and DDAWTS,
 * the replaceable weights of DASKR. Such a routine of the program is not called. This library uses the weighted root
 * mean square norm and the weights RTOL |Y| + ATOL, as the original routines do. */
#ifndef DAS_NORM_H
#define DAS_NORM_H

#include "arguments.h"

/** Print a message once on stderr if the program has its own norm or weights. */
void das_warn_of_norm(das_routine routine);

#endif
