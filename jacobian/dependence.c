/* dependence.c - see dependence.h. The function is treated as a system of max(rows, cols) unknowns that provides
 * products. Products are exact. Therefore each nonzero change is an entry; rounding errors are not estimated. */
#include "dependence.h"

#include "engine_impl.h"

#include <string.h>

/* The residual of the system. It is never called, because the system provides products. */
static int reject_residual_call(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)yp, (void)r, (void)user;
    return -1;
}

static int evaluate_changes(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp,
                            double *out, void *user)
{
    const rsd_dependence *f = user;
    const size_t n = (size_t)(f->rows > f->cols ? f->rows : f->cols);
    int verdict = 0;
    (void)t, (void)y, (void)yp, (void)dyp;
    memset(out, 0, (size_t)k * n * sizeof *out);
    for (int i = 0; i < k && !verdict; i++) verdict = f->change(dy + (size_t)i * n, out + (size_t)i * n, f->user);
    return verdict;
}

/* A Jacobian engine for the function f, and a point at which y, yp and F are zero. */
typedef struct finder {
    resida_jacobian *engine;      /* engine with the strategy that learns the pattern */
    resida_jacobian_point at;     /* point with y, yp and F zero */
    double *zeros;                /* [n] zeros, used as y, yp and F */
    unsigned char *columns, *all; /* [n] resida_column bits of each column; [n] 1: all columns are evaluated */
} finder;

static resida_status create_finder(finder *x, const rsd_dependence *f, const resida_allocator *a)
{
    resida_jacobian_options o;
    resida_system s;
    resida_system_init(&s);
    resida_jacobian_options_init(&o);
    const int n = s.n = f->rows > f->cols ? f->rows : f->cols;
    *x = (finder){.zeros = rsd_doubles(a, n), .columns = rsd_calloc(a, n, 1), .all = rsd_calloc(a, n, 1)};
    if (!x->zeros || !x->columns || !x->all) return RESIDA_ERR_MEMORY;
    memset(x->columns, RESIDA_COLUMN_FORMALISM, (size_t)f->cols);
    memset(x->all, 1, (size_t)n);
    s.F = reject_residual_call, s.times = evaluate_changes, s.columns = x->columns;
    s.user = (void *)(size_t)f;
    o.allocator = a;
    x->at = (resida_jacobian_point){.alpha = 1, .y = x->zeros, .yp = x->zeros, .F = x->zeros};
    return resida_jacobian_create(&x->engine, &s, &o, NULL);
}

/* Add the entries that the engine found to *pattern. Set *grows to 1 if *pattern was empty or there are new entries. */
static int add_found_entries(const rsd_dependence *f, const finder *x, rsd_sparsity *pattern, int *grows,
                             const resida_allocator *a)
{
    const rsd_sparsity *seen = &x->engine->p.formalism.pattern;
    rsd_entries list = {.n = 0};
    rsd_sparsity united;
    rsd_entries_add_columns(&list, a, f->cols, seen->col_start, seen->row);
    *grows = !pattern->col_start || rsd_entries_has_new(&list, pattern);
    if (pattern->col_start) rsd_entries_add_columns(&list, a, f->cols, pattern->col_start, pattern->row);
    const int status = *grows ? rsd_build_pattern(&list, f->rows, f->cols, &united, a) : 0;
    rsd_entries_free(&list, a);
    if (status < 0 || !*grows) return status;
    rsd_sparsity_free(pattern, a);
    *pattern = united;
    return 0;
}

int rsd_find_dependence(const rsd_dependence *f, rsd_sparsity *pattern, int *grows, const resida_allocator *alloc)
{
    finder x;
    int verdict = create_finder(&x, f, alloc), lists;
    resida_jacobian *jac = x.engine;
    if (!verdict) verdict = rsd_search_set_first_pattern(&jac->search, &jac->d, &jac->p, &x.at);
    if (!verdict) verdict = rsd_search_columns(&jac->search, &jac->d, &jac->p, &x.at, x.all, 0, &lists);
    if (!verdict) verdict = add_found_entries(f, &x, pattern, grows, alloc);
    resida_jacobian_free(jac);
    RSD_FREE(alloc, x.zeros, x.columns, x.all);
    return verdict;
}
