/* fortran.h - messages of the library in the words of a program's author: his subroutines and arrays, counted from 1,
 * his T, and what he can do about it by INFO and his arrays. */
#ifndef DAS_FORTRAN_H
#define DAS_FORTRAN_H

#include "integration.h"

/** A message in such words, which may be longer. */
typedef struct das_line {
    char text[2 * RESIDA_MESSAGE_SIZE];
} das_line;

/** "callback residual, component 0 (y[0]) is NaN" becomes "RES, component 1 (Y(1)) is NaN". */
void das_in_fortran(const das_integration *x, const char *ours, das_line *theirs);

#endif
