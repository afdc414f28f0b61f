/* critical_output.c - eigenvalues over a parameter as a table, JSON, CSV and a picture in the complex plane. */
#include "critical.h"

#include "command/trajectory/csv.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "program/output/text_table.h"

#include <math.h>

enum { WIDTH = 1000, HEIGHT = 800 };
static const double two_pi = 6.283185307179586476925;

int cmd_critical_is_found(const cmd_critical *c)
{
    return c->above.re != NULL;
}

int cmd_critical_flutters(const cmd_critical *c)
{
    return c->above.im[c->above.rightmost] > 0;
}

static void put_verdict(const cmd_critical *c, FILE *f)
{
    const cmd_locus_point *a = &c->above;
    if (!cmd_critical_is_found(c)) {
        const char *when = c->points[0].grows ? "a mode grows already at" : "no mode grows up to";
        fprintf(f, "  %s %s = %.10g\n", when, c->name, c->points[0].grows ? c->low : c->high);
    } else if (cmd_critical_flutters(c)) {
        fprintf(f, "  critical: %s = %.10g, beyond it a mode flutters, at %.6g Hz\n", c->name, a->value,
                a->im[a->rightmost] / two_pi);
    } else {
        fprintf(f, "  critical: %s = %.10g, beyond it a mode diverges\n", c->name, a->value);
    }
}

int cmd_critical_text(const cmd_critical *c, FILE *stream)
{
    const cmd_column columns[] = {
        {c->name, 0, NULL, NULL}, {"re/(1/s)", 0, NULL, NULL}, {"frequency/Hz", 0, NULL, NULL}, {"", 1, NULL, NULL}};
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

json_t *cmd_critical_json(const cmd_critical *c)
{
    const cmd_locus_point *a = &c->above;
    const int is_found = cmd_critical_is_found(c);
    const char *kind = !is_found ? NULL : cmd_critical_flutters(c) ? "flutter" : "divergence";
    json_t *points = json_array();
    for (int k = 0; k < c->n; k++) points = cmd_json_append(points, point_json(&c->points[k]));
    return CMD_OBJECT(
        {"problem", cmd_json_text(c->model)}, {"params", json_incref(c->parameters)}, {"form", cmd_json_text(c->form)},
        {"parameter", cmd_json_text(c->name)}, {"low", cmd_json_real(c->low)}, {"high", cmd_json_real(c->high)},
        {"critical", cmd_json_real(is_found ? a->value : NAN)},
        {"below", cmd_json_real(is_found ? c->below.value : NAN)}, {"kind", cmd_json_text(kind)},
        {"frequency_hz", cmd_json_real(is_found ? a->im[a->rightmost] / two_pi : NAN)}, {"points", points});
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

/* Where the picture begins: modes that decay faster than any of them swings would take all of it. @return how many are
 * to the left */
static int find_left_edge(const cmd_critical *c, double *left)
{
    double fastest = 0;
    int n = 0;
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->points[k].n; i++) fastest = fmax(fastest, c->points[k].im[i]);
    *left = fastest > 0 ? -fastest : -INFINITY;
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->points[k].n; i++) n += c->points[k].re[i] < *left;
    return n;
}

static void put_points(const cmd_critical *c, FILE *f)
{
    fputs("$points << END\n", f);
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->points[k].n; i++) {
            const cmd_locus_point *x = &c->points[k];
            fprintf(f, "%.17g %.17g %.17g\n", x->re[i], x->im[i], x->value);
            if (x->im[i] > 0) fprintf(f, "%.17g %.17g %.17g\n", x->re[i], -x->im[i], x->value);
        }
    fputs("END\n$critical << END\n", f);
    const cmd_locus_point *a = &c->above;
    if (cmd_critical_is_found(c)) {
        fprintf(f, "%.17g %.17g\n", a->re[a->rightmost], a->im[a->rightmost]);
        fprintf(f, "%.17g %.17g\n", a->re[a->rightmost], -a->im[a->rightmost]);
    }
    fputs("END\n", f);
}

int cmd_critical_draw(const cmd_critical *c, const char *path)
{
    cmd_picture picture = {0};
    int code = cmd_picture_open(&picture, path, WIDTH, HEIGHT), n = 0;
    if (code != 0) return code;
    FILE *f = picture.script;
    for (int k = 0; k < c->n; k++) n += c->points[k].n;
    double left;
    const int n_left = find_left_edge(c, &left);
    put_points(c, f);
    fputs("set title ", f);
    cmd_picture_words(&picture, c->model);
    fputs("\nset grid\nset tics out nomirror\nset xzeroaxis lw 2\nset yzeroaxis lw 2\nset key tmargin right\n"
          "set xlabel 'real part in 1/s'\nset ylabel 'imaginary part in rad/s'\nset offsets graph 0.05, graph 0.05, "
          "graph 0.05, graph 0.05\nset palette defined (0 '#0072B2', 1 '#E69F00')\nset cblabel ",
          f);
    cmd_picture_words(&picture, c->name);
    fprintf(f, "\nset cbrange [%.17g:%.17g]\n", c->low, c->high);
    if (n_left > 0)
        fprintf(f, "set xlabel 'real part in 1/s; %d more to the left'\nset xrange [%.17g:]\n", n_left, left);
    if (n == 0) {
        fputs("set xrange [-1:1]\nset yrange [-1:1]\nplot NaN title 'no mode'\n", f);
    } else {
        fputs("plot $points using 1:2:3 with points pt 7 ps 0.8 lc palette notitle", f);
        if (cmd_critical_is_found(c)) {
            fputs(", $critical using 1:2 with points pt 6 ps 2 lw 2 lc rgb '#D55E00' title ", f);
            char words[80];
            snprintf(words, sizeof words, "critical: %s = %.6g", c->name, c->above.value);
            cmd_picture_words(&picture, words);
        }
        fputc('\n', f);
    }
    code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    return code;
}
