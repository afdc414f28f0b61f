/* manual.c - writes resida(1): every command and every option, from the tables that the command itself uses. Words are
 * escaped, so that no word is taken for a macro: "\" becomes \e, "-" becomes \-, and no line begins with "." or "'". */
#include "pages.h"

#include "program/base/wrap.h"
#include "program/cli/options.h"

#include <resida/solver.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512, WIDTH = 70 };

static void put(const char *words, FILE *f)
{
    for (const char *c = words; *c; c++) {
        if (c == words && (*c == '.' || *c == '\'')) fputs("\\&", f);
        if (*c == '\\')
            fputs("\\e", f);
        else if (*c == '-')
            fputs("\\-", f);
        else if (*c == '"')
            fputs("\\(dq", f);
        else if (*c == '\'')
            fputs("\\(aq", f);
        else
            fputc(*c, f);
    }
}

/** Write each line of a text and free the text. @return 0; -1 if text is NULL because memory was exhausted */
static int put_lines(char *text, FILE *f)
{
    char *rest = NULL;
    if (!text) return -1;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        put(line, f);
        fputc('\n', f);
    }
    free(text);
    return 0;
}

/** Write a paragraph, wrapped. @return 0; -1 without memory */
static int put_text(const char *words, FILE *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines) return -1;
    cmd_wrap(words, WIDTH, lines);
    fclose(lines);
    return put_lines(text, f);
}

static int put_all(const char *const *paragraphs, FILE *f)
{
    int failed = 0;
    for (int i = 0; paragraphs[i] && !failed; i++) {
        if (i > 0) fputs(".PP\n", f);
        failed = put_text(paragraphs[i], f);
    }
    return failed;
}

/** Write "Options: --rtol, --atol ...", one option per line. */
static void put_names(unsigned mask, FILE *f)
{
    const char *between = "Options:\n";
    for (int i = 0; i < cmd_n_options; i++) {
        if (!cmd_option_is_accepted(&cmd_options[i], mask)) continue;
        fprintf(f, "%s\\fB\\-\\-", between);
        put(cmd_options[i].name, f);
        fputs("\\fR", f);
        between = ",\n";
    }
    fputs(".\n", f);
}

static int put_command(const cmd_command *c, FILE *f)
{
    fputs(".TP\n\\fBresida ", f);
    put(c->name, f);
    fputs("\\fR \\fI", f);
    put(c->words, f);
    fputs("\\fR\n", f);
    if (put_text(c->text, f) != 0) return -1;
    fputs(".br\n", f);
    put_names(c->mask, f);
    return 0;
}

/** Append the commands that accept the option to its description. */
static void append_commands(const cmd_option *o, char text[TEXT])
{
    size_t used = strlen(text);
    const char *between = " (";
    for (int i = 0; i < cmd_resida.n_commands && used < TEXT; i++) {
        if (!(o->commands & cmd_resida.commands[i].mask)) continue;
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s", between, cmd_resida.commands[i].name);
        between = ", ";
    }
    if (used < TEXT) snprintf(text + used, TEXT - used, ")");
}

/** Write "-o, --out=FILE" and the description. @return 0; -1 without memory */
static int put_option(const cmd_option *o, FILE *f)
{
    char text[TEXT];
    fputs(".TP\n", f);
    if (o->letter) fprintf(f, "\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", f);
    put(o->name, f);
    fputs("\\fR", f);
    if (o->value) {
        fputs("=\\fI", f);
        put(o->value, f);
        fputs("\\fR", f);
    }
    fputc('\n', f);
    cmd_option_describe(o, text, sizeof text);
    append_commands(o, text);
    return put_text(text, f);
}

/** Return the mask of all commands. */
static unsigned all_commands(void)
{
    unsigned mask = 0;
    for (int i = 0; i < cmd_resida.n_commands; i++) mask |= cmd_resida.commands[i].mask;
    return mask;
}

static void put_head(FILE *f)
{
    fprintf(f, ".TH RESIDA 1 \"\" \"resida %s\" \"User Commands\"\n.nh\n.ad l\n", resida_version());
    fputs(".SH NAME\nresida \\- integrate differential\\-algebraic equations given as residuals\n.SH SYNOPSIS\n"
          ".B resida\n\\fICOMMAND\\fR [\\fIWORD\\fR...] [\\fIOPTION\\fR...]\n.br\n.B resida help\n"
          "[\\fICOMMAND\\fR]\n.br\n.B resida help\n\\fB\\-\\-man\\fR | \\fB\\-\\-bash\\fR | \\fB\\-\\-zsh\\fR\n"
          ".SH DESCRIPTION\n",
          f);
}

static const char what[] = "Integrates built-in models and models of plugins, compares strategies and other "
                           "integrators, validates models, and draws what it measures.";

int cmd_manual_write(FILE *f)
{
    put_head(f);
    int failed = put_text(what, f);
    fputs(".PP\n", f);
    failed |= put_all(cmd_about_words, f);
    fputs(".SH COMMANDS\n", f);
    for (int i = 0; i < cmd_resida.n_commands; i++) failed |= put_command(&cmd_resida.commands[i], f);
    fputs(".TP\n\\fBresida help\\fR [\\fICOMMAND\\fR]\nThe options of a command. \\fB\\-\\-man\\fR prints this page,\n"
          "\\fB\\-\\-bash\\fR and \\fB\\-\\-zsh\\fR what completes command lines.\n.SH OPTIONS\n",
          f);
    for (int i = 0; i < cmd_n_options; i++)
        if (cmd_option_is_accepted(&cmd_options[i], all_commands())) failed |= put_option(&cmd_options[i], f);
    fputs(".SH \"EXIT STATUS\"\n", f);
    failed |= put_all(cmd_about_exit, f);
    return failed;
}
