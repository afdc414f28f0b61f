/* beam_shape.c - what beams look like: of each element the outline of its section at every node, and four edges along
 * it; a ball for each lump. The outline is the rectangle of even material that has its EA and EI: of half sides
 * sqrt(3 EI/EA). */
#include "beam_model.h"

#include <math.h>

enum { EDGES = 4, OUTLINE = EDGES + 1, NAMES = 6 };

static const double side1[EDGES] = {1, -1, -1, 1}, side2[EDGES] = {1, 1, -1, -1};

/* Another line of elements has another name. */
static int is_new_line(const bm_system *s, int k)
{
    return k > 0 && s->element[k].node[0] != s->element[k - 1].node[s->element[k - 1].order];
}

static void add(resida_part *parts, int *n, const char *name, resida_part_kind kind, int points)
{
    if (parts) parts[*n] = (resida_part){name, kind, points};
    ++*n;
}

/* @return their number */
static int fill_parts(const bm_system *s, resida_part *parts)
{
    static const char *const names[NAMES] = {"beam 1", "beam 2", "beam 3", "beam 4", "beam 5", "more beams"};
    int n = 0, line = 0;
    for (int k = 0; k < s->n_element; k++) {
        line += is_new_line(s, k) && line < NAMES - 1;
        const int nodes = s->element[k].order + 1;
        for (int e = 0; e < EDGES; e++) add(parts, &n, names[line], RESIDA_PART_LINE, nodes);
        for (int i = 0; i < nodes; i++) add(parts, &n, names[line], RESIDA_PART_LINE, OUTLINE);
    }
    if (s->n_lump > 0) add(parts, &n, "body", RESIDA_PART_BALLS, s->n_lump);
    return n;
}

/* Corner e of the section at a node q = (r, d1, d2, d3). @return behind it */
static double *put_corner(const bm_section *of, const double *q, int e, double *xyz)
{
    const double half1 = sqrt(3 * of->EI2 / of->EA), half2 = sqrt(3 * of->EI1 / of->EA);
    for (int x = 0; x < 3; x++) xyz[x] = q[x] + side1[e] * half1 * q[3 + x] + side2[e] * half2 * q[6 + x];
    return xyz + 3;
}

static double *put_element(const bm_element *el, const double *p, double *xyz)
{
    const double *node[BM_MOST_NODES];
    const int nodes = bm_nodes_of(el, p, node);
    for (int e = 0; e < EDGES; e++)
        for (int i = 0; i < nodes; i++) xyz = put_corner(&el->section, node[i], e, xyz);
    for (int i = 0; i < nodes; i++)
        for (int e = 0; e < OUTLINE; e++) xyz = put_corner(&el->section, node[i], e % EDGES, xyz);
    return xyz;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    (void)t;
    const bm_system *s = &((const beam_model *)model->user)->s;
    for (int k = 0; k < s->n_element; k++) xyz = put_element(&s->element[k], p, xyz);
    for (int i = 0; i < s->n_lump; i++, xyz += 3)
        for (int x = 0; x < 3; x++) xyz[x] = p[BM_P * s->lump[i].node + x];
    return 0;
}

int beam_shape_open(beam_model *b, resida_model *model, resida_message *why)
{
    model->n_parts = fill_parts(&b->s, NULL);
    model->parts = b->parts = bench_alloc(model->n_parts, sizeof *b->parts, why);
    model->shape = shape;
    if (!b->parts) return 1;
    fill_parts(&b->s, b->parts);
    return 0;
}
