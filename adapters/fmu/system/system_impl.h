/* system_impl.h - what the files of a system share. */
#ifndef FMU_SYSTEM_IMPL_H
#define FMU_SYSTEM_IMPL_H

#include "system.h"

/** Columns of y that belong to a reference. */
typedef struct fmu_column {
    uint32_t reference;
    int first, size;
    int derivative_of; /**< 1: it is x', of the states from `first` on */
} fmu_column;

/** Choose rows among the formulations of residuals. @return 0; -1 */
int fmu_rows_choose(fmu_system *s, const fmu_manifest *m, fmu_level level, fmu_pool *pool, resida_message *why);

/** Kinds of unknowns, and the index, from the rows. */
void fmu_system_kinds(fmu_system *s);

/** Where J and dg/dx may have entries, and groups of columns. @return 0; -1 */
int fmu_pattern_make(fmu_system *s, fmu_pool *pool, resida_message *why);

/** The columns of a reference; NULL: it is no unknown. */
const fmu_column *fmu_column_find(const fmu_system *s, uint32_t reference);

/** Does a row depend on x'? */
int fmu_row_has_derivative(const fmu_system *s, const fmu_unknown *u);

#endif
