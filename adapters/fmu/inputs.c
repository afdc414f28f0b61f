/* inputs.c - see inputs.h. The rows are divided into pieces. Within a piece u(t) is continuous and linear between
 * rows, and held inputs are constant. The end of a piece is an event at a known time. A step must end where u'
 * jumps: it could otherwise miss a pulse between two rows. */
#include "inputs.h"

#include "adapters/fmu/base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAME_TIME  (16 * DBL_EPSILON) /* relative difference of times that is rounding */
#define SAME_SLOPE (8 * DBL_EPSILON)  /* relative deviation of rows from a straight line that is rounding */

int fmu_is_input(const fmu_target *t)
{
    return t->variable && t->variable->causality == FMU_INPUT;
}

static int is_continuous(const fmu_variable *v)
{
    return (v->type == FMU_FLOAT64 || v->type == FMU_FLOAT32) && !v->is_discrete;
}

/* List the continuous inputs that are parameters of the class. */
static int list_continuous(fmu_inputs *in, const fmu_file *f, fmu_pool *pool)
{
    enum { VECTORS = 7, LISTS = 2 };
    const size_t n = (size_t)f->n_parameters + 1;
    in->continuous = fmu_pool_get(pool, n, sizeof *in->continuous);
    in->names = fmu_pool_get(pool, n, sizeof *in->names);
    in->units = fmu_pool_get(pool, n, sizeof *in->units);
    in->parameter = fmu_pool_get(pool, LISTS * n, sizeof *in->parameter);
    in->u = fmu_pool_get(pool, VECTORS * n, sizeof *in->u);
    in->columns = fmu_pool_get(pool, n, sizeof *in->columns);
    if (!in->continuous || !in->names || !in->units || !in->parameter || !in->u || !in->columns) return -1;
    in->column = in->parameter + n;
    in->ud = in->u + n, in->ahead = in->ud + n, in->set = in->ahead + n, in->tuned_before = in->set + n;
    in->given = in->tuned_before + n, in->before = in->given + n;
    for (int k = 0; k < f->n_parameters; k++) {
        const fmu_target *target = &f->targets[k];
        if (!fmu_is_input(target) || !is_continuous(target->variable)) continue;
        if (target->element == 0) in->continuous[in->n_continuous++] = target->variable;
        in->names[in->n_u] = f->parameters[k].name, in->units[in->n_u] = f->parameters[k].unit;
        in->parameter[in->n_u] = k;
        in->set[in->n_u] = NAN;
        in->column[in->n_u++] = -1;
    }
    return 0;
}

/* Return 1 if a value is a number that may be set at events: of a tunable parameter, or of a discrete input without a
 * column. */
static int is_tuned(const fmu_inputs *in, const fmu_variable *v, int parameter)
{
    if (!v || v->type == FMU_STRING) return 0;
    for (int c = 0; c < in->n_columns; c++)
        if (in->columns[c].parameter == parameter) return 0;
    return (v->is_tunable && v->causality == FMU_PARAMETER) || (v->causality == FMU_INPUT && !is_continuous(v));
}

/* List the numbers that may be set at events, after the continuous inputs. */
static void list_tuned(fmu_inputs *in, const fmu_file *f)
{
    for (int k = 0; k < f->n_parameters; k++) {
        if (!is_tuned(in, f->targets[k].variable, k)) continue;
        in->names[in->n_u + in->n_tuned] = f->parameters[k].name;
        in->parameter[in->n_u + in->n_tuned] = k;
        in->set[in->n_u + in->n_tuned] = in->tuned_before[in->n_tuned] = NAN;
        in->n_tuned++;
    }
}

/* Return 1 if a piece begins at row r, which is then an event. */
static int is_start_of_piece(const fmu_inputs *in, int r)
{
    if (in->t[r] == in->t[r - 1]) return 1;
    for (int k = 0; k < in->n_columns; k++) {
        const int at = r * in->n_columns + k, before = at - in->n_columns;
        if (!in->holds && in->columns[k].u >= 0) continue;
        if (in->x[at] != in->x[before] || (in->wholes && in->wholes[at] != in->wholes[before])) return 1;
    }
    return 0;
}

static int split_into_pieces(fmu_inputs *in, fmu_pool *pool)
{
    in->first = fmu_pool_get(pool, (size_t)in->n_rows + 2, sizeof *in->first);
    if (!in->first) return -1;
    for (int r = 1; r < in->n_rows; r++)
        if (is_start_of_piece(in, r)) in->first[++in->n_pieces] = r;
    in->n_pieces += in->n_rows > 0;
    in->first[in->n_pieces] = in->n_rows;
    return 0;
}

/* Return the slope between row r and the next one, 0 outside of the rows. */
static double compute_slope(const fmu_inputs *in, int k, int r)
{
    if (r < 0 || r + 1 >= in->n_rows) return 0;
    const double *x = &in->x[r * in->n_columns + k];
    return (x[in->n_columns] - x[0]) / (in->t[r + 1] - in->t[r]);
}

/* Return 1 if u' jumps at row r by more than rounding. */
static int has_slope_jump(const fmu_inputs *in, int r)
{
    const double before = r > 0 ? in->t[r] - in->t[r - 1] : INFINITY,
                 behind = r + 1 < in->n_rows ? in->t[r + 1] - in->t[r] : INFINITY, h = fmin(before, behind);
    if (in->holds || h == 0) return 0; /* times of events */
    for (int k = 0; k < in->n_columns; k++) {
        double size = 0;
        for (int i = r > 0 ? r - 1 : 0; i <= r + 1 && i < in->n_rows; i++)
            size = fmax(size, fabs(in->x[i * in->n_columns + k]));
        const double jump = fabs(compute_slope(in, k, r) - compute_slope(in, k, r - 1));
        if (in->columns[k].u >= 0 && jump * h > SAME_SLOPE * size) return 1;
    }
    return 0;
}

static int list_breakpoints(fmu_inputs *in, fmu_pool *pool)
{
    in->breaks = fmu_pool_get(pool, (size_t)in->n_rows + 1, sizeof *in->breaks);
    for (int r = 0; in->breaks && r < in->n_rows; r++)
        if (has_slope_jump(in, r)) in->breaks[in->n_breaks++] = in->t[r];
    return in->breaks ? 0 : -1;
}

int fmu_inputs_make(fmu_inputs *in, const fmu_file *f, const fmu_series *series, fmu_pool *pool, resida_message *why)
{
    *in = (fmu_inputs){.holds = series->holds};
    if (list_continuous(in, f, pool) < 0) return fmu_no_memory(why);
    if (*series->path && fmu_inputs_read(in, f, series, pool, why) < 0) return -1;
    list_tuned(in, f);
    in->room = fmu_pool_get(pool, (size_t)f->n_parameters + 1, sizeof *in->room);
    if (!in->room) return fmu_no_memory(why);
    return split_into_pieces(in, pool) < 0 || list_breakpoints(in, pool) < 0 ? fmu_no_memory(why) : 0;
}

/* --- values --- */

void fmu_inputs_at(const fmu_inputs *in, const double *values, double t, double *u, double *ud)
{
    const int first = in->n_rows > 0 ? in->first[in->piece] : 0, end = in->n_rows > 0 ? in->first[in->piece + 1] : 0;
    /* The row that ends a piece belongs to the piece, unless there is a jump. */
    const int last = end < in->n_rows && in->t[end] > in->t[end - 1] ? end : end - 1;
    int low = first, high = last;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (in->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    for (int j = 0; j < in->n_u; j++) {
        const int c = in->column[j], n = in->n_columns;
        u[j] = c < 0 ? values[in->parameter[j]] : in->x[low * n + c];
        if (!isnan(in->set[j])) u[j] = in->set[j];
        if (ud) ud[j] = 0;
        if (c < 0 || !isnan(in->set[j]) || in->holds || high == low || t < in->t[low]) continue;
        const double rate = (in->x[high * n + c] - u[j]) / (in->t[high] - in->t[low]);
        u[j] = t < in->t[high] ? u[j] + rate * (t - in->t[low]) : in->x[high * n + c];
        if (ud && t < in->t[high]) ud[j] = rate;
    }
}

int fmu_is_earlier(double a, double b)
{
    return a < b && (isinf(b) || b - a > SAME_TIME * fabs(b));
}

/* Copy the first row of the piece to the values of the parameters. */
static void copy_first_row(const fmu_inputs *in, double *values)
{
    for (int k = 0; k < in->n_columns; k++)
        values[in->columns[k].parameter] = in->x[in->first[in->piece] * in->n_columns + k];
}

void fmu_inputs_enter(fmu_inputs *in, double t, double *values)
{
    while (in->piece + 1 < in->n_pieces && !fmu_is_earlier(t, in->t[in->first[in->piece + 1]])) in->piece++;
    if (in->n_rows > 0) copy_first_row(in, values);
    fmu_inputs_at(in, values, t, in->u, NULL);
    for (int j = 0; j < in->n_u; j++)
        if (in->column[j] >= 0) values[in->parameter[j]] = in->u[j];
}

double fmu_inputs_next(const fmu_inputs *in)
{
    return in->piece + 1 < in->n_pieces ? in->t[in->first[in->piece + 1]] : INFINITY;
}

int fmu_inputs_set(fmu_inputs *in, fmu_instance *i, const double *u)
{
    if (in->n_u == 0 || memcmp(u, in->given, (size_t)in->n_u * sizeof *u) == 0) return 0;
    int verdict = 0;
    for (int k = 0, at = 0; k < in->n_continuous && verdict == 0; k++) {
        const fmu_variable *v = in->continuous[k];
        if (!in->is_connected || !in->is_connected[k])
            verdict = fmu_prefix_variable(i, v->name, fmu_variable_set(i, v, u + at));
        at += v->size;
    }
    if (verdict == 0) memcpy(in->given, u, (size_t)in->n_u * sizeof *u);
    return verdict;
}

/* Set a variable of 64-bit integers. Elements with a column get the value of the row, others that of their
 * parameter. */
static int set_integers(const fmu_inputs *in, fmu_instance *i, const fmu_input_column *c, const double *values)
{
    const fmu_variable *v = c->variable;
    const int row = in->first[in->piece] * in->n_columns;
    for (int e = 0; e < v->size; e++) {
        const double value = values[c->parameter - c->element + e];
        in->room[e] = fabs(value) <= FMU_WHOLE_LIMIT ? (uint64_t)(int64_t)value : 0;
    }
    for (int k = 0; k < in->n_columns; k++)
        if (in->columns[k].variable == v) in->room[in->columns[k].element] = in->wholes[row + k];
    return i->binary->port.set_whole(i, v->type, v->reference, in->room, (size_t)v->size);
}

static int set_column(const fmu_inputs *in, fmu_instance *i, const fmu_input_column *c, const double *values)
{
    const fmu_variable *v = c->variable;
    const double *x = &values[c->parameter - c->element];
    if (v->type == FMU_STRING) return i->binary->port.set_text(i, v->reference, in->texts[(int)*x]);
    if (fmu_type_is_long(v->type)) return set_integers(in, i, c, values);
    return fmu_variable_set(i, v, x);
}

int fmu_inputs_set_held(const fmu_inputs *in, fmu_instance *i, const double *values)
{
    int verdict = 0;
    for (int k = 0; k < in->n_columns && verdict == 0; k++) {
        const fmu_input_column *c = &in->columns[k];
        if (c->u >= 0) continue;
        verdict = fmu_prefix_variable(i, c->variable->name, set_column(in, i, c, values));
    }
    return verdict;
}

int fmu_inputs_set_tuned(fmu_inputs *in, fmu_instance *i, const fmu_file *f, const double *values, double *got)
{
    const double *set = in->set + in->n_u;
    const int *parameter = in->parameter + in->n_u;
    int verdict = 0;
    memcpy(got, values, (size_t)f->n_parameters * sizeof *got);
    for (int j = 0; j < in->n_tuned; j++)
        if (!isnan(set[j])) got[parameter[j]] = set[j];
    for (int j = 0; j < in->n_tuned && verdict == 0; j++) {
        const fmu_target *target = &f->targets[parameter[j]];
        const fmu_variable *v = target->variable;
        const double *x = &got[parameter[j] - target->element];
        if (set[j] == in->tuned_before[j] || (isnan(set[j]) && isnan(in->tuned_before[j]))) continue;
        verdict = fmu_type_holds(v->type, isnan(set[j]) ? 0 : set[j])
                      ? fmu_variable_set(i, v, x)
                      : fmu_fail(&i->said, "%.9g is not a value of its type", set[j]);
        verdict = fmu_prefix_variable(i, v->name, verdict);
        if (verdict == 0) in->tuned_before[j] = set[j];
    }
    return verdict;
}

/* Return the slope of input j: that of the file if no row within the step changes it, else that of the chord. The slope
 * of the file does not change by rounding from step to step. */
static double compute_rate(const fmu_inputs *in, int j, double h)
{
    const double chord = in->ahead[j] - in->u[j], along = in->ud[j] * h;
    return fabs(chord - along) <= SAME_SLOPE * fmax(fabs(in->u[j]), fabs(in->ahead[j])) ? in->ud[j] : chord / h;
}

int fmu_inputs_set_rates(fmu_inputs *in, fmu_instance *i, const double *values, double t, double to)
{
    int verdict = 0;
    fmu_inputs_at(in, values, to, in->ahead, NULL);
    fmu_inputs_at(in, values, t, in->u, in->ud);
    for (int k = 0; k < in->n_continuous && verdict == 0 && !in->holds; k++) {
        const fmu_variable *v = in->continuous[k];
        if (in->column[k] < 0 || !isnan(in->set[k])) continue;
        const int status = i->binary->port.set_rate(i, v->reference, compute_rate(in, k, to - t));
        verdict = fmu_prefix_variable(i, v->name, status);
    }
    return verdict;
}

void fmu_inputs_begin_point(fmu_inputs *in)
{
    memcpy(in->before, in->given, (size_t)in->n_u * sizeof *in->before);
    in->piece_before = in->piece;
}

/* Set held inputs to the values of the previous piece and then to those of the current piece. */
static int set_held_again(fmu_inputs *in, fmu_instance *i, double t, double *values)
{
    in->piece = in->piece_before;
    copy_first_row(in, values);
    const int verdict = fmu_inputs_set_held(in, i, values);
    fmu_inputs_enter(in, t, values);
    return verdict != 0 ? verdict : fmu_inputs_set_held(in, i, values);
}

int fmu_inputs_set_again(fmu_inputs *in, fmu_instance *i, double t, double *values, int takes_held)
{
    int verdict = 0, is_known = 1;
    fmu_inputs_at(in, values, t, in->u, NULL);
    for (int k = 0; k < in->n_u; k++) is_known &= !isnan(in->before[k]);
    if (is_known) verdict = fmu_inputs_set(in, i, in->before);
    if (verdict == 0) verdict = fmu_inputs_set(in, i, in->u);
    if (verdict != 0 || !takes_held || in->piece == in->piece_before) return verdict;
    return set_held_again(in, i, t, values);
}
