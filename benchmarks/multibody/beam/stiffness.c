/* stiffness.c - derivatives of the forces of beam.h. With stress = w C (strain + tau strain') at each point,
 *
 *     dF/dX  = sum_k g_k w C_k (g_k + tau_k h_k)' + stress_k H_k,    g_k = d(strain_k)/dX, H_k = dg_k/dX, h_k = H_k X'
 *     dF/dX' = sum_k w C_k tau_k g_k g_k'
 *
 * distributed to the nodes from both sides. H_k is constant: column c of sum_k stress_k H_k is bm_work() with the c-th
 * unit vector as X. */
#include <math.h>
#include <string.h>

#include "element.h"

typedef double square[BM_X][BM_X];

/* Compute the gradient g_k of a strain (X) or h_k (X') as one array. */
static void gradient(int k, bm_fields X, double *out)
{
    double unit[BM_STRAINS] = {0};
    bm_fields g;
    unit[k] = 1;
    bm_work(unit, X, g);
    memcpy(out, g, sizeof g);
}

/* Compute DX = dF/dX and DV = dF/dX' at a point. */
static void differentiate(const bm_system *s, const bm_element *el, int k, const double *p, const double *v, square DX,
                          square DV)
{
    double C[BM_STRAINS], stress[BM_STRAINS], g[BM_X], h[BM_X];
    bm_fields X, V;
    bm_stress(s, el, k, p, v, X, V, stress);
    bm_stiffness_of(&el->section, C);
    memset(DV, 0, sizeof(square));
    for (int j = 0; j < BM_X; j++) {
        bm_fields e = {{0}}, column;
        e[j / 3][j % 3] = 1;
        bm_work(stress, e, column);
        memcpy(DX[j], column, sizeof column); /* H is symmetric */
    }
    for (int c = 0; c < BM_STRAINS; c++) {
        const double stiff = el->point[k].length * C[c], damped = stiff * s->damping[c];
        gradient(c, X, g), gradient(c, V, h);
        for (int i = 0; i < BM_X; i++) {
            if (!(fabs(g[i]) > 0)) continue; /* half of the entries */
            for (int j = 0; j < BM_X; j++) {
                DX[i][j] += g[i] * (stiff * g[j] + damped * h[j]);
                DV[i][j] += g[i] * damped * g[j];
            }
        }
    }
}

/* Find the vectors of X to which block b (r, d1 .. d3) of node i contributes, and the factors. @return their number */
static int shares(const bm_point *point, int i, int b, int *field, double *factor)
{
    if (b == 0) {
        field[0] = BM_SLOPE, factor[0] = point->slope[i];
        return 1;
    }
    field[0] = BM_DIRECTOR + b - 1, factor[0] = point->N[i];
    field[1] = BM_TURN + b - 1, factor[1] = point->slope[i];
    return 2;
}

/* Compute B [BM_P][BM_X]: the derivative of the forces on node i with respect to X. */
static void spread_rows(const bm_point *point, int i, square D, double B[BM_P][BM_X])
{
    for (int r = 0; r < BM_P; r++) {
        int field[2] = {0};
        double factor[2] = {0};
        const int n = shares(point, i, r / 3, field, factor);
        for (int c = 0; c < BM_X; c++) {
            B[r][c] = factor[0] * D[3 * field[0] + r % 3][c];
            if (n == 2) B[r][c] += factor[1] * D[3 * field[1] + r % 3][c];
        }
    }
}

/* Return the index in K at which the (i, j) block begins in the row of component a of i. */
static int block(const bm_system *s, int i, int a, int j)
{
    return s->Phi_p_pattern.row[BM_P * i + a] + BM_P * (j - s->near[i].first);
}

/* Add D, distributed to the nodes from both sides, to a matrix with the pattern of K. */
static void spread_square(const bm_system *s, const bm_element *el, const bm_point *point, square D, double *out)
{
    double B[BM_P][BM_X];
    for (int i = 0; i <= el->order; i++) {
        spread_rows(point, i, D, B);
        for (int j = 0; j <= el->order; j++) {
            const int first = block(s, el->first + i, 0, el->first + j);
            const int next = block(s, el->first + i, 1, el->first + j) - first;
            for (int c = 0; c < BM_P; c++) {
                int field[2] = {0};
                double factor[2] = {0};
                const int n = shares(point, j, c / 3, field, factor);
                for (int r = 0; r < BM_P; r++) {
                    double sum = factor[0] * B[r][3 * field[0] + c % 3];
                    if (n == 2) sum += factor[1] * B[r][3 * field[1] + c % 3];
                    out[first + r * next + c] += sum;
                }
            }
        }
    }
}

/* Add -d(m x d_a/2)/d(d_a). */
static void load_stiffness(const bm_system *s, const bm_load *load, const resida_excitation *e, double *K)
{
    const double half = bm_amplitude(load, e) / 2;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
            double *row = K + block(s, load->node, 3 + 3 * a + k, load->node) + 3 + 3 * a;
            row[(k + 2) % 3] -= half * load->moment[(k + 1) % 3];
            row[(k + 1) % 3] += half * load->moment[(k + 2) % 3];
        }
}

void bm_stiffness(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *K,
                  double *D)
{
    const int n = BM_P * s->n_node;
    memset(K, 0, (size_t)s->Phi_p_pattern.row[n] * sizeof *K);
    if (D) memset(D, 0, (size_t)s->Phi_v_pattern.row[n] * sizeof *D);
    for (const bm_element *el = s->element; el && el < s->element + s->n_element; el++)
        for (int k = 0; k < el->order; k++) {
            square DX, DV;
            differentiate(s, el, k, p, v, DX, DV);
            spread_square(s, el, &el->point[k], DX, K);
            if (D && s->Phi_v_pattern.row[n]) spread_square(s, el, &el->point[k], DV, D);
        }
    for (int k = 0; k < s->n_load; k++) load_stiffness(s, &s->load[k], e, K);
}
