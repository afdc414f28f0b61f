/* system_impl.h - declares functions of the files that make and evaluate a system. */
#ifndef FMU_SYSTEM_IMPL_H
#define FMU_SYSTEM_IMPL_H

#include "system.h"

/** The columns of y that belong to a reference. */
typedef struct fmu_column {
    uint32_t reference;
    int first, size;
    int derivative_of; /**< 1: the reference is x' of the states from `first` on */
} fmu_column;

/** Select the rows among the formulations of the residuals. @return 0, or -1 on an error */
int fmu_rows_choose(fmu_system *s, const fmu_manifest *m, fmu_level level, resida_message *why);

/** Set the kinds of the unknowns, and the index of the system, from its rows. */
void fmu_system_set_kinds(fmu_system *s);

/** Make the patterns of J and dg/dx, and the groups of the columns of dg/dx. @return 0, or -1 on an error */
int fmu_pattern_make(fmu_system *s, fmu_pool *pool, resida_message *why);

/** Return the columns of a reference, or NULL if it is not an unknown. */
const fmu_column *fmu_column_find(const fmu_system *s, uint32_t reference);

/** Return 1 if a row depends on x'. */
int fmu_row_has_derivative(const fmu_system *s, const fmu_unknown *u);

/** Return 1 if one of the numbers is not 0. */
int fmu_has_nonzero(const double *of, int size);

#endif
