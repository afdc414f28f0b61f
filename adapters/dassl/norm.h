/* norm.h - DDANRM, "optionally replaceable norm routine" in the texts of DASSL and DASRT, and DDWNRM of DASPK. A norm
 * routine of the program is not called. This library uses the weighted root mean square norm, as the original routines
 * do. */
#ifndef DAS_NORM_H
#define DAS_NORM_H

#include "arguments.h"

/** Print a message once on stderr if the program has a norm routine of its own. */
void das_warn_of_norm(das_routine routine);

#endif
