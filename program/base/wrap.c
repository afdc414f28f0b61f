/* wrap.c - line wrapping of text. */
#include "wrap.h"

#include <string.h>

void cmd_wrap(const char *words, int width, FILE *stream)
{
    int at = 0;
    while (*words) {
        int n = (int)strcspn(words, " ");
        if (at > 0 && at + 1 + n > width) at = 0, fputc('\n', stream);
        at += fprintf(stream, "%s%.*s", at > 0 ? " " : "", n, words);
        words += n + (words[n] == ' ');
    }
    fputc('\n', stream);
}
