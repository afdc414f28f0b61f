/* plane.c - see plane.h. */
#include "plane.h"

#include <math.h>

cmd_plane cmd_plane_all(const double *re, const double *im, int n)
{
    cmd_plane part = {-INFINITY, INFINITY, -INFINITY, INFINITY, 0};
    double fastest = 0;
    for (int k = 0; k < n; k++) fastest = fmax(fastest, im[k]);
    if (fastest > 0) part.left = -fastest;
    for (int k = 0; k < n; k++) part.n_left += re[k] < part.left;
    if (part.n_left == 0) part.left = -INFINITY;
    return part;
}

void cmd_plane_begin(const cmd_picture *picture, const char *title, int panels)
{
    FILE *f = picture->script;
    fprintf(f, "set multiplot layout 1,%d title ", panels);
    cmd_picture_words(picture, title);
    fputs("\nset grid\nset tics out nomirror\nset xzeroaxis lw 2\nset yzeroaxis lw 2\nset key below height 1\n"
          "set ylabel 'imaginary part [rad/s]'\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n",
          f);
}

static void put_range(char axis, double from, double to, FILE *f)
{
    fprintf(f, "set %crange [", axis);
    if (isfinite(from)) fprintf(f, "%.17g", from);
    fputc(':', f);
    if (isfinite(to)) fprintf(f, "%.17g", to);
    fputs("]\n", f);
}

void cmd_plane_axes(const cmd_picture *picture, const cmd_plane *part)
{
    FILE *f = picture->script;
    fputs("set autoscale\nset xlabel 'real part [1/s]", f);
    if (part->n_left > 0) fprintf(f, "; %d more to the left", part->n_left);
    fputs("' offset 0,0.3\n", f);
    put_range('x', part->left, part->right, f);
    put_range('y', part->low, part->high, f);
}
