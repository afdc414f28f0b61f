/* test_command_animate_browser.c - what the page of `resida solve --animate` is in a browser: it draws, it plays, time
 * can be set by hand, and it asks for nothing. A page of our own loads it into a frame, uses its controls, and writes
 * down what it found; chromium prints that. Without chromium there is nothing to check with, and the program says so
 * and is skipped (77). */
#include <stdio.h>
#include <string.h>

#include "test/command/command_fixture.h"
#include "browser.h"

enum { SKIPPED = 77 };

static const char page[] =
    "<!DOCTYPE html><meta charset=\"utf-8\"><title>frame</title>\n"
    "<iframe src=\"a.html\" style=\"width:800px;height:600px;border:0\"></iframe>\n<pre id=\"found\"></pre>\n<script>\n"
    "window.onload = function () {\n"
    "    var view = document.querySelector('iframe').contentWindow, page = view.document;\n"
    "    var get = function (id) { return page.getElementById(id); };\n"
    "    var pixels = function () {\n"
    "        var c = get('view');\n"
    "        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data; };\n"
    "    var inked = function (a) { var n = 0; for (var i = 3; i < a.length; i += 4) n += a[i] > 0; return n; };\n"
    "    var other = function (a, b) {\n"
    "        var n = 0; for (var i = 3; i < a.length; i += 4) n += a[i] !== b[i]; return n; };\n"
    "    var found = { first: get('clock').textContent, ink: inked(pixels()),\n"
    "        pieces: Number(page.body.dataset.shown), axis: inked((function () { var c = get('axis');\n"
    "            return c.getContext('2d').getImageData(0, 0, c.width, c.height).data; })()) };\n"
    "    var begin = pixels(), slider = get('time');\n"
    "    slider.value = (Number(slider.min) + Number(slider.max)) / 2;\n"
    "    slider.dispatchEvent(new view.Event('input'));\n"
    "    found.middle = get('clock').textContent;\n"
    "    found.moved = other(begin, pixels());\n"
    "    begin = pixels();\n"
    "    get('view').dispatchEvent(new view.PointerEvent('pointermove', { buttons: 1, movementX: 40 }));\n"
    "    var turned = pixels();\n"
    "    found.turned = other(begin, turned);\n"
    "    get('view').dispatchEvent(new view.WheelEvent('wheel', { deltaY: 500, cancelable: true }));\n"
    "    found.zoomed = inked(turned) - inked(pixels());\n"
    "    var frames = [];\n" /* by hand: how many a browser draws in a time depends on the machine */
    "    view.requestAnimationFrame = function (tick) { frames.push(tick); };\n"
    "    get('play').click();\n"
    "    found.playing = get('play').textContent;\n"
    "    frames.shift()(1000);\n"
    "    frames.shift()(1250);\n"
    "    found.later = get('clock').textContent;\n"
    "    found.resources = view.performance.getEntriesByType('resource').length;\n"
    "    document.getElementById('found').textContent = JSON.stringify(found);\n"
    "};\n"
    "</script>\n";

static json_t *look(const char *model)
{
    char line[200];
    snprintf(line, sizeof line, "solve %s --points 100 --animate a.html", model);
    command_result r = command_run_well(line);
    command_free(&r);
    FILE *f = fopen("frame.html", "w");
    assert_non_null(f);
    fputs(page, f);
    assert_int_equal(fclose(f), 0);
    browser_open("frame.html", "--dump-dom --virtual-time-budget=3000");
    test_file dom = test_file_read("dom.txt"), console = test_file_read("console.txt");
    if (strstr(console.bytes, "/a.html")) fail_msg("%s", console.bytes); /* of frame.html it says that it reads back */
    char *from = strstr(dom.bytes, "<pre id=\"found\">{"), *to = from ? strstr(from, "</pre>") : NULL;
    if (!to) fail_msg("the page was not looked into: %s", dom.bytes);
    *to = 0;
    json_t *found = json_loads(strchr(from, '{'), JSON_DECODE_INT_AS_REAL, NULL);
    assert_non_null(found);
    test_file_free(&dom);
    test_file_free(&console);
    return found;
}

static double number(const json_t *found, const char *name)
{
    return json_real_value(json_object_get(found, name));
}

static const char *words(const json_t *found, const char *name)
{
    return json_string_value(json_object_get(found, name));
}

static void check(const char *model, double pieces, const char *first, const char *middle, const char *later)
{
    json_t *found = look(model);
    assert_true(number(found, "pieces") == pieces);
    assert_true(number(found, "ink") > 100 && number(found, "axis") > 50);
    assert_true(number(found, "moved") > 50 && number(found, "turned") > 50 && number(found, "zoomed") > 0);
    assert_string_equal(words(found, "first"), first);
    assert_string_equal(words(found, "middle"), middle);
    assert_string_equal(words(found, "playing"), "Pause");
    assert_string_equal(words(found, "later"), later);
    assert_true(number(found, "resources") == 0);
    json_decref(found);
}

/* A line and a ball; seven boxes of six sides, and rails of 24 pieces; eleven boxes, eight links, seven stripes. */
static void a_pendulum_swings(void **state)
{
    check("pendulum", 2, "t = 0.000 s", "t = 15.000 s", "t = 15.250 s");
}

static void a_train_runs(void **state)
{
    check("train", 7 * 6 + 2 * 24, "t = 0.000 s", "t = 7.500 s", "t = 7.750 s");
}

/* The width and height that a PNG says it has. */
static void a_picture_of_it_can_be_taken(void **state)
{
    char options[300];
    command_result r = command_run_well("solve car --t-end 0.5 --points 10 --animate a.html");
    command_free(&r);
    snprintf(options, sizeof options, "--window-size=640,480 --screenshot='%s/a.png'", command_folder());
    browser_open("a.html", options);
    test_file png = test_file_read("a.png");
    assert_true(png.size > 5000); /* an empty page of this size has 3 kB less */
    assert_memory_equal(png.bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png.bytes + 16, "\0\0\x02\x80\0\0\x01\xe0", 8);
    test_file_free(&png);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        command_unit_test(a_pendulum_swings),
        command_unit_test(a_train_runs),
        command_unit_test(a_picture_of_it_can_be_taken),
    };
    if (!browser_has("chromium")) return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
