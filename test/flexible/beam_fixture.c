/* beam_fixture.c - see beam_fixture.h. */
#include "beam_fixture.h"
#include "test/fixtures/settle_under.h"

extern void dsygv_(const int *type, const char *job, const char *part, const int *n, double *a, const int *lda,
                   double *b, const int *ldb, double *w, double *work, const int *lwork, int *info);

void beam_begin(beam *b)
{
    memset(b, 0, sizeof *b);
    bm_begin(&b->s);
    resida_mechanism_init(&b->m);
}

void beam_open(beam *b)
{
    resida_message why = {""};
    if (bm_open(&b->s, &b->m, &why)) fail_msg("%s", why.text);
    b->n = b->m.n_p, b->rows = b->m.n_g;
    b->p = bench_doubles(b->n), b->lam = bench_doubles(b->rows);
    memcpy(b->p, b->s.p0, (size_t)b->n * sizeof *b->p);
}

void beam_close(beam *b)
{
    bm_end(&b->s);
}

void beam_begin_line(beam *b, const bm_section *section, int order, int elements, double length, int is_clamped)
{
    beam_begin(b);
    (void)bm_add_line(&b->s, section, order, elements, (mb_vec){0, 0, 0}, (mb_vec){length, 0, 0}, (mb_vec){0, 1, 0});
    b->last = order * elements;
    if (is_clamped) bm_add_weld(&b->s, BM_SPACE, 0, (mb_vec){0, 0, 0});
}

void beam_settle(beam *b, double load, int steps)
{
    b->m.n_u = 1;
    settle_under(&b->m, &load, steps, b->p, b->lam);
}

/* out [n x n] += the matrix of a pattern. */
static void fill(const resida_pattern *pattern, int n, const double *value, double *out)
{
    for (int i = 0; i < n; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) out[(long)i * n + pattern->col[k]] += value[k];
}

/* Z [n x columns]: displacements, and rotations e_k x d_a, of the nodes from `held` on. */
static void find_motions(const beam *b, int held, double *Z)
{
    const int columns = 6 * (b->s.n_node - held);
    for (int i = held; i < b->s.n_node; i++)
        for (int k = 0; k < 3; k++) {
            const int column = 6 * (i - held) + k, y = (k + 1) % 3, z = (k + 2) % 3;
            Z[(long)(BM_P * i + k) * columns + column] = 1;
            for (int a = 0; a < 3; a++) {
                const int first = BM_P * i + 3 + 3 * a;
                const double *d = b->p + first;
                Z[(long)(first + y) * columns + column + 3] = -d[z];
                Z[(long)(first + z) * columns + column + 3] = d[y];
            }
        }
}

/* out [columns x columns] = Z'A Z */
static void project(int n, int columns, const double *A, const double *Z, double *out)
{
    double *AZ = bench_doubles((long)n * columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < columns && A[(long)i * n + j] != 0.0; k++)
                AZ[(long)i * columns + k] += A[(long)i * n + j] * Z[(long)j * columns + k];
    memset(out, 0, (size_t)columns * (size_t)columns * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < columns && Z[(long)i * columns + j] != 0.0; k++)
                out[(long)j * columns + k] += Z[(long)i * columns + j] * AZ[(long)i * columns + k];
}

/* K [n x n] += d(G'lam)/dp, column j: constraints are of second degree, so G is a constant and a part linear in p. */
static void add_curvature(const beam *b, const resida_excitation *e, double *K)
{
    const int n = b->n, *row = b->s.G_pattern.row, *col = b->s.G_pattern.col;
    double *unit = bench_doubles(n), *G = bench_doubles(row[b->rows]), *G0 = bench_doubles(row[b->rows]);
    (void)bm_rows(&b->s, unit, e, NULL, NULL, G0);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        (void)bm_rows(&b->s, unit, e, NULL, NULL, G);
        unit[j] = 0;
        for (int i = 0; i < b->rows; i++)
            for (int k = row[i]; k < row[i + 1]; k++) K[(long)col[k] * n + j] += (G[k] - G0[k]) * b->lam[i];
    }
}

void beam_reduce(const beam *b, double load, int held, double *K, double *M)
{
    const int n = b->n, columns = 6 * (b->s.n_node - held);
    const resida_excitation e = {&load, &load, &load};
    double *Z = bench_doubles((long)n * columns), *full = bench_doubles((long)n * n);
    double *values = bench_doubles(b->s.Phi_p_pattern.row[n]);
    find_motions(b, held, Z);
    bm_stiffness(&b->s, b->p, NULL, &e, values, NULL);
    fill(&b->s.Phi_p_pattern, n, values, full);
    add_curvature(b, &e, full);
    project(n, columns, full, Z, K);
    if (M) {
        memset(full, 0, (size_t)n * (size_t)n * sizeof *full);
        fill(&b->s.M_pattern, n, b->s.M, full);
        project(n, columns, full, Z, M);
    }
}

void beam_eigenvalues(int n, double *K, double *M, double *value)
{
    const int type = 1, lwork = 40 * n;
    int info = 0;
    double *work = bench_doubles(lwork), *unit = M ? NULL : bench_doubles((long)n * n);
    for (int i = 0; i < n && unit; i++) unit[(long)i * n + i] = 1;
    dsygv_(&type, "N", "U", &n, K, &n, M ? M : unit, &n, value, work, &lwork, &info);
    assert_int_equal(info, 0);
}
