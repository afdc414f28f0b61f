/* trajectory_picture.c - a data block with all rows, and a plot for each panel, t below all of them. */
#include "trajectory_picture.h"

#include "command/picture/palette.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 12 };

/** Do two columns share an axis? */
static int are_alike(const bench_columns *c, int i, int k)
{
    const char *a = c->units[i], *b = c->units[k];
    if (c->of[i].quantity != c->of[k].quantity) return 0;
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/** Is it the first one of its panel? */
static int is_first(const bench_columns *c, int i)
{
    int k = 0;
    while (k < i && !are_alike(c, i, k)) k++;
    return k == i;
}

int bench_trajectory_panels(const bench_columns *columns)
{
    int n = 0;
    for (int i = 0; i < columns->n; i++) n += is_first(columns, i);
    return n;
}

static void put_data(const bench_record *r, FILE *f)
{
    fputs("set datafile missing 'nan'\n$rows << END\n", f);
    for (long i = 0; i < r->rows; i++)
        for (int k = 0; k < bench_record_width(r); k++) {
            const double x = bench_record_at(r, i, k);
            const char end = k + 1 < bench_record_width(r) ? ' ' : '\n';
            if (isfinite(x))
                fprintf(f, "%.12g%c", x, end);
            else
                fprintf(f, "nan%c", end);
        }
    fputs("END\n", f);
}

static const char *axis(const bench_columns *c, int i)
{
    static const char *const groups[] = {"p", "v", "a", "lam", "y", "y'", ""};
    return c->units[i] ? c->units[i] : groups[c->of[i].quantity];
}

/** All columns that share the axis of the first one. */
static void put_panel(const bench_record *r, int first, const unsigned *colours, const bench_picture *picture)
{
    FILE *f = picture->script;
    const bench_columns *c = r->columns;
    const char *before = "\nplot ";
    int line = 0;
    fputs("set ylabel ", f);
    bench_picture_words(picture, axis(c, first));
    for (int i = first; i < c->n; i++) {
        if (!are_alike(c, first, i)) continue;
        fprintf(f, "%s$rows using 1:%d with lines lw 1.5 lc rgb '#%06x' title ", before, i + 2,
                colours[line++ % COLOURS]);
        bench_picture_words(picture, c->names[i]);
        before = ", ";
    }
    fputc('\n', f);
}

void bench_trajectory_draw(const bench_record *record, const char *title, const bench_picture *picture)
{
    FILE *f = picture->script;
    unsigned colours[COLOURS];
    const bench_columns *c = record->columns;
    bench_palette_fill(colours, COLOURS);
    put_data(record, f);
    fprintf(f,
            "set grid\nset tics out nomirror\nset key outside right top\nset rmargin 22\nset lmargin 12\n"
            "set xrange [%.12g:%.12g]\nset multiplot layout %d,1 title ",
            bench_record_at(record, 0, 0), bench_record_at(record, record->rows - 1, 0), bench_trajectory_panels(c));
    bench_picture_words(picture, title);
    fputc('\n', f);
    int panel = 0;
    for (int i = 0; i < c->n; i++) {
        if (!is_first(c, i)) continue;
        if (++panel == bench_trajectory_panels(c)) fputs("set xlabel 't [s]'\n", f);
        put_panel(record, i, colours, picture);
    }
    fputs("unset multiplot\n", f);
}
