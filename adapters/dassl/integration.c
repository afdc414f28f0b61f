/* integration.c - see integration.h. */
#include "integration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* R's deSolve passes the numbers of unknowns of index 1, 2 and 3, in this order. Multipliers have index 3. */
enum { INDICES = 3, FUNCTIONS_OF_R = 3 };

/* Assumed cost of JAC for each unknown, that of about 15 calls of RES. The true cost is unknown, and JAC of many
 * programs is long. If JAC is as short as RES, fewer calls of JAC and more calls of RES take about the same time. */
static const double jacobian_cost = 1000;

static int has_indices(const das_call *c)
{
    if (c->routine != DAS_DDASPK || c->info[INFO_OF_R] < 1 || c->info[INFO_OF_R] > FUNCTIONS_OF_R) return 0;
    const int *n = c->info + INFO_INDICES;
    for (int k = 0; k < INDICES; k++)
        if (n[k] < 0 || n[k] > c->n) return 0;
    return n[0] < c->n && n[0] + n[1] + n[2] == c->n;
}

/* Set the kind of each unknown. Components excluded from the error test have the kind RESIDA_DIFFERENTIAL_2, which
 * has no other effect here. */
static void set_kinds(das_integration *x, const das_call *c)
{
    const int at = das_get_kinds_index(c), *indices = c->info + INFO_INDICES, given = has_indices(c);
    for (int i = 0; i < x->n; i++) {
        x->kinds[i] = RESIDA_DIFFERENTIAL;
        if (given && i >= indices[0]) x->kinds[i] = RESIDA_DIFFERENTIAL_2;
        if (given && i >= indices[0] + indices[1]) x->kinds[i] = RESIDA_ALGEBRAIC_3;
        if (c->info[INFO_EXCLUDES] && c->iwork[at + i] < 0) x->kinds[i] = RESIDA_DIFFERENTIAL_2;
    }
}

static int needs_kinds(const das_call *c)
{
    return das_traits_of[c->routine].is_daspk && (c->info[INFO_EXCLUDES] || has_indices(c));
}

/* Compute the pattern of a banded Jacobian. */
static int make_band_pattern(das_integration *x)
{
    const int n = x->n;
    x->row = malloc(((size_t)n + 1) * sizeof *x->row);
    x->col = malloc((size_t)n * (size_t)(x->ml + x->mu + 1) * sizeof *x->col);
    if (!x->row || !x->col) return -1;
    int entries = 0;
    for (int i = 0; i < n; i++) {
        const int first = i > x->ml ? i - x->ml : 0, last = i < n - 1 - x->mu ? i + x->mu : n - 1;
        x->row[i] = entries;
        for (int j = first; j <= last; j++) x->col[entries++] = j;
    }
    x->row[n] = entries;
    return 0;
}

static int allocate_arrays(das_integration *x, const das_call *c)
{
    const size_t n = (size_t)x->n;
    x->rtol = malloc(n * sizeof *x->rtol);
    x->atol = malloc(n * sizeof *x->atol);
    x->yp = malloc(n * sizeof *x->yp);
    if (x->n_root > 0) x->roots = malloc(2 * (size_t)x->n_root * sizeof *x->roots);
    if (c->info[INFO_JACOBIAN]) x->pd = malloc(n * (size_t)x->rows * sizeof *x->pd);
    if (needs_kinds(c)) x->kinds = malloc(n * sizeof *x->kinds);
    if (!x->rtol || !x->atol || !x->yp || (x->n_root > 0 && !x->roots)) return -1;
    if ((c->info[INFO_JACOBIAN] && !x->pd) || (needs_kinds(c) && !x->kinds)) return -1;
    if (x->kinds) set_kinds(x, c);
    return c->info[INFO_BANDED] ? make_band_pattern(x) : 0;
}

das_integration *das_create(const das_call *c)
{
    das_integration *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    *x = (das_integration){.call = c,
                           .routine = c->routine,
                           .n = c->n,
                           .n_root = c->n_root,
                           .direction = das_get_direction(c),
                           .cj = 1 / (c->t_out - *c->t),
                           .rows = das_get_pd_rows(c),
                           .ml = c->info[INFO_BANDED] ? c->iwork[I_ML] : -1,
                           .mu = c->info[INFO_BANDED] ? c->iwork[I_MU] : -1};
    x->is_nonnegative = c->info[INFO_SIGNS] == 1;
    if (das_traits_of[c->routine].is_daspk) x->is_nonnegative = c->info[INFO_SIGNS] > 1;
    if (allocate_arrays(x, c) == 0) return x;
    das_free(x);
    return NULL;
}

static void free_solver(das_integration *x)
{
    resida_solver_free(x->solver);
    resida_problem_free(x->problem);
    x->solver = NULL;
    x->problem = NULL;
}

void das_free(das_integration *x)
{
    if (!x) return;
    free_solver(x);
    void *blocks[] = {x->rtol, x->atol, x->yp, x->roots, x->pd, x->kinds, x->row, x->col, x};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

void das_set_equations(das_integration *x, resida_dae *d)
{
    d->name = das_traits_of[x->routine].name;
    d->n = x->n;
    d->user = x;
    d->residual = das_residual;
    if (x->pd) d->jacobian = das_jacobian, d->cost.jacobian = jacobian_cost * x->n;
    d->J_pattern = (resida_pattern){.row = x->row, .col = x->col};
}

void das_set_options(das_integration *x, const das_call *c, resida_solver_options *o)
{
    const int last = c->info[INFO_BY_COMPONENT] ? 1 : 0;
    for (int i = 0; i < x->n; i++) x->rtol[i] = c->rtol[i * last], x->atol[i] = c->atol[i * last];
    x->h_max = c->info[INFO_H_MAX] ? c->rwork[R_H_MAX] : INFINITY;
    resida_solver_options_init(o);
    const int is_one = !last && c->rtol[0] > 0 && c->rtol[0] < 1;
    if (is_one)
        o->rtol = c->rtol[0];
    else
        o->rtol_each = x->rtol;
    o->atol_each = x->atol;
    o->h_max = x->h_max;
    o->max_order = c->iwork[I_MAX_ORDER];
    o->monitor = das_monitor;
    o->monitor_user = x;
}

/* Return 1 if the root functions have other values than at the return at the last root. Their call is counted. */
static int have_roots_changed(das_integration *x, const das_call *c)
{
    if (!x->is_at_root) return 0;
    double *now = x->roots + x->n_root;
    const int verdict = das_evaluate_roots(x, *c->t, c->y, c->yp, now);
    das_write_counts(x, c);
    return verdict != 0 || memcmp(now, x->roots, (size_t)x->n_root * sizeof *now) != 0;
}

int das_is_changed(das_integration *x, const das_call *c)
{
    const int last = c->info[INFO_BY_COMPONENT] ? 1 : 0;
    const double h_max = c->info[INFO_H_MAX] ? c->rwork[R_H_MAX] : INFINITY;
    if (*c->t != x->t_told) return 1;
    for (int i = 0; i < x->n; i++)
        if (x->rtol[i] != c->rtol[i * last] || x->atol[i] != c->atol[i * last]) return 1;
    return h_max != x->h_max || have_roots_changed(x, c);
}

resida_status das_start(das_integration *x, const das_call *c, resida_message *why)
{
    resida_dae d;
    resida_solver_options o;
    x->earlier = x->counts;
    free_solver(x);
    resida_dae_init(&d);
    das_set_equations(x, &d);
    d.kinds = x->kinds;
    d.n_root = x->n_root;
    if (x->n_root > 0) d.root = das_roots;
    das_set_options(x, c, &o);
    if (c->info[INFO_H_FIRST] && !c->info[INFO_GOES_ON]) o.h_first = fmin(fabs(c->rwork[R_H]), x->h_max);
    resida_status status = resida_problem_create_dae(&x->problem, &d, NULL, why);
    if (status >= 0) status = resida_solver_create(&x->solver, x->problem, &o, why);
    if (status < 0) return status;
    for (int i = 0; i < x->n; i++) x->yp[i] = x->direction * c->yp[i];
    double *w = x->direction > 0 ? c->yp : x->yp;
    status = resida_solver_start_dae(x->solver, x->direction * *c->t, c->y, w);
    x->is_lost = status < 0;
    x->t_step = x->direction * *c->t;
    if (status < 0) memcpy(why->text, resida_solver_message(x->solver), sizeof why->text);
    return status;
}
