/* norm.h - DDANRM, "optionally replaceable norm routine" in the texts of DASSL and DASRT, and DDWNRM of DASPK. A
 * program's own is not called: the norm here is the root mean square by the tolerances, as theirs is. */
#ifndef DAS_NORM_H
#define DAS_NORM_H

#include "arguments.h"

/** Say once on stderr that the program has a norm of its own, if it has. */
void das_look_for_norm(das_routine routine);

#endif
