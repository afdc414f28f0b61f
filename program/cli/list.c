/* list.c - see list.h. An empty word counts as a word, but is never a valid name. */
#include "list.h"

#include "program/base/complain.h"
#include "program/base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 64, ALL = 1200 };

/** Return the comma that ends a word, or NULL. Commas in brackets belong to names, as in A[1,2]. */
static const char *find_end_of_word(const char *text)
{
    for (; *text; text++) {
        if (*text == ',') return text;
        const char *close = *text == '[' ? strchr(text, ']') : NULL;
        if (close) text = close;
    }
    return NULL;
}

int cmd_list_next(const char **rest, char *text, int size)
{
    if (!*rest) return 0;
    const char *end = find_end_of_word(*rest);
    int n = end ? (int)(end - *rest) : (int)strlen(*rest);
    snprintf(text, (size_t)size, "%.*s", n, *rest);
    *rest = end ? end + 1 : NULL;
    return 1;
}

int cmd_list_has(const char *list, const char *word)
{
    char text[WORD];
    while (cmd_list_next(&list, text, WORD))
        if (strcmp(text, word) == 0) return 1;
    return 0;
}

int cmd_list_refuse(const char *word, const char *option, const char *const *names, int n, int shown)
{
    char all[ALL] = "";
    const char *near = cmd_nearest(word, names, n);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "--%s: no '%s'; did you mean '%s'?", option, word, near);
    for (int i = 0, at = 0; i < n && i < shown && at < ALL; i++)
        at += snprintf(all + at, (size_t)(ALL - at), "%s%s", i > 0 ? ", " : "", names[i]);
    return cmd_complain(CMD_EXIT_USAGE, "--%s: no '%s'; there are %s%s", option, word, all, n > shown ? ", ..." : "");
}

int cmd_list_check(const char *list, const char *option, const char *const *names, int n)
{
    char word[WORD];
    while (cmd_list_next(&list, word, WORD)) {
        int i = 0;
        while (i < n && strcmp(names[i], word) != 0) i++;
        if (i == n) return cmd_list_refuse(word, option, names, n, n);
    }
    return 0;
}
