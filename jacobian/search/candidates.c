/* candidates.c - finds the candidate columns, which can have new entries. All columns are perturbed at once. If the
 * known A and B do not predict the change of some rows, blocks of columns are bisected until few columns remain. Blocks
 * in which all rows change as predicted are not bisected. For example, a new element of a network of hundreds of
 * unknowns takes tens of calls. */
#include "bisection.h"
#include "search.h"

#include <math.h>
#include <string.h>

enum { ALL_COLUMNS = -1 };
#define MAX_UNPREDICTED       1e-4 /* maximum relative unpredicted change without missing entries */
#define MAX_UNPREDICTED_OLD_B 0.2  /* maximum relative unpredicted change with a dF/dyp of another point */
#define MAX_PART_OF_COLUMNS   0.25 /* maximum number of candidates, relative to the number of columns */

/* Mark the columns with entries in the pattern q. @return the number of marked columns */
static int mark_nonempty_columns(const rsd_sparsity *q, unsigned char *marked)
{
    int n = 0;
    for (int c = 0; c < q->cols; c++) {
        marked[c] = q->col_start[c + 1] > q->col_start[c];
        n += marked[c];
    }
    return n;
}

/* Mark the candidate columns. *n is set to their number, or to ALL_COLUMNS if all columns must be differenced. */
static int mark_candidate_columns(const rsd_task *t, const rsd_known *known, unsigned char *marked, int *n)
{
    const rsd_frame *f = t->d->f;
    rsd_sparsity possible;
    int found;
    const int verdict = rsd_bisect_columns(t, known, &possible, &found);
    *n = ALL_COLUMNS;
    if (verdict || !found) return verdict;
    *n = mark_nonempty_columns(&possible, marked);
    if (*n > MAX_PART_OF_COLUMNS * f->n_formalism_columns) *n = ALL_COLUMNS;
    rsd_sparsity_free(&possible, &f->alloc);
    return 0;
}

int rsd_search_has_many_columns(const rsd_frame *f)
{
    return !f->combined && f->n_formalism_columns >= RSD_BISECTION_FROM;
}

int rsd_search_candidate_columns(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                                 const unsigned char *ignored, unsigned char *marked, int *n_marked)
{
    const rsd_task t = rsd_task_create_for_A(d, at);
    rsd_known known = {.values = p->A, .share = MAX_UNPREDICTED, .ignored = ignored};
    rsd_known_prepare(&known, d, p, at);
    return mark_candidate_columns(&t, &known, marked, n_marked);
}

int rsd_search_check_B(rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                       const unsigned char *ignored, int is_new, int *complete)
{
    const rsd_task t = rsd_task_create_for_B(d, at);
    rsd_known known = {.values = p->B, .share = is_new ? MAX_UNPREDICTED : MAX_UNPREDICTED_OLD_B, .ignored = ignored};
    rsd_known_prepare(&known, d, p, at);
    rsd_sparsity possible;
    const int verdict = rsd_bisect_columns(&t, &known, &possible, complete);
    if (verdict || !*complete) return verdict;
    *complete = possible.nnz == 0;
    rsd_sparsity_free(&possible, &d->f->alloc);
    return 0;
}
