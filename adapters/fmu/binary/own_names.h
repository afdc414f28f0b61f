/* own_names.h - binds calls inside an FMU to its own functions, not to functions of the process with the same names. */
#ifndef FMU_OWN_NAMES_H
#define FMU_OWN_NAMES_H

/** Return flags of dlopen() with which a library and its dependencies are searched before the process. Return 0 if the
 *  library was modified for this purpose. @param path  of the library */
int fmu_bind_own_symbols(const char *path);

#endif
