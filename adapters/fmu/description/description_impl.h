/* description_impl.h - shared by the files that read a description. */
#ifndef FMU_DESCRIPTION_IMPL_H
#define FMU_DESCRIPTION_IMPL_H

#include "description.h"

/** Complete a description: apply types, compute sizes of arrays, convert numbers to references, sort the variables.
 *  @return 0; -1 with the reason in `why` */
int fmu_description_link(fmu_description *d, resida_message *why);

#endif
