/* unit.h - units as defined by FMI and SSP: a value in SI base units is factor value + offset, with the dimension
 * kg^i m^j s^k A^l K^m mol^n cd^o rad^p. */
#ifndef FMU_UNIT_H
#define FMU_UNIT_H

#include "pool.h"

enum { FMU_BASE_UNITS = 8 };

/** A unit. */
typedef struct fmu_unit {
    const char *name;
    int is_based; /**< 1: the dimension, factor and offset are known */
    int exponents[FMU_BASE_UNITS];
    double factor, offset;
} fmu_unit;

/** Unit definitions of a file. The memory belongs to the pool. */
typedef struct fmu_units {
    fmu_unit *of;
    int n;
} fmu_units;

/** Read an element of unit definitions, Unit or BaseUnit. @return 1 if it is one, 0 if not, -1 if there is no memory */
int fmu_units_read(fmu_units *units, fmu_pool *pool, const char *name, const char **attributes);

/** Convert factor x + offset from unit `from` to unit `to`. Nothing is changed if the names are equal, or if one is
 *  NULL or "". @param all  [n] files; the first definition of a unit applies
 *  @return 0, or -1 if there is no conversion */
int fmu_units_convert(const fmu_units *const *all, int n, const char *from, const char *to, double *factor,
                      double *offset);

#endif
