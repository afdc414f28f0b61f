/* message.c - formats messages and their parts. Numbers are printed as in the C locale, for any locale of the process,
 * because messages are also written to JSON and logs. A message is one line. A text that is too long is cut after a
 * word and ends with " ...". Nothing is appended to a cut text. */
#include "message.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char cut[] = " ...";
enum { LONGEST_WORD = 40 };

static void truncate_at_word(char *text, size_t size)
{
    const size_t end = size - sizeof cut;
    size_t at = end;
    while (at > 0 && end - at < LONGEST_WORD && text[at] != ' ') at--;
    if (text[at] != ' ')
        for (at = end; ((unsigned char)text[at] & 0xC0) == 0x80;) at--; /* within a character of UTF-8 */
    memcpy(text + at, cut, sizeof cut);
}

void rsd_append_list(char *text, size_t size, const char *format, va_list args)
{
    const size_t used = strlen(text), dots = strlen(cut);
    if (used >= dots && strcmp(text + used - dots, cut) == 0) return;
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    const int n = vsnprintf(text + used, size - used, format, args);
    for (char *c = text + used; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' '; /* a name or the text of a library may contain line breaks */
    if (n > 0 && (size_t)n >= size - used && size > sizeof cut) truncate_at_word(text, size);
    if (c_locale) {
        uselocale(before);
        freelocale(c_locale);
    }
}

/* Append the arguments of the calling function to text [size]. */
#define APPEND_ARGUMENTS(text, size)                                                                                   \
    do {                                                                                                               \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        rsd_append_list(text, size, format, args);                                                                     \
        va_end(args);                                                                                                  \
    } while (0)

void rsd_append(char *text, size_t size, const char *format, ...)
{
    APPEND_ARGUMENTS(text, size);
}

void rsd_write(char *text, size_t size, const char *format, ...)
{
    text[0] = 0;
    APPEND_ARGUMENTS(text, size);
}

resida_status rsd_fail(resida_message *why, resida_status status, const char *format, ...)
{
    if (why) why->text[0] = 0;
    if (why) APPEND_ARGUMENTS(why->text, sizeof why->text);
    return status;
}

void rsd_message_append(resida_message *why, const char *format, ...)
{
    if (why) APPEND_ARGUMENTS(why->text, sizeof why->text);
}

resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why)
{
    if (size == must) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: size = %zu, must be %zu (call the _init function)", what, size,
                    must);
}
