/* test_check_ends.c - `resida check` ends with a verdict, whatever a model leaves out, and whatever its callbacks
 * do. */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"
#include "command/check/check.h"
#include "whole_body.h"

static const resida_model_class cls = {RESIDA_MODEL_HEAD, .name = "whole", .text = "says everything"};

enum { MAX_REFUSED = 2 }; /* callbacks that are left out at once */

/** What a check said. */
typedef struct verdict {
    int result, failed, lines;
    char last[1024]; /**< line that failed, or else the last one */
} verdict;

static void read_lines(FILE *file, verdict *said)
{
    char line[sizeof said->last];
    int failed = 0;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        said->lines++;
        if (failed) continue;
        failed = strncmp(line, "FAIL", 4) == 0;
        memcpy(said->last, line, sizeof line);
    }
}

/** Standard output goes to a file while it is checked. */
static verdict check_within(const resida_model *model, double time_limit)
{
    char *words[] = {"whole", "--quiet"};
    cmd_settings settings;
    verdict said = {0};
    FILE *file = tmpfile();
    cmd_model named = {.cls = &cls, .model = *model};
    assert_non_null(file);
    assert_int_equal(cmd_settings_parse(&settings, "check", CMD_CHECK, 1, words), 0);
    settings.time_limit = time_limit;
    cmd_report_work report = {.model = &named, .settings = &settings};
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    assert_true(before >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    said.result = cmd_check_all(&report);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    said.failed = report.failed;
    read_lines(file, &said);
    fclose(file);
    cmd_settings_free(&settings);
    return said;
}

static verdict check(const resida_model *model)
{
    return check_within(model, NAN);
}

static int is_accepted(const resida_mechanism *k)
{
    resida_problem *problem;
    int accepted = resida_problem_create(&problem, k, NULL, NULL) == RESIDA_OK;
    resida_problem_free(problem);
    return accepted;
}

static int count_bits(int mask)
{
    int n = 0;
    for (; mask; mask >>= 1) n += mask & 1;
    return n;
}

/** The library refuses it in words, or it is right and passes. Of those that are refused, which is always for one of a
 *  few reasons, some are enough. */
static void expect_verdict(int left_out, resida_model *model, int *accepted)
{
    int good = is_accepted(&model->mechanism);
    *accepted += good;
    if (!good && count_bits(left_out) > MAX_REFUSED) return;
    verdict said = check(model);
    if (said.result != 0 || said.lines < 1 || (said.failed == 0) != good)
        fail_msg("left out %#x: result %d, %d lines, %d failed: %s", (unsigned)left_out, said.result, said.lines,
                 said.failed, said.last);
}

CLAIM(every_subset_of_callbacks_gets_a_verdict)
{
    int accepted = 0;
    for (int left_out = 0; left_out < WHOLE_MASKS; left_out++) {
        whole_body body = {0};
        resida_model model = whole_model(&body, left_out);
        expect_verdict(left_out, &model, &accepted);
    }
    print_message("%d of %d subsets are a model\n", accepted, WHOLE_MASKS);
    assert_true(accepted > 100);
}

CLAIM(sizes_that_do_not_fit_get_a_verdict)
{
    static const int wrong[] = {INT_MIN, -1, 0, 1, 2, 5, 8, 1000, INT_MAX};
    for (int which = 0; which < 6; which++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            whole_body body = {0};
            resida_model model = whole_model(&body, 0);
            resida_mechanism *k = &model.mechanism;
            int *const sizes[] = {&k->n_p, &k->n_v, &k->n_g, &k->n_h, &k->n_u, &k->n_root};
            if (*sizes[which] == wrong[i]) continue;
            *sizes[which] = wrong[i];
            verdict said = check(&model);
            if (said.result != 0 || said.failed < 1)
                fail_msg("size %d = %d: result %d, %d lines, %d failed: %s", which, wrong[i], said.result, said.lines,
                         said.failed, said.last);
        }
}

CLAIM(every_failing_callback_is_found)
{
    for (int callback = 0; callback < WHOLE_N_CALLBACKS; callback++)
        for (int failure = 0; failure < WHOLE_FAILURES; failure++) {
            whole_body body = {.failing = 1 << callback, .failure = (whole_failure)failure};
            resida_model model = whole_model(&body, 0);
            verdict said = check(&model);
            if (said.result != 0 || said.failed < 1)
                fail_msg("callback %#x, failure %d: result %d, %d lines, %d failed: %s", (unsigned)body.failing,
                         failure, said.result, said.lines, said.failed, said.last);
        }
}

CLAIM(a_callback_that_never_returns_is_found_within_a_time_limit)
{
    whole_body body = {.failing = WHOLE_CONSTRAINT, .failure = WHOLE_LOOPS};
    resida_model model = whole_model(&body, 0);
    verdict said = check_within(&model, 0.1);
    assert_int_equal(said.result, 0);
    assert_true(said.failed == 1);
    assert_non_null(strstr(said.last, "did not end in time"));
}
