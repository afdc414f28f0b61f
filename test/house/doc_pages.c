/* doc_pages.c - see doc_pages.h. */
#include "doc_pages.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512, SPAN = 1000, MIN_PAGES = 9 };

static int visit_found(const char *pattern, doc_visit_fn *visit, void *context)
{
    const char *root = test_environment("RESIDA_SOURCE");
    glob_t found;
    int n = 0;
    if (glob(claims_text("%s/%s", root, pattern), 0, NULL, &found) != 0) return 0;
    for (; n < (int)found.gl_pathc; n++)
        visit(found.gl_pathv[n] + strlen(root) + 1, test_file_read(found.gl_pathv[n]).bytes, context);
    globfree(&found);
    return n;
}

void doc_each_page(doc_visit_fn *visit, void *context)
{
    static const char *const pages[] = {"*.md", "doc/*.md", "doc/*/*.md", "benchmarks/*.md"};
    int n = 0;
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) n += visit_found(pages[k], visit, context);
    assert_true(n >= MIN_PAGES);
}

void doc_each_build_file(doc_visit_fn *visit, void *context)
{
    static const char *const files[] = {"meson.build", "*/meson.build", "*/*/meson.build"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) visit_found(files[k], visit, context);
}

int doc_exists(const char *path)
{
    glob_t found;
    int is_there = glob(claims_text("%s/%s", test_environment("RESIDA_SOURCE"), path), 0, NULL, &found) == 0;
    if (is_there) globfree(&found);
    return is_there;
}

typedef struct code_visit {
    doc_visit_fn *visit;
    void *context;
} code_visit;

static void visit_span(const code_visit *c, const char *page, const char *from, size_t length)
{
    c->visit(page, claims_text("%.*s", (int)length, from), c->context);
}

static void visit_line(const code_visit *c, const char *page, const char *line, size_t length)
{
    const char *end = line + length;
    for (const char *open = line; (open = memchr(open, '`', (size_t)(end - open))) != NULL;) {
        const char *close = memchr(open + 1, '`', (size_t)(end - open - 1));
        if (!close) break;
        visit_span(c, page, open + 1, (size_t)(close - open - 1));
        open = close + 1;
    }
}

static void visit_page(const char *page, const char *text, void *context)
{
    const code_visit *c = context;
    int is_fenced = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const int is_fence = strncmp(line, "```", 3) == 0;
        if (is_fence) is_fenced = !is_fenced;
        if (!is_fence && (is_fenced || strncmp(line, "    ", 4) == 0)) visit_span(c, page, line, length);
        if (!is_fence && !is_fenced) visit_line(c, page, line, length);
        line += length + (line[length] != 0);
    }
}

void doc_each_code(doc_visit_fn *visit, void *context)
{
    code_visit c = {visit, context};
    doc_each_page(visit_page, &c);
}
