/* warnings.c - see warnings.h. */
#include "warnings.h"

#include <stdarg.h>

void rsd_add_warning(rsd_warnings *w, rsd_claim claim, const char *format, ...)
{
    if (w->is_given[claim]) return;
    w->is_given[claim] = 1;
    va_list args;
    va_start(args, format);
    w->text[claim].text[0] = 0;
    rsd_append_list(w->text[claim].text, sizeof w->text[claim].text, format, args);
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
    if (w && i < w->n) rsd_message_append(why, "; earlier warning: %s", w->line[i]);
}
