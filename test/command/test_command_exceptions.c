/* test_command_exceptions.c - a plugin in C++ that throws from any of its callbacks, at call 1..300 of each: every
 * command goes on to its end and says so, with exit code 1 and no file left behind; and a plugin in C++ is found,
 * whatever the compiler's standard from C++11 on. */
#include <unistd.h>

#include "command_fixture.h"
#include "plugins/plugin_thrower.h"

#include <resida/model.h>

static const char said[] = "threw \"the wire is torn\"";

static command_result throw_in(const char *verb, int which, int at, const char *rest)
{
    const char *line = claims_text("%s %s/plugin_thrower.so -p which=%d -p at=%d %s", verb,
                                   test_environment("RESIDA_TEST_MODULES"), which, at, rest);
    return command_run(line);
}

/* 1: it threw, and this was said in a failure; 0: nothing was thrown, and all went well. */
static int ends_well(const char *verb, int which, int at, const char *rest)
{
    command_result r = throw_in(verb, which, at, rest);
    int threw = strstr(r.out.bytes, said) || strstr(r.err.bytes, said), code = r.code;
    int right = !threw ? 0 : which == CREATE ? 2 : 1; /* a model that cannot be made is a wrong command line */
    if (code != right)
        fail_msg("%s, callback %d, call %d: exit code %d, %s%s", verb, which, at, code, r.out.bytes, r.err.bytes);
    unlink("x.csv");
    unlink("x.partial.csv"); /* rows until it threw */
    if (command_files() != 0) fail_msg("%s, callback %d, call %d: a file is left", verb, which, at);
    return threw;
}

COMMAND_CLAIM(solve_ends_whatever_throws)
{
    static const int calls[] = {1, 2, 3, 5, 10, 30, 100, 300};
    int threw = 0;
    for (int which = CREATE; which <= EXCITATION; which++)
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            threw += ends_well("solve", which, calls[i], "--out x.csv --every 0.01");
    assert_true(threw > 30);
}

COMMAND_CLAIM(a_reference_and_a_destructor_that_throw_do_no_harm)
{
    ends_well("solve", REFERENCE, 1, "--out x.csv");
    ends_well("solve", DESTROY, 1, "--out x.csv");
    assert_int_equal(ends_well("solve", N_CALLBACKS, 1, "--out x.csv"), 0);
}

static void fails_by_itself(const char *verb, int which, int at)
{
    command_result r = throw_in(verb, which, at, "");
    if (r.code != 1)
        fail_msg("%s, callback %d, call %d: exit code %d, %s%s", verb, which, at, r.code, r.out.bytes, r.err.bytes);
    assert_int_equal(command_files(), 0);
}

COMMAND_CLAIM(check_finds_whatever_throws_and_goes_on)
{
    for (int which = RESIDUAL; which <= EXCITATION; which++)
        for (int at = 1; at <= 7; at = 2 * at + 1) fails_by_itself("check", which, at);
    assert_non_null(strstr(throw_in("check", EXCITATION, 1, "").out.bytes, "run  "));
}

COMMAND_CLAIM(every_other_command_ends_too)
{
    for (int which = RESIDUAL; which <= EXCITATION; which++) fails_by_itself("pattern", which, 1);
    fails_by_itself("compare", RESIDUAL, 1);
    fails_by_itself("resida-bench conditioning", MATRIX, 3);
}

/* The plugin compiled by the system's compiler for a standard of C++, with every warning an error. */
static void opens(const char *standard)
{
    const char *option = claims_text("-std=%s", standard);
    const char *file = claims_text("%s/%s.so", command_folder(), standard);
    const char *include = claims_text("%s/include", test_environment("RESIDA_SOURCE"));
    const char *source = claims_text("%s/test/command/plugins/plugin_thrower.cpp", test_environment("RESIDA_SOURCE"));
    const char *const words[] = {"c++",   option, "-pedantic", "-Wall", "-Wextra", "-Werror", "-shared",
                                 "-fPIC", "-I",   include,     source,  "-o",      file,      NULL};
    assert_int_equal(test_run(words), 0);
    resida_plugin_handle *plugin;
    const resida_model_class *cls;
    resida_message why = {""};
    if (resida_plugin_open(&plugin, file, &cls, &why) != RESIDA_OK) fail_msg("%s", why.text);
    assert_string_equal(cls->name, "thrower");
    resida_plugin_close(plugin);
}

COMMAND_CLAIM(a_plugin_in_cpp_is_found)
{
    opens("c++11");
    opens("c++14");
    opens("c++17");
    opens("c++20");
}

int main(void)
{
    if (!resida_catches_exceptions()) cmocka_set_test_filter("a_plugin_in_cpp_is_found");
    return claims_run(NULL, NULL);
}
