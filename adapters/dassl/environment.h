/* environment.h - the floating-point environment of a program: exceptions that it traps (feenableexcept, gfortran
 * -ffpe-trap) and those that it finds flagged. Here invalid operations are part of the arithmetic, in which a number
 * that is not known yet is NaN: while a call is under way nothing is trapped, and what is flagged is not shown. */
#ifndef DAS_ENVIRONMENT_H
#define DAS_ENVIRONMENT_H

/** What a program traps and has flagged. */
typedef struct das_environment {
    int traps, flags;
    int watched; /**< flags that are kept apart: all but inexact, unless that is trapped */
} das_environment;

/** From the program into the library: keep its environment, trap nothing. */
void das_environment_keep(das_environment *e);

/** From the library into the program, which goes on or is called. */
void das_environment_restore(const das_environment *e);

#endif
