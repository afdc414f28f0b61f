/* test_style.c - reads the sources (RESIDA_SOURCE) and fails where files and functions are too long, a folder is
 * crowded, something is left half done, the library prints, words are private, or a public header does not compile
 * alone.
 *
 * Every rule is a function of path and text. It is tried on sources that break it, before it judges the real ones. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rules.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/source_scan.h"

/* Lines of a file and of a function; fewer in the library, whose every line has to be read. */
enum { MAX_LINES_FILE = 500, MAX_LINES_FUNCTION = 80, MAX_FILES_FOLDER = 26 };
enum { MAX_LINES_FILE_LIBRARY = 450, MAX_LINES_FUNCTION_LIBRARY = 60 };

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int is_library(const char *path)
{
    return starts(path, "base/") || starts(path, "jacobian/") || starts(path, "src/");
}

/* One idea per file. */
static int file_too_long(const char *path, const char *text, char *why)
{
    const int lines = scan_lines(text), most = is_library(path) ? MAX_LINES_FILE_LIBRARY : MAX_LINES_FILE;
    return lines > most && snprintf(why, RULE_WHY, "has %d lines, at most %d", lines, most) > 0;
}

/* A function fits on a screen. */
static int function_too_long(const char *path, const char *text, char *why)
{
    const int most = is_library(path) ? MAX_LINES_FUNCTION_LIBRARY : MAX_LINES_FUNCTION;
    int line = 0, longest = scan_longest_function(text, &line);
    return longest > most &&
           snprintf(why, RULE_WHY, "line %d: a function of %d lines, at most %d", line, longest, most) > 0;
}

/* Nothing half done. The words are written in two parts here, lest this file breaks its own rule. */
static int left_over(const char *path, const char *text, char *why)
{
    static const char *const words[] = {"TO"
                                        "DO",
                                        "FIX"
                                        "ME",
                                        "XX"
                                        "X"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int line = scan_word(text, words[i], 0);
        if (line) return snprintf(why, RULE_WHY, "line %d: %s", line, words[i]) > 0;
    }
    for (const char *c = text; (c = strstr(c, "#if")) != NULL; c++) {
        int zero = 0, used = 0;
        if (sscanf(c, "#if %d%n", &zero, &used) == 1 && zero == 0)
            return snprintf(why, RULE_WHY, "code that is switched off") > 0;
    }
    return 0;
}

/* The library never prints and never ends the process. */
static int prints_or_exits(const char *path, const char *text, char *why)
{
    static const char *const calls[] = {"printf",  "fprintf", "vprintf", "vfprintf", "puts",  "fputs",
                                        "putchar", "perror",  "exit",    "_exit",    "abort", "assert"};
    if (!is_library(path)) return 0;
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS);
    int line = 0;
    for (size_t i = 0; line == 0 && i < sizeof calls / sizeof *calls; i++) {
        line = scan_word(code, calls[i], 1);
        if (line) snprintf(why, RULE_WHY, "line %d: calls %s()", line, calls[i]);
    }
    return line != 0;
}

/* Words of no textbook, for which the field has others (bisection, outdated, worker, accumulated cost, caller): neither
 * in prose nor as a part of an identifier. */
static const char *const private_words[] = {
    "asleep", "astray", "audit", "dear",     "debt", "halves", "lane",    "manner", "nobody", "rung",  "sleeps",
    "stale",  "story",  "wake",  "somebody", "told", "worn",   "suspect", "owes",   "walker", "crowd", "whoever"};

/* 1: the word is there with no letter before it and none but a plural s behind it. */
static int has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *c = text; *c; c++) {
        const char *end = c + length;
        if (strncasecmp(c, word, length) != 0 || (c > text && isalpha((unsigned char)c[-1]))) continue;
        end += *end == 's';
        if (!isalpha((unsigned char)*end)) return 1;
    }
    return 0;
}

static int has_private_word(const char *path, const char *text, char *why)
{
    /* Lanes are a term where vector instructions are. */
    const int has_simd = starts(path, "base/") || starts(path, "base/linear/") || strstr(text, "lanes.h");
    for (size_t i = 0; i < sizeof private_words / sizeof *private_words; i++)
        if (has_word(text, private_words[i]) && !(has_simd && strcmp(private_words[i], "lane") == 0))
            return snprintf(why, RULE_WHY, "says %s", private_words[i]) > 0;
    return 0;
}

/* A public header compiles alone, as C and as C++. */
static int compiles(const char *include, const char *source, int cpp)
{
    const char *file = test_path(test_folder(), cpp ? "alone.cpp" : "alone.c");
    test_file_write(file, source, strlen(source));
    const char *const as_c[] = {"cc",      "-std=c11", "-Wall", "-Wextra",       "-Wpedantic", "-Wconversion",
                                "-Werror", "-I",       include, "-fsyntax-only", file,         NULL};
    const char *const as_cpp[] = {"c++", "-Wall", "-Wextra", "-Werror", "-I", include, "-fsyntax-only", file, NULL};
    int code = test_run(cpp ? as_cpp : as_c);
    if (code == 127) fail_msg("no C or C++ compiler called cc, c++");
    return code == 0;
}

static int does_not_compile_alone(const char *path, const char *text, char *why)
{
    if (!starts(path, "include/resida/")) return 0;
    const char *include = test_path(test_environment("RESIDA_SOURCE"), "include");
    const char *source = claims_text("#include <%s>\n", path + strlen("include/"));
    int c = compiles(include, source, 0), cpp = compiles(include, source, 1);
    if (!c || !cpp) snprintf(why, RULE_WHY, "does not compile alone as %s", c ? "C++" : "C");
    return !c || !cpp;
}

/* A source of one function with so many lines, signature and both braces counted. */
static const char *function_of(int lines)
{
    static char text[20000];
    strcpy(text, "#include <x.h>\n\nstruct a {\n    int b;\n};\n\nstatic int f(int a,\n             int b)\n{\n");
    for (int i = 0; i < lines - 4; i++) strcat(text, "    if (a) { b(); }\n");
    return strcat(text, "}\n");
}

static const char *file_of(int lines)
{
    static char text[20000];
    text[0] = 0;
    for (int i = 0; i < lines; i++) strcat(text, "int a;\n");
    return text;
}

CLAIM(files_and_functions_fit)
{
    rule_breaks(file_too_long, "src/a.c", file_of(MAX_LINES_FILE_LIBRARY + 1));
    rule_obeys(file_too_long, "jacobian/a.c", file_of(MAX_LINES_FILE_LIBRARY));
    rule_breaks(file_too_long, "command/a.c", file_of(MAX_LINES_FILE + 1));
    rule_obeys(file_too_long, "command/a.c", file_of(MAX_LINES_FILE));
    rule_breaks(function_too_long, "src/a.c", function_of(MAX_LINES_FUNCTION_LIBRARY + 1));
    rule_obeys(function_too_long, "jacobian/a.c", function_of(MAX_LINES_FUNCTION_LIBRARY));
    rule_breaks(function_too_long, "command/a.c", function_of(MAX_LINES_FUNCTION + 1));
    rule_obeys(function_too_long, "command/a.c", function_of(MAX_LINES_FUNCTION));
    rule_all_obey(file_too_long, rule_everything);
    rule_all_obey(function_too_long, rule_product);
}

/* Sources of each folder, counted as they come. */
typedef struct folders {
    int n, files[200];
    char name[200][128];
} folders;

static void count_in_folder(const char *path, const char *text, void *context)
{
    folders *all = context;
    const int length = (int)(strrchr(path, '/') - path);
    int i = 0;
    while (i < all->n && (strncmp(all->name[i], path, (size_t)length) != 0 || all->name[i][length] != 0)) i++;
    if (i == all->n) {
        assert_true(all->n < 200 && length < 128);
        snprintf(all->name[all->n++], 128, "%.*s", length, path);
    }
    all->files[i]++;
}

/* The last folder with too many; -1: there is none. */
static int crowded(const folders *all)
{
    int worst = -1;
    for (int i = 0; i < all->n; i++)
        if (all->files[i] > MAX_FILES_FOLDER) worst = i;
    return worst;
}

CLAIM(a_folder_has_few_files)
{
    static folders all, tried;
    for (int i = 0; i <= MAX_FILES_FOLDER; i++) {
        assert_int_equal(crowded(&tried), -1);
        count_in_folder("src/b/a.c", "", &tried);
        count_in_folder("src/bc/a.c", "", &tried);
        if (i == 0) count_in_folder("src/a.c", "", &tried);
    }
    assert_int_equal(tried.n, 3);
    assert_true(crowded(&tried) >= 0);
    for (const char *const *top = rule_everything; *top; top++) test_each_source(*top, count_in_folder, &all);
    assert_true(all.n > 20);
    if (crowded(&all) >= 0) fail_msg("%s has %d files", all.name[crowded(&all)], all.files[crowded(&all)]);
}

CLAIM(braces_in_text_do_not_change_the_length_of_a_function)
{
    int line = 0;
    assert_int_equal(
        scan_longest_function("int f(void)\n{\n    g(\"}\"); /* } */\n    h('}');\n#define A }\n}\n", &line), 6);
    assert_int_equal(line, 1);
    assert_int_equal(scan_longest_function("int a[] = {\n1,\n2\n};\nstruct s {\nint b;\n};\n", &line), 0);
    assert_int_equal(scan_longest_function("extern \"C\" {\n\nint f(void)\n{\n}\n\nint g(void);\n}\n", &line), 3);
    assert_int_equal(line, 3);
    assert_int_equal(scan_longest_function("int f(void) {\n}\n\n/* long */\nint\ng(void)\n{\n}\n", &line), 4);
    assert_int_equal(line, 5);
}

CLAIM(no_source_has_a_note_of_unfinished_work)
{
    rule *r = left_over;
    rule_breaks(r, "src/a.c",
                "/* "
                "TO"
                "DO: later */\n");
    rule_breaks(r, "src/a.c",
                "// ("
                "FIX"
                "ME)\n");
    rule_breaks(r, "src/a.c",
                "int a; // "
                "XX"
                "X\n");
    rule_breaks(r, "src/a.c",
                "int a;\n#if"
                " 0\nint b;\n#endif\n");
    rule_obeys(r, "src/a.c", "#if 01L\n#if A\n#ifdef B\nmkstemp(\"aXXXXXX\"); method(); METHOD();\n");
    rule_all_obey(r, rule_everything);
}

CLAIM(the_library_neither_prints_nor_exits)
{
    rule *r = prints_or_exits;
    rule_breaks(r, "src/a.c", "void f(void) { printf(\"x\"); }\n");
    rule_breaks(r, "jacobian/a.c", "void f(void)\n{\n    fprintf (stderr, \"x\");\n}\n");
    rule_breaks(r, "src/a.c", "void f(void) { if (g()) exit(1); }\n");
    rule_breaks(r, "src/a.c", "void f(void) { abort\n(); }\n");
    rule_obeys(r, "src/a.c", "/* printf(1) */ char *s = \"exit(1)\"; int f = snprintf(t, 3, u); vsnprintf(t);\n");
    rule_obeys(r, "src/a.c", "int my_exit(int); int exit_code = my_exit(2);\n");
    rule_obeys(r, "command/main.c", "int main(void) { printf(\"x\"); exit(0); }\n");
    rule_all_obey(r, rule_product);
}

CLAIM(the_library_speaks_in_the_words_of_the_field)
{
    static const char *const in_words[] = {"jacobian", "src", "include", NULL};
    rule *r = has_private_word;
    rule_breaks(r, "jacobian/a.c", "/* Columns that nobody needs. */\n");
    rule_breaks(r, "jacobian/a.c", "void rsd_stale_mark(void);\n");
    rule_breaks(r, "jacobian/a.c", "typedef struct rsd_lane { int n_lanes; } rsd_lane;\n");
    rule_breaks(r, "jacobian/a.c", "enum { RSD_RUNG };\n");
    rule_breaks(r, "jacobian/a.c", "/* Suspects are marked. */\n");
    rule_obeys(r, "jacobian/a.c", "#include \"base/lanes.h\"\nint awake, trunk, planes, history;\n");
    rule_all_obey(r, in_words);
}

CLAIM(every_public_header_compiles_alone_as_c_and_as_cpp)
{
    const char *folder = test_folder();
    assert_false(compiles(folder, "size_t n;\n", 0));
    assert_false(compiles(folder, "size_t n = missing;\n", 1));
    assert_false(compiles(folder, "int f(long a);\nint f(long a) { int b = a; return b; }\n", 0));
    assert_false(compiles(folder, "struct s { int class; };\n", 1));
    assert_true(compiles(folder, "struct s { int class; };\n", 0));
    rule_breaks(does_not_compile_alone, "include/resida/that_is_not_there.h", "");
    rule_all_obey(does_not_compile_alone, rule_product);
}
