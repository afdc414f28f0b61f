/* animation_page.c - see cmd_animation_page(). The data:
 *
 *     {"parts": [{"name": "rod", "kind": "line", "n": 2}, ...], "t": [...], "xyz": [[x, y, z, x, ...], ...]} */
#include "animation.h"

#include "program/output/html.h"

#include <jansson.h>

/* The lines of the files. */
static const char *const script[] = {
#include "viewer.js.inc"
};
static const char *const style[] = {
#include "viewer.css.inc"
};

enum { DIGITS = 6 }; /* as many as can be seen */

static json_t *part_json(const resida_part *part)
{
    static const char *const kinds[] = {"line", "box", "balls"};
    return json_pack("{s:s?, s:s, s:i}", "name", part->name, "kind", kinds[part->kind], "n", part->n_points);
}

static json_t *numbers_json(const double *x, long n)
{
    json_t *all = json_array();
    for (long i = 0; i < n; i++) json_array_append_new(all, json_real(x[i]));
    return all;
}

static json_t *data_json(const cmd_animation *a)
{
    json_t *parts = json_array(), *frames = json_array();
    for (int i = 0; i < a->model->n_parts; i++) json_array_append_new(parts, part_json(&a->model->parts[i]));
    for (long k = 0; k < a->frames; k++) json_array_append_new(frames, numbers_json(a->xyz + k * a->n, a->n));
    return json_pack("{s:o, s:o, s:o}", "parts", parts, "t", numbers_json(a->t, a->frames), "xyz", frames);
}

/** Nothing in a name may look like the end of the element. A json_dump_callback_t. */
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
    fputs("</style>\n</head>\n<body>\n<header><h1>", f);
    cmd_html_text(f, a->title);
    fputs("</h1><ul id=\"legend\"></ul></header>\n", f);
}

static void put_controls(FILE *f)
{
    fputs("<canvas id=\"view\" aria-label=\"the model in motion\"></canvas>\n<footer>\n<div id=\"controls\">\n"
          "<button id=\"play\" type=\"button\">Play</button>\n<span id=\"clock\"></span>\n"
          "<label>speed <select id=\"speed\"></select></label>\n"
          "<label><input id=\"follow\" type=\"checkbox\"> go along</label>\n</div>\n"
          "<input id=\"time\" type=\"range\" step=\"any\" aria-label=\"time in seconds\">\n"
          "<canvas id=\"axis\"></canvas>\n</footer>\n",
          f);
}

int cmd_animation_page(FILE *f, const cmd_animation *a)
{
    json_t *data = data_json(a);
    if (!data) return 1;
    put_head(f, a);
    put_controls(f);
    fputs("<script type=\"application/json\" id=\"data\">", f);
    const int failed = json_dump_callback(data, put_data, f, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    fputs("</script>\n<script>\n", f);
    put_lines(script, sizeof script / sizeof *script, f);
    fputs("</script>\n</body>\n</html>\n", f);
    json_decref(data);
    return failed != 0;
}
