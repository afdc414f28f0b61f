/* scaling.c - the scales of rows and columns by the step size. */
#include "scaling.h"

#include <math.h>
#include <string.h>

typedef struct rule {
    const char *name;           /* value of the option `scaling` */
    int rows, lam, v, condense; /* 1: rows, columns of lam, columns of v are scaled; v is eliminated */
} rule;

static const rule rules[] = {
    {"lam+v", 1, 1, 1, 0},     {"left", 1, 0, 0, 0},           {"lam", 1, 1, 0, 0},
    {"two-field", 0, 0, 0, 1}, {"two-field-left", 1, 0, 0, 1}, {"two-field-lam", 1, 1, 0, 1},
};
enum { N_RULES = sizeof rules / sizeof *rules };

struct rsd_scaling {
    const rule *rule;            /* rule of the option `scaling` */
    resida_layout layout;        /* positions of p, v, lam in y */
    double m, d, k;              /* coefficients of s = m + d h + k h^2; all 0: s is computed from J */
    double *rows, *columns;      /* [stages n] scale of each row; scale of each column */
    double *unit;                /* [n] unit of the correction of each unknown (rsd_scaling_unit()) */
    int *pair_row, *pair_column; /* kinematic rows, which determine the eliminated v; columns of these v */
};

/* Return 1 if the form enforces the constraints only as g = 0. Then y is (p, v, lam), with lam of index 3. */
static int is_index3(const resida_problem *problem)
{
    return problem->form && problem->form->level == RSD_POSITION;
}

/* Return the rule for the value `name` of the option `scaling`, or NULL if nothing is scaled or `name` is unknown. */
static const rule *find_rule(const char *name, const resida_problem *problem)
{
    if (strcmp(name, "auto") == 0) return is_index3(problem) ? &rules[0] : NULL;
    for (int i = 0; i < N_RULES; i++)
        if (strcmp(rules[i].name, name) == 0) return &rules[i];
    return NULL;
}

static resida_status reject_scaling(const char *name, resida_message *why)
{
    rsd_fail(why, RESIDA_ERR_OPTION, "unknown scaling '%s': use auto, none", name);
    for (int i = 0; i < N_RULES; i++) rsd_message_append(why, ", %s", rules[i].name);
    return RESIDA_ERR_OPTION;
}

resida_status rsd_scaling_check(resida_solver_options *o, const resida_problem *problem, resida_message *why)
{
    if (!o->scaling) return rsd_fail(why, RESIDA_ERR_OPTION, "scaling = NULL, must be a name");
    const rule *r = find_rule(o->scaling, problem);
    if (!r && strcmp(o->scaling, "auto") != 0 && strcmp(o->scaling, "none") != 0)
        return reject_scaling(o->scaling, why);
    o->scaling = r ? r->name : "none";
    if (!r || !is_index3(problem)) return RESIDA_OK; /* the table of options rejects forms of lower index */
    if (r->condense && strcmp(o->method, "energy-decaying") == 0)
        return rsd_fail(
            why, RESIDA_ERR_OPTION,
            "scaling = %s is not supported by the method energy-decaying, whose stages share their velocities",
            r->name);
    if (r->condense && problem->mechanism->m.kinematic_matrix)
        return rsd_fail(why, RESIDA_ERR_OPTION, "scaling = %s needs p' = v: this model has a kinematic matrix",
                        r->name);
    return RESIDA_OK;
}

static resida_status allocate_scaling(rsd_scaling *s, int stages, const resida_allocator *alloc)
{
    const long n = (long)s->layout.n * stages;
    const int all = RSD_DOUBLES(alloc, n, &s->rows, &s->columns) && RSD_DOUBLES(alloc, s->layout.n, &s->unit) &&
                    RSD_INTS(alloc, n, &s->pair_row, &s->pair_column);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static void fill_range(double *to, int from, int n, double value)
{
    for (int i = 0; i < n; i++) to[from + i] = value;
}

/* Set the units of corrections to the column scales of a stage, and to infinity for eliminated velocities. */
static void set_units(rsd_scaling *s)
{
    memcpy(s->unit, s->columns, (size_t)s->layout.n * sizeof *s->unit);
    if (s->rule->condense) fill_range(s->unit, s->layout.v, s->layout.n_p, INFINITY);
}

resida_status rsd_scaling_create(rsd_scaling **scaling, const resida_solver_options *o, const resida_problem *problem,
                                 int stages, const resida_allocator *alloc)
{
    const rule *r = find_rule(o->scaling, problem);
    *scaling = NULL;
    if (!r) return RESIDA_OK;
    rsd_scaling *s = rsd_calloc(alloc, 1, sizeof *s);
    if (!s) return RESIDA_ERR_MEMORY;
    *s = (rsd_scaling){.rule = r, .layout = problem->layout};
    s->m = o->scaling_mass, s->d = o->scaling_damping, s->k = o->scaling_stiffness;
    RSD_TRY(allocate_scaling(s, stages, alloc));
    for (int i = 0; i < s->layout.n; i++) s->columns[i] = 1;
    set_units(s);
    *scaling = s;
    return RESIDA_OK;
}

resida_status rsd_scaling_attach(rsd_scaling *s, rsd_linear_solver *linear, int stages)
{
    if (!s || !s->rule->condense) return RESIDA_OK;
    const resida_layout *l = &s->layout;
    int n = 0;
    for (int j = 0; j < stages; j++)
        for (int i = 0; i < l->n_p; i++, n++) {
            s->pair_row[n] = j * l->n + l->p + i;
            s->pair_column[n] = j * l->n + l->v + i;
        }
    return rsd_linear_set_pairs(linear, n, s->pair_row, s->pair_column);
}

/* Return |A(i, j)|, or 0 if the matrix A has no entry (i, j). */
static double get_absolute_entry(const resida_jacobian_matrix *A, int i, int j)
{
    for (int e = A->start[j]; e < A->start[j + 1]; e++)
        if (A->row[e] == i) return fabs(A->values[e]);
    return 0;
}

/* Return the factor s of scaling.h. If coefficients are given, s is m + d h + k h^2. Otherwise s is the mean of the
 * diagonal of h^2 (K + alpha (alpha M + D)), computed from the first stage of A. The dynamic rows of A contain alpha M
 * + D in the columns of v, and K in the columns of p. */
static double compute_scale_factor(const rsd_scaling *s, const resida_jacobian_matrix *A, double h)
{
    const resida_layout *l = &s->layout;
    const int n_w = l->n_v - l->n_z;
    double given = s->m + s->d * h + s->k * h * h, sum = 0;
    if (given > 0) return given;
    for (int i = 0; i < n_w; i++) {
        double alpha = get_absolute_entry(A, l->p + i, l->p + i);
        sum += get_absolute_entry(A, l->v + i, l->p + i) + alpha * get_absolute_entry(A, l->v + i, l->v + i);
    }
    return sum > 0 ? h * h * sum / n_w : 1;
}

static void set_scales_of_stage(rsd_scaling *s, double h, double factor, double *rows, double *columns)
{
    const resida_layout *l = &s->layout;
    const int n_w = l->n_v - l->n_z;
    const double of_v = s->rule->v ? h : 1, of_lam = s->rule->lam ? h * h / factor : 1;
    fill_range(rows, l->p, l->n_p, s->rule->rows ? h : 1);
    fill_range(rows, l->v, n_w, s->rule->lam ? of_lam : s->rule->rows ? h : 1);
    fill_range(rows, l->v + n_w, l->n_z, s->rule->rows ? h : 1); /* rows z' = f are scaled like p' = v */
    fill_range(rows, l->lam, l->n_g, 1);
    fill_range(rows, l->lam + l->n_g, l->n_h, of_v);
    fill_range(rows, l->eta_k, l->n_k, 1);
    fill_range(columns, l->p, l->n_p, 1);
    fill_range(columns, l->v, n_w, 1 / of_v);
    fill_range(columns, l->v + n_w, l->n_z, 1);
    fill_range(columns, l->lam, l->n_g + l->n_h, 1 / of_lam);
    fill_range(columns, l->eta_k, l->n_k, 1 / of_v);
}

resida_status rsd_scaling_update_scales(rsd_scaling *s, rsd_linear_solver *linear, int stages,
                                        const resida_jacobian_matrix *A, double h)
{
    if (!s || !s->rule->rows) return RESIDA_OK;
    h = fabs(h);
    const double factor = s->rule->lam ? compute_scale_factor(s, A, h) : 1;
    for (int j = 0; j < stages; j++) {
        const size_t at = (size_t)j * (size_t)s->layout.n;
        set_scales_of_stage(s, h, factor, s->rows + at, s->columns + at);
    }
    set_units(s);
    return rsd_linear_set_scales(linear, s->rows, s->columns);
}

double rsd_scaling_unit(const rsd_scaling *s, int i)
{
    return s ? s->unit[i] : 1;
}

const double *rsd_scaling_rows(const rsd_scaling *s)
{
    return s && s->rule->rows ? s->rows : NULL;
}

const double *rsd_scaling_columns(const rsd_scaling *s)
{
    return s && s->rule->rows ? s->columns : NULL;
}
