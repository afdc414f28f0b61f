/* plan_check.c - checks before the first case that the model or the command knows every name, and that every listed
 * value is within its range. Random values and combinations of values cannot be checked in advance. A case with invalid
 * values has a row that states why it was not run. */
#include "plan.h"

#include "program/base/complain.h"
#include "program/base/suggest.h"
#include "program/cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 256, WORDS = 400 };

/** The value that is checked. */
typedef struct place {
    const cmd_plan *plan;
    const cmd_axis *axis;
    long k; /**< index of the value */
    int is_fixed;
} place;

/** Complain: "plan.csv, line 3: WORDS". */
static int complain_at(const place *at, const char *words)
{
    if (at->plan->lines && !at->is_fixed)
        return cmd_complain(CMD_EXIT_USAGE, "%s, line %ld: %s", at->plan->path, at->plan->lines[at->k], words);
    return cmd_complain(CMD_EXIT_USAGE, "%s: %s", at->plan->path, words);
}

static const resida_parameter *find_parameter(const resida_model_class *cls, const char *name)
{
    for (int i = 0; i < cls->n_parameters; i++)
        if (strcmp(cls->parameters[i].name, name) == 0) return &cls->parameters[i];
    return NULL;
}

int cmd_is_text(const resida_model_class *cls, const char *name)
{
    const resida_parameter *p = find_parameter(cls, name);
    return p && p->word;
}

/** Return an option of a single run, which a case may have. Options of the sweep as a whole are not returned. */
static const cmd_option *find_option(const char *name)
{
    for (int i = 0; i < cmd_n_options; i++) {
        const cmd_option *o = &cmd_options[i];
        const int is_of_runs = (o->commands & CMD_SWEEP) && (o->commands & CMD_COMPARE);
        if (is_of_runs && strcmp(o->name, name) == 0 && strcmp(name, "help") != 0 && strcmp(name, "quiet") != 0)
            return strcmp(name, "param") != 0 ? o : NULL;
    }
    return NULL;
}

static int unknown_option(const place *at)
{
    const char *names[NAMES_MAX];
    char words[WORDS];
    int n = 0;
    for (int i = 0; i < cmd_n_options && n < NAMES_MAX; i++)
        if (find_option(cmd_options[i].name)) names[n++] = cmd_options[i].name;
    const char *near = cmd_nearest(at->axis->name + 2, names, n);
    if (near)
        snprintf(words, sizeof words, "a case has no option '%.80s'; did you mean '--%s'?", at->axis->name, near);
    else
        snprintf(words, sizeof words, "a case has no option '%.80s'", at->axis->name);
    return cmd_complain(CMD_EXIT_USAGE, "%s: %s", at->plan->path, words);
}

static int unknown_parameter(const place *at, const resida_model_class *cls)
{
    const char *names[NAMES_MAX];
    int n = 0;
    for (; n < cls->n_parameters && n < NAMES_MAX; n++) names[n] = cls->parameters[n].name;
    const char *near = cmd_nearest(at->axis->name, names, n);
    if (near)
        return cmd_complain(CMD_EXIT_USAGE, "%s: %s has no parameter '%s'; did you mean '%s'?", at->plan->path,
                            cls->name, at->axis->name, near);
    return cmd_complain(CMD_EXIT_USAGE,
                        "%s: %s has no parameter '%s'; 'resida models %s' lists them (options begin with --)",
                        at->plan->path, cls->name, at->axis->name, at->plan->model);
}

static int check_parameter(const place *at, const resida_parameter *p)
{
    const char *word = at->axis->words[at->k];
    char words[WORDS];
    double x = 0;
    if (p->word || word[0] == 0) return 0;
    if (cmd_parse_number(word, &x) != 0)
        snprintf(words, sizeof words, "%s = '%.80s': is not a number", p->name, word);
    else if (p->whole && x != floor(x))
        snprintf(words, sizeof words, "%s = %.80s: must be a whole number", p->name, word);
    else if (!(x >= p->min && x <= p->max))
        snprintf(words, sizeof words, "%s = %.80s: must be from %s to %s", p->name, word, cmd_format_shortest(p->min),
                 cmd_format_shortest(p->max));
    else
        return 0;
    return complain_at(at, words);
}

/** Parse the word as on the command line, with its complaint. */
static int check_option(const place *at, const cmd_option *o)
{
    char word[2 * CMD_WORD_SIZE], words[WORDS] = "", said[WORDS + 2 * CMD_WORD_SIZE];
    const char *value = at->axis->words[at->k];
    const int is_true = strcmp(value, "true") == 0, is_false = strcmp(value, "false") == 0;
    cmd_settings s;
    if (value[0] == 0) return 0;
    if (!o->value != (is_true || is_false)) {
        snprintf(said, sizeof said, "--%s = '%s': %s", o->name, value, o->value ? "needs a value" : "is true or false");
        return complain_at(at, said);
    }
    if (is_false) return 0;
    snprintf(word, sizeof word, "--%s%s%s", o->name, o->value ? "=" : "", o->value ? value : "");
    char name[] = "sweep", *argv[] = {name, word, NULL};
    cmd_complain_to_text(words, sizeof words);
    int code = cmd_settings_parse(&s, "sweep", CMD_SWEEP, 2, argv);
    cmd_settings_free(&s);
    cmd_complain_to_text(NULL, 0);
    return code == 0 ? 0 : complain_at(at, words);
}

static int check_axis(const cmd_plan *plan, const cmd_axis *axis, const resida_model_class *cls, int is_fixed)
{
    place at = {.plan = plan, .axis = axis, .is_fixed = is_fixed};
    const int is_option = strncmp(axis->name, "--", 2) == 0;
    const cmd_option *o = is_option ? find_option(axis->name + 2) : NULL;
    const resida_parameter *p = is_option ? NULL : find_parameter(cls, axis->name);
    if (is_option && !o) return unknown_option(&at);
    if (!is_option && !p) return unknown_parameter(&at, cls);
    if (axis->distribution && (p ? p->word != NULL : o->kind != CMD_REAL && o->kind != CMD_TOLERANCE))
        return cmd_complain(CMD_EXIT_USAGE, "%s: %s: is not a real number, and cannot be drawn from a distribution",
                            plan->path, axis->name);
    if (axis->distribution && p && p->whole)
        return cmd_complain(CMD_EXIT_USAGE,
                            "%s: %s: must be a whole number; give a list of values instead of a distribution",
                            plan->path, axis->name);
    int code = 0;
    for (at.k = 0; at.k < axis->n && code == 0; at.k++) code = p ? check_parameter(&at, p) : check_option(&at, o);
    return code;
}

int cmd_plan_check(const cmd_plan *plan, const resida_model_class *cls)
{
    int code = 0;
    for (int i = 0; i < plan->n_fixed && code == 0; i++) code = check_axis(plan, &plan->fixed[i], cls, 1);
    for (int i = 0; i < plan->n_axes && code == 0; i++) code = check_axis(plan, &plan->axes[i], cls, 0);
    return code;
}
