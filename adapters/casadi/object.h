/* object.h - generated C is compiled into a cache; objects are loaded as they are. */
#ifndef CSD_OBJECT_H
#define CSD_OBJECT_H

#include <resida/status.h>

/** Load X.so, or X.c compiled by $CC (cc) into $XDG_CACHE_HOME/resida (~/.cache/resida), where it is found again as
 *  long as its bytes are the same.
 *  @return the handle of dlopen(); NULL with the reason in `why` */
void *csd_object_open(const char *path, resida_message *why);

#endif
