/* linearize_picture.c - draws eigenvalues and their conjugates in the complex plane, with the axes. */
#include "linearize.h"

#include <math.h>

/* These colours are distinguishable with colour vision deficiency. */
static const char *const of_model = "#0072B2", *const of_form = "#D55E00";

static void put_points(const cmd_linear *l, int breaks, FILE *f)
{
    const resida_modes *m = &l->modes;
    fprintf(f, "$points%d << END\n", breaks);
    for (int k = 0; k < m->n; k++) {
        if ((m->breaks[k] != 0) != breaks) continue;
        fprintf(f, "%.17g %.17g\n", m->re[k], m->im[k]);
        if (m->im[k] > 0) fprintf(f, "%.17g %.17g\n", m->re[k], -m->im[k]);
    }
    fputs("END\n", f);
}

/* Set the left edge to minus the largest imaginary part. Modes that decay faster would compress the other modes.
 * @return the number of modes to the left of the edge */
static int find_left_edge(const resida_modes *m, double *left)
{
    double fastest = 0;
    int n = 0;
    for (int k = 0; k < m->n; k++) fastest = fmax(fastest, m->im[k]);
    *left = fastest > 0 ? -fastest : -INFINITY;
    for (int k = 0; k < m->n; k++) n += m->re[k] < *left;
    return n;
}

void cmd_linear_draw(const cmd_linear *l, const cmd_picture *picture)
{
    FILE *f = picture->script;
    int n_of_form = 0;
    for (int k = 0; k < l->modes.n; k++) n_of_form += l->modes.breaks[k] != 0;
    put_points(l, 0, f);
    put_points(l, 1, f);
    fputs("set title ", f);
    cmd_picture_words(picture, l->job->model->cls->name);
    fputs("\nset grid\nset tics out nomirror\nset xzeroaxis\nset yzeroaxis lw 2\nset key tmargin right\n"
          "set xlabel 'real part in 1/s'\nset ylabel 'imaginary part in rad/s'\nset offsets graph 0.05, graph 0.05, "
          "graph 0.05, graph 0.05\n",
          f);
    double left;
    const int n_left = find_left_edge(&l->modes, &left);
    if (n_left > 0)
        fprintf(f, "set xlabel 'real part in 1/s; %d more to the left'\nset xrange [%.17g:]\n", n_left, left);
    if (l->modes.n == 0) {
        fputs("set xrange [-1:1]\nset yrange [-1:1]\nplot NaN title 'no mode'\n", f);
        return;
    }
    fputs("plot ", f);
    if (n_of_form < l->modes.n) fprintf(f, "$points0 using 1:2 with points pt 7 lc rgb '%s' title 'modes'", of_model);
    if (n_of_form > 0)
        fprintf(f, "%s$points1 using 1:2 with points pt 4 lc rgb '%s' title 'break the constraints'",
                n_of_form < l->modes.n ? ", " : "", of_form);
    fputc('\n', f);
}
