/* test_adapter.c - files of other tools, by an adapter of the tests. */
#include <resida/all.h>

#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"

/* Open a file that cannot be: refused, with these words, and no handle. */
static void expect_refusal(const char *path, const char *words)
{
    resida_plugin_handle *plugin = (resida_plugin_handle *)(uintptr_t)1;
    const resida_model_class *cls = (const resida_model_class *)(uintptr_t)1;
    resida_message why = {""};
    assert_int_equal(resida_plugin_open(&plugin, path, &cls, &why), RESIDA_ERR_PLUGIN);
    assert_true(!plugin && !cls);
    if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
    assert_null(strchr(why.text, '\n'));
}

/* --- files of other tools --- */

CLAIM(words_that_name_files_are_told_from_names)
{
    assert_string_equal(resida_plugin_file("a.fmu"), "a.fmu");
    assert_string_equal(resida_plugin_file("x/arm.urdf"), "x/arm.urdf");
    assert_string_equal(resida_plugin_file("pair.ssp"), "pair.ssp");
    assert_string_equal(resida_plugin_file("casadi:f.c"), "f.c");
    assert_string_equal(resida_plugin_file("x/y"), "x/y");
    assert_string_equal(resida_plugin_file("m.so"), "m.so");
    const char *const names[] = {"pendulum", ".so", ".fmu", "casadi:", "fmu", "x.so.0", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_null(resida_plugin_file(names[i]));
}

/* A file with this content is given to the adapter of the tests. */
static const char *robot_file(const char *content)
{
    setenv("RESIDA_ADAPTERS", test_environment("RESIDA_TEST_MODULES"), 1);
    const char *path = test_path(test_folder(), "arm.urdf");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

CLAIM(an_adapter_makes_a_class_of_a_file)
{
    const resida_model_class *cls = test_plugin(robot_file("good"));
    assert_string_equal(cls->name, "robot");
    assert_int_equal(test_model(cls, 0, NULL, NULL).dae.n, 1);
}

CLAIM(what_an_adapter_refuses_or_breaks_is_said_of_the_file)
{
    expect_refusal(robot_file("refuse"), "arm.urdf: is refused");
    expect_refusal(robot_file("silent"), "arm.urdf: the adapter gave no message");
    expect_refusal(robot_file("nothing made"), "arm.urdf: the adapter gave no message");
    expect_refusal(robot_file("broken"), "arm.urdf: the model class has no name");
    expect_refusal(robot_file("magic"), "arm.urdf: not a model class");
}

CLAIM(a_missing_adapter_is_reported)
{
    const char *path = robot_file("good");
    setenv("RESIDA_ADAPTERS", "/nowhere", 1);
    expect_refusal(path, "arm.urdf: its adapter: /nowhere/resida-urdf.so: ");
    unsetenv("RESIDA_ADAPTERS"); /* beside the library again */
    expect_refusal("casadi:nowhere.c", "nowhere.c: cannot be read");
}
