/* model_shape.c - checks the parts that a model declares for display: kinds, numbers of points, meshes. */
#include "model_impl.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Number of points of each kind of part. Lines, balls and beams may have a multiple of the number. */
static const int points_of[] = {1, 8, 1, 3, 2, 4, 2, 4};

/* Return the error in a part, or NULL. The outputs of the model must be valid. */
static const char *find_part_error(const resida_model *m, const resida_part *q)
{
    const int kind = (int)q->kind;
    if (q->name && rsd_text_find_defect(q->name)) return "names of parts with control characters or no UTF-8";
    if (kind < 0 || kind > RESIDA_PART_MESH) return "a part of an unknown kind";
    if (q->n_points <= 0) return "a part without points";
    const int any = kind == RESIDA_PART_LINE || kind == RESIDA_PART_BALLS || kind == RESIDA_PART_BEAM;
    if (any ? q->n_points % points_of[kind] != 0 : q->n_points != points_of[kind])
        return kind == RESIDA_PART_BOX ? "a box without eight corners" : "a part with a wrong number of points";
    if (kind != RESIDA_PART_ARROW) return NULL;
    for (int i = 0; i < m->n_outputs && q->name; i++)
        if (strcmp(q->name, m->output_names[i]) == 0) return NULL;
    return "an arrow without the name of an output";
}

static const char *find_mesh_error(const resida_mesh *mesh)
{
    if (!mesh) return "meshes NULL, with a part that is one";
    if (mesh->n_vertices <= 0 || !mesh->vertices || mesh->n_triangles <= 0 || !mesh->triangles)
        return "a mesh without vertices or triangles";
    for (long i = 0; i < 3L * mesh->n_vertices; i++)
        if (!isfinite(mesh->vertices[i])) return "a mesh with a vertex that is not finite";
    for (long i = 0; i < 3L * mesh->n_triangles; i++)
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->n_vertices)
            return "a mesh with a triangle of unknown vertices";
    return NULL;
}

const char *rsd_model_find_shape_error(const resida_model *m)
{
    if (m->n_parts < 0) return "n_parts negative";
    if (m->n_parts > 0 && (!m->parts || !m->shape)) return m->parts ? "shape NULL, with parts" : "parts NULL";
    for (long i = 0; m->part_colours && i < 3L * m->n_parts;
         i++) /* NaN: the colour follows from the name of the part */
        if (m->part_colours[i] < 0 || m->part_colours[i] > 1) return "a colour of a part that is not within 0 .. 1";
    const char *odd = NULL;
    const resida_mesh *mesh = m->meshes;
    for (int i = 0; i < m->n_parts && !odd; i++) {
        odd = find_part_error(m, &m->parts[i]);
        if (!odd && m->parts[i].kind == RESIDA_PART_MESH) odd = find_mesh_error(mesh ? mesh++ : NULL);
    }
    return odd;
}
