/* critical_output.c - eigenvalues over a parameter as a table, JSON and CSV. */
#include "critical.h"

#include "command/trajectory/csv.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/text_table.h"
#include "program/run/quantity.h"

#include <math.h>

enum { HEADING = 160 };
#define UNCERTAIN 1e-6 /* max. uncertainty relative to a critical value without a range */
static const double two_pi = 6.283185307179586476925;

/* Write "1.65", or "1.64 to 1.65" if the growth between is below its error. */
static void put_value(const cmd_critical_change *x, const char *unit, FILE *f)
{
    if (fabs(x->value - x->from) > UNCERTAIN * fabs(x->value)) fprintf(f, "%.10g to ", x->from);
    fprintf(f, "%.10g", x->value);
    if (cmd_unit_is_written(unit)) fprintf(f, " %s", unit);
    if (fabs(x->value - x->from) > UNCERTAIN * fabs(x->value))
        fputs(" (between these values the sign of the growth rate is not determined)", f);
}

static void put_change(const cmd_critical *c, const cmd_critical_change *x, int is_first, FILE *f)
{
    fprintf(f, "  %s %s = ", is_first ? "critical:" : x->begins ? "again:" : "no growth from", c->name);
    put_value(x, c->unit, f);
    if (x->begins && x->im > 0)
        fprintf(f, ", beyond it a mode flutters, at %.6g Hz", x->im / two_pi);
    else if (x->begins)
        fputs(", beyond it a mode diverges", f);
    if (x->jumps) fputs("; the growth rate jumps: another equilibrium, or a discontinuity of the model", f);
    fputs(x->begins ? "\n" : " on\n", f);
}

static void put_verdict(const cmd_critical *c, FILE *f)
{
    const cmd_critical_change *first = cmd_critical_first(c);
    if (c->points[0].grows) fprintf(f, "  a mode is unstable at the start of the range, %s = %.10g\n", c->name, c->low);
    if (!c->points[0].grows && !first) fprintf(f, "  no mode is unstable up to %s = %.10g\n", c->name, c->high);
    for (int i = 0; i < c->n_changes; i++) put_change(c, &c->changes[i], &c->changes[i] == first, f);
}

int cmd_critical_text(const cmd_critical *c, FILE *stream)
{
    char heading[HEADING];
    snprintf(heading, sizeof heading, cmd_unit_is_written(c->unit) ? "%.70s/(%.70s)" : "%.70s", c->name, c->unit);
    const cmd_column columns[] = {
        {heading, 0, NULL, NULL}, {"re/(1/s)", 0, NULL, NULL}, {"frequency/Hz", 0, NULL, NULL}, {"", 1, NULL, NULL}};
    cmd_table table;
    fprintf(stream, "%s, form %s: the mode with the largest real part\n", c->model, c->form);
    cmd_table_init(&table, columns, 4);
    for (int k = 0; k < c->n; k++) {
        const cmd_locus_point *x = &c->points[k];
        const double re = x->rightmost < 0 ? NAN : x->re[x->rightmost],
                     im = x->rightmost < 0 ? NAN : x->im[x->rightmost];
        cmd_table_cells(&table, "%.8g\t%.6g\t%.6g\t%s", x->value, re, im / two_pi, x->grows ? "grows" : "");
    }
    cmd_table_print(&table, 2, stream);
    put_verdict(c, stream);
    return 0;
}

static json_t *point_json(const cmd_locus_point *x)
{
    return CMD_OBJECT({"value", cmd_json_real(x->value)}, {"grows", json_boolean(x->grows)},
                      {"re", cmd_json_reals(x->re, x->n, 1)}, {"im", cmd_json_reals(x->im, x->n, 1)},
                      {"error", cmd_json_reals(x->error, x->n, 1)});
}

static json_t *change_json(const cmd_critical_change *x)
{
    return CMD_OBJECT({"value", cmd_json_real(x->value)}, {"from", cmd_json_real(x->from)},
                      {"begins", json_boolean(x->begins)}, {"jumps", json_boolean(x->jumps)},
                      {"kind", cmd_json_text(x->im > 0 ? "flutter" : "divergence")},
                      {"frequency_hz", cmd_json_real(x->im / two_pi)});
}

json_t *cmd_critical_json(const cmd_critical *c)
{
    const cmd_critical_change *first = cmd_critical_first(c);
    json_t *points = json_array(), *changes = json_array();
    for (int k = 0; k < c->n; k++) points = cmd_json_append(points, point_json(&c->points[k]));
    for (int k = 0; k < c->n_changes; k++) changes = cmd_json_append(changes, change_json(&c->changes[k]));
    return CMD_OBJECT(
        {"problem", cmd_json_text(c->model)}, {"params", json_incref(c->parameters)}, {"form", cmd_json_text(c->form)},
        {"parameter", cmd_json_text(c->name)}, {"low", cmd_json_real(c->low)}, {"high", cmd_json_real(c->high)},
        {"critical", cmd_json_real(first ? first->value : NAN)}, {"from", cmd_json_real(first ? first->from : NAN)},
        {"kind", cmd_json_text(!first          ? NULL
                               : first->im > 0 ? "flutter"
                                               : "divergence")},
        {"frequency_hz", cmd_json_real(first ? first->im / two_pi : NAN)}, {"changes", changes}, {"points", points});
}

int cmd_critical_csv(const cmd_critical *c, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    cmd_csv_text(out.stream, c->name, "");
    fputs(",re,im,frequency_hz,error\n", out.stream);
    for (int k = 0; k < c->n; k++) {
        const cmd_locus_point *x = &c->points[k];
        for (int i = 0; i < x->n; i++)
            fprintf(out.stream, "%.17g,%.17g,%.17g,%.17g,%.17g\n", x->value, x->re[i], x->im[i],
                    hypot(x->re[i], x->im[i]) / two_pi * (x->im[i] > 0), x->error[i]);
    }
    code = ferror(out.stream) ? cmd_out_fail(&out) : cmd_out_commit(&out);
    cmd_out_abort(&out);
    return code;
}
