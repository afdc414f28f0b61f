/* system.h - the equations of an FMU as F(t, y, y') = 0.
 *
 * Model Exchange:         y = x,            F = x' - f(t, x)
 * FMI-LS-DAE:             y = (x, z),       F = (x' - f(t, x, z) where the FMU computes f, residuals r(t, x, x', z))
 * a constraint g(x) = 0 that comes with its first derivative gd(x, ..) = 0, of index 3 and 2 (Gear, Gupta, Leimkuhler):
 *                         y = (x, z, mu),   x' - (dg/dx)' mu in place of x',   0 = gd,   0 = g
 * no continuous states:   y = time,         F = time' - 1: events and outputs alone */
#ifndef FMU_SYSTEM_H
#define FMU_SYSTEM_H

#include <resida/dae.h>

#include "adapters/fmu/description/description.h"
#include "adapters/fmu/description/manifest.h"
#include "adapters/fmu/binary/port.h"

/** Which formulations of a constraint are taken. */
typedef enum fmu_level {
    FMU_HELD,   /**< those that hold it: g and gd, else the one of the highest index */
    FMU_LOWEST, /**< the one of the lowest index: for a start */
    FMU_NONE    /**< no equation: the FMU integrates itself, the time is the one unknown */
} fmu_level;

/** References that are read or set together. */
typedef struct fmu_references {
    int n; /**< references */
    int n_values;
    uint32_t *of; /**< [n] */
} fmu_references;

/** A row of F. */
typedef struct fmu_row {
    const fmu_unknown *of; /**< and what it depends on */
    int is_explicit;       /**< 1: x' - f */
    int at;                /**< of f or of residuals: which value */
    int index;             /**< of a residual */
} fmu_row;

/** A group of columns that no row has two of. */
typedef struct fmu_groups {
    int n;
    int *group; /**< [columns] */
} fmu_groups;

/** The equations. All memory is of the pool. */
typedef struct fmu_system {
    const fmu_description *about;
    int is_dae;                            /**< 1: FMI-LS-DAE */
    int is_clock;                          /**< 1: no states, the time is the one unknown */
    int n_x, n_z, n_mu, n;                 /**< values; n = n_x + n_z + n_mu, of a clock 1 */
    int highest;                           /**< index of the equations, as far as it is known */
    fmu_references x, xp;                  /**< states, and their derivatives */
    fmu_references z, f, given, residuals; /**< algebraic; x' that are computed; x' that are given; residuals, g last */
    int *f_column, *given_column;          /**< [n_values] state that they belong to */
    const fmu_variable **states;           /**< [x.n] */
    const fmu_variable **algebraic;        /**< [z.n] */
    int *is_given;                         /**< [x.n] 1: x' is given to the FMU */
    fmu_row *rows;                         /**< [n] */
    resida_kind *kinds;                    /**< [n] */
    const char **names, **units;           /**< [n] */
    int *row, *col;                        /**< pattern of J; row NULL: not known */
    struct fmu_column *columns;            /**< by reference, for dependencies */
    int n_columns;
    int *g_row, *g_col;                   /**< pattern of dg/dx [n_mu x n_x] */
    double *g_values;                     /**< dg/dx, at the time of a product */
    fmu_groups g_groups, groups;          /**< of its columns; of those of J, with a pattern */
    double *work_f, *work_r, *work_given; /**< values */
    double *work_x, *work_g, *work_d;
    double *along_y, *along_xp; /**< [n], [n_x] a direction */
    uint32_t *knowns;           /**< room for references */
} fmu_system;

/** @param m  NULL: Model Exchange. @return 0; -1, the reason in `why` */
int fmu_system_make(fmu_system *s, const fmu_description *d, const fmu_manifest *m, fmu_level level, fmu_pool *pool,
                    resida_message *why);

/** r [n] = F(t, y, yp) by an instance in continuous mode. @return as port.h */
int fmu_system_residual(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, double *r);

/** Hand t and y to the instance. @return as port.h */
int fmu_system_set(fmu_system *s, fmu_instance *i, double t, const double *y);

/** Hand t, y and, where x' is given to it, y' to the instance. @return as port.h */
int fmu_system_move(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp);

/** J = dF/dy + alpha dF/dyp in the order of the pattern, by directional derivatives; not with n_mu > 0. */
int fmu_system_jacobian(fmu_system *s, fmu_instance *i, double t, double alpha, const double *y, const double *yp,
                        double *J);

/** out [k x n] = dF/dy dy + dF/dyp dyp for k directions dy, dyp [k x n], by directional derivatives. */
int fmu_system_times(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, int k,
                     const double *dy, const double *dyp, double *out);

#endif
