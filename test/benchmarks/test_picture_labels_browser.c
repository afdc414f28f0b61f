/* test_picture_labels_browser.c - words in pictures, as a browser sets them: all lie within their picture, and none is
 * on another. A page of our own holds the pictures and writes down which do not; chromium prints that. Without chromium
 * or gnuplot there is nothing to check with, and the program says so and is skipped (77). An argument "sweep": the
 * command has sweeps. */
#include "test/command/command_fixture.h"
#include "browser.h"

enum { SKIPPED = 77 };

static int has_sweep;

static const char head[] =
    "<!DOCTYPE html><meta charset=\"utf-8\"><title>pictures</title>\n<style>svg{width:800px}</style>\n";
static const char script[] =
    "<pre id=\"found\"></pre>\n<script>\n"
    "window.onload = function () {\n"
    "    var clipped = [], touching = [], words = 0;\n"
    "    document.querySelectorAll('svg').forEach(function (svg) {\n"
    "        var edge = svg.getBoundingClientRect();\n"
    "        var boxes = Array.from(svg.querySelectorAll('text')).map(function (t) {\n"
    "            return { words: t.textContent.trim(), at: t.getBoundingClientRect() };\n"
    "        }).filter(function (b) { return b.words && b.at.width > 0; });\n"
    "        words += boxes.length;\n"
    "        boxes.forEach(function (b, i) {\n"
    "            if (b.at.left < edge.left || b.at.right > edge.right || b.at.top < edge.top || b.at.bottom > "
    "edge.bottom)\n"
    "                clipped.push(b.words);\n"
    "            boxes.slice(0, i).forEach(function (c) {\n"
    "                var wide = Math.min(b.at.right, c.at.right) - Math.max(b.at.left, c.at.left);\n"
    "                var high = Math.min(b.at.bottom, c.at.bottom) - Math.max(b.at.top, c.at.top);\n"
    "                if (wide > 1 && high > 4) touching.push(b.words + ' on ' + c.words);\n" /* lines have room above */
    "            });\n"
    "        });\n"
    "    });\n"
    "    document.getElementById('found').textContent = JSON.stringify({ words: words, clipped: clipped,\n"
    "        touching: touching });\n"
    "};\n"
    "</script>\n";

/* A page of files, or of their texts. */
static void look(int n, const char *const *files, const char *more, json_t **found)
{
    FILE *f = fopen("all.html", "w");
    assert_non_null(f);
    fputs(head, f);
    for (int i = 0; i < n; i++) {
        const char *svg = strstr(test_file_read(files[i]).bytes, "<svg");
        assert_non_null(svg);
        fputs(svg, f);
    }
    fputs(more, f);
    fputs(script, f);
    assert_int_equal(fclose(f), 0);
    browser_open("all.html", "--dump-dom");
    test_file dom = test_file_read("dom.txt");
    char *from = strstr(dom.bytes, "<pre id=\"found\">{"), *to = from ? strstr(from, "</pre>") : NULL;
    if (!to) fail_msg("the page was not looked into: %s", dom.bytes);
    *to = 0;
    *found = command_json_at(strchr(from, '{'));
    assert_non_null(*found);
}

static void expect_clean(int n, const char *const *files, double min_words)
{
    json_t *found;
    look(n, files, "", &found);
    char *text = json_dumps(found, 0);
    if (json_array_size(json_object_get(found, "clipped")) + json_array_size(json_object_get(found, "touching")) > 0)
        fail_msg("%s", text);
    assert_true(command_number(found, "words") >= min_words);
    free(text);
}

static void draw(const char *line)
{
    command_result r = command_run(line); /* a study says which of its runs failed */
    assert_int_equal(r.code, 0);
}

COMMAND_CLAIM(words_of_pictures_stand_free)
{
    static const char *const files[] = {"wp.svg", "run.svg", "modes.svg", "c.svg"};
    draw("resida-bench work-precision slider-crank --from 1e-3 --to 1e-6 --out wp.svg");
    draw("solve slider-crank --out run.svg --plot p.x,v.*,out.*");
    draw("linearize car --out modes.svg");
    draw("resida-bench conditioning andrews --out c.svg");
    expect_clean(sizeof files / sizeof *files, files, 100);
}

/* 41 names of a panel are beside it as far as there is room, long ones in a picture that is wider. */
COMMAND_CLAIM(names_of_columns_stand_beside_their_panels)
{
    static const char *const files[] = {"all.svg", "p.svg", "long.svg"};
    draw("solve chain -p n=41 --t-end 0.1 --plot * --out all.svg");
    draw("solve train --t-end 0.1 --plot p.* --out p.svg");
    draw("solve pendulum --t-end 0.1 --sensitivity L,m --plot d(out.*)/d(m),p.x --out long.svg");
    expect_clean(sizeof files / sizeof *files, files, 200);
    test_file all = test_file_read("all.svg"), alone = test_file_read("p.svg");
    assert_non_null(strstr(all.bytes, "<text>and 7 more</text>"));
    assert_non_null(strstr(alone.bytes, "<text>p.wsR2.psi1</text>")); /* the last one */
}

/* Values of tolerances, of a linear axis, and one value alone. */
COMMAND_CLAIM(words_of_a_sweep_stand_free)
{
    static const char *const files[] = {"study.html"};
    if (!has_sweep) return;
    FILE *f = fopen("study.json", "w");
    assert_non_null(f);
    fputs("{\"model\": \"slider-crank\", \"vary\": {\"--rtol\": [1e-4, 1e-5, 1e-7], \"k\": [0.5, 0.50001, 0.6], "
          "\"J1\": [12345.678]}, \"fixed\": {\"--t-end\": 0.1}, \"outputs\": [\"x\"]}",
          f);
    assert_int_equal(fclose(f), 0);
    draw("sweep study.json --report study.html --quiet");
    expect_clean(1, files, 15);
}

/* What is cut, and what lies on other words, is found. */
COMMAND_CLAIM(a_bad_picture_is_found)
{
    json_t *found;
    look(0, NULL,
         "<svg width=\"800\" height=\"100\" viewBox=\"0 0 800 100\"><text x=\"-5\" y=\"50\">cut</text>"
         "<text x=\"300\" y=\"50\">one</text><text x=\"305\" y=\"52\">other</text></svg>",
         &found);
    assert_int_equal(json_array_size(json_object_get(found, "clipped")), 1);
    assert_int_equal(json_array_size(json_object_get(found, "touching")), 1);
}

int main(int argc, char **argv)
{
    has_sweep = argc > 1 && strcmp(argv[1], "sweep") == 0;
    if (!browser_has("chromium") || !browser_has("gnuplot")) return SKIPPED;
    return claims_run(NULL, NULL);
}
