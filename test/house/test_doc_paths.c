/* test_doc_paths.c - what the pages of the project name is there: files that they link and name, programs of the build,
 * tests; and the programs that they show are lines of the examples. CITATION.cff names the version of the headers. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <resida/status.h>

#include "doc_pages.h"

enum { PATH = 512, NAME = 128 };

static const char path_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./*-";

/* The folder of a page: "doc/" of "doc/design.md", "" of "README.md". */
static int folder_length(const char *page)
{
    const char *slash = strrchr(page, '/');
    return slash ? (int)(slash - page) + 1 : 0;
}

static int exists_from(const char *page, const char *path)
{
    return doc_exists(claims_text("%.*s%s", folder_length(page), page, path));
}

static void check_links(const char *page, const char *text, void *context)
{
    int *n = context;
    for (const char *at = text; (at = strstr(at, "](")) != NULL; at++) {
        char target[PATH];
        snprintf(target, sizeof target, "%.*s", (int)strcspn(at + 2, ")#"), at + 2);
        if (strstr(target, "://") || !target[0]) continue;
        if (!exists_from(page, target)) fail_msg("%s links %s, which is not there", page, target);
        ++*n;
    }
}

CLAIM(every_link_leads_to_a_file)
{
    int n = 0;
    doc_each_page(check_links, &n);
    assert_true(n > 0);
}

/* One of the endings of files that are kept in the tree: others may be made by what a page tells to do. */
static int is_of_the_tree(const char *path)
{
    static const char *const kinds[] = {".c", ".h", ".cpp", ".md", ".txt", ".py", ".build"};
    const char *kind = strrchr(path, '.');
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0) return 1;
    return 0;
}

/* A file by its bare name, wherever it is. */
static int exists_somewhere(const char *name)
{
    static const char *const depths[] = {"", "*/", "*/*/", "*/*/*/"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (doc_exists(claims_text("%s%s", depths[i], name))) return 1;
    return 0;
}

/* "build/test/measure_x" is made in build/test by the meson.build there, which names it. */
static int is_made(const char *path)
{
    static const char *const later[] = {"build/mutants", "build/meson-logs/", "build/site"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strncmp(path, later[i], strlen(later[i])) == 0) return 1;
    char build[PATH];
    const char *in_tree = path + strlen("build/"), *name = in_tree + folder_length(in_tree);
    snprintf(build, sizeof build, "%.*smeson.build", folder_length(in_tree), in_tree);
    const char *quoted = claims_text("'%.100s'", name);
    if (!doc_exists(build)) return 0;
    test_file rules = test_file_read(test_path(test_environment("RESIDA_SOURCE"), build));
    int is_named = !*name || strstr(rules.bytes, quoted) != NULL;
    test_file_free(&rules);
    return is_named;
}

/* The first folder of a path is one of the tree. */
static int starts_in_the_tree(const char *path)
{
    char first[NAME];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(path, "/"), path);
    return first[0] && first[0] != '.' && !strchr(first, '*') && doc_exists(first);
}

static int is_there(const char *page, const char *path)
{
    if (strncmp(path, "build/", strlen("build/")) == 0) return is_made(path);
    if (strncmp(path, "./", 2) == 0) return !is_of_the_tree(path) || doc_exists(path + 2);
    if (!strchr(path, '/')) return !is_of_the_tree(path) || exists_somewhere(path);
    if (!starts_in_the_tree(path) && !is_of_the_tree(path)) return 1;
    return doc_exists(path) || exists_from(page, path) || doc_exists(claims_text("include/%s", path));
}

/* "form_NAME.c" stands for any of its kind. */
static void open_placeholder(char *path)
{
    static const char word[] = "NAME";
    char *at = strstr(path, word);
    if (!at) return;
    *at = '*';
    memmove(at + 1, at + strlen(word), strlen(at + strlen(word)) + 1);
}

static void check_paths(const char *page, const char *text, void *context)
{
    int *n = context;
    for (const char *at = text; *at;) {
        at += strcspn(at, path_characters);
        size_t length = strspn(at, path_characters);
        char path[PATH];
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        at += length;
        while (length > 0 && length < sizeof path && strchr(".-*", path[length - 1])) path[--length] = 0;
        if (!strpbrk(path, "./")) continue;
        open_placeholder(path);
        if (!is_there(page, path)) fail_msg("%s names %s, which is not there", page, path);
        ++*n;
    }
}

/* The list of changes speaks of what was there at the time. */
static void check_paths_of_today(const char *page, const char *text, void *context)
{
    if (strcmp(page, "CHANGELOG.md") != 0) check_paths(page, text, context);
}

CLAIM(every_documented_path_exists)
{
    int n = 0;
    doc_each_page(check_paths_of_today, &n);
    assert_true(n > 0);
}

/* A name between quotes in one of the files of the build. */
typedef struct quoted_name {
    char text[NAME + 2];
    int found;
} quoted_name;

static void look_for_name(const char *path, const char *text, void *context)
{
    quoted_name *name = context;
    (void)path;
    name->found |= strstr(text, name->text) != NULL;
}

static int is_placeholder(const char *word)
{
    while (isupper((unsigned char)*word)) word++;
    return *word == 0;
}

/* "meson test -C build [--benchmark] NAME [-v]": NAME is a test or a benchmark. */
static void check_test_name(const char *page, const char *code, void *context)
{
    static const char call[] = "meson test -C build";
    const char *at = strstr(code, call);
    char word[NAME] = "";
    quoted_name name = {.found = 0};
    if (!at) return;
    for (at += strlen(call); *at == ' ' || strncmp(at, "--benchmark", strlen("--benchmark")) == 0;)
        at += *at == ' ' ? 1 : strlen("--benchmark");
    const int is_quoted = *at == '"';
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at + is_quoted, is_quoted ? "\"" : " #"), at + is_quoted);
    if (!word[0] || word[0] == '-' || is_placeholder(word)) return;
    snprintf(name.text, sizeof name.text, "'%s'", word);
    doc_each_build_file(look_for_name, &name);
    if (!name.found) fail_msg("%s calls the test %s, which is not there", page, word);
    ++*(int *)context;
}

CLAIM(every_documented_test_exists)
{
    int n = 0;
    doc_each_code(check_test_name, &n);
    assert_true(n > 0);
}

/* Behind the words of a line in text, blanks before them aside; NULL: they are not there. */
static const char *find_line(const char *text, const char *line, size_t length)
{
    while (length > 0 && line[0] == ' ') line++, length--;
    const char *at = strstr(text, claims_text("%.*s", (int)length, line));
    return at ? at + length : NULL;
}

/* The lines of a block, up to its closing fence, stand in an example in this order. */
static int is_of(const char *example, const char *block)
{
    while (example && strncmp(block, "```", 3) != 0) {
        const size_t length = strcspn(block, "\n");
        example = find_line(example, block, length);
        block += length + 1;
    }
    return example != NULL;
}

typedef struct program {
    const char *block;
    int found;
} program;

static void look_in(const char *path, const char *text, void *context)
{
    program *shown = context;
    (void)path;
    shown->found |= is_of(text, shown->block);
}

static void check_programs(const char *page, const char *text, void *context)
{
    static const char fence[] = "\n```c\n";
    int *n = context;
    for (const char *at = text; (at = strstr(at, fence)) != NULL; ++*n) {
        at += strlen(fence);
        program shown = {at, 0};
        test_each_source("examples", look_in, &shown);
        if (!shown.found) fail_msg("%s shows lines that no example has, or not in this order: %.80s ...", page, at);
    }
}

CLAIM(every_program_that_is_shown_is_an_example)
{
    int n = 0;
    doc_each_page(check_programs, &n);
    assert_true(n > 0);
}

CLAIM(the_citation_is_of_this_version)
{
    test_file citation = test_file_read(test_path(test_environment("RESIDA_SOURCE"), "CITATION.cff"));
    assert_non_null(strstr(citation.bytes, "\nversion: " RESIDA_VERSION "\n"));
    test_file_free(&citation);
}
