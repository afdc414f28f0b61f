/* test_command_options.c - options of the command: each once, each where the table of resida/option.h says that it has
 * an effect, and each explained by the help in the words of that table. */
#include <ctype.h>
#include <resida_features.h>
#include <resida/option.h>

#include "command_fixture.h"

enum { LINE = 400, USE = 200 };

/* Options of the command by their names in the library, and a value that is good. */
static const struct {
    const char *flag, *value, *option;
} flags[] = {
    {"--formalism", "residual", "formalism"},
    {"--gamma", "1", "gamma"},
    {"--penalty", "0", "penalty"},
    {"--projection", "G", "projection"},
    {"--step-projection", NULL, "step_projection"},
    {"--rtol", "1e-6", "rtol"},
    {"--atol", "1e-6", "atol"},
    {"--step", "0.01", "step"},
    {"--adaptive", NULL, "adaptive"},
    {"--rho", "0.8", "rho_infinity"},
    {"--newmark-beta", "0.25", "newmark_beta"},
    {"--newmark-gamma", "0.5", "newmark_gamma"},
    {"--start-up", "lower-orders", "start_up"},
    {"--to-rounding", NULL, "newton_to_rounding"},
    {"--min-order", "1", "min_order"},
    {"--max-order", "5", "max_order"},
    {"--no-stability-detection", NULL, "stability_detection"},
    {"--no-repair", NULL, "repair"},
    {"--h-first", "0", "h_first"},
    {"--h-max", "1", "h_max"},
    {"--error-test", "auto", "error_test"},
    {"--newton-tolerance", "0.1", "newton_tolerance"},
    {"--no-h-weights", NULL, "newton_h_weights"},
    {"--scaling", "auto", "scaling"},
    {"--differences", "forward", "differences"},
    {"--threads", "1", "threads"},
    {"--call-cost", "assumed", "call_cost"},
    {"--drop-redundant", NULL, "redundant"},
    {"--rank-tolerance", "1e-6", "rank_tolerance"},
    {"--allow-wrong-matrix", NULL, "wrong_matrix"},
};
enum { N_FLAGS = sizeof flags / sizeof *flags };

/* Members that the command has no option for. */
static const char *const inner[] = {"projection_matrix", "observer",     "observer_user",   "slow_rate",
                                    "max_age",           "scaling_mass", "scaling_damping", "scaling_stiffness",
                                    "max_change",        "event_parts",  "root_directions", "sign_each",
                                    "contacts",          "root_lam"};
enum { N_INNER = sizeof inner / sizeof *inner };

static void write_flag(char line[LINE], const char *flag, const char *value)
{
    snprintf(line + strlen(line), LINE - strlen(line), " %s", flag);
    if (value) snprintf(line + strlen(line), LINE - strlen(line), " %s", value);
}

CLAIM(every_limited_option_is_in_this_list)
{
    char use[USE];
    for (int i = 0; resida_option_at(i); i++) {
        const char *name = resida_option_at(i)->name;
        resida_option_text(resida_option_at(i), use, sizeof use);
        int found = use[0] == 0;
        for (int k = 0; k < N_FLAGS; k++) found |= strcmp(flags[k].option, name) == 0;
        for (int k = 0; k < N_INNER; k++) found |= strcmp(inner[k], name) == 0;
        if (!found) fail_msg("%s", name);
    }
}

/* The help breaks lines: blanks of any length are one. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
}

COMMAND_CLAIM(the_help_says_what_each_option_is_for)
{
    command_result r = command_run_well("help solve");
    squeeze(r.out.bytes);
    for (int k = 0; k < N_FLAGS; k++) {
        char use[USE];
        if (strcmp(flags[k].option, "threads") == 0 && !rsd_feature_of("OpenMP")->is_built) continue;
        const char *flag = claims_text(" %s%s", flags[k].flag, flags[k].value ? "=" : " ");
        resida_option_text(resida_option_find(flags[k].option), use, sizeof use);
        if (strstr(use, "_each")) continue; /* the commands have no such options */
        const char *words = claims_text("; only %s", use);
        const char *at = strstr(r.out.bytes, flag);
        if (!at) fail_msg("help solve lacks %s", flag);
        const char *said = strstr(at, words), *next = strstr(at + 3, " --");
        if (!said || (next && said > next)) fail_msg("help solve: %s lacks '%s'", flag, words);
    }
}

/* Also where its value is the default: it was given. */
COMMAND_CLAIM(what_has_no_effect_is_refused_by_its_name_on_the_command_line)
{
    static const struct {
        const char *words, *form, *method;
    } runs[] = {
        {"solve chain", "ode", "bdf"},
        {"solve akzo", "dae", "bdf"},
        {"solve pendulum", "ggl", "bdf"},
        {"solve pendulum --form state-space", "state-space", "bdf"},
        {"solve pendulum --form index3 --method bdf2 --step 0.01", "index3", "bdf2"},
        {"solve pendulum --form index3 --method radau-iia-2 --step 0.01", "index3", "radau-iia-2"},
        {"solve pendulum --form index3 --method newmark --step 0.01", "index3", "newmark"},
        {"solve pendulum --form baumgarte --method hht --step 0.01", "baumgarte", "hht"},
    };
    int refused = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int k = 0; k < N_FLAGS; k++) {
            char line[LINE] = "", says[80];
            const resida_option *option = resida_option_find(flags[k].option);
            if (resida_option_fits(option, runs[i].form, runs[i].method)) continue;
            snprintf(line, sizeof line, "%s", runs[i].words);
            write_flag(line, flags[k].flag, flags[k].value);
            snprintf(says, sizeof says, "%s has no effect with %s", flags[k].flag,
                     resida_option_fits(option, runs[i].form, NULL) ? "method" : "form");
            command_result r = command_run(line);
            command_expect_complaint(&r, line, 2);
            if (!strstr(r.err.bytes, says) && strcmp(runs[i].form, "dae") != 0) fail_msg("%s: %s", line, r.err.bytes);
            refused++;
        }
    print_message("%d refused\n", refused);
    assert_true(refused > 80);
}

COMMAND_CLAIM(other_commands_refuse_it_too)
{
    static const char *const lines[][2] = {
        {"compare chain --gamma 1", "--gamma has no effect with form ode"},
        {"compare pendulum --rho 0.8", "--rho has no effect with method bdf"},
        {"pattern pendulum --penalty 3", "--penalty has no effect with form ggl"},
        {"resida-bench work-precision chain --step-projection", "--step-projection has no effect with form ode"},
        {"check akzo --drop-redundant", "--drop-redundant has no effect with form dae"},
        {"check pendulum chain --drop-redundant", "--drop-redundant has no effect with form ode"},
        {"resida-bench report --sections table2 --from 1e-2", "--from: requires one of"},
        {"resida-bench report --sections patterns --peers none", "--peers: requires one of"},
        {"resida-bench report --sections figures --models akzo", "--models: requires one of"},
        {"resida-bench report --sections patterns --repeat 1", "--repeat: requires one of"},
        {"resida-bench reproduce table4.1 --formalism auto", "has no option --formalism"},
        {"solve pendulum --gamma 0 --form index2", "--gamma 0: must be > 0"},
        {"solve pendulum --max-order 2 --no-stability-detection", "stability_detection = 0 has no effect here"},
        {"solve pendulum --projection B --form index3", "projection = B has no effect here"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) command_expect_refusal(lines[i][0], 2, lines[i][1]);
}

/* The name of the option at the beginning of a line of the help, and a value for it. @return 0: none is there */
static int option_of(const char *line, char *flag, size_t size)
{
    const char *at = strstr(line, "--"), *end = strchr(line, '\n');
    if (!at || at > end || strspn(line, " ") < 2 || strspn(line, " ") > 8 || (at - line) > 8) return 0;
    const size_t length = strcspn(at, "= \n");
    const char *value = at[length] != '=' ? "" : strncmp(at + length, "=NAME=", 6) == 0 ? "=a=1" : "=1";
    snprintf(flag, size, "%.*s%s", (int)length, at, value);
    return strcmp(flag, "--help") != 0;
}

/* Every one of every command. Words are looked at before their values are, but a number is good for most. */
COMMAND_CLAIM(an_option_that_is_given_twice_is_refused_by_name)
{
    static const char *const commands[] = {"models",
                                           "solve",
                                           "compare",
                                           "resida-bench work-precision",
                                           "check",
                                           "pattern",
                                           "resida-bench conditioning",
                                           "linearize",
                                           "response",
                                           "critical",
                                           "resida-bench reproduce",
                                           "resida-bench report",
                                           "sweep",
                                           "equilibrium",
                                           "export",
                                           "resume"};
    int tried = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char flag[80];
        const char *line = claims_text("%s --help", commands[i]);
        command_result help = command_run(line);
        for (const char *at = help.out.bytes; at && strchr(at, '\n'); at = strchr(at, '\n') + 1) {
            if (!option_of(at, flag, sizeof flag)) continue;
            line = claims_text("%s pendulum %s %s", commands[i], flag, flag);
            command_result r = command_run(line);
            command_expect_complaint(&r, line, 2);
            if (!strstr(r.err.bytes, "given twice") && !strstr(r.err.bytes, "must be "))
                fail_msg("%s: %s", line, r.err.bytes);
            tried++;
        }
    }
    print_message("%d given twice\n", tried);
    assert_true(tried > 100);
    static const char *const twice[] = {"solve pendulum --form ggl --form ggl", "solve pendulum -q --quiet",
                                        "solve pendulum --projection G --projection B",
                                        "compare --format json --format text",
                                        "solve pendulum --error-test auto --error-test all"};
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) command_expect_refusal(twice[i], 2, "given twice");
}
