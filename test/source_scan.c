/* source_scan.c - reads C sources just well enough to check how they are written. */
#include "source_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void blank(char *from, const char *end)
{
    for (; from < end; from++)
        if (*from != '\n') *from = ' ';
}

static char *end_of_comment(char *c)
{
    if (c[1] == '/') return c + strcspn(c, "\n");
    char *end = strstr(c + 2, "*/");
    return end ? end + 2 : c + strlen(c);
}

/* From an opening quote to behind the closing one; an open string ends with its line. */
static char *end_of_string(char *c)
{
    char quote = *c++;
    while (*c && *c != quote && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
    return *c == quote ? c + 1 : c;
}

static char *end_of_directive(char *c)
{
    for (;; c++) {
        c += strcspn(c, "\n");
        if (!*c || c[-1] != '\\') return c;
    }
}

static int begins_line(const char *text, const char *c)
{
    while (c > text && (c[-1] == ' ' || c[-1] == '\t')) c--;
    return c == text || c[-1] == '\n';
}

/* Comments first: a directive may hold one, and a string may hold what looks like one. */
static void blank_comments_and_strings(char *text, int parts)
{
    for (char *c = text; *c;) {
        char *end = c + 1;
        if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) {
            end = end_of_comment(c);
            if (parts & SCAN_COMMENTS) blank(c, end);
        } else if (*c == '"' || *c == '\'') {
            end = end_of_string(c);
            if (parts & SCAN_STRINGS && end > c + 1) blank(c + 1, end - 1);
        }
        c = end;
    }
}

char *scan_blank(const char *text, int parts)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, text, size);
    blank_comments_and_strings(copy, parts);
    if (!(parts & SCAN_DIRECTIVES)) return copy;
    for (char *c = copy; (c = strchr(c, '#')) != NULL; c++)
        if (begins_line(copy, c)) blank(c, end_of_directive(c));
    return copy;
}

char scan_include(const char **at, char *name)
{
    const char *c = *at;
    while ((c = strchr(c, '#')) != NULL) {
        c++;
        c += strspn(c, " \t");
        if (strncmp(c, "include", 7) != 0) continue;
        c += 7;
        c += strspn(c, " \t");
        size_t length = strcspn(c + (*c != 0), *c == '<' ? ">\n" : "\"\n");
        if ((*c != '<' && *c != '"') || length >= 128) continue;
        memcpy(name, c + 1, length);
        name[length] = 0;
        *at = c + 1 + length;
        return *c;
    }
    return 0;
}

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int scan_word(const char *text, const char *word, int called)
{
    size_t length = strlen(word);
    int line = 1;
    for (const char *c = text; *c; c++) {
        if (*c == '\n') line++;
        if (strncmp(c, word, length) != 0 || (c > text && is_word(c[-1])) || is_word(c[length])) continue;
        const char *next = c + length + strspn(c + length, " \t\n");
        if (!called || *next == '(') return line;
    }
    return 0;
}

int scan_lines(const char *text)
{
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n' || !c[1];
    return lines;
}

/* A function is a block at depth 0 whose opening brace follows a ')'; it begins where its declaration does, behind
 * the last ';' or '}'. extern "C" { is no block: its declarations are at depth 0 too. */
int scan_longest_function(const char *text, int *line)
{
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS | SCAN_DIRECTIVES);
    int now = 1, depth = 0, begins = 0, longest = 0, in_function = 0;
    char before = 0; /* the last character that is not blank */
    for (const char *c = code; *c; c++) {
        if (*c == '\n') now++;
        if (isspace((unsigned char)*c)) continue;
        if (depth == 0 && begins == 0) begins = now;
        if (*c == '{' && !(depth == 0 && before == '"')) {
            if (depth++ == 0) in_function = before == ')';
        } else if (*c == '}' && depth > 0 && --depth == 0 && in_function && now - begins + 1 > longest) {
            longest = now - begins + 1;
            *line = begins;
        }
        if (depth == 0 && strchr(";{}", *c)) begins = 0;
        before = *c;
    }
    free(code);
    return longest;
}
