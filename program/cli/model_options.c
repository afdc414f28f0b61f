/* model_options.c - finds the options of models. The models on a command line are known only after its options, and
 * some options only after its models. Therefore a first pass reads only options of the command. A word that names a
 * file is a model, unless it follows an unknown option and may be its value. Without another model, the last such word
 * is one. */
#include "model_options.h"

#include "model_arg.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

enum { OWN_MAX = 20, MODELS_MAX = 20, DASHES = 2 };
static char names[OWN_MAX][RESIDA_MODEL_OPTION_SIZE + DASHES]; /* including dashes */
static int n_names;

/** Return the option of the command that a word denotes, or NULL. */
static const cmd_option *find_option(const char *word, unsigned mask)
{
    const int is_long = word[1] == '-';
    const char *name = word + 1 + is_long;
    const size_t n = strcspn(name, "=");
    for (int i = 0; i < cmd_n_options; i++) {
        const cmd_option *o = &cmd_options[i];
        const int is_named = is_long ? strlen(o->name) == n && strncmp(o->name, name, n) == 0 : o->letter == *name;
        if (is_named && (o->commands & mask)) return o;
    }
    return NULL;
}

/** Return 1 if the value of an option is the next word. */
static int takes_next_word(const cmd_option *o, const char *word)
{
    return o->value && (word[1] == '-' ? !strchr(word, '=') : !word[2]);
}

static int is_flag(const resida_parameter *p)
{
    return !p->word && p->whole && p->min == 0 && p->max == 1;
}

static void add_option(const char *name, int is_a_flag, unsigned commands)
{
    for (int i = 0; i < cmd_n_options; i++)
        if (strcmp(cmd_options[i].name, name) == 0 && (cmd_options[i].commands & commands)) return;
    if (n_names == OWN_MAX || cmd_n_options == CMD_OPTIONS_MAX) return;
    snprintf(names[n_names], sizeof names[n_names], "--%s", name);
    cmd_options[cmd_n_options++] = (cmd_option){.name = names[n_names] + DASHES,
                                                .kind = CMD_OF_MODEL,
                                                .commands = commands,
                                                .offset = (size_t)n_names,
                                                .value = is_a_flag ? NULL : "VALUE",
                                                .text = "of a model"};
    n_names++;
}

static int add_options_of_model(const char *word, unsigned commands)
{
    const resida_model_class *cls = NULL;
    const int code = cmd_class_inspect(word, &cls);
    for (int k = 0; code == 0 && cls->options && k < cls->n_parameters; k++)
        if (cls->options[k]) add_option(cls->options[k], is_flag(&cls->parameters[k]), commands);
    return code;
}

/** The result of the first pass. */
typedef struct first_look {
    int has_unknown;                /**< 1 if there is an unknown option */
    const char *models[MODELS_MAX]; /**< [n] files */
    int n;
    const char *unsure; /**< last file after an unknown option, or NULL */
} first_look;

static void scan_arguments(first_look *f, unsigned mask, int argc, char **argv)
{
    for (int i = 1, is_behind = 0; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1]) {
            const cmd_option *o = find_option(word, mask);
            is_behind = !o && !strchr(word, '=');
            f->has_unknown |= !o;
            if (o && takes_next_word(o, word)) i++;
            continue;
        }
        if (resida_plugin_file(word) && is_behind) f->unsure = word;
        if (resida_plugin_file(word) && !is_behind && f->n < MODELS_MAX) f->models[f->n++] = word;
        is_behind = 0;
    }
    if (f->n == 0 && f->unsure) f->models[f->n++] = f->unsure;
}

int cmd_model_options_find(unsigned mask, int argc, char **argv)
{
    const cmd_option *param = find_option("--param", mask);
    first_look f = {.n = 0};
    int code = 0;
    if (!param) return 0; /* the command accepts no parameters */
    scan_arguments(&f, mask, argc, argv);
    for (int i = 0; f.has_unknown && i < f.n && code == 0; i++)
        code = add_options_of_model(f.models[i], param->commands);
    return code;
}

char *cmd_model_option_setting(const cmd_option *o)
{
    return names[o->offset];
}

int cmd_parameter_index(const resida_model_class *cls, const char *name)
{
    const char *option = strncmp(name, "--", DASHES) == 0 ? name + DASHES : NULL;
    for (int k = 0; k < cls->n_parameters; k++) {
        if (strcmp(cls->parameters[k].name, name) == 0) return k;
        if (option && cls->options && cls->options[k] && strcmp(cls->options[k], option) == 0) return k;
    }
    return -1;
}
