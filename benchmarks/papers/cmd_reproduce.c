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
     "Arnold, Fuchs, Fuehrer: strategies on a train carriage"},
    {"table2", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT, "the same on chains of pendulums"},
    {"table3", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT, "the same on a passenger car"},
    {"extended", cmd_reproduce_table, FORMALISM | BUDGETS | REPEAT, "a table of that form, of models with excitations"},
    {"fig3", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS, "entries of J of the train carriage"},
    {"fig4", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS, "its columns in groups"},
    {"fig5", cmd_reproduce_pattern, OUT | FORMALISM | BUDGETS, "the same, group by group"},
    {"fig7", cmd_reproduce_fig7, OUT | FORMALISM | BUDGETS, "times at which J of a chain is evaluated"},
    {"table4.1", cmd_reproduce_stability, NOTHING, "Ascher, Petzold: Example 1, backward Euler"},
    {"table4.2", cmd_reproduce_stability, NOTHING, "the same, Example 2"},
    {"table4.3", cmd_reproduce_stability, NOTHING, "Example 3, f = (2 + t)/nu v2, projected invariants"},
    {"table4.4", cmd_reproduce_stability, NOTHING, "the same, stabilised index 2"},
    {"table4.5", cmd_reproduce_stability, NOTHING, "Example 3, f = 0, projected invariants"},
    {"table4.6", cmd_reproduce_stability, NOTHING, "the same, stabilised index 2"},
    {"table4.7", cmd_reproduce_stability, NOTHING, "Example 3, f = 2 (2 + t)/nu v2, projected invariants"},
    {"table4.8", cmd_reproduce_stability, NOTHING, "the same, stabilised index 2"},
    {"stiff-constraint", cmd_reproduce_stiff, BUDGETS, "Example 3 with steps that adapt themselves"},
    {"drift", cmd_reproduce_drift, BUDGETS, "how far each formulation goes off the constraint"},
    {"scaling1", cmd_reproduce_scaling, OUT | BUDGETS,
     "Bottasso, Bauchau, Cardona: last Newton corrections, not scaled"},
    {"scaling2", cmd_reproduce_scaling, OUT | BUDGETS, "the same, rows scaled; and multipliers"},
    {"scaling3", cmd_reproduce_scaling, OUT | BUDGETS, "the same by field"},
    {"scaling4", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers of these"},
    {"scaling5", cmd_reproduce_scaling, OUT | BUDGETS, "corrections, velocities scaled, too"},
    {"scaling6", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers of these"},
    {"scaling7", cmd_reproduce_scaling, OUT | BUDGETS, "corrections in (u, lam)"},
    {"scaling8", cmd_reproduce_scaling, OUT | BUDGETS, "condition numbers of these"},
    {"scaling9", cmd_reproduce_impact, OUT | T_END, "a cam that strikes a beam"},
    {"scaling10", cmd_reproduce_impact, OUT | T_END, "step sizes through its impact, m_ave = 0 and 1"},
    {"scaling11", cmd_reproduce_impact, OUT | T_END, "scaling of the constraints in these runs"},
    {"scaling-andrews", cmd_reproduce_scaling, OUT | BUDGETS, "Bottasso, Dopico, Trainelli: Andrews' mechanism"},
    {"bauchau1", cmd_reproduce_bauchau, NOTHING, "Bauchau, Epple, Bottasso, Table 1: condition numbers over h"},
    {"bauchau2", cmd_reproduce_bauchau, NOTHING, "Table 2: condition numbers over m"},
    {"bauchau3", cmd_reproduce_tip_crank, OUT | BUDGETS, "Figure 3: a strip buckles; attempts without pivoting"},
    {"bauchau4", cmd_reproduce_convergence, OUT | BUDGETS, "Figure 4: convergence in index 3 on that strip"},
    {"bauchau35", cmd_reproduce_five_digits, NOTHING, "equation (35): five digits, with and without pivoting"},
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
    if (s->n_words != 1) return cmd_complain(CMD_EXIT_USAGE, "reproduce: which one, %s?", all_names(text));
    for (int i = 0; i < N_TARGETS; i++) {
        names[i] = targets[i].name;
        if (strcmp(s->words[0], names[i]) == 0) return run(&targets[i], s);
    }
    const char *near = cmd_nearest(s->words[0], names, N_TARGETS);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "cannot reproduce '%s'; did you mean '%s'?", s->words[0], near);
    return cmd_complain(CMD_EXIT_USAGE, "cannot reproduce '%s', only %s", s->words[0], all_names(text));
}
