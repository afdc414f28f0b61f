/* engine.c - the Jacobian engine: creates and frees it, answers about it. What is differenced when is in policy.c,
 * how J is laid out in layout.c. */
#include "engine_impl.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void resida_system_init(resida_system *s)
{
    if (s) *s = (resida_system){.size = sizeof *s, .n_dear = -1, .n_cheap = -1};
}

void resida_jacobian_options_init(resida_jacobian_options *o)
{
    if (o) *o = (resida_jacobian_options){.size = sizeof *o, .strategy = "auto", .threads = 1};
}

static resida_status check_size(const char *what, size_t size, size_t right, resida_message *why)
{
    if (size == right) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: size = %zu, must be %zu (call the _init function)", what, size,
                    right);
}

static resida_status check_places(const char *name, int n, int entries, const int *places, resida_message *why)
{
    if (entries > 0 && !places) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is NULL", name);
    for (int k = 0; k < entries; k++)
        if (places[k] < 0 || places[k] >= n)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s[%d] = %d, must be in 0..%d", name, k, places[k],
                            n - 1);
    return RESIDA_OK;
}

/* A count of places, -1: not given. */
static resida_status check_given(const char *name, const resida_system *s, int n, int may_be, resida_message *why)
{
    if (n < -1 || n > (may_be ? (long)s->n * s->n : -1))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s = %d, must be in -1..%ld", name, n,
                        may_be ? (long)s->n * s->n : -1);
    return RESIDA_OK;
}

static resida_status check_known(const resida_system *s, resida_message *why)
{
    const long most = (long)s->n * s->n;
    if (s->n_y < 0 || s->n_y > (s->cheap ? most : 0))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_y = %d, must be in 0..%ld%s", s->n_y, s->cheap ? most : 0,
                        s->cheap ? "" : " without a cheap part");
    if (s->n_yp < 0 || s->n_yp > most)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_yp = %d, must be in 0..%ld", s->n_yp, most);
    RSD_TRY(check_places("y_row", s->n, s->n_y, s->y_row, why));
    RSD_TRY(check_places("y_column", s->n, s->n_y, s->y_column, why));
    RSD_TRY(check_places("yp_row", s->n, s->n_yp, s->yp_row, why));
    RSD_TRY(check_places("yp_column", s->n, s->n_yp, s->yp_column, why));
    RSD_TRY(check_given("n_dear", s, s->n_dear, 1, why));
    RSD_TRY(check_given("n_cheap", s, s->n_cheap, s->cheap != NULL, why));
    RSD_TRY(check_places("dear_row", s->n, s->n_dear, s->dear_row, why));
    RSD_TRY(check_places("dear_column", s->n, s->n_dear, s->dear_column, why));
    RSD_TRY(check_places("cheap_row", s->n, s->n_cheap, s->cheap_row, why));
    RSD_TRY(check_places("cheap_column", s->n, s->n_cheap, s->cheap_column, why));
    if (s->derivative && s->n_dear < 0)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: derivative is given, its places n_dear are not");
    if ((s->n_y > 0 || s->n_yp > 0) && !s->known) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: known is NULL");
    const unsigned all = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP | RESIDA_COLUMN_LINEAR;
    for (int c = 0; s->columns && c < s->n; c++)
        if (s->columns[c] & ~all)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: columns[%d] = %d, must be in 0..%u", c, s->columns[c],
                            all);
    return RESIDA_OK;
}

static resida_status check_system(const resida_system *s, resida_message *why)
{
    RSD_TRY(check_size("system", s->size, sizeof *s, why));
    if (s->n < 1 || s->n > INT_MAX / 8)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n = %d, must be in 1..%d", s->n, INT_MAX / 8);
    if (!s->F) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: F is NULL");
    if (!s->dear != !s->cheap)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is given, %s is NULL", s->dear ? "dear" : "cheap",
                        s->dear ? "cheap" : "dear");
    if (s->curved && !s->cheap) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: curved is given, cheap is NULL");
    RSD_TRY(check_known(s, why));
    if (s->n_inputs < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_inputs = %d, must be >= 0", s->n_inputs);
    if (s->n_inputs > 0 && (!s->inputs || !s->move_input))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is NULL", s->inputs ? "move_input" : "inputs");
    return RESIDA_OK;
}

static resida_status check_options(const resida_jacobian_options *o, resida_message *why)
{
    RSD_TRY(check_size("Jacobian options", o->size, sizeof *o, why));
    if (o->allocator && (!o->allocator->allocate || !o->allocator->free))
        return rsd_fail(why, RESIDA_ERR_OPTION, "allocator: allocate and free must both be given");
    if (!o->strategy) return rsd_fail(why, RESIDA_ERR_OPTION, "strategy = NULL, must be a name");
    if ((int)o->differences < 0 || o->differences > RESIDA_DIFFERENCES_CENTRAL)
        return rsd_fail(why, RESIDA_ERR_OPTION, "differences = %d, must be in 0..1", (int)o->differences);
    if (o->threads < 1) return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, must be >= 1", o->threads);
    return RESIDA_OK;
}

static resida_status check_threads(const resida_system *s, int threads, resida_message *why)
{
    if (s->n_workers < 0 || (s->n_workers > 0 && !s->worker))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_workers = %d, worker is %s", s->n_workers,
                        s->worker ? "given" : "NULL");
    if (threads > 1 && threads > s->n_workers)
        return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, but the system has %d workers", threads, s->n_workers);
    return RESIDA_OK;
}

static int reserve(resida_jacobian *j, const resida_jacobian_options *o)
{
    const resida_allocator *a = &j->alloc;
    double **vectors[] = {&j->y, &j->yp, &j->r, &j->r0, &j->delta, &j->sum, &j->scale};
    int all = 1;
    for (int i = 0; i < 7; i++) all &= (*vectors[i] = rsd_doubles(a, j->n)) != NULL;
    all &= (j->t_found = rsd_doubles(a, j->n)) != NULL;
    all &= (j->drift = rsd_doubles(a, j->n)) != NULL;
    all &= (j->nominal = rsd_doubles(a, j->n)) != NULL;
    all &= (j->most_increment = rsd_doubles(a, j->n)) != NULL;
    all &= (j->per_row = rsd_doubles(a, j->n)) != NULL;
    all &= (j->bend = rsd_doubles(a, j->n)) != NULL;
    all &= (j->t_renewed = rsd_doubles(a, j->n)) != NULL;
    all &= (j->bent = rsd_calloc(a, j->n, 1)) != NULL;
    all &= (j->stale = rsd_calloc(a, j->n, 1)) != NULL;
    all &= (j->columns = rsd_calloc(a, j->n, 1)) != NULL;
    all &= (j->is_known = rsd_calloc(a, j->n, 1)) != NULL;
    all &= (j->known_y = rsd_doubles(a, j->s.n_y)) != NULL;
    all &= (j->known_yp = rsd_doubles(a, j->s.n_yp)) != NULL;
    all &= (j->y_at = rsd_calloc(a, j->s.n_y, sizeof(int))) != NULL;
    all &= (j->yp_at = rsd_calloc(a, j->s.n_yp, sizeof(int))) != NULL;
    all &= (j->derived = rsd_doubles(a, j->strategy->user ? j->s.n_dear : 0)) != NULL;
    all &= (j->derived_at = rsd_calloc(a, j->strategy->user ? j->s.n_dear : 0, sizeof(int))) != NULL;
    all &= (j->u = rsd_doubles(a, j->s.n_inputs)) != NULL;
    all &= (j->u_old = rsd_doubles(a, j->s.n_inputs)) != NULL;
    all &= (j->live = rsd_calloc(a, j->s.n_inputs, sizeof(int))) != NULL;
    all &= (j->marked = rsd_calloc(a, j->n, 1)) != NULL;
    all &= (j->jumped = rsd_calloc(a, j->n, 1)) != NULL;
    return all && rsd_walkers_reserve(j, o);
}

/* What is open in each column. Both derivatives are differenced in one go ("combined") when dF/dyp would cost calls of
 * its own and is not needed alone; a column that is open at all is then differenced whole. */
static void set_columns(resida_jacobian *j)
{
    const unsigned char whole = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_YP;
    int yp_open = 0;
    for (int c = 0; c < j->n; c++) {
        j->columns[c] =
            j->s.columns ? j->s.columns[c] : (unsigned char)(whole | (j->s.cheap ? RESIDA_COLUMN_CHEAP : 0));
        if (j->strategy->user) j->columns[c] &= (unsigned char)~RESIDA_COLUMN_YP; /* in the model's derivative */
        yp_open |= j->columns[c] & RESIDA_COLUMN_YP;
        j->bends |= j->columns[c] & RESIDA_COLUMN_CHEAP ? 1 : 0;
    }
    j->has_open_B = yp_open != 0;
    j->combined = yp_open && !j->strategy->partitioned;
    for (int c = 0; c < j->n && j->combined; c++)
        if (j->columns[c]) j->columns[c] = whole;
    for (int k = 0; k < j->s.n_y; k++) j->is_known[j->s.y_column[k]] = 1;
    for (int k = 0; k < j->s.n_yp; k++) j->is_known[j->s.yp_column[k]] = 1;
    for (int c = 0; c < j->n; c++) j->n_dear_columns += j->columns[c] & RESIDA_COLUMN_DEAR ? 1 : 0;
}

/* Is there a part of F whose derivatives no strategy is given? */
static int has_cheap_columns(const resida_system *s)
{
    int n = s->cheap && !s->columns ? s->n : 0;
    for (int c = 0; s->cheap && s->columns && c < s->n; c++) n += (s->columns[c] & RESIDA_COLUMN_CHEAP) != 0;
    return n > 0;
}

static resida_status check_differences(const rsd_strategy *strategy, const resida_system *s,
                                       const resida_jacobian_options *o, resida_message *why)
{
    if (!strategy->user) return RESIDA_OK;
    if (o->threads > 1)
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "threads = %d has no effect with jacobian user, which does not difference the formalism",
                        o->threads);
    if (o->differences == RESIDA_DIFFERENCES_CENTRAL && !has_cheap_columns(s))
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "differences = central has no effect with jacobian user: nothing is differenced");
    return RESIDA_OK;
}

resida_status resida_jacobian_create(resida_jacobian **out, const resida_system *s, const resida_jacobian_options *o,
                                     resida_message *why)
{
    resida_jacobian_options defaults;
    resida_jacobian_options_init(&defaults);
    if (!o) o = &defaults;
    if (!out) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: j is NULL");
    *out = NULL;
    if (!s) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_jacobian_create: s is NULL");
    RSD_TRY(check_options(o, why));
    RSD_TRY(check_system(s, why));
    RSD_TRY(check_threads(s, o->threads, why));
    const rsd_strategy *strategy = rsd_find_strategy(o->strategy, s, why);
    if (!strategy) return RESIDA_ERR_OPTION;
    RSD_TRY(check_differences(strategy, s, o, why));
    resida_allocator alloc = rsd_allocator(o->allocator);
    resida_jacobian *j = rsd_calloc(&alloc, 1, sizeof *j);
    if (!j) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
    j->alloc = alloc;
    j->s = *s;
    j->n = s->n;
    j->strategy = strategy;
    j->t_evaluated = NAN;
    int made = reserve(j, o);
    if (made) set_columns(j);
    if (made) rsd_forget_bend(j);
    if (made) rsd_first_nominals(j);
    if (made && !strategy->coloured && !strategy->user) made = rsd_full_patterns(j) >= 0;
    if (!made) {
        resida_jacobian_free(j);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a Jacobian of %d x %d", s->n, s->n);
    }
    *out = j;
    return RESIDA_OK;
}

void resida_jacobian_free(resida_jacobian *j)
{
    if (!j) return;
    resida_allocator alloc = j->alloc;
    rsd_free_patterns(j);
    rsd_walkers_free(j);
    rsd_free(&alloc, j->marked);
    rsd_free(&alloc, j->jumped);
    rsd_entries_free(&j->seen, &alloc);
    rsd_entries_free(&j->seen_B, &alloc);
    void *blocks[] = {j->y,       j->yp,        j->r,        j->r0,      j->delta,          j->sum,     j->scale,
                      j->columns, j->known_y,   j->known_yp, j->y_at,    j->yp_at,          j->derived, j->derived_at,
                      j->u,       j->u_old,     j->live,     j->t_found, j->drift,          j->per_row, j->stale,
                      j->bend,    j->t_renewed, j->bent,     j->nominal, j->most_increment, j->is_known};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(&alloc, blocks[i]);
    rsd_free(&alloc, j);
}

void resida_jacobian_reset(resida_jacobian *j)
{
    if (!j) return;
    if (j->strategy->coloured || j->strategy->user) rsd_free_patterns(j);
    rsd_free(&j->alloc, j->D);
    j->D = NULL;
    j->n_live = j->refused_excitations = 0;
    j->ready = j->just_evaluated = j->B_same = j->B_skipped = j->learnt = j->requested = j->unchecked = j->false_alarm =
        j->fruitless = 0;
    j->has_history = j->is_partial = 0;
    j->caution = 1;
    rsd_first_nominals(j);
    rsd_forget_bend(j);
    j->t_evaluated = NAN;
    if (j->accepted) memset(j->accepted, 0, (size_t)j->pattern.nnz * sizeof *j->accepted);
}

resida_status resida_jacobian_get_matrix(const resida_jacobian *j, resida_jacobian_matrix *J)
{
    if (!j || !J) return RESIDA_ERR_ARGUMENT;
    if (!j->ready) return RESIDA_ERR_STATE;
    *J = (resida_jacobian_matrix){j->n, j->pattern.nnz, j->pattern.col_start, j->pattern.row, j->J, j->pattern_number};
    return RESIDA_OK;
}

const char *resida_jacobian_strategy(const resida_jacobian *j)
{
    return j ? j->strategy->name : "";
}

static int is_grouped(const resida_jacobian *j)
{
    return j->strategy->coloured && j->has_pattern && !j->learning;
}

resida_status resida_jacobian_get_groups(const resida_jacobian *j, const int **group, int *n_groups)
{
    if (!j || !group || !n_groups) return RESIDA_ERR_ARGUMENT;
    if (!is_grouped(j)) return RESIDA_ERR_STATE;
    *group = j->dear.colours.group;
    *n_groups = j->dear.colours.n_groups;
    return RESIDA_OK;
}

const char *resida_jacobian_grouping(const resida_jacobian *j)
{
    return j && is_grouped(j) ? j->dear.colours.method : "";
}

resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts)
{
    if (!j || !counts) return RESIDA_ERR_ARGUMENT;
    *counts = j->counts;
    counts->nnz = j->pattern.nnz;
    if (is_grouped(j)) {
        counts->groups = j->dear.colours.n_groups;
        counts->groups_bound = j->dear.colours.bound;
    }
    return RESIDA_OK;
}
