/* test_command_check.c - `resida models` lists every model, `resida check` passes those that are right and finds what
 * is wrong with those that are wrong on purpose (plugin_variants.c, plugin_faulty.c). */
#include "command_fixture.h"
#include "benchmarks/models/models.h"

COMMAND_CLAIM(models_lists_every_built_in_model)
{
    command_result text = command_run_well("models"), json = command_run("models --format json");
    assert_int_equal(json.code, 0);
    int n = 0;
    char *rest = json.out.bytes;
    for (; bench_models[n]; n++) {
        char *end = strchr(rest, '\n');
        assert_non_null(end);
        *end = 0;
        json_t *row = command_json_at(rest);
        assert_string_equal(command_word(row, "name"), bench_models[n]->name);
        assert_int_equal(json_array_size(command_member(row, "parameters")), bench_models[n]->n_parameters);
        assert_true(command_number(row, "t_end") > command_number(row, "t0"));
        if (strcmp(bench_models[n]->name, "cam-contact") == 0) assert_true(command_number(row, "n_z") == 2);
        assert_non_null(strstr(text.out.bytes, bench_models[n]->name));
        rest = end + 1;
    }
    assert_int_equal(*rest, 0);
    assert_int_equal(command_lines(text.out.bytes), n + 1); /* headings */
}

/** Is a check among the lines of JSON that failed? Counts all that did. */
static int failed_check(char *lines, const char *check, int *failures)
{
    int found = 0;
    *failures = 0;
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *row = command_json_at(line);
        assert_non_null(row);
        int ok = json_is_true(command_member(row, "ok"));
        *failures += !ok;
        found |= !ok && strcmp(command_word(row, "check"), check) == 0;
        (void)command_member(row, "value");
        (void)command_member(row, "limit");
    }
    return found;
}

COMMAND_CLAIM(check_finds_what_is_wrong)
{
    static const struct {
        int variant;
        const char *check; /* that must fail; NULL: none may */
    } cases[] = {
        {0, NULL},
        {1, "constraint matrix"},
        {9, "rank of G"},
        {11, "consistent start"},
        {14, NULL},
        {15, "constraint force"},
        {16, "constraint velocity"},
        {17, NULL},
        {19, NULL},
        {20, NULL},
        {21, "kinds"},
        {22, "start"},
        {23, "names"},
        {24, NULL},
        {25, NULL},
        {26, "names"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int failures;
        command_result r = command_run(command_about_variant("check", cases[i].variant, "--format json"));
        int found = failed_check(r.out.bytes, cases[i].check ? cases[i].check : "", &failures);
        if (cases[i].variant == 9 && failures != 1) fail_msg("a redundant row fails %d checks, not one", failures);
        if (r.code != (cases[i].check != NULL) || found != (cases[i].check != NULL) || (failures > 0) != found)
            fail_msg("variant %d: exit code %d, %d failures", cases[i].variant, r.code, failures);
    }
}

/* Each mistake is a line that fails, and says so: the callback, and what it does. named [n]: words of it; NULL: nothing
 * is wrong, and nothing fails. */
static void expect_named(const char *plugin, const char *parameter, const char *const *named, int n)
{
    for (int i = 0; i < n; i++) {
        int is_named = 0;
        const char *line =
            claims_text("check %s/%s.so -p %s=%d", test_environment("RESIDA_TEST_MODULES"), plugin, parameter, i);
        command_result r = command_run(line);
        const int code = r.code;
        for (char *at = strtok(r.out.bytes, "\n"); at; at = strtok(NULL, "\n"))
            is_named |= strncmp(at, "FAIL", 4) == 0 && named[i] && strstr(at, named[i]);
        is_named |= code == 1 && named[i] && strstr(r.err.bytes, named[i]); /* the end of the process */
        if (code != (named[i] != NULL) || is_named != (named[i] != NULL))
            fail_msg("%s, %d: exit code %d, not named: %s", plugin, i, code, named[i] ? named[i] : "none");
    }
}

COMMAND_CLAIM(check_names_each_fault_of_a_model_with_all_callbacks)
{
    static const char *const named[] = {
        NULL, /* RIGHT */
        NULL, /* PRODUCTS */
        "worst in component 1",
        "worst in component 3",
        "worst in component 4",
        "mass_matrix: row 4 disagrees",
        "residual_lam returns",
        "residual_lam gives NaN or Inf in component 4",
        "residual_lam gives NaN or Inf in component 3",
        "residual_lam returns 1 at the start",
        "residual_lam, component 2",
        "residual_lam() ends the process",
        "residual_lam() crashes",
        "residual_lam returns",
        "residual_lam writes beyond its array, component 6",
        "residual_lam writes before its array, component -1",
        "residual_lam writes into p[0]",
        "residual_lam writes into memory before p[63]",
        "residual_lam writes into v[3]",
        "residual_lam writes into u[0]",
        "residual_lam does not fill component 3",
        "residual_lam writes beyond its array, component 6",
        "residual[0] has noise",
        "residual[0] has noise",
        "residual[0] has noise",
        "mass_matrix: row 5 disagrees with residual_lam",
        "worst in component 2",
        "acceleration[3] does not depend on f",
        "acceleration[3] does not depend on f",
        "acceleration: x' N y and y' N x differ",
        "acceleration_lam writes into f[0]",
        "acceleration[1] has noise",
        "worst in component 5",
        "residual: x' N y and y' N x differ",
        "derivatives, Phi_p writes into a[1]",
        "derivatives: row 5",
        "derivatives: row 3",
        "derivatives: row 4",
        "derivatives: row 1",
        "derivatives: row 1",
        "of a row, in Phi[0]",
        "Phi_lam_pattern has no entry at row 1, column 0",
        "Phi_p_pattern has no entry at row 5, column 0",
        "Phi_v_pattern has no entry at row 5, column 0",
        "Phi_p_pattern has no entry at row 5, column 0",
        "mass_matrix: row 1 disagrees with residual_lam",
        "mass_matrix: row 0 disagrees with residual_lam",
        "mass_matrix: row 1 disagrees with acceleration_lam",
        "mass_matrix: row 0 disagrees with acceleration_lam",
        "mass_matrix returns",
        "mass_matrix: row 3 disagrees with acceleration_lam",
        "mass_matrix writes into p[2]",
        "correct kinematic_matrix or invariant_matrix",
        "correct kinematic_matrix or invariant_matrix",
        "kinematic_matrix returns",
        "in d k[0] / d p[3]",
        "in d k[0] / d p[3]",
        "in d k[0] / d t",
        "in d g[0] / d p[1]",
        "constraint writes before its array, component -2",
        "constraint[0] has noise",
        "in d g[0] / d p[0]",
        "in d g[0] / d p[1]",
        "constraint_matrix returns",
        "constraint_matrix writes beyond its array, component 2",
        "G_pattern has no entry at row 0, column 1",
        "velocity bias      largest difference",
        "acceleration bias  largest difference",
        "nonholonomic_acceleration_bias: row 0",
        "nonholonomic_acceleration_bias: row 0",
        "nonholonomic_acceleration_bias: row 0",
        "nonholonomic_acceleration_bias: row 0",
        "in ud[0]",
        "in udd[0]",
        "excitation, u returns",
        "excitation, ud writes beyond its array, component 1",
        "potential: its derivative",
        "potential: its derivative",
        "residual_times: row 9",
        "contacts matrix    largest difference 1, in d phi[0] / d p[5]",
        "contacts rate      largest difference 2, in d phi[0] / d t",
        "root returns",
        "callback root, component 0",
        "root() crashes",
        "root writes beyond its array, component 1",
        "output returns",
        "output returns -1",
        "output does not fill component 1",
        "output writes beyond its array, component 2",
        "output writes before its array, component -1",
        "output writes into p[3]",
        "output writes into lam[0]",
        "in output",
        "shape returns",
        "shape writes beyond its array, component 3",
        "shape writes before its array, component -1",
        "shape writes into p[0]",
        "in shape",
        "the reference is",
        "reference, p writes beyond its array, component 6",
        "in reference",
        "event, y returns -1",
        "event() crashes",
        "event, y writes beyond its array, component 6",
        "event changes y, but does not set `changed`",
        "component v[0] is 0 at t = 0 and its atol is 0",
    };
    static const char *const named_dae[] = {
        NULL, /* RIGHT */
        NULL, /* PRODUCTS */
        "jacobian: row 0",
        "jacobian: row 0",
        "jacobian writes beyond its array, component 4",
        "jacobian writes into y[0]",
        "J_pattern has no entry at row 1, column 0",
        "jacobian_times: row 1",
        "in ud[0]",
        "|F(t0, y0, yp0)| = 3.5, largest in row 0",
        "residual writes beyond its array, component 2",
        "residual does not fill component 1",
        "root writes into yp[0]",
        "root writes beyond its array, component 1",
        "residual gives NaN or Inf in component 1",
        "residual returns",
        "the reference is",
        "residual writes into y[1]",
        "residual[1] has noise",
    };
    expect_named("plugin_faulty", "fault", named, sizeof named / sizeof *named);
    expect_named("plugin_faulty_dae", "fault", named_dae, sizeof named_dae / sizeof *named_dae);
}

/* A row of the wrong sign, or without its terms, fails; other forces that are even in v do not. */
COMMAND_CLAIM(check_names_gyroscopic_terms_that_do_not_fit_the_mass_matrix)
{
    static const char *const named[] = {
        NULL,
        "elbow: the terms h2 of Phi that are quadratic in v have the opposite of the sign",
        "elbow: the terms h2 of Phi that are quadratic in v are missing",
        NULL,
        NULL,
        NULL,
        NULL,
        NULL};
    static const char *const told[] = {"v . h2 = v' M' v / 2 up to ", "a force that is quadratic in v, such as lift"};
    expect_named("plugin_arm", "variant", named, sizeof named / sizeof *named);
    for (int i = 0; i < 6; i++) {
        const int is_other = i == 3 || i == 4; /* a wrong factor, and lift */
        if (named[i]) continue;
        const char *line =
            claims_text("check %s/plugin_arm.so -p variant=%d", test_environment("RESIDA_TEST_MODULES"), i);
        command_result r = command_run_well(line);
        if (!strstr(r.out.bytes, told[is_other])) fail_msg("variant %d: %s", i, r.out.bytes);
    }
}

/* Increments are parts of what g bends over, not of an angle that has turned. */
COMMAND_CLAIM(check_passes_angles_that_have_turned)
{
    static const char *const turns[] = {"0", "1000", "10000", "100000"};
    for (int i = 0; i < 8; i++) {
        const char *line = claims_text("check %s/plugin_turned.so -p turns=%s -p given=%d",
                                       test_environment("RESIDA_TEST_MODULES"), turns[i / 2], i % 2);
        command_run_well(line);
    }
}

COMMAND_CLAIM(redundant_constraints_are_named_and_dropped_on_request)
{
    command_result refused = command_run(command_about_variant("check", 9, ""));
    command_result dropped = command_run(command_about_variant("solve", 9, "--drop-redundant --format json"));
    assert_int_equal(refused.code, 1);
    assert_non_null(strstr(refused.out.bytes, "length again"));
    assert_int_equal(dropped.code, 0);
}

/* Said or assumed, beside what a call takes: far off where it is said a million times too large, and where a residual
 * takes 400,000 square roots; no failure. */
COMMAND_CLAIM(check_says_what_calls_cost)
{
    static const struct {
        int cause;
        const char *taken;
    } cases[] = {{7, "residual: 1e+10 operations said, "}, {8, "residual: 1.92e+04 operations assumed, "}};
    for (int i = 0; i < 2; i++) {
        const char *line = claims_text("check %s/plugin_causes.so -p cause=%d", test_environment("RESIDA_TEST_MODULES"),
                                       cases[i].cause);
        command_result r = command_run_well(line);
        char *at = strstr(r.out.bytes, cases[i].taken);
        if (!at) fail_msg("%s", r.out.bytes);
        *strchr(at, '\n') = 0;
        if (!strstr(at, " measured; it decides what parts of J are updated: set cost.residual")) fail_msg("%s", at);
    }
}

COMMAND_CLAIM(a_model_that_starts_in_its_equilibrium_passes)
{
    command_result r = command_run_well("check pendulum -p g=0 -p w0=0");
    command_expect_words(r.out.bytes, "rest               residual: nothing moved in ");
    command_expect_words(r.out.bytes, "derivatives        residual: the derivatives of the model agree");
}

COMMAND_CLAIM(velocities_are_columns_by_the_names_of_their_positions)
{
    const char *line = command_about_variant("solve", 25, "--t-end 0.1 --points 2 --out - --columns v.x,a.x");
    command_result r = command_run(line);
    if (strncmp(r.out.bytes, "t,v.x,a.x\n", 10) != 0) fail_msg("%s%s", r.out.bytes, r.err.bytes);
    r = command_run(command_about_variant("solve", 25, "--t-end 0.1 --points 2 --out -"));
    command_expect_words(r.out.bytes, ",x',\"height");
}
