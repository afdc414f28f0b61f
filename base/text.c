/* text.c - checks that a text can be displayed. Terminals obey control characters, including those of ISO 6429 from
 * U+0080 to U+009F. A line break splits a message into two lines. Text that is not UTF-8 is not valid in JSON.
 *
 * Source: The Unicode Standard, table 3-7 (well-formed UTF-8 byte sequences). */
#include "text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct sequence {
    unsigned char first, last;        /* range of the first byte of a UTF-8 character */
    unsigned char second, second_end; /* range of the second byte; any further bytes are 0x80 .. 0xbf */
    int length;                       /* number of bytes of the character */
} sequence;

static const sequence sequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* Return the number of bytes of the character at c, which is not ASCII, or 0 if the character is not valid. */
static int get_character_length(const unsigned char *c)
{
    const sequence *s = NULL;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences && !s; i++)
        if (c[0] >= sequences[i].first && c[0] <= sequences[i].last) s = &sequences[i];
    if (!s || c[1] < s->second || c[1] > s->second_end) return 0;
    for (int i = 2; i < s->length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf) return 0;
    return s->length;
}

const char *rsd_text_find_defect(const char *text)
{
    static const char control[] = "a control character";
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        if (*c < ' ' || *c == 0x7f) return control;
        if (c[0] == 0xc2 && c[1] < 0xa0 && c[1] >= 0x80) return control;
        int length = *c < 0x80 ? 1 : get_character_length(c);
        if (length == 0) return "bytes that are not UTF-8";
        c += length;
    }
    return NULL;
}

int rsd_text_is_empty(const char *text)
{
    return !text || !*text;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *rsd_find_duplicate(const char **names, int n)
{
    qsort(names, (size_t)n, sizeof *names, compare_names);
    for (int i = 1; i < n; i++)
        if (strcmp(names[i - 1], names[i]) == 0) return names[i];
    return NULL;
}
