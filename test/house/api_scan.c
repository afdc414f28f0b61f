/* api_scan.c - reads declarations as the public headers are written: one declarator at a time, no macros in between,
 * function pointers in structs as "int (*name)(...)". Not a parser of C. */
#include "api_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fixtures/source_scan.h"

/* The last word of [from, end), or "" when there is none. */
static void last_word(const char *from, const char *end, char *word)
{
    while (end > from && !scan_is_of_word(end[-1])) end--;
    const char *begin = end;
    while (begin > from && scan_is_of_word(begin[-1])) begin--;
    snprintf(word, API_NAME, "%.*s", (int)(end - begin), begin);
}

static void add_part(api_entry *entry, const char *from, const char *end)
{
    if (entry->n_parts == API_MAX_PARTS) abort();
    last_word(from, end, entry->parts[entry->n_parts]);
    const char *name = entry->parts[entry->n_parts];
    if (name[0] && strcmp(name, "void") != 0) entry->n_parts++;
}

/* Names of what stands between commas. */
static void add_list(api_entry *entry, const char *from, const char *end)
{
    while (from < end) {
        const char *comma = memchr(from, ',', (size_t)(end - from));
        add_part(entry, from, comma ? comma : end);
        from = comma ? comma + 1 : end;
    }
}

int api_functions(const char *text, api_entry *found, int most)
{
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS | SCAN_DIRECTIVES);
    int n = 0;
    for (const char *at = code; (at = strstr(at, "RESIDA_API")) != NULL; n++) {
        const char *open = strchr(at, '('), *close = open ? strchr(open, ')') : NULL;
        if (!close) abort();
        if (n < most) {
            found[n] = (api_entry){.n_parts = 0};
            last_word(at, open, found[n].name);
            add_list(&found[n], open + 1, close);
        }
        at = close;
    }
    return n;
}

int api_struct(const char *text, const char *name, api_entry *found)
{
    char *code = scan_blank(text, SCAN_COMMENTS | SCAN_STRINGS | SCAN_DIRECTIVES), head[80];
    snprintf(head, sizeof head, "struct %s {", name);
    const char *at = strstr(code, head);
    if (at) {
        *found = (api_entry){.n_parts = 0};
        snprintf(found->name, sizeof found->name, "%s", name);
        const char *end = strchr(at, '}');
        for (at += strlen(head); at < end;) {
            const char *semicolon = strchr(at, ';'), *pointer = strstr(at, "(*");
            if (!semicolon || semicolon > end) break;
            if (pointer && pointer < semicolon)
                add_part(found, pointer, strchr(pointer, ')'));
            else
                add_list(found, at, semicolon);
            at = semicolon + 1;
        }
    }
    return at != NULL;
}
