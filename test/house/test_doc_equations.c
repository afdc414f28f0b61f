/* test_doc_equations.c - doc/mathematics.md says which function codes an equation, as `file: function()`: the file is
 * there, and it defines the function. What begins like such a reference and has another form is refused, so that none
 * escapes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc_pages.h"
#include "test/fixtures/source_scan.h"

enum { PATH = 200, NAME = 100, MIN_REFERENCES = 150 };

static const char page_of_equations[] = "doc/mathematics.md";

/* Behind the parenthesis that closes the one at `at`. */
static const char *behind_parentheses(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at + 1;
    }
    return at;
}

/* Does a source define the function? A definition begins at the margin, and a body follows its parameters. */
static int defines(const char *text, const char *name)
{
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS | SCAN_DIRECTIVES);
    const size_t length = strlen(name);
    int found = 0;
    for (const char *at = code; !found && (at = strstr(at, name)) != NULL; at += length) {
        const char *line = at;
        while (line > code && line[-1] != '\n') line--;
        if (at[length] != '(' || at == line || scan_is_of_word(at[-1]) || !scan_is_of_word(*line)) continue;
        const char *body = behind_parentheses(at + length);
        found = body[strspn(body, " \n")] == '{';
    }
    return found;
}

/* "src/a/b.c: f()" into path and name. 0: it has another form. */
static int take_reference(const char *span, char path[PATH], char name[NAME])
{
    if (sscanf(span, "%199[a-z0-9_/.]: %99[A-Za-z0-9_]()", path, name) != 2) return 0;
    return strcmp(span, claims_text("%s: %s()", path, name)) == 0;
}

static const char *const folders[] = {"base/", "src/", "jacobian/", "include/"};
enum { N_FOLDERS = sizeof folders / sizeof *folders };

static int is_of_library(const char *span)
{
    int is_one = 0;
    for (int i = 0; i < N_FOLDERS; i++) is_one |= strncmp(span, folders[i], strlen(folders[i])) == 0;
    return is_one;
}

/* What a page has of spans that begin with a path of the library, closed in their line or not. */
static void count_references(const char *page, const char *text, void *context)
{
    if (strcmp(page, page_of_equations) != 0) return;
    for (const char *at = text; (at = strchr(at, '`')) != NULL; at++) *(int *)context += is_of_library(at + 1);
}

static void check_reference(const char *page, const char *span, void *context)
{
    char path[PATH], name[NAME];
    if (strcmp(page, page_of_equations) != 0 || !is_of_library(span)) return;
    if (!take_reference(span, path, name)) fail_msg("%s: `%s` is not of the form `file: function()`", page, span);
    if (!doc_exists(path)) fail_msg("%s names %s, which is not there", page, path);
    test_file source = test_file_read(test_path(test_environment("RESIDA_SOURCE"), path));
    if (!defines(source.bytes, name)) fail_msg("%s: %s does not define %s()", page, path, name);
    ++*(int *)context;
}

CLAIM(every_equation_is_in_the_listed_function)
{
    int n = 0, written = 0;
    doc_each_code(check_reference, &n);
    doc_each_page(count_references, &written);
    if (n != written) fail_msg("%s: a reference goes over the end of a line", page_of_equations);
    if (n < MIN_REFERENCES) fail_msg("%s names %d functions, fewer than there were", page_of_equations, n);
}

CLAIM(definitions_are_distinguished_from_declarations_and_calls)
{
    assert_true(defines("int a;\nstatic int f(int a,\n             int (*b)(int))\n{\n    return a;\n}\n", "f"));
    assert_true(defines("double *f(void) {\n}\n", "f"));
    assert_false(defines("int f(int a);\nint g(void)\n{\n    return f(1);\n}\n", "f"));
    assert_false(defines("int g(void)\n{\n    if (f(1)) {\n    }\n}\n", "f"));
    assert_false(defines("/* int f(void)\n{ */\n#define F int f(void) {\n", "f"));
    assert_false(defines("int of(void)\n{\n}\nint f_a(void)\n{\n}\n", "f"));
}

CLAIM(a_reference_has_one_form)
{
    char path[PATH], name[NAME];
    assert_true(take_reference("src/a/b.c: f_2()", path, name));
    assert_string_equal(path, "src/a/b.c");
    assert_string_equal(name, "f_2");
    assert_false(take_reference("src/a/b.c: f", path, name));
    assert_false(take_reference("src/a/b.c:f()", path, name));
    assert_false(take_reference("src/a/b.c: f() and g()", path, name));
    assert_false(take_reference("src/a/b.c", path, name));
}
