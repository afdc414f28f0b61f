/* trajectory_picture.c - writes a data block with all rows, and one plot per panel above a common t axis. */
#include "trajectory_picture.h"

#include "program/picture/palette.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 12, DASHES = 5, NAME = 300, NAMES_WIDE = 5 };
enum { PANEL_HEIGHT = 260, PANEL_RIGHT = 684, NAMES_LEFT = 704, WIDTH = 900, LETTER = 9, SAMPLE = 81 }; /* pixels */

/** Return 1 if two columns share an axis. */
static int do_share_axis(const cmd_columns *c, int i, int k)
{
    const char *a = c->of[i].unit, *b = c->of[k].unit;
    if (c->of[i].of != c->of[k].of || c->of[i].by != c->of[k].by) return 0;
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/** Return 1 if the column is the first in its panel. */
static int is_first_in_panel(const cmd_columns *c, int i)
{
    int k = 0;
    while (k < i && !do_share_axis(c, i, k)) k++;
    return k == i;
}

int cmd_trajectory_panels(const cmd_columns *columns)
{
    int n = 0;
    for (int i = 0; i < columns->n; i++) n += is_first_in_panel(columns, i);
    return n;
}

/** Return the number of names that fit in a column beside a panel with the t axis. */
static int count_names_per_column(const cmd_columns *c)
{
    return cmd_trajectory_panels(c) > 1 ? 7 : 18;
}

/** Return the number of columns in the panel of column i. */
static int count_lines_of_panel(const cmd_columns *c, int i)
{
    int n = 0;
    for (int k = 0; k < c->n; k++) n += do_share_axis(c, i, k);
    return n;
}

void cmd_trajectory_size(const cmd_columns *c, int *width, int *height)
{
    const int panels = cmd_trajectory_panels(c), high = count_names_per_column(c);
    int longest = (int)sizeof "and 100 more", most = 0;
    for (int i = 0; i < c->n; i++) {
        const int length = (int)strlen(c->names[i]), lines = count_lines_of_panel(c, i);
        most = lines > most ? lines : most;
        longest = length > longest ? length : longest;
    }
    const int wide = (most + high - 1) / high < NAMES_WIDE ? (most + high - 1) / high : NAMES_WIDE;
    const int right = NAMES_LEFT + wide * (SAMPLE + LETTER * longest);
    *width = right > WIDTH ? right : WIDTH;
    *height = PANEL_HEIGHT * (panels > 1 ? panels : 2);
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

/** Draw all columns that share the axis of column `first`. */
static void put_panel(const cmd_record *r, int first, const unsigned *colours, const cmd_picture *picture)
{
    FILE *f = picture->script;
    const cmd_columns *c = r->columns;
    const char *before = "\nplot ";
    const int room = count_names_per_column(c) * NAMES_WIDE, n = count_lines_of_panel(c, first),
              named = n > room ? room - 1 : n;
    int line = 0;
    fputs("set ylabel ", f);
    put_axis(c, first, picture);
    for (int i = first; i < c->n; i++) {
        if (!do_share_axis(c, first, i)) continue;
        fprintf(f, "%s$rows using 1:%d with lines lw 1.5 lc rgb '#%06x' dt %d title ", before, i + 2,
                colours[line % COLOURS], 1 + line / COLOURS % DASHES);
        cmd_picture_words(picture, line < named ? c->names[i] : "");
        line++;
        before = ", ";
    }
    if (named < n) fprintf(f, ", NaN with dots lc rgb 'white' title 'and %d more'", n - named);
    fputc('\n', f);
}

void cmd_trajectory_draw(const cmd_record *record, const char *title, const cmd_picture *picture)
{
    FILE *f = picture->script;
    unsigned colours[COLOURS];
    const cmd_columns *c = record->columns;
    int width, height;
    cmd_trajectory_size(c, &width, &height);
    cmd_palette_fill(colours, COLOURS);
    put_data(record, f);
    fprintf(
        f,
        "set grid\nset tics out nomirror\nset key at graph 1.01, graph 1 left top Left reverse vertical maxrows %d\n"
        "set rmargin at screen %.4f\nset lmargin 14\nset xrange [%.12g:%.12g]\nset multiplot layout %d,1 title ",
        count_names_per_column(c), (double)PANEL_RIGHT / width, cmd_record_at(record, 0, 0),
        cmd_record_at(record, record->rows - 1, 0), cmd_trajectory_panels(c));
    cmd_picture_words(picture, title);
    fputc('\n', f);
    int panel = 0;
    for (int i = 0; i < c->n; i++) {
        if (!is_first_in_panel(c, i)) continue;
        if (++panel == cmd_trajectory_panels(c)) fputs("set xlabel 't [s]'\n", f);
        put_panel(record, i, colours, picture);
    }
    fputs("unset multiplot\n", f);
}
