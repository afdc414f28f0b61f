/* train_pattern.c - where the Jacobian of the train in the form of Gear, Gupta and Leimkuhler has entries; columns p, v, lam,
 * eta:
 *
 *     p' = v - G'eta:     p_i, v_i, and eta of the two wheels of a wheelset          (G'eta by p: eta is zero but for the tolerance)
 *     dynamics:           blocks of Phi in p and v, and lam of the two wheels
 *     velocity of g:      p and v of the wheelset;    g: p of the wheelset
 *
 * For one carriage these are 1620 entries, 46 in the fullest row, as in fig. 3 of Arnold, Fuchs, Fuehrer. */
#include "model_util.h"
#include "train_model.h"

/** Rows that are being written; col NULL: counted only. */
typedef struct writer {
    int n, *col;
} writer;

static void put(writer *w, int count, int first)
{
    for (int i = 0; i < count; i++, w->n++)
        if (w->col) w->col[w->n] = first + i;
}

/* Multipliers of the wheelset of coordinate i, which begin at `first`; none for another body. */
static void put_multipliers(writer *w, const train *c, int i, int first)
{
    for (int k = 0; k < TRAIN_WHEELSETS * c->carriages; k++) {
        const mb_body *b = &c->system.tree.body[train_wheelset(k)];
        if (i >= b->first && i < b->first + b->n) put(w, 2, first + 2 * k);
    }
}

static void put_block(writer *w, const mb_pattern *phi, int i, int first)
{
    for (int k = phi->row[i]; k < phi->row[i + 1]; k++) put(w, 1, first + phi->col[k]);
}

static void write_rows(const train *c, int *row, writer *w)
{
    const int n = c->system.tree.n_q, n_g = TRAIN_WHEELS * c->carriages, lam = 2 * n, eta = 2 * n + n_g;
    int r = 0;
    row[0] = 0;
    for (int i = 0; i < n; i++, row[++r] = w->n) {
        put(w, 1, i), put(w, 1, n + i);
        put_multipliers(w, c, i, eta);
    }
    for (int i = 0; i < n; i++, row[++r] = w->n) {
        put_block(w, &c->system.phi_p, i, 0), put_block(w, &c->system.phi_v, i, n);
        put_multipliers(w, c, i, lam);
    }
    for (int k = 0; k < 2 * n_g; k++, row[++r] = w->n) {
        const int first = train_first(c, k % n_g);
        put(w, MB_SIX, first);
        if (k < n_g) put(w, MB_SIX, n + first);
    }
}

int train_pattern(const train *c, mb_pattern *pattern, resida_message *why)
{
    const int n = 2 * (c->system.tree.n_q + TRAIN_WHEELS * c->carriages);
    writer w = {0, NULL};
    *pattern = (mb_pattern){bench_alloc(n + 1, sizeof(int), why), NULL};
    if (!pattern->row) return 1;
    write_rows(c, pattern->row, &w);
    pattern->col = w.col = bench_alloc(w.n, sizeof(int), why);
    w.n = 0;
    if (w.col) write_rows(c, pattern->row, &w);
    return !w.col;
}
