/* message.c - formats reasons. Numbers are printed in the C locale's form whatever the process has set, because a
 * message is also a value in JSON and in logs: a decimal comma is turned back into a point. A message is one line. */
#include "message.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void format_at(resida_message *why, size_t used, const char *format, va_list args)
{
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    vsnprintf(why->text + used, sizeof why->text - used, format, args);
    for (char *c = why->text + used; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' '; /* a name or a library's text may hold ends of lines */
    if (c_locale) {
        uselocale(before);
        freelocale(c_locale);
    }
}

resida_status rsd_fail(resida_message *why, resida_status status, const char *format, ...)
{
    if (!why) return status;
    va_list args;
    va_start(args, format);
    format_at(why, 0, format, args);
    va_end(args);
    return status;
}

void rsd_message_append(resida_message *why, const char *format, ...)
{
    if (!why) return;
    va_list args;
    va_start(args, format);
    format_at(why, strnlen(why->text, sizeof why->text - 1), format, args);
    va_end(args);
}
