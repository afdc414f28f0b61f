/* message.c - formats messages and their parts. Numbers are printed as in the C locale, for any locale of the process,
 * because messages are also written to JSON and logs. A message is one line. A text that is too long is cut after a
 * word and ends with " ...". Nothing is appended to a cut text. */
#include "message.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char cut[] = " ...";
enum { LONGEST_WORD = 40 };

/* Return the first place in a text [size] at which it may be cut; the last place is LONGEST_WORD behind it. */
static size_t get_first_cut(size_t size)
{
    return size > sizeof cut + LONGEST_WORD ? size - sizeof cut - LONGEST_WORD : 0;
}

/* Returns 1 if the text was truncated: it has almost full length and ends with " ...". */
static int is_truncated(const char *text, size_t size)
{
    const size_t n = strlen(text), dots = strlen(cut);
    return n >= dots && n >= get_first_cut(size) && strcmp(text + n - dots, cut) == 0;
}

static void truncate_at_word(char *text, size_t size)
{
    const size_t end = size - sizeof cut;
    size_t at = end;
    while (at > get_first_cut(size) && text[at] != ' ') at--;
    if (text[at] != ' ')
        for (at = end; ((unsigned char)text[at] & 0xC0) == 0x80;) at--; /* within a character of UTF-8 */
    memcpy(text + at, cut, sizeof cut);
}

void rsd_append_list(char *text, size_t size, const char *format, va_list args)
{
    if (is_truncated(text, size)) return;
    const size_t used = strlen(text);
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

void rsd_append(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rsd_append_list(text, size, format, args);
    va_end(args);
}

void rsd_write(char *text, size_t size, const char *format, ...)
{
    va_list args;
    text[0] = 0;
    va_start(args, format);
    rsd_append_list(text, size, format, args);
    va_end(args);
}

resida_status rsd_fail(resida_message *why, resida_status status, const char *format, ...)
{
    if (!why) return status;
    va_list args;
    why->text[0] = 0;
    va_start(args, format);
    rsd_append_list(why->text, sizeof why->text, format, args);
    va_end(args);
    return status;
}

void rsd_message_append(resida_message *why, const char *format, ...)
{
    if (!why) return;
    va_list args;
    va_start(args, format);
    rsd_append_list(why->text, sizeof why->text, format, args);
    va_end(args);
}

resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why)
{
    if (size == must) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: size = %zu, must be %zu (call the _init function)", what, size,
                    must);
}
