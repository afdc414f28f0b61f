/* beam_shape.c - drawings of beams: for each line of elements the section at every node, and a ball for each lump. The
 * section is the homogeneous rectangle with the same EA and EI, whose half sides are sqrt(3 EI/EA). */
#include "beam_model.h"

#include <math.h>

enum { CORNERS = 4, NAMES = 6 };

static const double side1[CORNERS] = {1, -1, -1, 1}, side2[CORNERS] = {1, 1, -1, -1};

/* Return 1 if element k begins a new line of elements, which gets a new name. */
static int is_new_line(const bm_system *s, int k)
{
    return k == 0 || s->element[k].first != s->element[k - 1].first + s->element[k - 1].order;
}

/* Fill parts, unless it is NULL. @return number of parts */
static int fill_parts(const bm_system *s, resida_part *parts)
{
    static const char *const names[NAMES] = {"beam 1", "beam 2", "beam 3", "beam 4", "beam 5", "more beams"};
    int n = 0, sections = 0;
    for (int k = 0; k < s->n_element; k++) {
        sections = s->element[k].order + (is_new_line(s, k) ? 1 : sections);
        n += is_new_line(s, k);
        if (parts)
            parts[n - 1] = (resida_part){names[n < NAMES ? n - 1 : NAMES - 1], RESIDA_PART_BEAM, CORNERS * sections};
    }
    if (s->n_lump > 0 && parts) parts[n] = (resida_part){"body", RESIDA_PART_BALLS, s->n_lump};
    return n + (s->n_lump > 0);
}

/* Write the section at a node q = (r, d1, d2, d3). @return pointer after the section */
static double *put_section(const bm_section *of, const double *q, double *xyz)
{
    const double half1 = sqrt(3 * of->EI2 / of->EA), half2 = sqrt(3 * of->EI1 / of->EA);
    for (int e = 0; e < CORNERS; e++, xyz += 3)
        for (int x = 0; x < 3; x++) xyz[x] = q[x] + side1[e] * half1 * q[3 + x] + side2[e] * half2 * q[6 + x];
    return xyz;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const bm_system *s = &((const beam_model *)model->user)->s;
    for (int k = 0; k < s->n_element; k++) {
        const double *node[BM_MAX_NODES];
        const int nodes = bm_nodes_of(&s->element[k], p, node);
        for (int i = is_new_line(s, k) ? 0 : 1; i < nodes; i++) xyz = put_section(&s->element[k].section, node[i], xyz);
    }
    for (int i = 0; i < s->n_lump; i++, xyz += 3)
        for (int x = 0; x < 3; x++) xyz[x] = p[BM_P * s->lump[i].node + x];
    return 0;
}

void beam_shape_open(beam_model *b, resida_model *model)
{
    model->n_parts = fill_parts(&b->s, NULL);
    resida_part *parts = bench_own(b, model->n_parts, sizeof *parts);
    model->parts = parts, model->shape = shape;
    if (parts) fill_parts(&b->s, parts);
}
