/* test_command_invariants.c - what the command says of norms of Euler parameters: their drift in rows, and what `check`
 * finds (plugin_top.c). */
#include "command_fixture.h"

static command_result run(const char *verb, int variant, const char *rest)
{
    const char *line = claims_text("%s %s/plugin_top.so -p variant=%d %s", verb,
                                   test_environment("RESIDA_TEST_MODULES"), variant, rest);
    return command_run(line);
}

COMMAND_CLAIM(a_row_has_the_drift_of_invariants)
{
    command_result json = run("solve", 0, "--format json"), text = run("solve", 0, "");
    assert_int_equal(json.code + text.code, 0);
    json_t *row = command_row(&json);
    assert_true(fabs(command_number(row, "drift.k")) <= 1e-14);
    assert_true(command_number(row, "drift.g") < 1e-4);
    assert_non_null(strstr(text.out.bytes, "|G v + gI|"));
    assert_non_null(strstr(text.out.bytes, ", |k| "));
}

COMMAND_CLAIM(a_row_without_invariants_has_none)
{
    command_result json = run("solve", 1, "--format json"), text = run("solve", 1, "");
    assert_int_equal(json.code + text.code, 0);
    assert_true(json_is_null(command_member(command_row(&json), "drift.k")));
    assert_non_null(strstr(text.out.bytes, "|G v + gI|"));
    assert_null(strstr(text.out.bytes, "|k|"));
}

COMMAND_CLAIM(check_finds_what_is_wrong_with_them)
{
    static const struct {
        int variant;
        const char *check, *says; /**< a line that begins so, fails, and says this; NULL: none fails */
    } cases[] = {
        {0, NULL, NULL},
        {2, "invariant matrix", "d k[0] / d p["},
        {3, "consistent start", "velocities change invariant k[0]"},
        {4, "rank of G", "redundant: g[3]"}, /* no velocity changes it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_result r = run("check", cases[i].variant, "");
        int found = 0, failed = 0;
        assert_int_equal(r.code, cases[i].check ? 1 : 0);
        for (char *line = strtok(r.out.bytes, "\n"); line; line = strtok(NULL, "\n")) {
            failed += strstr(line, "FAIL") != NULL;
            if (cases[i].check && strstr(line, "FAIL") && strstr(line, cases[i].check))
                found |= strstr(line, cases[i].says) != NULL;
        }
        if (cases[i].check ? !found : failed > 0) fail_msg("variant %d: %d failed", cases[i].variant, failed);
    }
}
