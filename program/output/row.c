/* row.c - the quantities of a row other than counters.
 *
 *     error  = max_i |y_i - r_i|                      r: reference of the model, for components in it
 *     digits = -log10 max_i |y_i - r_i| / |r_i|       over |r_i| > atol; "scd" of the Test Set for IVP Solvers
 *     weighted = error / (atol + rtol max_i |r_i|)    growth of the tolerance during the run
 *
 * An error smaller than CMD_CREDIBLE times the uncertainty of the reference may be that of the reference. It is
 * unknown. Digits of components below atol are not counted, because the tolerance does not require them. digits is at
 * most that of a double, -log10(2^-53). Quartiles are interpolated linearly between order statistics. */
#include "row.h"

#include "program/base/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cmd_row_init(cmd_row *row, const char *solver, const cmd_model *model)
{
    *row = (cmd_row){.solver = solver, .model = model};
    row->step = row->rtol = row->atol = row->t_end = row->t_reached = NAN;
    memset(&row->stats, 0xff, sizeof row->stats); /* -1 in every counter, two's complement */
    row->stats.size = sizeof row->stats;
    row->stats.h = NAN;
    row->stats.jacobian = row->stats.linear_solver = row->stats.dropped_rows = NULL;
    row->stats.n_warnings = row->stats.n_limits = 0;
    row->stats.warnings = row->stats.hints = NULL;
    row->cpu_s.min = row->cpu_s.median = row->cpu_s.iqr = row->cpu_s.wall = NAN;
    row->error.p = row->error.v = row->error.lam = NAN;
    row->digits = row->weighted = row->error;
    row->estimate.error = row->estimate.digits = row->estimate.weighted = row->error;
    row->drift.g = row->drift.gv = row->drift.k = NAN;
}

void cmd_row_compare_part(const cmd_row *row, int n, const double *x, const double *reference, double *error,
                          double *digits, double *weighted)
{
    double absolute = NAN, relative = NAN, largest = 0, atol = isfinite(row->atol) ? row->atol : 0;
    for (int i = 0; x && i < n; i++) {
        if (isnan(reference[i])) continue;
        double d = fabs(x[i] - reference[i]);
        largest = fmax(largest, fabs(reference[i]));
        absolute = fmax(absolute, d); /* fmax() ignores a NaN */
        if (fabs(reference[i]) > atol) relative = fmax(relative, d / fabs(reference[i]));
    }
    *error = absolute;
    *digits = isnan(relative) ? NAN : -log10(fmax(relative, DBL_EPSILON / 2));
    *weighted = absolute / (atol + row->rtol * largest);
}

/* Set an error to unknown (NaN) if it may be an error of the reference. */
static void clear_uncertain_error(double doubt, double *error, double *digits, double *weighted)
{
    if (!(*error < CMD_CREDIBLE * doubt)) return;
    *error = *digits = *weighted = NAN;
}

void cmd_row_compare(cmd_row *row, const double *p, const double *v, const double *lam)
{
    const resida_model *m = &row->model->model;
    if (!m->reference) return;
    int n_p = m->is_dae ? m->dae.n : m->mechanism.n_p;
    int n_v = m->is_dae ? 0 : m->mechanism.n_v;
    int n_lam = m->is_dae ? 0 : m->mechanism.n_g + m->mechanism.n_h;
    double *r = calloc((size_t)n_p + (size_t)n_v + (size_t)n_lam + 1, sizeof *r);
    if (!r) return;
    double *r_v = m->is_dae ? NULL : r + n_p, *r_lam = m->is_dae ? NULL : r + n_p + n_v;
    row->has_reference = resida_model_reference(m, row->t_end, r, r_v, r_lam) == 0;
    if (row->has_reference) {
        cmd_row_compare_part(row, n_p, p, r, &row->error.p, &row->digits.p, &row->weighted.p);
        cmd_row_compare_part(row, n_v, v, r_v, &row->error.v, &row->digits.v, &row->weighted.v);
        cmd_row_compare_part(row, n_lam, lam, r_lam, &row->error.lam, &row->digits.lam, &row->weighted.lam);
    }
    free(r);
    const double *doubt = m->reference_doubt;
    if (!doubt) return;
    clear_uncertain_error(doubt[0], &row->error.p, &row->digits.p, &row->weighted.p);
    clear_uncertain_error(doubt[1], &row->error.v, &row->digits.v, &row->weighted.v);
    clear_uncertain_error(doubt[2], &row->error.lam, &row->digits.lam, &row->weighted.lam);
}

/** Return quantile q of sorted x [n], linear between order statistics. */
static double compute_quantile(const double *x, long n, double q)
{
    double place = q * (double)(n - 1);
    long low = (long)place;
    long high = low + 1 < n ? low + 1 : low;
    return x[low] + (place - (double)low) * (x[high] - x[low]);
}

/** Round to nanoseconds, the resolution of the clock. */
static double round_to_nanoseconds(double seconds)
{
    return round(seconds * 1e9) / 1e9;
}

void cmd_row_times(cmd_row *row, double *cpu, long repeats, double wall)
{
    row->cpu_s.repeats = repeats;
    row->cpu_s.wall = round_to_nanoseconds(wall);
    if (repeats < 1) return;
    qsort(cpu, (size_t)repeats, sizeof *cpu, cmd_by_value);
    row->cpu_s.min = round_to_nanoseconds(cpu[0]);
    row->cpu_s.median = round_to_nanoseconds(compute_quantile(cpu, repeats, 0.5));
    row->cpu_s.iqr = round_to_nanoseconds(compute_quantile(cpu, repeats, 0.75) - compute_quantile(cpu, repeats, 0.25));
}

long cmd_calls_of(const resida_stats *s, int i)
{
    long calls;
    memcpy(&calls, (const char *)&s->callback_calls + (size_t)i * sizeof calls, sizeof calls);
    return calls;
}

int cmd_is_start_move_warning(const char *warning)
{
    static const char end[] = ", to satisfy the constraints";
    const size_t n = strlen(warning), n_end = sizeof end - 1;
    return n > n_end && strcmp(warning + n - n_end, end) == 0;
}

int cmd_is_rest_warning(const char *warning)
{
    static const char rests[] = "nothing moved ";
    return strncmp(warning, rests, sizeof rests - 1) == 0;
}

const char *cmd_outcome_name(cmd_outcome outcome)
{
    return outcome == CMD_OK ? "ok" : outcome == CMD_FAILED ? "failed" : "interrupted";
}

int cmd_row_is_valid(const cmd_row *row)
{
    return row->outcome == CMD_OK && !(row->weighted.p > CMD_INACCURATE);
}

#define TEXT_OF(x)         #x
#define TEXT(major, minor) TEXT_OF(major) "." TEXT_OF(minor)

const char *cmd_compiler(void)
{
#if defined(__clang__)
    return "clang " TEXT(__clang_major__, __clang_minor__);
#else
    return "gcc " TEXT(__GNUC__, __GNUC_MINOR__);
#endif
}

#ifndef CMD_COLPACK_VERSION
#define CMD_COLPACK_VERSION "" /* not available, or unknown */
#endif

const char *cmd_klu_version(void)
{
    return CMD_KLU_VERSION;
}

const char *cmd_colpack_version(void)
{
    return CMD_COLPACK_VERSION;
}
