/* rows.c - selects the formulations of a DAE's residuals that are rows of F.
 *
 * A residual may have several formulations, each the derivative of the one before. `index` decreases to 1; the
 * formulation of index 1 contains the unknowns that are solved for. To enforce a constraint, its formulation with the
 * highest index is used. If this index is 3 and there is a formulation of index 2, both are used (Gear, Gupta,
 * Leimkuhler, J. Comput. Appl. Math. 12 (1985) 77-90). */
#include "system_impl.h"

#include "adapters/fmu/base/fail.h"

enum { NONE = -1, INDEX_2 = 2, INDEX_3 = 3 };

/* The range of the formulations of one residual in the list. */
typedef struct stretch {
    int first, n;
} stretch;

static stretch next_stretch(const fmu_unknowns *list, int first)
{
    stretch s = {first, 0};
    while (first + s.n < list->n && list->of[first + s.n].residual == list->of[first].residual) s.n++;
    return s;
}

/* Return the index of a formulation. If none is given, the last formulation has index 1. */
static int get_index(const fmu_unknowns *list, stretch s, int i)
{
    const int said = list->of[i].index;
    return said > 0 ? said : s.first + s.n - i;
}

/* Return the formulation with this index, or NONE if there is none. */
static int find_index(const fmu_unknowns *list, stretch s, int index)
{
    for (int i = s.first; i < s.first + s.n; i++)
        if (get_index(list, s, i) == index) return i;
    return NONE;
}

static int find_extreme_index(const fmu_unknowns *list, stretch s, int highest)
{
    int best = s.first;
    for (int i = s.first + 1; i < s.first + s.n; i++) {
        const int more = get_index(list, s, i) - get_index(list, s, best);
        if (highest ? more > 0 : more < 0) best = i;
    }
    return best;
}

/* Return the formulation that becomes a row. *besides is that of an additional row with a multiplier mu, or NONE. */
static int choose_formulation(const fmu_unknowns *list, stretch s, fmu_level level, int *besides)
{
    *besides = NONE;
    if (level == FMU_LOWEST) return find_extreme_index(list, s, 0);
    const int highest = find_extreme_index(list, s, 1);
    const int below = get_index(list, s, highest) == INDEX_3 ? find_index(list, s, INDEX_2) : NONE;
    if (below == NONE) return highest;
    *besides = highest;
    return below;
}

static int add_row(fmu_system *s, const fmu_unknown *u, int index, resida_message *why)
{
    const fmu_variable *v = fmu_variable_find(s->about, u->reference);
    if (!v || v->type != FMU_FLOAT64)
        return fmu_fail(why, "its DAE has a residual, %lu, that is not a variable", (unsigned long)u->reference);
    for (int k = 0; k < v->size; k++)
        s->rows[s->n++] = (fmu_row){.of = u, .at = s->residuals.n_values + k, .index = index};
    s->residuals.of[s->residuals.n++] = v->reference;
    s->residuals.n_values += v->size;
    return v->size;
}

int fmu_rows_choose(fmu_system *s, const fmu_manifest *m, fmu_level level, resida_message *why)
{
    const fmu_unknowns *list = &m->formulations;
    for (int pass = 0; pass < 2; pass++) /* g follows all other rows */
        for (stretch at = next_stretch(list, 0); at.n > 0; at = next_stretch(list, at.first + at.n)) {
            int besides;
            const int chosen = choose_formulation(list, at, level, &besides);
            const int taken = pass == 0 ? chosen : besides;
            if (taken == NONE) continue;
            const int n = add_row(s, &list->of[taken], get_index(list, at, taken), why);
            if (n < 0) return -1;
            if (pass == 1) s->n_mu += n;
        }
    return 0;
}

int fmu_row_has_derivative(const fmu_system *s, const fmu_unknown *u)
{
    if (u->depends_on_all) return 1;
    for (int k = 0; k < u->n; k++) {
        const fmu_column *c = fmu_column_find(s, u->known[k]);
        if (c && c->derivative_of) return 1;
    }
    return 0;
}

static int depends_on(const fmu_unknown *u, uint32_t reference)
{
    for (int k = 0; k < u->n; k++)
        if (u->known[k] == reference) return 1;
    return u->depends_on_all;
}

/* Return 1 if an algebraic variable has index 1, that is, an algebraic equation of index 1 contains it. Other algebraic
 * variables are multipliers. */
static int has_index_1(const fmu_system *s, uint32_t reference)
{
    for (int r = 0; r < s->n; r++) {
        const fmu_row *row = &s->rows[r];
        if (!row->is_explicit && row->index <= 1 && !fmu_row_has_derivative(s, row->of) &&
            depends_on(row->of, reference))
            return 1;
    }
    return 0;
}

/* Return 1 if no constraint of index 3 depends on a state. The state is then a velocity. */
static int is_velocity(const fmu_system *s, uint32_t reference)
{
    for (int r = 0; r < s->n; r++)
        if (!s->rows[r].is_explicit && s->rows[r].index == INDEX_3 && depends_on(s->rows[r].of, reference)) return 0;
    return 1;
}

void fmu_system_set_kinds(fmu_system *s)
{
    for (int r = 0; r < s->n - s->n_mu; r++)
        if (!s->rows[r].is_explicit && s->rows[r].index > s->highest) s->highest = s->rows[r].index;
    int at = 0;
    for (int i = 0; i < s->x.n; i++) {
        const int is_v = s->highest == INDEX_3 && is_velocity(s, s->x.of[i]);
        for (int k = 0; k < s->states[i]->size; k++)
            s->kinds[at++] = is_v ? RESIDA_DIFFERENTIAL_2 : RESIDA_DIFFERENTIAL;
    }
    for (int i = 0; i < s->z.n; i++) {
        const resida_kind multiplier = s->highest >= INDEX_3 ? RESIDA_ALGEBRAIC_3 : RESIDA_ALGEBRAIC_2;
        const int is_1 = s->highest <= 1 || has_index_1(s, s->z.of[i]);
        for (int k = 0; k < s->algebraic[i]->size; k++) s->kinds[at++] = is_1 ? RESIDA_ALGEBRAIC : multiplier;
    }
    for (int k = 0; k < s->n_mu; k++) s->kinds[at++] = RESIDA_ALGEBRAIC_2;
}
