/* system.c - selects the variables of an FMU that are unknowns, and their order.
 *
 * The states are those of the ContinuousStateDerivative elements of the structure, in this order. For a DAE the list of
 * the manifest replaces that of the description. For a state whose derivative is only in the description, x' is set in
 * the FMU. */
#include "system_impl.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>

#define MAX_UNKNOWNS 10000000

static const fmu_unknown *find_unknown(const fmu_unknowns *list, uint32_t reference)
{
    for (int i = 0; i < list->n; i++)
        if (list->of[i].reference == reference) return &list->of[i];
    return NULL;
}

/* Append a variable to references. */
static void append_variable(fmu_references *to, const fmu_variable *v)
{
    to->of[to->n++] = v->reference;
    to->n_values += v->size;
}

static int is_algebraic(const fmu_manifest *m, uint32_t reference)
{
    for (int i = 0; m && i < m->n_algebraic; i++)
        if (m->algebraic[i] == reference) return 1;
    return 0;
}

/* Allocate room for the maximum number of references. */
static int allocate_references(fmu_system *s, int n, int n_values, int n_residuals, fmu_pool *pool)
{
    const size_t some = (size_t)n + 1, many = (size_t)n_values + 1;
    fmu_references *all[] = {&s->x, &s->xp, &s->z, &s->f, &s->given};
    int has_room = 1;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        has_room &= (all[k]->of = fmu_pool_get(pool, some, sizeof(uint32_t))) != NULL;
    s->residuals.of = fmu_pool_get(pool, (size_t)n_residuals + 1, sizeof(uint32_t));
    s->f_column = fmu_pool_get(pool, many, sizeof(int));
    s->given_column = fmu_pool_get(pool, many, sizeof(int));
    s->states = fmu_pool_get(pool, some, sizeof *s->states);
    s->algebraic = fmu_pool_get(pool, some, sizeof *s->algebraic);
    s->is_given = fmu_pool_get(pool, some, sizeof(int));
    s->columns = fmu_pool_get(pool, 3 * some, sizeof *s->columns);
    return has_room && s->residuals.of && s->f_column && s->given_column && s->states && s->algebraic && s->is_given &&
           s->columns;
}

static void add_column(fmu_system *s, const fmu_variable *v, int first, int is_derivative)
{
    s->columns[s->n_columns++] = (fmu_column){v->reference, first, v->size, is_derivative};
}

/* Add a state, given by its derivative. */
static int add_state(fmu_system *s, const fmu_unknown *u, int is_given, resida_message *why)
{
    const fmu_variable *named = fmu_unknown_find(s->about, u);
    const fmu_variable *xp = named && named->is_derivative ? named : fmu_variable_find(s->about, u->reference);
    const fmu_variable *x = xp && xp->is_derivative ? fmu_variable_find(s->about, xp->state) : NULL;
    if (!x)
        return fmu_fail(why, "ModelStructure refers to %lu as a derivative, which it is not",
                        (unsigned long)u->reference);
    if (x->type != FMU_FLOAT64 || xp->type != FMU_FLOAT64 || x->size != xp->size)
        return fmu_fail(why, "state %.100s and its derivative have different types or sizes", x->name);
    fmu_references *side = is_given ? &s->given : &s->f;
    int *column = is_given ? s->given_column : s->f_column;
    for (int k = 0; k < x->size; k++) column[side->n_values + k] = s->n_x + k;
    add_column(s, x, s->n_x, 0);
    add_column(s, xp, s->n_x, 1);
    s->states[s->x.n] = x;
    s->is_given[s->x.n] = is_given;
    append_variable(side, xp);
    append_variable(&s->x, x);
    append_variable(&s->xp, xp);
    s->n_x += x->size;
    return 0;
}

static int add_algebraic(fmu_system *s, const fmu_manifest *m, resida_message *why)
{
    for (int i = 0; m && i < m->n_algebraic; i++) {
        const fmu_variable *z = fmu_variable_find(s->about, m->algebraic[i]);
        if (!z || z->type != FMU_FLOAT64)
            return fmu_fail(why, "its DAE has an invalid algebraic variable, %lu", (unsigned long)m->algebraic[i]);
        if (s->n_z > MAX_UNKNOWNS - z->size) return fmu_fail(why, "more than %d unknowns", MAX_UNKNOWNS);
        add_column(s, z, s->n_x + s->n_z, 0);
        s->algebraic[s->z.n] = z;
        append_variable(&s->z, z);
        s->n_z += z->size;
    }
    return 0;
}

/* List the derivatives if only the table of variables contains them. */
static int list_derivatives(const fmu_description *d, fmu_unknowns *list, fmu_pool *pool)
{
    list->of = fmu_pool_get(pool, (size_t)d->n_variables + 1, sizeof *list->of);
    for (int i = 0; list->of && i < d->n_variables; i++)
        if (d->variables[i].is_derivative)
            list->of[list->n++] = (fmu_unknown){.reference = d->variables[i].reference, .depends_on_all = 1};
    return list->of ? 0 : -1;
}

/* Count the residual equations, with one formulation of each. */
static int count_residuals(const fmu_description *d, const fmu_manifest *m)
{
    int n = 0;
    for (int i = 0, seen = -1; i < m->formulations.n; i++) {
        const fmu_unknown *u = &m->formulations.of[i];
        const fmu_variable *v = fmu_variable_find(d, u->reference);
        if (u->residual != seen && v) n += v->size;
        seen = u->residual;
    }
    return n;
}

/* Add the states. x' of states that only `base` lists is set in the FMU, unless equations are missing. */
static int add_states(fmu_system *s, const fmu_manifest *m, const fmu_unknowns *base, resida_message *why)
{
    int n_new = 0;
    for (int i = 0; i < base->n; i++) {
        const fmu_variable *xp = fmu_variable_find(s->about, base->of[i].reference);
        const int counts = xp && !is_algebraic(m, xp->state);
        n_new += counts && m && !find_unknown(&m->derivatives, base->of[i].reference) ? xp->size : 0;
    }
    const fmu_unknowns *list = m && n_new == 0 ? &m->derivatives : base;
    int n_z = 0;
    for (int i = 0; m && i < m->n_algebraic; i++) {
        const fmu_variable *z = fmu_variable_find(s->about, m->algebraic[i]);
        n_z += z ? z->size : 0;
    }
    const int all_explicit = !m || count_residuals(s->about, m) == n_z;
    for (int i = 0; i < list->n; i++) {
        const fmu_unknown *u = m ? find_unknown(&m->derivatives, list->of[i].reference) : NULL;
        const fmu_variable *xp = fmu_unknown_find(s->about, &list->of[i]);
        if (xp && xp->is_derivative && is_algebraic(m, xp->state)) continue;
        if (add_state(s, u ? u : &list->of[i], !u && !all_explicit, why) < 0) return -1;
    }
    return 0;
}

static int compare_references(const void *a, const void *b)
{
    const fmu_column *x = a, *y = b;
    if (x->reference != y->reference) return x->reference < y->reference ? -1 : 1;
    return x->derivative_of - y->derivative_of; /* a state that is also a derivative comes first as a state */
}

const fmu_column *fmu_column_find(const fmu_system *s, uint32_t reference)
{
    const fmu_column as_state = {.reference = reference}, as_derivative = {.reference = reference, .derivative_of = 1};
    const size_t n = (size_t)s->n_columns, size = sizeof as_state;
    const fmu_column *found = bsearch(&as_state, s->columns, n, size, compare_references);
    return found ? found : bsearch(&as_derivative, s->columns, n, size, compare_references);
}

/* Add the rows x' - f, in the order of the states. */
static int add_explicit_rows(fmu_system *s, const fmu_manifest *m, const fmu_unknowns *base, fmu_pool *pool, int room)
{
    s->rows = fmu_pool_get(pool, (size_t)room + 1, sizeof *s->rows);
    for (int i = 0, at = 0; s->rows && i < s->x.n; i++) {
        if (s->is_given[i]) continue;
        const fmu_unknown *u = m ? find_unknown(&m->derivatives, s->xp.of[i]) : NULL;
        if (!u) u = find_unknown(base, s->xp.of[i]);
        for (int k = 0; k < s->states[i]->size; k++, at++)
            s->rows[s->n++] = (fmu_row){.of = u, .is_explicit = 1, .at = at};
    }
    return s->rows ? 0 : -1;
}

static int add_names(fmu_system *s, fmu_pool *pool)
{
    int at = 0;
    for (int i = 0; i < s->x.n + s->z.n; i++) {
        const fmu_variable *v = i < s->x.n ? s->states[i] : s->algebraic[i - s->x.n];
        for (int k = 0; k < v->size; k++) {
            char element[FMU_ELEMENT];
            fmu_element_name(v, k, element);
            s->units[at] = v->unit && *v->unit ? v->unit : NULL;
            if (!(s->names[at++] = fmu_pool_format(pool, "%s%s", v->name, element))) return -1;
        }
    }
    for (int k = 0; k < s->n_mu; k++)
        if (!(s->names[at++] = fmu_pool_format(pool, "mu[%d]", k + 1))) return -1;
    return 0;
}

static int allocate_work(fmu_system *s, fmu_pool *pool)
{
    const struct {
        double **at;
        int n;
    } all[] = {{&s->work_f, s->n_x},
               {&s->work_given, s->n_x},
               {&s->work_r, s->residuals.n_values},
               {&s->work_x, s->n},
               {&s->work_g, s->residuals.n_values},
               {&s->along_y, s->n},
               {&s->along_xp, s->n_x},
               {&s->work_d, 2 * s->n_x + s->n_z}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!(*all[k].at = fmu_pool_get(pool, (size_t)all[k].n + 1, sizeof(double)))) return -1;
    s->kinds = fmu_pool_get(pool, (size_t)s->n + 1, sizeof *s->kinds);
    s->knowns = fmu_pool_get(pool, (size_t)s->n + (size_t)s->n_x + 1, sizeof *s->knowns);
    s->names = fmu_pool_get(pool, (size_t)s->n + 1, sizeof *s->names);
    s->units = fmu_pool_get(pool, (size_t)s->n + 1, sizeof *s->units);
    return s->kinds && s->knowns && s->names && s->units ? 0 : -1;
}

/* Count all listed values. Return -1 if there are too many. */
static int count_values(const fmu_description *d, const fmu_manifest *m, const fmu_unknowns *base)
{
    int n = m ? m->n_algebraic : 0;
    const fmu_unknowns *const lists[] = {base, m ? &m->derivatives : NULL, m ? &m->formulations : NULL};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int i = 0; lists[k] && i < lists[k]->n; i++) {
            const fmu_variable *v = fmu_variable_find(d, lists[k]->of[i].reference);
            n += v ? v->size : 0;
            if (n > MAX_UNKNOWNS) return -1;
        }
    return n;
}

static int make_time_equation(fmu_system *s, fmu_pool *pool, resida_message *why)
{
    s->is_clock = s->n = 1;
    if (allocate_work(s, pool) < 0) return fmu_no_memory(why);
    s->names[0] = "time", s->units[0] = "s";
    s->kinds[0] = RESIDA_DIFFERENTIAL;
    return 0;
}

int fmu_system_make(fmu_system *s, const fmu_description *d, const fmu_manifest *m, fmu_level level, fmu_pool *pool,
                    resida_message *why)
{
    fmu_unknowns base = level == FMU_NONE ? (fmu_unknowns){0} : d->derivatives;
    *s = (fmu_system){.about = d, .is_dae = m != NULL, .highest = 1};
    if (m && base.n == 0 && list_derivatives(d, &base, pool) < 0) return fmu_no_memory(why);
    const int n_lists = base.n + (m ? m->derivatives.n + m->n_algebraic : 0);
    const int room = count_values(d, m, &base);
    if (room < 0) return fmu_fail(why, "more than %d unknowns", MAX_UNKNOWNS);
    if (!allocate_references(s, n_lists, room, m ? m->formulations.n : 0, pool)) return fmu_no_memory(why);
    if (add_states(s, m, &base, why) < 0 || add_algebraic(s, m, why) < 0) return -1;
    if (s->n_x == 0) return m ? fmu_fail(why, "its DAE has no continuous states") : make_time_equation(s, pool, why);
    qsort(s->columns, (size_t)s->n_columns, sizeof *s->columns, compare_references);
    if (add_explicit_rows(s, m, &base, pool, room) < 0) return fmu_no_memory(why);
    if (m && fmu_rows_choose(s, m, level, why) < 0) return -1;
    const int n_y = s->n_x + s->n_z + s->n_mu;
    if (s->n != n_y)
        return fmu_fail(why, "its DAE has %d equations for %d unknowns: %d states, %d algebraic", s->n - s->n_mu,
                        n_y - s->n_mu, s->n_x, s->n_z);
    if (allocate_work(s, pool) < 0 || add_names(s, pool) < 0) return fmu_no_memory(why);
    fmu_system_set_kinds(s);
    return fmu_pattern_make(s, pool, why);
}
