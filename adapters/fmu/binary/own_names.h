/* own_names.h - functions of an FMU that call each other by name, and not functions of the process by that name. */
#ifndef FMU_OWN_NAMES_H
#define FMU_OWN_NAMES_H

/** Flags of dlopen() by which a library, and those that come with it, look for names among themselves first; 0 where
 *  the library itself was changed so. @param path  of the library, which may be written to */
int fmu_own_names(const char *path);

#endif
