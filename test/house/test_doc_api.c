/* test_doc_api.c - doc/api.md lists a core that one can remember: its functions and options are in the headers of the
 * core, and the other functions, members and statuses that it names are declared. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_scan.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/source_scan.h"

enum { MAX_FUNCTIONS = 45, MAX_OPTIONS = 25, NAME = 80 };

static const char *const core[] = {"status", "mechanism", "dae", "problem", "option", "start", "solver", "stats", NULL};
static const char *const further[] = {"sensitivity", NULL};
/* The headers, without comments. */
typedef struct headers {
    char *code[16];
    int n;
} headers;

static test_file page;

static void headers_read(headers *h, const char *const *names)
{
    for (; *names; names++) {
        const char *path = claims_text("include/resida/%s.h", *names);
        test_file file = test_file_read(test_path(test_environment("RESIDA_SOURCE"), path));
        h->code[h->n++] = scan_blank(file.bytes, SCAN_COMMENTS | SCAN_STRINGS);
    }
}

static int set_up(void **state)
{
    (void)state;
    page = test_file_read(test_path(test_environment("RESIDA_SOURCE"), "doc/api.md"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return 0;
}

static int has_function(const headers *h, const char *name)
{
    static api_entry found[API_MAX_FUNCTIONS];
    for (int i = 0; i < h->n; i++) {
        const int n = api_functions(h->code[i], found, API_MAX_FUNCTIONS);
        for (int k = 0; k < n; k++)
            if (strcmp(found[k].name, name) == 0) return 1;
    }
    return 0;
}

/* A name that the headers declare. */
static int has_word(const headers *h, const char *word)
{
    const size_t length = strlen(word);
    for (int i = 0; i < h->n; i++)
        for (const char *at = h->code[i]; (at = strstr(at, word)) != NULL; at++)
            if (at > h->code[i] && !isalnum((unsigned char)at[-1]) && at[-1] != '_' &&
                !isalnum((unsigned char)at[length]) && at[length] != '_')
                return 1;
    return 0;
}

/* The part of the page from a heading to the next one; free it. */
static char *section(const char *heading)
{
    const char *line = claims_text("\n## %s\n", heading);
    const char *at = strstr(page.bytes, line);
    assert_non_null(at);
    at += strlen(line);
    const char *end = strstr(at, "\n## ");
    return strndup(at, end ? (size_t)(end - at) : strlen(at));
}

/* The next span of code from *at on, without its quotes and "()"; 0: there is none. */
static int next_code(const char **at, char name[NAME])
{
    const char *open = strchr(*at, '`'), *close = open ? strchr(open + 1, '`') : NULL;
    if (!close) return 0;
    snprintf(name, NAME, "%.*s", (int)(close - open - 1), open + 1);
    char *call = strstr(name, "()");
    if (call) *call = 0;
    *at = close + 1;
    return 1;
}

CLAIM_WITH(the_core_has_at_most_45_functions_which_are_in_its_headers, set_up, tear_down)
{
    headers h = {.n = 0};
    char *text = section("Functions"), name[NAME];
    int n = 0;
    headers_read(&h, core);
    for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; n++) {
        assert_true(next_code(&at, name));
        if (!has_function(&h, name)) fail_msg("doc/api.md: no header of the core has %s", name);
    }
    print_message("%d functions\n", n);
    assert_true(n > 0 && n <= MAX_FUNCTIONS);
    free(text);
}

CLAIM_WITH(a_user_meets_at_most_25_options_which_are_members_of_the_struct, set_up, tear_down)
{
    static api_entry options;
    headers h = {.n = 0};
    char *text = section("Options of the solver"), name[NAME];
    int n = 0;
    headers_read(&h, (const char *const[]){"solver", NULL});
    assert_int_equal(api_struct(h.code[0], "resida_solver_options", &options), 1);
    for (char *row = strtok(text, "\n"); row; row = strtok(NULL, "\n")) {
        if (strncmp(row, "| `", 3) != 0) continue;
        *strstr(row + 2, " | ") = 0;
        for (const char *at = row; next_code(&at, name); n++) {
            int there = 0;
            for (int k = 0; k < options.n_parts; k++) there |= strcmp(options.parts[k], name) == 0;
            if (!there) fail_msg("doc/api.md: resida_solver_options has no %s", name);
        }
    }
    print_message("%d options\n", n);
    assert_true(n > 0 && n <= MAX_OPTIONS);
    free(text);
}

CLAIM_WITH(each_name_in_the_place_of_one_of_ida_exists, set_up, tear_down)
{
    headers h = {.n = 0};
    char *text = section("From IDA to resida"), name[NAME];
    int n = 0;
    headers_read(&h, core);
    headers_read(&h, further);
    for (char *row = strtok(text, "\n"); row; row = strtok(NULL, "\n")) {
        const char *at = strncmp(row, "| `", 3) == 0 ? strstr(row + 2, " | ") : NULL;
        while (at && next_code(&at, name)) {
            if (strncmp(name, "IDA", 3) == 0) continue;
            if (!has_word(&h, name)) fail_msg("doc/api.md: no header has %s", name);
            n++;
        }
    }
    assert_true(n > 40);
    free(text);
}
