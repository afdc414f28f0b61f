/* test_command_help.c - the manual page and the completion know what the help knows: each option of each command. The
 * page is without a warning of man, and bash itself completes. */
#include "test/command/command_fixture.h"

enum { N_VERBS = 11, NAME = 64, LINE = 4096 };

static const char *const verbs[N_VERBS] = {"models",   "solve",    "compare",     "check",  "pattern", "linearize",
                                           "response", "critical", "equilibrium", "export", "resume"};

static test_file print(const char *line)
{
    return command_run_well(line).out;
}

/** The next "--name" at the beginning of a line of options; *at moves behind it. @return 0 when there is none */
static int next_option(const char **at, char name[NAME])
{
    for (const char *line = strchr(*at, '\n'); line; line = strchr(line + 1, '\n')) {
        const char *c = line + 1 + strspn(line + 1, " ");
        if (c - line != 7 && c - line != 3) continue; /* "  -o, --out" and "      --form" */
        if (c[0] == '-' && c[1] != '-' && c[2] == ',') c += 4;
        if (strncmp(c, "--", 2) != 0) continue;
        snprintf(name, NAME, "%.*s", (int)strcspn(c, "= \n"), c);
        *at = c;
        return 1;
    }
    return 0;
}

/** What is done with an option of a command; the number of calls is counted. */
typedef void visit_fn(const char *verb, const char *option, const char *text);

/* The options of the commands of this build, as help lists them. */
static int each_option(const char *text, visit_fn *visit)
{
    int n = 0;
    test_file list = print("help");
    for (int i = 0; i < N_VERBS; i++) {
        char name[NAME];
        const char *line = claims_text("\n  resida %s ", verbs[i]);
        if (!strstr(list.bytes, line)) continue;
        line = claims_text("help %s", verbs[i]);
        test_file help = print(line);
        const char *at = help.bytes;
        for (; next_option(&at, name); n++) visit(verbs[i], name, text);
    }
    return n;
}

/** "--no-h-weights" as "\-\-no\-h\-weights" */
static void escape(const char *words, char escaped[2 * NAME])
{
    for (; *words; words++) {
        if (*words == '-') *escaped++ = '\\';
        *escaped++ = *words;
    }
    *escaped = 0;
}

/** Is there `words` between a beginning and the next end? */
static int is_between(const char *text, const char *beginning, const char *end, const char *words)
{
    const char *from = strstr(text, beginning), *to = from ? strstr(from + strlen(beginning), end) : NULL;
    const char *found = to ? strstr(from, words) : NULL;
    return found && found < to;
}

static void look_in_manual(const char *verb, const char *option, const char *text)
{
    char name[2 * NAME], escaped[2 * NAME];
    escape(verb, name);
    escape(option, escaped);
    const char *head = claims_text(".TP\n\\fBresida %s\\fR", name);
    const char *bold = claims_text("\\fB%s\\fR", escaped);
    if (!is_between(text, head, ".TP\n", bold)) fail_msg("the manual page has no %s at %s", option, verb);
    if (!strstr(strstr(text, ".SH OPTIONS"), bold)) fail_msg("the manual page does not say what %s is", option);
}

COMMAND_CLAIM(the_manual_page_names_every_option)
{
    int n = each_option(print("help --man").bytes, look_in_manual);
    print_message("%d options\n", n);
    assert_true(n > 150);
}

COMMAND_CLAIM(man_has_no_warning_about_the_page)
{
    test_needs("man", "man --version");
    test_file page = print("help --man");
    test_file_write("resida.1", page.bytes, page.size);
    assert_int_equal(system("LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z ./resida.1 "
                            "2> warnings.txt > page.txt"),
                     0);
    test_file warnings = test_file_read("warnings.txt");
    if (warnings.size > 0) fail_msg("%s", warnings.bytes);
}

/** What bash offers behind these words, each between line feeds. */
static test_file complete(const char *words)
{
    const char *line =
        claims_text("bash -c '. ./resida.bash; COMP_WORDS=(resida %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _resida; "
                    "printf \"\\n%%s\" \"${COMPREPLY[@]}\"; echo' > offered.txt 2>&1",
                    words);
    assert_int_equal(system(line), 0);
    return test_file_read("offered.txt");
}

static void expect_offered(const char *words, const char *offer)
{
    test_file offered = complete(words);
    const char *line = claims_text("\n%s\n", offer);
    if (!strstr(offered.bytes, line)) fail_msg("resida %s: bash does not offer %s but %s", words, offer, offered.bytes);
}

static void look_in_bash(const char *verb, const char *option, const char *text)
{
    static char of[NAME];
    static test_file offered;
    const char *line;
    if (strcmp(of, verb) != 0) {
        snprintf(of, sizeof of, "%s", verb);
        line = claims_text("%s --", verb);
        offered = complete(line);
    }
    line = claims_text("\n%s\n", option);
    if (!strstr(offered.bytes, line)) fail_msg("%s: bash does not offer %s", verb, option);
}

COMMAND_CLAIM(bash_offers_every_option_and_what_has_a_list)
{
    test_file script = print("help --bash");
    test_file_write("resida.bash", script.bytes, script.size);
    assert_true(each_option(NULL, look_in_bash) > 150);
    expect_offered("so", "solve");
    expect_offered("solve andr", "andrews");
    expect_offered("solve pendulum --form in", "index3");
    expect_offered("solve pendulum --form = in", "index3");
    expect_offered("compare --format \"\"", "json");
    expect_offered("solve ./res", "./resida.bash");
    expect_offered("solve pendulum --out res", "resida.bash");
    expect_offered("help com", "compare");
    assert_null(strstr(complete("models --").bytes, "--rtol"));
}

static void look_in_zsh(const char *verb, const char *option, const char *text)
{
    const char *head = claims_text("    %s)\n", verb);
    const char *plain = claims_text("'%s'", option);
    const char *with_value = claims_text("'%s='", option);
    const char *braced = claims_text(",%s", option);
    if (!is_between(text, head, ";;\n", plain) && !is_between(text, head, ";;\n", with_value) &&
        !is_between(text, head, ";;\n", braced))
        fail_msg("%s: zsh does not offer %s", verb, option);
}

COMMAND_CLAIM(zsh_offers_every_option)
{
    test_file script = print("help --zsh");
    assert_int_equal(strncmp(script.bytes, "#compdef resida\n", 16), 0);
    assert_true(each_option(script.bytes, look_in_zsh) > 150);
}

/* What moved to the laboratory is refused with the program that has it, and the other way round; help offers
 * neither. */
COMMAND_CLAIM(each_program_names_the_other_one_for_its_commands)
{
    static const char *const laboratory[] = {"reproduce",    "report",  "work-precision",
                                             "conditioning", "results", "study"};
    test_file users = print("help"), bench = print("resida-bench help");
    for (size_t i = 0; i < sizeof laboratory / sizeof *laboratory; i++) {
        char line[LINE], words[LINE];
        snprintf(line, sizeof line, "%s --repeat 1", laboratory[i]);
        snprintf(words, sizeof words, "no command '%s'; it is 'resida-bench %s'", laboratory[i], laboratory[i]);
        command_expect_refusal(line, 2, words);
        snprintf(line, sizeof line, "help %s", laboratory[i]);
        command_expect_refusal(line, 2, words);
        snprintf(words, sizeof words, "resida-bench %s ", laboratory[i]);
        command_expect_words(bench.bytes, words);
        assert_null(strstr(users.bytes, laboratory[i]));
    }
    for (int i = 0; i < N_VERBS; i++) {
        char line[LINE], words[LINE];
        snprintf(line, sizeof line, "resida-bench %s pendulum", verbs[i]);
        snprintf(words, sizeof words, "no command '%s'; it is 'resida %s'", verbs[i], verbs[i]);
        command_expect_refusal(line, 2, words);
    }
}
