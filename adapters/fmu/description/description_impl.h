/* description_impl.h - what the files of a description share. */
#ifndef FMU_DESCRIPTION_IMPL_H
#define FMU_DESCRIPTION_IMPL_H

#include "description.h"

/** After all is read: types, sizes of arrays, references instead of numbers, and the order for searching.
 *  @return 0; -1, the reason in `why` */
int fmu_description_link(fmu_description *d, resida_message *why);

#endif
