/* outputs.c - computes outputs of a model as rows of C and D, resida/linearize.h. output() is differenced along each
 * column, separately for each of its arguments,
 *
 *     d out = O_p dp + O_v dv + O_a da + O_lam dlam + O_u du,     O d = (out(x + h d) - out(x - h d))/(2 h)
 *
 * To find the outputs that depend on an argument which the state does not determine, output() is called with NaN in
 * this argument. An output jumps at the state if its change over a quarter of h exceeds half of its change over h. */
#include "linearize_impl.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define MIN_COMPONENT_SIZE 1.0  /* minimum size of a component [SI unit], as in nominal.c */
#define STEEP_CHANGE       1e-3 /* maximum smooth change, relative to max(|output|, 1); a larger one may be a jump */
#define QUARTER            0.25 /* part of the increment for a second evaluation of a large change */
#define JUMP_RATIO         0.5  /* minimum ratio of the changes by half and whole increment at a jump */

typedef struct work {
    resida_linearization *l;       /* linear model that gets the rows */
    const resida_allocator *alloc; /* allocator of the arrays */
    const resida_model *model;     /* model with output() */
    resida_message *why;           /* reason for the first excluded output */
    int n;                         /* number of outputs of the model */
    int columns;                   /* number of columns of C and D */
    double *moved, *d;             /* [size of the point] arguments of output(); [..] their change along a column */
    double *out, *back;            /* [n] outputs at x + h d; [n] outputs at x - h d */
    double *change;                /* [n] |out - back| with the full h; INFINITY: too small for a jump */
    int *is_row;                   /* [n] 1: the output becomes a row of C and D */
    double *rows;                  /* [n x columns] rows of C and D; [n_rows x columns] after compact_rows() */
} work;

/* Evaluate the outputs of the model at w->moved. Return 0 on success, > 0 if output() fails, < 0 on a fatal error. */
static int evaluate_outputs(const work *w, double *out)
{
    const rsd_linear_point *at = &w->l->at;
    const double *x[RSD_POINT_PARTS];
    for (int k = 0; k < RSD_POINT_PARTS; k++) x[k] = at->first[k + 1] > at->first[k] ? w->moved + at->first[k] : NULL;
    const double t = w->l->model.t, *u = x[RSD_OF_U];
    const resida_model_point dae = {.t = t, .y = x[0], .yp = x[1], .u = u};
    const resida_model_point mechanism = {.t = t, .p = x[0], .v = x[1], .a = x[2], .lam = x[3], .u = u};
    return resida_model_output(w->model, at->is_dae ? &dae : &mechanism, out);
}

static void reset_moved_point(const work *w)
{
    memcpy(w->moved, w->l->at.x, (size_t)w->l->at.first[RSD_POINT_PARTS] * sizeof *w->moved);
}

static void exclude_output(work *w, int i, const char *because, const char *part)
{
    if (w->is_row[i] && w->why && !w->why->text[0])
        rsd_fail(w->why, RESIDA_OK, "out.%.60s is not in the linear model: %s%s", w->model->output_names[i], because,
                 part);
    w->is_row[i] = 0;
}

static resida_status report_output_failure(const work *w)
{
    return rsd_fail(w->why, RESIDA_ERR_USER, "output() failed at t = %.10g", w->l->model.t);
}

static resida_status exclude_unknown_outputs(work *w)
{
    reset_moved_point(w);
    const int verdict = evaluate_outputs(w, w->out);
    if (verdict < 0) return report_output_failure(w);
    for (int i = 0; i < w->n; i++) {
        w->is_row[i] = 1;
        if (verdict > 0 || !isfinite(w->out[i])) exclude_output(w, i, "it is unknown at the state", "");
    }
    return RESIDA_OK;
}

/* Return 1 if component i of the point, in y', a or lam, is not determined by the unknowns. All `answers` of the
 * component are then NaN. */
static int is_component_undetermined(const work *w, int i)
{
    const resida_linearization *l = w->l;
    const int own = l->model.n_components, n_a = l->at.first[3] - own, of_u = l->at.first[RSD_OF_U];
    if (i < own || i >= of_u) return 0;
    return l->answers ? isnan(l->answers[i - own]) : (i < own + n_a ? l->at.a : l->at.lam) < 0;
}

/* Set w->d to the direction in which the arguments of the outputs change for column c of (C, D). */
static void set_change_of_column(work *w, int c)
{
    const resida_linearization *l = w->l;
    const rsd_sparse *A = c < l->model.n ? &l->C : &l->D;
    const int j = c < l->model.n ? c : c - l->model.n, own = l->model.n_components;
    const int of_u = l->at.first[RSD_OF_U], n_u = l->at.first[RSD_POINT_PARTS] - of_u;
    const int rest = of_u - own, n_a = l->at.first[3] - own, a = c - l->at.a, lam = c - l->at.lam;
    memset(w->d, 0, (size_t)(of_u + n_u) * sizeof *w->d);
    for (int e = A->start[j]; e < A->start[j + 1]; e++) w->d[A->row[e]] = A->values[e];
    for (int i = 0; i < rest && l->answers; i++) w->d[own + i] = l->answers[(long)c * rest + i];
    if (!l->answers && l->at.a >= 0 && a >= 0 && a < n_a) w->d[own + a] = 1;
    if (!l->answers && l->at.lam >= 0 && lam >= 0 && lam < rest - n_a) w->d[own + n_a + lam] = 1;
    if (c >= l->model.n && j < n_u) w->d[of_u + j] = 1;
}

/* Exclude outputs that depend on arguments which the unknowns do not determine. */
static void exclude_undetermined(work *w)
{
    static const char *const of_mechanism[] = {"p", "v", "a", "lam", "u"}, *const of_dae[] = {"y", "y'", "", "", "u"};
    const rsd_linear_point *at = &w->l->at;
    const char *const *names = at->is_dae ? of_dae : of_mechanism;
    for (int part = 0; part < RSD_POINT_PARTS && w->columns > 0; part++) {
        const int from = at->first[part], to = at->first[part + 1];
        if (from == to || !is_component_undetermined(w, from)) continue;
        reset_moved_point(w);
        for (int i = from; i < to; i++) w->moved[i] = NAN;
        const int verdict = evaluate_outputs(w, w->out);
        for (int i = 0; i < w->n; i++)
            if (verdict != 0 || isnan(w->out[i]))
                exclude_output(w, i, "it depends on quantities that x does not determine: ", names[part]);
    }
}

/* Return the step h of central differences with max |h d_i|/size_i = eps^(1/3), or 0 if d is zero in from .. to - 1. */
static double compute_step(const work *w, int from, int to)
{
    double max = 0;
    for (int i = from; i < to; i++) max = fmax(max, fabs(w->d[i]) / fmax(MIN_COMPONENT_SIZE, fabs(w->l->at.x[i])));
    return max > 0 && isfinite(max) ? RSD_CUBE_ROOT_EPS / max : 0;
}

/* Set w->moved to x + h d in components from .. to - 1. */
static void set_moved_part(const work *w, int from, int to, double h)
{
    for (int i = from; i < to; i++) w->moved[i] = w->l->at.x[i] + h * w->d[i];
}

/* Evaluate the outputs at x + h d and x - h d, changed in components from .. to - 1. @return as evaluate_outputs() */
static int evaluate_on_both_sides(const work *w, int from, int to, double h)
{
    set_moved_part(w, from, to, h);
    int verdict = evaluate_outputs(w, w->out);
    set_moved_part(w, from, to, -h);
    if (verdict == 0) verdict = evaluate_outputs(w, w->back);
    set_moved_part(w, from, to, 0);
    return verdict;
}

/* Exclude outputs that jump at the state. w->out and w->back are the outputs at +h and -h. */
static resida_status exclude_jumps(work *w, int from, int to, double h)
{
    int is_doubtful = 0;
    for (int i = 0; i < w->n; i++) {
        w->change[i] = fabs(w->out[i] - w->back[i]);
        if (!(w->change[i] > STEEP_CHANGE * fmax(1, fabs(w->out[i])))) w->change[i] = INFINITY;
        is_doubtful |= w->change[i] < INFINITY;
    }
    if (is_doubtful && evaluate_on_both_sides(w, from, to, QUARTER * h) < 0) return report_output_failure(w);
    for (int i = 0; i < w->n && is_doubtful; i++)
        if (fabs(w->out[i] - w->back[i]) > JUMP_RATIO * w->change[i]) exclude_output(w, i, "it jumps at the state", "");
    return RESIDA_OK;
}

/* Add the derivative along components from .. to - 1 of d to row [n]. */
static resida_status add_part_derivative(work *w, int from, int to, double *row)
{
    const double h = compute_step(w, from, to);
    if (!(h > 0)) return RESIDA_OK;
    const int verdict = evaluate_on_both_sides(w, from, to, h);
    if (verdict < 0) return report_output_failure(w);
    for (int i = 0; i < w->n; i++) row[i] += verdict > 0 ? NAN : (w->out[i] - w->back[i]) / (2 * h);
    return verdict > 0 ? RESIDA_OK : exclude_jumps(w, from, to, h);
}

static resida_status compute_output_rows(work *w)
{
    const int *first = w->l->at.first;
    resida_status status = RESIDA_OK;
    reset_moved_point(w);
    for (int c = 0; c < w->columns && status >= 0; c++) {
        set_change_of_column(w, c);
        for (int k = 0; k < RSD_POINT_PARTS && status >= 0; k++)
            status = add_part_derivative(w, first[k], first[k + 1], w->rows + (long)c * w->n);
    }
    return status;
}

/* Remove rows of C and D with an entry that is not finite. Return the number of remaining rows. */
static int compact_rows(work *w)
{
    int n_rows = 0;
    for (int i = 0; i < w->n; i++) {
        for (int c = 0; c < w->columns; c++)
            if (!isfinite(w->rows[(long)c * w->n + i])) exclude_output(w, i, "it is unknown near the state", "");
        n_rows += w->is_row[i];
    }
    double *to = w->rows;
    for (long e = 0; e < (long)w->columns * w->n; e++)
        if (w->is_row[e % w->n]) *to++ = w->rows[e];
    return n_rows;
}

/* Append the rows and their names to C and D. On failure nothing changes. The handle frees the old arrays. */
static resida_status append_rows(work *w, int n_rows)
{
    resida_linearization *l = w->l;
    const int n_before = l->model.n_outputs;
    rsd_sparse C, D;
    char **names = rsd_linear_allocate_names(n_before + n_rows, &l->alloc), **before = l->names[RSD_NAMES_Y];
    if (!names) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_sparse_append(&C, &l->C, n_rows, w->rows, n_rows, &l->alloc));
    RSD_TRY(rsd_sparse_append(&D, &l->D, n_rows, w->rows + (long)l->model.n * n_rows, n_rows, &l->alloc));
    for (int i = 0; i < n_before; i++) memcpy(names[i], before[i], RSD_LINEAR_NAME);
    for (int i = 0, k = n_before; i < w->n; i++)
        if (w->is_row[i]) rsd_write(names[k++], RSD_LINEAR_NAME, "out.%s", w->model->output_names[i]);
    l->C = C, l->D = D, l->names[RSD_NAMES_Y] = names, l->model.n_outputs += n_rows;
    return RESIDA_OK;
}

static resida_status add_output_rows(work *w)
{
    const resida_allocator *a = w->alloc;
    const int n_point = w->l->at.first[RSD_POINT_PARTS];
    if (!RSD_DOUBLES(a, n_point, &w->moved, &w->d) || !RSD_DOUBLES(a, w->n, &w->out, &w->back, &w->change) ||
        !RSD_INTS(a, w->n, &w->is_row) || !RSD_DOUBLES(a, (long)w->n * w->columns, &w->rows))
        return RESIDA_ERR_MEMORY;
    RSD_TRY(exclude_unknown_outputs(w));
    exclude_undetermined(w);
    RSD_TRY(compute_output_rows(w));
    return append_rows(w, compact_rows(w));
}

static resida_status check_output_arguments(const resida_linearization *l, const resida_model *model,
                                            resida_message *why)
{
    if (!l || !model) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "add_outputs: %s is NULL", l ? "model" : "l");
    if (model->n_outputs < 0 || (model->n_outputs > 0 && (!model->output || !model->output_names)))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "add_outputs: n_outputs = %d, with output %s, output_names %s",
                        model->n_outputs, model->output ? "given" : "NULL", model->output_names ? "given" : "NULL");
    if (!model->is_dae != !l->at.is_dae)
        return rsd_fail(why, RESIDA_ERR_STATE, "add_outputs: the model %s a general DAE, what was linearised %s",
                        model->is_dae ? "is" : "is not", l->at.is_dae ? "is one" : "is none");
    if (l->model.n_outputs > l->model.n_components)
        return rsd_fail(why, RESIDA_ERR_STATE, "add_outputs: outputs were added before");
    return RESIDA_OK;
}

/* Name excitations as in the model: u.NAME, ud.NAME, udd.NAME. */
static void name_inputs(resida_linearization *l, const resida_model *model)
{
    static const char *const prefix[] = {"u", "ud", "udd"};
    const int n_u = l->model.n_inputs / 3;
    for (int k = 0; k < 3 && model->excitation_names; k++)
        for (int i = 0; i < n_u; i++)
            rsd_write(l->names[RSD_NAMES_U][k * n_u + i], RSD_LINEAR_NAME, "%s.%s", prefix[k],
                      model->excitation_names[i]);
}

resida_status resida_linearization_add_outputs(resida_linearization *l, const resida_model *model, resida_message *why)
{
    if (why) why->text[0] = 0;
    RSD_TRY(check_output_arguments(l, model, why));
    rsd_owner owner;
    const resida_allocator alloc = rsd_get_owned_allocator(&owner, &l->alloc);
    work w = {.l = l, .alloc = &alloc, .model = model, .why = why, .n = model->n_outputs};
    w.columns = l->model.n + l->model.n_inputs;
    resida_status status = w.n > 0 ? add_output_rows(&w) : RESIDA_OK;
    if (status >= 0) name_inputs(l, model);
    rsd_owner_free(&owner);
    return status == RESIDA_ERR_MEMORY ? rsd_fail(why, status, "no memory for %d outputs", w.n) : status;
}
