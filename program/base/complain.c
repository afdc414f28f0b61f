/* complain.c - writes one line on stderr per complaint. Control characters in the text, such as a line break in a file
 * name or in a message of a plugin, become blanks. The exit code is returned unchanged. */
#include "complain.h"

#include "digest.h"

#include <errno.h>
#include <resida_features.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Replace control characters. U+0080 .. U+009F, with two bytes in UTF-8, are also control characters. */
static void replace_controls(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = ' ';
        if ((unsigned char)text[0] == 0xc2 && ((unsigned char)text[1] & 0xe0) == 0x80) text[0] = text[1] = ' ';
    }
}

static const char *program = "resida";

void cmd_complain_as(const char *name)
{
    program = name;
}

const char *cmd_program_name(void)
{
    return program;
}

/** Buffer that receives complaints instead of stderr, or NULL. */
static char *diverted;
static size_t diverted_size;

void cmd_complain_to_text(char *text, size_t size)
{
    diverted = text;
    diverted_size = size;
}

enum { KINDS = 64 };
static int is_once;
static uint64_t said[KINDS]; /* digests of the notes written so far */
static int n_said;

void cmd_complain_skip_repeated(int on)
{
    is_once = on;
    n_said = 0;
}

/** Return 1 if the note equals a previous one except for numbers. */
static int is_repeated(const char *note)
{
    uint64_t kind = CMD_DIGEST_OF_NOTHING;
    for (const char *at = note; *at; at++)
        if (!strchr("0123456789.e+-", *at)) cmd_digest_add(&kind, at, 1);
    for (int i = 0; i < n_said; i++)
        if (said[i] == kind) return 1;
    if (n_said < KINDS) said[n_said++] = kind;
    return 0;
}

int cmd_complain(int code, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    replace_controls(line);
    if (code == 0 && is_once && is_repeated(line)) return code;
    if (diverted) {
        if (diverted[0] == 0) snprintf(diverted, diverted_size, "%s", line);
        return code;
    }
    fprintf(stderr, "%s: %s\n", program, line);
    return code;
}

int cmd_no_memory(void)
{
    return cmd_complain(CMD_EXIT_FAILED, "out of memory");
}

int cmd_complain_model(int code, const char *model, const char *message)
{
    size_t n = strlen(model);
    int named = strncmp(message, model, n) == 0 && message[n] == ':';
    return cmd_complain(code, "%s%s%s", named ? "" : model, named ? "" : ": ", message);
}

int cmd_complain_missing(int code, const char *what, const char *feature)
{
    const rsd_feature *f = rsd_feature_of(feature);
    return cmd_complain(code, "%s: built without %s; %s", what, f->name, f->remedy);
}

int cmd_complain_unread(const char *file)
{
    return cmd_complain(CMD_EXIT_USAGE, "cannot read %s: %s", file, strerror(errno));
}

int cmd_complain_io(const char *verb, const char *what)
{
    if (errno == EPIPE) return CMD_EXIT_IO;
    return cmd_complain(CMD_EXIT_IO, "cannot %s %s: %s", verb, what, strerror(errno));
}

int cmd_complain_unwritten(FILE *stream, const char *what)
{
    if (ferror(stream) && write(fileno(stream), " ", 1) == 1) errno = EIO;
    return cmd_complain_io("write", what);
}
