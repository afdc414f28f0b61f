/* blame.c - names of the components that caused failures, and likely causes. */
#include "blame.h"

#include "constraint_jump.h"

#include "base/linear/rank.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_NAMES = 3, NAME_SIZE = 60, MAX_G_ENTRIES = 1000000 }; /* maxima: names in a text, bytes of one, entries of G */
#define DIFFERENCE_ERROR 1e-10 /* error of dg/dp and gI by central differences, for coordinates near 1 */
#define FOURTH_ERROR     1e-12 /* error of dg/dp by differences of fourth order */
#define DEPENDENT_PART   1e-3  /* a row of G is nearly dependent if its part outside the others is below this */
#define MAX_ERROR_SHARE  1e-2  /* maximum insignificant error of G v, in tolerances */
#define U_ROUNDING       1e-8  /* relative rounding error of an excitation */

int rsd_find_max_component(int n, const double *x, const double *w)
{
    int at = 0;
    double max = -1;
    for (int i = 0; i < n; i++) {
        double part = fabs(x[i] * w[i]);
        if (!isfinite(part)) return i;
        if (part > max) max = part, at = i;
    }
    return at;
}

void rsd_blame_record(rsd_blame *b, int component)
{
    if (component >= 0) b->component[b->count++ % RSD_BLAMED] = component;
}

void rsd_format_component(const resida_problem *q, int component, char *text, size_t size)
{
    const resida_layout *l = &q->layout;
    const int first[] = {l->lam, l->eta, l->tau}, rows[] = {l->n_g + l->n_h, l->n_g, l->n_g + l->n_h};
    if (resida_problem_component_name(q, component, text, size) < 0) text[0] = 0;
    if (l->eta_k >= 0 && component >= l->eta_k) rsd_append(text, size, " of invariant k[%d]", component - l->eta_k);
    for (int k = 0; k < 3; k++)
        if (first[k] >= 0 && component >= first[k] && component < first[k] + rows[k] && q->mechanism->m.g_names)
            rsd_append(text, size, " of %s", q->mechanism->m.g_names[component - first[k]]);
}

void rsd_blame_text(const rsd_blame *b, const resida_problem *q, char *text)
{
    const int all = b->count < RSD_BLAMED ? b->count : RSD_BLAMED;
    int is_named[RSD_BLAMED] = {0};
    text[0] = 0;
    for (int k = 0; k < N_NAMES; k++) {
        int max = 0, first = 0;
        char name[NAME_SIZE];
        for (int i = 0; i < all; i++) {
            int same = 0;
            for (int j = 0; j < all; j++) same += b->component[j] == b->component[i];
            if (!is_named[i] && same > max) max = same, first = i;
        }
        if (max == 0) return;
        for (int j = 0; j < all; j++) is_named[j] |= b->component[j] == b->component[first];
        rsd_format_component(q, b->component[first], name, sizeof name);
        rsd_append(text, RSD_BLAME_TEXT, "%s%s (%d of %d)", k ? ", " : "", name, max, all);
    }
}

/* Return 1 if an error of relative size `error` in G causes errors of G v above MAX_ERROR_SHARE of the tolerances. */
static int is_g_error_significant(const resida_problem *q, const resida_solver_options *o, const double *y,
                                  double error)
{
    const resida_layout *l = &q->layout;
    for (int i = l->v; i < l->v + l->n_v - l->n_z; i++)
        if (error * fabs(y[i]) > MAX_ERROR_SHARE * o->atol_each[i]) return 1;
    return 0;
}

/* Return 1 if component i of the excitation (u, ud) jumps between t - d and t + d: its change there exceeds
 * RSD_JUMP_RATIO times its change between t + d and t + 2 d. */
static int has_input_jump(resida_problem *q, double t, double d, int i, double *before, double *behind)
{
    const double at[] = {t - d, t + d, t + 2 * d};
    double x[3];
    for (int j = 0; j < 3; j++) {
        const double *u;
        if (rsd_problem_eval_excitation(q, at[j], &u)) return 0;
        x[j] = u[i];
    }
    *before = x[0], *behind = x[1];
    return fabs(x[1] - x[0]) > RSD_JUMP_RATIO * fabs(x[2] - x[1]) + U_ROUNDING * (fabs(x[0]) + fabs(x[1]));
}

int rsd_find_excitation_jump(resida_problem *q, double t, double h, char *text)
{
    const int n = q->layout.n_u;
    const double d = RSD_JUMP_DISTANCE * fmax(fabs(h), DBL_EPSILON * fabs(t));
    double before, behind;
    for (int i = 0; i < 2 * n; i++)
        if (has_input_jump(q, t, d, i, &before, &behind)) {
            rsd_write(text, RSD_JUMP_TEXT, "the excitation %s[%d] jumps there from %.3g to %.3g: %s",
                      i < n ? "u" : "ud", i % n, before, behind, "make it smooth, or stop there and restart");
            return 1;
        }
    return 0;
}

/* Return the first row of the current G that is nearly a linear combination of other rows. Return -1 if there is no
 * such row, if G is too large, or if there is no memory. */
static int find_dependent_row(rsd_mechanism *k)
{
    const resida_allocator *a = &k->alloc;
    rsd_rank rank = {.n_l = 0};
    int row = -1;
    if ((long)k->n_l * k->m.n_v <= MAX_G_ENTRIES && rsd_rank_create(&rank, k->n_l, k->m.n_v, a, NULL) >= 0 &&
        rsd_rank_allocate_Q(&rank, a, NULL) >= 0) {
        rsd_write_full_G(k, rank.Q);
        rsd_rank_compute_rank(&rank, rank.Q, DEPENDENT_PART);
        for (int i = 0; i < rank.n_redundant && row < 0; i++)
            if (!k->dropped[rank.redundant[i]] && !k->open[rank.redundant[i]]) row = rank.redundant[i];
    }
    rsd_rank_free(&rank, a);
    return row;
}

/* Return 1 if G is nearly singular at (t, y). The dependent row and a remedy are then written to text. */
static int is_G_nearly_singular(resida_problem *q, double t, const double *y, char *text)
{
    rsd_mechanism *k = q->mechanism;
    char name[RSD_ROW_NAME];
    if (!k || k->m.n_g == 0 || rsd_eval_excitation(k, t) || rsd_eval_matrices(k, t, y + q->layout.p)) return 0;
    const int row = find_dependent_row(k);
    if (row < 0) return 0;
    rsd_write(
        text, RSD_CAUSE_TEXT,
        "G is nearly singular there: its row of %s depends on others, as at a dead centre or a branching of motions",
        rsd_row_name(k, row, name, sizeof name));
    return 1;
}

void rsd_likely_cause(resida_problem *q, const resida_solver_options *o, const rsd_blamed_step *step, char *text)
{
    const int is_found = rsd_find_excitation_jump(q, step->t, step->h, text) ||
                         rsd_find_constraint_jump(q, o, step->t, step->h, step->y, text) ||
                         is_G_nearly_singular(q, step->t, step->y, text);
    rsd_fault_clear(&q->calls->fault);
    if (is_found) return;
    const char *cause = "if a force or g jumps there, give a root function";
    const resida_layout *l = &q->layout;
    const int has_differences = q->mechanism && l->n_g > 0 && !q->mechanism->m.constraint_matrix && l->v >= 0;
    const double own = q->mechanism && q->mechanism->fourth_order ? FOURTH_ERROR : DIFFERENCE_ERROR;
    const double error = has_differences ? fmax(own, rsd_scales_estimate_error(q->mechanism, step->y + l->p)) : own;
    int has_rates = q->mechanism && l->n_g > 0 && !q->mechanism->m.velocity_bias && l->v >= 0;
    if (has_rates) (void)rsd_line_update_scale(q->mechanism, &q->mechanism->of_t, step->t, step->y + l->p, NULL);
    has_rates = has_rates && q->mechanism->of_t.scale.is_seen;
    if (has_rates && is_g_error_significant(q, o, step->y, DIFFERENCE_ERROR))
        cause = has_differences
                    ? "differences for dg/dp and its rate gI are too inaccurate at such velocities: give "
                      "constraint_matrix and velocity_bias"
                    : "differences for gI, the rate of g, are too inaccurate at such velocities: give velocity_bias";
    else if (has_differences && is_g_error_significant(q, o, step->y, error))
        cause = "differences for dg/dp are too inaccurate at such velocities: give constraint_matrix";
    else if (!q->mechanism && !q->dae.kinds)
        cause = "if the index is 2 or 3 (higher ones are not supported), give kinds; if F jumps, give a root function";
    else if (!q->mechanism)
        cause = "kinds may be wrong, or the index above 3 (not supported); if F jumps, give a root function";
    rsd_write(text, RSD_CAUSE_TEXT, "%s", cause);
}
