/* box.c - see box.h. */
#include "box.h"

/* a^2/4 = 6 (I_y + I_z - I_x)/(4 m) */
static double half_side(double mass, double own, double other, double third)
{
    return sqrt(fmax(1.5 * (other + third - own) / mass, 0));
}

mb_vec mb_box(double mass, mb_vec I)
{
    return (mb_vec){half_side(mass, I.x, I.y, I.z), half_side(mass, I.y, I.z, I.x), half_side(mass, I.z, I.x, I.y)};
}

double *mb_box_corners(mb_vec half, mb_vec r, const mb_mat *R, double *xyz)
{
    for (int k = 0; k < MB_CORNERS; k++) {
        const mb_vec corner = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        xyz = mb_put(mb_add(r, mb_turn(R, corner)), xyz);
    }
    return xyz;
}
