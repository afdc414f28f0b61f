/* settings.c - parses the command line with popt and the table in options.c. A value that is misspelled, out of range
 * or not finite is refused with one line that names the option. */
#include "settings.h"

#include "program/base/complain.h"
#include "program/base/number.h"
#include "model_arg.h"
#include "model_options.h"
#include "options.h"
#include "program/base/suggest.h"

#include <math.h>
#include <popt.h>
#include <resida/option.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_WORDS = 256, USE = 200, NAMES = 300, TEXT = 512 };

/** The options of one command for popt; `val` is the index in cmd_options plus one. */
typedef struct option_table {
    struct poptOption entries[CMD_OPTIONS_MAX + 1];
} option_table;

void cmd_option_describe(const cmd_option *o, char *text, size_t size)
{
    char use[USE] = "", list[NAMES] = "";
    for (int i = 0; o->names && o->names(i); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, NAMES - used, "%s%s", i ? ", " : "", o->names(i));
    }
    const char *at = o->names ? strstr(o->text, "%s") : NULL;
    const int before = at ? (int)(at - o->text) : (int)strlen(o->text);
    if (o->option) resida_option_text(resida_option_find(o->option), use, sizeof use);
    if (strstr(use, "_each")) use[0] = 0; /* the programs do not have tolerances of components as arrays */
    snprintf(text, size, "%.*s%s%s%s%s", before, o->text, list, at ? at + strlen("%s") : "", use[0] ? "; only " : "",
             use);
}

/** Fill the table without descriptions, which only the help shows. */
static void build_table(option_table *table, unsigned mask)
{
    int n = 0;
    for (int i = 0; i < cmd_n_options && n < CMD_OPTIONS_MAX; i++) {
        const cmd_option *o = &cmd_options[i];
        if (!(o->commands & mask)) continue;
        unsigned kind = !o->value ? POPT_ARG_NONE : POPT_ARG_STRING;
        if (!cmd_option_is_accepted(o, mask)) kind |= POPT_ARGFLAG_DOC_HIDDEN;
        table->entries[n++] = (struct poptOption){o->name, o->letter, kind, NULL, i + 1, NULL, o->value};
    }
    table->entries[n] = (struct poptOption)POPT_TABLEEND;
}

/** Read a number in the range of the option. */
static int read_number(const cmd_option *o, const char *word, double *value)
{
    double x;
    if (cmd_parse_number(word, &x) != 0)
        return cmd_complain(CMD_EXIT_USAGE, "--%s: '%s' is not a number", o->name, word);
    if ((o->kind == CMD_WHOLE || o->kind == CMD_INT) && x != floor(x))
        return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be a whole number", o->name, word);
    if (x < o->min || (o->above_min && x == o->min) || x > o->max) {
        const char *sign = o->above_min ? ">" : ">=";
        if (isfinite(o->max) && o->max < 1e12)
            return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be %s %s and <= %s", o->name, word, sign,
                                cmd_format_shortest(o->min), cmd_format_shortest(o->max));
        return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be %s %s", o->name, word, x > o->max ? "<=" : sign,
                            cmd_format_shortest(x > o->max ? o->max : o->min));
    }
    *value = x;
    return 0;
}

/** Join words: "auto|ggl|index2". */
static void join_words(const char *const *words, char *text, size_t size)
{
    size_t at = 0;
    for (; *words && at < size; words++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", at > 0 ? "|" : "", *words);
}

static int read_choice(const cmd_option *o, const char *word, int *value)
{
    char all[ALL_WORDS] = "";
    int n = 0;
    for (; o->words[n]; n++)
        if (strcmp(word, o->words[n]) == 0) {
            *value = n;
            return 0;
        }
    join_words(o->words, all, sizeof all);
    const char *near = cmd_nearest(word, o->words, n);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "--%s %s: did you mean '%s'? (%s)", o->name, word, near, all);
    return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be one of %s", o->name, word, all);
}

/** Append the part of the word before '=' to the list. */
static int add_name(const cmd_option *o, char *word, char *equals, char **names, int *n)
{
    const size_t length = (size_t)(equals - word);
    for (int i = 0; i < *n; i++)
        if (strlen(names[i]) == length && strncmp(word, names[i], length) == 0)
            return cmd_complain(CMD_EXIT_USAGE, "--%s %s: '%s' is given twice", o->name, word, names[i]);
    *equals = 0;
    names[(*n)++] = word;
    return 0;
}

static int add_parameter(cmd_settings *s, const cmd_option *o, char *word)
{
    char *equals = strchr(word, '=');
    if (!equals || equals == word) return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be NAME=VALUE", o->name, word);
    s->parameter_words[s->n_parameters] = equals + 1;
    return add_name(o, word, equals, s->parameter_names, &s->n_parameters);
}

/** Append the setting of a model's option to the lists of parameters. */
static int add_model_option(cmd_settings *s, const cmd_option *o, char *word)
{
    static char on[] = "1";
    s->parameter_names[s->n_parameters] = cmd_model_option_setting(o);
    s->parameter_words[s->n_parameters++] = o->value ? word : on;
    return 0;
}

/** Append NAME=X to the lists. `must` is the text on allowed forms in a complaint. */
static int add_named(const cmd_option *o, char *word, const char *must, char **names, double *values, int *n)
{
    char *equals = strrchr(word, '='); /* a name may contain '=', a number cannot */
    double value = 0;
    if (!equals || equals == word) return cmd_complain(CMD_EXIT_USAGE, "--%s %s: must be %s", o->name, word, must);
    int code = read_number(o, equals + 1, &value);
    if (code == 0) values[*n] = value;
    return code != 0 ? code : add_name(o, word, equals, names, n);
}

/** Read X for all components, or NAME=X. */
static int read_tolerance(cmd_settings *s, const cmd_option *o, char *word)
{
    if (strchr(word, '='))
        return add_named(o, word, "X or NAME=X", s->tolerance_names, s->tolerance_values, &s->n_tolerances);
    if (!isnan(s->atol)) return cmd_complain(CMD_EXIT_USAGE, "--%s: is given twice", o->name);
    return read_number(o, word, &s->atol);
}

/** Store the value of one option. `word`, owned by the settings, is NULL for a flag. */
static int apply_option(cmd_settings *s, const cmd_option *o, char *word)
{
    char *at = (char *)s + o->offset;
    double number = 0;
    int code = 0, choice = 0;
    switch (o->kind) {
    case CMD_FLAG:
        *(int *)(void *)at = 1;
        return 0;
    case CMD_NO_FLAG:
        *(int *)(void *)at = 0;
        return 0;
    case CMD_CHOICE:
        return read_choice(o, word, (int *)(void *)at);
    case CMD_NAME:
        code = read_choice(o, word, &choice);
        if (code == 0) *(const char **)(void *)at = o->words[choice];
        return code;
    case CMD_REAL:
        return read_number(o, word, (double *)(void *)at);
    case CMD_WHOLE:
        code = read_number(o, word, &number);
        if (code == 0) *(long *)(void *)at = (long)number;
        return code;
    case CMD_INT:
        code = read_number(o, word, &number);
        if (code == 0) *(int *)(void *)at = (int)number;
        return code;
    case CMD_STRING:
        if (word[0] == 0) return cmd_complain(CMD_EXIT_USAGE, "--%s: must not be empty", o->name);
        *(const char **)(void *)at = word;
        return 0;
    case CMD_TOLERANCE:
        return read_tolerance(s, o, word);
    case CMD_GUESS:
        return add_named(o, word, "NAME=X", s->guess_names, s->guess_values, &s->n_guesses);
    case CMD_PARAMETER:
        return add_parameter(s, o, word);
    case CMD_OF_MODEL:
        return add_model_option(s, o, word);
    }
    return 0;
}

/** Return the property that the inspected model lacks for an option of other models; NULL if no model has such an
 *  option. */
static const char *find_missing_property(const char *option)
{
    static const char *const all[][2] = {{"communication-step", "Co-Simulation"},
                                         {"inputs", "inputs over time"},
                                         {"hold", "inputs over time"},
                                         {"motion", "joints that a file moves"},
                                         {"loops", "loops of a file"}};
    for (size_t i = 0; cmd_class_inspected() && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i][0], option) == 0) return all[i][1];
    return NULL;
}

/** Complain about a word that popt refused. */
static int complain_about_word(poptContext popt, const option_table *table, const char *command, int error)
{
    const char *word = poptBadOption(popt, POPT_BADOPTION_NOALIAS);
    if (error == POPT_ERROR_NOARG) return cmd_complain(CMD_EXIT_USAGE, "%s: needs a value", word);
    if (error != POPT_ERROR_BADOPT) return cmd_complain(CMD_EXIT_USAGE, "%s: %s", word, poptStrerror(error));
    const char *names[CMD_OPTIONS_MAX];
    int n = 0;
    for (; table->entries[n].longName; n++) names[n] = table->entries[n].longName;
    char name[64];
    size_t dashes = strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
    const char *lack = find_missing_property(name);
    if (lack && strstr(cmd_class_inspected(), ".ssp") && strcmp(lack, "inputs over time") == 0)
        return cmd_complain(CMD_EXIT_USAGE,
                            "--%s: parameters of a system belong to its components: -p COMPONENT.%s=...", name, name);
    if (lack) return cmd_complain(CMD_EXIT_USAGE, "--%s: %s has no %s", name, cmd_class_inspected(), lack);
    const char *near = cmd_nearest(name, names, n);
    if (near)
        return cmd_complain(CMD_EXIT_USAGE, "%s has no option %.*s%s; did you mean '--%s'?", command, (int)dashes, word,
                            name, near);
    const char *model = cmd_class_inspected();
    return cmd_complain(CMD_EXIT_USAGE, "%s has no option %.*s%s%s%s; '%s help %s' lists them", command, (int)dashes,
                        word, name, model ? ", nor has " : "", model ? model : "", cmd_program_name(), command);
}

/** Refuse a repeated option, except --help and options that collect names. */
static int mark_given(cmd_settings *s, int i)
{
    const cmd_option *o = &cmd_options[i];
    const int has_names = o->kind == CMD_PARAMETER || o->kind == CMD_TOLERANCE || o->kind == CMD_GUESS;
    const int is_repeated = has_names || strcmp(o->name, "help") == 0;
    if (s->given[i] && !is_repeated) return cmd_complain(CMD_EXIT_USAGE, "--%s: is given twice", o->name);
    s->given[i] = 1;
    return 0;
}

static int read_options(cmd_settings *s, poptContext popt, const option_table *table, const char *command)
{
    int val;
    while ((val = poptGetNextOpt(popt)) > 0) {
        char *word = poptGetOptArg(popt);
        if (word) s->kept[s->n_kept++] = word; /* at most one per argument; only flags can be several */
        int code = mark_given(s, val - 1);
        if (code == 0) code = apply_option(s, &cmd_options[val - 1], word);
        if (code != 0) return code;
    }
    return val < -1 ? complain_about_word(popt, table, command, val) : 0;
}

static int read_words(cmd_settings *s, poptContext popt)
{
    const char **words = poptGetArgs(popt);
    for (; words && *words; words++) {
        if (!(s->kept[s->n_kept] = strdup(*words))) return cmd_no_memory();
        s->words[s->n_words++] = s->kept[s->n_kept++];
    }
    return 0;
}

/** Check combinations of options. */
static int check_combinations(const cmd_settings *s)
{
    if (s->points > 0 && !isnan(s->every))
        return cmd_complain(CMD_EXIT_USAGE, "--points and --every: only one of them can be used");
    return 0;
}

/** Join words with blanks. @return NULL without memory */
static char *join(int argc, char **argv)
{
    size_t size = 1;
    for (int i = 1; i < argc; i++) size += strlen(argv[i]) + 1;
    char *line = calloc(size, 1);
    for (int i = 1; line && i < argc; i++) strcat(strcat(line, i > 1 ? " " : ""), argv[i]);
    return line;
}

int cmd_is_given(const cmd_settings *s, const char *name)
{
    for (int i = 0; i < cmd_n_options; i++)
        if (s->given[i] && strcmp(cmd_options[i].name, name) == 0) return 1;
    return 0;
}

int cmd_settings_parse(cmd_settings *s, const char *command, unsigned mask, int argc, char **argv)
{
    *s = (cmd_settings){.rtol = NAN, .atol = NAN, .t_end = NAN, .every = NAN, .from = NAN, .to = NAN};
    s->time_limit = s->at = s->near = NAN;
    s->checkpoint_every = NAN;
    resida_problem_options_init(&s->problem);
    resida_solver_options_init(&s->solver);
    resida_start_options_init(&s->start);
    size_t room = (size_t)argc + 1;
    char ***const lists[] = {&s->kept,       &s->words, &s->parameter_names, &s->parameter_words, &s->tolerance_names,
                             &s->guess_names};
    const size_t n_lists = sizeof lists / sizeof *lists;
    s->kept = calloc(room * n_lists, sizeof *s->kept);
    s->parameter_used = calloc(room, sizeof *s->parameter_used);
    s->tolerance_values = calloc(2 * room, sizeof *s->tolerance_values);
    s->argc = argc;
    s->argv = argv;
    s->command_line = join(argc, argv);
    if (!s->command_line || !s->kept || !s->parameter_used || !s->tolerance_values) return cmd_no_memory();
    for (size_t i = 0; i < n_lists; i++) *lists[i] = s->kept + i * room;
    s->guess_values = s->tolerance_values + room;

    int code = cmd_model_options_find(mask, argc, argv);
    if (code != 0) return code;
    option_table table;
    build_table(&table, mask);
    poptContext popt = poptGetContext(NULL, argc, (const char **)argv, table.entries, 0);
    if (!popt) return cmd_no_memory();
    code = read_options(s, popt, &table, command);
    if (code == 0) code = read_words(s, popt);
    poptFreeContext(popt);
    return code == 0 && !s->help ? check_combinations(s) : code;
}

void cmd_settings_free(cmd_settings *s)
{
    for (int i = 0; i < s->n_kept; i++) free(s->kept[i]);
    free(s->kept);
    free(s->tolerance_values);
    free(s->parameter_used);
    free(s->command_line);
    cmd_class_close_inspected();
    *s = (cmd_settings){0};
}

void cmd_settings_help(const char *command, unsigned mask, const char *words, FILE *stream)
{
    char title[64], usage[96];
    snprintf(title, sizeof title, "%s %s", cmd_program_name(), command);
    snprintf(usage, sizeof usage, "%s [OPTION...]", words);
    const char *argv[] = {title, NULL};
    option_table table;
    char texts[CMD_OPTIONS_MAX][TEXT];
    build_table(&table, mask);
    for (int i = 0; table.entries[i].longName; i++) {
        cmd_option_describe(&cmd_options[table.entries[i].val - 1], texts[i], TEXT);
        table.entries[i].descrip = texts[i];
    }
    poptContext popt = poptGetContext(NULL, 1, argv, table.entries, 0);
    if (!popt) return;
    poptSetOtherOptionHelp(popt, usage);
    poptPrintHelp(popt, stream, 0);
    poptFreeContext(popt);
}
