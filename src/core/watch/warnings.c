/* warnings.c - see warnings.h. */
#include "warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_REPEATED_BYTES = 140 }; /* maximum length of a warning within another message */

void rsd_add_warning(rsd_warnings *w, rsd_claim claim, const char *format, ...)
{
    if (w->is_given[claim]) return;
    w->is_given[claim] = 1;
    va_list args;
    va_start(args, format);
    vsnprintf(w->text[claim].text, sizeof w->text[claim].text, format, args);
    va_end(args);
    w->line[w->n] = w->text[claim].text;
    w->n++;
}

void rsd_insert_warning(const rsd_warnings *w, resida_message *why)
{
    int i = 0;
    while (w && i < w->n &&
           (w->line[i] == w->text[RSD_CLAIM_START].text || w->line[i] == w->text[RSD_CLAIM_START_VELOCITY].text))
        i++;
    if (!w || i == w->n) return;
    const char *line = w->line[i];
    int n = (int)strlen(line);
    if (n > MAX_REPEATED_BYTES)
        for (n = MAX_REPEATED_BYTES; n > 1 && line[n] != ' ';) n--;
    const resida_message failure = *why;
    const int what = (int)strcspn(failure.text, ";");
    (void)snprintf(why->text, sizeof why->text, "%.*s; earlier warning: %.*s%s%s", what, failure.text, n, line,
                   line[n] ? " .." : "", failure.text + what);
}
