/* environment.h - the floating-point environment of the calling program: trapped exceptions (feenableexcept,
 * gfortran -ffpe-trap) and raised flags. The library uses NaN for unknown numbers, so that invalid operations occur.
 * Therefore no exception is trapped inside the library, and flags raised inside it are cleared on return. */
#ifndef DAS_ENVIRONMENT_H
#define DAS_ENVIRONMENT_H

/** Traps and flags of the program. */
typedef struct das_environment {
    int traps, flags;
    int watched; /**< flags that are restored: all except inexact, or all if inexact is trapped */
} das_environment;

/** On entry to the library: save the environment of the program, and disable its traps. */
void das_environment_save(das_environment *e);

/** On return to the program, or before a call of one of its functions: restore its environment. */
void das_environment_restore(const das_environment *e);

#endif
