/* message.c - formats messages. Numbers are printed as in the C locale, for any locale of the process, because messages
 * are also written to JSON and logs. A message is one line. A message that is too long is cut after a word and ends
 * with " ...". Nothing is appended to a cut message. */
#include "message.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char cut[] = " ...";
enum { END = RESIDA_MESSAGE_SIZE - sizeof cut, LONGEST_WORD = 40 };

/* Returns 1 if the message was truncated: it has almost full length and ends with " ...". */
static int is_truncated(const resida_message *why)
{
    size_t n = strnlen(why->text, sizeof why->text - 1);
    return n >= END - LONGEST_WORD && strcmp(why->text + n - strlen(cut), cut) == 0;
}

static void truncate_at_word(resida_message *why)
{
    size_t at = END;
    while (at > END - LONGEST_WORD && why->text[at] != ' ') at--;
    if (why->text[at] != ' ')
        for (at = END; ((unsigned char)why->text[at] & 0xC0) == 0x80;) at--; /* within a character of UTF-8 */
    memcpy(why->text + at, cut, sizeof cut);
}

static void append_formatted(resida_message *why, size_t used, const char *format, va_list args)
{
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    int n = vsnprintf(why->text + used, sizeof why->text - used, format, args);
    for (char *c = why->text + used; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' '; /* a name or the text of a library may contain line breaks */
    if (n > 0 && (size_t)n >= sizeof why->text - used) truncate_at_word(why);
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
    append_formatted(why, 0, format, args);
    va_end(args);
    return status;
}

void rsd_message_append(resida_message *why, const char *format, ...)
{
    if (!why || is_truncated(why)) return;
    va_list args;
    va_start(args, format);
    append_formatted(why, strnlen(why->text, sizeof why->text - 1), format, args);
    va_end(args);
}

resida_status rsd_check_size(const char *what, size_t size, size_t must, resida_message *why)
{
    if (size == must) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: size = %zu, must be %zu (call the _init function)", what, size,
                    must);
}
