/* trajectory_picture.c - writes a data block with all rows, and one plot per panel above a common t axis. */
#include "trajectory_picture.h"

#include "program/base/complain.h"
#include "program/picture/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 300, NAMES_WIDE = 5 };
enum { PANEL_HEIGHT = 260, PANEL_RIGHT = 684, NAMES_LEFT = 704, WIDTH = 900, LETTER = 9, SAMPLE = 81 }; /* pixels */

/** Return 1 if two columns share an axis. */
static int do_share_axis(const cmd_columns *c, int i, int k)
{
    return c->of[i].of == c->of[k].of && c->of[i].by == c->of[k].by && strcmp(c->of[i].unit, c->of[k].unit) == 0;
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
    static const char *const groups[] = {"p", "v", "a", "lam", "y", "y'", "out"};
    const cmd_place_of *of = &c->of[i];
    char what[NAME], label[NAME + CMD_UNIT_SIZE];
    snprintf(what, NAME, of->by ? "d(%s)/d(%s)" : "%s", groups[of->of], of->by);
    cmd_picture_words(picture, cmd_unit_label(what, of->unit, label, sizeof label));
}

/** The columns of a panel. */
typedef struct panel {
    const cmd_record *record;
    int *columns; /**< [n] */
    int n;
} panel;

static double get_ordinate(const void *self, int curve, long row)
{
    const panel *p = self;
    return cmd_record_at(p->record, row, 1 + p->columns[curve]);
}

static void put_curves(const panel *p, const int *dash, const cmd_picture *picture)
{
    FILE *f = picture->script;
    const cmd_columns *c = p->record->columns;
    const int room = count_names_per_column(c) * NAMES_WIDE, named = p->n > room ? room - 1 : p->n;
    for (int line = 0; line < p->n; line++) {
        const int i = p->columns[line];
        fprintf(f, "%s$rows using 1:%d with lines lt %d lw 1.5 dt %d title ", line > 0 ? ", " : "\nplot ", i + 2,
                1 + line % CMD_PICTURE_COLOURS, dash[line]);
        cmd_picture_words(picture, line < named ? c->names[i] : "");
    }
    if (named < p->n) fprintf(f, ", NaN with dots lc rgb 'white' title 'and %d more'", p->n - named);
    fputc('\n', f);
}

/** Draw all columns that share the axis of column `first`. @return 0; CMD_EXIT_FAILED after one complaint */
static int put_panel(const cmd_record *r, int first, const cmd_picture *picture)
{
    const cmd_columns *c = r->columns;
    const size_t most = (size_t)count_lines_of_panel(c, first);
    int *all = calloc(2 * most + 1, sizeof *all), *dash = all ? all + most : NULL;
    panel p = {r, all, 0};
    if (!all) return cmd_no_memory();
    for (int i = first; i < c->n; i++)
        if (do_share_axis(c, first, i)) p.columns[p.n++] = i;
    cmd_curves_dash(&(cmd_curves){p.n, r->rows, get_ordinate, &p}, dash);
    fputs("set ylabel ", picture->script);
    put_axis(c, first, picture);
    put_curves(&p, dash, picture);
    free(all);
    return 0;
}

int cmd_trajectory_draw(const cmd_record *record, const char *title, const cmd_picture *picture)
{
    FILE *f = picture->script;
    const cmd_columns *c = record->columns;
    int width, height;
    cmd_trajectory_size(c, &width, &height);
    put_data(record, f);
    fprintf(
        f,
        "set grid\nset tics out nomirror\nset key at graph 1.01, graph 1 left top Left reverse vertical maxrows %d\n"
        "set rmargin at screen %.4f\nset lmargin 14\nset xrange [%.12g:%.12g]\nset multiplot layout %d,1 title ",
        count_names_per_column(c), (double)PANEL_RIGHT / width, cmd_record_at(record, 0, 0),
        cmd_record_at(record, record->rows - 1, 0), cmd_trajectory_panels(c));
    cmd_picture_words(picture, title);
    fputc('\n', f);
    int n = 0, code = 0;
    for (int i = 0; i < c->n && code == 0; i++) {
        if (!is_first_in_panel(c, i)) continue;
        if (++n == cmd_trajectory_panels(c)) fputs("set xlabel 't [s]'\n", f);
        code = put_panel(record, i, picture);
    }
    fputs("unset multiplot\n", f);
    return code;
}
