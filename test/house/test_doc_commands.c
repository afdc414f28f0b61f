/* test_doc_commands.c - what pages say of `resida` and `resida-bench` in passing: commands and options that it knows.
 * doc_commands.py runs the command lines. */
#include <resida_features.h>
#include <stdio.h>
#include <string.h>

#include "test/command/command_fixture.h"

#include "doc_pages.h"

enum { LINE = 200, WORD = 60, N_VERBS = 18 };

static const struct {
    const char *program, *name;
} verbs[N_VERBS] = {{"resida", "models"},
                    {"resida", "solve"},
                    {"resida", "compare"},
                    {"resida", "check"},
                    {"resida", "pattern"},
                    {"resida", "linearize"},
                    {"resida", "response"},
                    {"resida", "critical"},
                    {"resida", "sweep"},
                    {"resida", "equilibrium"},
                    {"resida", "export"},
                    {"resida", "resume"},
                    {"resida-bench", "work-precision"},
                    {"resida-bench", "conditioning"},
                    {"resida-bench", "reproduce"},
                    {"resida-bench", "report"},
                    {"resida-bench", "results"},
                    {"resida-bench", "study"}};
static test_file help[N_VERBS];

static int set_up(void **state)
{
    assert_int_equal(command_set_up(state), 0);
    for (int i = 0; i < N_VERBS; i++) {
        const int is_bench = strcmp(verbs[i].program, "resida") != 0;
        char line[LINE];
        snprintf(line, sizeof line, "%shelp %s", is_bench ? "resida-bench " : "", verbs[i].name);
        command_result r = command_run(line);
        assert_int_equal(r.code, 0);
        help[i] = r.out;
        test_file_free(&r.err);
    }
    return 0;
}

static int tear_down(void **state)
{
    for (int i = 0; i < N_VERBS; i++) test_file_free(&help[i]);
    return command_tear_down(state);
}

/* Is "--name" or "-x" an option in this help? */
static int is_option(const char *text, const char *option)
{
    const size_t length = strlen(option);
    for (const char *at = text; (at = strstr(at, option)); at++)
        if (strchr(" ,", at[-1]) && strchr("=, \n", at[length])) return 1;
    return 0;
}

/* Of models that are files: FMUs, systems of them, and descriptions of robots. doc_commands_run runs them. */
static int is_of_model(const char *word)
{
    static const char *const options[] = {"--inputs", "--hold",   "--communication-step", "--motion", "--torques",
                                          "--loops",  "--spheres"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i]) == 0) return 1;
    return 0;
}

static void next_word(const char **at, char word[WORD])
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    snprintf(word, WORD, "%.*s", (int)length, *at);
    *at += length;
    word[strcspn(word, "=")] = 0;
}

static int is_verb(int i, const char *program, const char *name)
{
    return strcmp(verbs[i].program, program) == 0 && strcmp(verbs[i].name, name) == 0;
}

static void check_line(const char *page, const char *program, const char *at, int *n)
{
    char word[WORD];
    int verb = 0;
    next_word(&at, word);
    if (strcmp(word, "help") == 0) return;
    while (verb < N_VERBS && !is_verb(verb, program, word)) verb++;
    if (verb == N_VERBS) fail_msg("%s: %s has no command '%s'", page, program, word);
    for (next_word(&at, word); word[0] && word[0] != '#'; next_word(&at, word))
        if (word[0] == '-' && !is_option(help[verb].bytes, word) && !is_of_model(word))
            fail_msg("%s: %s %s has no option %s", page, program, verbs[verb].name, word);
    ++*n;
}

/* "resida solve ..", with a path before it or not. */
static void check_command(const char *page, const char *code, void *context)
{
    static const char *const programs[] = {"resida", "resida-bench"};
    code += strspn(code, " ");
    const size_t path = strcspn(code, " ");
    const char *base = code + path;
    while (base > code && base[-1] != '/') base--;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const size_t length = strlen(programs[i]);
        if (strncmp(base, programs[i], length) == 0 && base[length] == ' ')
            check_line(page, programs[i], base + length, context);
    }
}

CLAIM(every_documented_command_line_is_valid)
{
    int n = 0;
    doc_each_code(check_command, &n);
    assert_true(n > 0);
}

/* `--option`, without a command: some command has it. */
static void check_option(const char *page, const char *code, void *context)
{
    char word[WORD];
    int *n = context;
    if (strncmp(code, "--", 2) != 0) return;
    if (strncmp(code, "--threads", 9) == 0 && !rsd_feature_of("OpenMP")->is_built) return;
    next_word(&code, word);
    for (int i = 0; i < N_VERBS; i++)
        if (is_of_model(word) || is_option(help[i].bytes, word)) {
            ++*n;
            return;
        }
    fail_msg("%s: no command has the option %s", page, word);
}

CLAIM(every_documented_option_exists)
{
    int n = 0;
    doc_each_code(check_option, &n);
    assert_true(n > 0);
}

int main(void)
{
    return claims_run(set_up, tear_down);
}
