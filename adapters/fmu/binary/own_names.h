/* own_names.h - lets the functions of an FMU call each other, instead of functions of the process with these names. */
#ifndef FMU_OWN_NAMES_H
#define FMU_OWN_NAMES_H

/** Return flags for dlopen() with which a library and its dependencies are searched before the process. Return 0 if the
 *  library itself was modified for this purpose. @param path  of the library, which may be modified */
int fmu_own_names(const char *path);

#endif
