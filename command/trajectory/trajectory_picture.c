/* trajectory_picture.c - a data block with all rows, and a plot for each panel, t below all of them. */
#include "trajectory_picture.h"

#include "program/picture/palette.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 12, NAME = 300 };

/** Do two columns share an axis? */
static int are_alike(const cmd_columns *c, int i, int k)
{
    const char *a = c->of[i].unit, *b = c->of[k].unit;
    if (c->of[i].of != c->of[k].of || c->of[i].by != c->of[k].by) return 0;
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/** Is it the first one of its panel? */
static int is_first(const cmd_columns *c, int i)
{
    int k = 0;
    while (k < i && !are_alike(c, i, k)) k++;
    return k == i;
}

int cmd_trajectory_panels(const cmd_columns *columns)
{
    int n = 0;
    for (int i = 0; i < columns->n; i++) n += is_first(columns, i);
    return n;
}

static void put_data(const cmd_record *r, FILE *f)
{
    fputs("set datafile missing 'nan'\n$rows << END\n", f);
    for (long i = 0; i < r->rows; i++)
        for (int k = 0; k < cmd_record_width(r); k++) {
            const double x = cmd_record_at(r, i, k);
            const char end = k + 1 < cmd_record_width(r) ? ' ' : '\n';
            if (isfinite(x))
                fprintf(f, "%.12g%c", x, end);
            else
                fprintf(f, "nan%c", end);
        }
    fputs("END\n", f);
}

static void put_axis(const cmd_columns *c, int i, const cmd_picture *picture)
{
    static const char *const groups[] = {"p", "v", "a", "lam", "y", "y'", ""};
    const cmd_place_of *of = &c->of[i];
    char text[NAME];
    const char *what = of->of != CMD_OF_OUT ? groups[of->of] : "out";
    snprintf(text, NAME, "d(%s)/d(%s)", what, of->by ? of->by : "");
    cmd_picture_words(picture, of->by ? text : of->unit ? of->unit : groups[of->of]);
}

/** All columns that share the axis of the first one. */
static void put_panel(const cmd_record *r, int first, const unsigned *colours, const cmd_picture *picture)
{
    FILE *f = picture->script;
    const cmd_columns *c = r->columns;
    const char *before = "\nplot ";
    int line = 0;
    fputs("set ylabel ", f);
    put_axis(c, first, picture);
    for (int i = first; i < c->n; i++) {
        if (!are_alike(c, first, i)) continue;
        fprintf(f, "%s$rows using 1:%d with lines lw 1.5 lc rgb '#%06x' title ", before, i + 2,
                colours[line++ % COLOURS]);
        cmd_picture_words(picture, c->names[i]);
        before = ", ";
    }
    fputc('\n', f);
}

void cmd_trajectory_draw(const cmd_record *record, const char *title, const cmd_picture *picture)
{
    FILE *f = picture->script;
    unsigned colours[COLOURS];
    const cmd_columns *c = record->columns;
    cmd_palette_fill(colours, COLOURS);
    put_data(record, f);
    fprintf(f,
            "set grid\nset tics out nomirror\nset key outside right top Left reverse\nset rmargin 22\nset lmargin 12\n"
            "set xrange [%.12g:%.12g]\nset multiplot layout %d,1 title ",
            cmd_record_at(record, 0, 0), cmd_record_at(record, record->rows - 1, 0), cmd_trajectory_panels(c));
    cmd_picture_words(picture, title);
    fputc('\n', f);
    int panel = 0;
    for (int i = 0; i < c->n; i++) {
        if (!is_first(c, i)) continue;
        if (++panel == cmd_trajectory_panels(c)) fputs("set xlabel 't [s]'\n", f);
        put_panel(record, i, colours, picture);
    }
    fputs("unset multiplot\n", f);
}
