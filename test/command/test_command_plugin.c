/* test_command_plugin.c - what the command promises about plugins that do harm before they are run: a line that says
 * what happens, and when; nothing on standard output, no file. plugin_harmful.so does what RESIDA_TEST_HARM says. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "command_fixture.h"

static char models[512], solve[512];

static int set_up(void **state)
{
    const char *modules = test_environment("RESIDA_TEST_MODULES");
    assert_true(snprintf(models, sizeof models, "models %s/plugin_harmful.so", modules) < (int)sizeof models);
    snprintf(solve, sizeof solve, "solve %.400s/plugin_harmful.so --out a.csv", modules);
    return command_set_up(state);
}

static int tear_down(void **state)
{
    unsetenv("RESIDA_TEST_HARM");
    return command_tear_down(state);
}

/** Both commands end with this code and one line that has these words. */
static void expect_refusal(const char *harm, int code, const char *words)
{
    const char *lines[] = {models, solve};
    assert_int_equal(setenv("RESIDA_TEST_HARM", harm, 1), 0);
    for (int i = 0; i < 2; i++) {
        command_result r = command_run(lines[i]);
        command_expect_complaint(&r, harm, code);
        if (!strstr(r.err.bytes, words)) fail_msg("%s: \"%s\" does not say \"%s\"", harm, r.err.bytes, words);
        assert_int_equal(command_files(), 0);
    }
}

CLAIM_WITH(a_plugin_that_crashes_when_it_is_loaded_is_refused_in_words, set_up, tear_down)
{
    expect_refusal("load-crash", 2, "plugin_harmful.so: crashes when it is loaded: signal 11 (Segmentation fault)\n");
    expect_refusal("load-abort", 2, "plugin_harmful.so: crashes when it is loaded: signal 6 (Aborted)\n");
    expect_refusal("unload-crash", 2, "plugin_harmful.so: crashes when it is unloaded: signal 11");
    expect_refusal("wild-name", 2, "crashes when it is loaded: signal 11");
    expect_refusal("wild-parameters", 2, "crashes when it is loaded: signal 11");
}

CLAIM_WITH(a_plugin_that_ends_the_process_is_refused_in_words, set_up, tear_down)
{
    command_sanitizer_option("detect_leaks=0"); /* at exit() it waits for the lock that the loader holds */
    expect_refusal("load-exit", 2, "plugin_harmful.so: ends the process when it is loaded, with code 0\n");
    expect_refusal("load-quick-exit", 2, "plugin_harmful.so: ends the process when it is loaded, with code 0\n");
    expect_refusal("unload-exit", 2, "plugin_harmful.so: ends the process when it is unloaded, with code 0\n");
}

CLAIM_WITH(what_happens_in_create_is_named, set_up, tear_down)
{
    expect_refusal("create-crash", 1, "plugin_harmful.so: create() crashes: signal 11 (Segmentation fault)\n");
    expect_refusal("create-abort", 1, "plugin_harmful.so: create() crashes: signal 6 (Aborted)\n");
    expect_refusal("create-exit", 1, "plugin_harmful.so: create() ends the process\n");
}

/** The results are there by then. */
CLAIM_WITH(what_happens_in_destroy_is_named_and_is_a_failure, set_up, tear_down)
{
    static const char *const harms[] = {"destroy-crash", "destroy-exit"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(setenv("RESIDA_TEST_HARM", harms[i], 1), 0);
        command_result r = command_run(solve);
        assert_int_equal(r.code, 1);
        assert_int_equal(command_lines(r.err.bytes), 1);
        assert_non_null(strstr(r.err.bytes, i == 0 ? "destroy() crashes: signal 11" : "destroy() ends the process"));
        assert_non_null(strstr(r.out.bytes, "harmful"));
        assert_int_equal(command_files(), 1);
        unlink("a.csv");
    }
}

CLAIM_WITH(texts_that_a_terminal_would_obey_are_refused, set_up, tear_down)
{
    static const char *const places[] = {"name", "text", "para", "unit", "word"};
    static const char *const kinds[] = {"escape", "line", "c1", "latin", "cut", "long", "delete", "surrogate"};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            char harm[32];
            snprintf(harm, sizeof harm, "%s-%s", places[p], kinds[k]);
            int is_control = strstr("escape line c1 delete", kinds[k]) != NULL;
            expect_refusal(harm, 2, is_control ? "has a control character" : "has bytes that are not UTF-8");
        }
    expect_refusal("component", 2, "names or units of components with control characters");
    expect_refusal("source", 2, "reference_source with control characters");
}

CLAIM_WITH(a_message_of_a_plugin_is_shown_without_control_characters, set_up, tear_down)
{
    expect_refusal("message", 2, "harmful: no ]0;owned     model\n");
}

CLAIM_WITH(ranges_that_are_no_numbers_are_refused, set_up, tear_down)
{
    expect_refusal("nan-value", 2, "default of parameter \"when\" = nan is outside its range -1 .. 100");
    expect_refusal("nan-min", 2, "range nan .. 100 of parameter \"when\" is empty");
    expect_refusal("nan-max", 2, "range -1 .. nan of parameter \"when\" is empty");
    expect_refusal("infinite-value", 2, "default of parameter \"when\" = inf is not finite");
}

CLAIM_WITH(a_signal_ends_a_plugin_that_never_comes_back_from_loading, set_up, tear_down)
{
    static const char *const harms[] = {"load-loop", "unload-loop"};
    for (int i = 0; i < 4; i++) {
        command c;
        const struct timespec pause = {0, 300000000};
        int number = i < 2 ? SIGTERM : SIGINT;
        assert_int_equal(setenv("RESIDA_TEST_HARM", harms[i % 2], 1), 0);
        command_start(&c, solve);
        nanosleep(&pause, NULL);
        kill(c.pid, number);
        command_result r = command_finish(&c);
        assert_true(r.code == 128 + number || r.code == -number); /* it may just have begun */
        assert_int_equal(command_files(), 0);
    }
}

CLAIM_WITH(a_plugin_without_harm_passes, set_up, tear_down)
{
    command_run_well(solve);
    assert_int_equal(command_files(), 1);
}
