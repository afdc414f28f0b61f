/* test_command_animate_browser.c - what the page of `resida solve --animate` is in a browser: it draws, it plays, time
 * can be set by hand and by its address, and it asks for nothing; with three.js, where that is installed, and without.
 * A page of our own loads it into a frame, uses its controls, and writes down what it found; chromium prints that.
 * Without chromium there is nothing to check with, and the program says so and is skipped (77). */
#include <unistd.h>

#include "test/command/command_fixture.h"
#include "browser.h"

enum { SKIPPED = 77 };

static const char page[] =
    "<!DOCTYPE html><meta charset=\"utf-8\"><title>frame</title>\n"
    "<iframe src=\"a.html\" style=\"width:%dpx;height:600px;border:0\"></iframe>\n<pre id=\"found\"></pre>\n<script>\n"
    "window.onload = function () {\n"
    "    var view = document.querySelector('iframe').contentWindow, page = view.document;\n"
    "    var get = function (id) { return page.getElementById(id); };\n"
    "    var copy = function (c) {\n" /* a canvas of WebGL has no pixels to read */
    "        var to = document.createElement('canvas');\n"
    "        to.width = c.width; to.height = c.height;\n"
    "        to.getContext('2d').drawImage(c, 0, 0);\n"
    "        return to.getContext('2d').getImageData(0, 0, c.width, c.height).data; };\n"
    "    var other = function (a, b) {\n"
    "        var n = 0; for (var i = 0; i < a.length; i += 4) n += a[i] !== b[i] || a[i + 3] !== b[i + 3]; return n; "
    "};\n"
    "    var drawn = function (id) { var a = copy(get(id)); return other(a, a.map(function (x, i) { return a[i %% 4]; "
    "})); };\n"
    "    var redraw = function () { view.dispatchEvent(new view.Event('resize')); return copy(get('view')); };\n"
    "    var begin = redraw();\n"
    "    var found = { first: get('clock').textContent, pieces: Number(page.body.dataset.shown), ink: drawn('view'),\n"
    "        plot: drawn('plot'), axes: drawn('axes'), speed: get('speed').selectedOptions[0].textContent,\n"
    "        height: get('view').clientHeight, beyond: page.documentElement.scrollWidth - "
    "page.documentElement.clientWidth,\n"
    "        lower: page.body.scrollHeight - view.innerHeight };\n"
    "    var slider = get('time');\n"
    "    slider.value = (Number(slider.min) + Number(slider.max)) / 2;\n"
    "    slider.dispatchEvent(new view.Event('input'));\n"
    "    found.middle = get('clock').textContent;\n"
    "    found.address = view.location.hash;\n"
    "    found.moved = other(begin, begin = copy(get('view')));\n"
    "    get('trail').selectedIndex = get('trail').options.length - 1;\n"
    "    get('trail').dispatchEvent(new view.Event('change'));\n"
    "    found.trail = other(begin, begin = copy(get('view')));\n"
    "    var mouse = function (target, type, x) {\n"
    "        target.dispatchEvent(new view.MouseEvent(type, { button: 0, clientX: x, clientY: 200 })); };\n"
    "    get('view').dispatchEvent(new view.PointerEvent('pointermove', { buttons: 1, movementX: 40 }));\n"
    "    mouse(get('view'), 'mousedown', 200); mouse(page, 'mousemove', 240); mouse(page, 'mouseup', 240);\n"
    "    found.turned = other(begin, begin = copy(get('view')));\n"
    "    get('view').dispatchEvent(new view.WheelEvent('wheel', { deltaY: 500, cancelable: true }));\n"
    "    found.zoomed = other(begin, copy(get('view')));\n"
    "    begin = redraw();\n"
    "    var touch = function (type, at) {\n"
    "        var list = at.map(function (x, i) { return new view.Touch({ identifier: i, target: get('view'), clientX: "
    "x,\n"
    "            clientY: 200, pageX: x, pageY: 200 }); });\n"
    "        get('view').dispatchEvent(new view.TouchEvent(type, { touches: list, targetTouches: list,\n"
    "            changedTouches: list, bubbles: true, cancelable: true })); };\n"
    "    touch('touchstart', [100]); touch('touchmove', [140]); touch('touchend', []);\n"
    "    found.touched = other(begin, begin = copy(get('view')));\n"
    "    touch('touchstart', [100, 200]); touch('touchmove', [80, 240]); touch('touchend', []);\n"
    "    found.pinched = other(begin, copy(get('view')));\n"
    "    var frames = [];\n" /* by hand: how many a browser draws in a time depends on the machine */
    "    view.requestAnimationFrame = function (tick) { frames.push(tick); };\n"
    "    get('play').click();\n"
    "    found.playing = get('play').textContent;\n"
    "    frames.shift()(1000);\n"
    "    frames.shift()(1250);\n"
    "    found.later = get('clock').textContent;\n"
    "    frames.shift()(1e6);\n"
    "    found.again = get('clock').textContent;\n"
    "    view.location.hash = '#t=' + Number(slider.max);\n"
    "    view.dispatchEvent(new view.HashChangeEvent('hashchange'));\n"
    "    found.last = get('clock').textContent;\n"
    "    found.stopped = get('play').textContent;\n"
    "    found.resources = view.performance.getEntriesByType('resource').length;\n"
    "    document.getElementById('found').textContent = JSON.stringify(found);\n"
    "};\n"
    "</script>\n";

/* Does a line of the console speak of the page? Of WebGL by software the browser itself does. */
static int speaks(char *console)
{
    for (char *line = strtok(console, "\n"); line; line = strtok(NULL, "\n"))
        if (strstr(line, "/a.html") && !strstr(line, "WebGL")) return 1;
    return 0;
}

static json_t *look(const char *run, int width)
{
    command_run_well(claims_text("solve %s --points 100 --animate a.html", run));
    FILE *f = fopen("frame.html", "w");
    assert_non_null(f);
    fprintf(f, page, width);
    assert_int_equal(fclose(f), 0);
    browser_open("frame.html", "--dump-dom --virtual-time-budget=3000");
    test_file dom = test_file_read("dom.txt"), console = test_file_read("console.txt");
    if (speaks(console.bytes)) fail_msg("the console speaks"); /* of frame.html it says that it reads back */
    char *from = strstr(dom.bytes, "<pre id=\"found\">{"), *to = from ? strstr(from, "</pre>") : NULL;
    if (!to) fail_msg("the page was not looked into: %s", dom.bytes);
    *to = 0;
    json_t *found = command_json_at(strchr(from, '{'));
    assert_non_null(found);
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

/* What a page shows: pieces that are drawn, words for the times, the factor by which it is played. */
typedef struct expected {
    double pieces;
    const char *first, *middle, *later, *last, *speed;
    int is_flat; /* which does not know fingers */
} expected;

static void check(const char *run, int width, const expected *e)
{
    static const char *const changes[] = {"ink",    "plot",   "axes",    "moved",  "trail",
                                          "turned", "zoomed", "touched", "pinched"};
    json_t *found = look(run, width);
    assert_true(number(found, "pieces") == e->pieces);
    for (size_t i = 0; i < sizeof changes / sizeof *changes - (e->is_flat ? 2 : 0); i++)
        if (!(number(found, changes[i]) > 50)) fail_msg("%s: %g pixels", changes[i], number(found, changes[i]));
    assert_string_equal(words(found, "first"), e->first);
    assert_string_equal(words(found, "middle"), e->middle);
    assert_string_equal(words(found, "playing"), "Pause");
    assert_string_equal(words(found, "later"), e->later);
    assert_string_equal(words(found, "again"), e->first); /* it begins again behind its end */
    assert_string_equal(words(found, "last"), e->last);
    assert_string_equal(words(found, "stopped"), "Play");
    assert_string_equal(words(found, "speed"), e->speed);
    assert_memory_equal(words(found, "address"), "#t=", 3);
    assert_true(number(found, "resources") == 0);
    assert_true(number(found, "beyond") <= 0 && number(found, "lower") <= 0);
    assert_true(number(found, "height") > 300); /* of 600: the figure fills the page */
}

static const expected swinging = {6, "t = 0.000 s", "t = 15.000 s", "t = 15.250 s", "t = 30.000 s", "1 ×", 0};

/* A rod with two round ends, a ball, shaft and head of an arrow. */
static void needs_three(void)
{
    if (access("/usr/share/javascript/three/build/three.min.js", R_OK) != 0) test_lacks("libjs-three");
}

COMMAND_CLAIM(a_pendulum_is_solid)
{
    needs_three();
    check("pendulum", 1000, &swinging);
}

/* A line and a ball. */
COMMAND_CLAIM(without_three_it_is_drawn_by_lines)
{
    expected flat = swinging;
    flat.pieces = 2, flat.is_flat = 1;
    setenv("RESIDA_THREE", "/nowhere", 1);
    check("pendulum", 1000, &flat);
    unsetenv("RESIDA_THREE");
    test_file html = test_file_read("a.html");
    command_expect_words(html.bytes, "no /nowhere/build/three.min.js");
}

/* 10 ms last five seconds, also where the screen is narrow. */
COMMAND_CLAIM(what_is_fast_is_played_slowly)
{
    needs_three();
    const expected e = {6, "t = 0.000 ms", "t = 5.000 ms", "t = 5.500 ms", "t = 10.000 ms", "1/500", 0};
    check("pendulum -p w0=500 --t-end 0.01", 390, &e);
}

/* The width and height that a PNG says it has. */
COMMAND_CLAIM(a_picture_of_it_can_be_taken)
{
    needs_three();
    command_run_well("solve car --t-end 0.5 --points 10 --animate a.html");
    browser_open("a.html", claims_text("--window-size=640,480 --screenshot='%s/a.png'", command_folder()));
    test_file png = test_file_read("a.png");
    assert_true(png.size > 5000); /* an empty page of this size has 3 kB less */
    assert_memory_equal(png.bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png.bytes + 16, "\0\0\x02\x80\0\0\x01\xe0", 8);
}

int main(void)
{
    return browser_has("chromium") ? claims_run(NULL, NULL) : SKIPPED;
}
