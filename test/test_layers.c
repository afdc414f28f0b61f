/* test_layers.c - reads the sources (RESIDA_SOURCE) and fails when one is written against the rules of the project:
 * includes that point against the flow  model -> formulation -> problem -> Jacobian engine -> IDA,  files and
 * functions that are too long, left-overs, printing in the library, headers that do not compile alone, formatting.
 *
 * Every rule is a function of path and text. It is tried on sources that break it, before it judges the real ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_util.h"
#include "source_scan.h"

enum { MAX_LINES_FILE = 500, MAX_LINES_FUNCTION = 80, WHY = 300 };

/** 1: the source breaks the rule, and `why` [WHY] says how. */
typedef int rule(const char *path, const char *text, char *why);

/* Public headers in the order of the flow; one may include those before it. */
static const char *const flow[] = {"status",  "option", "mechanism", "quaternion", "dae",   "model",
                                   "problem", "start",  "jacobian",  "stats",      "solver"};
enum { N_FLOW = sizeof flow / sizeof *flow };

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Place of "resida/NAME.h" in the flow; -1 when it is not there. */
static int place_in_flow(const char *header)
{
    for (int i = 0; i < N_FLOW; i++) {
        char name[40];
        snprintf(name, sizeof name, "resida/%s.h", flow[i]);
        if (strcmp(name, header) == 0) return i;
    }
    return -1;
}

static int is_sundials(const char *header)
{
    static const char *const folders[] = {"ida/",          "idas/",      "cvode/",     "kinsol/", "sundials/",
                                          "sunnonlinsol/", "sunlinsol/", "sunmatrix/", "nvector/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (starts(header, folders[i])) return 1;
    return 0;
}

/** What may be included from where: 1 when `path` may include `header`. */
typedef int permission(const char *path, char quote, const char *header);

static int check_includes(permission *may_include, const char *path, const char *text, char *why)
{
    char *code = scan_blank(text, SCAN_COMMENTS);
    const char *at = code;
    char header[128], quote;
    int broken = 0;
    while (!broken && (quote = scan_include(&at, header)) != 0) broken = !may_include(path, quote, header);
    if (broken) snprintf(why, WHY, "includes %s", header);
    free(code);
    return broken;
}

/* (a) A public header includes standard headers and public ones before it; resida.h includes them all. */
static int may_public_header(const char *path, char quote, const char *header)
{
    if (!starts(path, "include/resida/") || strcmp(path, "include/resida/resida.h") == 0) return 1;
    if (!starts(header, "resida/")) return quote == '<' && !is_sundials(header);
    int here = place_in_flow(path + strlen("include/")), there = place_in_flow(header);
    return quote == '<' && there >= 0 && there < here;
}

static int header_against_flow(const char *path, const char *text, char *why)
{
    if (starts(path, "include/resida/") && strcmp(path, "include/resida/resida.h") != 0 &&
        place_in_flow(path + strlen("include/")) < 0) {
        snprintf(why, WHY, "has no place in the order of the public headers");
        return 1;
    }
    return check_includes(may_public_header, path, text, why);
}

/* (b) The Jacobian engine knows the problem and five tools of src/, nothing of the integrator. */
static int may_jacobian(const char *path, char quote, const char *header)
{
    static const char *const tools[] = {"callback.h", "memory.h", "message.h", "dense.h", "lanes.h"};
    if (!starts(path, "jacobian/")) return 1;
    if (starts(header, "resida/"))
        return place_in_flow(header) >= 0 && place_in_flow(header) <= place_in_flow("resida/jacobian.h");
    if (quote == '<') return !is_sundials(header);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(header, tools[i]) == 0) return 1;
    char own[200];
    snprintf(own, sizeof own, "%s/jacobian/%s", test_environment("RESIDA_SOURCE"), header);
    FILE *there = strchr(header, '/') ? NULL : fopen(own, "r");
    if (there) fclose(there);
    return there != NULL;
}

static int jacobian_against_flow(const char *path, const char *text, char *why)
{
    return check_includes(may_jacobian, path, text, why);
}

/* (c) SUNDIALS is seen by the integrator alone; a header that shows it counts as one of SUNDIALS. Programs that
 * measure plain IDA as a peer may see it too. */
static int may_sundials(const char *path, char quote, const char *header)
{
    (void)quote;
    int shows = is_sundials(header) || starts(header, "ida_") || strcmp(header, "sundials_compat.h") == 0;
    return !shows || strcmp(path, "src/solver_ida.c") == 0 || starts(path, "src/ida_") ||
           strcmp(path, "src/sundials_compat.h") == 0 || starts(path, "benchmarks/peers/");
}

static int sundials_outside_the_integrator(const char *path, const char *text, char *why)
{
    return check_includes(may_sundials, path, text, why);
}

/* (d) Users of the library see its public headers only: no path into src/ or jacobian/, no header that lies there. */
static int may_user(const char *path, char quote, const char *header)
{
    if (!starts(path, "benchmarks/") && !starts(path, "examples/")) return 1;
    if (starts(header, "resida/")) return 1;
    if (strstr(header, "src/") || strstr(header, "jacobian/")) return 0;
    if (quote == '<' || strchr(header, '/')) return 1;
    static const char *const inner[] = {"src", "jacobian"};
    int lies_inside = 0;
    for (int i = 0; i < 2; i++) {
        char there[300];
        snprintf(there, sizeof there, "%s/%s/%s", test_environment("RESIDA_SOURCE"), inner[i], header);
        FILE *file = fopen(there, "r");
        if (file) fclose(file), lies_inside = 1;
    }
    return !lies_inside;
}

static int user_of_inner_headers(const char *path, const char *text, char *why)
{
    return check_includes(may_user, path, text, why);
}

/* (e) One idea per file, a function fits on a screen. */
static int too_long(const char *path, const char *text, char *why)
{
    (void)path;
    int lines = scan_lines(text), line = 0, longest = scan_longest_function(text, &line);
    if (lines > MAX_LINES_FILE) snprintf(why, WHY, "has %d lines, at most %d", lines, MAX_LINES_FILE);
    if (longest > MAX_LINES_FUNCTION)
        snprintf(why, WHY, "line %d: a function of %d lines, at most %d", line, longest, MAX_LINES_FUNCTION);
    return lines > MAX_LINES_FILE || longest > MAX_LINES_FUNCTION;
}

/* (g) Nothing half done. The words are written in two parts here, lest this file breaks its own rule. */
static int left_over(const char *path, const char *text, char *why)
{
    static const char *const words[] = {"TO"
                                        "DO",
                                        "FIX"
                                        "ME",
                                        "XX"
                                        "X"};
    (void)path;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int line = scan_word(text, words[i], 0);
        if (line) return snprintf(why, WHY, "line %d: %s", line, words[i]) > 0;
    }
    for (const char *c = text; (c = strstr(c, "#if")) != NULL; c++) {
        int zero = 0, used = 0;
        if (sscanf(c, "#if %d%n", &zero, &used) == 1 && zero == 0)
            return snprintf(why, WHY, "code that is switched off") > 0;
    }
    return 0;
}

/* (g) The library never prints and never ends the process. */
static int prints_or_exits(const char *path, const char *text, char *why)
{
    static const char *const calls[] = {"printf",  "fprintf", "vprintf", "vfprintf", "puts",  "fputs",
                                        "putchar", "perror",  "exit",    "_exit",    "abort", "assert"};
    if (!starts(path, "src/") && !starts(path, "jacobian/")) return 0;
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS);
    int line = 0;
    for (size_t i = 0; line == 0 && i < sizeof calls / sizeof *calls; i++) {
        line = scan_word(code, calls[i], 1);
        if (line) snprintf(why, WHY, "line %d: calls %s()", line, calls[i]);
    }
    free(code);
    return line != 0;
}

/* (f) A public header compiles alone, as C and as C++. */
static int compiles(const char *folder, const char *include, const char *source, int cpp)
{
    const char *file = test_path(folder, cpp ? "alone.cpp" : "alone.c");
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
    (void)text;
    if (!starts(path, "include/resida/")) return 0;
    char folder[64], include[300], source[200];
    snprintf(include, sizeof include, "%s/include", test_environment("RESIDA_SOURCE"));
    snprintf(source, sizeof source, "#include <%s>\n", path + strlen("include/"));
    test_folder_make(folder);
    int c = compiles(folder, include, source, 0), cpp = compiles(folder, include, source, 1);
    test_folder_remove(folder);
    if (!c || !cpp) snprintf(why, WHY, "does not compile alone as %s", c ? "C++" : "C");
    return !c || !cpp;
}

/* (h) The formatter changes nothing. Its versions differ, and the sources are in the form of this one. */
#define FORMATTER "version 14."

static int formatter_is_there(void)
{
    char version[200] = "";
    FILE *pipe = popen("clang-format --version 2>/dev/null", "r");
    assert_non_null(pipe);
    if (!fgets(version, sizeof version, pipe)) version[0] = 0;
    pclose(pipe);
    return strstr(version, FORMATTER) != NULL;
}

static int is_formatted(const char *file)
{
    char style[300];
    snprintf(style, sizeof style, "--style=file:%s/.clang-format", test_environment("RESIDA_SOURCE"));
    const char *const command[] = {"clang-format", "--dry-run", "-Werror", style, file, NULL};
    return test_run(command) == 0;
}

/* All sources of a folder at once: a process for each of a thousand takes minutes on a busy machine. */
static int folder_is_formatted(const char *folder)
{
    char line[700];
    const char *source = test_environment("RESIDA_SOURCE");
    snprintf(line, sizeof line,
             "find '%s/%s' -name '*.[ch]' -o -name '*.cpp' | xargs clang-format --dry-run -Werror "
             "'--style=file:%s/.clang-format'",
             source, folder, source);
    const char *const command[] = {"sh", "-c", line, NULL};
    return test_run(command) == 0;
}

static int badly_formatted(const char *path, const char *text, char *why)
{
    (void)text;
    if (is_formatted(test_path(test_environment("RESIDA_SOURCE"), path))) return 0;
    return snprintf(why, WHY, "is not as clang-format %s writes it", FORMATTER) > 0;
}

/* --- the walk over the sources --- */

typedef struct verdict {
    rule *broken;
    int files, broken_files;
} verdict;

static void judge(const char *path, const char *text, void *context)
{
    verdict *sum = context;
    char why[WHY] = "";
    sum->files++;
    if (sum->broken(path, text, why)) {
        print_error("%s: %s\n", path, why);
        sum->broken_files++;
    }
}

/* All sources obey the rule. */
static void all_obey(rule *broken, const char *const *folders)
{
    verdict sum = {broken, 0, 0};
    for (; *folders; folders++) test_each_source(*folders, judge, &sum);
    assert_true(sum.files > 5); /* the walk found them */
    assert_int_equal(sum.broken_files, 0);
}

static const char *const product[] = {"include", "src", "jacobian", "benchmarks", "examples", NULL};
static const char *const everything[] = {"include", "src", "jacobian", "benchmarks", "examples", "test", NULL};

static void breaks(rule *broken, const char *path, const char *text)
{
    char why[WHY] = "";
    if (!broken(path, text, why)) fail_msg("the rule lets pass: %s: %s", path, text);
    assert_true(why[0] != 0);
}

static void obeys(rule *broken, const char *path, const char *text)
{
    char why[WHY] = "";
    if (broken(path, text, why)) fail_msg("the rule refuses: %s: %s (%s)", path, text, why);
}

/* --- the claims --- */

static void public_headers_include_only_those_before_them(void **state)
{
    (void)state;
    rule *r = header_against_flow;
    breaks(r, "include/resida/mechanism.h", "#include <resida/solver.h>\n");
    breaks(r, "include/resida/jacobian.h", "#include <stddef.h>\n#  include <resida/jacobian.h>\n");
    breaks(r, "include/resida/jacobian.h", "#include <resida/resida.h>\n");
    breaks(r, "include/resida/jacobian.h", "#include \"memory.h\"\n");
    breaks(r, "include/resida/solver.h", "#include <ida/ida.h>\n");
    breaks(r, "include/resida/new.h", "");
    obeys(r, "include/resida/jacobian.h", "#include <stddef.h>\n#include <resida/problem.h>\n");
    obeys(r, "include/resida/jacobian.h", "/*\n#include <resida/solver.h>\n*/ // #include <resida/solver.h>\n");
    obeys(r, "include/resida/resida.h", "#include <resida/solver.h>\n");
    all_obey(r, product);
}

static void the_jacobian_engine_knows_nothing_of_the_integrator(void **state)
{
    (void)state;
    rule *r = jacobian_against_flow;
    breaks(r, "jacobian/engine.c", "#include <resida/solver.h>\n");
    breaks(r, "jacobian/engine.c", "#include <resida/resida.h>\n");
    breaks(r, "jacobian/engine.c", "#include <ida/ida.h>\n");
    breaks(r, "jacobian/engine.c", "#include <sundials/sundials_nvector.h>\n");
    breaks(r, "jacobian/engine.c", "#include \"model_class.h\"\n");
    breaks(r, "jacobian/engine.c", "#include \"../src/memory.h\"\n");
    obeys(r, "jacobian/engine.c", "#include <resida/jacobian.h>\n#include <math.h>\n#include \"dense.h\"\n");
    all_obey(r, product);
}

static void only_the_integrator_sees_sundials(void **state)
{
    (void)state;
    rule *r = sundials_outside_the_integrator;
    breaks(r, "src/start.c", "#include <ida/ida.h>\n");
    breaks(r, "src/solver.c", "#include <sunlinsol/sunlinsol_dense.h>\n");
    breaks(r, "src/solver.c", "#include <sunnonlinsol/sunnonlinsol_newton.h>\n");
    breaks(r, "src/memory.h", "#include <nvector/nvector_serial.h>\n");
    breaks(r, "src/problem.c", "#include \"sundials_compat.h\"\n");
    breaks(r, "src/problem.c", "#include \"ida_vector.h\"\n");
    breaks(r, "benchmarks/harness/main.c", "#include <sundials/sundials_types.h>\n");
    breaks(r, "src/solver_ida.h", "#include <sunmatrix/sunmatrix_dense.h>\n");
    obeys(r, "src/solver_ida.c", "#include <ida/ida.h>\n#include \"ida_newton.h\"\n");
    obeys(r, "src/ida_vector.h", "#include <sundials/sundials_nvector.h>\n");
    all_obey(r, product);
}

static void benchmarks_and_examples_use_public_headers_only(void **state)
{
    (void)state;
    rule *r = user_of_inner_headers;
    breaks(r, "benchmarks/harness/main.c", "#include \"memory.h\"\n");
    breaks(r, "benchmarks/harness/main.c", "#include \"../../src/message.h\"\n");
    breaks(r, "examples/first.c", "#include \"../jacobian/any.h\"\n");
    breaks(r, "examples/first.c", "#include \"elf_check.h\"\n");
    obeys(r, "examples/first.c", "#include <resida/jacobian.h>\n#include <memory.h>\n");
    obeys(r, "benchmarks/harness/main.c", "#include \"stopwatch.h\"\n#include \"../models/models.h\"\n");
    all_obey(r, product);
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

static void files_and_functions_fit(void **state)
{
    (void)state;
    rule *r = too_long;
    breaks(r, "src/a.c", file_of(MAX_LINES_FILE + 1));
    obeys(r, "src/a.c", file_of(MAX_LINES_FILE));
    breaks(r, "src/a.c", function_of(MAX_LINES_FUNCTION + 1));
    obeys(r, "src/a.c", function_of(MAX_LINES_FUNCTION));
    all_obey(r, product);
}

static void the_length_of_a_function_is_not_fooled_by_braces_in_text(void **state)
{
    (void)state;
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

static void nothing_is_left_half_done(void **state)
{
    (void)state;
    rule *r = left_over;
    breaks(r, "src/a.c",
           "/* "
           "TO"
           "DO: later */\n");
    breaks(r, "src/a.c",
           "// ("
           "FIX"
           "ME)\n");
    breaks(r, "src/a.c",
           "int a; // "
           "XX"
           "X\n");
    breaks(r, "src/a.c",
           "int a;\n#if"
           " 0\nint b;\n#endif\n");
    obeys(r, "src/a.c", "#if 01L\n#if A\n#ifdef B\nmkstemp(\"aXXXXXX\"); method(); METHOD();\n");
    all_obey(r, everything);
}

static void the_library_neither_prints_nor_exits(void **state)
{
    (void)state;
    rule *r = prints_or_exits;
    breaks(r, "src/a.c", "void f(void) { printf(\"x\"); }\n");
    breaks(r, "jacobian/a.c", "void f(void)\n{\n    fprintf (stderr, \"x\");\n}\n");
    breaks(r, "src/a.c", "void f(void) { if (g()) exit(1); }\n");
    breaks(r, "src/a.c", "void f(void) { abort\n(); }\n");
    obeys(r, "src/a.c", "/* printf(1) */ char *s = \"exit(1)\"; int f = snprintf(t, 3, u); vsnprintf(t);\n");
    obeys(r, "src/a.c", "int my_exit(int); int exit_code = my_exit(2);\n");
    obeys(r, "benchmarks/harness/main.c", "int main(void) { printf(\"x\"); exit(0); }\n");
    all_obey(r, product);
}

static void every_public_header_compiles_alone_as_c_and_as_cpp(void **state)
{
    (void)state;
    char folder[64];
    test_folder_make(folder);
    assert_false(compiles(folder, folder, "size_t n;\n", 0));
    assert_false(compiles(folder, folder, "size_t n = missing;\n", 1));
    assert_false(compiles(folder, folder, "int f(long a);\nint f(long a) { int b = a; return b; }\n", 0));
    assert_false(compiles(folder, folder, "struct s { int class; };\n", 1));
    assert_true(compiles(folder, folder, "struct s { int class; };\n", 0));
    test_folder_remove(folder);
    breaks(does_not_compile_alone, "include/resida/that_is_not_there.h", "");
    all_obey(does_not_compile_alone, product);
}

static void every_source_is_formatted(void **state)
{
    (void)state;
    if (!formatter_is_there()) {
        print_message("clang-format %s is not there\n", FORMATTER);
        skip();
    }
    char folder[64];
    test_folder_make(folder);
    const char *file = test_path(folder, "a.c");
    test_file_write(file, "int  a ;\n", 9);
    assert_false(is_formatted(file));
    test_file_write(file, "int a;\n", 7);
    assert_true(is_formatted(file));
    test_folder_remove(folder);
    for (const char *const *part = everything; *part; part++)
        if (!folder_is_formatted(*part)) all_obey(badly_formatted, (const char *const[]){*part, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_headers_include_only_those_before_them),
        cmocka_unit_test(the_jacobian_engine_knows_nothing_of_the_integrator),
        cmocka_unit_test(only_the_integrator_sees_sundials),
        cmocka_unit_test(benchmarks_and_examples_use_public_headers_only),
        cmocka_unit_test(files_and_functions_fit),
        cmocka_unit_test(the_length_of_a_function_is_not_fooled_by_braces_in_text),
        cmocka_unit_test(nothing_is_left_half_done),
        cmocka_unit_test(the_library_neither_prints_nor_exits),
        cmocka_unit_test(every_public_header_compiles_alone_as_c_and_as_cpp),
        cmocka_unit_test(every_source_is_formatted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
