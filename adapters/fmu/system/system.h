/* system.h - the equations of an FMU as F(t, y, y') = 0.
 *
 * Model Exchange:         y = x,            F = x' - f(t, x)
 * FMI-LS-DAE:             y = (x, z),       F = (x' - f(t, x, z) if the FMU computes f, residuals r(t, x, x', z))
 * constraint g(x) = 0 of index 3 with its derivative gd(x, ..) = 0 of index 2 (Gear, Gupta, Leimkuhler):
 *                         y = (x, z, mu),   x' - (dg/dx)' mu replaces x',   0 = gd,   0 = g
 * no continuous states:   y = time,         F = time' - 1: only events and outputs */
#ifndef FMU_SYSTEM_H
#define FMU_SYSTEM_H

#include <resida/dae.h>

#include "adapters/fmu/description/description.h"
#include "adapters/fmu/description/manifest.h"
#include "adapters/fmu/binary/port.h"

/** The formulations of a constraint that are used. */
typedef enum fmu_level {
    FMU_HELD,   /**< those that enforce it: g and gd, else that with the highest index */
    FMU_LOWEST, /**< that with the lowest index, for consistent initial conditions */
    FMU_NONE    /**< none: the FMU integrates itself, time is the only unknown */
} fmu_level;

/** A row of F. */
typedef struct fmu_row {
    const fmu_unknown *of; /**< unknown with its dependencies */
    int is_explicit;       /**< 1: x' - f */
    int at;                /**< index in the values of f or of the residuals */
    int index;             /**< index of a residual */
} fmu_row;

/** Groups of columns. The columns of a group have no common row. */
typedef struct fmu_groups {
    int n;
    int *group; /**< [columns] */
} fmu_groups;

/** The equations. The memory belongs to the pool. */
typedef struct fmu_system {
    const fmu_description *about;
    int is_dae;                            /**< 1: FMI-LS-DAE */
    int is_clock;                          /**< 1: no states; time is the only unknown */
    int n_x, n_z, n_mu, n;                 /**< numbers of values; n = n_x + n_z + n_mu; 1 without states */
    int highest;                           /**< index of the equations, as far as it is known */
    fmu_references x, xp;                  /**< states, and their derivatives */
    fmu_references z, f, given, residuals; /**< algebraic; computed x'; x' that are set; residuals, g last */
    int *f_column, *given_column;          /**< [n_values] index of the state */
    const fmu_variable **states;           /**< [x.n] */
    const fmu_variable **algebraic;        /**< [z.n] */
    int *is_given;                         /**< [x.n] 1: x' is set in the FMU */
    fmu_row *rows;                         /**< [n] */
    resida_kind *kinds;                    /**< [n] */
    const char **names, **units;           /**< [n] */
    int *row, *col;                        /**< pattern of J; row NULL: unknown */
    struct fmu_column *columns;            /**< by reference, to find dependencies */
    int n_columns;
    int *g_row, *g_col;                   /**< pattern of dg/dx [n_mu x n_x] */
    double *g_values;                     /**< dg/dx, computed for a product */
    fmu_groups g_groups;                  /**< of the columns of dg/dx */
    double *work_f, *work_r, *work_given; /**< values */
    double *work_x, *work_g, *work_d;
    double *along_y, *along_xp; /**< [n], [n_x] a direction */
    uint32_t *knowns;           /**< room for references */
} fmu_system;

/** Make the equations. @param m  NULL: Model Exchange. @return 0, or -1 with the reason in `why` */
int fmu_system_make(fmu_system *s, const fmu_description *d, const fmu_manifest *m, fmu_level level, fmu_pool *pool,
                    resida_message *why);

/** Get r [n] = F(t, y, yp) from an instance with states in continuous mode, in which t and y are set. @return as
 *  port.h */
int fmu_system_get(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, double *r);

/** Set t and y, and get r. @return as port.h */
int fmu_system_residual(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, double *r);

/** Set t and y in the instance. @return as port.h */
int fmu_system_set(fmu_system *s, fmu_instance *i, double t, const double *y);

/** Set t, y and, for states whose x' is set in the FMU, y' in the instance. @return as port.h */
int fmu_system_set_rates(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp);

/** Compute out [k x n] = dF/dy dy + dF/dyp dyp for k directions dy, dyp [k x n], by directional derivatives. @return as
 *  port.h */
int fmu_system_times(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, int k,
                     const double *dy, const double *dyp, double *out);

#endif
