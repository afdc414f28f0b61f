/* test_urdf_loops.c - random planar and spherical linkages whose loops are closed by balls and hinges, which have rows
 * too many: that along the normal of the plane, or along the radius, is rounding alone, or as large as the description
 * is inaccurate; and a hinge is two balls on its axis. They must move as the same linkage with the two rows that are
 * needed, across this direction. RESIDA_LINKAGES: how many.
 *
 *     crank A-B, coupler B-C, rocker D-C on ground A-D, closed at C; "both" adds a link F-H on the rocker and one E-H
 *     on ground, closed at H. All are in the plane z = 0 at the start, or on cones around the origin through points of
 *     the plane z = 1, and turned as a whole.
 *
 * Each frame is turned at random, so that few digits tilt the axes. That of a link from which a loop goes out has its x
 * along the direction that has too many rows. */
#include "urdf_fixture.h"
#include "test/fixtures/file_util.h"

enum { LINKAGES = 24, TEXT = 8192, LINE = 512, DIGITS = 15, FEW_DIGITS = 6 };
enum { GROUND, CRANK, COUPLER, ROCKER, ARM, LEVER, MAX_LINKS };
typedef enum closing { BY_BALL, BY_HINGE, BY_BOTH, N_CLOSINGS } closing;

typedef struct vector {
    double x[3];
} vector;

typedef struct frame {
    vector e[3], origin; /* axes and origin in the world */
} frame;

typedef struct linkage {
    int is_spherical, digits, n; /* n: links, GROUND included */
    closing closing;
    frame mount, of[MAX_LINKS]; /* mount: of the plane */
} linkage;

static const char *const names[] = {"ground", "crank", "coupler", "rocker", "arm", "lever"};

static double between(double from, double to)
{
    return from + (to - from) * rand() / RAND_MAX;
}

static double dot(vector a, vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* a + s b */
static vector along(vector a, double s, vector b)
{
    return (vector){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static vector unit(vector a)
{
    return along((vector){{0}}, 1 / sqrt(dot(a, a)), a);
}

static vector cross(vector a, vector b)
{
    return (vector){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vector any(void)
{
    return (vector){{between(-1, 1), between(-1, 1), between(-1, 1)}};
}

/* Turned at random, its x along a direction. */
static frame frame_along(vector x, vector origin)
{
    frame f = {.e[0] = unit(x), .origin = origin};
    f.e[1] = unit(cross(f.e[0], any()));
    f.e[2] = cross(f.e[0], f.e[1]);
    return f;
}

/* A vector of the world in the axes of a frame. */
static vector seen_from(const frame *f, vector a)
{
    return (vector){{dot(f->e[0], a), dot(f->e[1], a), dot(f->e[2], a)}};
}

/* Of a point of the plane of the mount: the axis of a hinge there, and a point on it. */
static vector axis_at(const linkage *k, const double at[2])
{
    if (!k->is_spherical) return k->mount.e[2];
    return unit(along(along(k->mount.e[2], at[0], k->mount.e[0]), at[1], k->mount.e[1]));
}

static vector point_at(const linkage *k, const double at[2], double distance)
{
    if (k->is_spherical) return along(k->mount.origin, distance, axis_at(k, at));
    return along(along(k->mount.origin, at[0], k->mount.e[0]), at[1], k->mount.e[1]);
}

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    assert_true(vsnprintf(text + used, TEXT - used, format, list) < (int)(TEXT - used));
    va_end(list);
}

static void add_vector(char *text, const linkage *k, const char *name, vector a)
{
    add(text, " %s='%.*g %.*g %.*g'", name, k->digits, a.x[0], k->digits, a.x[1], k->digits, a.x[2]);
}

/* A frame in that of its parent: Rz(yaw) Ry(pitch) Rx(roll). */
static void add_origin(char *text, const linkage *k, const frame *f, const frame *parent)
{
    vector R[3];
    for (int j = 0; j < 3; j++) R[j] = seen_from(parent, f->e[j]); /* columns */
    add(text, "<origin");
    add_vector(text, k, "xyz", seen_from(parent, along(f->origin, -1, parent->origin)));
    add_vector(text, k, "rpy", (vector){{atan2(R[1].x[2], R[2].x[2]), asin(-R[0].x[2]), atan2(R[0].x[1], R[0].x[0])}});
    add(text, "/>");
}

/* A link on a hinge at a point of the plane, its mass on the way to another one. has_loop: it is closed there. */
static void add_link(char *text, linkage *k, int link, int parent, const double from[2], const double to[2],
                     int has_loop)
{
    const vector axis = axis_at(k, from), origin = point_at(k, from, between(0.3, 0.9));
    const vector centre = along(point_at(k, from, 0.7), 0.5, along(point_at(k, to, 0.7), -1, point_at(k, from, 0.7)));
    frame *f = &k->of[link];
    *f = frame_along(has_loop ? axis_at(k, to) : any(), origin);
    add(text, "<link name='%s'><inertial><origin", names[link]);
    add_vector(text, k, "xyz", seen_from(f, along(centre, -1, origin)));
    add(text, "/><mass value='%g'/><inertia ixx='0.02' iyy='0.02' izz='0.02' ", between(0.5, 2));
    add(text, "ixy='0' ixz='0' iyz='0'/></inertial></link>");
    add(text, "<joint name='q%d' type='continuous'><parent link='%s'/><child link='%s'/>", link, names[parent],
        names[link]);
    add_origin(text, k, f, &k->of[parent]);
    add(text, "<axis");
    add_vector(text, k, "xyz", seen_from(f, axis));
    add(text, "/></joint>");
}

/* A point that two links share, so far on from a point of the plane. */
static void add_point(char *text, const linkage *k, int a, int b, const double at[2], double on, const char *rows)
{
    const vector point = along(point_at(k, at, 0.7), on, axis_at(k, at));
    const int links[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const frame *f = &k->of[links[i]];
        const vector x = seen_from(f, along(point, -1, f->origin));
        add(text, "%s,%.*g,%.*g,%.*g,", names[links[i]], k->digits, x.x[0], k->digits, x.x[1], k->digits, x.x[2]);
    }
    add(text, "%s\n", rows);
}

/* To both files: with the rows that are needed, and by a ball, or two on the axis of a hinge. */
static void add_loop(char *needed, char *closed, const linkage *k, int a, int b, const double at[2], int is_hinge)
{
    add_point(needed, k, a, b, at, 0, "yz");
    add_point(closed, k, a, b, at, 0, "xyz");
    if (is_hinge) add_point(closed, k, a, b, at, 0.1, "xyz");
}

/* Describe it, and its loops in needed.csv and closed.csv. */
static void describe(linkage *k, char text[TEXT])
{
    const double A[2] = {-0.35 + between(-0.1, 0.1), between(-0.1, 0.1)}, D[2] = {0.35 + between(-0.1, 0.1), 0};
    const double B[2] = {A[0] + between(-0.1, 0.1), 0.35 + between(-0.05, 0.05)};
    const double C[2] = {D[0] + between(0, 0.2), 0.6 + between(-0.1, 0.1)}, F[2] = {C[0] + 0.1, C[1] / 2};
    const double H[2] = {F[0] + 0.5 + between(-0.1, 0.1), 0.6 + between(-0.1, 0.1)}, E[2] = {H[0], between(-0.1, 0.1)};
    const char head[] = "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n";
    char needed[TEXT], closed[TEXT];
    k->mount = frame_along(any(), any());
    k->of[GROUND] = (frame){.e = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}};
    k->n = k->closing == BY_BOTH ? MAX_LINKS : ARM;
    strcpy(needed, head);
    strcpy(closed, head);
    strcpy(text, "<robot name='arm'><link name='ground'/>");
    add_link(text, k, CRANK, GROUND, A, B, 0);
    add_link(text, k, COUPLER, CRANK, B, C, 1);
    add_link(text, k, ROCKER, GROUND, D, C, 0);
    add_loop(needed, closed, k, COUPLER, ROCKER, C, k->closing == BY_HINGE);
    if (k->closing == BY_BOTH) {
        add_link(text, k, ARM, ROCKER, F, H, 1);
        add_link(text, k, LEVER, GROUND, E, H, 0);
        add_loop(needed, closed, k, ARM, LEVER, H, 1);
    }
    add(text, "</robot>");
    urdf_write("needed.csv", needed);
    urdf_write("closed.csv", closed);
}

/* Fail unless both move alike, from the same start. Rows that few digits make different are off by as much. */
static void check_alike(linkage *k, const char *form)
{
    const int is_rough = k->digits < DIGITS;
    const double tolerance = is_rough ? 1e-4 : 1e-6;
    char text[TEXT];
    describe(k, text);
    const char *options = claims_text("--loops needed.csv --form %s --t-end 0.5", form);
    const urdf_last needed = urdf_run(text, options);
    options = claims_text("--loops closed.csv --form %s --t-end 0.5 %s %s", form,
                          is_rough || k->closing != BY_BALL ? "--drop-redundant" : "",
                          is_rough ? "--rank-tolerance 1e-4" : "");
    const urdf_last closed = urdf_run(text, options);
    for (int i = 0; i < k->n - 1; i++) urdf_expect(closed.p[i], needed.p[i], tolerance);
}

CLAIM(linkages_with_rows_too_many_move_as_with_those_that_are_needed)
{
    const char *said = getenv("RESIDA_LINKAGES"), *const forms[] = {"ggl", "index1", "index2"};
    const int n = said ? atoi(said) : LINKAGES;
    srand(1);
    for (int i = 0; i < n; i++) {
        linkage k = {.is_spherical = i % 2, .closing = (closing)(i / 2 % N_CLOSINGS)};
        k.digits = i / (2 * N_CLOSINGS) % 2 ? FEW_DIGITS : DIGITS;
        check_alike(&k, forms[i % 7 % 3]);
    }
}
