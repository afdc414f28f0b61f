/* object.h - compiles generated C code, with a cache, and loads objects. */
#ifndef CSD_OBJECT_H
#define CSD_OBJECT_H

#include <resida/status.h>

enum { CSD_IDENTITY = 17 };

/** Load X.so, or X.c compiled by $CC (cc) into the cache $XDG_CACHE_HOME/resida (~/.cache/resida). The compiled object
 *  is reused while the source and all its included files have the same content. The folder and the object must be owned
 *  by the user and not writable for others. If not, or without a folder, the source is compiled into a temporary folder
 *  in $TMPDIR (/tmp), which is then removed.
 *  @param[out] identity  hash of the compiled source in hexadecimal digits; "" for X.so
 *  @return the handle of dlopen(), or NULL with the reason in `why` */
void *csd_object_open(const char *path, char identity[CSD_IDENTITY], resida_message *why);

#endif
