/* animation_page.c - see cmd_animation_page(). The page contains two JSON elements, the data to draw and the outputs to
 * plot:
 *
 *     {"palette": ["#0072b2", ...],
 *      "parts": [{"name": "rod", "kind": "line", "n": 2, "colour": "#808080"}, ...],
 *      "t": [...], "xyz": [[x, y, z, x, ...], ...],
 *      "meshes": [{"vertices": [x, y, z, ...], "triangles": [0, 1, 2, ...]}, ...]}   of parts of kind "mesh"
 *     [{"name": "energy", "unit": "J", "values": [...]}, ...]
 *
 * three.js is read from its installed files when a page is written, and is copied into the page. */
#include "animation.h"

#include "program/output/html.h"
#include "program/picture/palette.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* The lines of the script and style files. */
static const char *const script[] = {
#include "motion.js.inc"
#include "scene_flat.js.inc"
#include "scene_solid.js.inc"
#include "plot.js.inc"
#include "viewer.js.inc"
};
static const char *const style[] = {
#include "viewer.css.inc"
};

/* Files of three.js, relative to a folder with the layout of the three.js distribution. */
enum { THREE_FILES = 2 };
static const char three_folder[] = "/usr/share/javascript/three";
static const char *const three_files[THREE_FILES] = {"build/three.min.js", "examples/js/controls/OrbitControls.js"};

/* significant digits: of drawn data, as many as a screen resolves; of plotted data, which may vary only slightly */
enum { DIGITS = 6, DIGITS_PLOTTED = 10 };

enum { N_COLOURS = 12 }; /* for names of parts */
enum { CHANNEL = 255 };  /* largest value of a colour channel in HTML */

/* Describe a part. colour [3]: red, green, blue from 0 to 1; NULL: the viewer selects the colour by name. */
static json_t *part_json(const resida_part *part, const double *colour)
{
    static const char *const kinds[] = {"line", "box", "balls", "cylinder", "spring", "beam", "arrow", "mesh"};
    json_t *one = json_pack("{s:s?, s:s, s:i}", "name", part->name, "kind", kinds[part->kind], "n", part->n_points);
    if (colour && !isnan(colour[0] + colour[1] + colour[2]))
        json_object_set_new(one, "colour",
                            json_sprintf("#%02lx%02lx%02lx", lround(CHANNEL * colour[0]), lround(CHANNEL * colour[1]),
                                         lround(CHANNEL * colour[2])));
    return one;
}

/* Return the list x[0], x[stride], ... with null for numbers that are not finite. */
static json_t *numbers_json(const double *x, long n, long stride)
{
    json_t *all = json_array();
    for (long i = 0; i < n; i++, x += stride) json_array_append_new(all, isfinite(*x) ? json_real(*x) : json_null());
    return all;
}

static json_t *outputs_json(const cmd_animation *a)
{
    const resida_model *m = a->model;
    json_t *all = json_array();
    for (int i = 0; i < m->n_outputs && a->outputs; i++)
        json_array_append_new(all, json_pack("{s:s, s:s?, s:o}", "name", m->output_names[i], "unit",
                                             m->output_units ? m->output_units[i] : NULL, "values",
                                             numbers_json(a->outputs + i, a->frames, m->n_outputs)));
    return all;
}

static json_t *mesh_json(const resida_mesh *mesh)
{
    json_t *triangles = json_array();
    for (long i = 0; i < 3L * mesh->n_triangles; i++)
        json_array_append_new(triangles, json_integer(mesh->triangles[i]));
    return json_pack("{s:o, s:o}", "vertices", numbers_json(mesh->vertices, 3L * mesh->n_vertices, 1), "triangles",
                     triangles);
}

/* Return the colours of names, in their order of appearance. */
static json_t *palette_json(void)
{
    unsigned colours[N_COLOURS];
    json_t *all = json_array();
    cmd_palette_fill(colours, N_COLOURS);
    for (int i = 0; i < N_COLOURS; i++) json_array_append_new(all, json_sprintf("#%06x", colours[i]));
    return all;
}

static json_t *data_json(const cmd_animation *a)
{
    json_t *parts = json_array(), *frames = json_array(), *meshes = json_array();
    const resida_mesh *mesh = a->model->meshes;
    for (int i = 0; i < a->model->n_parts; i++) {
        const double *colours = a->model->part_colours;
        json_array_append_new(parts, part_json(&a->model->parts[i], colours ? colours + 3L * i : NULL));
        if (a->model->parts[i].kind == RESIDA_PART_MESH) json_array_append_new(meshes, mesh_json(mesh++));
    }
    for (long k = 0; k < a->frames; k++) json_array_append_new(frames, numbers_json(a->xyz + k * a->n, a->n, 1));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "palette", palette_json(), "parts", parts, "t",
                     numbers_json(a->t, a->frames, 1), "xyz", frames, "meshes", meshes);
}

/** Write JSON text with '<' escaped, because a name could otherwise end the script element. A json_dump_callback_t. */
static int put_data(const char *text, size_t n, void *stream)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == '<')
            fputs("\\u003c", stream);
        else
            fputc(text[i], stream);
    return 0;
}

static void put_lines(const char *const *lines, size_t n, FILE *f)
{
    for (size_t i = 0; i < n; i++) fputs(lines[i], f);
}

/* Open the files of three.js. @return 1; 0 if one cannot be opened: then none stays open, and a line of the page names
 * the missing file */
static int open_three(FILE *f, FILE *file[THREE_FILES])
{
    const char *set = getenv("RESIDA_THREE"), *folder = set && *set ? set : three_folder;
    char path[4096];
    for (int i = 0; i < THREE_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, three_files[i]);
        file[i] = fopen(path, "r");
        if (file[i]) continue;
        while (i > 0) fclose(file[--i]);
        fputs("<p id=\"hint\">Drawn as lines; as solids with three.js (Debian: libjs-three), of which there was no ",
              f);
        cmd_html_text(f, path);
        fputs("</p>\n", f);
        return 0;
    }
    return 1;
}

static void put_three(FILE *f)
{
    FILE *file[THREE_FILES];
    char bytes[1 << 14];
    if (!open_three(f, file)) return;
    for (int i = 0; i < THREE_FILES; i++) {
        fputs("<script>\n", f);
        for (size_t n; (n = fread(bytes, 1, sizeof bytes, file[i])) > 0;) fwrite(bytes, 1, n, f);
        fputs("\n</script>\n", f);
        fclose(file[i]);
    }
}

static void put_head(FILE *f, const cmd_animation *a)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          f);
    cmd_html_text(f, a->title);
    fputs("</title>\n<style>\n", f);
    put_lines(style, sizeof style / sizeof *style, f);
    fputs("</style>\n</head>\n<body>\n<main>\n<canvas id=\"view\" aria-label=\"the model in motion\"></canvas>\n"
          "<header><h1>",
          f);
    cmd_html_text(f, a->title);
    fputs("</h1><ul id=\"legend\"></ul></header>\n<canvas id=\"axes\"></canvas><span id=\"ground\"></span>\n</main>\n",
          f);
}

static void put_controls(FILE *f)
{
    fputs("<footer>\n<div id=\"controls\">\n"
          "<button id=\"play\" type=\"button\">Play</button>\n<span id=\"clock\"></span>\n"
          "<label>speed <select id=\"speed\"></select></label>\n"
          "<label><input id=\"loop\" type=\"checkbox\" checked> loop</label>\n"
          "<label><input id=\"follow\" type=\"checkbox\"> go along</label>\n"
          "<label>trail <select id=\"trail\"></select></label>\n"
          "<label>plot <select id=\"output\"></select></label>\n</div>\n"
          "<input id=\"time\" type=\"range\" step=\"any\" aria-label=\"time in seconds\">\n"
          "<canvas id=\"plot\" aria-label=\"an output over time\"></canvas>\n</footer>\n",
          f);
}

/* @return 1 without memory */
static int put_json(FILE *f, const char *id, json_t *data, size_t digits)
{
    fprintf(f, "<script type=\"application/json\" id=\"%s\">", id);
    const int failed = !data || json_dump_callback(data, put_data, f, JSON_COMPACT | JSON_REAL_PRECISION(digits)) != 0;
    fputs("</script>\n", f);
    json_decref(data);
    return failed;
}

int cmd_animation_page(FILE *f, const cmd_animation *a)
{
    put_head(f, a);
    put_controls(f);
    if (put_json(f, "data", data_json(a), DIGITS) || put_json(f, "outputs", outputs_json(a), DIGITS_PLOTTED)) return 1;
    put_three(f);
    fputs("<script>\n", f);
    put_lines(script, sizeof script / sizeof *script, f);
    fputs("</script>\n</body>\n</html>\n", f);
    return 0;
}
