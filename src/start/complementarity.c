/* complementarity.c - impulses of an impact, or forces of contacts that hold, from
 *
 *     0 <= P, D P + q >= 0, P' (D P + q) = 0,   D symmetric, without a negative eigenvalue:
 *
 * the least 1/2 P' D P + q' P over P >= 0, by an active set. The contact with the most negative w = D P + q enters: P
 * goes along z, in which those that push already keep their w,
 *
 *     D_SS z_S = -D_Sj,  z_j = 1,
 *
 * until w_j = 0, and it belongs to the set, or until a P of the set has come to 0: that contact drops out, and it goes
 * on without it. The energy falls with each set, so none comes twice. Where w_j does not grow along z (contact j
 * depends on those that push) and no P falls, there is no solution: P may grow for ever. G. B. Dantzig, Linear
 * Programming and Extensions, 1963; C. Lawson, R. Hanson, Solving Least Squares Problems, 1974, ch. 23. */
#include "impact_impl.h"

#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define NOTHING_NEW 1e-10 /* of 1, the diagonal of D: less is new in a contact that depends on those that push */

enum { PUSH_ROUNDS = 50 }; /* each contact enters a few times at the most */

/* z for contact j; what is new in it. < 0: the matrix of the set is singular. */
static double direction(rsd_impact *x, int j)
{
    const int n = x->n, m = x->n_set;
    double fresh = x->D_1[(long)j * n + j];
    for (int c = 0; c < m; c++) {
        for (int r = 0; r < m; r++) x->A[(long)c * m + r] = x->D_1[(long)x->set[r] * n + x->set[c]];
        x->z[c] = -x->D_1[(long)x->set[c] * n + j];
    }
    if (rsd_lu_factor(m, x->A, x->pivots) != 0) return -1;
    rsd_lu_solve(m, x->A, x->pivots, x->z);
    for (int c = 0; c < m; c++) fresh += x->D_1[(long)j * n + x->set[c]] * x->z[c];
    return fmax(fresh, 0);
}

static void find_w(rsd_impact *x)
{
    for (int i = 0; i < x->n; i++) {
        x->w[i] = x->q[i];
        for (int j = 0; j < x->n; j++) x->w[i] += x->D_1[(long)i * x->n + j] * x->P[j];
    }
}

/* Contact j takes part, or another one drops out. @return 1 it does; 0 once more; -1 there is no solution; -2 it is not
 * found */
static int enter(rsd_impact *x, int j)
{
    const double fresh = direction(x, j);
    if (fresh < 0) return -2;
    int out = -1;
    double part = fresh > NOTHING_NEW ? -x->w[j] / fresh : INFINITY;
    for (int c = 0; c < x->n_set; c++) {
        const double room = x->z[c] < -NOTHING_NEW ? -x->P[x->set[c]] / x->z[c] : INFINITY;
        if (room < part) {
            part = room;
            out = c;
        }
    }
    if (isinf(part)) return -1;
    for (int c = 0; c < x->n_set; c++) x->P[x->set[c]] += part * x->z[c];
    x->P[j] += part;
    if (out < 0) {
        x->set[x->n_set++] = j;
        return 1;
    }
    x->P[x->set[out]] = 0;
    x->set[out] = x->set[--x->n_set];
    find_w(x);
    return 0;
}

/* P of the scaled problem. @return 1: solved; 0: there is no solution; < 0: none was found, because rounding decides */
int rsd_impact_complement(rsd_impact *x)
{
    memset(x->P, 0, (size_t)x->n * sizeof *x->P);
    x->n_set = 0;
    for (long round = 0; round < (long)PUSH_ROUNDS * (x->n + 1); round++) {
        int j = 0, is_in = 0;
        find_w(x);
        for (int i = 1; i < x->n; i++)
            if (x->w[i] < x->w[j]) j = i;
        if (x->w[j] >= -x->least) return 1;
        for (int c = 0; c < x->n_set; c++)
            if (x->set[c] == j) return -1;
        for (int tries = 0; tries <= x->n && !is_in; tries++) is_in = enter(x, j);
        x->culprit = j;
        if (is_in <= 0) return is_in == -1 ? 0 : -1;
    }
    return -1;
}
