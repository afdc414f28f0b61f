/* test_wrong_surfaces.c - surfaces of parts, names of root functions and breakpoints that a model says wrongly. */
#include <resida/model.h>

#include "test/fixtures/file_util.h"

static const resida_mesh *mesh; /* of the model that is made */
static const char *root_name;
static const double *colours; /* [3] */
static const double *times;   /* its breakpoints */
static int n_times, says_time;

static int shape(const resida_model *m, double t, const double *p, double *xyz)
{
    memset(xyz, 0, 12 * sizeof *xyz);
    return 0;
}

static int create(const double *values, resida_model *m, resida_message *why)
{
    static const double start[1] = {0};
    static const resida_part hull = {"hull", RESIDA_PART_MESH, 4};
    m->mechanism.n_p = m->mechanism.n_v = m->mechanism.n_root = 1;
    m->p0 = m->v0 = start;
    m->t_end = 1;
    m->rtol = 1e-6;
    m->n_parts = 1, m->parts = &hull, m->shape = shape;
    m->meshes = mesh;
    m->part_colours = colours;
    m->root_names = &root_name;
    m->n_breakpoints = n_times, m->breakpoints = times;
    m->y_is_time = says_time;
    return 0;
}

static resida_status make(const resida_mesh *of, const char *name, resida_message *why)
{
    static const resida_model_class cls = {RESIDA_MODEL_HEAD, .name = "hull", .text = "for a test", .create = create};
    resida_model m;
    mesh = of, root_name = name;
    const resida_status status = resida_model_create(&cls, 0, NULL, NULL, &m, why);
    resida_model_destroy(&cls, &m);
    return status;
}

static void expect_defect(const resida_mesh *of, const char *name, const char *words)
{
    resida_message why = {""};
    assert_int_equal(make(of, name, &why), RESIDA_ERR_MODEL);
    if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
}

CLAIM(surfaces_and_names_of_root_functions_are_checked)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, odd[9] = {0, NAN};
    static const int triangle[3] = {0, 1, 2}, beyond[3] = {0, 1, 3}, below[3] = {-1, 1, 2};
    const resida_mesh good = {3, points, 1, triangle};
    resida_message why;
    assert_int_equal(make(&good, "stop", &why), RESIDA_OK);
    expect_defect(NULL, "stop", "meshes NULL, with a part that is one");
    expect_defect(&(resida_mesh){0, points, 1, triangle}, "stop", "a mesh without vertices or triangles");
    expect_defect(&(resida_mesh){3, points, 1, NULL}, "stop", "a mesh without vertices or triangles");
    expect_defect(&(resida_mesh){3, odd, 1, triangle}, "stop", "a mesh with a vertex that is not finite");
    expect_defect(&(resida_mesh){3, points, 1, beyond}, "stop", "a triangle of unknown vertices");
    expect_defect(&(resida_mesh){3, points, 1, below}, "stop", "a triangle of unknown vertices");
    expect_defect(&good, "", "root_names with one that is empty");
    expect_defect(&good, "st\nop", "root_names with one that is empty, with control characters");
}

CLAIM(colours_of_parts_are_checked)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, none[3] = {NAN, NAN, NAN}, red[3] = {1, 0, 0};
    static const double too_large[3] = {0, 1.5, 0}, negative[3] = {0, 0, -0.1};
    static const int triangle[3] = {0, 1, 2};
    const resida_mesh good = {3, points, 1, triangle};
    resida_message why;
    const double *const right[] = {none, red}, *const wrong[] = {too_large, negative};
    for (int i = 0; i < 2; i++) {
        colours = right[i];
        assert_int_equal(make(&good, "stop", &why), RESIDA_OK);
        colours = wrong[i];
        expect_defect(&good, "stop", "a colour of a part that is not within 0 .. 1");
    }
    colours = NULL;
}

CLAIM(breakpoints_must_increase)
{
    static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, twice[] = {1, 1}, back[] = {1, 0}, odd[] = {NAN};
    static const int triangle[3] = {0, 1, 2};
    static const struct {
        int n;
        const double *t;
        const char *words;
    } all[] = {{-1, NULL, "n_breakpoints negative"},
               {1, NULL, "breakpoints NULL"},
               {2, twice, "breakpoints that do not ascend"},
               {2, back, "breakpoints that do not ascend"},
               {1, odd, "breakpoints that do not ascend"}};
    const resida_mesh good = {3, points, 1, triangle};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        n_times = all[k].n, times = all[k].t;
        expect_defect(&good, "stop", all[k].words);
    }
    n_times = 0;
    says_time = 1;
    expect_defect(&good, "stop", "y_is_time of a mechanism");
    says_time = 0;
}
