/* locus_picture.c - draws the root locus: eigenvalues over a parameter in the complex plane, joined from value to
 * value, and a panel about the imaginary axis with the path of the rightmost eigenvalue.
 *
 * Eigenvalues of adjacent values are matched in the order of their distances, each once. Two real eigenvalues that
 * become a pair, or the reverse, are joined with it. */
#include "critical.h"
#include "plane.h"

#include "program/base/complain.h"
#include "program/picture/palette.h"
#include "program/run/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 640, WORDS = 160 };
#define MARGIN 0.1 /* about the path of the rightmost eigenvalue, relative to its extent */
#define BESIDE 2.0 /* to the left of it, for eigenvalues that are about to be the rightmost */
#define CLOSER 2.0 /* min. ratio of the scales of the panels */

/* Two eigenvalues at adjacent values, and their distance. */
typedef struct link {
    double distance;
    int from, to;
} link;

static int compare_links(const void *a, const void *b)
{
    const link *x = a, *y = b;
    return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static double get_distance(const cmd_locus_point *x, int i, const cmd_locus_point *y, int k)
{
    return hypot(x->re[i] - y->re[k], x->im[i] - y->im[k]);
}

static void put_segment(const cmd_locus_point *x, int i, const cmd_locus_point *y, int k, FILE *f)
{
    for (int sign = 1; sign >= (x->im[i] > 0 || y->im[k] > 0 ? -1 : 1); sign -= 2)
        fprintf(f, "%.17g %.17g %.17g\n%.17g %.17g %.17g\n\n", x->re[i], sign * x->im[i], x->value, y->re[k],
                sign * y->im[k], y->value);
}

/* Join the real eigenvalues of x without a match to the closest pair of y that a real eigenvalue of x has become. */
static void put_merging(const cmd_locus_point *x, const cmd_locus_point *y, const int *to, const int *from, FILE *f)
{
    for (int i = 0; i < x->n; i++) {
        int best = -1;
        for (int k = 0; k < y->n && to[i] < 0 && x->im[i] == 0; k++)
            if (y->im[k] > 0 && from[k] >= 0 && x->im[from[k]] == 0 &&
                (best < 0 || get_distance(x, i, y, k) < get_distance(x, i, y, best)))
                best = k;
        if (best >= 0) put_segment(x, i, y, best, f);
    }
}

/* Match the eigenvalues of x and y. links [x->n y->n], to [x->n], from [y->n] are overwritten. */
static void put_joined(const cmd_locus_point *x, const cmd_locus_point *y, link *links, int *to, int *from, FILE *f)
{
    int n = 0;
    for (int i = 0; i < x->n; i++) to[i] = -1;
    for (int k = 0; k < y->n; k++) from[k] = -1;
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < y->n; k++) links[n++] = (link){get_distance(x, i, y, k), i, k};
    qsort(links, (size_t)n, sizeof *links, compare_links);
    for (int e = 0; e < n; e++) {
        if (to[links[e].from] >= 0 || from[links[e].to] >= 0) continue;
        to[links[e].from] = links[e].to, from[links[e].to] = links[e].from;
        put_segment(x, links[e].from, y, links[e].to, f);
    }
    put_merging(x, y, to, from, f);
    put_merging(y, x, from, to, f);
}

/* @return 0; CMD_EXIT_FAILED after one complaint */
static int put_lines(const cmd_critical *c, FILE *f)
{
    size_t most = 1;
    for (int k = 0; k < c->n; k++) most = (size_t)c->points[k].n > most ? (size_t)c->points[k].n : most;
    link *links = calloc(most * most, sizeof *links);
    int *to = calloc(2 * most, sizeof *to);
    fputs("$lines << END\n", f);
    for (int k = 1; k < c->n && links && to; k++) put_joined(&c->points[k - 1], &c->points[k], links, to, to + most, f);
    fputs("END\n", f);
    const int code = links && to ? 0 : cmd_no_memory();
    free(links);
    free(to);
    return code;
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
    const cmd_critical_change *first = cmd_critical_first(c);
    if (first) fprintf(f, "%.17g %.17g\n%.17g %.17g\n", first->re, first->im, first->re, -first->im);
    fputs("END\n", f);
}

/* Return the part of the plane with all eigenvalues of all values. */
static cmd_plane find_all(const cmd_critical *c, double *re, double *im)
{
    int n = 0;
    for (int k = 0; k < c->n; k++) {
        const size_t here = (size_t)c->points[k].n;
        if (here > 0) memcpy(re + n, c->points[k].re, here * sizeof *re);
        if (here > 0) memcpy(im + n, c->points[k].im, here * sizeof *im);
        n += c->points[k].n;
    }
    return cmd_plane_all(re, im, n);
}

/* Find the part about the imaginary axis with the path of the rightmost eigenvalue.
 * @return 0 if it is not much smaller than that with all eigenvalues */
static int find_part_about_axis(const cmd_critical *c, const cmd_plane *all, cmd_plane *part)
{
    double left = 0, right = 0, high = 0, leftmost = 0;
    for (int k = 0; k < c->n; k++) {
        const cmd_locus_point *x = &c->points[k];
        for (int i = 0; i < x->n; i++) leftmost = fmin(leftmost, fmax(x->re[i], all->left));
        if (x->rightmost < 0) continue;
        left = fmin(left, x->re[x->rightmost]), right = fmax(right, x->re[x->rightmost]);
        high = fmax(high, x->im[x->rightmost]);
    }
    const double extent = right - left;
    *part = (cmd_plane){left - BESIDE * extent, right + MARGIN * extent, high > 0 ? 0 : -1,
                        high > 0 ? high * (1 + MARGIN) : 1, 0};
    return extent > 0 && right - leftmost > CLOSER * (part->right - part->left);
}

static void put_panel(const cmd_critical *c, const cmd_plane *part, const cmd_picture *picture)
{
    FILE *f = picture->script;
    char words[WORDS];
    const cmd_critical_change *first = cmd_critical_first(c);
    cmd_plane_axes(picture, part);
    fputs("plot $lines using 1:2:3 with lines lw 1.5 lc palette notitle, "
          "$points using 1:2:3 with points pt 7 ps 0.4 lc palette notitle",
          f);
    if (first) {
        fputs(", $critical using 1:2 with points lt 2 pt 6 ps 2 lw 2 title ", f);
        snprintf(words, sizeof words, "critical: %.60s = %.6g%s%.60s", c->name, first->value,
                 cmd_unit_is_written(c->unit) ? " " : "", cmd_unit_is_written(c->unit) ? c->unit : "");
        cmd_picture_words(picture, words);
    }
    fputc('\n', f);
}

static void put_panels(const cmd_critical *c, const cmd_plane *all, const cmd_picture *picture)
{
    FILE *f = picture->script;
    char label[WORDS];
    cmd_plane part;
    const int has_part = find_part_about_axis(c, all, &part);
    unsigned colours[CMD_PICTURE_COLOURS];
    cmd_palette_fill(colours, CMD_PICTURE_COLOURS);
    cmd_plane_begin(picture, c->model, 1 + has_part);
    fprintf(f, "set palette defined (0 '#%06x', 1 '#%06x')\nset cbrange [%.17g:%.17g]\nset cblabel ", colours[0],
            colours[3], fmin(c->low, c->high), fmax(c->low, c->high));
    cmd_picture_words(picture, cmd_unit_label(c->name, c->unit, label, sizeof label));
    fputs(has_part ? "\nunset colorbox\n" : "\n", f);
    put_panel(c, all, picture);
    if (has_part) fputs("set colorbox\n", f);
    if (has_part) put_panel(c, &part, picture);
    fputs("unset multiplot\n", f);
}

int cmd_critical_draw(const cmd_critical *c, const char *path)
{
    cmd_picture picture = {0};
    size_t n = 0;
    for (int k = 0; k < c->n; k++) n += (size_t)c->points[k].n;
    double *re = calloc(2 * n + 1, sizeof *re);
    int code = re ? cmd_picture_open(&picture, path, WIDTH, HEIGHT) : cmd_no_memory();
    if (code == 0) put_points(c, picture.script);
    if (code == 0) code = put_lines(c, picture.script);
    const cmd_plane all = code == 0 ? find_all(c, re, re + n) : (cmd_plane){.n_left = 0};
    if (code == 0 && n > 0) put_panels(c, &all, &picture);
    if (code == 0 && n == 0) fputs("set xrange [-1:1]\nset yrange [-1:1]\nplot NaN title 'no mode'\n", picture.script);
    if (code == 0) code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    free(re);
    return code;
}
