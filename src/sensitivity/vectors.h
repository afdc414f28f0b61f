/* vectors.h - vector operations of a step for one parameter; the arguments do not overlap. For small models they take
 * about as long as the residual. */
#ifndef RSD_SENSITIVITY_VECTORS_H
#define RSD_SENSITIVITY_VECTORS_H

/** z = sum value_j x_j, zp = sum slope_j x_j, j = 0 .. count - 1 >= 0. */
void rsd_tangent_combine(int n, int count, const double *value, const double *slope, double *const *x, double *z,
                         double *zp);

/** to = from + d x */
void rsd_tangent_move(int n, const double *from, double d, const double *x, double *to);

/** R = (F - F0)/d + more; more NULL: 0 */
void rsd_tangent_difference(int n, const double *F, const double *F0, double d, const double *more, double *R);

/** s += R, sp += alpha R. @return sum (R_i w_i)^2 */
double rsd_tangent_correct(int n, const double *R, double alpha, const double *w, double *s, double *sp);

/** size_i = max(size_i, |x_i|) */
void rsd_tangent_note(int n, const double *x, double *size);

/** Weights 1/(rtol_i |s_i| + atol_i by + part max(size_i, size_y_i by)). */
typedef struct rsd_tangent_tolerance {
    const double *rtol, *atol;   /* [n] */
    const double *size, *size_y; /* [n] largest |s| and |y| so far */
    double by, part;             /* 1/size of the parameter; relative error of differences */
} rsd_tangent_tolerance;
void rsd_tangent_weigh(int n, const rsd_tangent_tolerance *t, const double *s, double *w);

#endif
