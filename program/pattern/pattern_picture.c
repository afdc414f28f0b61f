/* pattern_picture.c - draws a pattern as in Figures 3 to 5 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector
 * iteration for DAE time integration in multibody dynamics: a square for each entry, with borders between the blocks of
 * p, v, lam, eta. Here each group of columns has a colour and a number. Columns of a group share no row of the part
 * that needs residual calls; if the formalism is a separate part, entries from constraints may share rows.
 * Alternatively all columns of a group are drawn in one column, with a colour for the first, second ... of them. */
#include "pattern.h"

#include "program/picture/palette.h"

/** Patterns up to SMALL have numbers above columns, and gaps between squares. Colours repeat after COLOURS. */
enum { WIDTH = 820, HEIGHT = 800, SMALL = 150, COLOURS = 256, LARGEST_LETTERS = 9, SQUARE = 560 };

static unsigned get_column_colour(const cmd_pattern_work *pattern, const unsigned *colours, int column)
{
    static const unsigned alone = 0x30508c;
    if (!pattern->group) return alone;
    return pattern->group[column] < 0 ? cmd_palette_grey : colours[pattern->group[column] % COLOURS];
}

/** Write the entries of a column at x, counted from 1. */
static void write_column_data(const cmd_pattern_work *pattern, int column, int x, unsigned colour, FILE *f)
{
    const resida_jacobian_matrix *J = &pattern->J;
    for (int e = J->start[column]; e < J->start[column + 1]; e++) fprintf(f, "%d %d %u\n", x, J->row[e] + 1, colour);
}

static void write_data(const cmd_pattern_work *pattern, FILE *f)
{
    unsigned colours[COLOURS];
    cmd_palette_fill(colours, COLOURS);
    fputs("$entries << END\n", f);
    for (int c = 0; c < pattern->J.n; c++)
        write_column_data(pattern, c, c + 1, get_column_colour(pattern, colours, c), f);
    fputs("END\n", f);
}

/** Return the number of columns before c in the same group. */
static int count_before_in_group(const cmd_pattern_work *pattern, int c)
{
    int place = 0;
    for (int i = 0; i < c; i++) place += pattern->group[i] == pattern->group[c];
    return place;
}

static void write_group_data(const cmd_pattern_work *pattern, FILE *f)
{
    unsigned colours[COLOURS];
    cmd_palette_fill(colours, COLOURS);
    fputs("$entries << END\n", f);
    for (int c = 0; c < pattern->J.n; c++)
        if (pattern->group[c] >= 0)
            write_column_data(pattern, c, pattern->group[c] + 1, colours[count_before_in_group(pattern, c) % COLOURS],
                              f);
    fputs("END\n", f);
}

/** Write the number of its group above each column. Letters are as wide as a column; a reader can enlarge an SVG. */
static void write_group_numbers(const cmd_pattern_work *pattern, FILE *f)
{
    int n = pattern->J.n, letters = SQUARE / (n > 0 ? n : 1);
    if (!pattern->group || n > SMALL) return;
    const char *turned =
        letters < LARGEST_LETTERS ? "left rotate by 90" : "center"; /* two digits are wider than high */
    for (int c = 0; c < n; c++)
        if (pattern->group[c] >= 0)
            fprintf(f, "set label '%d' at first %d, graph 1.015 %s font ',%d'\n", pattern->group[c] + 1, c + 1, turned,
                    letters < LARGEST_LETTERS ? letters : LARGEST_LETTERS);
}

/** Write lines between blocks of columns, with names above. */
static void write_column_blocks(const cmd_pattern_work *pattern, FILE *f)
{
    cmd_block blocks[CMD_BLOCKS_MAX + 1];
    int n = cmd_pattern_blocks(pattern, blocks), last = pattern->J.n;
    if (n > 0) fprintf(f, "set x2range [0.5:%g]\nset x2tics scale 0 offset 0,0.5 ()\n", last + 0.5);
    for (int b = 0; b < n; b++) {
        double at = blocks[b].first + 0.5, middle = (blocks[b].first + blocks[b + 1].first + 1) / 2.0;
        fprintf(f, "set x2tics add ('%s' %g)\n", blocks[b].symbol, middle);
        if (b > 0)
            fprintf(f, "set arrow from %g,0.5 to %g,%g nohead lw 1 lc rgb '#404040' front\n", at, at, last + 0.5);
    }
}

/** Write lines between blocks of rows up to x = width, with names on the right. */
static void write_row_blocks(const cmd_pattern_work *pattern, int width, FILE *f)
{
    cmd_block blocks[CMD_BLOCKS_MAX + 1];
    int n = cmd_pattern_blocks(pattern, blocks), last = pattern->J.n;
    if (n > 0) fprintf(f, "set y2range [%g:0.5]\nset y2tics scale 0 ()\n", last + 0.5);
    for (int b = 0; b < n; b++) {
        double at = blocks[b].first + 0.5, middle = (blocks[b].first + blocks[b + 1].first + 1) / 2.0;
        fprintf(f, "set y2tics add ('%s' %g)\n", blocks[b].equations, middle);
        if (b > 0)
            fprintf(f, "set arrow from 0.5,%g to %g,%g nohead lw 1 lc rgb '#404040' front\n", at, width + 0.5, at);
    }
}

/** Write names of modules instead of numbers on an axis, "x" or "y", and thin lines between the modules of the block
 *  that begins at `block`. */
static void write_module_axis(const cmd_module *modules, int n, int block, int last, const char *axis, FILE *f)
{
    for (int k = 0; k < n; k++) {
        double at = block + modules[k].first + 0.5,
               middle = block + (modules[k].first + modules[k + 1].first + 1) / 2.0;
        fprintf(f, "set %stics add ('%s' %g)\n", axis, modules[k].name, middle);
        if (k == 0) continue;
        if (axis[0] == 'x')
            fprintf(f, "set arrow from %g,0.5 to %g,%g", at, at, last + 0.5);
        else
            fprintf(f, "set arrow from 0.5,%g to %g,%g", at, last + 0.5, at);
        fputs(" nohead lw 0.5 dt 2 lc rgb '#909090' back\n", f);
    }
}

static void write_module_axes(const cmd_pattern_work *pattern, FILE *f)
{
    cmd_module modules[CMD_MODULES_MAX + 1];
    int n = cmd_pattern_modules(pattern, modules);
    if (n == 0) return;
    fputs("set xtics scale 0 rotate by 90 right ()\nset ytics scale 0 ()\nset bmargin 7\n", f);
    for (int axis = 0; axis < 2; axis++) {
        write_module_axis(modules, n, pattern->layout.p, pattern->J.n, axis ? "y" : "x", f);
        write_module_axis(modules, n, pattern->layout.v, pattern->J.n, axis ? "y" : "x", f);
    }
}

/** Write the script except the data: titles, axes, squares. */
static void write_plot(const cmd_pattern_work *pattern, const cmd_picture *picture, int width, const char *title,
                       const char *subtitle)
{
    FILE *f = picture->script;
    fputs("set title ", f);
    cmd_picture_words(picture, title);
    fputs(".\"\\n\".", f);
    cmd_picture_words(picture, subtitle);
    fprintf(f, " offset 0,0.5\nset xrange [0.5:%g]\nset yrange [%g:0.5]\n", width + 0.5, pattern->J.n + 0.5);
    fputs("set tics out nomirror\nset border 15 lw 1\nunset key\nset ylabel 'row'\n", f);
    write_row_blocks(pattern, width, f);
    double half = pattern->J.n <= SMALL ? 0.44 : 0.5;
    fprintf(f,
            "plot $entries using 1:2:($1-%g):($1+%g):($2-%g):($2+%g):3 with boxxyerror fillstyle solid 1 noborder "
            "linecolor rgb variable\n",
            half, half, half, half);
}

void cmd_pattern_draw_as(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                         const char *subtitle)
{
    FILE *f = picture->script;
    int n = pattern->J.n, grey = 0;
    for (int c = 0; c < n && pattern->group; c++) grey |= pattern->group[c] < 0;
    write_data(pattern, f);
    fprintf(f, "set size ratio -1\nset xlabel '%s'\n",
            !grey       ? "column"
            : n > SMALL ? "column (a colour for each group; grey: no residual calls)"
                        : "column (a number and a colour for each group; grey: no residual calls)");
    write_group_numbers(pattern, f);
    write_column_blocks(pattern, f);
    write_plot(pattern, picture, n, title, subtitle);
}

const char *cmd_pattern_describe(const cmd_pattern_work *pattern, char text[CMD_PATTERN_WORDS])
{
    char groups[64] = "columns not grouped";
    if (pattern->group)
        snprintf(groups, sizeof groups, "%d group%s of columns", pattern->n_groups, pattern->n_groups == 1 ? "" : "s");
    snprintf(text, CMD_PATTERN_WORDS, "n = %d, %d non-zeros, %s", pattern->J.n, pattern->J.nnz, groups);
    return text;
}

void cmd_pattern_draw(const cmd_pattern_work *pattern, const cmd_picture *picture)
{
    char title[512], subtitle[CMD_PATTERN_WORDS];
    const cmd_model *m = pattern->job->model;
    snprintf(title, sizeof title, "%s: %s, %s formalism, form %s", m->cls->name, pattern->strategy, pattern->formalism,
             pattern->form);
    if (m->model.is_dae) snprintf(title, sizeof title, "%s: %s", m->cls->name, pattern->strategy);
    write_module_axes(pattern, picture->script);
    cmd_pattern_draw_as(pattern, picture, title, cmd_pattern_describe(pattern, subtitle));
}

void cmd_pattern_draw_groups(const cmd_pattern_work *pattern, const cmd_picture *picture, const char *title,
                             const char *subtitle)
{
    write_group_data(pattern, picture->script);
    fputs("set xlabel 'group (a colour for its first, its second ... column)'\n", picture->script);
    write_plot(pattern, picture, pattern->n_groups, title, subtitle);
}

int cmd_pattern_open_picture(cmd_picture *picture, const char *path)
{
    return cmd_picture_open(picture, path, WIDTH, HEIGHT);
}
