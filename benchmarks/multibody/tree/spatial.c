/* spatial.c - see spatial.h. */
#include "spatial.h"

mb_inertia mb_inertia_of(const mb_body *b, const mb_mat *R)
{
    mb_inertia I = {{{0}}};
    const mb_vec axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        const mb_vec column = mb_tensor(R, b->inertia, axis[i]);
        I.x[i][i] = b->mass;
        I.x[3][3 + i] = column.x, I.x[4][3 + i] = column.y, I.x[5][3 + i] = column.z;
    }
    return I;
}

mb_wrench mb_inertia_times(const mb_inertia *I, mb_vec lin, mb_vec ang)
{
    const double in[MB_SIX] = {lin.x, lin.y, lin.z, ang.x, ang.y, ang.z};
    double out[MB_SIX];
    for (int i = 0; i < MB_SIX; i++) {
        out[i] = 0;
        for (int j = 0; j < MB_SIX; j++) out[i] += I->x[i][j] * in[j];
    }
    return (mb_wrench){{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

void mb_inertia_add_moved(mb_inertia *sum, const mb_inertia *part, mb_vec arm)
{
    double D[3][3], half[MB_SIX][MB_SIX]; /* D_kj = moment k of a unit force j; half = part T, T = (1, D'; 0, 1) */
    for (int j = 0; j < 3; j++) {         /* column j of D: arm x e_j */
        double column[3];
        mb_put(mb_cross(arm, (mb_vec){j == 0, j == 1, j == 2}), column);
        for (int k = 0; k < 3; k++) D[k][j] = column[k];
    }
    for (int i = 0; i < MB_SIX; i++)
        for (int k = 0; k < 3; k++) {
            half[i][k] = part->x[i][k];
            half[i][3 + k] = part->x[i][3 + k];
            for (int j = 0; j < 3; j++) half[i][3 + k] += part->x[i][j] * D[k][j];
        }
    for (int c = 0; c < MB_SIX; c++)
        for (int k = 0; k < 3; k++) {
            sum->x[k][c] += half[k][c];
            double turned = half[3 + k][c];
            for (int j = 0; j < 3; j++) turned += D[k][j] * half[j][c];
            sum->x[3 + k][c] += turned;
        }
}

void mb_inertia_less(mb_inertia *I, int count, const mb_wrench *u)
{
    for (int k = 0; k < count; k++) {
        const double x[MB_SIX] = {u[k].f.x, u[k].f.y, u[k].f.z, u[k].m.x, u[k].m.y, u[k].m.z};
        for (int i = 0; i < MB_SIX; i++)
            for (int j = 0; j < MB_SIX; j++) I->x[i][j] -= x[i] * x[j];
    }
}
