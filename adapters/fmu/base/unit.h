/* unit.h - units as FMI and SSP define them: a value in SI base units is factor value + offset, of the dimension
 * kg^i m^j s^k A^l K^m mol^n cd^o rad^p. */
#ifndef FMU_UNIT_H
#define FMU_UNIT_H

#include "pool.h"

enum { FMU_BASE_UNITS = 8 };

/** A unit. */
typedef struct fmu_unit {
    const char *name;
    int is_based; /**< 1: the rest is known */
    int exponents[FMU_BASE_UNITS];
    double factor, offset;
} fmu_unit;

/** Definitions of a file. All memory is of the pool. */
typedef struct fmu_units {
    fmu_unit *of;
    int n;
} fmu_units;

/** An element of such definitions, Unit or BaseUnit. @return 1: it was one; 0; -1 without memory */
int fmu_units_read(fmu_units *units, fmu_pool *pool, const char *name, const char **attributes);

/** factor x + offset in unit `from` becomes that in unit `to`. Units of one name are the same; where one has none, NULL
 *  or "", nothing is done. @param all  [n] files, the first that defines a unit counts
 *  @return 0; -1: there is no conversion */
int fmu_units_convert(const fmu_units *const *all, int n, const char *from, const char *to, double *factor,
                      double *offset);

#endif
