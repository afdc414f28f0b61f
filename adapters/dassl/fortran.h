/* fortran.h - converts messages of the library to the terms of a Fortran program: names of its subroutines and arrays,
 * indices from 1, its T, and remedies by INFO and arrays. */
#ifndef DAS_FORTRAN_H
#define DAS_FORTRAN_H

#include "integration.h"

/** A converted message, which may be longer than the original. */
typedef struct das_line {
    char text[2 * RESIDA_MESSAGE_SIZE];
} das_line;

/** Convert a message: "callback residual, component 0 (y[0]) is NaN" becomes "RES, component 1 (Y(1)) is NaN". */
void das_translate_message(const das_integration *x, const char *ours, das_line *theirs);

#endif
