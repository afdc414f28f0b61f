/* test_command_report_browser.c - what the page of `resida report` is in a browser: it renders, a phone needs no
 * sideways scrolling, nothing is asked of the network, no script and no console has anything to say. A page of our own
 * asks: it loads reports into frames as wide as a phone, looks into them, and writes down what it found (no status of a
 * run is beyond the edge); chromium prints that.
 *
 * Every one of these checks is tried on a page that was made wrong. Without chromium or gnuplot there is nothing to
 * check with, and the program says so and is skipped (77). */
#include "test/command/command_fixture.h"
#include "browser.h"

enum { PHONE = 390, SKIPPED = 77 };

/* In a frame of its own a page has the width of the frame, whatever the window has. */
static const char frame[] = "<iframe src=\"page%d.html\" style=\"width:%dpx;height:800px;border:0\"></iframe>\n";
static const char script[] =
    "<pre id=\"found\"></pre>\n<script>\n"
    "function look(frame) {\n"
    "    var page = frame.contentDocument, view = frame.contentWindow;\n"
    "    var all = function (what) { return Array.from(page.querySelectorAll(what)); };\n"
    "    var is_seen = function (e) { var b = e.getBoundingClientRect(); return b.width > 200 && b.height > 100; };\n"
    "    return {\n"
    "        mode: page.compatMode, charset: page.characterSet,\n"
    "        sections: all('h2').map(function (h) { return h.id; }).join(' '),\n"
    "        broken: all('a[href^=\"#\"]').filter(function (a) {\n"
    "            return !page.getElementById(a.getAttribute('href').slice(1)); }).length,\n"
    "        twins: all('[id]').length - new Set(all('[id]').map(function (e) { return e.id; })).size,\n"
    "        tables: all('table').filter(function (t) {\n"
    "            return t.caption && t.tBodies.length && t.rows.length > 1; }).length +\n"
    "            all('p').filter(function (p) { return /: none\\.$/.test(p.textContent); }).length,\n" /* no rows */
    "        cut: all('.box').reduce(function (n, box) {\n"
    "            var edge = box.getBoundingClientRect().right;\n"
    "            return n + Array.from(box.querySelectorAll('th')).filter(function (h) {\n"
    "                return h.textContent === 'status' && h.getBoundingClientRect().right > edge + 1; }).length; }, "
    "0),\n"
    "        loose: all('th:not([scope])').length,\n"
    "        pictures: all('svg[role=img][aria-label]').filter(is_seen).length,\n"
    "        clipped: all('svg text').filter(function (t) {\n"
    "            var b = t.getBoundingClientRect(), s = t.ownerSVGElement.getBoundingClientRect();\n"
    "            return b.width > 0 && (b.left < s.left || b.right > s.right || b.top < s.top || b.bottom > "
    "s.bottom);\n"
    "        }).length,\n"
    "        beyond: page.documentElement.scrollWidth - page.documentElement.clientWidth,\n"
    "        resources: view.performance.getEntriesByType('resource').length,\n"
    "        scripts: all('script').length\n"
    "    };\n"
    "}\n"
    "window.onload = function () {\n"
    "    var found = Array.from(document.querySelectorAll('iframe'), look);\n"
    "    document.getElementById('found').textContent = JSON.stringify(found);\n"
    "};\n"
    "</script>\n";

/** What the page is to have. */
typedef struct expected {
    const char *sections;
    int tables, pictures;
} expected;

/** Look into page0.html .. page(n-1).html. */
static void browse(int n)
{
    FILE *f = fopen("frames.html", "w");
    assert_non_null(f);
    fputs("<!DOCTYPE html><meta charset=\"utf-8\"><title>frames</title>\n", f);
    for (int i = 0; i < n; i++) fprintf(f, frame, i, PHONE);
    fputs(script, f);
    assert_int_equal(fclose(f), 0);
    browser_open("frames.html", "--dump-dom");
}

/** What was found in each page, as JSON; json_decref() it. */
static json_t *read_found(void)
{
    test_file dom = test_file_read("dom.txt");
    char *from = strstr(dom.bytes, "<pre id=\"found\">["), *to = from ? strstr(from, "</pre>") : NULL;
    if (!to) fail_msg("the pages were not looked into: %s", dom.bytes);
    *to = 0;
    json_t *found = command_json_at(strchr(from, '['));
    assert_non_null(found);
    return found;
}

/** The browser asks its makers for updates, whatever the page; their hosts are no part of it. A page that asks them is
 *  told by its own list of resources. */
static int is_the_browsers(const char *url, size_t n)
{
    static const char *const makers[] = {".google.com/", ".googleapis.com/", ".gvt1.com/"};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        const char *at = strstr(url, makers[i]);
        if (at && (size_t)(at - url) < n && !memchr(url + 8, '/', (size_t)(at - url > 8 ? at - url - 8 : 0))) return 1;
    }
    return 0;
}

/** Requests in the log of the network that are not the browser's own. */
static int count_requests(void)
{
    int n = 0;
    test_file log = test_file_read("net.json");
    assert_non_null(strstr(log.bytes, "\"constants\"")); /* it is a log */
    for (const char *c = log.bytes; (c = strstr(c, "\"url\":\""));) {
        c += strlen("\"url\":\"");
        int is_remote = strncmp(c, "http", 4) == 0 || strncmp(c, "ws", 2) == 0 || strncmp(c, "ftp", 3) == 0;
        n += is_remote && !is_the_browsers(c, strcspn(c, "\""));
    }
    return n;
}

static int console_speaks(void)
{
    test_file console = test_file_read("console.txt");
    int speaks = strstr(console.bytes, ":CONSOLE") != NULL;
    return speaks;
}

/** Is this what is to be found in a page? */
static int is_right(const json_t *found, const expected *e)
{
    return strcmp(command_word(found, "mode"), "CSS1Compat") == 0 &&
           strcmp(command_word(found, "charset"), "UTF-8") == 0 &&
           strcmp(command_word(found, "sections"), e->sections) == 0 && command_number(found, "broken") == 0 &&
           command_number(found, "twins") == 0 && command_number(found, "tables") == e->tables &&
           command_number(found, "loose") == 0 && command_number(found, "cut") == 0 &&
           command_number(found, "pictures") == e->pictures && command_number(found, "clipped") == 0 &&
           command_number(found, "beyond") <= 0 && command_number(found, "resources") == 0 &&
           command_number(found, "scripts") == 0;
}

/** page0.html is right, and neither network nor console has heard of it. */
static void expect_right(const expected *e)
{
    browse(1);
    json_t *found = read_found();
    char *text = json_dumps(found, 0);
    if (!is_right(json_array_get(found, 0), e)) fail_msg("%s", text);
    free(text);
    assert_int_equal(count_requests(), 0);
    assert_int_equal(console_speaks(), 0);
}

static void report(const char *line)
{
    command_run_well(line);
}

COMMAND_CLAIM(a_page_of_runs_renders_on_a_phone_and_asks_for_nothing)
{
    /* tables: outcome, table 2, overview, two of models, two for each of two studies, five of their summary, machine */
    static const expected all = {"outcome table2 models work-precision machine", 15, 4};
    report("resida-bench report --sections table2,models,work-precision --models slider-crank,pendulum --peers ida "
           "--repeat 1 "
           "--from 1e-4 --to 1e-6 --out page0.html");
    expect_right(&all);
}

COMMAND_CLAIM(a_page_of_pictures_renders_on_a_phone_and_asks_for_nothing)
{
    /* outcome, two of the figures, modules of the train, machine */
    static const expected all = {"outcome figures patterns machine", 5, 7};
    report("resida-bench report --sections figures,patterns --models train,akzo,akzo --out page0.html");
    expect_right(&all);
}

/** Page i: the page with words in the place of others, which are there. */
static void write_changed(int i, const test_file *page, const char *from, const char *to)
{
    const char *at = strstr(page->bytes, from);
    assert_non_null(at);
    FILE *f = fopen(claims_text("page%d.html", i), "w");
    assert_non_null(f);
    fwrite(page->bytes, 1, (size_t)(at - page->bytes), f);
    fputs(to, f);
    fputs(at + strlen(from), f);
    assert_int_equal(fclose(f), 0);
}

/** What is wrong with a page is found in it; the first one is right. */
COMMAND_CLAIM(what_is_wrong_with_a_page_is_found)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"</body>", "</body>"},
        {"</body>", "<script src=\"http://127.0.0.1:9/a.js\"></script></body>"},
        {"</body>", "<script></script></body>"},
        {"</body>", "<img src=\"https://fonts.googleapis.com/a.png\" alt=\"\"></body>"},
        {"<h2 id=\"patterns\">", "<h2 id=\"pattern\">"},
        {"</main>", "<p style=\"width:900px\">wide</p></main>"},
        {"<caption>", "<b>"},
        {"<!DOCTYPE html>", ""},
        {"<th scope=\"col\"", "<th"},
        {"href=\"#machine\"", "href=\"#machines\""},
        {">measured item</th>", " style=\"padding-left:900px\">status</th>"},
        {"role=\"img\"", ""},
        {"<text>", "<text x=\"-99\">"},
        {"<figure", "<figure hidden"},
    };
    enum { N = sizeof changes / sizeof changes[0] };
    static const expected all = {"outcome patterns machine", 2, 1};
    report("resida-bench report --sections patterns --models akzo --out page.html");
    test_file page = test_file_read("page.html");
    for (int i = 0; i < N; i++) write_changed(i, &page, changes[i].from, changes[i].to);
    browse(N);
    json_t *found = read_found();
    assert_int_equal(json_array_size(found), N);
    for (int i = 0; i < N; i++)
        if (is_right(json_array_get(found, (size_t)i), &all) != (i == 0)) fail_msg("not found: %s", changes[i].to);
    assert_true(console_speaks()); /* the policy of the page refuses the remote ones */
    assert_int_equal(count_requests(), 0);
}

static const char policy[] =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">";

/** Without its policy a page asks for what it refers to. */
COMMAND_CLAIM(the_log_of_the_network_has_requests)
{
    report("resida-bench report --sections patterns --models akzo --out page.html");
    test_file page = test_file_read("page.html");
    write_changed(0, &page, policy, "<script src=\"http://127.0.0.1:9/a.js\"></script>");
    browse(1);
    assert_true(count_requests() > 0);
}

int main(void)
{
    if (!browser_has("chromium") || !browser_has("gnuplot")) return SKIPPED;
    return claims_run(NULL, NULL);
}
