/* vector.h - vectors and matrices in three dimensions, passed by value. A matrix is stored by columns, the images of
 * the three axes; for a rotation they are the axes of the rotated frame. */
#ifndef MB_VECTOR_H
#define MB_VECTOR_H

#include <math.h>

typedef struct mb_vec {
    double x, y, z;
} mb_vec;

typedef struct mb_mat {
    mb_vec x, y, z; /**< columns */
} mb_mat;

static inline mb_vec mb_add(mb_vec a, mb_vec b)
{
    return (mb_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mb_vec mb_sub(mb_vec a, mb_vec b)
{
    return (mb_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mb_vec mb_scale(double s, mb_vec a)
{
    return (mb_vec){s * a.x, s * a.y, s * a.z};
}

/** Return a + s b. */
static inline mb_vec mb_along(mb_vec a, double s, mb_vec b)
{
    return (mb_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double mb_dot(mb_vec a, mb_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double mb_norm(mb_vec a)
{
    return sqrt(mb_dot(a, a));
}

static inline mb_vec mb_cross(mb_vec a, mb_vec b)
{
    return (mb_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/** Return the component-wise product. */
static inline mb_vec mb_each(mb_vec a, mb_vec b)
{
    return (mb_vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

/** Return R a. */
static inline mb_vec mb_turn(const mb_mat *R, mb_vec a)
{
    return (mb_vec){R->x.x * a.x + R->y.x * a.y + R->z.x * a.z, R->x.y * a.x + R->y.y * a.y + R->z.y * a.z,
                    R->x.z * a.x + R->y.z * a.y + R->z.z * a.z};
}

/** Return R' a. */
static inline mb_vec mb_back(const mb_mat *R, mb_vec a)
{
    return (mb_vec){mb_dot(R->x, a), mb_dot(R->y, a), mb_dot(R->z, a)};
}

/** Return A B. */
static inline mb_mat mb_mul(const mb_mat *A, const mb_mat *B)
{
    return (mb_mat){mb_turn(A, B->x), mb_turn(A, B->y), mb_turn(A, B->z)};
}

/** Return A' B. */
static inline mb_mat mb_back_mul(const mb_mat *A, const mb_mat *B)
{
    return (mb_mat){mb_back(A, B->x), mb_back(A, B->y), mb_back(A, B->z)};
}

/** Return R diag(I) R' a: a tensor with principal values I along the columns of R, times a. */
static inline mb_vec mb_tensor(const mb_mat *R, mb_vec I, mb_vec a)
{
    return mb_turn(R, mb_each(I, mb_back(R, a)));
}

/** Write the components of a to out [3]. @return pointer after the components */
static inline double *mb_put(mb_vec a, double *out)
{
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
    return out + 3;
}

static inline mb_mat mb_identity(void)
{
    return (mb_mat){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

/** R <- R Rx(angle): rotate the frame R about its own first axis. */
static inline void mb_roll(mb_mat *R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const mb_vec y = R->y;
    R->y = mb_along(mb_scale(c, y), s, R->z);
    R->z = mb_along(mb_scale(c, R->z), -s, y);
}

/** R <- R Ry(angle) */
static inline void mb_pitch(mb_mat *R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const mb_vec z = R->z;
    R->z = mb_along(mb_scale(c, z), s, R->x);
    R->x = mb_along(mb_scale(c, R->x), -s, z);
}

/** R <- R Rz(angle) */
static inline void mb_yaw(mb_mat *R, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const mb_vec x = R->x;
    R->x = mb_along(mb_scale(c, x), s, R->y);
    R->y = mb_along(mb_scale(c, R->y), -s, x);
}

#endif
