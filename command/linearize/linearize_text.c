/* linearize_text.c - writes modes as a table. Text lines report eigenvalues that are not modes of the model: zero,
 * infinite or omitted eigenvalues, and those of the formulation. */
#include "linearize.h"

#include "program/output/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, SHAPE = 160, LINE = 240 };
#define SMALL_PART 1e-6  /* relative to the largest component; smaller components are not written */
#define AT_REST    1e-9  /* m/s, rad/s, and accelerations; residual velocity after a start */
#define ROUNDING   1e-12 /* real part relative to |lambda| that is written as 0 */
#define GROWS      1e-9  /* real part relative to |lambda| that is neither growth nor decay */
static const double two_pi = 6.283185307179586476925;

double cmd_mode_frequency(const cmd_linear *l, int k)
{
    return l->modes.im[k] / two_pi;
}

double cmd_linear_growth(const cmd_linear *l)
{
    const resida_modes *m = &l->modes;
    double growth = 0;
    for (int k = 0; k < m->n; k++)
        if (!m->breaks[k] && m->re[k] > 2 * m->error[k] && m->re[k] > GROWS * hypot(m->re[k], m->im[k]))
            growth = fmax(growth, m->re[k]);
    return growth;
}

int cmd_linear_decays(const cmd_linear *l)
{
    const resida_modes *m = &l->modes;
    for (int k = 0; k < m->n; k++)
        if (!m->breaks[k] && (-m->re[k] <= 2 * m->error[k] || -m->re[k] <= GROWS * hypot(m->re[k], m->im[k]))) return 0;
    return 1;
}

double cmd_mode_damping(const cmd_linear *l, int k)
{
    const double size = hypot(l->modes.re[k], l->modes.im[k]);
    return size > 0 ? -l->modes.re[k] / size : 0;
}

int cmd_linear_swinging(const cmd_linear *l)
{
    const resida_modes *m = &l->modes;
    int slowest = -1;
    for (int k = 0; k < m->n; k++) {
        const double size = hypot(m->re[k], m->im[k]);
        if (m->breaks[k] || size <= 2 * m->error[k] || fabs(m->re[k]) >= m->im[k]) continue;
        if (slowest < 0 || size < hypot(m->re[slowest], m->im[slowest])) slowest = k;
    }
    return slowest;
}

/* Write the largest components of a shape, "beta 1, x -0.31+0.02i": positions of a mechanism unless all are zero. */
static void write_shape(const cmd_linear *l, const double *re, const double *im, char text[SHAPE])
{
    const int n = l->model.n_components;
    int n_used = 0, used[PARTS], length = 0;
    text[0] = 0;
    for (; n_used < PARTS; n_used++) {
        int best = -1;
        double size = SMALL_PART;
        for (int i = 0; i < n; i++) {
            const double here = hypot(re[i], im ? im[i] : 0);
            int is_used = 0;
            for (int k = 0; k < n_used; k++) is_used |= used[k] == i;
            if (i == l->n_parts && size > SMALL_PART) break;
            if (i >= l->n_parts && n_used > 0 && used[0] < l->n_parts) break;
            if (!is_used && here > size) size = here, best = i;
        }
        if (best < 0) break;
        used[n_used] = best;
        length += snprintf(text + length, (size_t)(SHAPE - length), "%s%.24s %.3g", n_used ? ", " : "",
                           l->model.outputs[best], re[best]);
        if (im && fabs(im[best]) > SMALL_PART && length < SHAPE)
            length += snprintf(text + length, (size_t)(SHAPE - length), "%+.3gi", im[best]);
        if (length >= SHAPE) break;
    }
}

/* Return 1 if the eigenvalue cannot be distinguished from zero. */
static int may_be_zero(const resida_modes *m, int k)
{
    return hypot(m->re[k], m->im[k]) <= 2 * m->error[k];
}

static void put_modes(const cmd_linear *l, FILE *f)
{
    const resida_modes *m = &l->modes;
    cmd_table table;
    char shape[SHAPE];
    if (m->n == 0) return;
    cmd_table_begin(&table, "mode\tfrequency/Hz\tdamping\treal/(1/s)\timag/(1/s)\t<shape");
    for (int k = 0; k < m->n; k++) {
        write_shape(l, m->shape_re + (long)k * l->model.n_outputs, m->shape_im + (long)k * l->model.n_outputs, shape);
        const int has_real = fabs(m->re[k]) > ROUNDING * m->im[k]; /* the real part exceeds rounding */
        cmd_table_cells(&table, "%d%s\t%.8g\t%.5g\t%.8g\t%.8g\t%s", k + 1,
                        m->breaks[k]        ? "*"
                        : may_be_zero(m, k) ? "~"
                                            : "",
                        cmd_mode_frequency(l, k), has_real ? cmd_mode_damping(l, k) : 0, has_real ? m->re[k] : 0,
                        m->im[k], shape);
    }
    cmd_table_print(&table, 2, f);
}

void cmd_linear_head(const cmd_linear *l, FILE *f)
{
    const resida_linear_model *m = &l->model;
    fprintf(f, "%s at t = %.10g: ", l->job->model->cls->name, m->t);
    if (m->is_independent) {
        fprintf(f, "%d independent positions, %d velocities", m->n_q, m->n_w);
        if (m->n - m->n_q - m->n_w > 0) fprintf(f, ", %d states", m->n - m->n_q - m->n_w);
    } else {
        fprintf(f, "form %s, %d unknowns", l->form, m->n);
    }
    fprintf(f, "; derivatives: %s\n", m->is_differenced ? "central differences" : "the model's own");
    if (l->job->settings->from_equilibrium)
        fputs("  about the equilibrium that `resida equilibrium` prints for the same model and options\n", f);
    if (m->input_rate > 0)
        fprintf(f, "  excitations change, du/dt up to %.3g: the matrices are valid at this time\n", m->input_rate);
    if (m->speed < AT_REST && m->acceleration < AT_REST) {
        fprintf(f, "  the state is at rest and in equilibrium\n");
        return;
    }
    fprintf(f, "  the state %s: velocity up to %.3g",
            m->speed >= AT_REST ? "moves" : "is at rest, but not in equilibrium", m->speed);
    if (!l->job->model->model.is_dae) fprintf(f, ", acceleration up to %.3g", m->acceleration);
    fprintf(f, "; the matrices are valid at this time\n");
}

/* Write the directions without a restoring force, and the number of zero eigenvalues that they cause. */
static void put_zero(const cmd_linear *l, FILE *f)
{
    const resida_modes *m = &l->modes;
    char shape[SHAPE];
    int drifting = 0;
    for (int k = 0; k < m->n_still; k++) drifting += m->still_breaks[k];
    if (m->n_zero <= 0) return;
    fprintf(f, "  %d eigenvalue%s zero", m->n_zero, m->n_zero == 1 ? " is" : "s are");
    if (m->n_still - drifting > 0) fprintf(f, "; cyclic coordinates, without spring or damper:");
    fputc('\n', f);
    for (int k = 0; k < m->n_still; k++) {
        if (m->still_breaks[k]) continue;
        write_shape(l, m->still + (long)k * l->model.n_outputs, NULL, shape);
        fprintf(f, "    %s\n", shape);
    }
    if (drifting > 0)
        fprintf(f, "    in %d direction%s of the form %s only: drift from constraints, integrals of multipliers\n",
                drifting, drifting == 1 ? " that" : "s that", l->form);
    if (l->model.n_unreached > 0)
        fprintf(f,
                "    %d of these directions cannot be reached by a velocity, such as norms of Euler parameters that "
                "are not given as invariants\n",
                l->model.n_unreached);
    if (m->n_zero > m->n_still)
        fprintf(f, "    in %d of these directions the velocity is constant, too\n", m->n_zero - m->n_still);
}

void cmd_linear_text(const cmd_linear *l, FILE *f)
{
    const resida_modes *m = &l->modes;
    int breaks = 0, doubtful = 0;
    for (int k = 0; k < m->n; k++) breaks += m->breaks[k], doubtful += !m->breaks[k] && may_be_zero(m, k);
    cmd_linear_head(l, f);
    if (m->n == 0) fputs("  no mode: no eigenvalue is finite and not zero\n", f);
    put_modes(l, f);
    if (breaks > 0)
        fprintf(f, "  * violates the constraints: a mode of the form %s, not of the model (%d)\n", l->form, breaks);
    if (doubtful > 0) fputs("  ~ may be zero within the errors of the derivatives\n", f);
    put_zero(l, f);
    if (m->n_infinite > 0)
        fprintf(f, "  %d eigenvalue%s infinite: constraints, algebraic equations, coordinates without inertia\n",
                m->n_infinite, m->n_infinite == 1 ? " is" : "s are");
    if (l->model.n_redundant > 0)
        fprintf(f, "  %d of %d constraints depend%s on others and are dropped\n", l->model.n_redundant, l->n_rows,
                l->model.n_redundant == 1 ? "s" : "");
    if (m->n_lost > 0)
        fprintf(f, "  %d eigenvalue%s omitted: rounding errors exceed them\n", m->n_lost,
                m->n_lost == 1 ? " is" : "s are");
    if (m->n_zero < 0) fputs("  zero and infinite eigenvalues were not counted\n", f);
}
