/* cmd_reproduce.c - selects the table or figure to reproduce. Machines and compilers of the papers are different. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "reproduce.h"
#include "program/base/suggest.h"

#include <string.h>

/** Options that only some targets accept. */
enum { NOTHING = 0, OUT = 1, FORMALISM = 2, BUDGETS = 4, REPEAT = 8, T_END = 16 };

typedef struct target {
    const char *name;
    cmd_command_fn *run;
    int knows;
    const char *text;
} target;

static const target targets[] = {
    {"table1", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT,
     "Arnold, Fuchs, Fuehrer: Jacobian strategies on a train carriage"},
    {"table2", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT, "Jacobian strategies on chains of pendulums"},
    {"table3", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT, "Jacobian strategies on a passenger car"},
    {"extended", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT,
     "Jacobian strategies on further models with excitations"},
    {"fig3", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS, "entries of the Jacobian of the train carriage"},
    {"fig4", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS,
     "groups of columns of the Jacobian of the train carriage"},
    {"fig5", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS, "these columns, sorted by group"},
    {"fig7", cmd_reproduce_fig7, OUT | FORMALISM | BUDGETS, "times of the Jacobian evaluations of a chain"},
    {"table4.1", cmd_reproduce_stability, NOTHING, "Ascher, Petzold: Example 1, backward Euler"},
    {"table4.2", cmd_reproduce_stability, NOTHING, "Example 2, backward Euler"},
    {"table4.3", cmd_reproduce_stability, NOTHING, "Example 3, f = (2 + t)/nu v2, projected invariants"},
    {"table4.4", cmd_reproduce_stability, NOTHING, "Example 3, f = (2 + t)/nu v2, stabilised index 2"},
    {"table4.5", cmd_reproduce_stability, NOTHING, "Example 3, f = 0, projected invariants"},
    {"table4.6", cmd_reproduce_stability, NOTHING, "Example 3, f = 0, stabilised index 2"},
    {"table4.7", cmd_reproduce_stability, NOTHING, "Example 3, f = 2 (2 + t)/nu v2, projected invariants"},
    {"table4.8", cmd_reproduce_stability, NOTHING, "Example 3, f = 2 (2 + t)/nu v2, stabilised index 2"},
    {"stiff-constraint", cmd_reproduce_stiff, BUDGETS, "Example 3 with adaptive step sizes"},
    {"drift", cmd_reproduce_drift, BUDGETS, "drift off the constraint, by formulation"},
    {"scaling1", cmd_reproduce_scaling, OUT | BUDGETS,
     "Bottasso, Bauchau, Cardona: last Newton corrections without scaling"},
    {"scaling2", cmd_reproduce_scaling, OUT | BUDGETS, "last Newton corrections, scaling left and lam"},
    {"scaling3", cmd_reproduce_scaling, OUT | BUDGETS, "last Newton corrections by field, scaling left and lam"},
    {"scaling4", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers, scaling none, left and lam"},
    {"scaling5", cmd_reproduce_scaling, OUT | BUDGETS, "last Newton corrections, scaling lam+v"},
    {"scaling6", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers, scaling lam+v"},
    {"scaling7", cmd_reproduce_scaling, OUT | BUDGETS, "last Newton corrections in (u, lam), two-field scalings"},
    {"scaling8", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers in (u, lam), two-field scalings"},
    {"scaling9", cmd_reproduce_impact, OUT | T_END, "impact of a cam on a flexible beam: configuration"},
    {"scaling10", cmd_reproduce_impact, OUT | T_END, "step sizes through this impact, m_ave = 0 and 1"},
    {"scaling11", cmd_reproduce_impact, OUT | T_END, "scaling factor of the constraints through this impact"},
    {"scaling-andrews", cmd_reproduce_scaling, OUT | BUDGETS,
     "Bottasso, Dopico, Trainelli: last Newton corrections of Andrews' mechanism"},
    {"bauchau1", cmd_reproduce_bauchau, NOTHING,
     "Bauchau, Epple, Bottasso, Table 1: condition numbers over the step size"},
    {"bauchau2", cmd_reproduce_bauchau, NOTHING, "Table 2: condition numbers over the mass"},
    {"bauchau3", cmd_reproduce_tip_crank, OUT | BUDGETS,
     "Figure 3: buckling of a strip; factorisation without pivoting"},
    {"bauchau4", cmd_reproduce_convergence, OUT | BUDGETS, "Figure 4: convergence in index 3 on the same strip"},
    {"bauchau35", cmd_reproduce_five_digits, NOTHING,
     "equation (35): arithmetic with five digits, with and without pivoting"},
};
enum { N_TARGETS = sizeof targets / sizeof targets[0], NAMES_SIZE = 24 * N_TARGETS };

void cmd_reproduce_items(FILE *stream)
{
    for (int i = 0; i < N_TARGETS; i++) fprintf(stream, "  %-16s  %s\n", targets[i].name, targets[i].text);
}

/* Join the names of all targets: "table1, table2 ... or fig7". */
static const char *all_names(char text[NAMES_SIZE])
{
    char *end = text;
    for (int i = 0; i < N_TARGETS; i++) {
        const char *before = i == 0 ? "" : i + 1 < N_TARGETS ? ", " : " or ";
        end += snprintf(end, (size_t)(text + NAMES_SIZE - end), "%s%s", before, targets[i].name);
    }
    return text;
}

/** Return the name of a given option that the target does not accept, or NULL. */
static const char *foreign(const target *t, const cmd_settings *s)
{
    static const struct {
        int option;
        const char *name;
    } options[] = {{OUT, "out"},
                   {FORMALISM, "formalism"},
                   {BUDGETS, "max-steps"},
                   {BUDGETS, "max-residuals"},
                   {BUDGETS, "time-limit"},
                   {REPEAT, "repeat"},
                   {T_END, "t-end"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (cmd_is_given(s, options[i].name) && !(t->knows & options[i].option)) return options[i].name;
    return NULL;
}

static int run(const target *t, const cmd_settings *s)
{
    const char *option = foreign(t, s);
    cmd_settings own = *s;
    own.is_silent_on_events = 1;
    return option ? cmd_complain(CMD_EXIT_USAGE, "reproduce %s: has no option --%s", t->name, option) : t->run(&own);
}

int cmd_cmd_reproduce(const cmd_settings *s)
{
    const char *names[N_TARGETS];
    char text[NAMES_SIZE];
    if (s->n_words != 1) return cmd_complain(CMD_EXIT_USAGE, "reproduce: give exactly one ITEM: %s", all_names(text));
    for (int i = 0; i < N_TARGETS; i++) {
        names[i] = targets[i].name;
        if (strcmp(s->words[0], names[i]) == 0) return run(&targets[i], s);
    }
    const char *near = cmd_nearest(s->words[0], names, N_TARGETS);
    if (near)
        return cmd_complain(CMD_EXIT_USAGE, "reproduce: unknown item '%s'; did you mean '%s'?", s->words[0], near);
    return cmd_complain(CMD_EXIT_USAGE, "reproduce: unknown item '%s'; the items are %s", s->words[0], all_names(text));
}
