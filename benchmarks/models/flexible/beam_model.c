/* beam_model.c - see beam_model.h. */
#include "beam_model.h"

#include <math.h>
#include <stdio.h>

#include "benchmarks/multibody/beam/constraint.h"

enum { NAME = 32 };                        /* bytes of the name of a constraint */
static const double short_director = 0.95; /* |d|: strains, linear in it, have errors of 5 % */

static const double pi = 3.14159265358979323846;

/* Create the names "n1 d1.d2" of the constraints of a node, "joint 1.1" of a link. */
static const char **name_rows(beam_model *b)
{
    static const char *const own[BM_OWN_ROWS] = {"d1.d1", "d2.d2", "d3.d3", "d1.d2", "d1.d3", "d2.d3"};
    const bm_system *s = &b->s;
    const char **names = bench_own(b, s->n_row, sizeof *names + NAME);
    if (!names) return NULL;
    char *text = (char *)(names + s->n_row);
    int n = 0;
    for (int i = 0; i < s->n_node; i++)
        for (int k = 0; k < BM_OWN_ROWS; k++, text += NAME) {
            snprintf(text, NAME, "n%d %s", i + 1, own[k]);
            names[n++] = text;
        }
    for (int l = 0; l < s->n_link; l++)
        for (int k = 0; k < bm_link_rows(&s->link[l]); k++, text += NAME) {
            snprintf(text, NAME, "joint %d.%d", l + 1, k + 1);
            names[n++] = text;
        }
    return names;
}

static void name_all(beam_model *b, resida_model *model)
{
    resida_mechanism *m = &model->mechanism;
    static const char *const units[BM_P] = {"m", "m", "m", "-", "-", "-", "-", "-", "-", "-", "-", "-"};
    static const char *const of_p[BM_P] = {"x",    "y",    "z",    "d1x_", "d1y_", "d1z_",
                                           "d2x_", "d2y_", "d2z_", "d3x_", "d3y_", "d3z_"};
    m->p_names = bench_own_names(b, m->n_p, BM_P, of_p, "");
    m->v_names = bench_own_names(b, m->n_v, BM_P, of_p, "'");
    m->g_names = name_rows(b);
    model->p_units = bench_own_repeated(b, m->n_p, BM_P, units);
}

static const char *const output_names[] = {"energy"}, *const output_units[] = {"J"};

int beam_model_output(const resida_model *model, const resida_model_point *at, double *out)
{
    beam_model *b = model->user;
    int element = 0;
    const double least = bm_shortest_director(&b->s, at->p, &element);
    out[0] = bm_energy(&b->s, at->p, at->v);
    b->warning.text[0] = 0;
    if (least < short_director)
        snprintf(b->warning.text, sizeof b->warning.text,
                 "element %d is too coarse at t = %.6g: a director has |d| = %.3g at an integration point, and 1 is "
                 "exact; use more elements or a higher order",
                 element + 1, at->t, least);
    return 0;
}

int beam_model_open(beam_model *b, const double *values, resida_model *model, resida_message *why)
{
    resida_mechanism *m = &model->mechanism;
    for (int k = 0; k < BM_STRAINS; k++) b->s.damping[k] = values[BEAM_DAMPING];
    for (int i = 0; i < b->s.n_element; i++) {
        bm_section *section = &b->s.element[i].section;
        section->rho_I3 += values[BEAM_THICKNESS] * fmax(section->rho_I1, section->rho_I2);
    }
    if (bm_open(&b->s, m, why)) return 1;
    name_all(b, model);
    beam_shape_open(b, model);
    model->p0 = b->s.p0, model->v0 = bench_own(b, m->n_v, sizeof *model->v0);
    model->n_outputs = 1, model->output_names = output_names, model->output_units = output_units;
    model->output = beam_model_output, model->warning = b->warning.text;
    return 0;
}

void beam_model_end(void *memory)
{
    bm_end(&((beam_model *)memory)->s);
}

bm_section beam_rectangle(double width, double height, double E, double nu, double density)
{
    const double shear = 5.0 / 6; /* shear coefficient */
    const double A = width * height, G = E / (2 * (1 + nu));
    const double I1 = width * height * height * height / 12, I2 = height * width * width * width / 12;
    const double thin = fmin(width, height), ratio = thin / fmax(width, height);
    /* W. C. Young, R. G. Budynas, Roark's Formulas for Stress and Strain: torsion of a rectangle */
    const double J = A * thin * thin * (1.0 / 3 - 0.21 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
    return (bm_section){E * A,  shear * G * A, shear * G * A, G * J,        E * I1,
                        E * I2, density * A,   density * I1,  density * I2, 0};
}

bm_section beam_tube(double outer, double inner, double E, double nu, double density)
{
    const double shear = 0.5; /* shear coefficient of a thin tube; a solid rod has 0.9, which affects short rods only */
    const double A = pi * (outer * outer - inner * inner), G = E / (2 * (1 + nu));
    const double I = pi / 4 * (outer * outer * outer * outer - inner * inner * inner * inner);
    return (bm_section){E * A, shear * G * A, shear * G * A, 2 * G * I,   E * I,
                        E * I, density * A,   density * I,   density * I, 0};
}
