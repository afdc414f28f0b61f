/* completion.c - completion of command lines for bash and zsh: commands, options of a command, values of options with a
 * list, models and files. The scripts are generated from the tables that the command itself uses. */
#include "pages.h"

#include "program/builtin/models.h"
#include "program/cli/options.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

/** Write the words that may follow a command, except files. */
static void put_words(const cmd_command *c, FILE *f)
{
    if (!strstr(c->words, "MODEL")) return;
    for (int i = 0; bench_models[i]; i++) fprintf(f, " %s", bench_models[i]->name);
}

static int is_file(const cmd_option *o)
{
    return o->value && strncmp(o->value, "FILE", 4) == 0;
}

/** Write "solve:--form) values=..." as a pattern of "case" for each option with a list of values. */
static void put_values(const cmd_command *c, FILE *f)
{
    for (int i = 0; i < cmd_n_options; i++) {
        const cmd_option *o = &cmd_options[i];
        if (!cmd_option_is_accepted(o, c->mask) || (!o->words && !is_file(o))) continue;
        fprintf(f, "    %s:--%s", c->name, o->name);
        if (o->letter) fprintf(f, " | %s:-%c", c->name, o->letter);
        fputs(") ", f);
        if (is_file(o)) {
            fputs("COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", f);
            continue;
        }
        fputs("values=\"", f);
        for (const char *const *word = o->words; *word; word++) fprintf(f, "%s%s", word == o->words ? "" : " ", *word);
        fputs("\" ;;\n", f);
    }
}

static void put_options(const cmd_command *c, FILE *f)
{
    for (int i = 0; i < cmd_n_options; i++) {
        const cmd_option *o = &cmd_options[i];
        if (!cmd_option_is_accepted(o, c->mask)) continue;
        fprintf(f, " --%s", o->name);
        if (o->letter) fprintf(f, " -%c", o->letter);
    }
}

/** Write the names of all commands, and "help". */
static void put_commands(FILE *f)
{
    for (int i = 0; i < cmd_resida.n_commands; i++) fprintf(f, "%s ", cmd_resida.commands[i].name);
    fputs("help", f);
}

int cmd_completion_bash(FILE *f)
{
    fputs("# Completion of resida for bash.\n_resida() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
          "  local values= options= words=\n  COMPREPLY=()\n"
          "  # '=' is a word of its own: --form = gg\n"
          "  [ \"$word\" = = ] && word=\n"
          "  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"",
          f);
    put_commands(f);
    fputs(" --help --version\" -- \"$word\"))\n    return\n  fi\n  case $command:$before in\n", f);
    for (int i = 0; i < cmd_resida.n_commands; i++) put_values(&cmd_resida.commands[i], f);
    fputs("  esac\n  if [ -n \"$values\" ]; then\n    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n    return\n"
          "  fi\n  case $command in\n    help) words=\"",
          f);
    put_commands(f);
    fputs("\" options=\"--man --bash --zsh\" ;;\n", f);
    for (int i = 0; i < cmd_resida.n_commands; i++) {
        const cmd_command *c = &cmd_resida.commands[i];
        fprintf(f, "    %s) options=\"", c->name);
        put_options(c, f);
        fputs("\" words=\"", f);
        put_words(c, f);
        fputs("\" ;;\n", f);
    }
    fputs("  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\")) ;;\n"
          "  esac\n}\ncomplete -o filenames -F _resida resida\n",
          f);
    return 0;
}

/** Write words inside '...[...]', with brackets, colons and apostrophes escaped. */
static void put_quoted(const char *words, FILE *f)
{
    for (; *words; words++) {
        if (strchr("[]:\\", *words)) fputc('\\', f);
        if (*words == '\'')
            fputs("'\\''", f);
        else
            fputc(*words, f);
    }
}

/** Write an option: '(-o --out)'{-o+,--out=}'[the page]:FILE:_files' */
static void put_zsh_option(const cmd_option *o, FILE *f)
{
    char text[TEXT];
    const char *equals = !o->value ? "" : "=", *plus = !o->value ? "" : "+";
    const char *often = o->kind == CMD_PARAMETER || o->kind == CMD_TOLERANCE ? "*" : "";
    fputs("        ", f);
    if (o->letter && often[0])
        fprintf(f, "'*'{-%c%s,--%s%s}", o->letter, plus, o->name, equals);
    else if (o->letter)
        fprintf(f, "'(-%c --%s)'{-%c%s,--%s%s}", o->letter, o->name, o->letter, plus, o->name, equals);
    else
        fprintf(f, "'--%s%s'", o->name, equals);
    cmd_option_describe(o, text, sizeof text);
    fputs("'[", f);
    put_quoted(text, f);
    fputc(']', f);
    if (o->value) {
        fputc(':', f);
        put_quoted(o->value, f);
        fputc(':', f);
    }
    if (is_file(o)) fputs("_files", f);
    if (o->words) fputc('(', f);
    for (const char *const *word = o->words; word && *word; word++)
        fprintf(f, "%s%s", word == o->words ? "" : " ", *word);
    fputs(o->words ? ")' \\\n" : "' \\\n", f);
}

int cmd_completion_zsh(FILE *f)
{
    fputs("#compdef resida\n# Completion of resida for zsh.\n_resida() {\n  local -a commands models\n  commands=(\n",
          f);
    for (int i = 0; i < cmd_resida.n_commands; i++) {
        fprintf(f, "    '%s:", cmd_resida.commands[i].name);
        put_quoted(cmd_resida.commands[i].text, f);
        fputs("'\n", f);
    }
    fputs("    'help:the options of a command'\n  )\n  if (( CURRENT == 2 )); then\n"
          "    _describe -t commands command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n"
          "  (( CURRENT-- ))\n  case $command in\n"
          "    help)\n      _describe -t commands command commands\n      ;;\n",
          f);
    for (int i = 0; i < cmd_resida.n_commands; i++) {
        const cmd_command *c = &cmd_resida.commands[i];
        fprintf(f, "    %s)\n      _arguments -s \\\n", c->name);
        for (int k = 0; k < cmd_n_options; k++)
            if (cmd_option_is_accepted(&cmd_options[k], c->mask)) put_zsh_option(&cmd_options[k], f);
        fputs("        '*:word:{_alternative \"words:word:(", f);
        put_words(c, f);
        fputs(")\" \"files:file:_files\"}'\n      ;;\n", f);
    }
    fputs("  esac\n}\n_resida \"$@\"\n", f);
    return 0;
}
