/* test_results.c - doc/results.md is what its studies find, and a page that is stale is told so; what `resida-bench
 * results` makes of a template, of kept studies, and of bad input. */
#include <inttypes.h>
#include <signal.h>
#include <sys/stat.h>

#include "test/command/command_fixture.h"

enum { LINE = 400, ROOM = 100000 };

COMMAND_CLAIM(the_page_is_what_is_measured)
{
    const char *line = claims_text("resida-bench results %s/benchmarks/results/results.in.md --check %s/doc/results.md",
                                   test_environment("RESIDA_SOURCE"), test_environment("RESIDA_SOURCE"));
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s; './run results' writes the page anew", r.err.bytes);
    assert_int_equal(command_files(), 0);
}

static void write_text(const char *path, const char *text)
{
    test_file_write(path, text, strlen(text));
}

/* Counts of the rows of a study, as `resida solve` gives them by itself. */
COMMAND_CLAIM(a_place_has_what_solve_says)
{
    write_text("t.md", "A {{errors: car axis: steps}} B\n\n{{errors: run = car axis, residual calls, steps}}\n\nC\n");
    json_t *row = command_json("solve car-axis --rtol 1e-8 --atol 1e-8 --format json", 0);
    const long steps = (long)command_number(row, "steps"), calls = (long)command_number(row, "residual_calls.total");
    assert_true(steps >= 1000 && steps < 1000000 && calls >= 1000 && calls < 1000000);
    command_run_well("resida-bench results t.md --out page.md");
    test_file page = test_file_read("page.md");
    const char *line =
        claims_text("A %ld,%03ld B\n\n| residual calls | steps |\n|---|---|\n| %ld,%03ld | %ld,%03ld |\n\nC\n",
                    steps / 1000, steps % 1000, calls / 1000, calls % 1000, steps / 1000, steps % 1000);
    assert_string_equal(page.bytes, line);
    assert_int_equal(command_files(), 2);
}

/* Errors may be a factor of 2 off, words not. */
COMMAND_CLAIM(a_stale_page_is_told_with_its_line)
{
    static const struct {
        const char *from, *to;
        int is_stale;
    } changes[] = {{"A", "B", 1},           {"| car axis", "| car  axis", 1}, {" 2,", " 2,0", 1},  {"e-7", "e-6", 1},
                   {"5.5e-7", "6.5e-7", 0}, {"\n\nC", "\n\nC ", 1},           {"C\n", "C\nD\n", 1}};
    write_text("t.md", "A\n\n{{errors: run = car axis, steps, error of p}}\n{{errors: run, steps}}\n\nC\n");
    command_result r = command_run_well("resida-bench results t.md --out page.md");
    test_file page = test_file_read("page.md");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        static char text[ROOM];
        const char *at = strstr(page.bytes, changes[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - page.bytes), page.bytes, changes[i].to,
                 at + strlen(changes[i].from));
        write_text("stale.md", text);
        r = command_run("resida-bench results t.md --check stale.md");
        if (r.code != changes[i].is_stale) fail_msg("'%s' for '%s': %s", changes[i].to, changes[i].from, r.err.bytes);
        if (r.code != 0) command_expect_words(r.err.bytes, "stale.md:");
    }
}

/* Numbers may be 3 % off, and 20 % on a page that does not name this compiler. */
COMMAND_CLAIM(numbers_of_another_compiler_may_be_further_off)
{
    static const struct {
        double factor;
        int same, other;
    } off[] = {{1.02, 0, 0}, {0.98, 0, 0}, {1.1, 1, 0}, {0.9, 1, 0}, {1.4, 1, 1}};
    json_t *row = command_json("solve car-axis --rtol 1e-8 --atol 1e-8 --format json", 0);
    for (size_t i = 0; i < 2 * sizeof off / sizeof *off; i++) {
        const char *compiler = i % 2 == 0 ? command_word(row, "versions.compiler") : "cc 1";
        const char *template = claims_text("By %s\n\n{{errors: run = car axis, steps}}\n", compiler);
        const char *page = claims_text("By %s\n\n| steps |\n|---|\n| %.0f |\n", compiler,
                                       off[i / 2].factor * command_number(row, "steps"));
        write_text("t.md", template);
        write_text("page.md", page);
        command_result r = command_run("resida-bench results t.md --check page.md");
        assert_int_equal(r.code, i % 2 == 0 ? off[i / 2].same : off[i / 2].other);
    }
}

static uint64_t fnv(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

static void write_kept(const char *path, const char *text)
{
    static char whole[ROOM];
    snprintf(whole, sizeof whole, "resida-bench %zu %016" PRIx64 "\n%s", strlen(text), fnv(text), text);
    write_text(path, whole);
}

static const char kept[] =
    "{\"study\": \"equal-error\", \"resida\": \"0.0.7\", \"compiler\": \"cc 1\", \"date\": "
    "\"2001-02-03\", \"load\": 1.5, \"seconds\": 7, \"columns\": [\"model\", \"1e-3\"], \"rows\": [[\"a\", \"0.5\"]]}";

/* With who made it; what takes minutes is nothing that a page is compared by. */
COMMAND_CLAIM(a_kept_study_is_quoted_and_not_run)
{
    write_text("t.md", "{{equal-error}}\n\nC\n");
    assert_int_equal(mkdir("k", 0777), 0);
    write_kept("k/equal-error.json", kept);
    command_result r = command_run_well("resida-bench results t.md --out page.md --kept k");
    command_expect_words(r.out.bytes,
                         "equal-error: kept result of resida 0.0.7, cc 1, 2001-02-03, load 1.5 in 7 s, not repeated");
    test_file page = test_file_read("page.md");
    assert_string_equal(
        page.bytes,
        "| model | 1e-3 |\n|---|---|\n| a | 0.5 |\n\nMeasured with resida 0.0.7, cc 1, 2001-02-03, load 1.5.\n\nC\n");
    r = command_run_well("resida-bench results t.md --check page.md --kept nowhere");
}

/* One that was cut, one with a byte changed: each is named and measured again, until Ctrl-C; there is no page then, and
 * what was not finished is not kept. */
COMMAND_CLAIM(a_damaged_study_is_named_and_run_again)
{
    static const char file[] = "k/equal-error.json";
    write_text("t.md", "{{equal-error}}\n");
    assert_int_equal(mkdir("k", 0777), 0);
    for (int i = 0; i < 2; i++) {
        command c;
        write_kept(file, kept);
        test_file whole = test_file_read(file);
        if (i == 0) whole.bytes[whole.size - 30] ^= 1;
        test_file_write(file, whole.bytes, whole.size - (i == 1 ? 5 : 0));
        command_start(&c, "resida-bench results t.md --out page.md --kept k");
        command_let_work(&c, 0.2);
        assert_int_equal(kill(c.pid, SIGINT), 0);
        command_result r = command_finish(&c);
        assert_int_equal(r.code, 130);
        command_expect_words(r.err.bytes, "k/equal-error.json: file is damaged; its measurement is repeated");
        command_expect_words(r.out.bytes, "equal-error: about 20 minutes");
        assert_int_equal(command_files(), 2); /* t.md, k */
    }
}

COMMAND_CLAIM(what_makes_no_sense_gets_one_line)
{
    static const struct {
        const char *template, *words;
    } bad[] = {{"a\n{{eror}}\n", "line 2 of the template: no study 'eror'"},
               {"{{targets}}\n", "no study 'targets' with a table"},
               {"a {{errors: steps b\n", "line 1 of the template: '{{' without '}}'"},
               {"{{errors: stps}}\n", "errors: no column 'stps'"},
               {"a {{errors: car: steps}}\n", "errors: no row 'car'"},
               {"a {{errors: car axis: stps}}\n", "errors: no column 'stps'"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text("t.md", bad[i].template);
        command_expect_refusal("resida-bench results t.md --out page.md", 2, bad[i].words);
        assert_int_equal(command_files(), 1);
    }
    command_expect_refusal("resida-bench results", 2, "TEMPLATE is missing");
    command_expect_refusal("resida-bench results nowhere.md", 74, "nowhere.md");
    command_expect_refusal("resida-bench results t.md targets", 2, "unknown study 'targets'");
    write_text("t.md", "{{errors}}\n");
    command_expect_refusal("resida-bench results t.md --out nowhere/page.md", 74, "nowhere/page.md");
    command_expect_refusal("resida-bench study errors --repeat 3", 2, "has no option --repeat");
    command_expect_refusal("resida-bench study errors car", 2, "no arguments are accepted");
}
