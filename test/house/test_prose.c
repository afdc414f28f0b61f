/* test_prose.c - counts words that make prose hard to read, in pages, public headers, messages, comments and names. The
 * counts may only fall. With RESIDA_TEST_PROSE=1 in the environment the test prints each place. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc_pages.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/source_scan.h"

enum { LONGEST = 20 };

/* The kinds of text, and the largest count of each. Lower a number when the count is below it. */
enum { DOCS, HEADERS, MESSAGES, COMMENTS, NAMES, N_KINDS };
static const struct {
    const char *name;
    int max;
} kinds[N_KINDS] = {
    {"docs", 1}, {"headers", 0}, {"messages", 2}, {"comments", 153}, {"names", 0},
};

/* A blank stands for any text without letters, so that a phrase is found over the end of a line. */
static const char *const avoided_words[] = {"behind",       "but for", "anew", "is told", "looks at",
                                            "what is left", "hardly",  "dear", NULL};
/* Beginnings of names: min_ and max_ are the terms. */
static const char *const avoided_names[] = {"most_", "least_", NULL};

static int counts[N_KINDS];

/* The end of a phrase that begins at `at`, in any case of letters; NULL: it does not. */
static const char *end_of_phrase(const char *at, const char *phrase)
{
    for (; *phrase; phrase++) {
        if (*phrase == ' ') {
            const char *from = at;
            while (*at && !scan_is_of_word(*at)) at++;
            if (at == from) return NULL;
        } else if (tolower((unsigned char)*at++) != *phrase) {
            return NULL;
        }
    }
    return at;
}

static int is_avoided(const char *at, const char *const *phrases, int is_name)
{
    for (; *phrases; phrases++) {
        const char *end = end_of_phrase(at, *phrases);
        if (end && (is_name || !scan_is_of_word(*end))) return 1;
    }
    return 0;
}

static void show(int kind, const char *path, const char *text, const char *at)
{
    int line = 1;
    if (!getenv("RESIDA_TEST_PROSE")) return;
    for (const char *c = text; c < at; c++) line += *c == '\n';
    print_message("%s: %s:%d: %.*s\n", kinds[kind].name, path, line, LONGEST, at);
}

/* Each phrase of a text that begins at the beginning of a word. */
static int count(int kind, const char *path, const char *text)
{
    const char *const *phrases = kind == NAMES ? avoided_names : avoided_words;
    int n = 0;
    for (const char *at = text; *at; at++) {
        if ((at > text && scan_is_of_word(at[-1])) || !is_avoided(at, phrases, kind == NAMES)) continue;
        show(kind, path, text, at);
        n++;
    }
    return n;
}

/* What scan_blank() blanks of a text: blanks stay in the place of the rest. */
static char *blanked_part(const char *text, int parts)
{
    char *rest = scan_blank(text, parts);
    for (char *c = rest; *c; c++) {
        const char was = text[c - rest];
        *c = (char)(was == '\n' ? '\n' : *c == was ? ' ' : was);
    }
    return rest;
}

static void add(int kind, const char *path, char *part)
{
    counts[kind] += count(kind, path, part);
}

static void add_header(const char *path, const char *text, void *context)
{
    (void)context;
    counts[HEADERS] += count(HEADERS, path, text);
}

static void add_comments(const char *path, const char *text, void *context)
{
    (void)context;
    add(COMMENTS, path, blanked_part(text, SCAN_COMMENTS));
}

static void add_source(const char *path, const char *text, void *context)
{
    char *code = scan_blank(text, SCAN_COMMENTS);
    add_comments(path, text, context);
    add(MESSAGES, path, blanked_part(code, SCAN_STRINGS));
    add(NAMES, path, scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS));
}

/* Experiments are history. */
static void add_page(const char *path, const char *text, void *context)
{
    (void)context;
    if (strncmp(path, "doc/experiments/", strlen("doc/experiments/")) != 0) counts[DOCS] += count(DOCS, path, text);
}

static int count_part(int kind, const char *text, int parts)
{
    return count(kind, "a.c", blanked_part(text, parts));
}

CLAIM(words_are_found_whole_in_any_case_and_over_lines)
{
    assert_int_equal(count(DOCS, "a.md", "Behind it. beyond, behinds, rebehind\n"), 1);
    assert_int_equal(count(DOCS, "a.md", "all but\n * for one; but forty; but for\n"), 2);
    assert_int_equal(count(DOCS, "a.md", "butfor, is_told, dearer, Dear\n"), 1);
    assert_int_equal(count(NAMES, "a.c", "int most_order, LEAST_PAGES, almost_x, most, at_most_x;\n"), 2);
}

CLAIM(comments_messages_and_code_are_distinguished)
{
    const char *text = "int behind; /* behind */ f(\"behind behind\"); // anew\n";
    assert_int_equal(count_part(COMMENTS, text, SCAN_COMMENTS), 2);
    assert_int_equal(count_part(MESSAGES, text, SCAN_STRINGS), 2);
}

CLAIM(words_to_avoid_become_fewer)
{
    static const char *const folders[] = {"base",       "src",     "jacobian", "adapters",
                                          "benchmarks", "command", "program",  NULL};
    int n_above = 0;
    memset(counts, 0, sizeof counts);
    for (const char *const *folder = folders; *folder; folder++) test_each_source(*folder, add_source, NULL);
    test_each_source("include", add_header, NULL);
    test_each_source("examples", add_comments, NULL);
    test_each_source("test", add_comments, NULL);
    doc_each_page(add_page, NULL);
    for (int k = 0; k < N_KINDS; k++) {
        print_message("%s: %d, at most %d\n", kinds[k].name, counts[k], kinds[k].max);
        n_above += counts[k] > kinds[k].max;
    }
    if (n_above) fail_msg("words to avoid have been added: RESIDA_TEST_PROSE=1 prints each place");
}
