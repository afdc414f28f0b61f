/* pattern_picture.c - a pattern as a picture, after Figures 3 to 5 of M. Arnold, A. Fuchs, C. Fuehrer, Efficient
 * corrector iteration for DAE time integration in multibody dynamics: rows downwards, columns to the right, a square
 * for each entry, borders between the blocks of p, v, lam, eta; here with a colour for each group of columns. Columns of
 * a group share no row of what costs residual calls; where the formalism is a part of its own, entries from the
 * constraints may lie side by side. */
#include "pattern.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 800, SMALL = 150 };

/** 0xRRGGBB of a hue in 0..1, saturation and brightness. */
static unsigned from_hue(double hue, double saturation, double brightness)
{
    unsigned rgb = 0;
    for (int k = 0; k < 3; k++) {
        double away = fabs(fmod(6 * hue + 6 - 2 * k, 6) - 3) - 1; /* 6 hue is 0 at red, 2 at green, 4 at blue */
        double part = 1 - saturation * (1 - fmin(fmax(away, 0), 1));
        rgb = 256 * rgb + (unsigned)lround(255 * brightness * part);
    }
    return rgb;
}

/** Hues a golden section apart are as different as that many can be; every other one is darker. */
static unsigned colour_of(const bench_pattern *pattern, int column)
{
    static const unsigned known = 0xa8a8a8, alone = 0x30508c;
    static const double golden = 0.61803398874989485;
    if (!pattern->group) return alone;
    int g = pattern->group[column];
    if (g < 0) return known;
    return from_hue(fmod(0.6 + golden * g, 1), g % 2 ? 0.95 : 0.75, g % 2 ? 0.62 : 0.88);
}

static void data(const bench_pattern *pattern, FILE *f)
{
    const resida_jacobian_matrix *J = &pattern->J;
    fputs("$entries << END\n", f);
    for (int c = 0; c < J->n; c++)
        for (int e = J->start[c]; e < J->start[c + 1]; e++)
            fprintf(f, "%d %d %u\n", c + 1, J->row[e] + 1, colour_of(pattern, c));
    fputs("END\n", f);
}

static void title(const bench_pattern *pattern, const bench_picture *picture)
{
    char text[512], groups[64] = "columns not grouped";
    const bench_model *m = pattern->job->model;
    if (pattern->group)
        snprintf(groups, sizeof groups, "%d group%s of columns", pattern->n_groups, pattern->n_groups == 1 ? "" : "s");
    fputs("set title ", picture->script);
    snprintf(text, sizeof text, "%s: %s, %s formalism, form %s", m->cls->name, pattern->strategy, pattern->formalism,
             pattern->form);
    if (m->model.is_dae) snprintf(text, sizeof text, "%s: %s", m->cls->name, pattern->strategy);
    bench_picture_words(picture, text);
    snprintf(text, sizeof text, "n = %d, %d non-zeros, %s", pattern->J.n, pattern->J.nnz, groups);
    fputs(".\"\\n\".", picture->script);
    bench_picture_words(picture, text);
    fputc('\n', picture->script);
}

/** Lines between blocks, their names above and on the right. */
static void blocks_of(const bench_pattern *pattern, FILE *f)
{
    bench_block blocks[BENCH_BLOCKS_MAX + 1];
    int n = bench_pattern_blocks(pattern, blocks), last = pattern->J.n;
    for (int b = 1; b < n; b++) {
        double at = blocks[b].first + 0.5;
        fprintf(f, "set arrow from %g,0.5 to %g,%g nohead lw 1 lc rgb '#404040' front\n", at, at, last + 0.5);
        fprintf(f, "set arrow from 0.5,%g to %g,%g nohead lw 1 lc rgb '#404040' front\n", at, last + 0.5, at);
    }
    if (n == 0) return;
    fprintf(f,
            "set x2range [0.5:%g]\nset y2range [%g:0.5]\nset x2tics scale 0 ()\nset y2tics scale 0 rotate by 90 ()\n",
            last + 0.5, last + 0.5);
    for (int b = 0; b < n; b++) {
        double middle = (blocks[b].first + blocks[b + 1].first + 1) / 2.0;
        fprintf(f, "set x2tics add ('%s' %g)\n", blocks[b].symbol, middle);
        fprintf(f, "set y2tics add ('%s' %g) center\n", blocks[b].equations, middle);
    }
}

void bench_pattern_draw(const bench_pattern *pattern, const bench_picture *picture)
{
    FILE *f = picture->script;
    int n = pattern->J.n, grey = 0;
    for (int c = 0; c < n && pattern->group; c++) grey |= pattern->group[c] < 0;
    data(pattern, f);
    title(pattern, picture);
    fprintf(f, "set size ratio -1\nset xrange [0.5:%g]\nset yrange [%g:0.5]\n", n + 0.5, n + 0.5);
    fputs("set tics out nomirror\nset border 15 lw 1\nunset key\n", f);
    fprintf(f, "set xlabel '%s'\nset ylabel 'row'\n",
            grey ? "column (a colour for each group; grey: no residual calls)" : "column");
    blocks_of(pattern, f);
    double half = n <= SMALL ? 0.44 : 0.5;
    fprintf(f,
            "plot $entries using 1:2:($1-%g):($1+%g):($2-%g):($2+%g):3 with boxxyerror fillstyle solid 1 noborder "
            "linecolor rgb variable\n",
            half, half, half, half);
}

int bench_pattern_open_picture(bench_picture *picture, const char *path)
{
    return bench_picture_open(picture, path, WIDTH, HEIGHT);
}
