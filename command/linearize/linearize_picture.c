/* linearize_picture.c - draws eigenvalues and their conjugates in the complex plane. If the slowest mode that swings is
 * close to zero at the scale of all modes, a second panel shows the decade about it. */
#include "linearize.h"
#include "plane.h"

#include <math.h>

#define DECADE 10.0

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

/* Find the part of the plane about zero. @return 0 if all modes are about as fast as the slowest that swings */
static int find_part_about_zero(const cmd_linear *l, const cmd_plane *all, cmd_plane *part)
{
    const resida_modes *m = &l->modes;
    const int slowest = cmd_linear_swinging(l);
    double fastest = 0;
    if (slowest < 0) return 0;
    const double radius = DECADE * hypot(m->re[slowest], m->im[slowest]);
    for (int k = 0; k < m->n; k++)
        if (m->re[k] >= all->left) fastest = fmax(fastest, hypot(m->re[k], m->im[k]));
    *part = (cmd_plane){-radius, radius / DECADE, -radius, radius, 0};
    for (int k = 0; k < m->n; k++) {
        part->n_left += m->re[k] < part->left && m->im[k] <= radius;
        if (m->im[k] <= radius) part->right = fmax(part->right, m->re[k]);
    }
    return radius < fastest / 2;
}

static void put_panel(const cmd_linear *l, const cmd_plane *part, int n_of_form, const cmd_picture *picture)
{
    FILE *f = picture->script;
    cmd_plane_axes(picture, part);
    fputs("plot ", f);
    if (n_of_form < l->modes.n) fputs("$points0 using 1:2 with points lt 1 pt 7 ps 0.7 title 'modes'", f);
    if (n_of_form > 0)
        fprintf(f, "%s$points1 using 1:2 with points lt 2 pt 4 title 'break the constraints'",
                n_of_form < l->modes.n ? ", " : "");
    fputc('\n', f);
}

void cmd_linear_draw(const cmd_linear *l, const cmd_picture *picture)
{
    FILE *f = picture->script;
    const cmd_plane all = cmd_plane_all(l->modes.re, l->modes.im, l->modes.n);
    cmd_plane part;
    int n_of_form = 0;
    for (int k = 0; k < l->modes.n; k++) n_of_form += l->modes.breaks[k] != 0;
    const int has_part = find_part_about_zero(l, &all, &part);
    put_points(l, 0, f);
    put_points(l, 1, f);
    cmd_plane_begin(picture, l->job->model->cls->name, 1 + has_part);
    if (l->modes.n == 0)
        fputs("set xrange [-1:1]\nset yrange [-1:1]\nplot NaN title 'no mode'\n", f);
    else
        put_panel(l, &all, n_of_form, picture);
    if (has_part) put_panel(l, &part, n_of_form, picture);
    fputs("unset multiplot\n", f);
}
