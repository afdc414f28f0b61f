/* beam_model.c - see beam_model.h. */
#include "beam_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/multibody/beam/constraint.h"

enum { NAME = 32 };                        /* bytes of the name of a row */
static const double short_director = 0.95; /* |d|: strains, which are linear in it, are 5 % off */

static const double pi = 3.14159265358979323846;

/* "n1 d1.d2" of a node, "joint 1.1" of a link; in one block. */
static const char **name_rows(const bm_system *s, resida_message *why)
{
    static const char *const own[BM_OWN_ROWS] = {"d1.d1", "d2.d2", "d3.d3", "d1.d2", "d1.d3", "d2.d3"};
    const char **names = bench_alloc(s->n_row, sizeof *names + NAME, why);
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

static int make_names(beam_model *b, const resida_mechanism *m, resida_message *why)
{
    static const char *const of_p[BM_P] = {"x",    "y",    "z",    "d1x_", "d1y_", "d1z_",
                                           "d2x_", "d2y_", "d2z_", "d3x_", "d3y_", "d3z_"};
    b->p_names = bench_names(m->n_p, BM_P, of_p, "", why);
    b->v_names = bench_names(m->n_v, BM_P, of_p, "'", why);
    b->g_names = name_rows(&b->s, why);
    return !b->p_names || !b->v_names || !b->g_names;
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
                 "element %d is too coarse at t = %.6g: |d| = %.3g of a director at a point of integration, for 1; "
                 "take more elements, or a higher order",
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
    if (bm_open(&b->s, m, why) || make_names(b, m, why) || beam_shape_open(b, model, why)) return 1;
    b->v0 = bench_alloc(m->n_v, sizeof *b->v0, why);
    m->p_names = b->p_names, m->v_names = b->v_names, m->g_names = b->g_names;
    model->p0 = b->s.p0, model->v0 = b->v0;
    model->n_outputs = 1, model->output_names = output_names, model->output_units = output_units;
    model->output = beam_model_output, model->warning = b->warning.text;
    return !b->v0;
}

int beam_model_create(const beam_kind *kind, const double *values, resida_model *model, resida_message *why)
{
    beam_model *b = model->user = bench_alloc(1, kind->size, why);
    if (!b) return 1;
    bm_begin(&b->s);
    kind->assemble(b, values);
    if (beam_model_open(b, values, model, why)) {
        beam_model_destroy(model);
        return 1;
    }
    model->mechanism.name = kind->name;
    model->mechanism.n_u = kind->n_u, model->mechanism.excitation = kind->excitation;
    model->t_end = values[kind->end];
    model->rtol = kind->rtol, model->atol = kind->atol;
    return 0;
}

void beam_model_destroy(resida_model *model)
{
    beam_model *b = model->user;
    if (!b) return;
    bm_end(&b->s);
    free(b->v0), free(b->p_names), free(b->v_names), free(b->g_names), free(b->parts);
    free(b);
    model->user = NULL;
}

bm_section beam_rectangle(double width, double height, double E, double nu, double density)
{
    const double shear = 5.0 / 6; /* coefficient */
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
    const double shear = 0.5; /* coefficient of a thin tube; a rod has 0.9, which matters in short ones alone */
    const double A = pi * (outer * outer - inner * inner), G = E / (2 * (1 + nu));
    const double I = pi / 4 * (outer * outer * outer * outer - inner * inner * inner * inner);
    return (bm_section){E * A, shear * G * A, shear * G * A, 2 * G * I,   E * I,
                        E * I, density * A,   density * I,   density * I, 0};
}
