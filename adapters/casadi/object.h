/* object.h - generated C is compiled into a cache; objects are loaded as they are. */
#ifndef CSD_OBJECT_H
#define CSD_OBJECT_H

#include <resida/status.h>

enum { CSD_IDENTITY = 17 };

/** Load X.so, or X.c compiled by $CC (cc) into $XDG_CACHE_HOME/resida (~/.cache/resida), where it is found again as
 *  long as its bytes, with all that it includes, are the same. Folder and object have to be the user's own, and others
 *  may not write to them; else, and without such a folder, it is compiled into a new one in $TMPDIR (/tmp), for this
 *  time.
 *  @param[out] identity  of what was compiled, in digits; "" for X.so
 *  @return the handle of dlopen(); NULL with the reason in `why` */
void *csd_object_open(const char *path, char identity[CSD_IDENTITY], resida_message *why);

#endif
