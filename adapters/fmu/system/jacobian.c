/* jacobian.c - J = dF/dy + alpha dF/dyp by the directional derivatives of an FMU: one call for each group of columns
 * that no row has two of. A state whose x' is given to the FMU has both, in one direction: (x, x') = (1, alpha). */
#include "system_impl.h"

/* What is differentiated, and along what. Values are those of references, one after another. */
typedef struct direction {
    uint32_t *knowns;
    double *seed;
    int n_knowns, n_seed;
} direction;

/* The references that have a value of the group, with 1 (times `scale`) there. */
static void add_seeds(const fmu_system *s, direction *d, const fmu_references *list, const fmu_variable *const *of,
                      int first, int group, double scale)
{
    for (int i = 0, at = first; i < list->n; i++) {
        int is_hit = 0;
        for (int k = 0; k < of[i]->size; k++) is_hit |= s->groups.group[at + k] == group;
        for (int k = 0; is_hit && k < of[i]->size; k++)
            d->seed[d->n_seed++] = s->groups.group[at + k] == group ? scale : 0;
        if (is_hit) d->knowns[d->n_knowns++] = list->of[i];
        at += of[i]->size;
    }
}

/* x' that are given, of states of the group. */
static void add_given(const fmu_system *s, direction *d, int group, double alpha)
{
    for (int i = 0, at = 0, column = 0; i < s->x.n; column += s->states[i]->size, i++) {
        if (!s->is_given[i]) continue;
        int is_hit = 0;
        const int size = s->states[i]->size;
        for (int k = 0; k < size; k++) is_hit |= s->groups.group[column + k] == group;
        for (int k = 0; is_hit && k < size; k++)
            d->seed[d->n_seed++] = s->groups.group[column + k] == group ? alpha : 0;
        if (is_hit) d->knowns[d->n_knowns++] = s->given.of[at];
        at++;
    }
}

static int differentiate(fmu_instance *i, const direction *d, const fmu_references *of, double *out)
{
    if (of->n == 0) return 0;
    return i->binary->port.derivative(i, of->of, (size_t)of->n, d->knowns, (size_t)d->n_knowns, d->seed,
                                      (size_t)d->n_seed, out, (size_t)of->n_values);
}

/* Entries of J in the columns of a group. */
static void put(const fmu_system *s, int group, double alpha, double *J)
{
    for (int r = 0; r < s->n; r++) {
        const fmu_row *row = &s->rows[r];
        for (int e = s->row[r]; e < s->row[r + 1]; e++) {
            if (s->groups.group[s->col[e]] != group) continue;
            const int on_diagonal = row->is_explicit && s->f_column[row->at] == s->col[e];
            J[e] = row->is_explicit ? -s->work_f[row->at] : s->work_r[row->at];
            if (on_diagonal) J[e] += alpha;
        }
    }
}

int fmu_system_jacobian(fmu_system *s, fmu_instance *i, double t, double alpha, const double *y, const double *yp,
                        double *J)
{
    /* At y, y', which the instance may not be at. */
    int verdict = fmu_system_residual(s, i, t, y, yp, s->work_x);
    for (int group = 0; group < s->groups.n && verdict == 0; group++) {
        direction d = {.knowns = s->knowns, .seed = s->work_d};
        add_seeds(s, &d, &s->x, s->states, 0, group, 1);
        add_seeds(s, &d, &s->z, s->algebraic, s->n_x, group, 1);
        add_given(s, &d, group, alpha);
        verdict = differentiate(i, &d, &s->f, s->work_f);
        if (verdict == 0) verdict = differentiate(i, &d, &s->residuals, s->work_r);
        if (verdict == 0) put(s, group, alpha, J);
    }
    return verdict;
}
